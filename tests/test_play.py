"""The rules of the table, one by one: who may do what, and when. No game is named here."""

import random
from typing import Any

import pytest

from roundel import games
from roundel.core.errors import RoundelError
from roundel.core.lang import _, speaking
from roundel.core.position import Position
from roundel.play import outcome
from roundel.play.commands import Abort, Act, Claim, Rematch, Resign, Say, Sit, TakeBack
from roundel.play.events import Acted, Event, Replaced, Resigned, TakenBack
from roundel.play.leaving import SUBSTITUTE
from roundel.play.match import Match, fold
from roundel.play.outcome import outcome_text, roles
from roundel.play.paths import paths
from roundel.play.permissions import permissions_of
from roundel.play.phrases import PHRASES
from roundel.play.setup import PERSON, Clock, Seat, Setup, WrongSetup, check, check_name, rematch_of
from roundel.play.submit import Refusal, Unfinished, submit
from tests.playing import act, begun, do, game_for, inside_a_turn, played_out, seated


def refused(match: Match, command: Any, now: float = 0.0) -> tuple[str, str]:
    """The code and the text of a refusal, which changes nothing."""
    before = (match.seq, match.ply, match.status, match.position.fen())
    with pytest.raises(Refusal) as caught:
        submit(match, command, now)
    assert (match.seq, match.ply, match.status, match.position.fen()) == before
    return caught.value.code, str(caught.value)


def first_text(position: Position) -> str:
    return position.write(position.legal()[0])


# -- Setups -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "Zoë", "안나", "Ren\u0065\u0301", "❤\ufe0f", "7", "अन्ना"])
def test_names_of_all_languages(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"spec": "nosuchgame"}, "nosuchgame"),
        ({"seats": seated("p")}, "has 2 seats, not 1"),
        ({"seats": (Seat("ghost"), Seat("person"))}, "seat 1: expected person or computer or open"),
        ({"seats": (Seat("person"), Seat("computer", level=11))}, "seat 2: no level 11"),
        ({"seats": (Seat("person", level=1), Seat("person"))}, "seat 1: no level 1"),
        ({"seats": (Seat("person"), Seat("open", level=99))}, "seat 2: no level 99"),
        ({"seats": (Seat("person", "a\nb"), Seat("person"))}, "not a valid name"),
        *(
            ({"seats": (Seat("person", name), Seat("person"))}, "not a valid name")
            for name in (
                "\u3164",
                "Anna\u3164",
                "\u2800\u2800",
                "\u0301",
                "\ufe0f",
                "\u200b",
                "\u00a0",
            )
        ),
        ({"seats": (Seat("person", "a" * 41), Seat("person"))}, "at most 40 letters, not 41"),
        ({"clock": Clock(0, 5)}, "clock: expected 1 to 86400 seconds"),
        ({"clock": Clock(60, -1)}, "increment from 0 to 3600"),
        ({"leaver": "ghost"}, "leaver: expected computer or passed, got 'ghost'"),
        ({"start": "nonsense"}, "nonsense"),
    ],
)
def test_a_setup_that_cannot_be(changes: dict[str, Any], told: str) -> None:
    usual: dict[str, Any] = {"spec": game_for(2).spec, "seats": seated("pp")}
    check(Setup(**usual))
    with pytest.raises(RoundelError, match=told):
        check(Setup(**{**usual, **changes}))


def test_only_some_games_are_played_in_pairs() -> None:
    for name in games.names():
        game, has_pairs = games.load(name), games.manifest(name).second_game is not None
        setup = Setup(game.spec, seated("pppp"[: game.players]), pair=True)
        if has_pairs:
            check(setup)
        else:
            with pytest.raises(WrongSetup, match="not played in pairs"):
                check(setup)


def test_a_match_begins_from_a_position_but_not_from_the_last_one() -> None:
    match = played_out(begun("pp"))
    early, last = match.positions_by_ply[3], match.position.fen()
    assert Match(Setup(match.setup.spec, seated("pp"), start=early.fen())).position == early
    with pytest.raises(WrongSetup, match="over in this position"):
        check(Setup(match.setup.spec, seated("pp"), start=last))


def test_players_are_passed_over_only_where_the_rules_can(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_for(3)
    monkeypatch.delattr(game.rules, "retire", raising=False)
    with pytest.raises(WrongSetup, match="cannot go on without a player"):
        check(Setup(game.spec, seated("ppp"), leaver="passed"))


# -- Seats --------------------------------------------------------------------------


def test_nobody_acts_until_all_seats_are_taken() -> None:
    match = begun("po")
    assert (match.status, match.turn) == ("waiting", None)
    text = first_text(match.position)
    assert refused(match, Act(0, 0, text))[0] == "not_now"
    assert refused(match, Act(1, 0, text)) == ("seat", "nobody has taken seat 2 yet")
    assert refused(match, Sit(1, "x" * 99))[0] == "invalid"
    do(match, Sit(1, "  Ben   B. "))
    assert (match.seats[1].kind, match.seats[1].name) == ("person", "Ben B.")
    assert (match.status, match.turn) == ("playing", 0)
    do(match, Sit(1, "Benny"))
    assert match.seats[1].name == "Benny"


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_there_is_no_such_seat(seat: int) -> None:
    assert refused(begun("pp"), Resign(seat))[0] == "seat"


def test_people_do_not_act_for_the_computer() -> None:
    match = begun("cp")
    text = first_text(match.position)
    assert refused(match, Act(0, 0, text)) == ("seat", "the computer plays on seat 1")
    assert refused(match, Resign(0))[0] == "seat"
    assert refused(match, Sit(0, "me"))[0] == "seat"


# -- Actions ------------------------------------------------------------------------


def test_an_action_is_stored_as_the_rules_write_it() -> None:
    match = begun("pp")
    text = first_text(match.position)
    assert do(match, Act(0, 0, text, "i1"), now=2.5) == [Acted(0, 0, text, "i1", -1, at=2.5)]
    assert (match.ply, match.turn, match.entries[0].text) == (1, 1, text)
    assert match.position == match.positions[0].play(text)


def test_actions_that_are_refused() -> None:
    match = begun("pp")
    text = first_text(match.position)
    assert refused(match, Act(1, 0, text))[0] == "turn"
    for ply in (-1, 1, 7):
        assert refused(match, Act(0, ply, text))[0] == "stale"
    for wrong in ("", " ", f"{text} {text}", f" {text}", "\0", "€", "x" * 1000):
        code, told = refused(match, Act(0, 0, wrong))
        assert code in ("invalid", "illegal")
        assert told
    act(match)
    assert refused(match, Act(1, 1, text))[0] == "illegal"  # the spot is taken
    assert refused(match, Act(0, 1, text))[0] == "turn"


def test_clicks_stand_for_an_action() -> None:
    match = begun("pp")
    action = match.position.legal()[0]
    clicks = tuple(match.position.clicks(action))
    for number in range(1, len(clicks)):
        with pytest.raises(Unfinished):
            submit(match, Act(0, 0, "", path=clicks[:number]), 0.0)
    assert refused(match, Act(0, 0, "", path=("nowhere",) * 32))[0] == "illegal"
    assert refused(match, Act(1, 0, "", path=clicks))[0] == "turn"
    assert refused(match, Act(0, 1, "", path=clicks))[0] == "stale"
    do(match, Act(0, 0, "", path=clicks))
    assert match.entries[0].text == begun("pp").position.write(action)


def test_a_computer_that_answers_late_is_refused() -> None:
    match = begun("pc")
    act(match)
    asked, text = match.seq, first_text(match.position)
    do(match, Say(0, 1))
    submit(match, Act(1, 1, text, after=asked), 0.0)  # words change nothing
    do(match, TakeBack(0))
    act(match, choice=1)
    assert refused(match, Act(1, 1, text, after=asked))[0] == "stale"


def test_what_can_be_done_is_what_is_not_refused() -> None:
    match = begun("pp")
    assert permissions_of(match, 0, 0.0) == ["draw", "resign", "abort"]
    act(match)
    assert permissions_of(match, 0, 0.0) == ["takeback", "draw", "resign"]
    assert permissions_of(match, 0, 0.0, free=True, away=[1]) == ["undo", "draw", "resign", "claim"]
    assert permissions_of(match, 1, 0.0, away=[1]) == ["draw", "resign"]
    do(match, Resign(1))
    assert permissions_of(match, 0, 0.0) == ["rematch"]
    do(match, Rematch(0, "next"))
    assert permissions_of(match, 0, 0.0) == []
    assert permissions_of(begun("pc"), 1, 0.0) == []


def test_paths_are_all_legal_actions() -> None:
    for name in games.names():
        position = games.load(name).start()
        leaves = []
        todo: list[Any] = [paths(position)]
        while todo:
            branch = todo.pop()
            todo.extend(branch.values()) if isinstance(branch, dict) else leaves.append(branch)
        assert sorted(leaves) == sorted(map(position.write, position.legal()))


# -- Leaving ------------------------------------------------------------------------


def test_who_resigns_loses() -> None:
    match = begun("pp")
    act(match)
    do(match, Resign(0))
    assert (match.status, match.result, match.reason, match.turn) == (
        "over",
        "p2win",
        "resigned",
        None,
    )
    assert outcome_text(match) == f"{roles(match.position.game)[1]} wins by resignation"
    assert refused(match, Resign(1))[0] == "over"
    assert refused(match, Act(1, 1, "x"))[0] == "over"


def test_the_computer_plays_on_for_a_leaver() -> None:
    match = begun("ppp")
    act(match)
    assert do(match, Resign(1)) == [Resigned(1, at=0.0), Replaced(1, SUBSTITUTE, at=0.0)]
    assert (match.status, match.seats[1].kind, match.seats[1].level) == ("playing", "computer", 5)
    assert refused(match, Resign(1))[0] == "seat"
    act(match)
    assert match.ply == 2
    do(match, Resign(0))
    assert match.status == "playing"
    do(match, Resign(2))  # only computers are left
    assert (match.status, match.result) == ("over", "p1p2win")
    assert "share the win by resignation" in outcome_text(match)


def test_a_leaver_is_passed_over() -> None:
    match = begun("pppp", leaver="passed")
    for _turn in range(5):
        act(match)
    leaver = match.turn
    assert leaver is not None
    do(match, Resign(leaver))
    assert match.seats[leaver].is_out
    assert match.turn == (leaver + 1) % 4
    assert refused(match, TakeBack(match.turn, free=True)) == (
        "not_now",
        "there is nothing to take back",
    )
    assert "undo" not in permissions_of(match, match.turn, 0.0, free=True)
    assert permissions_of(match, leaver, 0.0, free=True) == []
    told = f"the player on seat {leaver + 1} has left"
    assert refused(match, Resign(leaver)) == refused(match, Say(leaver, 0)) == ("seat", told)
    for _turn in range(3):
        act(match)
    assert leaver in match.passed
    assert leaver not in {entry.seat for entry in match.entries[5:]}
    assert match.entries[5].passed == (leaver,)
    others = [seat for seat in range(4) if seat != leaver]
    do(match, Resign(others[0]))
    assert match.status == "playing"
    do(match, Resign(others[1]))
    assert (match.status, match.result) == ("over", f"p{others[2] + 1}win")


def test_who_has_gone_away_can_be_given_up() -> None:
    match = begun("ppc")
    act(match)
    assert refused(match, Claim(0, 1))[0] == "not_now"
    assert refused(match, Claim(0, 2, is_away=True))[0] == "not_now"
    assert refused(match, Claim(0, 0, is_away=True))[0] == "not_now"
    do(match, Claim(0, 1, is_away=True))
    assert match.seats[1].kind == "computer"
    duel = begun("pp")
    do(duel, Claim(1, 0, is_away=True))
    assert (duel.result, duel.reason) == ("p2win", "claimed")
    assert "has left" in outcome_text(duel)


def test_a_match_is_aborted_before_the_first_action_only() -> None:
    for kinds in ("pp", "po"):
        match = begun(kinds)
        do(match, Abort(0))
        assert (match.status, match.result, match.reason) == ("over", "", "aborted")
        assert outcome_text(match) == "Aborted"
        assert refused(match, Sit(1, "late"))[0] == "over"
    match = begun("pp")
    act(match)
    assert refused(match, Abort(0))[0] == "not_now"


# -- The end, and around the board --------------------------------------------------


def test_the_rules_end_a_match() -> None:
    for kinds in ("pc", "ppc"):
        match = played_out(begun(kinds))
        assert (match.status, match.reason) == ("over", "rules")
        assert match.result == match.position.result
        assert outcome_text(match)
        assert match.positions_by_ply == match.positions
        assert [entry.ply for entry in match.entries] == list(range(1, match.ply + 1))


def test_a_rematch_changes_the_sides() -> None:
    match = begun("pc")
    assert refused(match, Rematch(0, "next"))[0] == "not_now"
    assert outcome_text(match) == ""
    do(match, Resign(0))
    do(match, Rematch(0, "next"))
    assert match.rematch == "next"
    assert submit(match, Rematch(0, "other"), 0.0) == []
    again, before = rematch_of(match)
    check(again)
    assert [again.seats[i].kind for i in range(2)] == [match.seats[i].kind for i in before]
    assert {seat.kind for seat in again.seats} == {"person", "computer"}
    if match.position.game.manifest.rematch is None:
        assert again.seats == match.setup.seats[::-1]


@pytest.mark.parametrize("many", [3, 4])
def test_in_a_rematch_everybody_sits_one_seat_further(many: int) -> None:
    """Who was first is second: with two players both directions are the same, with more not."""
    names = [f"Name {seat}" for seat in range(many)]
    setup = Setup(game_for(many).spec, tuple(Seat(PERSON, name) for name in names))
    match = Match(setup)
    for seat in range(many - 1):
        do(match, Resign(seat))
    again, before = rematch_of(match)
    assert [seat.name for seat in again.seats] == [names[-1], *names[:-1]]
    assert [names[seat] for seat in before] == [seat.name for seat in again.seats]


def test_every_game_has_a_rematch() -> None:
    for name in games.names():
        match = Match(Setup(name, seated("pp")))
        do(match, Resign(0))
        check(rematch_of(match).setup)


def test_every_outcome_is_told_in_french() -> None:
    texts = [outcome.DRAW, *outcome.DRAWN.values(), *outcome.ONE.values(), *outcome.MANY.values()]
    with speaking("fr"):
        assert all(_(text) != text for text in texts)


def test_phrases_are_said_at_any_time() -> None:
    match = begun("pc")
    do(match, Say(0, len(PHRASES) - 1))
    for phrase in (-1, len(PHRASES)):
        assert refused(match, Say(0, phrase))[0] == "invalid"
    assert refused(match, Say(1, 0))[0] == "seat"


def test_a_pair_goes_on_with_a_second_game() -> None:
    manifest = next(m for m in map(games.manifest, games.names()) if m.second_game)
    setup = Setup(manifest.with_options().spec, seated("pp"), pair=True)
    match = Match(setup)
    log = []
    while match.game_index == 0:
        log += act(match, choice=match.ply * 7)
    first, plies = match.games[0][-1], match.ply
    assert first.over
    assert (match.status, match.positions) == ("playing", [match.position])
    assert not match.is_inside_turn
    log += act(match)
    assert (match.ply, match.entries[-1].game_index) == (plies + 1, 1)
    log += do(match, TakeBack(0, free=True))
    log += do(match, TakeBack(0, free=True))
    assert (match.game_index, match.ply, match.position.over) == (0, plies - 1, False)
    log += act(match)
    while match.status == "playing":
        log += act(match, choice=match.ply * 7)
    assert manifest.pair_result
    assert match.result == manifest.pair_result(match.games[0][-1], match.position)
    both = zip(match.games[0][-1].points, match.position.points, strict=True)
    assert match.points == tuple(map(sum, both)) != match.position.points
    assert len(match.positions_by_ply) == match.ply + 1
    assert fold(setup, log).position == match.position


def test_a_player_without_an_action_is_passed_over() -> None:
    """Towards the end of a match of many that happens easily."""
    match = played_out(begun("pppp"), seed=2)
    skipped = [entry for entry in match.entries if entry.passed]
    assert skipped
    for entry in skipped:
        earlier = match.entries[entry.ply - 2].seat
        between = [seat % 4 for seat in range(earlier + 1, earlier + 4)]
        assert list(entry.passed) == between[: between.index(entry.seat)]


@pytest.mark.parametrize("clock", [None, Clock(6000, 2)])
def test_taking_back_leads_where_the_match_was(clock: Clock | None) -> None:
    """Also in the middle of those who were passed over, and from the second game of a pair."""
    pair = next(m for m in map(games.manifest, games.names()) if m.second_game)
    setups = [
        Setup(game_for(4).spec, seated("pppp"), clock),
        Setup(pair.with_options().spec, seated("pp"), clock, pair=True),
    ]
    for setup in setups:
        match, log, known = Match(setup), list[Event](), list[dict[str, Any]]()
        rng = random.Random(2)
        while match.status != "over":
            known.append(state_of(match))
            log += act(match, now=5.0 * match.ply, choice=rng.randrange(1 << 30))
        assert any(entry.passed for entry in match.entries) or match.game_index
        for _many in range(40):
            ply = rng.randrange(len(known))
            back = fold(setup, log[: rng.randrange(ply + 1, len(known))])
            other = ((back.turn or 0) + 1) % len(back.seats)
            back.apply(TakenBack(other, ply, at=5.0 * back.ply))
            assert state_of(back) == known[ply]


def state_of(match: Match) -> dict[str, Any]:
    """What a match must be again once all that came later is taken back."""
    return {
        "games": [[position.fen() for position in game] for game in match.games],
        "entries": match.entries[:],
        "passed": match.passed,
        "turn": match.turn,
        "inside": match.is_inside_turn,
        "lefts": match.clocks.shown if match.clocks else None,
        "running": match.clocks.running if match.clocks else None,
    }


def test_inside_a_turn_means_the_same_player_goes_on() -> None:
    match = inside_a_turn()
    assert match.is_inside_turn
    assert match.entries[-1].seat == match.turn


def test_who_acts_again_after_all_others_were_passed_over_begins_another_turn() -> None:
    match, rng = begun("pppp", clock=Clock(6000, 2)), random.Random(0)
    while not (match.passed and match.entries[-1].seat == match.turn):
        act(match, choice=rng.randrange(1 << 30))
    assert not match.is_inside_turn
    assert refused(match, TakeBack(match.turn))[0] == "not_now"
    before, after = [e.clock_ms for e in match.entries if e.seat == match.turn][-2:]
    assert after == before + 2000  # the turn that has ended earned it
