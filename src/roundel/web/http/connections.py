"""Connections before anybody has asked for anything: how many there are, how large, how slow.

- An address has a share of them at most. If all are taken, the oldest of the address that has most
  makes room. Sockets are bounded by `sockets/admission.py` once they are accepted.
- The head of a request has a largest size, and must be there in time; so must its body; and who
  reads nothing of an answer is cut off.

uvicorn bounds none of this. Its protocols, with these bounds, are in `protocols.py`; once a second
there is a look at all connections.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from roundel.web.requests.places import Places
from roundel.web.requests.shares import Shares
from roundel.web.requests.visitors import Visitor, network_of
from roundel.web.settings import Settings

SHARE = 4  # an address may have one in so many of all connections
HEAD_TIME = 10.0  # seconds for a head
STALL_TIME = 30.0  # seconds in which something of an answer must be read
READ_TIME = 0.002  # seconds that the server takes for what comes in at once, at a guess

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


@runtime_checkable
class Answering(Protocol):
    """What speaks for a connection while requests come."""

    def stop_answering(self) -> None: ...


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

    def waits(self, connection: Connection) -> bool:
        """Whether what it sends is not read now."""
        if connection.is_proxy:
            return False  # who is behind it is charged for requests and messages
        return bool(self.shares.wait(connection.visitor.address))

    def read(self, connection: Connection, receive: Callable[[bytes], None], data: bytes) -> None:
        """What data costs is charged."""
        begun = time.perf_counter()
        receive(data)
        if not connection.is_proxy:
            seconds = time.perf_counter() - begun
            self.shares.charge(connection.visitor.address, seconds - connection.prepaid)
            connection.prepaid = 0.0

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
        if isinstance(protocol, Answering):
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
