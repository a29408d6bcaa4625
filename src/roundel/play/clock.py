"""Clocks of a match, by Fischer: a seat's time runs while it is to act, from the second ply on."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class Clocks(Struct, frozen=True):
    shown: tuple[int, ...]  # milliseconds that each seat had at `since`
    running: int | None = None  # the seat whose time runs
    since: float = 0.0  # seconds of the match's own time

    def remaining(self, seat: int, now: float) -> int:
        """Milliseconds that a seat still has; never below 0."""
        gone = round(1000 * (now - self.since)) if seat == self.running else 0
        return max(self.shown[seat] - max(gone, 0), 0)

    def all_remaining(self, now: float) -> list[int]:
        return [self.remaining(seat, now) for seat in range(len(self.shown))]

    def show(self, seat: int, clock_ms: int, at: float) -> Clocks:
        """With another time on a seat's clock."""
        shown = self.all_remaining(at)
        shown[seat] = clock_ms
        return Clocks(tuple(shown), self.running, at)

    def hand_to(self, seat: int | None, at: float) -> Clocks:
        """Now that seat's time runs; None stops all."""
        if seat == self.running:
            return self
        return replace(self.stopped(at), running=seat)

    def stopped(self, at: float) -> Clocks:
        return Clocks(tuple(self.all_remaining(at)), None, at)
