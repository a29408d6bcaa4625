"""The socket of one open table: what comes in is bounded, checked, and answered in turn."""

from __future__ import annotations

import asyncio
import logging
import time

from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from roundel.core.lang import _, current
from roundel.web.requests.devices import who_is
from roundel.web.requests.malformed import ERRORS, malformed
from roundel.web.requests.problems import Problem, problem_of
from roundel.web.requests.rates import Bucket
from roundel.web.requests.visitors import visitor_of
from roundel.web.sockets.admission import make_room
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
LONGEST_PAUSE = 1.0  # seconds; it may be gone meanwhile
LONGEST_PROTOCOL = 16  # characters of what is repeated in a refusal
MISSING, FULL = 4404, 1013  # codes with which a socket is closed
CLOSING = {"busy": FULL, "reload": 4426}  # for these problems, and for all others as if missing

log = logging.getLogger(__name__)


async def table_socket(scope: Scope, receive: Receive, send: Send) -> None:
    socket = WebSocket(scope, receive, send)
    if scope["path"] != PATH:
        return await socket.close()
    try:
        await socket.accept()
    except (*GONE, WebSocketDisconnect):
        return  # while they waited for their turn
    await SocketSession(socket.app.state.server, socket, send).run(receive)


def check_protocol(spoken: str) -> None:
    """A page from before an upgrade may not understand us; whoever does not say is trusted."""
    if spoken != str(PROTOCOL):
        text = _(
            "the page speaks protocol {found!r} and the server {known}; please reload the page"
        )
        raise Problem("reload", text.format(found=spoken[:LONGEST_PROTOCOL], known=PROTOCOL))


def refusal(server: ServerState, id: str, error: Exception) -> str:
    problem = problem_of(error)
    server.metrics.refused.labels(problem.code).inc()
    if problem.code == "error":
        server.metrics.errors.inc()
        log.error("a message could not be answered", exc_info=error)
    return packed(Refused(id, problem.code, problem.reason, problem.retry))


class SocketSession:
    """One socket from its first message to its last."""

    table: Table
    client: Client | None = None  # as soon as the table is there
    is_sent_away = False

    def __init__(self, server: ServerState, socket: WebSocket, send: Send) -> None:
        self.server, self.socket, self.send = server, socket, send
        self.visitor = visitor_of(socket.scope, socket.headers)
        self.rate = server.settings.messages
        self.bucket = Bucket(self.full, time.monotonic())

    @property
    def full(self) -> float:
        return self.rate * self.server.settings.burst

    async def run(self, receive: Receive) -> None:
        sockets, gauge = self.server.sockets, self.server.metrics.sockets
        try:
            make_room(sockets, self.visitor)
        except Problem as problem:
            return await self.refuse(problem)
        sockets.take(self.visitor, self)
        gauge.set(sockets.count)
        try:
            await self.come_in(receive)
        except GONE:
            pass  # in the middle of something
        finally:
            sockets.leave(self.visitor, self)
            gauge.set(sockets.count)

    async def come_in(self, receive: Receive) -> None:
        asked = self.socket.query_params
        try:
            check_protocol(asked.get("protocol", str(PROTOCOL)))
            self.table = await self.server.table(asked.get("match", ""))
        except Exception as error:
            return await self.refuse(error)
        if self.is_sent_away:
            return await self.socket.close(FULL)
        client = self.client = self.new_client()
        try:
            self.table.enter(client)
            while client.closing is None:
                message = await receive()
                if message["type"] == "websocket.disconnect":
                    break
                await self.server.shares.turn(self.visitor.address)
                await self.handle(client, message.get("text"))
        finally:
            self.table.leave(client)
            if client.closing == SLOW:
                self.server.metrics.dropped.inc()

    async def refuse(self, error: Exception) -> None:
        await self.socket.send_text(refusal(self.server, "", error))
        await self.socket.close(CLOSING.get(problem_of(error).code, MISSING))

    def new_client(self) -> Client:
        who = who_is(self.socket.headers)
        views = self.socket.query_params.get("views") != "no"
        audience = Audience(current(), self.table.seating.seats_of(who), views)
        return Client(self.send, audience, who, self.visitor, self.server.settings.unsent)

    def send_away(self) -> None:
        """Somebody who has fewer sockets gets this one's place."""
        self.is_sent_away = True
        if self.client:
            self.client.drop(FULL)

    async def handle(self, client: Client, text: str | None) -> None:
        id = ""
        try:
            if wait := self.bucket.take(self.rate, self.full, time.monotonic()):
                client.push(refusal(self.server, id, too_many(wait)))
                # Meanwhile nothing is read: refusals cost as well.
                return await asyncio.sleep(min(wait, LONGEST_PAUSE))
            try:
                message = decode(text or "")
            except ERRORS as error:
                raise Problem("invalid", malformed(error)) from None
            if isinstance(message, Ping):
                client.push(packed(Pong()))
            elif isinstance(message, Sync):
                client.push(packed(snapshot(self.table, client.audience)))
            elif isinstance(message, Demand) and message.what == "hint":
                # Takes a while: meanwhile others are heard.
                self.server.spawn(self.hint(client, message))
            else:
                id, seen = message.id, self.table.seq
                answer = await dispatch.answer(self.table, client.who, message, self.visitor)
                if not self.table.has_answered(message.seat, id, seen):
                    client.push(packed(answer))
        except Exception as error:
            client.push(refusal(self.server, id, error))

    async def hint(self, client: Client, message: Demand) -> None:
        try:
            answer = await dispatch.hint(self.table, client.who, message, client.visitor)
            client.push(packed(answer))
        except Exception as error:
            client.push(refusal(self.server, message.id, error))


def too_many(wait: float) -> Problem:
    return Problem("busy", _("too many messages; please wait a moment"), wait)
