"""Matches at a table as records and back. No game is named here."""

import dataclasses

import pytest

from roundel import games, record
from roundel.cli.table.history import History
from roundel.core.game import Game
from roundel.core.playthrough import random_match
from roundel.kernel.jit import JIT
from roundel.play.commands import Abort, Act, Resign, TakeBack
from roundel.play.match import Match, fold
from roundel.play.recording import record_of_match, seat_name, setup_of_record
from roundel.play.setup import Clock, Setup, check
from roundel.record import Record, Unplayable
from tests.playing import act, begun, do, played_out, seated

NAMES = ["Anna", "Ben", "Cleo", "Dan"]


def read_back(written: Record) -> Match:
    """Through the text, as an upload would come."""
    (again,) = record.read(record.write(written).splitlines(keepends=True))
    assert again == written
    setup, log = setup_of_record(written)
    check(setup)
    return fold(setup, log)


def same_line(one: Match, other: Match) -> bool:
    return [(e.ply, e.seat, e.text, e.clock_ms, e.game_index) for e in one.entries] == [
        (e.ply, e.seat, e.text, e.clock_ms, e.game_index) for e in other.entries
    ]


def test_every_game_comes_back(game: Game) -> None:
    last = list(random_match(game, seed=2))[-1]
    match = Match(Setup(game.spec, seated("pppp"[: game.players])))
    for ply, text in enumerate(last.texts()):
        do(match, Act(match.turn or 0, ply, text))
    written = record_of_match(match, NAMES[: game.players], "2026-01-02")
    assert written.tags["Date"] == "2026-01-02"
    assert written.result == match.result
    again = read_back(written)
    assert same_line(match, again)
    assert (again.status, again.result, again.reason) == ("over", match.result, "rules")
    assert again.seats[1].name == "Ben"


def test_clocks_are_kept() -> None:
    match = begun("pp", clock=Clock(3600, 2))
    for ply in range(4):
        act(match, now=1.5 * ply)
    written = record_of_match(match, NAMES[:2])
    assert next(iter(written.games[0].entries())).clock == "1:00:00.000"
    assert same_line(match, read_back(written))


def test_how_it_ended_is_kept() -> None:
    match = begun("pp")
    act(match)
    do(match, Resign(1))
    written = record_of_match(match, NAMES[:2])
    assert (written.result, written.tags["Termination"]) == ("p1win", "resignation")
    again = read_back(written)
    assert (again.result, again.reason) == ("p1win", "resigned")


def test_what_was_taken_back_is_not_in_the_record() -> None:
    match = begun("pc")
    for choice in (0, 1):
        act(match)
        act(match)
        do(match, TakeBack(0))
        act(match, choice=choice + 1)
        do(match, TakeBack(0))
    assert list(record_of_match(match, NAMES[:2]).games[0].entries()) == []


def test_an_unfinished_match_is_aborted() -> None:
    match = begun("pp")
    act(match)
    written = record_of_match(match, NAMES[:2])
    assert written.result == "*"
    again = read_back(written)
    assert (again.status, again.reason, again.ply) == ("over", "aborted", 1)
    empty = begun("pp")
    do(empty, Abort(0))
    assert read_back(record_of_match(empty, NAMES[:2])).reason == "aborted"


def test_a_record_may_begin_anywhere() -> None:
    whole = played_out(begun("pp"))
    for start in (whole.positions_by_ply[2], whole.position):
        tags = {"Game": whole.setup.spec, "Fen": start.fen(), "Result": start.result or "*"}
        setup, log = setup_of_record(Record(tags))
        again = fold(setup, log)
        assert (again.position, again.status) == (start, "over")


@pytest.mark.skipif(not JIT, reason="two whole games take long")
def test_a_pair_comes_back() -> None:
    manifest = next(m for m in map(games.manifest, games.names()) if m.second_game)
    match = played_out(Match(Setup(manifest.with_options().spec, seated("pp"), pair=True)))
    again = read_back(record_of_match(match, NAMES[:2]))
    assert same_line(match, again)
    assert (again.result, again.reason, again.game_index) == (match.result, "rules", 1)


def test_a_match_without_a_leaver_comes_back_from_where_they_left() -> None:
    match = begun("pppp", leaver="passed")
    for _turn in range(5):
        act(match)
    early = " ".join(entry.text for entry in match.entries)
    do(match, Resign(match.turn or 0))
    for _turn in range(4):
        act(match)
    written = record_of_match(match, NAMES)
    assert written.games[0].comment == early
    assert read_back(written).position == match.position


def test_a_record_that_cannot_be_played_is_refused() -> None:
    match = begun("pp")
    act(match)
    written = record_of_match(match, NAMES[:2])
    (turn,) = written.games[0].turns
    twice = record.Line((turn, turn))
    with pytest.raises(Unplayable, match="not legal here"):
        setup_of_record(dataclasses.replace(written, games=(twice,)))


def test_names_of_a_record_are_made_to_fit() -> None:
    match = begun("pp")
    tags = record_of_match(match, NAMES[:2]).tags | {"P1": "a" * 99, "P2": "\u200bBen"}
    setup, _log = setup_of_record(Record(tags))
    check(setup)
    assert [seat.name for seat in setup.seats] == ["a" * 40, "Ben"]


def test_where_people_had_gone_back_to_in_a_pair_is_kept() -> None:
    manifest = next(m for m in map(games.manifest, games.names()) if m.second_game)
    history = History(Setup(manifest.with_options().spec, seated("pp"), pair=True))
    while history.match.game_index == 0 or len(history.match.positions) < 4:
        position = history.match.position
        history.play(position.write(position.legal()[history.at * 7 % len(position.legal())]))
    first = len(history.match.games[0]) - 1
    for ply in (0, first - 1, first, first + 1, history.last):
        history.go(ply)
        again = History.from_record(history.record({}), history.setup.seats)
        assert (again.at, again.last) == (ply, history.last)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Ann\x1ba", "Ann a"), ("Anna\u3164", "Anna"), ("\u3164 \u2800", ""), ("\u0301", "")],
)
def test_a_seat_shows_of_a_name_what_can_be_seen(name: str, shown: str) -> None:
    assert seat_name(name) == shown
