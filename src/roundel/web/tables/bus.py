"""Who tells whom that a match has gone on. In one process that is a call; several would share one.

Only numbers travel: whoever hears of an event that it does not have reads it from the store.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Subscriber = Callable[[int], None]


class Bus(Protocol):
    def publish(self, match: str, seq: int) -> None:
        """The match has an event with that number now, and it is on disk."""

    def subscribe(self, match: str, subscriber: Subscriber) -> None:
        """Hear of every event of the match from now on."""

    def unsubscribe(self, match: str, subscriber: Subscriber) -> None:
        """Hear of them no more."""


class LocalBus:
    """See `Bus`."""

    def __init__(self) -> None:
        self.subscribers: dict[str, list[Subscriber]] = {}

    def publish(self, match: str, seq: int) -> None:
        for subscriber in tuple(self.subscribers.get(match, ())):
            subscriber(seq)

    def subscribe(self, match: str, subscriber: Subscriber) -> None:
        self.subscribers.setdefault(match, []).append(subscriber)

    def unsubscribe(self, match: str, subscriber: Subscriber) -> None:
        known = self.subscribers.get(match, [])
        if subscriber in known:
            known.remove(subscriber)
        if not known:
            self.subscribers.pop(match, None)
