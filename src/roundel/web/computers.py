"""The computer at the table: a pool of processes that think, with deadlines.

Whoever asks waits in line for a process, and the line is bounded. A process that dies or misses its
deadline is ended and replaced; then an easier level answers, at last any legal action, and the
answer's `note` says so. Nothing heavy is imported here: the server is to start quickly.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, cast

import msgspec

from roundel.core.errors import RoundelError
from roundel.core.lang import N_, _
from roundel.web.questions import (
    Answer,
    Question,
    Ready,
    Reply,
    Stop,
    Think,
    Thought,
    Warm,
    line_of,
    read,
)

__all__ = ["Answer", "Busy", "Computers", "Thought"]

COMMAND = (sys.executable, "-m", "roundel.web.worker")
SLOWEST = 20_000  # nodes a second that any machine should manage
MARGIN = 2.0  # seconds: a process answers after half of it with what it has, or is ended
WARMUP = 300.0  # seconds for starting and for compiling a game that nobody played here before
GRACE = 1.0  # seconds to obey
EASIEST = 1
EASIER = N_("The computer did not answer in time: an easier level chose this action.")
ANYTHING = N_("The computer could not think: it chose any legal action.")

Tell = Callable[[Thought], None]
log = logging.getLogger(__name__)


class Busy(RoundelError):
    """Too many tables wait for the computer."""


class Lost(Exception):
    """A process gave no answer."""


def seconds_of(level: int) -> float:
    """How long a level may think; no request can say anything about it."""
    from roundel.search.levels import LEVELS

    asked = LEVELS[level]
    return asked.seconds or (asked.nodes or 0) / SLOWEST


def name_of(question: Warm | Think) -> str:
    return question.name if isinstance(question, Warm) else question.spec.partition(":")[0]


def silent(thought: Thought) -> None:
    """For those who do not want to know."""


@dataclass(eq=False)
class Worker:
    """A process that thinks, and what we know of it."""

    command: tuple[str, ...]
    process: Process | None = None
    warm: set[str] = field(default_factory=set)  # the games that it has loaded
    beginning: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_ready: bool = False  # it has loaded what the question needs

    async def begin(self) -> None:
        async with self.beginning:
            if self.process is None:
                # A session of its own: Ctrl-C in our terminal is for us, and it ends when we say.
                self.process = await asyncio.create_subprocess_exec(
                    *self.command, stdin=PIPE, stdout=PIPE, start_new_session=True
                )

    async def ask(self, question: Warm | Think, seconds: float, tell: Tell) -> Reply:
        """What it says at last. Its time begins when it is ready."""
        self.is_ready = False
        async with losing():
            await self.begin()
            await self._say(question)
            reply = await self._listen(seconds, tell)
        self.warm.add(name_of(question))
        return reply

    async def stop(self) -> None:
        """End the search, not the process; what it compiles it may finish."""
        async with losing():
            await self._say(Stop())
            await self._listen(GRACE, silent)

    async def _listen(self, seconds: float, tell: Tell) -> Reply:
        async with asyncio.timeout(seconds if self.is_ready else WARMUP) as limit:
            while isinstance(heard := await self._hear(), Ready | Thought):
                if isinstance(heard, Thought):
                    tell(heard)
                else:
                    self.is_ready = True
                    limit.reschedule(asyncio.get_running_loop().time() + seconds)
        return heard

    async def end(self, at_once: bool = False) -> None:
        """The process ends with its pipe, or by force. It is ours until it is gone: who is
        interrupted here can end it again."""
        process = self.process
        self.warm.clear()
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 0 if at_once else GRACE)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        self.process = None

    async def _say(self, question: Question) -> None:
        if self.process is None or self.process.stdin is None:
            raise Lost("there is no process")
        self.process.stdin.write(line_of(question))
        await self.process.stdin.drain()

    async def _hear(self) -> Reply:
        if self.process is None or self.process.stdout is None:
            raise Lost("there is no process")
        if line := await self.process.stdout.readline():
            return read(line, cast(type[Reply], Reply))
        raise Lost("the process has ended")


@contextlib.asynccontextmanager
async def losing() -> AsyncIterator[None]:
    """Whatever goes wrong with a process means the same to us."""
    try:
        yield
    except TimeoutError:
        raise Lost("the process did not answer in time") from None
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise Lost(f"{type(error).__name__}: {error}") from error


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
        self.queue, self.margin = queue, margin
        self.waiting = 0
        self.idle = list(self.workers)
        self.free = asyncio.Semaphore(workers)  # wakes who waits in the order in which they came
        self.tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin all processes; otherwise each begins when it is first needed."""
        for worker in self.workers:
            await worker.begin()

    async def stop(self) -> None:
        """End all processes; whoever still waits for one should have been cancelled before."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self.workers))

    async def warm(self, name: str) -> None:
        """Load a game in one process after the other, so that one is always there for tables."""
        for _worker in self.workers:
            with contextlib.suppress(Lost):  # it is replaced, and whoever asks it is told
                async with self._worker(name, is_warm=False) as worker:
                    if name not in worker.warm:
                        await worker.ask(Warm(name), WARMUP, silent)

    async def choose(
        self,
        spec: str,
        start: str,
        actions: list[str],
        level: int,
        seed: int,
        tell: Tell = silent,
    ) -> Answer:
        """The action that a level chooses. To cancel this stops the search."""
        if self.waiting >= self.queue:
            raise Busy(_("too many tables wait for the computer; please try again in a moment"))
        question = Think(spec, start, actions, level, seed, seconds_of(level) + self.margin / 2)
        try:
            return await self._ask(question, tell)
        except Lost:
            seconds = seconds_of(EASIEST) + self.margin / 2
            easy = msgspec.structs.replace(question, level=EASIEST, seconds=seconds)
        try:
            return msgspec.structs.replace(await self._ask(easy, tell), note=EASIER)
        except Lost:
            return anything(question)

    async def _ask(self, question: Think, tell: Tell) -> Answer:
        async with self._worker(name_of(question)) as worker:
            reply = await worker.ask(question, question.seconds + self.margin / 2, tell)
        if isinstance(reply, Answer):
            return reply
        log.warning("the computer failed at %s: %s", question.spec, reply)
        raise Lost(str(reply))

    @contextlib.asynccontextmanager
    async def _worker(self, name: str, is_warm: bool = True) -> AsyncIterator[Worker]:
        """A process for us alone, best one that has loaded the game (or that has not)."""
        self.waiting += 1
        try:
            await self.free.acquire()
        finally:
            self.waiting -= 1
        worker = max(self.idle, key=lambda worker: (name in worker.warm) == is_warm)
        self.idle.remove(worker)
        try:
            yield worker
        except Lost as error:
            log.warning("a process of the computer is replaced: %s", error)
            self._in_background(self._replace(worker))
            raise
        except BaseException:  # nobody waits for what it says any more
            self._in_background(self._interrupt(worker))
            raise
        self._give_back(worker)

    def _give_back(self, worker: Worker) -> None:
        self.idle.append(worker)
        self.free.release()

    async def _interrupt(self, worker: Worker) -> None:
        try:
            await worker.stop()
            self._give_back(worker)
        except Lost:
            await self._replace(worker)

    async def _replace(self, worker: Worker) -> None:
        await worker.end(at_once=True)
        with contextlib.suppress(OSError):  # then the next one who asks is told
            await worker.begin()
        self._give_back(worker)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


def anything(question: Think) -> Answer:
    """A legal action without any thought, here in the server: cheap, and it cannot fail."""
    from roundel.web.worker import position_of

    position = position_of(question)
    action = random.Random(f"{question.seed} {position.fen()}").choice(position.legal())
    text = position.write(action)
    return Answer(text, 0, line=[text], note=ANYTHING)
