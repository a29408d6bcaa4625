"""Processes that work for the server, each for one question at a time.

Whoever asks waits in a queue that is fair and bounded (`fair_queue.py`). A process that dies or
falls silent is ended and begun anew, be it idle or not.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Coroutine

from roundel.search.options import MATCHES_KEPT
from roundel.web.computer.fair_queue import FairQueue
from roundel.web.computer.questions import PULSE
from roundel.web.computer.worker_process import COMMAND, NoReply, Worker
from roundel.web.requests.visitors import Visitor

log = logging.getLogger(__name__)


class Pool:
    def __init__(self, workers: int, limit: int, command: tuple[str, ...] = COMMAND) -> None:
        self.workers = [Worker(command) for _ in range(workers)]
        self.queue = FairQueue(workers, limit)
        self.idle = list(self.workers)
        self.watching: asyncio.Task[None] | None = None
        self.tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin all processes; otherwise each begins when it is first needed."""
        self._start_watching()
        for worker in self.workers:
            await worker.begin()

    async def stop(self) -> None:
        """End all processes; whoever still waits for one should have been cancelled before."""
        tasks = [*self.tasks, *filter(None, [self.watching])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self.workers))

    @contextlib.asynccontextmanager
    async def _worker(
        self,
        name: str,
        visitor: Visitor,
        is_warm: bool = True,
        is_brief: bool = False,
        match: str = "",
    ) -> AsyncIterator[Worker]:
        """A process for us alone: best the one that keeps the search of our match, then one that
        has loaded the game (or that has not), then one that keeps the fewest other matches."""
        self._start_watching()
        await self.queue.enter(visitor, is_brief)

        def fit(worker: Worker) -> tuple[bool, bool, int]:
            is_as_warm = (name in worker.warm) == is_warm
            return match in worker.matches, is_as_warm, -len(worker.matches)

        worker = max(self.idle, key=fit)
        self.idle.remove(worker)
        try:
            yield worker
        except NoReply:
            self._in_background(self._replace(worker, visitor))
            raise
        except BaseException:  # nobody waits for what it says any more
            self._in_background(self._interrupt(worker, visitor))
            raise
        self._give_back(worker, visitor)

    def assign(self, match: str, worker: Worker) -> None:
        """That process keeps its search from now on; what others have is older."""
        for other in self.workers:
            if other is not worker:
                other.forget(match)
        others = [kept for kept in worker.matches if kept != match]
        worker.matches = [*others, match][-MATCHES_KEPT:]

    def forget(self, match: str) -> None:
        """No process needs to keep its search any more."""
        for worker in self.workers:
            worker.forget(match)

    def _give_back(self, worker: Worker, visitor: Visitor) -> None:
        self.idle.append(worker)
        self.queue.leave(visitor)

    async def _interrupt(self, worker: Worker, visitor: Visitor) -> None:
        try:
            await worker.stop()
            self._give_back(worker, visitor)
        except NoReply:
            await self._replace(worker, visitor)

    async def _replace(self, worker: Worker, visitor: Visitor) -> None:
        await worker.end(at_once=True)
        with contextlib.suppress(OSError):  # then the next one who asks is told
            await worker.begin()
        self._give_back(worker, visitor)

    def _start_watching(self) -> None:
        if self.watching is None or self.watching.done():
            self.watching = asyncio.create_task(self._watch_workers())

    async def _watch_workers(self) -> None:
        """Processes that have died or stopped are noticed, also while nobody asks them."""
        while True:
            await asyncio.sleep(PULSE)
            for worker in self.workers:
                worker.check_pulse()
            for worker in self.idle:
                if worker.is_lost and worker.has_spoken:  # others begin when they are asked
                    log.warning("an idle process of the computer is replaced")
                    self._in_background(self._begin(worker))

    async def _begin(self, worker: Worker) -> None:
        with contextlib.suppress(OSError):
            await worker.begin()

    def _in_background(self, work: Coroutine[object, None, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
