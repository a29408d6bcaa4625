"""The computer at the table: a pool of processes that think, with deadlines.

Whoever asks waits in a line that is fair and bounded (`line.py`). A process that dies, falls silent
or misses its deadline is ended and begun anew, be it idle or not; the question is asked again, with
the time that is left. When two fresh processes in a row have failed it, any legal action is
chosen, and the answer's `note` says so. Nothing heavy is imported here: the server is to start
quickly.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import msgspec

from roundel.core.lang import N_
from roundel.web.line import Busy, Line
from roundel.web.questions import PULSE, Answer, Preparing, Progress, Think, Thought, Warm
from roundel.web.visitors import HOUSE, Visitor
from roundel.web.workers import COMMAND, COMPILING, Lost, Tell, Worker, silent

__all__ = ["Answer", "Busy", "Computers", "Preparing", "Progress", "Tell", "Thought", "silent"]

SLOWEST = 20_000  # nodes a second that any machine should manage
MARGIN = 1.0  # seconds: a process answers after half of it with what it has, or is ended
FRESH = 2  # processes that are begun for one question before any action will do
BRIEF = 1.0  # seconds at most of what need not leave a place for others
LEAST = 0.5  # seconds for a question that is asked again: many times what level 3 needs
SHORTER = N_("The computer had to start again and thought for less time.")
ANYTHING = N_("The computer could not think: it chose any legal action.")

log = logging.getLogger(__name__)


def seconds_of(level: int) -> float:
    """How long a level may think; no request can say anything about it."""
    from roundel.search.levels import LEVELS

    asked = LEVELS[level]
    return asked.seconds or (asked.nodes or 0) / SLOWEST


class Computers:
    """Processes that think for all tables, one table after the other."""

    def __init__(
        self,
        workers: int = 2,
        queue: int = 64,
        command: tuple[str, ...] = COMMAND,
        margin: float = MARGIN,
    ) -> None:
        self.workers = [Worker(command) for _ in range(workers)]
        self.margin, self.line = margin, Line(workers, queue)
        self.idle = list(self.workers)
        self.warming: set[str] = set()
        self.watching: asyncio.Task[None] | None = None
        self.tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin all processes; otherwise each begins when it is first needed."""
        self._watch()
        for worker in self.workers:
            await worker.begin()

    async def stop(self) -> None:
        """End all processes; whoever still waits for one should have been cancelled before."""
        tasks = [*self.tasks, *filter(None, [self.watching])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self.workers))

    async def warm(self, name: str) -> None:
        """Load a game in one process after the other, so that one is always there for tables."""
        if name in self.warming:
            return
        self.warming.add(name)
        try:
            for _worker in self.workers:
                if all(name in worker.warm for worker in self.workers):
                    return
                with contextlib.suppress(Lost):  # whoever asks it is told
                    async with self._worker(name, HOUSE, is_warm=False) as worker:
                        await worker.ask(Warm(name), COMPILING, silent)
        finally:
            self.warming.discard(name)

    async def choose(
        self,
        spec: str,
        start: str,
        actions: list[str],
        level: int,
        seed: int,
        tell: Tell = silent,
        visitor: Visitor = HOUSE,
    ) -> Answer:
        """The action that a level chooses. To cancel this stops the search."""
        seconds = seconds_of(level)
        question = Think(spec, start, actions, level, seed, seconds + self.margin / 2)
        name, is_brief = spec.partition(":")[0], seconds <= BRIEF
        try:
            async with self._worker(name, visitor, is_brief=is_brief) as worker:
                return await self._ask(worker, question, tell)
        except Lost:
            return anything(question)

    async def _ask(self, worker: Worker, question: Think, tell: Tell) -> Answer:
        """Asked again, of a fresh process, for the time that is left."""
        now = asyncio.get_running_loop().time
        end, note = now() + question.seconds, ""
        for fresh in range(FRESH + 1):
            if fresh:
                await worker.end(at_once=True)
                seconds, note = max(LEAST, end - now()), SHORTER
                question = msgspec.structs.replace(question, seconds=seconds)
            try:
                reply = await worker.ask(question, question.seconds + self.margin / 2, tell)
            except Lost as error:
                log.warning("a process of the computer is replaced: %s", error)
                continue
            if isinstance(reply, Answer):
                return msgspec.structs.replace(reply, note=note) if note else reply
            log.warning("the computer failed at %s: %s", question.spec, reply)
        raise Lost("fresh processes failed as well")

    @contextlib.asynccontextmanager
    async def _worker(
        self, name: str, visitor: Visitor, is_warm: bool = True, is_brief: bool = False
    ) -> AsyncIterator[Worker]:
        """A process for us alone, best one that has loaded the game (or that has not)."""
        self._watch()
        await self.line.enter(visitor, is_brief)
        worker = max(self.idle, key=lambda worker: (name in worker.warm) == is_warm)
        self.idle.remove(worker)
        try:
            yield worker
        except Lost:
            self._in_background(self._replace(worker, visitor))
            raise
        except BaseException:  # nobody waits for what it says any more
            self._in_background(self._interrupt(worker, visitor))
            raise
        self._give_back(worker, visitor)

    def _give_back(self, worker: Worker, visitor: Visitor) -> None:
        self.idle.append(worker)
        self.line.leave(visitor)

    async def _interrupt(self, worker: Worker, visitor: Visitor) -> None:
        try:
            await worker.stop()
            self._give_back(worker, visitor)
        except Lost:
            await self._replace(worker, visitor)

    async def _replace(self, worker: Worker, visitor: Visitor) -> None:
        await worker.end(at_once=True)
        with contextlib.suppress(OSError):  # then the next one who asks is told
            await worker.begin()
        self._give_back(worker, visitor)

    def _watch(self) -> None:
        if self.watching is None or self.watching.done():
            self.watching = asyncio.create_task(self._look())

    async def _look(self) -> None:
        """Processes that have died or stopped are noticed, also while nobody asks them."""
        while True:
            await asyncio.sleep(PULSE)
            for worker in self.workers:
                worker.look()
            for worker in self.idle:
                if worker.is_lost and worker.has_spoken:  # others begin when they are asked
                    log.warning("an idle process of the computer is replaced")
                    self._in_background(self._begin(worker))

    async def _begin(self, worker: Worker) -> None:
        with contextlib.suppress(OSError):
            await worker.begin()

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


def anything(question: Think) -> Answer:
    """A legal action without any thought, here in the server: cheap, and it cannot fail."""
    from roundel.web.answers import position_of

    position = position_of(question)
    action = random.Random(f"{question.seed} {position.fen()}").choice(position.legal())
    text = position.write(action)
    return Answer(text, 0, line=[text], note=ANYTHING)
