"""The computer at a table: it sits like everybody else, and its late answers are refused."""

from __future__ import annotations

import asyncio
import logging
import secrets
import weakref
from typing import TYPE_CHECKING

from roundel.core.lang import _
from roundel.play import commands as c
from roundel.play.setup import COMPUTER
from roundel.play.submit import Refusal
from roundel.web.computers import Answer, Busy, Tell, Thought
from roundel.web.messages import Hint, Thinking

if TYPE_CHECKING:
    from roundel.web.table import Table

HELPER = 7  # the level that gives hints
AGAIN = 1.0  # seconds until a busy computer is asked again

log = logging.getLogger(__name__)


class Thinker:
    """Asks the computer whenever it is to act, and no longer than its answer is wanted."""

    def __init__(self, table: Table) -> None:
        self.table: Table = weakref.proxy(table)  # without a cycle a table is gone at once
        self.task: asyncio.Task[None] | None = None
        self.asked = -1  # what the match looked like when we last looked
        self.hinting: asyncio.Task[Hint] | None = None

    @property
    def is_busy(self) -> bool:
        return self.task is not None and not self.task.done()

    def look(self) -> None:
        """Begin to think, or stop it."""
        match, hall = self.table.match, self.table.hall
        if self.asked != match.changed:
            self.stop()
            self.asked = match.changed
        seat = match.turn
        is_watched = bool(match.people or self.table.guests)  # computers alone wait for somebody
        if seat is None or match.seats[seat].kind != COMPUTER or not is_watched:
            return
        if not self.is_busy:
            self.task = hall.spawn(self.act(seat))

    def stop(self) -> None:
        for task in (self.task, self.hinting):
            if task and not task.done() and task is not asyncio.current_task():
                task.cancel()
        self.task = self.hinting = None

    async def act(self, seat: int) -> None:
        table, match = self.table, self.table.match
        after, ply, level = match.seq, match.ply, match.seats[seat].level
        begun = asyncio.get_running_loop().time()
        table.tell(Thinking(seat))
        answer = await self.answer(seat, level)
        took = asyncio.get_running_loop().time() - begun
        table.hall.metrics.thinking.labels(str(level)).observe(took)
        if table.guests:
            await asyncio.sleep(table.hall.settings.pace - took)  # so that it can be followed
        table.tell(Thinking(None))
        if answer.note:
            table.tell_words(answer.note)
        await self.submit(c.Act(seat, ply, answer.action, after=after))

    async def submit(self, command: c.Act) -> None:
        """Through the same door as everybody; a full server is asked again."""
        while True:
            try:
                await self.table.perform(command)
                return
            except Refusal as error:
                if error.code != "busy":
                    log.info("late answer at %s: %s", self.table.id, error)
                    return
            await asyncio.sleep(AGAIN)

    async def answer(self, seat: int, level: int) -> Answer:
        def tell(thought: Thought) -> None:
            self.table.tell(Thinking(seat, thought.seconds, thought.depth, thought.value))

        while True:
            try:
                return await self.ask(level, tell)
            except Busy:
                await asyncio.sleep(AGAIN)

    async def ask(self, level: int, tell: Tell) -> Answer:
        hall, position = self.table.hall, self.table.match.position
        await hall.wake_computers()
        choose, seed = hall.computers.choose, secrets.randbits(32)
        # A position's text carries all that is needed, also if a player has left.
        return await choose(position.game.spec, position.fen(), [], level, seed, tell)

    # -- Hints ------------------------------------------------------------------

    async def hint(self, seat: int, id: str) -> Hint:
        """What the computer would do; only where it harms nobody, and one at a time."""
        if reason := self.table.hint_refusal():
            raise Refusal("not_now", _(reason))
        if seat != self.table.match.turn:
            raise Refusal("turn", _("it is not your turn"))
        if self.hinting and not self.hinting.done():
            raise Refusal("not_now", _("the computer is thinking about a hint already"))
        self.hinting = self.table.hall.spawn(self.help(id))
        try:
            return await asyncio.shield(self.hinting)
        except Busy as error:
            raise Refusal("busy", str(error)) from None
        except asyncio.CancelledError:
            raise Refusal("stale", _("the match has gone on")) from None

    async def help(self, id: str) -> Hint:
        position = self.table.match.position
        answer = await self.ask(HELPER, lambda thought: None)
        spots = list(position.clicks(position.read(answer.action)))
        return Hint(id, answer.action, spots, " ".join(answer.line), answer.value)
