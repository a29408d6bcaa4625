"""Whatever anybody asks for, the log tells the whole match. No game is named here."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from roundel.kernel.jit import JIT
from roundel.play import commands
from roundel.play.events import Event
from roundel.play.match import Match, fold
from roundel.play.permissions import permissions_of
from roundel.play.setup import Clock, Setup
from roundel.play.submit import Refusal, flag, submit
from tests.playing import act, begun

SEATS = st.integers(-1, 4)
WHAT = st.sampled_from(["draw", "takeback", "cake"])
COMMANDS = st.one_of(
    st.builds(commands.Act, SEATS, st.integers(-1, 12), st.text(max_size=4), st.text(max_size=1)),
    st.builds(commands.TakeBack, SEATS, st.booleans()),
    st.builds(commands.Offer, SEATS, WHAT),
    st.builds(commands.Answer, SEATS, WHAT, st.booleans()),
    st.builds(commands.Resign, SEATS),
    st.builds(commands.Abort, SEATS),
    st.builds(commands.Claim, SEATS, SEATS, st.booleans()),
    st.builds(commands.Say, SEATS, st.integers(-1, 20)),
    st.builds(commands.Sit, SEATS, st.text(max_size=5)),
    st.builds(commands.Rematch, SEATS, st.just("next")),
)
ACTION = st.integers(0, 1 << 30)  # which of the legal ones is played
STEPS = st.lists(st.tuples(st.floats(0, 20), ACTION | ACTION | COMMANDS), max_size=40)
TABLES = st.sampled_from(["pp", "pc", "po", "ppp", "pcp", "pppp", "ppco"])
LEAVERS = st.sampled_from(["computer", "passed"])
CLOCKS = st.sampled_from([None, Clock(60, 0), Clock(30, 3)])


def told(match: Match) -> dict[str, Any]:
    """All that is known about a match, so that it can be compared."""
    known = {name: value for name, value in vars(match).items() if name != "games"}
    return known | {"games": [[position.fen() for position in game] for game in match.games]}


def step(match: Match, what: Any, now: float) -> list[Event]:
    """What happens: a clock that has run out, an action, or whatever somebody asks for."""
    happened = flag(match, now)
    if happened:
        for event in happened:
            match.apply(event)
    elif isinstance(what, int):
        return act(match, now, what) if match.turn is not None else []
    else:
        try:
            happened = submit(match, what, now)
        except Refusal as refusal:
            assert str(refusal)
            return []
        for event in happened:
            match.apply(event)
    return happened


def check_sense(match: Match) -> None:
    assert (match.status == "over") == bool(match.reason)
    assert (match.turn is None) == (match.status != "playing")
    assert len(match.positions_by_ply) == match.ply + 1
    assert match.status == "playing" or not match.offers
    if match.clocks:
        assert match.clocks.running == (match.turn if match.ply else None)
        assert min(match.clocks.shown) >= 0


def is_granted(match: Match, command: commands.Command, now: float) -> bool:
    try:
        return bool(submit(match, command, now))
    except Refusal:
        return False


def check_possible(match: Match, now: float, free: bool, away: list[int]) -> None:
    """What a seat is said to be able to do is what it would not be refused."""
    for seat in range(len(match.seats)):
        asked: dict[str, list[commands.Command]] = {
            "undo": [commands.TakeBack(seat, free)],
            "takeback": [commands.Offer(seat, "takeback")],
            "draw": [commands.Offer(seat, "draw")],
            "resign": [commands.Resign(seat)],
            "claim": [commands.Claim(seat, other, is_away=True) for other in away],
            "abort": [commands.Abort(seat)],
            "rematch": [commands.Rematch(seat, "next")],
        }
        granted = [
            name for name, ways in asked.items() if any(is_granted(match, w, now) for w in ways)
        ]
        expected = [name for name in granted if name != "takeback" or "undo" not in granted]
        assert permissions_of(match, seat, now, free=free, away=away) == expected


@settings(max_examples=120 if JIT else 12)
@given(TABLES, CLOCKS, LEAVERS, STEPS, st.booleans(), st.lists(st.integers(0, 1), max_size=2))
def test_what_can_be_asked_for_is_what_is_granted(
    kinds: str,
    clock: Clock | None,
    leaver: str,
    steps: list[tuple[float, Any]],
    free: bool,
    away: list[int],
) -> None:
    match, now = begun(kinds, clock=clock, leaver=leaver), 0.0
    for seconds, what in steps:
        now += seconds
        check_possible(match, now, free, away)
        step(match, what, now)
    check_possible(match, now + 1000, free, away)


@settings(max_examples=120 if JIT else 12)
@given(TABLES, CLOCKS, LEAVERS, STEPS)
def test_the_log_tells_the_whole_match(
    kinds: str, clock: Clock | None, leaver: str, steps: list[tuple[float, Any]]
) -> None:
    match, log, now = begun(kinds, clock=clock, leaver=leaver), list[Event](), 0.0
    for seconds, what in steps:
        now += seconds
        log += step(match, what, now)
        check_sense(match)
    assert match.seq == len(log)
    written = [msgspec.json.encode(event) for event in log]
    setup = msgspec.json.decode(msgspec.json.encode(match.setup), type=Setup)
    again = fold(setup, (msgspec.json.decode(row, type=Event) for row in written))
    assert told(again) == told(match)


@given(COMMANDS)
def test_commands_survive_json(command: commands.Command) -> None:
    written = msgspec.json.encode(command)
    assert msgspec.json.decode(written, type=commands.Command) == command
