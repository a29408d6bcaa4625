"""Which matches are played. Everything follows from the schedule: to resume is to make it again."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from roundel.core.errors import RoundelError
from roundel.core.lang import _

if TYPE_CHECKING:
    from roundel.core.game import Game
    from roundel.core.position import Position
    from roundel.tournament.players import Contestant

ROUND_ROBIN, GAUNTLET, SPRT = "round-robin", "gauntlet", "sprt"
MATCHES = {ROUND_ROBIN: 100, GAUNTLET: 100, SPRT: 10_000}  # by default; in a test, at most
ATTEMPTS = 100  # to find an opening that does not end the match
DIGITS = 16  # of a match's key


class WrongSchedule(RoundelError):
    """These players cannot play such a tournament."""


@dataclass(frozen=True)
class Fixture:
    """A match to be played: who sits where, and from which opening."""

    spec: str
    seed: int
    plies: int
    opening: int
    seats: tuple[Contestant, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)

    @property
    def key(self) -> str:
        """The same for the same match in any schedule."""
        identity = (self.spec, self.seed, self.plies, self.opening, self.names)
        digest = hashlib.sha256(repr(identity).encode()).hexdigest()
        return f"{self.opening + 1:05}-{digest[:DIGITS]}"

    def seat_seed(self, seat: int) -> int:
        """What a player's own choices depend on; different in every match."""
        return int(self.key.rpartition("-")[2], 16) % 2**62 + seat


@dataclass(frozen=True)
class Schedule:
    """A whole tournament; `matches` are those of each table."""

    game: Game
    contestants: tuple[Contestant, ...]
    format: str
    matches: int
    plies: int
    seed: int

    def check(self) -> None:
        """Refuse what cannot be played, before anything is."""
        names = [contestant.name for contestant in self.contestants]
        if len(names) < 2:
            raise WrongSchedule(_("a tournament needs two players or more"))
        for name in names:
            if names.count(name) > 1:
                raise WrongSchedule(_("player {name!r} is given twice").format(name=name))
        if self.format == SPRT and (len(names) != 2 or self.game.players != 2):
            raise WrongSchedule(_("sprt compares two players at a game for two"))
        opening(self.game, self.seed, self.plies, 0)

    def tables(self) -> list[tuple[Contestant, ...]]:
        """Who plays against whom; too few players sit at several seats of a table."""
        seats, everyone = self.game.players, self.contestants
        if len(everyone) >= seats:
            groups = list(combinations(everyone, seats))
        else:
            groups = list(combinations_with_replacement(everyone, seats))
        if self.format == GAUNTLET:
            groups = [table for table in groups if everyone[0] in table]
        return [table for table in groups if len(set(table)) > 1]

    @property
    def openings(self) -> int:
        """Each is played once from every seat, so the matches are rounded up."""
        return -(-self.matches // self.game.players)

    def fixtures(self) -> Iterator[Fixture]:
        """All matches, opening by opening: wherever one stops, all have played about as much."""
        for number in range(self.openings):
            for table in self.tables():
                for shift in range(len(table)):
                    seats = table[shift:] + table[:shift]
                    yield Fixture(self.game.spec, self.seed, self.plies, number, seats)


def opening(game: Game, seed: int, plies: int, number: int) -> Position:
    """Random actions that do not end the match."""
    rng = random.Random(f"{seed} {number}")
    for _attempt in range(ATTEMPTS):
        position = game.start()
        while not position.over and position.ply < plies:
            position = position.play(rng.choice(position.legal()))
        if not position.over:
            return position
    text = _("{game}: no opening of {plies} random moves leaves the match undecided")
    raise WrongSchedule(text.format(game=game.spec, plies=plies))
