"""Clocks of a match, by Fischer: a seat's time runs while it is to act, from the second ply on."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class Clocks(Struct, frozen=True):
    lefts: tuple[int, ...]  # milliseconds, as of `since`
    running: int | None = None  # the seat whose time runs
    since: float = 0.0  # seconds of the match's own time

    def left(self, seat: int, now: float) -> int:
        """Milliseconds that a seat still has; never below 0."""
        gone = round(1000 * (now - self.since)) if seat == self.running else 0
        return max(self.lefts[seat] - max(gone, 0), 0)

    def all_left(self, now: float) -> list[int]:
        return [self.left(seat, now) for seat in range(len(self.lefts))]

    def show(self, seat: int, left: int, at: float) -> Clocks:
        """With another time on a seat's clock."""
        lefts = self.all_left(at)
        lefts[seat] = left
        return Clocks(tuple(lefts), self.running, at)

    def hand_to(self, seat: int | None, at: float) -> Clocks:
        """Now that seat's time runs; None stops all."""
        if seat == self.running:
            return self
        return replace(self.stopped(at), running=seat)

    def stopped(self, at: float) -> Clocks:
        return Clocks(tuple(self.all_left(at)), None, at)
