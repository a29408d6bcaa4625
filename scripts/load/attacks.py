"""What somebody with one address can do to a server; each goes on until its process is ended."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import Awaitable, Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from typing import Any

import httpx
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from roundel import games
from roundel.core.style import THEMES
from scripts.load.server import many_files

ADDRESS = "127.0.0.2"
GAME = games.ours()[0]
MATCHES = 800
PLIES = 30
AT_ONCE = 64  # requests or connections on their way

Attack = Callable[["Attacker"], Awaitable[None]]
ATTACKS: dict[str, Attack] = {}


def attack(work: Attack) -> Attack:
    ATTACKS[work.__name__] = work
    return work


class Attacker:
    def __init__(self, url: str) -> None:
        self.url, self.kept = url, list[object]()
        transport = httpx.AsyncHTTPTransport(
            local_address=ADDRESS, limits=httpx.Limits(max_connections=AT_ONCE)
        )
        self.http = httpx.AsyncClient(
            base_url=f"http://{url}", transport=transport, timeout=60, trust_env=False
        )

    async def make(self, *seats: dict[str, Any], **more: Any) -> Any:
        """Made as soon as the server lets us."""
        wish = {"spec": GAME, "seats": list(seats), **more}
        while True:
            answer = await self.http.post("/api/matches", json=wish)
            if answer.status_code == 201:
                return answer.json()
            await asyncio.sleep(float(answer.headers.get("Retry-After", 0.1)))

    async def match(self) -> str:
        return str((await self.make({"who": "me"}, {"who": "same"}))["id"])

    async def sit(self, match: str, **more: Any) -> ClientConnection:
        return await connect(
            f"ws://{self.url}/ws?match={match}",
            local_addr=(ADDRESS, 0),
            compression=None,
            proxy=None,
            open_timeout=60,
            **more,
        )

    async def line(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = self.url.split(":")
        return await asyncio.open_connection(host, int(port), local_addr=(ADDRESS, 0))

    async def for_ever(self, work: Callable[[], Awaitable[object]], times: int = AT_ONCE) -> None:
        """So many at the same time, each again and again, whatever comes of it."""

        async def again() -> None:
            while True:
                try:
                    await work()
                except Exception:
                    await asyncio.sleep(0.01)

        await asyncio.gather(*(again() for _ in range(times)))

    async def ask_for_ever(self, path: str, method: str = "GET", **more: Any) -> None:
        await self.for_ever(lambda: self.http.request(method, path, **more))


@attack
async def computer(me: Attacker) -> None:
    """Matches against level 10, all of them watched."""

    async def one() -> None:
        level = {"who": "computer", "level": 10}
        made = await me.make(level, {"who": "me"})
        me.kept.append(await me.sit(made["id"]))

    for _ in range(MATCHES // 8):
        await asyncio.gather(*(one() for _ in range(8)), return_exceptions=True)
    await asyncio.Event().wait()


@attack
async def matches(me: Attacker) -> None:
    """As many as possible."""
    wish = {"spec": GAME, "seats": [{"who": "me"}, {"who": "friend"}]}
    await me.ask_for_ever("/api/matches", method="POST", json=wish)


@attack
async def sockets(me: Attacker) -> None:
    """As many as possible, at one table."""
    match = await me.match()

    async def one() -> None:
        me.kept.append(await me.sit(match, ping_interval=None))

    await me.for_ever(one)


@attack
async def messages(me: Attacker) -> None:
    """Questions whose answers are long, from many sockets."""
    match = await me.match()
    lines = [await me.sit(match, max_queue=None) for _ in range(100)]

    async def talk(line: ClientConnection) -> None:
        while True:
            await line.send('{"t": "sync"}')
            await asyncio.sleep(0)

    async def listen(line: ClientConnection) -> None:
        async for _ in line:
            pass

    await asyncio.gather(*map(talk, lines), *map(listen, lines), return_exceptions=True)


@attack
async def pings(me: Attacker) -> None:
    """Below the messages: what the protocol itself answers."""
    match = await me.match()
    lines = [await me.sit(match) for _ in range(50)]

    async def ping(line: ClientConnection) -> None:
        while True:
            for _ in range(100):
                await line.ping()
            await asyncio.sleep(0)

    await asyncio.gather(*map(ping, lines), return_exceptions=True)


@attack
async def half_open(me: Attacker) -> None:
    """Connections on which no request is ever whole."""

    async def one() -> None:
        _reader, writer = await me.line()
        writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n")
        me.kept.append(writer)
        del me.kept[:-5000]

    await me.for_ever(one)


async def flood(me: Attacker, head: bytes, more: bytes) -> None:
    """On many connections: a beginning, and then the same again and again, without an end."""

    async def one() -> None:
        _reader, writer = await me.line()
        with contextlib.closing(writer):
            writer.write(head)
            while True:
                writer.write(more)
                await writer.drain()

    await me.for_ever(one)


@attack
async def heads(me: Attacker) -> None:
    await flood(me, b"GET / HTTP/1.1\r\n", b"x-more: " + b"a" * 60_000 + b"\r\n")


@attack
async def bodies(me: Attacker) -> None:
    head = b"POST /api/records HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    await flood(me, head + b"content-length: 9999999999\r\n\r\n", b"a" * 60_000)


@attack
async def requests(me: Attacker) -> None:
    """Many on each connection, without waiting for answers."""
    match = await me.match()
    path = f"/api/matches/{match}"

    async def one() -> None:
        reader, writer = await me.line()
        with contextlib.closing(writer):
            while True:
                writer.write(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode() * 50)
                await writer.drain()
                await reader.read(1 << 20)

    await me.for_ever(one)


@attack
async def pictures(me: Attacker) -> None:
    """Hardly ever the same one twice: those drawn last are kept."""
    made = await me.make({"who": "me"}, {"who": "same"})
    match, position = f"/api/matches/{made['id']}", games.load(GAME).start()
    headers = {"Authorization": f"Bearer {made['seats'][0]['key']}"}
    for ply in range(PLIES):
        action = position.write(random.choice(position.legal()))
        wish = {"seat": position.player, "ply": ply, "action": action}
        answer = await me.http.post(f"{match}/actions", headers=headers, json=wish)
        position = position.play(action)
        answer.raise_for_status()

    async def one() -> None:
        ply, theme = random.randrange(PLIES), random.choice(THEMES)
        await me.http.get(f"{match}/picture.png?ply={ply}&theme={theme}")

    await me.for_ever(one)


@attack
async def downloads(me: Attacker) -> None:
    """The largest file, compressed."""
    await me.ask_for_ever("/docs/swagger-ui-bundle.js", headers={"accept-encoding": "gzip"})


@attack
async def uploads(me: Attacker) -> None:
    """Records of matches as long as they may be."""
    text = json.dumps({"text": "[Game " + "x" * 400_000})
    headers = {"content-type": "application/json"}
    await me.ask_for_ever("/api/records", method="POST", content=text, headers=headers)


@attack
async def unread(me: Attacker) -> None:
    """Answers that nobody reads."""

    async def one() -> None:
        _reader, writer = await me.line()
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: localhost\r\n\r\n" * 20)
        me.kept.append(writer)
        await asyncio.sleep(random.random())

    await me.for_ever(one)


def run(name: str, url: str) -> None:
    many_files()

    async def work() -> None:
        await ATTACKS[name](Attacker(url))

    uvloop.run(work())


def begun(name: str, url: str) -> BaseProcess:
    process = get_context("spawn").Process(target=run, args=(name, url), daemon=True)
    process.start()
    return process
