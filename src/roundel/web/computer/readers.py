"""Records that people send are read in a process of their own: nobody else waits for that."""

from __future__ import annotations

import logging

from roundel.core.lang import _, current
from roundel.web.computer.fair_queue import Busy
from roundel.web.computer.pool import Pool
from roundel.web.computer.questions import MatchRead, Read, RecordRefused
from roundel.web.computer.worker_process import COMMAND, LateReply, NoReply, ignore_progress
from roundel.web.requests.problems import Problem
from roundel.web.requests.visitors import Visitor

READERS = 1
WAITING = 16  # records that may wait
LIMIT = 5.0  # seconds for a record; the largest that is allowed takes less than one

log = logging.getLogger(__name__)


class Readers(Pool):
    def __init__(self, command: tuple[str, ...] = COMMAND, limit: float = LIMIT) -> None:
        super().__init__(READERS, WAITING, command)
        self.limit = limit

    async def read(self, content: str, visitor: Visitor) -> MatchRead:
        """The match in a record, or the error that says what is wrong with it."""
        question = Read(content, current())
        for _attempt in range(2):  # a process may have died for another reason
            try:
                async with self._worker("", visitor) as worker:
                    reply = await worker.ask(question, self.limit, ignore_progress)
            except LateReply:
                raise Problem("size", _("reading this record takes too long")) from None
            except Busy:
                text = _("too many records are being read; please try again in a moment")
                raise Busy(text) from None
            except NoReply as error:
                log.warning("a process that reads records is replaced: %s", error)
                continue
            if isinstance(reply, MatchRead):
                return reply
            if isinstance(reply, RecordRefused):
                raise Problem(reply.code, reply.reason)
            log.warning("a record could not be read: %s", reply)
        raise Problem("error", _("something went wrong on the server; this has been logged"))
