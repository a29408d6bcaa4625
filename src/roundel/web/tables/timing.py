"""The server's own time, which stands still while the server is down or cannot write."""

from __future__ import annotations

import time
from collections.abc import Callable

DAY = 24 * 3600.0
LOADING, DISK = "loading", "disk"  # what can hold the time


class Time:
    """Seconds that servers on this store have been running, and the calendar."""

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        calendar: Callable[[], float] = time.time,
    ) -> None:
        self.monotonic, self.calendar = monotonic, calendar
        self.at = 0.0
        self.since: float | None = None  # when it began to run from there
        self.held = {LOADING}

    def start(self, at: float) -> None:
        """Go on from there as soon as nothing holds the time."""
        self.at = at

    def hold(self, why: str) -> None:
        """Stand still."""
        self.at, self.since = self.now(), None
        self.held.add(why)

    def release(self, why: str) -> None:
        """Go on from where the time stood, unless something else holds it."""
        self.held.discard(why)
        if not self.held and self.since is None:
            self.since = self.monotonic()

    def now(self) -> float:
        return self.at if self.since is None else self.at + self.monotonic() - self.since
