"""Many tables at once, in a process of their own."""

from __future__ import annotations

import asyncio
import gc
import itertools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context

import uvloop

from scripts.load.addresses import client_at, loopback
from scripts.load.scores import Score, half_played, some_score
from scripts.load.server import many_files
from scripts.load.tables import Full, PlayedTable, Tally

AT_ONCE = 16  # tables that are opened at the same time


@dataclass(frozen=True)
class CrowdPlan:
    url: str
    tables: int
    seconds: float
    pace: float = 0.0  # seconds from an action at a table to the next; 0: when that is answered
    first: int = 0  # number of the first table
    is_script: bool = False  # tables of scripts, which draw no boards


def run(plan: CrowdPlan) -> Tally:
    many_files()
    gc.disable()  # the pauses of this process would be counted as the server's
    return uvloop.run(Crowd(plan).play())


@contextmanager
def processes(count: int) -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        yield pool


def crowd(pool: ProcessPoolExecutor, plan: CrowdPlan, processes: int) -> list[Future[Tally]]:
    """The plan's tables shared by some processes."""
    shares = [plan.tables // processes + (i < plan.tables % processes) for i in range(processes)]
    starts = itertools.accumulate(shares, initial=plan.first)
    return [
        pool.submit(run, replace(plan, tables=share, first=first))
        for share, first in zip(shares, starts, strict=False)
    ]


def together(tallies: list[Future[Tally]]) -> Tally:
    whole = Tally()
    for tally in tallies:
        whole += tally.result()
    return whole


class Place:
    """Where one match is played after the other; no other place has its addresses."""

    def __init__(self, number: int) -> None:
        self.number, self.http = number, client_at(loopback(number))


class Crowd:
    def __init__(self, plan: CrowdPlan) -> None:
        self.plan, self.tally = plan, Tally()
        self.numbers = itertools.count(plan.first)
        self.places = [Place(plan.first + i) for i in range(plan.tables)]
        self.opening = asyncio.Semaphore(AT_ONCE)

    async def play(self) -> Tally:
        """All tables are there before the first action is played, but for those refused."""
        async with AsyncExitStack() as stack:
            for place in self.places:
                await stack.enter_async_context(place.http)
            tables = [self.new(place, half_played) for place in self.places]
            await asyncio.gather(*map(self.open, self.places, tables))
            self.end = time.perf_counter() + self.plan.seconds
            await asyncio.gather(*map(self.sit, range(len(tables)), tables))
        return self.tally

    def new(self, place: Place, score: Callable[[int], Score] = some_score) -> PlayedTable:
        plan = self.plan
        return PlayedTable(plan.url, score(next(self.numbers)), plan.is_script, place.number)

    async def open(self, place: Place, table: PlayedTable) -> float:
        """Sit down; if that is refused, after how many seconds it may be tried again."""
        try:
            async with self.opening:
                if not table.id:
                    await table.make(place.http)
                await table.join()
        except Full as full:
            table.tally.refused += 1
            table.tally.retries += full.retry > 0
            return full.retry or 1.0
        return 0.0

    async def sit(self, number: int, table: PlayedTable) -> None:
        """Play match after match at one place; tables do not act at the same moment."""
        pace, place = self.plan.pace, self.places[number]
        due = time.perf_counter() + pace * number / max(self.plan.tables, 1)
        while max(due, time.perf_counter()) < self.end:
            await asyncio.sleep(due - time.perf_counter())
            due += pace
            if table.is_over:
                await self.leave(table)
                table = self.new(place)
            wait = await self.open(place, table) or (await table.act()).retry
            due = max(due, time.perf_counter() + wait) if wait else due
        await self.leave(table)

    async def leave(self, table: PlayedTable) -> None:
        await table.leave()
        self.tally += table.tally
