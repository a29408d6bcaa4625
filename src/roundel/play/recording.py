"""From a match to its record and back. What was taken back is not in a record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from roundel.play.events import Acted, Ended, Event
from roundel.play.match import ABORTED, AGREED, CLAIMED, RESIGNED, TIME, Match
from roundel.play.setup import BLANK, LONGEST_NAME, PERSON, Seat, Setup, can_be_seen, game_of
from roundel.play.turns import PlayedAction
from roundel.record import Entry, Line, Record, starts, verify
from roundel.record.match import FEN, GAME, OUTCOME, UNFINISHED, tidy

FORMAT, PAIR = "Format", "pair"  # as the table in the terminal writes it
TERMINATION = "Termination"
TERMINATIONS = {
    RESIGNED: "resignation",
    TIME: "time",
    AGREED: "agreement",
    CLAIMED: "claim",
    ABORTED: "abort",
}
RECORDED = "recorded"  # the reason of an end that the record does not explain


# -- To a record --------------------------------------------------------------------


def record_of_match(match: Match, names: Sequence[str], date: str = "") -> Record:
    """The line that stands. Where a player was passed over, it begins with that position."""
    tags = {GAME: match.setup.spec}
    fen = match.positions_by_ply[match.floor].fen() if match.floor else match.setup.start
    tags |= {FEN: fen} if fen else {}
    tags |= {f"P{number}": tidy(name) for number, name in enumerate(names, 1)}
    tags |= {"Date": date} if date else {}
    tags |= {FORMAT: PAIR} if match.setup.pair else {}
    tags |= {OUTCOME: match.result or UNFINISHED}
    tags |= {TERMINATION: TERMINATIONS[match.reason]} if match.reason in TERMINATIONS else {}
    games = [recorded_game(match, number) for number in range(len(match.games))]
    before = " ".join(entry.text for entry in match.entries[: match.floor])
    return Record(tags, (Line(games[0].turns, before), *games[1:]))


def recorded_game(match: Match, number: int) -> Line:
    """A turn is a run of actions of one seat."""
    entries = [entry for entry in match.entries[match.floor :] if entry.game_index == number]
    runs = groupby(entries, key=lambda entry: entry.seat)
    return Line(tuple(tuple(map(recorded, run)) for _seat, run in runs))


def recorded(played: PlayedAction) -> Entry:
    return Entry(played.text, clock_text(played.clock_ms) if played.clock_ms >= 0 else "")


def clock_text(clock_ms: int) -> str:
    """Milliseconds as a record has them.

    >>> clock_text(3_723_045)
    '1:02:03.045'
    """
    seconds, thousandths = divmod(clock_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}.{thousandths:03}"


def milliseconds(text: str) -> int:
    """The milliseconds that a record's clock shows; -1 for none.

    >>> milliseconds("1:02:03.045"), milliseconds("0:00:07.5"), milliseconds("")
    (3723045, 7500, -1)
    """
    if not text:
        return -1
    hours, minutes, seconds, thousandths = re.split("[:.]", text if "." in text else f"{text}.0")
    whole = 3600 * int(hours) + 60 * int(minutes) + int(seconds)
    return 1000 * whole + int(thousandths.ljust(3, "0"))


# -- From a record ------------------------------------------------------------------


def setup_of_record(record: Record) -> tuple[Setup, list[Event]]:
    """A match that is over, to replay: its main line. One that was not finished is aborted."""
    verify(record)
    pair = is_pair(record)
    setup = Setup(record.spec, (), pair=pair, start=record.tags.get(FEN, ""))
    seats = (record.tags.get(f"P{n}", "") for n in range(1, game_of(setup).players + 1))
    people = tuple(Seat(PERSON, seat_name(name)) for name in seats)
    setup = Setup(setup.spec, people, pair=pair, start=setup.start)
    log: list[Event] = list(acted(record))
    match = Match(setup)
    for event in log:
        match.apply(event)
    return setup, [*log, *ended(record, match)]


def is_pair(record: Record) -> bool:
    """Also one whose second game has not begun."""
    return len(record.games) > 1 or record.tags.get(FORMAT) == PAIR


def seat_name(name: str) -> str:
    """As much of a name as a seat can show."""
    printable = "".join(c if c.isprintable() and c not in BLANK else " " for c in name)
    shown = tidy(printable[:LONGEST_NAME])
    return shown if can_be_seen(shown) else ""


def acted(record: Record) -> Iterator[Acted]:
    ply = 0
    for position, line in starts(record):
        for entry in line.entries():
            seat, text = position.player or 0, position.write(position.read(entry.action))
            yield Acted(seat, ply, text, clock_ms=milliseconds(entry.clock), at=0.0)
            position, ply = position.play(text), ply + 1


def ended(record: Record, match: Match) -> list[Event]:
    """How it ended where the rules did not end it."""
    if match.reason:
        return []
    if record.result == UNFINISHED:
        return [Ended("", ABORTED, at=0.0)]
    reasons = {word: reason for reason, word in TERMINATIONS.items()}
    reason = reasons.get(record.tags.get(TERMINATION, ""), RECORDED)
    return [Ended(record.result, reason, at=0.0)]
