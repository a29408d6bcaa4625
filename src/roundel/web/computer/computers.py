"""The computer at the table: a pool of processes that think, with deadlines.

If a process dies, falls silent or misses its deadline, the question is asked again, of a fresh one,
with the time that is left. When two fresh processes in a row have failed it, any legal action is
chosen, and the answer's `note` says so. Nothing heavy is imported here: the server is to start
quickly.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random

import msgspec

from roundel.core.lang import N_
from roundel.web.computer.fair_queue import Busy
from roundel.web.computer.pool import Pool
from roundel.web.computer.questions import (
    ChosenAction,
    Preparing,
    Progress,
    SearchProgress,
    Think,
    Warm,
)
from roundel.web.computer.worker_process import (
    COMMAND,
    COMPILING,
    NoReply,
    OnProgress,
    Worker,
    ignore_progress,
)
from roundel.web.requests.visitors import HOUSE, Visitor

__all__ = [
    "Busy",
    "ChosenAction",
    "Computers",
    "OnProgress",
    "Preparing",
    "Progress",
    "SearchProgress",
    "ignore_progress",
]

SLOWEST = 20_000  # nodes a second that any machine should manage
MARGIN = 1.0  # seconds: a process answers after half of it with what it has, or is ended
FRESH = 2  # processes that are begun for one question before any action will do
BRIEF = 1.0  # seconds at most of what need not leave a place for others
LEAST = 0.5  # seconds for a question that is asked again: many times what level 3 needs
SHORTER = N_("The computer had to start again and thought for less time.")
ANYTHING = N_("The computer could not think, so it played a random move.")

log = logging.getLogger(__name__)


def seconds_of(level: int) -> float:
    """How long a level may think; no request can say anything about it."""
    from roundel.search.levels import LEVELS

    asked = LEVELS[level]
    return asked.seconds or (asked.nodes or 0) / SLOWEST


def keeps_search(level: int) -> bool:
    """Whether what it finds helps its next search: with a limit of nodes each begins anew."""
    from roundel.search.levels import LEVELS

    return LEVELS[level].nodes is None


class Computers(Pool):
    """Processes that think for all tables, one table after the other."""

    def __init__(
        self,
        workers: int = 2,
        limit: int = 64,
        command: tuple[str, ...] = COMMAND,
        margin: float = MARGIN,
    ) -> None:
        super().__init__(workers, limit, command)
        self.margin = margin
        self.warming: set[str] = set()

    async def warm(self, name: str) -> None:
        """Load a game in one process after the other, so that one is always there for tables."""
        if name in self.warming:
            return
        self.warming.add(name)
        try:
            for _worker in self.workers:
                if all(name in worker.warm for worker in self.workers):
                    return
                with contextlib.suppress(NoReply):  # whoever asks it is told
                    async with self._worker(name, HOUSE, is_warm=False) as worker:
                        await worker.ask(Warm(name), COMPILING, ignore_progress)
        finally:
            self.warming.discard(name)

    async def choose(
        self,
        question: Think,
        on_progress: OnProgress = ignore_progress,
        visitor: Visitor = HOUSE,
    ) -> ChosenAction:
        """The action that a level chooses. To cancel this stops the search."""
        seconds = seconds_of(question.level)
        question = msgspec.structs.replace(question, seconds=seconds + self.margin / 2)
        name, is_brief = question.spec.partition(":")[0], seconds <= BRIEF
        match = question.match if keeps_search(question.level) else ""
        try:
            async with self._worker(name, visitor, is_brief=is_brief, match=match) as worker:
                return await self._ask(worker, question, on_progress)
        except NoReply:
            return anything(question)

    async def _ask(self, worker: Worker, question: Think, on_progress: OnProgress) -> ChosenAction:
        """Asked again, of a fresh process, for the time that is left."""
        now = asyncio.get_running_loop().time
        end, note = now() + question.seconds, ""
        for fresh in range(FRESH + 1):
            if fresh:
                await worker.end(at_once=True)
                seconds, note = max(LEAST, end - now()), SHORTER
                question = msgspec.structs.replace(question, seconds=seconds)
            if keeps_search(question.level):
                self.assign(question.match, worker)
            try:
                reply = await worker.ask(question, question.seconds + self.margin / 2, on_progress)
            except NoReply as error:
                log.warning("a process of the computer is replaced: %s", error)
                continue
            if isinstance(reply, ChosenAction):
                return msgspec.structs.replace(reply, note=note) if note else reply
            log.warning("the computer failed at %s: %s", question.spec, reply)
        raise NoReply("fresh processes failed as well")


def anything(question: Think) -> ChosenAction:
    """A legal action without any thought, here in the server: cheap, and it cannot fail."""
    from roundel.web.computer.answers import position_of

    position = position_of(question)
    action = random.Random(f"{question.seed} {position.fen()}").choice(position.legal())
    text = position.write(action)
    return ChosenAction(text, 0, line=[text], note=ANYTHING)
