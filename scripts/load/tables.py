"""A match at a real server, played through the sockets of its seats."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from scripts.load.addresses import loopback
from scripts.load.scores import Score

PATIENCE = 60.0  # seconds that an answer may take before it is called lost
FULL = (429, 503)  # answers of a server that has enough to do
AGAIN = 0.05  # seconds from one attempt to connect to the next


class Full(Exception):
    """The server takes nobody in now, and says after how many seconds to come back."""

    def __init__(self, retry: str | float | None) -> None:
        self.retry = float(retry or 0)


class ServerMessage(msgspec.Struct):
    """What we want to know of the server's messages."""

    t: str
    id: str = ""
    code: str = ""
    reason: str = ""
    retry: float = 0.0
    history: list[dict[str, Any]] = []


decode = msgspec.json.Decoder(ServerMessage).decode
encode = msgspec.json.Encoder().encode


@dataclass
class Tally:
    """What came of it."""

    seconds: list[float] = field(default_factory=list)  # from an action to its acknowledgement
    refused: int = 0
    retries: int = 0  # refusals that say when to try again
    lost: int = 0  # connections that were lost

    def __iadd__(self, other: Tally) -> Tally:
        self.seconds += other.seconds
        self.refused += other.refused
        self.retries += other.retries
        self.lost += other.lost
        return self


class SeatSocket:
    """A seat's connection: what is sent on it waits for its answer."""

    def __init__(self, socket: ClientConnection, history: list[dict[str, Any]]) -> None:
        self.socket, self.history = socket, history
        self.received = 0  # bytes since the snapshot
        self.open: dict[str, asyncio.Future[ServerMessage]] = {}
        self.task = asyncio.create_task(self.listen())

    @classmethod
    async def to(cls, url: str, holder: dict[str, str], address: str) -> SeatSocket:
        """Connects from an address, and waits for the snapshot."""
        try:
            socket = await connect(
                url,
                local_addr=(address, 0),
                additional_headers=holder,
                compression=None,
                open_timeout=PATIENCE,
                ping_interval=None,
                max_queue=None,
                proxy=None,
            )
        except InvalidStatus as refusal:
            if refusal.response.status_code not in FULL:
                raise
            raise Full(refusal.response.headers.get("Retry-After")) from None
        async for text in socket:
            reply = decode(text)
            if reply.t == "snapshot":
                return cls(socket, reply.history)
            if reply.code == "busy":
                await socket.close()
                raise Full(reply.retry)
        raise ConnectionError("the socket was closed before a snapshot came")

    async def listen(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in self.socket:
                self.received += len(text)
                reply = decode(text)
                if reply.id in self.open:
                    self.open.pop(reply.id).set_result(reply)
        for future in self.open.values():
            if not future.done():
                future.set_exception(ConnectionError("the socket was closed"))
                future.exception()  # whoever waited may have gone

    async def ask(self, message: dict[str, Any]) -> ServerMessage:
        answer = asyncio.get_running_loop().create_future()
        self.open[message["id"]] = answer
        await self.socket.send(encode(message).decode())
        if self.task.done():
            raise ConnectionError("the socket was closed")
        async with asyncio.timeout(PATIENCE):
            reply: ServerMessage = await answer
            return reply

    async def close(self) -> None:
        self.task.cancel()
        await self.socket.close()


LOST = (ConnectionClosed, InvalidHandshake, OSError, EOFError, httpx.TransportError)  # it is gone


def browser(url: str, name: str) -> dict[str, str]:
    """What a browser shows of itself: the cookie of its device, and whose page it is on."""
    return {"Cookie": f"roundel-device=browser-of-{name}", "Origin": f"http://{url}"}


class PlayedTable:
    """One match, a socket for each seat, and how far it has come.

    If it is a script's alone, one socket without views is enough for all seats.
    """

    def __init__(self, url: str, score: Score, is_script: bool = False, place: int = 0) -> None:
        self.url, self.score, self.is_script, self.place = url, score, is_script, place
        self.id, self.holders = "", list[dict[str, str]]()
        self.lines: list[SeatSocket] = []
        self.acknowledged = 0  # actions
        self.tally = Tally()

    @property
    def is_here(self) -> bool:
        return bool(self.holders) and len(self.lines) == len(self.holders)

    @property
    def is_over(self) -> bool:
        return self.acknowledged == len(self.score.steps)

    async def make(self, http: httpx.AsyncClient, **more: object) -> None:
        """The first seat is a script's with a key, the others are browsers that are invited."""
        other = "same" if self.is_script else "friend"
        seats = [{"who": other if seat else "me"} for seat in range(self.score.players)]
        wish = {"spec": self.score.spec, "seats": seats, "start": self.score.start, **more}
        made = await self.post(http, "matches", wish, {})
        self.holders = [{"Authorization": f"Bearer {made['seats'][0]['key']}"}]
        for seat in [] if self.is_script else made["seats"][1:]:
            holder = browser(self.url, f"{made['id']}-{seat['seat']}")
            token = seat["invitation"]["url"].rpartition("/")[2]
            await self.post(http, f"invitations/{token}", {}, holder)
            self.holders.append(holder)
        self.id = made["id"]

    async def post(
        self, http: httpx.AsyncClient, path: str, body: object, headers: dict[str, str]
    ) -> Any:
        response = await http.post(f"http://{self.url}/api/{path}", json=body, headers=headers)
        if response.status_code in FULL:
            raise Full(response.headers.get("Retry-After"))
        response.raise_for_status()
        return response.json()

    async def join(self) -> None:
        """Connect whoever is not. What the server says was played must be what we played."""
        if self.is_here:
            return
        views = "&views=no" if self.is_script else ""
        url = f"ws://{self.url}/ws?match={self.id}{views}"
        for seat in range(len(self.lines), len(self.holders)):
            address = loopback(self.place, seat)
            self.lines.append(await SeatSocket.to(url, self.holders[seat], address))
        check(self, self.lines[0].history)

    async def leave(self) -> None:
        lines, self.lines = self.lines, []
        await asyncio.gather(*(line.close() for line in lines), return_exceptions=True)

    async def act(self) -> ServerMessage:
        """Play the next action; the same id as before, if that was not answered."""
        ply = self.acknowledged
        seat, text = self.score.steps[ply]
        message = {"t": "act", "match": self.id, "seat": seat, "ply": ply, "action": text}
        begun = time.perf_counter()
        line = self.lines[0 if self.is_script else seat]
        reply = await line.ask({**message, "id": str(ply)})
        if reply.t != "refused":
            self.tally.seconds.append(time.perf_counter() - begun)
            self.acknowledged += 1
        else:
            self.tally.refused += 1
            self.tally.retries += reply.retry > 0
            assert reply.code == "busy", f"{self.id} {message}: {reply.code}: {reply.reason}"
        return reply

    async def act_whatever_happens(self, http: httpx.AsyncClient) -> None:
        """As a browser does it: connect again and ask again until it is acknowledged."""
        try:
            if not self.id:
                await self.make(http)
            await self.join()
            await asyncio.sleep((await self.act()).retry)
        except LOST:
            self.tally.lost += 1
            await self.leave()
            await asyncio.sleep(AGAIN)


def check(table: PlayedTable, history: list[dict[str, Any]]) -> None:
    """Nothing acknowledged is missing, nothing is there twice; at most one more than we know."""
    found = [(entry["seat"], entry["text"]) for entry in history]
    expected = list(table.score.steps[: len(found)])
    assert found == expected, f"{table.id}: stored {found}, played {expected}"
    unknown = len(found) - table.acknowledged
    assert unknown in (0, 1), f"{table.id}: {unknown} more actions than were acknowledged"
    plies = [entry["ply"] for entry in history]
    assert plies == sorted(set(plies)), f"{table.id}: plies {plies}"
