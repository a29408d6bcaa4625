"""One process that thinks, as the server sees it: asked, listened to, ended and begun anew."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import cast

from roundel.web.computer.questions import (
    Alive,
    Draw,
    Final,
    Forget,
    Preparing,
    Progress,
    Question,
    Read,
    Ready,
    Reply,
    Stop,
    Think,
    Warm,
    decode_line,
    encode_line,
)

COMMAND = (sys.executable, "-m", "roundel.web.computer.worker")
LOADING = 20.0  # seconds for loading a game that is compiled
COMPILING = 300.0  # and for compiling one that nobody played here before
GRACE = 1.0  # seconds to obey
LONGEST_LINE = 4 << 20  # bytes of an answer: records of 100 and pictures of 400 thousand are usual
MOST_MISSED = 5  # checks in a row without a sign of life: then a process has stopped

OnProgress = Callable[[Progress], None]
log = logging.getLogger(__name__)


class NoReply(Exception):
    """A process gave no answer."""


class LateReply(NoReply):
    """It was alive, but did not answer in time."""


def ignore_progress(progress: Progress) -> None:
    """For those who do not want to know."""


@dataclass(eq=False)
class Worker:
    command: tuple[str, ...] = COMMAND
    process: Process | None = None
    warm: set[str] = field(default_factory=set)  # the games that it has loaded
    matches: list[str] = field(default_factory=list)  # whose searches it keeps, the last one last
    beginning: asyncio.Lock = field(default_factory=asyncio.Lock)
    replies: asyncio.Queue[Progress | Final | NoReply] = field(default_factory=asyncio.Queue)
    listening: asyncio.Task[None] | None = None
    has_spoken: bool = False
    missed_pulses: int = 0  # checks since it last said something
    is_ready: bool = False  # it has loaded what the question needs

    @property
    def is_lost(self) -> bool:
        """Whether nothing more will be heard of its process."""
        return self.listening is not None and self.listening.done()

    async def begin(self) -> None:
        """If there is no process, or none that speaks."""
        async with self.beginning:
            if self.is_lost:
                await self.end(at_once=True)
            if self.process is None:
                self.has_spoken, self.missed_pulses, self.replies = False, 0, asyncio.Queue()
                # A session of its own: Ctrl-C in our terminal is for us, and it ends when we say.
                self.process = await asyncio.create_subprocess_exec(
                    *self.command,
                    stdin=PIPE,
                    stdout=PIPE,
                    start_new_session=True,
                    limit=LONGEST_LINE,
                )
                self.listening = asyncio.create_task(self.listen(self.process))

    async def listen(self, process: Process) -> None:
        """Until the process ends, or says something that we do not understand."""
        reason = "it has ended"
        try:
            while process.stdout and (line := await process.stdout.readline()):
                reply = decode_line(line, cast(type[Reply], Reply))
                self.has_spoken, self.missed_pulses = True, 0
                if not isinstance(reply, Alive):
                    self.replies.put_nowait(reply)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        self.replies.put_nowait(NoReply(reason))

    def check_pulse(self) -> None:
        """Called a few times a second. Counted in checks, not in seconds: when the server itself
        was held up, that is no fault of the process."""
        self.missed_pulses += 1
        if self.missed_pulses > MOST_MISSED and self.process and not self.is_lost:
            log.warning("a process of the computer says nothing any more")
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()  # then the pipe ends, and whoever waits is told

    async def ask(
        self, question: Warm | Think | Read | Draw, seconds: float, on_progress: OnProgress
    ) -> Final:
        """What it says at last. Its time begins when it is ready."""
        self.is_ready = False
        async with as_no_reply():
            await self.begin()
            await self._send(question)
            reply = await self._wait(LOADING, seconds, on_progress)
        if isinstance(question, Warm):
            self.warm.add(question.name)
        elif isinstance(question, Think):
            self.warm.add(question.spec.partition(":")[0])
        return reply

    def forget(self, match: str) -> None:
        """It leaves its room to others, as soon as the process has nothing else to do."""
        if match not in self.matches:
            return
        self.matches.remove(match)
        if self.process and self.process.stdin and not self.process.stdin.is_closing():
            self.process.stdin.write(encode_line(Forget(match)))

    async def stop(self) -> None:
        """End the search, not the process; what it compiles it may finish."""
        async with as_no_reply():
            await self._send(Stop())
            await self._wait(GRACE if self.is_ready else COMPILING, GRACE, ignore_progress)

    async def end(self, at_once: bool = False) -> None:
        """The process ends with its pipe, or by force. It is ours until it is gone: who is
        interrupted here can end it again."""
        process = self.process
        self.warm.clear()
        self.matches.clear()
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 0 if at_once else GRACE)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self.listening:
            self.listening.cancel()
        self.process = self.listening = None

    async def _send(self, question: Question) -> None:
        if self.process is None or self.process.stdin is None:
            raise NoReply("there is no process")
        self.process.stdin.write(encode_line(question))
        async with asyncio.timeout(GRACE):
            await self.process.stdin.drain()

    async def _wait(self, first: float, then: float, on_progress: OnProgress) -> Final:
        """What it says at last, within some time until it is ready and some time from then on."""
        now = asyncio.get_running_loop().time
        async with asyncio.timeout(first) as limit:
            while not isinstance(heard := await self.replies.get(), Final):
                if isinstance(heard, NoReply):
                    raise heard
                if isinstance(heard, Preparing):
                    limit.reschedule(now() + COMPILING)
                elif isinstance(heard, Ready):
                    self.is_ready = True
                    limit.reschedule(now() + then)
                on_progress(heard)
        return heard


@contextlib.asynccontextmanager
async def as_no_reply() -> AsyncIterator[None]:
    """Whatever goes wrong with a process means the same to us."""
    try:
        yield
    except NoReply:
        raise
    except TimeoutError:
        raise LateReply("it did not answer in time") from None
    except Exception as error:
        raise NoReply(f"{type(error).__name__}: {error}") from error
