"""The socket of one open table: what comes in is bounded, checked, and answered in turn."""

from __future__ import annotations

import logging
import time

from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from roundel.core.lang import _, current
from roundel.web import asking
from roundel.web.devices import who_is
from roundel.web.guests import GONE, Guest
from roundel.web.hall import Hall
from roundel.web.malformed import ERRORS, malformed
from roundel.web.messages import Ack, Demand, Ping, Pong, Refused, Sync, decode, packed
from roundel.web.problems import Problem, problem_of
from roundel.web.rates import Bucket
from roundel.web.serial import Audience, snapshot
from roundel.web.table import Table
from roundel.web.visitors import visitor_of

PATH = "/ws"
MISSING, FULL = 4404, 1013  # codes with which a socket is closed
FULL_RETRY = 5.0

log = logging.getLogger(__name__)


async def table_socket(scope: Scope, receive: Receive, send: Send) -> None:
    socket = WebSocket(scope, receive, send)
    hall: Hall = socket.app.state.hall
    if scope["path"] != PATH:
        return await socket.close()
    await socket.accept()
    try:
        table = await admitted(hall, socket)
    except Exception as error:
        code = FULL if hall.sockets >= hall.settings.sockets else MISSING
        await socket.send_text(refusal(hall, "", error))
        await socket.close(code)
        return
    await Visit(hall, table, socket, send).stay(receive)


async def admitted(hall: Hall, socket: WebSocket) -> Table:
    if hall.sockets >= hall.settings.sockets:
        text = _("too many people are here; please try again in a moment")
        raise Problem("busy", text, FULL_RETRY)
    return await hall.table(socket.query_params.get("match", ""))


def refusal(hall: Hall, id: str, error: Exception) -> str:
    problem = problem_of(error)
    hall.metrics.refused.labels(problem.code).inc()
    if problem.code == "error":
        hall.metrics.errors.inc()
        log.error("a message could not be answered", exc_info=error)
    return packed(Refused(id, problem.code, problem.reason, problem.retry))


class Visit:
    """One socket from its first message to its last."""

    def __init__(self, hall: Hall, table: Table, socket: WebSocket, send: Send) -> None:
        self.hall, self.table = hall, table
        who = who_is(socket.headers)
        views = socket.query_params.get("views") != "no"
        audience = Audience(current(), table.seats_of(who), views)
        visitor = visitor_of(socket.scope, socket.headers)
        self.guest = Guest(send, audience, who, visitor, hall.settings.unsent)
        self.rate = hall.settings.messages
        self.bucket = Bucket(self.full, time.monotonic())

    @property
    def full(self) -> float:
        return self.rate * self.hall.settings.burst

    async def stay(self, receive: Receive) -> None:
        self.hall.sockets += 1
        self.hall.metrics.sockets.set(self.hall.sockets)
        try:
            self.table.enter(self.guest)
            while self.guest.closing is None:
                message = await receive()
                if message["type"] == "websocket.disconnect":
                    break
                await self.hear(message.get("text"))
        except GONE:
            pass  # in the middle of something
        finally:
            self.table.leave(self.guest)
            self.hall.sockets -= 1
            self.hall.metrics.sockets.set(self.hall.sockets)

    async def hear(self, text: str | None) -> None:
        id = ""
        try:
            if wait := self.bucket.take(self.rate, self.full, time.monotonic()):
                raise Problem("busy", _("too many messages; please wait a moment"), wait)
            try:
                message = decode(text or "")
            except ERRORS as error:
                raise Problem("invalid", malformed(error)) from None
            if isinstance(message, Ping):
                self.guest.push(packed(Pong()))
            elif isinstance(message, Sync):
                self.guest.push(packed(snapshot(self.table, self.guest.audience)))
            elif isinstance(message, Demand) and message.what == "hint":
                self.hall.spawn(self.hint(message))  # takes a while: meanwhile others are heard
            else:
                id, seen = message.id, self.table.seq
                answer = await asking.answer(self.table, self.guest.who, message)
                if not (id and isinstance(answer, Ack) and answer.seq > seen):
                    self.guest.push(packed(answer))  # otherwise the event itself has told it
        except Exception as error:
            self.guest.push(refusal(self.hall, id, error))

    async def hint(self, message: Demand) -> None:
        try:
            answer = await asking.hint(self.table, self.guest.who, message, self.guest.visitor)
            self.guest.push(packed(answer))
        except Exception as error:
            self.guest.push(refusal(self.hall, message.id, error))
