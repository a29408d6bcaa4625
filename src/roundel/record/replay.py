"""From a record to positions and back, by the rules."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping

from roundel import games
from roundel.core.errors import BrokenRecord, IllegalAction, InvalidText, RoundelError
from roundel.core.game import Action
from roundel.core.lang import _
from roundel.core.position import Position
from roundel.record.match import FEN, GAME, OUTCOME, UNFINISHED, Entry, Line, Record
from roundel.record.text import Raw, broken

load = functools.lru_cache(maxsize=64)(games.load)  # a file has many matches of few games


class Unplayable(RoundelError):
    """An action of a record cannot be played; `entry` counts the actions before it in the text."""

    def __init__(self, entry: int, reason: str) -> None:
        super().__init__(entry, reason)
        self.entry, self.reason = entry, reason

    def __str__(self) -> str:
        return self.reason


# -- From a record --------------------------------------------------------------


def start(tags: Mapping[str, str]) -> Position:
    """Where a match begins: at the start of its game, or at the position text that it names."""
    game = load(tags[GAME])
    if FEN not in tags:
        return game.start()
    position = games.from_fen(tags[FEN])
    if position.game != game:
        text = _("Fen: this is a position of {found}, not of {spec}")
        raise InvalidText(text.format(found=position.game.spec, spec=game.spec))
    return position


def second_start(first: Position) -> Position:
    """Where the second game of a pair begins."""
    begin = first.game.manifest.second_game
    if begin is None:
        text = _("{game} is not played in pairs of games")
        raise IllegalAction(text.format(game=first.game.name))
    return begin(first)


def starts(record: Record) -> Iterator[tuple[Position, Line]]:
    """Each game of the match and where it begins."""
    position = start(record.tags)
    for number, line in enumerate(record.games):
        if number:
            position = second_start(position)
        yield position, line
        for entry in line.entries():
            position = position.play(entry.action)


def positions(record: Record) -> Iterator[Position]:
    """All positions of a match, without its variations; a second game has its own beginning."""
    for position, line in starts(record):
        yield position
        for entry in line.entries():
            position = position.play(entry.action)
            yield position


# -- To a record ----------------------------------------------------------------


def record_of(last: Position, tags: Mapping[str, str] | None = None, fen: str = "") -> Record:
    """The record of a match up to `last`; `fen` is the position text that it began from, if any."""
    named = {GAME: last.game.spec, **({FEN: fen} if fen else {}), **(tags or {})}
    line = line_of(start(named), last.actions)
    return Record(named | {OUTCOME: last.result or named.get(OUTCOME, UNFINISHED)}, (line,))


def pair_of(first: Position, second: Position, tags: Mapping[str, str] | None = None) -> Record:
    """The record of a match of two games; the points of both are added."""
    record = record_of(first, tags)
    line = line_of(second_start(first), second.actions)
    return Record(record.tags | {OUTCOME: sum_of(first, second)}, (*record.games, line))


def sum_of(first: Position, second: Position) -> str:
    """The result of a pair, as its game counts it."""
    judge = first.game.manifest.pair_result
    if judge is None or not (first.over and second.over):
        return UNFINISHED
    return judge(first, second)


def line_of(position: Position, actions: Iterable[Action]) -> Line:
    """Actions as text, grouped by turn: a turn is a run of actions of one player."""
    turns: list[list[Entry]] = []
    mover = None
    for action in actions:
        if position.player != mover:
            turns.append([])
            mover = position.player
        turns[-1].append(Entry(position.write(action)))
        position = position.play(action)
    return Line(tuple(map(tuple, turns)))


# -- Is a record right? ---------------------------------------------------------


def verify(record: Record) -> None:
    """Replay everything, variations too. `Unplayable` names the first action that is wrong."""
    seen = 0
    lasts: list[Position] = []
    for number, line in enumerate(record.games):
        try:
            begin = second_start(lasts[-1]) if number else start(record.tags)
        except RoundelError as error:
            raise Unplayable(seen, str(error)) from None
        last, seen = verify_line(begin, line, seen, None)
        lasts.append(last)
    verify_result(record, lasts, seen)


def verify_line(
    position: Position, line: Line, seen: int, mover: int | None
) -> tuple[Position, int]:
    """Replay a line; `mover` has acted before in its first turn. Returns its end and the count."""
    for number, turn in enumerate(line.turns):
        for place, entry in enumerate(turn):
            fresh = place == 0 and (number > 0 or mover is None)
            if not position.over and fresh == (position.player == mover):
                belongs = _("{action} belongs to the previous turn")
                text = belongs if fresh else _("{action} begins a new turn")
                raise Unplayable(seen, text.format(action=entry.action))
            before, earlier, mover = position, mover, position.player
            try:
                position = position.play(entry.action)
            except RoundelError as error:
                raise Unplayable(seen, str(error)) from None
            seen += 1
            for variation in entry.variations:
                seen = verify_line(before, variation, seen, None if fresh else earlier)[1]
    return position, seen


def verify_result(record: Record, lasts: list[Position], seen: int) -> None:
    """A match that the rules have ended has their result; one that they have not, may have any."""
    final = lasts[-1].result if len(lasts) == 1 else sum_of(lasts[0], lasts[1])
    if final not in (None, UNFINISHED, record.result):
        text = _("the result is {final}, not {result}")
        raise Unplayable(seen, text.format(final=final, result=record.result))
    players = lasts[-1].game.players
    named = [int(digit) for digit in record.result if digit.isdigit()]
    if any(player > players for player in named) or named != sorted(set(named)):
        text = _("{result} is not a result for {players} players")
        raise Unplayable(seen, text.format(result=record.result, players=players))


def locate(raw: Raw, places: list[int], error: Unplayable) -> BrokenRecord:
    """Where in the text an action stands that cannot be played; the end for a wrong result."""
    text = raw.text or ""
    at = places[error.entry] if error.entry < len(places) else len(text.rstrip())
    return broken(raw, at, error.reason)
