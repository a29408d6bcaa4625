"""The server's own time, shared by address.

One thread serves everybody, so whoever keeps it busy keeps everybody waiting, whatever they ask
for. What each address costs is measured. As long as others are there, one that has used more than
its share waits until it has not; alone it may use all. All who wait have one share together.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator
from typing import Generic, TypeVar

SHARE = 0.5  # of the time, for one address that wants more, or for all of those
CROWD = 8  # of them at most: nobody should wait for ever
BURST = 0.05  # seconds that may be used at once
LONGEST = 1.0  # seconds to wait at most: what was used while nobody else was there is forgotten
SHORTEST = 0.001  # seconds that are worth a wait
RECENT = 2.0  # seconds after which somebody is not there any more
REMEMBERED = 10_000  # addresses

Result = TypeVar("Result")


class Account:
    """What an address has used and not yet waited for."""

    __slots__ = ("at", "debt", "line")

    def __init__(self, at: float) -> None:
        self.at, self.debt = at, 0.0
        self.line = asyncio.Lock()  # in which it waits: one after the other


class Shares:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.crowd = 0  # addresses that wait for their turn
        self.accounts: OrderedDict[str, Account] = OrderedDict()  # who asked last is the last

    def charge(self, address: str, seconds: float) -> None:
        now = self.clock()
        account = self.account(address, now)
        most = BURST + SHARE * LONGEST
        paid = self.share * (now - account.at)
        account.debt = min(most, max(0.0, account.debt - paid) + seconds)
        account.at = now

    @property
    def share(self) -> float:
        return SHARE / max(1, min(self.crowd, CROWD))

    def account(self, address: str, now: float) -> Account:
        account = self.accounts.get(address)
        if account is None:
            account = self.accounts[address] = Account(now)
            if len(self.accounts) > REMEMBERED:
                self.accounts.popitem(last=False)
        else:
            self.accounts.move_to_end(address)
        return account

    def wait(self, address: str) -> float:
        """The seconds until it is the turn of an address; 0: now."""
        account, now = self.accounts.get(address), self.clock()
        if account is None:
            return 0.0
        wait = (account.debt - BURST) / self.share - (now - account.at)
        return 0.0 if wait < SHORTEST or self.is_alone(address, now) else wait

    def is_alone(self, address: str, now: float) -> bool:
        others = (name for name in reversed(self.accounts) if name != address)
        other = next(others, None)
        return other is None or now - self.accounts[other].at > RECENT

    async def turn(self, address: str) -> None:
        """Returns when it is the turn of an address."""
        account = self.accounts.get(address)
        if account is None or not (account.line.locked() or self.wait(address)):
            return
        async with account.line:
            self.crowd += 1
            try:
                while wait := self.wait(address):
                    await asyncio.sleep(wait)
            finally:
                self.crowd -= 1

    def metered(self, work: Awaitable[Result], address: str) -> Metered[Result]:
        """The same work; the time that it takes, but not what it waits for, is charged."""
        return Metered(work, lambda seconds: self.charge(address, seconds))


class Metered(Generic[Result]):
    def __init__(self, work: Awaitable[Result], charge: Callable[[float], None]) -> None:
        self.work, self.charge = work, charge

    def __await__(self) -> Generator[object, object, Result]:
        steps = self.work.__await__()
        error: BaseException | None = None
        while True:
            begun = time.perf_counter()
            try:
                waits = next(steps) if error is None else steps.throw(error)
            except StopIteration as end:
                result: Result = end.value
                return result
            finally:
                self.charge(time.perf_counter() - begun)
            error = None
            try:
                yield waits
            except BaseException as raised:  # whatever it is, it is meant for the work
                error = raised
