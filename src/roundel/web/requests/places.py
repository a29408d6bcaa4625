"""A bounded number of places, and who has taken them: addresses, and the devices behind each."""

from __future__ import annotations

from collections import Counter
from typing import Generic, Protocol, TypeVar

from roundel.web.requests.visitors import Visitor

Member = TypeVar("Member")


class Occupant(Protocol):
    def send_away(self) -> None:
        """Somebody else gets the place."""


class Places(Generic[Member]):
    def __init__(self, limit: int, share: int, lead: int) -> None:
        self.limit, self.share = limit, share  # in all, and of one address
        self.lead = lead  # how many more than a newcomer an address must have to make room
        self.count = 0
        self.by_address: Counter[str] = Counter()
        self.members: dict[str, dict[Visitor, dict[Member, None]]] = {}  # the oldest first

    def take(self, visitor: Visitor, member: Member) -> None:
        self.count += 1
        self.by_address[visitor.address] += 1
        self.members.setdefault(visitor.address, {}).setdefault(visitor, {})[member] = None

    def leave(self, visitor: Visitor, member: Member) -> None:
        """To leave twice does nothing."""
        devices = self.members.get(visitor.address, {})
        if member not in devices.get(visitor, {}):
            return
        self.count -= 1
        del devices[visitor][member]
        if not devices[visitor]:
            del devices[visitor]
        self.by_address[visitor.address] -= 1
        if not devices:
            del self.members[visitor.address], self.by_address[visitor.address]

    def of(self, visitor: Visitor) -> int:
        """How many places a device has taken."""
        return len(self.members.get(visitor.address, {}).get(visitor, ()))

    def crowded(self, visitor: Visitor) -> str | None:
        """The address that has to give a place away before the visitor gets one: their own, if it
        has its share or no other has so many more. None: there is room."""
        own = self.by_address[visitor.address]
        if own >= self.share:
            return visitor.address
        if self.count < self.limit:
            return None
        address = max(self.by_address, key=self.by_address.__getitem__)
        return address if self.by_address[address] >= own + self.lead else visitor.address

    def greediest(self, address: str) -> Visitor:
        """Of those behind an address that has places."""
        devices = self.members[address]
        return max(devices, key=lambda visitor: len(devices[visitor]))

    def oldest(self, visitor: Visitor) -> Member:
        return next(iter(self.members[visitor.address][visitor]))
