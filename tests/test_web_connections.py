"""Connections are bounded: their number, the size of a head, and the time that everything takes."""

import asyncio
import contextlib
import gc
import logging
import resource
import socket
import time
import weakref
from collections.abc import Coroutine
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from scripts.load.server import ServerProcess

from roundel.web.descriptors import OWN, TooFewDescriptors, fit_descriptors
from roundel.web.http import protocols
from roundel.web.http.connections import HEAD_TIME, STALL_TIME, Connections
from roundel.web.http.protocols import (
    BODY_TIME,
    LARGEST_HEAD,
    BoundedState,
    HttpConnection,
    SocketConnection,
)
from roundel.web.listening import UNREAD, bind_socket
from roundel.web.requests.shares import RECENT, Shares
from roundel.web.settings import Settings
from tests.web import PATIENT, Hands

FEW, MANY = 1024, 1100  # descriptors, and connections of somebody who wants them all
HEAD = b"GET /health HTTP/1.1\r\nhost: localhost\r\n"


class Line:
    """The transport of a connection, without a network."""

    protocol: Any = None
    is_paused = False

    def __init__(self, address: str = "192.0.2.1") -> None:
        self.address, self.unsent, self.is_cut, self.sent = address, 0, False, b""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self.address, 1) if name == "peername" else default

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def get_protocol(self) -> Any:
        return self.protocol

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def is_closing(self) -> bool:
        return self.is_cut

    def pause_reading(self) -> None:
        self.is_paused = True

    def resume_reading(self) -> None:
        self.is_paused = False

    def write(self, data: bytes) -> None:
        assert not self.is_cut
        self.sent += data

    def abort(self) -> None:
        self.is_cut = True

    def close(self) -> None:
        pass


class Entrance:
    """Connections at a time that we set."""

    def __init__(self, **settings: Any) -> None:
        self.hands = Hands()
        self.bounds = Connections(Settings(**settings), Shares(self.hands), self.hands)

    def enter(self, *addresses: str) -> list[Any]:
        lines: list[Any] = [Line(address) for address in addresses]
        for line in lines:
            self.bounds.enter(line)
        return lines

    def become_socket(self, line: Any) -> None:
        connection = self.bounds.open[line]
        connection.due = None
        self.bounds.become_socket(connection)

    def after(self, seconds: float, line: Any) -> bool:
        """Whether it is cut off then."""
        self.hands.at += seconds
        self.bounds.cut_off_late()
        return bool(line.is_cut)


def test_an_address_has_a_share_and_its_oldest_connection_makes_room() -> None:
    entrance = Entrance(connections=8)
    other, first, *rest = entrance.enter("192.0.2.9", *["192.0.2.1"] * 3)
    assert [line.is_cut for line in (other, first, *rest)] == [False, True, False, False]
    assert entrance.bounds.places.count == 3


def test_if_all_are_taken_the_address_that_has_most_makes_room() -> None:
    entrance = Entrance(connections=8)
    greedy = entrance.enter(*["192.0.2.1"] * 2)
    others = entrance.enter(*(f"192.0.2.{n}" for n in range(2, 8)))
    (late,) = entrance.enter("192.0.2.99")
    assert [line.is_cut for line in greedy] == [True, False]
    assert not any(line.is_cut for line in (*others, late))
    (later,) = entrance.enter("192.0.2.100")  # now that all have one, the oldest
    assert greedy[1].is_cut
    assert not later.is_cut


def test_a_network_counts_as_one_address() -> None:
    entrance = Entrance(connections=8)
    lines = entrance.enter("2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1")
    assert [line.is_cut for line in lines] == [True, False, False, False]


@pytest.mark.parametrize("proxies", ["192.0.2.1", "192.0.2.0/24", "*"])
def test_behind_a_proxy_there_are_many(proxies: str) -> None:
    entrance = Entrance(connections=8, proxies=proxies)
    lines = entrance.enter(*["192.0.2.1"] * 9)
    assert [line.is_cut for line in lines] == [True] + [False] * 8


def test_who_has_left_has_no_place() -> None:
    entrance = Entrance(connections=8)
    for _ in range(9):
        (line,) = entrance.enter("192.0.2.1")
        entrance.bounds.leave(line)
        assert not line.is_cut
    assert not entrance.bounds.open
    assert not entrance.bounds.places.members


def test_a_socket_takes_no_place_of_a_request() -> None:
    entrance = Entrance(connections=8)
    for line in entrance.enter(*["192.0.2.1"] * 2):
        entrance.become_socket(line)
    lines = entrance.enter(*["192.0.2.1"] * 2)
    assert not any(line.is_cut for line in lines)
    assert not entrance.after(HEAD_TIME + 1, next(iter(entrance.bounds.open)))


def test_a_connection_that_asks_nothing_is_cut_off() -> None:
    entrance = Entrance()
    (line,) = entrance.enter("192.0.2.1")
    assert not entrance.after(HEAD_TIME, line)
    assert entrance.after(0.1, line)
    assert not entrance.bounds.open


def test_who_reads_nothing_is_cut_off_but_not_who_reads_slowly() -> None:
    entrance = Entrance()
    slow, idle, stuck = entrance.enter(*["192.0.2.1"] * 3)
    for line in (slow, idle, stuck):
        entrance.become_socket(line)  # nothing else is expected of them
    slow.unsent = stuck.unsent = 100_000
    assert not entrance.after(0, slow)
    for _ in range(4):
        slow.unsent -= 1
        entrance.after(STALL_TIME / 3, slow)
    assert [line.is_cut for line in (slow, idle, stuck)] == [False, False, True]


class Spoken:
    """What uvicorn makes of bytes, with our bounds."""

    def __init__(self) -> None:
        self.entrance = Entrance()
        self.line = Line()
        self.requests: list[Any] = []
        state = BoundedState(self.entrance.bounds)

        class Unanswered(HttpConnection):
            def _start_asgi_task(protocol, cycle: Any, app: Any) -> None:
                protocol.cycle_now = cycle
                self.requests.append(cycle)

        loop = Mock()  # nothing here happens by itself
        self.protocol = self.line.protocol = Unanswered(uvicorn_config(), state, {}, loop)
        transport: Any = self.line
        self.protocol.connection_made(transport)

    def say(self, *parts: bytes) -> None:
        for part in parts:
            self.protocol.data_received(part)

    def is_cut_after(self, seconds: float) -> bool:
        return self.entrance.after(seconds, self.line)


def uvicorn_config() -> Any:
    import uvicorn

    config = uvicorn.Config(lambda: None, log_config=None)
    config.load()
    return config


def test_a_head_may_come_in_parts_but_not_for_ever() -> None:
    spoken = Spoken()
    spoken.say(HEAD)
    assert not spoken.is_cut_after(HEAD_TIME / 2)
    spoken.say(b"x-part: 1\r\n")
    assert not spoken.is_cut_after(HEAD_TIME / 2)
    assert spoken.is_cut_after(0.1)
    assert not spoken.requests


def test_a_body_has_more_time_and_an_answer_all_it_needs() -> None:
    spoken = Spoken()
    spoken.say(b"POST / HTTP/1.1\r\ncontent-length: 4\r\n\r\nab")
    assert not spoken.is_cut_after(BODY_TIME)
    spoken.say(b"cd")
    assert not spoken.is_cut_after(BODY_TIME * 10)
    assert len(spoken.requests) == 1


def test_a_body_that_does_not_come() -> None:
    spoken = Spoken()
    spoken.say(b"POST / HTTP/1.1\r\ncontent-length: 4\r\n\r\nab")
    assert spoken.is_cut_after(BODY_TIME + 0.1)


def run(work: Coroutine[Any, Any, None]) -> None:
    """Without a loop: nothing has to be waited for."""
    with pytest.raises(StopIteration):
        work.send(None)


async def answered(cycle: Any) -> None:
    await cycle.send({"type": "http.response.start", "status": 200, "headers": []})
    await cycle.send({"type": "http.response.body", "body": b"fine"})


def test_an_answer_to_somebody_who_was_cut_off_goes_nowhere() -> None:
    """Also if it is not the last that they asked for: what fails would be in the log."""
    spoken = Spoken()
    spoken.say((HEAD + b"\r\n") * 2 + HEAD)
    assert len(spoken.requests) == 1  # the second one waits
    assert spoken.is_cut_after(HEAD_TIME + 0.1)
    run(answered(spoken.requests[0]))
    assert not spoken.line.sent


def test_a_body_that_nobody_wants_is_not_read_for_ever() -> None:
    spoken = Spoken()
    spoken.say(b"POST / HTTP/1.1\r\ncontent-length: 999999999\r\n\r\nab")
    run(answered(spoken.requests[0]))
    assert b"fine" in spoken.line.sent
    chunks = 0
    while not spoken.line.is_paused:
        chunks += 1
        spoken.say(b"a" * 65536)
    assert chunks == protocols.MOST_UNWANTED // 65536 + 1
    assert spoken.is_cut_after(protocols.CLOSE_TIME + 0.1)


CHUNKED = b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n"


def test_what_comes_behind_a_body_is_not_kept() -> None:
    spoken = Spoken()
    spoken.say(CHUNKED, b"2\r\nab\r\n0\r\n", b"authorization: mine\r\n\r\n")
    assert spoken.requests[0].body == b"ab"
    assert not spoken.requests[0].more_body
    assert spoken.requests[0].scope["headers"] == [(b"transfer-encoding", b"chunked")]


@pytest.mark.parametrize(
    "parts",
    [
        [b"0\r\n", *[b"a: b\r\n" * 100] * 40],
        [b"0\r\na: ", *[b"a" * 1000] * 17],
        [b"1;", *[b"a" * 1000] * 17],
        [b"2\r\nab\r\n0\r\na: ", *[b"a" * 1000] * 17],
    ],
)
def test_what_comes_around_a_body_has_a_largest_size(parts: list[bytes]) -> None:
    """Behind it, in many headers or one, and between its parts."""
    spoken = Spoken()
    spoken.say(CHUNKED, *parts)
    assert spoken.line.sent.startswith(b"HTTP/1.1 431 ")


def test_a_body_may_come_in_as_many_parts_as_one_likes() -> None:
    spoken = Spoken()
    spoken.say(CHUNKED, *[b"1\r\na\r\n"] * LARGEST_HEAD, b"0\r\n\r\n")
    assert len(spoken.requests[0].body) == LARGEST_HEAD
    assert not spoken.line.sent


@pytest.mark.parametrize("next_bytes", [b"\r\n", b"G", b"GET / HTTP/1.1\r\nhost"])
def test_the_next_head_has_its_time_too(next_bytes: bytes) -> None:
    spoken = Spoken()
    spoken.say(HEAD + b"\r\n")
    assert not spoken.is_cut_after(HEAD_TIME * 3)
    spoken.say(next_bytes)
    assert not spoken.is_cut_after(HEAD_TIME)
    assert spoken.is_cut_after(0.1)


@pytest.mark.parametrize(
    "parts",
    [
        [HEAD + b"x: " + b"a" * LARGEST_HEAD + b"\r\n\r\n"],
        [HEAD + b"x: ", *[b"a" * 1000] * 17],
        [HEAD, *[b"x: a\r\n" * 100] * 40],
        [b"GET /" + b"a" * LARGEST_HEAD],
        [HEAD + b"\r\n", HEAD + b"x: " + b"a" * LARGEST_HEAD],
    ],
)
def test_a_head_has_a_largest_size(parts: list[bytes]) -> None:
    """In one part, in many, in one header, in many, in the address, in a second request."""
    spoken = Spoken()
    spoken.say(*parts[:-1])
    before = len(spoken.requests)
    spoken.say(parts[-1])
    assert len(spoken.requests) == before
    assert spoken.line.sent.startswith(b"HTTP/1.1 431 ")
    assert str(LARGEST_HEAD).encode() in spoken.line.sent
    assert spoken.is_cut_after(protocols.CLOSE_TIME + 0.1)


def test_a_head_of_usual_size_passes() -> None:
    spoken = Spoken()
    spoken.say(HEAD + b"cookie: " + b"a" * (LARGEST_HEAD - 200) + b"\r\n\r\n")
    assert len(spoken.requests) == 1


def test_requests_that_wait_for_the_one_before_are_bounded() -> None:
    spoken = Spoken()
    request = HEAD + b"\r\n"
    spoken.say(request * (1 + protocols.MOST_AHEAD))
    assert not spoken.line.is_cut
    spoken.say(request * 1000)
    assert spoken.line.is_cut
    assert len(spoken.protocol.pipeline) == protocols.MOST_AHEAD


class Indebted(Spoken):
    """Somebody whose address has used more than its share, and somebody else is there."""

    def __init__(self) -> None:
        super().__init__()
        self.tasks: list[Any] = []
        self.waiting = Mock()
        self.protocol.loop = Mock(create_task=self.note_task)
        self.entrance.bounds.shares.charge(self.line.address, 1000.0)
        self.entrance.bounds.shares.charge("192.0.2.9", 0.001)

    def note_task(self, work: Any) -> Any:
        self.tasks.append(work)
        return self.waiting

    def go_on(self) -> None:
        self.entrance.hands.at += RECENT + 0.1
        run(self.tasks.pop())


def test_nothing_is_read_before_its_turn() -> None:
    """However many connections there are: each would be read once, and all at the same time."""
    spoken = Indebted()
    spoken.say(HEAD)
    assert spoken.protocol.head == 0
    assert spoken.line.is_paused
    spoken.say(b"\r\n")  # what had been read before
    assert len(spoken.tasks) == 1
    assert not spoken.requests
    spoken.go_on()
    assert len(spoken.requests) == 1
    assert not spoken.line.is_paused


def test_who_is_gone_does_not_wait_for_their_turn() -> None:
    spoken = Indebted()
    spoken.say(HEAD)
    spoken.protocol.connection_lost(None)
    spoken.waiting.cancel.assert_called_once()
    spoken.line.abort()
    spoken.go_on()
    assert not spoken.requests


def test_requests_that_waited_go_with_their_connection() -> None:
    """Not only when cycles are looked for, which is seldom: there would be many by then."""
    spoken = Spoken()
    spoken.say((HEAD + b"\r\n") * 2)
    ahead = weakref.ref(spoken.protocol.pipeline[0][0])
    gc.disable()
    try:
        spoken.protocol.connection_lost(None)
        assert ahead() is None
    finally:
        gc.enable()


def test_the_system_keeps_little_of_what_is_not_read_yet() -> None:
    """What has come is read at once, while others wait."""
    with bind_socket(Settings(port=0)) as listening:
        kept = listening.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)
    assert kept <= 2 * UNREAD  # Linux doubles it


# -- Sockets --------------------------------------------------------------------

UPGRADE = HEAD + (
    b"upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
    b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class Upgrading:
    """A connection that would be a socket, and an app that accepts it when we say so."""

    def __init__(self) -> None:
        self.entrance, self.line, self.may_come = Entrance(), Line(), asyncio.Event()
        self.messages: list[Any] = []
        config = uvicorn_config()
        config.loaded_app, config.ws_protocol_class = self.app, SocketConnection
        state = BoundedState(self.entrance.bounds)
        self.protocol = self.line.protocol = HttpConnection(
            config, state, {}, asyncio.get_running_loop()
        )
        transport: Any = self.line
        self.protocol.connection_made(transport)
        self.protocol.data_received(UPGRADE)

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        await self.may_come.wait()
        await send({"type": "websocket.accept"})
        self.messages.append(await receive())
        self.messages.append(await receive())

    async def accepted(self) -> None:
        self.may_come.set()
        while b"101" not in self.line.sent:
            await asyncio.sleep(0)


def test_who_waits_to_be_accepted_has_a_place_among_requests() -> None:
    """Otherwise nobody would count them: there could be as many as they like."""

    async def come() -> None:
        upgrading = Upgrading()
        assert isinstance(upgrading.line.protocol, SocketConnection)
        assert upgrading.entrance.bounds.places.count == 1
        assert not upgrading.entrance.after(HEAD_TIME + BODY_TIME, upgrading.line)
        await upgrading.accepted()
        assert upgrading.entrance.bounds.places.count == 0
        upgrading.line.protocol.connection_lost(None)

    asyncio.run(come())


def test_a_message_has_so_many_parts_at_most() -> None:
    """Those of nothing as well, which never make it too long."""

    async def come() -> None:
        upgrading = Upgrading()
        await upgrading.accepted()
        key, parts = b"abcd", 0
        upgrading.line.protocol.data_received(b"\x01\x80" + key)
        while b"too many parts" not in upgrading.line.sent:
            upgrading.line.protocol.data_received(b"\x00\x80" + key)
            parts += 1
        assert parts == protocols.MOST_PARTS
        upgrading.line.protocol.data_received((b"\x00\x80" + key) * 1000)
        assert upgrading.line.sent.count(b"too many parts") == 1
        upgrading.line.protocol.connection_lost(None)

    asyncio.run(come())


def test_a_message_of_too_many_parts_is_refused_once() -> None:
    """However many more of them came with it."""

    async def come() -> None:
        upgrading = Upgrading()
        await upgrading.accepted()
        waiting = upgrading.line.protocol.queue.qsize()
        upgrading.line.protocol.data_received(b"\x01\x80abcd" + b"\x00\x80abcd" * 5000)
        assert upgrading.line.protocol.queue.qsize() <= waiting + 1
        upgrading.line.protocol.connection_lost(None)

    asyncio.run(come())


# -- Descriptors ----------------------------------------------------------------


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The soft and the hard limit of the system."""
    now = [1024, 1024]
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: tuple(now))

    def change(_kind: int, asked: tuple[int, int]) -> None:
        if asked[0] > now[1]:
            raise ValueError("not allowed to raise maximum limit")
        now[:] = asked

    monkeypatch.setattr(resource, "setrlimit", change)
    return now


def test_as_many_descriptors_are_asked_for_as_are_needed(limits: list[int]) -> None:
    limits[:] = [1024, 1_000_000]
    settings = Settings(sockets=5_000, connections=1_000)
    assert fit_descriptors(settings) is settings
    assert limits == [6_000 + OWN, 1_000_000]


def test_enough_is_left_alone(limits: list[int]) -> None:
    limits[:] = [50_000, 50_000]
    fit_descriptors(Settings())
    assert limits == [50_000, 50_000]


def test_with_fewer_the_limits_are_lowered_and_the_log_says_so(
    limits: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        fitted = fit_descriptors(Settings())
    assert fitted.sockets + fitted.connections + OWN == 1024
    assert 0 < fitted.connections < fitted.sockets
    assert "1024" in caplog.text
    assert f"{fitted.sockets} sockets" in caplog.text


def test_with_hardly_any_it_is_not_worth_to_start(limits: list[int]) -> None:
    limits[:] = [256, 256]
    with pytest.raises(TooFewDescriptors, match="256 open files"):
        fit_descriptors(Settings())


# -- A real server --------------------------------------------------------------


def half_open(url: str, address: str, sent: bytes) -> socket.socket:
    """A connection from that address of this machine, on which no request is ever whole."""
    host, port = url.split(":")
    line = socket.create_connection((host, int(port)), PATIENT, (address, 0))
    line.sendall(sent)
    return line


@pytest.mark.parametrize("addresses", [1, 300])
def test_half_open_connections_keep_nobody_out(tmp_path: Path, addresses: int) -> None:
    """More than there are descriptors, of one address or of many; others are served at once."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert limit > 2 * MANY
    server = ServerProcess(tmp_path)
    server.files = FEW
    with server, contextlib.ExitStack() as lines:
        for number in range(MANY):
            address = f"127.0.{1 + number % addresses // 250}.{1 + number % addresses % 250}"
            lines.enter_context(half_open(server.url, address, HEAD if number % 2 else b""))
        for _ in range(20):
            assert httpx.get(f"{server.address}/health", timeout=PATIENT).status_code == 200
        assert server.process
        assert server.process.poll() is None
        open_files = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        assert open_files < FEW / 2


def test_a_huge_head_is_refused(tmp_path: Path) -> None:
    """The server has answered before all of it was sent, and reads no more."""
    with ServerProcess(tmp_path) as server:
        line = half_open(server.url, "127.0.0.2", HEAD + b"x: ")
        sent, deadline = 0, time.monotonic() + PATIENT
        with contextlib.suppress(ConnectionError), line:
            while sent < 60_000_000 and time.monotonic() < deadline:
                sent += line.send(b"a" * 65536)
        assert sent < 10_000_000  # what fits into the system's buffers
        assert httpx.get(f"{server.address}/health", timeout=PATIENT).status_code == 200
