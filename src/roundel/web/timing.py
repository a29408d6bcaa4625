"""The server's own time, which stands still while the server is down."""

from __future__ import annotations

import time
from collections.abc import Callable

HEARTBEAT = 0.5  # seconds between two notes of the time: what a crash can cost


class Time:
    """Seconds that servers on this store have been running, and the calendar."""

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        calendar: Callable[[], float] = time.time,
    ) -> None:
        self.monotonic, self.calendar = monotonic, calendar
        self.stop(0.0)

    def stop(self, at: float) -> None:
        """Stand still at a moment."""
        self.at = at
        self.since: float | None = None

    def run(self) -> None:
        """Go on from where the time stood."""
        if self.since is None:
            self.since = self.monotonic()

    def now(self) -> float:
        return self.at if self.since is None else self.at + self.monotonic() - self.since
