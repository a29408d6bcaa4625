"""A match at a table: all its positions, and which of them is looked at.

Going back drops nothing: what followed can be gone forward to again until another action is played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from roundel import record as records
from roundel.core.errors import RoundelError
from roundel.core.lang import _

if TYPE_CHECKING:
    from roundel.core.game import Action, Game
    from roundel.core.position import Position
    from roundel.record import Record

FORMAT, PAIR = "Format", "pair"  # the tag that tells a pair of games before the second one begins
PLY = "Ply"  # the tag that tells where people were, if they had gone back
ENDED = ("Result", "Termination")  # not true any more as soon as the match goes on


class NotThere(RoundelError):
    """The match has no such ply, or nothing to take back."""


class Match:
    """`positions` holds the second game of a pair too, beginning with its own start."""

    def __init__(self, start: Position, pair: bool = False) -> None:
        if pair and start.game.manifest.second_game is None:
            text = _("{game} is not played in pairs of games")
            raise RoundelError(text.format(game=start.game.name))
        self.positions, self.at, self.pair = [start], 0, pair
        self.second: int | None = None  # where the second game begins

    @classmethod
    def from_record(cls, record: Record) -> Match:
        pair = len(record.games) > 1 or record.tags.get(FORMAT) == PAIR
        positions = list(records.positions(record))
        match = cls(positions[0], pair)
        for position in positions[1:]:
            if position.actions:  # the second game's beginning comes by itself
                match.add(position)
        ply = record.tags.get(PLY, "")
        if ply.isascii() and ply.isdigit():
            match.go(min(int(ply[:9]), match.last))
        return match

    # -- State ------------------------------------------------------------------

    @property
    def here(self) -> Position:
        return self.positions[self.at]

    @property
    def game(self) -> Game:
        return self.here.game

    @property
    def last(self) -> int:
        return len(self.positions) - 1

    @property
    def over(self) -> bool:
        """Whether the whole match is over, at its end."""
        return self.positions[-1].over

    @property
    def first(self) -> Position | None:
        """How the first game of a pair ended, if it is over where we are."""
        if self.second is None or self.at < self.second:
            return None
        return self.positions[self.second - 1]

    @property
    def played(self) -> tuple[Position, Action] | None:
        """The action that led here and the position before it; None at a game's beginning."""
        actions = self.here.actions
        return (self.positions[self.at - 1], actions[-1]) if self.at and actions else None

    def last_text(self) -> str:
        return self.played[0].write(self.played[1]) if self.played else ""

    # -- What can be done -------------------------------------------------------

    def play(self, action: Action | str) -> None:
        """Play here; only now what followed is dropped."""
        after = self.here.play(action)
        del self.positions[self.at + 1 :]
        if self.second is not None and self.second > self.at:
            self.second = None
        self.add(after)

    def add(self, position: Position) -> None:
        self.positions.append(position)
        begin = position.game.manifest.second_game
        if self.pair and position.over and self.second is None and begin is not None:
            self.second = len(self.positions)
            self.positions.append(begin(position))
        self.at = self.last

    def go(self, ply: int) -> None:
        if not 0 <= ply <= self.last:
            text = _("expected a ply from 0 to {last}, got {ply}")
            raise NotThere(text.format(last=self.last, ply=ply))
        self.at = ply

    def back(self, mine: Callable[[Position], bool]) -> None:
        """To the last earlier position in which one of us chose."""
        for ply in range(self.at - 1, -1, -1):
            if mine(self.positions[ply]):
                self.at = ply
                return
        raise NotThere(_("there is nothing to take back"))

    def forward(self, mine: Callable[[Position], bool]) -> None:
        """To the next position in which one of us chooses, or to the end."""
        if self.at == self.last:
            raise NotThere(_("nothing was taken back"))
        plies = range(self.at + 1, self.last)
        self.at = next((ply for ply in plies if mine(self.positions[ply])), self.last)

    # -- As a record ------------------------------------------------------------

    def result(self) -> str | None:
        """Of the match up to here; of both games together at the end of a pair."""
        judge = self.game.manifest.pair_result
        if self.first is not None and judge is not None and self.here.over:
            return judge(self.first, self.here)
        return None if self.pair else self.here.result

    def points(self) -> tuple[int, ...]:
        """Of both games together in a pair."""
        if self.first is None:
            return self.here.points
        return tuple(a + b for a, b in zip(self.first.points, self.here.points, strict=True))

    def record(self, tags: Mapping[str, str]) -> Record:
        """Everything, also what could be gone forward to."""
        kept = {name: value for name, value in tags.items() if name not in (*ENDED, FORMAT, PLY)}
        kept |= {FORMAT: PAIR} if self.pair else {}
        kept |= {PLY: str(self.at)} if self.at < self.last else {}
        if self.second is None:
            return records.record_of(self.positions[-1], kept)
        return records.pair_of(self.positions[self.second - 1], self.positions[-1], kept)
