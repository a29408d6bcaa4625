"""The protocols of uvicorn with bounds: how large things are, and when they are read."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState as UvicornState
from websockets.frames import CloseCode, Frame

from roundel.web.http.connections import HEAD_TIME, Connection, Connections, Transport

LARGEST_HEAD = 16 * 1024  # bytes: browsers send one or two thousand
BODY_TIME = 30.0  # seconds for a body: half a megabyte on a slow line
MOST_UNWANTED = 4 << 20  # bytes: who is refused while they send is to see why
MOST_AHEAD = 50  # requests that wait behind the one that is being answered: browsers send none
MOST_PARTS = 64  # of a message of a socket: browsers send one
CLOSE_TIME = 2.0  # seconds for the other side to close a socket as well
TOO_LARGE = "the head of the request is too large; at most {most} bytes\n"


class BoundedState(UvicornState):
    """What uvicorn hands to each of its protocols."""

    def __init__(self, connections: Connections) -> None:
        super().__init__()
        self.bounds = connections


class ReadsInTurn(asyncio.Protocol, ABC):
    """What comes in is taken in when it is the turn of the address. It may be there before, on any
    number of connections: then it waits, and nothing more is read meanwhile."""

    bounds: Connections
    connection: Connection
    transport: Transport
    loop: asyncio.AbstractEventLoop
    held = b""  # what has come and waits
    waiting: asyncio.Task[None] | None = None

    @abstractmethod
    def take_in(self, data: bytes) -> None:
        """It is their turn."""

    @property
    @abstractmethod
    def is_full(self) -> bool:
        """Whether nothing should be read for other reasons."""

    def data_received(self, data: bytes) -> None:
        if self.waiting or self.bounds.waits(self.connection):
            self.held += data
            self.wait()
        else:
            self.read(data)

    def read(self, data: bytes) -> None:
        self.bounds.read(self.connection, self.take_in, data)
        is_mine = self.transport.get_protocol() is self  # and not a socket's by now
        if is_mine and self.bounds.waits(self.connection):
            self.wait()

    def wait(self) -> None:
        self.transport.pause_reading()
        if self.waiting is None:
            self.waiting = self.loop.create_task(self.read_on())

    async def read_on(self) -> None:
        await self.bounds.turn(self.connection)
        self.waiting, held, self.held = None, self.held, b""
        if held and not self.transport.is_closing():
            self.read(held)
        if not (self.waiting or self.is_full or self.transport.is_closing()):
            self.transport.resume_reading()

    def stop_waiting(self) -> None:
        """Those who are gone would hold up the others who wait."""
        if self.waiting:
            self.waiting.cancel()


class HttpConnection(ReadsInTurn, HttpToolsProtocol):
    server_state: BoundedState
    is_head, is_body = True, False  # what is to come
    head = 0  # bytes of it so far
    around = 0  # bytes that came with a body since there was anything of the body in them
    unwanted = 0  # bytes of bodies that nobody reads any more
    cycle_now: RequestResponseCycle | None = None  # the one that is being answered

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.bounds = self.server_state.bounds
        self.connection = self.bounds.enter(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.bounds.leave(self.transport)
        self.stop_waiting()
        self.stop_answering()
        super().connection_lost(exc)
        self.pipeline.clear()  # they know us: cycles stay in memory for long
        self.cycle = None  # type: ignore[assignment]

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self.cycle_now = cycle
        super()._start_asgi_task(cycle, app)

    def stop_answering(self) -> None:
        """uvicorn only tells the last request that came: an earlier one would go on in vain, and
        fill the log with that."""
        if self.cycle_now:
            self.cycle_now.disconnected = True
            self.cycle_now.message_event.set()

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()  # also if it has to wait
        super().data_received(data)

    def take_in(self, data: bytes) -> None:
        if not (self.is_head or self.is_body):
            self.begin_head()
        if self.is_head:
            self.head += len(data)
        elif self.is_body:
            self.around += len(data)
        HttpToolsProtocol.data_received(self, data)
        if (self.is_head and self.head > LARGEST_HEAD) or self.around > LARGEST_HEAD:
            self.refuse_head()

    @property
    def is_full(self) -> bool:
        return self.flow.read_paused

    def on_message_begin(self) -> None:
        if not self.is_head:  # right behind another request
            self.begin_head()
        super().on_message_begin()

    def begin_head(self) -> None:
        self.is_head, self.is_body, self.head, self.around = True, False, 0, 0
        self.bounds.expect(self.connection, HEAD_TIME)

    def on_header(self, name: bytes, value: bytes) -> None:
        """What comes behind a body (trailers) is nothing that anybody here would read."""
        if self.is_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self.head = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if self.head > LARGEST_HEAD:
            raise ValueError  # refused in `send_400_response`
        if len(self.pipeline) >= MOST_AHEAD:
            self.bounds.cut_off(self.connection)
            raise ValueError  # the parser ends
        self.is_head, self.is_body = False, True
        self.bounds.expect(self.connection, BODY_TIME)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.around = 0
        super().on_body(body)
        if self.cycle.response_complete:
            self.unwanted += len(body)
            if self.unwanted > MOST_UNWANTED:
                self.flow.pause_reading()
                self.bounds.expect(self.connection, CLOSE_TIME)

    def on_message_complete(self) -> None:
        self.is_body, self.connection.due, self.around = False, None, 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        if self.transport.is_closing():
            return
        if self.is_head and self.head > LARGEST_HEAD:
            return self.refuse_head()
        super().send_400_response(msg)
        self.bounds.expect(self.connection, CLOSE_TIME)

    def refuse_head(self) -> None:
        text = TOO_LARGE.format(most=LARGEST_HEAD)
        head = f"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: {len(text)}\r\n"
        self.transport.write(f"{head}connection: close\r\n\r\n{text}".encode())
        self.transport.close()
        self.bounds.expect(self.connection, CLOSE_TIME)


class SocketConnection(ReadsInTurn, WebSocketsSansIOProtocol):
    def __init__(
        self,
        config: Config,
        server_state: BoundedState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.close_timeout = CLOSE_TIME
        self.bounds = server_state.bounds

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.connection = self.bounds.open[self.transport]
        self.connection.due = None  # now it waits for us

    def start_keepalive(self) -> None:
        """It has been accepted. Until then many may wait for that, and count with requests."""
        self.bounds.become_socket(self.connection)
        super().start_keepalive()

    def handle_cont(self, event: Frame) -> None:
        """Parts of a message may be empty: however many there are, it never gets too long."""
        if self.close_sent:
            return  # there may be thousands more in what has been read
        super().handle_cont(event)
        if len(self.frames) > MOST_PARTS:
            self.conn.fail(CloseCode.MESSAGE_TOO_BIG, "too many parts")
            self.handle_parser_exception()

    def take_in(self, data: bytes) -> None:
        """Pings and the like never come to a session, so their rate is bounded here."""
        WebSocketsSansIOProtocol.data_received(self, data)

    @property
    def is_full(self) -> bool:
        return self.read_paused

    def shutdown(self) -> None:
        """What was said and not heard yet may be long: nobody waits for that."""
        while not self.queue.empty():
            self.queue.get_nowait()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        self.bounds.leave(self.transport)
        self.stop_waiting()
        super().connection_lost(exc)
