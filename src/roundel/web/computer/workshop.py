"""What takes long and is no search is done in a process of its own: nobody else waits for that.

It reads records that people send, and draws pictures of positions.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import TypeVar

from roundel.core.errors import RoundelError
from roundel.core.lang import _, current
from roundel.web.computer.fair_queue import Busy
from roundel.web.computer.pool import Pool
from roundel.web.computer.questions import Draw, Drawn, MatchRead, Read, RecordRefused
from roundel.web.computer.worker_process import COMMAND, LateReply, NoReply, ignore_progress
from roundel.web.requests.problems import Problem
from roundel.web.requests.visitors import Visitor

PROCESSES = 1
WAITING = 16  # records and pictures that may wait
LIMIT = 5.0  # seconds for one; the largest record takes less than one, a picture a tenth
KEPT = 16  # pictures of a quarter of a megabyte each

Done = TypeVar("Done")
log = logging.getLogger(__name__)


class Workshop(Pool):
    def __init__(self, command: tuple[str, ...] = COMMAND, limit: float = LIMIT) -> None:
        super().__init__(PROCESSES, WAITING, command)
        self.limit = limit
        self.pictures: OrderedDict[Draw, bytes] = OrderedDict()  # the one used last is the last

    async def read(self, content: str, visitor: Visitor) -> MatchRead:
        """The match in a record, or the error that says what is wrong with it."""
        late = Problem("size", _("reading this record takes too long"))
        question = Read(content, current())
        reply: MatchRead | RecordRefused
        reply = await self._ask(question, (MatchRead, RecordRefused), visitor, late)
        if isinstance(reply, RecordRefused):
            raise Problem(reply.code, reply.reason)
        return reply

    async def draw(self, svg: str, width: int, visitor: Visitor) -> bytes:
        """The PNG of an SVG. The last few are kept: they may be asked for by many."""
        question = Draw(svg, width)
        if question not in self.pictures:
            late = Busy(_("drawing the picture takes too long; please try again in a moment"))
            self.pictures[question] = (await self._ask(question, (Drawn,), visitor, late)).png
        self.pictures.move_to_end(question)
        while len(self.pictures) > KEPT:
            self.pictures.popitem(last=False)
        return self.pictures[question]

    async def _ask(
        self,
        question: Read | Draw,
        expected: tuple[type[Done], ...],
        visitor: Visitor,
        late: RoundelError,
    ) -> Done:
        for _attempt in range(2):  # a process may have died for another reason
            try:
                async with self._worker("", visitor) as worker:
                    reply = await worker.ask(question, self.limit, ignore_progress)
            except LateReply:
                raise late from None
            except Busy:
                text = _("too many records and pictures are waiting; please try again in a moment")
                raise Busy(text) from None
            except NoReply as error:
                log.warning("a process that reads and draws is replaced: %s", error)
                continue
            if isinstance(reply, expected):
                return reply
            log.warning("a record or picture failed: %s", reply)
        raise Problem("error", _("something went wrong on the server; this has been logged"))
