"""The socket of one open table: what comes in is bounded, checked, and answered in turn."""

from __future__ import annotations

import logging
import time

from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from roundel.core.lang import _, current
from roundel.web.requests.devices import who_is
from roundel.web.requests.malformed import ERRORS, malformed
from roundel.web.requests.problems import Problem, problem_of
from roundel.web.requests.rates import Bucket
from roundel.web.requests.visitors import visitor_of
from roundel.web.sockets.clients import GONE, SLOW, Client
from roundel.web.tables import dispatch
from roundel.web.tables.messages import (
    PROTOCOL,
    Demand,
    Ping,
    Pong,
    Refused,
    Sync,
    decode,
    packed,
)
from roundel.web.tables.rendering import Audience, snapshot
from roundel.web.tables.server_state import ServerState
from roundel.web.tables.table import Table

PATH = "/ws"
MISSING, OUTDATED, FULL = 4404, 4426, 1013  # codes with which a socket is closed
FULL_RETRY = 5.0
LONGEST_PROTOCOL = 16  # characters of what is repeated in a refusal

log = logging.getLogger(__name__)


async def table_socket(scope: Scope, receive: Receive, send: Send) -> None:
    socket = WebSocket(scope, receive, send)
    server: ServerState = socket.app.state.server
    if scope["path"] != PATH:
        return await socket.close()
    await socket.accept()
    try:
        table = await admit(server, socket)
    except Exception as error:
        await socket.send_text(refusal(server, "", error))
        await socket.close(closing_code(server, error))
        return
    await SocketSession(server, table, socket, send).run(receive)


async def admit(server: ServerState, socket: WebSocket) -> Table:
    if server.sockets >= server.settings.sockets:
        text = _("too many people are here; please try again in a moment")
        raise Problem("busy", text, FULL_RETRY)
    check_protocol(socket.query_params.get("protocol", str(PROTOCOL)))
    return await server.table(socket.query_params.get("match", ""))


def check_protocol(spoken: str) -> None:
    """A page from before an upgrade may not understand us; whoever does not say is trusted."""
    if spoken != str(PROTOCOL):
        text = _(
            "the page speaks protocol {found!r} and the server {known}; please reload the page"
        )
        raise Problem("reload", text.format(found=spoken[:LONGEST_PROTOCOL], known=PROTOCOL))


def closing_code(server: ServerState, error: Exception) -> int:
    if server.sockets >= server.settings.sockets:
        return FULL
    return OUTDATED if problem_of(error).code == "reload" else MISSING


def refusal(server: ServerState, id: str, error: Exception) -> str:
    problem = problem_of(error)
    server.metrics.refused.labels(problem.code).inc()
    if problem.code == "error":
        server.metrics.errors.inc()
        log.error("a message could not be answered", exc_info=error)
    return packed(Refused(id, problem.code, problem.reason, problem.retry))


class SocketSession:
    """One socket from its first message to its last."""

    def __init__(self, server: ServerState, table: Table, socket: WebSocket, send: Send) -> None:
        self.server, self.table = server, table
        who = who_is(socket.headers)
        views = socket.query_params.get("views") != "no"
        audience = Audience(current(), table.seating.seats_of(who), views)
        visitor = visitor_of(socket.scope, socket.headers)
        self.client = Client(send, audience, who, visitor, server.settings.unsent)
        self.rate = server.settings.messages
        self.bucket = Bucket(self.full, time.monotonic())

    @property
    def full(self) -> float:
        return self.rate * self.server.settings.burst

    async def run(self, receive: Receive) -> None:
        self.server.sockets += 1
        self.server.metrics.sockets.set(self.server.sockets)
        try:
            self.table.enter(self.client)
            while self.client.closing is None:
                message = await receive()
                if message["type"] == "websocket.disconnect":
                    break
                await self.handle(message.get("text"))
        except GONE:
            pass  # in the middle of something
        finally:
            self.table.leave(self.client)
            if self.client.closing == SLOW:
                self.server.metrics.dropped.inc()
            self.server.sockets -= 1
            self.server.metrics.sockets.set(self.server.sockets)

    async def handle(self, text: str | None) -> None:
        id = ""
        try:
            if wait := self.bucket.take(self.rate, self.full, time.monotonic()):
                raise Problem("busy", _("too many messages; please wait a moment"), wait)
            try:
                message = decode(text or "")
            except ERRORS as error:
                raise Problem("invalid", malformed(error)) from None
            if isinstance(message, Ping):
                self.client.push(packed(Pong()))
            elif isinstance(message, Sync):
                self.client.push(packed(snapshot(self.table, self.client.audience)))
            elif isinstance(message, Demand) and message.what == "hint":
                self.server.spawn(self.hint(message))  # takes a while: meanwhile others are heard
            else:
                id, seen = message.id, self.table.seq
                answer = await dispatch.answer(self.table, self.client.who, message)
                if not self.table.has_answered(message.seat, id, seen):
                    self.client.push(packed(answer))
        except Exception as error:
            self.client.push(refusal(self.server, id, error))

    async def hint(self, message: Demand) -> None:
        try:
            answer = await dispatch.hint(self.table, self.client.who, message, self.client.visitor)
            self.client.push(packed(answer))
        except Exception as error:
            self.client.push(refusal(self.server, message.id, error))
