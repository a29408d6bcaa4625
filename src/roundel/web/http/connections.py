"""Connections before anybody has asked for anything: how many there are, how large, how slow.

- An address has a share of them at most. If all are taken, the oldest of the address that has most
  makes room. Sockets are bounded by `sockets/admission.py` once they are accepted.
- The head of a request has a largest size, and must be there in time; so must its body; and who
  reads nothing of an answer is cut off.

uvicorn bounds none of this. These are its protocols, and a look once a second at all of them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState as UvicornState
from websockets.frames import CloseCode, Frame

from roundel.web.requests.places import Places
from roundel.web.requests.shares import Shares
from roundel.web.requests.visitors import Visitor, network_of
from roundel.web.settings import Settings

SHARE = 4  # an address may have one in so many of all connections
LARGEST_HEAD = 16 * 1024  # bytes: browsers send one or two thousand
HEAD_TIME = 10.0  # seconds for a head
BODY_TIME = 30.0  # seconds for a body: half a megabyte on a slow line
STALL_TIME = 30.0  # seconds in which something of an answer must be read
READ_TIME = 0.002  # seconds that the server takes for what comes in at once, at a guess
MOST_UNWANTED = 4 << 20  # bytes: who is refused while they send is to see why
MOST_PARTS = 64  # of a message of a socket: browsers send one
CLOSE_TIME = 2.0  # seconds for the other side to close a socket as well
TOO_LARGE = "the head of the request is too large; at most {most} bytes\n"

Transport = asyncio.Transport


class Connection:
    """What is known of one, whichever protocol it speaks by now."""

    __slots__ = ("due", "is_proxy", "prepaid", "stalled_at", "transport", "unsent", "visitor")

    def __init__(self, transport: Transport, visitor: Visitor, is_proxy: bool) -> None:
        self.transport, self.visitor, self.is_proxy = transport, visitor, is_proxy
        self.prepaid = 0.0  # seconds, for what will be read next
        self.due: float | None = None  # when what we wait for must be there
        self.unsent, self.stalled_at = 0, 0.0  # bytes, and since when they are as many

    def is_late(self, now: float) -> bool:
        unsent = self.transport.get_write_buffer_size()
        if unsent == 0 or unsent != self.unsent:
            self.unsent, self.stalled_at = unsent, now
        is_overdue = self.due is not None and now > self.due
        return is_overdue or now - self.stalled_at > STALL_TIME


class Connections:
    """All that are open."""

    def __init__(
        self, settings: Settings, shares: Shares, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.shares, limit = shares, settings.connections
        self.places: Places[Connection] = Places(limit, max(1, limit // SHARE), lead=1)
        self.is_proxy = trusted(settings.proxies)
        self.open: dict[Transport, Connection] = {}
        self.clock = clock

    def enter(self, transport: Transport) -> Connection:
        address: str = transport.get_extra_info("peername", ("",))[0]
        visitor, is_proxy = Visitor(network_of(address), ""), self.is_proxy(address)
        self.make_room(visitor, is_proxy)
        connection = self.open[transport] = Connection(transport, visitor, is_proxy)
        self.places.take(visitor, connection)
        self.expect(connection, HEAD_TIME)
        return connection

    def make_room(self, visitor: Visitor, is_proxy: bool) -> None:
        """Whoever comes last may be the one who wants something: an old one makes room."""
        address = self.places.crowded(visitor)
        if address is None or (is_proxy and self.places.count < self.places.limit):
            return  # behind a proxy there are many visitors
        self.cut_off(self.places.oldest(Visitor(address, "")))

    def become_socket(self, connection: Connection) -> None:
        """It counts with the sockets from now on."""
        self.places.leave(connection.visitor, connection)

    def is_read(
        self, connection: Connection, receive: Callable[[bytes], None], data: bytes
    ) -> bool:
        """What data costs is charged; returns whether more should be read at once."""
        begun = time.perf_counter()
        receive(data)
        if connection.is_proxy:
            return True  # who is behind it is charged for requests and messages
        address, seconds = connection.visitor.address, time.perf_counter() - begun
        self.shares.charge(address, seconds - connection.prepaid)
        connection.prepaid = 0.0
        return not self.shares.wait(address)

    async def turn(self, connection: Connection) -> None:
        """To read on. It is paid in advance: others of the address may wait for their turn too."""
        await self.shares.turn(connection.visitor.address)
        connection.prepaid = READ_TIME
        self.shares.charge(connection.visitor.address, READ_TIME)

    def leave(self, transport: Transport) -> None:
        if connection := self.open.pop(transport, None):
            self.places.leave(connection.visitor, connection)

    def expect(self, connection: Connection, seconds: float) -> None:
        connection.due = self.clock() + seconds

    def cut_off(self, connection: Connection) -> None:
        self.leave(connection.transport)
        protocol = connection.transport.get_protocol()
        if isinstance(protocol, HttpConnection):
            protocol.stop_answering()
        connection.transport.abort()

    def cut_off_late(self) -> None:
        now = self.clock()
        for connection in [one for one in self.open.values() if one.is_late(now)]:
            self.cut_off(connection)


def trusted(proxies: str) -> Callable[[str], bool]:
    """Whether an address is one of them, as uvicorn reads them: addresses, networks, or a star."""
    if not proxies:
        return lambda _address: False
    return ProxyHeadersMiddleware(nobody, proxies).trusted_hosts.__contains__


async def nobody(*_asgi: object) -> None: ...


class BoundedState(UvicornState):
    """What uvicorn hands to each of its protocols."""

    def __init__(self, connections: Connections) -> None:
        super().__init__()
        self.bounds = connections


class HttpConnection(HttpToolsProtocol):
    server_state: BoundedState
    connection: Connection
    is_head, is_body = True, False  # what is to come
    head = 0  # bytes of it so far
    around = 0  # bytes that came with a body since there was anything of the body in them
    unwanted = 0  # bytes of bodies that nobody reads any more
    cycle_now: RequestResponseCycle | None = None  # the one that is being answered

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.connection = self.server_state.bounds.enter(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.server_state.bounds.leave(self.transport)
        self.stop_answering()
        super().connection_lost(exc)

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
        if not (self.is_head or self.is_body):
            self.begin_head()
        if self.is_head:
            self.head += len(data)
        elif self.is_body:
            self.around += len(data)
        bounds = self.server_state.bounds
        if not bounds.is_read(self.connection, super().data_received, data):
            self.transport.pause_reading()
            self.tasks.add(task := self.loop.create_task(self.read_on()))
            task.add_done_callback(self.tasks.discard)
        if (self.is_head and self.head > LARGEST_HEAD) or self.around > LARGEST_HEAD:
            self.refuse_head()

    async def read_on(self) -> None:
        await self.server_state.bounds.turn(self.connection)
        if not (self.flow.read_paused or self.transport.is_closing()):
            self.transport.resume_reading()

    def on_message_begin(self) -> None:
        if not self.is_head:  # right behind another request
            self.begin_head()
        super().on_message_begin()

    def begin_head(self) -> None:
        self.is_head, self.is_body, self.head, self.around = True, False, 0, 0
        self.server_state.bounds.expect(self.connection, HEAD_TIME)

    def on_header(self, name: bytes, value: bytes) -> None:
        """What comes behind a body (trailers) is nothing that anybody here would read."""
        if self.is_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self.head = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if self.head > LARGEST_HEAD:
            raise ValueError  # refused in `send_400_response`
        self.is_head, self.is_body = False, True
        self.server_state.bounds.expect(self.connection, BODY_TIME)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.around = 0
        super().on_body(body)
        if self.cycle.response_complete:
            self.unwanted += len(body)
            if self.unwanted > MOST_UNWANTED:
                self.flow.pause_reading()
                self.server_state.bounds.expect(self.connection, CLOSE_TIME)

    def on_message_complete(self) -> None:
        self.is_body, self.connection.due, self.around = False, None, 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        if self.is_head and self.head > LARGEST_HEAD:
            return self.refuse_head()
        super().send_400_response(msg)
        self.server_state.bounds.expect(self.connection, CLOSE_TIME)

    def refuse_head(self) -> None:
        text = TOO_LARGE.format(most=LARGEST_HEAD)
        head = f"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: {len(text)}\r\n"
        self.transport.write(f"{head}connection: close\r\n\r\n{text}".encode())
        self.transport.close()
        self.server_state.bounds.expect(self.connection, CLOSE_TIME)


class SocketConnection(WebSocketsSansIOProtocol):
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
        super().handle_cont(event)
        if len(self.frames) > MOST_PARTS:
            self.conn.fail(CloseCode.MESSAGE_TOO_BIG, "too many parts")
            self.handle_parser_exception()

    def data_received(self, data: bytes) -> None:
        """Pings and the like never come to a session, so their rate is bounded here."""
        if not self.bounds.is_read(self.connection, super().data_received, data):
            self.transport.pause_reading()
            self.tasks.add(task := self.loop.create_task(self.read_on()))
            task.add_done_callback(self.tasks.discard)

    def shutdown(self) -> None:
        """What was said and not heard yet may be long: nobody waits for that."""
        while not self.queue.empty():
            self.queue.get_nowait()
        super().shutdown()

    async def read_on(self) -> None:
        await self.bounds.turn(self.connection)
        if not (self.read_paused or self.transport.is_closing()):
            self.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.bounds.leave(self.transport)
        super().connection_lost(exc)
