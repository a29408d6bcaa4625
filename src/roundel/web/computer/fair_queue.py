"""A queue for a few places in which nobody is starved.

Addresses are served in turn, and the devices behind each in turn as well: whoever asks a thousand
times waits for themselves. No address can take all places for long: the last one is left for
others, or for what is done in a moment.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from typing import NamedTuple

from roundel.core.lang import _
from roundel.web.requests.problems import Overloaded
from roundel.web.requests.visitors import Visitor

REMEMBERED = 10_000  # addresses and devices of which we know when they were served


class Busy(Overloaded):
    """Too many tables wait for the computer."""


class Waiter(NamedTuple):
    visitor: Visitor
    is_brief: bool
    called: asyncio.Future[None]


class FairQueue:
    def __init__(self, places: int, limit: int) -> None:
        self.free, self.limit = places, limit
        self.share = max(1, places - 1)  # of the places, for one address
        self.inside: Counter[str] = Counter()
        self.waiting: list[Waiter] = []
        self.served: OrderedDict[str | Visitor, int] = OrderedDict()
        self.count = 0

    async def enter(self, visitor: Visitor, is_brief: bool = False) -> None:
        """Returns when it is the visitor's turn; `leave` must follow. `Busy`: the queue is full."""
        waiter = Waiter(visitor, is_brief, asyncio.get_running_loop().create_future())
        if len(self.waiting) >= self.limit:
            self.make_room(visitor)
        self.waiting.append(waiter)
        self.call()
        try:
            await waiter.called
        except asyncio.CancelledError:
            if waiter in self.waiting:
                self.waiting.remove(waiter)
            elif not waiter.called.cancelled() and not waiter.called.exception():
                self.leave(visitor)  # called in the same moment
            raise

    def leave(self, visitor: Visitor) -> None:
        self.free += 1
        self.inside[visitor.address] -= 1
        self.inside += Counter()  # forgets those who have left
        self.call()

    def call(self) -> None:
        """Lets in who comes next."""
        while self.free:
            able = [w for w in self.waiting if w.is_brief or self.has_share(w.visitor)]
            if not able:
                return
            waiter = min(able, key=lambda w: (self.at(w.visitor.address), self.at(w.visitor)))
            self.waiting.remove(waiter)
            self.free -= 1
            self.inside[waiter.visitor.address] += 1
            self.note(waiter.visitor)
            waiter.called.set_result(None)

    def has_share(self, visitor: Visitor) -> bool:
        return self.inside[visitor.address] < self.share

    def at(self, key: str | Visitor) -> int:
        """When an address or a device was last served."""
        return self.served.get(key, 0)

    def note(self, visitor: Visitor) -> None:
        self.count += 1
        for key in (visitor.address, visitor):
            self.served[key] = self.count
            self.served.move_to_end(key)
        while len(self.served) > REMEMBERED:
            self.served.popitem(last=False)

    def make_room(self, visitor: Visitor) -> None:
        """Sends away the last of those who wait most often, be it the one who comes now."""
        busy = Busy(_("too many tables are waiting for the computer; please try again in a moment"))
        addresses = Counter(w.visitor.address for w in self.waiting)
        address, most = addresses.most_common(1)[0]
        if addresses[visitor.address] >= most:
            address = visitor.address
        behind = [w for w in self.waiting if w.visitor.address == address]
        devices = Counter(w.visitor for w in behind)
        device, most = devices.most_common(1)[0]
        if address == visitor.address and devices[visitor] + 1 >= most:
            raise busy
        last = next(w for w in reversed(behind) if w.visitor == device)
        self.waiting.remove(last)
        last.called.set_exception(busy)
