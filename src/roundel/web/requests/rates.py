"""How often somebody may ask: so many times a second, and a few seconds' worth at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

MOST = 10_000  # addresses that are remembered


class Bucket:
    """Fills by itself and is emptied by asking."""

    __slots__ = ("at", "tokens")

    def __init__(self, full: float, at: float) -> None:
        self.tokens, self.at = full, at

    def take(self, rate: float, full: float, at: float) -> float:
        """0 if there is room; otherwise the seconds until there is."""
        self.tokens = min(full, self.tokens + rate * (at - self.at))
        self.at = at
        if self.tokens < 1:
            return (1 - self.tokens) / rate
        self.tokens -= 1
        return 0.0


class Rates:
    """A bucket for each address; those that were silent longest are forgotten."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        self.rate, self.full, self.clock = rate, rate * burst, clock
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> float:
        at = self.clock()
        if address not in self.buckets:
            self.buckets[address] = Bucket(self.full, at)
        self.buckets.move_to_end(address)
        if len(self.buckets) > MOST:
            self.buckets.popitem(last=False)
        return self.buckets[address].take(self.rate, self.full, at)
