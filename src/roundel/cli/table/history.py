"""A match that people can go back and forward in.

Going back drops nothing: what followed stays in the log until another action is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.play.commands import Act
from roundel.play.events import Acted
from roundel.play.match import Match, fold
from roundel.play.offers import ply_before
from roundel.play.recording import FORMAT, acted, is_pair, record_of_match
from roundel.play.setup import Seat, Setup, check_pair
from roundel.play.submit import submit
from roundel.record.match import FEN, GAME, Record

PLY = "Ply"
"""The tag that tells where people were, if they had gone back: how many positions came before. The
second game of a pair has a beginning of its own, so there it is one more than the actions."""
ENDED = ("Result", "Termination")  # not true any more as soon as the match goes on


class NotThere(RoundelError):
    """The match has no such ply, or nothing to play again."""


class History:
    """`match` is what all of `play` knows: the match after as many actions as are looked at."""

    def __init__(self, setup: Setup, log: Iterable[Acted] = ()) -> None:
        check_pair(setup)
        self.setup, self.log = setup, list(log)
        self.match = fold(setup, self.log)

    @classmethod
    def from_record(cls, record: Record, seats: tuple[Seat, ...]) -> History:
        """Where people were when it was written. How it ended is not kept: it may go on."""
        tags = record.tags
        setup = Setup(record.spec, seats, pair=is_pair(record), start=tags.get(FEN, ""))
        history = cls(setup, acted(record))
        ply = tags.get(PLY, "")
        if ply.isascii() and ply.isdigit():
            first = len(history.match.games[0]) - 1
            behind = int(ply[:9])
            history.go(min(behind - (behind > first), history.last))
        return history

    # -- Going back and forward -------------------------------------------------

    @property
    def at(self) -> int:
        return self.match.ply

    @property
    def last(self) -> int:
        return len(self.log)

    def go(self, ply: int) -> None:
        if not 0 <= ply <= self.last:
            text = _("expected a number of moves from 0 to {last}, got {ply}")
            raise NotThere(text.format(last=self.last, ply=ply))
        self.match = fold(self.setup, self.log[:ply])

    def undo(self) -> None:
        """To the last earlier position in which a person chose."""
        self.go(ply_before(self.match, self.match.people))

    def redo(self) -> None:
        """To the next position in which a person chooses, or to the end."""
        if self.at == self.last:
            raise NotThere(_("there is nothing to play again"))
        later = range(self.at + 1, self.last)
        self.go(next((ply for ply in later if self.log[ply].seat in self.match.people), self.last))

    @property
    def whole(self) -> Match:
        """The match with all that could be gone forward to."""
        return self.match if self.at == self.last else fold(self.setup, self.log)

    # -- Playing ----------------------------------------------------------------

    def play(self, text: str) -> None:
        """Play an action for whoever is to act; only now what followed is dropped."""
        match = self.match
        act = Act(match.turn or 0, match.ply, text, after=match.seq)
        events = [event for event in submit(match, act, now=0.0) if isinstance(event, Acted)]
        self.log[self.at :] = events
        for event in events:
            match.apply(event)

    # -- As a record ------------------------------------------------------------

    def record(self, tags: Mapping[str, str]) -> Record:
        """Everything, also what could be gone forward to."""
        whole = self.whole
        record = record_of_match(whole, [seat.name for seat in whole.seats])
        kept = {name: value for name, value in tags.items() if name not in (*ENDED, FORMAT, PLY)}
        here = {} if whole is self.match else {PLY: str(self.at + self.match.game_index)}
        return replace(record, tags={GAME: record.spec} | kept | record.tags | here)
