"""Who tells whom that a match has gone on. In one process that is a call; several would share one.

Only numbers travel: whoever hears of an event that it does not have reads it from the store.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Hear = Callable[[int], None]


class Bus(Protocol):
    def publish(self, match: str, seq: int) -> None:
        """The match has an event with that number now, and it is on disk."""

    def subscribe(self, match: str, hear: Hear) -> None:
        """Hear of every event of the match from now on."""

    def unsubscribe(self, match: str, hear: Hear) -> None:
        """Hear of them no more."""


class LocalBus:
    """See `Bus`."""

    def __init__(self) -> None:
        self.hearing: dict[str, list[Hear]] = {}

    def publish(self, match: str, seq: int) -> None:
        for hear in tuple(self.hearing.get(match, ())):
            hear(seq)

    def subscribe(self, match: str, hear: Hear) -> None:
        self.hearing.setdefault(match, []).append(hear)

    def unsubscribe(self, match: str, hear: Hear) -> None:
        heard = self.hearing.get(match, [])
        if hear in heard:
            heard.remove(hear)
        if not heard:
            self.hearing.pop(match, None)
