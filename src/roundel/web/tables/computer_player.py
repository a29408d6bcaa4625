"""The computer at a table: it sits like everybody else, and its late answers are refused."""

from __future__ import annotations

import asyncio
import logging
import secrets
import weakref
from typing import TYPE_CHECKING

from roundel.core.lang import _
from roundel.play import commands as c
from roundel.play.match import OVER, Match
from roundel.play.setup import COMPUTER
from roundel.play.submit import Refusal
from roundel.web.computer.computers import (
    Busy,
    ChosenAction,
    OnProgress,
    Preparing,
    Progress,
    SearchProgress,
    ignore_progress,
)
from roundel.web.computer.questions import Think
from roundel.web.requests.visitors import Visitor
from roundel.web.tables.broadcast import broadcast, broadcast_text
from roundel.web.tables.messages import Hint, Thinking
from roundel.web.tables.supervision import restart_on_failure

if TYPE_CHECKING:
    from roundel.web.tables.table import Table

HELPER = 7  # the level that gives hints
AGAIN = 1.0  # seconds before a busy computer or store is asked again

MOST_REPLAYED = 500  # actions; many times what games have in which trees are kept

log = logging.getLogger(__name__)


def start_and_actions(match: Match) -> tuple[str, list[str]]:
    """How the current position came about: a text to start from ("" for the start of the game) and
    what was played since.

    No action leads to the second game of a pair, nor to the position without a player who left:
    it begins with their text. A very long game is not replayed for each question.
    """
    count = len(match.position.actions)
    if count > MOST_REPLAYED:
        return match.position.fen(), []
    start = match.positions[-1 - count]
    is_first = start.game.start().actions_to(start) is not None
    played = [entry.text for entry in match.entries[match.ply - count :]]
    return "" if is_first else start.fen(), played


class ComputerPlayer:
    """Asks the computer whenever it is to act, and no longer than its answer is wanted."""

    def __init__(self, table: Table) -> None:
        self.table: Table = weakref.proxy(table)  # without a cycle a table is gone at once
        self.task: asyncio.Task[None] | None = None
        self.seen = -1  # what the match looked like when we last looked
        self.hinting: asyncio.Task[Hint] | None = None
        self.announced = Thinking(None)  # what was told last, for those who come later

    @property
    def is_busy(self) -> bool:
        return self.task is not None and not self.task.done()

    def update(self) -> None:
        """Begin to think, or stop it."""
        match, server = self.table.match, self.table.server
        if self.seen != match.changed:
            self.stop()
            self.seen = match.changed
        if match.status == OVER:
            server.computers.forget(self.table.id)
        seat = match.turn
        if seat is None or match.seats[seat].kind != COMPUTER or not self.table.is_watched:
            return
        if not self.is_busy:
            self.task = server.spawn(self.act(seat))

    def close(self) -> None:
        """Also what is under way in this very task: it is not tried again."""
        for task in (self.task, self.hinting):
            if task:
                task.cancel()
        self.stop()
        self.table.server.computers.forget(self.table.id)

    def stop(self) -> None:
        for task in (self.task, self.hinting):
            if task and not task.done() and task is not asyncio.current_task():
                task.cancel()
        self.task = self.hinting = None
        if self.announced.seat is not None:  # whoever was told that it thinks is told that it stops
            self.announce(Thinking(None))

    async def act(self, seat: int) -> None:
        """Whatever goes wrong, somebody waits for it: it is tried again."""
        server = self.table.server
        await restart_on_failure("computer", lambda: self.act_once(seat), server.metrics.restarts)

    async def act_once(self, seat: int) -> None:
        table, match = self.table, self.table.match
        after, ply, level = match.seq, match.ply, match.seats[seat].level
        begun = asyncio.get_running_loop().time()
        self.announce(Thinking(seat))
        answer = await self.answer(seat, level)
        took = asyncio.get_running_loop().time() - begun
        table.server.metrics.thinking.labels(str(level)).observe(took)
        if table.seating.clients:
            await asyncio.sleep(table.server.settings.pace - took)  # so that it can be followed
        self.announce(Thinking(None))
        if answer.note:
            broadcast_text(table, answer.note)
        await self.submit(c.Act(seat, ply, answer.action, after=after))

    def announce(self, message: Thinking) -> None:
        self.announced = message
        broadcast(self.table, message)

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

    async def answer(self, seat: int, level: int) -> ChosenAction:
        def on_progress(progress: Progress) -> None:
            if isinstance(progress, SearchProgress):
                so_far = progress.seconds, progress.depth, progress.value
                self.announce(Thinking(seat, *so_far))
            else:
                self.announce(Thinking(seat, preparing=isinstance(progress, Preparing)))

        while True:
            try:
                return await self.ask(level, on_progress, self.table.charged_visitor)
            except Busy:
                await asyncio.sleep(AGAIN)

    async def ask(self, level: int, on_progress: OnProgress, visitor: Visitor) -> ChosenAction:
        """The computer's time is charged to a visitor."""
        server, position = self.table.server, self.table.match.position
        await server.start_computers()
        start, actions = start_and_actions(self.table.match)
        seed = secrets.randbits(32)
        question = Think(position.game.spec, start, actions, level, seed, match=self.table.id)
        return await server.computers.choose(question, on_progress, visitor)

    # -- Hints ------------------------------------------------------------------

    async def hint(self, seat: int, id: str, visitor: Visitor) -> Hint:
        """What the computer would do; only where it harms nobody, and one at a time."""
        if reason := self.table.hint_refusal():
            raise Refusal("not_now", _(reason))
        if seat != self.table.match.turn:
            raise Refusal("turn", _("it is not your turn"))
        if self.hinting and not self.hinting.done():
            raise Refusal("not_now", _("the computer is thinking about a hint already"))
        self.hinting = self.table.server.spawn(self.find_hint(id, visitor))
        try:
            return await asyncio.shield(self.hinting)
        except Busy as error:
            raise Refusal("busy", str(error)) from None
        except asyncio.CancelledError:
            raise Refusal("stale", _("the match has moved on")) from None

    async def find_hint(self, id: str, visitor: Visitor) -> Hint:
        position = self.table.match.position
        answer = await self.ask(HELPER, ignore_progress, visitor)
        spots = list(position.clicks(position.read(answer.action)))
        return Hint(id, answer.action, spots, " ".join(answer.line), answer.value)
