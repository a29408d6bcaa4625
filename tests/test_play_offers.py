"""Taking back, offers and clocks at the table. No game is named here."""

import pytest

from roundel.play.commands import DRAW, TAKEBACK, Act, Answer, Offer, Resign, Say, TakeBack
from roundel.play.events import Answered, Flagged, Offered, Passed, Replaced, TakenBack
from roundel.play.leaving import SUBSTITUTE
from roundel.play.match import Match
from roundel.play.outcome import outcome_text
from roundel.play.setup import Clock
from roundel.play.submit import flag
from tests.playing import act, begun, do, inside_a_turn
from tests.test_play import refused

MINUTE = Clock(60, 5)


def opened(kinds: str, plies: int, clock: Clock | None = None) -> Match:
    """After some actions, one each second."""
    match = begun(kinds, clock=clock)
    for ply in range(plies):
        act(match, now=float(ply))
    return match


def flagged(match: Match, now: float) -> list[object]:
    happened = flag(match, now)
    for event in happened:
        match.apply(event)
    return list(happened)


# -- Taking back --------------------------------------------------------------------


@pytest.mark.parametrize(("plies", "left"), [(1, 0), (2, 0), (3, 2), (4, 2)])
def test_against_the_computer_one_goes_back_to_ones_own_action(plies: int, left: int) -> None:
    match = opened("pc", plies)
    here = match.positions_by_ply[left]
    assert do(match, TakeBack(0)) == [TakenBack(0, left, at=0.0)]
    assert (match.ply, match.turn) == (left, 0)
    assert match.position == here
    assert match.positions == match.positions_by_ply


def test_on_one_screen_one_goes_back_one_action() -> None:
    match = opened("pp", 3)
    do(match, TakeBack(0, free=True))
    assert (match.ply, match.turn) == (2, 0)
    three = opened("pcp", 4)
    people = [entry.ply - 1 for entry in three.entries if entry.seat != 1]
    do(three, TakeBack(0, free=True))
    assert three.ply == people[-1]
    do(three, TakeBack(2, free=True))
    assert three.ply == people[-2]


def test_against_a_person_taking_back_needs_an_offer() -> None:
    match = opened("pp", 3)
    assert refused(match, TakeBack(0)) == (
        "not_now",
        "the other players must agree to a take-back: ask them first",
    )
    assert refused(begun("pp"), TakeBack(0, free=True))[0] == "not_now"
    assert refused(begun("pc"), TakeBack(0)) == ("not_now", "there is nothing to take back")
    assert refused(begun("pp"), Offer(0, TAKEBACK))[0] == "not_now"


def test_inside_ones_own_turn_taking_back_is_free() -> None:
    match = inside_a_turn("pp")
    seat, ply = match.turn or 0, match.ply
    assert refused(match, TakeBack(1 - seat))[0] == "not_now"
    do(match, TakeBack(seat))
    assert (match.ply, match.turn) == (ply - 1, seat)
    act(match)
    assert match.ply == ply


def test_a_take_back_that_is_agreed_to() -> None:
    match = opened("pp", 4)
    do(match, Offer(0, TAKEBACK))
    assert match.offers == {TAKEBACK: 0}
    happened = do(match, Answer(1, TAKEBACK, True))
    assert happened == [Answered(1, TAKEBACK, True, at=0.0), TakenBack(0, 2, at=0.0)]
    assert (match.ply, match.turn, match.offers) == (2, 0, {})


def test_a_take_back_that_is_declined_changes_nothing() -> None:
    match = opened("pp", 4)
    do(match, Offer(0, TAKEBACK))
    assert do(match, Answer(1, TAKEBACK, False)) == [Answered(1, TAKEBACK, False, at=0.0)]
    assert (match.ply, match.offers) == (4, {})


# -- Draws --------------------------------------------------------------------------


def test_two_players_agree_to_a_draw() -> None:
    match = opened("pp", 1)
    assert refused(match, Answer(1, DRAW, True)) == ("not_now", "that offer no longer stands")
    do(match, Offer(0, DRAW))
    assert refused(match, Offer(0, DRAW))[0] == "not_now"
    assert refused(match, Answer(0, DRAW, True)) == ("not_now", "you have already agreed")
    do(match, Answer(1, DRAW, True))
    assert (match.status, match.result, match.reason) == ("over", "draw", "agreed")
    assert outcome_text(match) == "Draw by agreement"


def test_who_offers_what_is_offered_agrees() -> None:
    match = opened("pp", 1)
    do(match, Offer(0, DRAW))
    assert do(match, Offer(1, DRAW)) == [Answered(1, DRAW, True, at=0.0)]
    assert match.reason == "agreed"


def test_an_offer_that_is_declined_is_not_repeated_at_once() -> None:
    match = opened("pp", 1)
    do(match, Offer(0, DRAW))
    do(match, Answer(1, DRAW, False))
    assert match.offers == {}
    assert refused(match, Offer(0, DRAW))[0] == "not_now"
    act(match)
    do(match, Offer(0, DRAW))
    do(match, Answer(0, DRAW, False))  # who offers may think better of it
    assert (match.status, match.offers) == ("playing", {})


def test_an_offer_lapses_with_the_next_action() -> None:
    match = opened("pp", 1)
    do(match, Offer(0, DRAW))
    act(match)
    assert match.offers == {}
    assert refused(match, Answer(1, DRAW, True))[0] == "not_now"


def test_computers_decline_draws_and_let_one_take_back() -> None:
    match = opened("pc", 2)
    assert do(match, Offer(0, DRAW)) == [
        Offered(0, DRAW, at=0.0),
        Answered(1, DRAW, False, at=0.0),
    ]
    assert match.status == "playing"
    assert do(match, Offer(0, TAKEBACK)) == [TakenBack(0, 0, at=0.0)]


def test_of_many_all_people_agree_to_a_draw() -> None:
    match = opened("pppc", 1)
    do(match, Offer(0, DRAW))
    do(match, Answer(1, DRAW, True))
    assert match.status == "playing"
    do(match, Answer(2, DRAW, True))
    assert (match.result, match.reason) == ("p1p2p3p4win", "agreed")
    assert "share the win by agreement" in outcome_text(match)


def test_an_offer_lapses_when_somebody_leaves() -> None:
    match = opened("ppp", 1)
    do(match, Offer(0, DRAW))
    do(match, Answer(1, DRAW, True))
    do(match, Resign(2))
    assert (match.status, match.offers) == ("playing", {})


def test_who_has_declined_may_offer_the_same_and_everybody_is_asked_again() -> None:
    match = opened("ppp", 1)
    do(match, Offer(0, DRAW))
    do(match, Answer(1, DRAW, True))
    do(match, Answer(2, DRAW, False))
    do(match, Offer(2, DRAW))
    do(match, Answer(0, DRAW, True))
    assert match.status == "playing"
    do(match, Answer(1, DRAW, True))
    assert match.reason == "agreed"


@pytest.mark.parametrize(("leaver", "result"), [("computer", "p1p2p3win"), ("passed", "p1p2win")])
def test_who_has_left_need_not_agree(leaver: str, result: str) -> None:
    match = begun("ppp", leaver=leaver)
    act(match)
    do(match, Resign(2))
    do(match, Offer(0, DRAW))
    do(match, Answer(1, DRAW, True))
    assert (match.result, match.reason) == (result, "agreed")


def test_words_offers_and_answers_change_no_position() -> None:
    """So a computer that thinks meanwhile need not begin again."""
    match = opened("pppc", 3)
    changed = match.changed
    for command in (Say(0, 0), Offer(0, DRAW), Answer(1, DRAW, True), Answer(2, DRAW, False)):
        do(match, command)
    assert (match.seq, match.changed) == (changed + 4, changed)


def test_only_some_things_are_offered() -> None:
    match = opened("pp", 1)
    for command in (Offer(0, "cake"), Answer(0, "cake", True)):
        code, told = refused(match, command)
        assert (code, told) == ("invalid", "expected draw or takeback, got 'cake'")


# -- Clocks -------------------------------------------------------------------------


def test_the_first_action_takes_no_time_and_each_turn_earns_some() -> None:
    match = begun("pp", clock=MINUTE)
    assert match.clocks
    assert match.clocks.running is None
    act(match, now=100.0)
    assert match.clocks.all_remaining(100.0) == [60_000, 60_000]
    assert match.clocks.running == 1
    assert match.clocks.all_remaining(107.25) == [60_000, 52_750]
    act(match, now=110.0)
    assert match.clocks.all_remaining(110.0) == [60_000, 55_000]
    assert [entry.clock_ms for entry in match.entries] == [60_000, 55_000]


def test_the_increment_comes_when_the_turn_has_ended() -> None:
    match = inside_a_turn(clock=MINUTE)
    seat, ply = match.turn or 0, match.ply
    assert match.entries[-1].clock_ms == match.entries[-3].clock_ms  # nothing used or earned
    act(match, now=20.0)
    assert match.turn != seat or match.ply > ply
    if match.turn != seat:
        assert match.entries[-1].clock_ms == match.entries[-2].clock_ms - 20_000 + 5_000


def test_time_is_not_won_by_taking_back_inside_a_turn() -> None:
    match = inside_a_turn(clock=MINUTE)
    seat = match.turn or 0
    assert match.clocks
    before = match.clocks.remaining(seat, 0.0)
    do(match, TakeBack(seat), now=20.0)
    assert match.clocks.remaining(seat, 20.0) == before - 20_000


def test_a_take_back_gives_the_time_back() -> None:
    match = opened("pp", 4, MINUTE)
    assert match.clocks
    shown = [match.entries[2].clock_ms, match.entries[1].clock_ms]
    do(match, TakeBack(0, free=True), now=30.0)
    assert (match.clocks.running, match.clocks.all_remaining(30.0)) == (1, shown)
    for _time in range(3):
        do(match, TakeBack(0, free=True), now=40.0)
    assert (match.clocks.running, match.clocks.all_remaining(50.0)) == (None, [60_000, 60_000])


def test_whose_time_is_up_loses() -> None:
    match = opened("pp", 1, MINUTE)
    assert flag(match, 59.9) == []
    assert refused(match, Act(1, 1, "late"), now=60.0) == ("not_now", "time is up")
    assert flagged(match, 61.0) == [Flagged(1, at=61.0)]
    assert (match.result, match.reason) == ("p1win", "time")
    assert match.clocks
    assert (match.clocks.running, match.clocks.remaining(1, 99.0)) == (None, 0)
    assert "wins on time" in outcome_text(match)
    assert flag(match, 99.0) == []


def test_of_many_the_computer_plays_on_with_a_full_clock() -> None:
    match = opened("ppp", 1, MINUTE)
    seat = match.turn or 0
    assert flagged(match, 70.0) == [Flagged(seat, at=70.0), Replaced(seat, SUBSTITUTE, at=70.0)]
    assert match.clocks
    assert (match.status, match.clocks.running) == ("playing", seat)
    assert match.clocks.remaining(seat, 75.0) == 55_000
    act(match, now=75.0)


def test_of_many_whose_time_is_up_is_passed_over_if_so_agreed() -> None:
    match = begun("ppp", clock=MINUTE, leaver="passed")
    act(match)
    seat = match.turn or 0
    assert flagged(match, 70.0) == [Flagged(seat, at=70.0), Passed(seat, at=70.0)]
    other = (seat + 1) % 3
    assert match.clocks
    assert (match.turn, match.clocks.running) == (other, other)
    assert match.clocks.remaining(other, 75.0) == 55_000


def test_without_clocks_no_time_is_up() -> None:
    assert flag(opened("pp", 2), 1e9) == []
