"""The bare limit of a server: its web server and its group commit, without the game.

    python -m bench.limit.server --port 8001 --data FOLDER --board 2500 --script 600

A load client cannot tell it from `roundel serve`: it makes matches, opens sockets and acts. Every
action is one row on disk before it is told to all sockets of its match, in a message as long as
ours are. There are no rules, views, seats, refusals, rates, clocks or computers.
"""

from __future__ import annotations

import argparse
import secrets
import time
from pathlib import Path
from typing import Annotated

import msgspec
import uvicorn
from msgspec import Meta, Struct
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from roundel.play.events import Acted
from roundel.web.listening import be_quick_for_all, bind_socket, configured
from roundel.web.metrics import Metrics
from roundel.web.settings import Settings
from roundel.web.store.interface import Change, NewMatch, Row
from roundel.web.store.sqlite import SqliteStore

encode = msgspec.json.Encoder().encode


class Sizes(Struct, frozen=True):
    """Bytes of what is told of an action."""

    board: int  # to people, who draw the board
    script: int


class Action(Struct, frozen=True, tag_field="t", tag="act"):
    match: str
    seat: Annotated[int, Meta(ge=0, le=3)]
    ply: int
    action: str
    id: str = ""


decode = msgspec.json.Decoder(Action).decode


class BareMatch:
    """The sockets at a match, and how far it has come."""

    def __init__(self) -> None:
        self.seq = 0
        self.sockets: dict[Send, int] = {}  # with the bytes that each is told of an action


class BareServer:
    """An ASGI application."""

    def __init__(self, folder: Path, sizes: Sizes) -> None:
        self.store = SqliteStore(folder, Settings().waiting, Metrics())
        self.sizes, self.matches = sizes, dict[str, BareMatch]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.live(receive, send)
        elif scope["type"] == "http":
            await self.answer(scope, receive, send)
        else:
            await self.converse(scope, receive, send)

    async def live(self, receive: Receive, send: Send) -> None:
        await receive()
        await self.store.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.store.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What has another path is an invitation, or somebody who asks whether we are there."""
        body = b""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        is_new = scope["path"] == "/api/matches"
        told = await self.make(body) if is_new else b"{}"
        length = (b"content-length", str(len(told)).encode())
        headers = [(b"content-type", b"application/json"), length]
        status = 201 if is_new else 200
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": told})

    async def make(self, wish: bytes) -> bytes:
        id, key = secrets.token_urlsafe(8), secrets.token_urlsafe(16)
        new = NewMatch(id, wish.decode(), "", False, time.time(), keys={0: key})
        await self.store.write(Change(id, new=new))
        self.matches[id] = BareMatch()
        seats = [
            {"seat": seat, "key": key, "invitation": {"url": f"/invitations/{id}-{seat}"}}
            for seat, _seat in enumerate(msgspec.json.decode(wish)["seats"])
        ]
        return encode({"id": id, "seats": seats})

    async def converse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One socket from its first message to its last."""
        asked = dict(pair.split("=") for pair in scope["query_string"].decode().split("&"))
        match = self.matches[asked["match"]]
        await receive()
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        await tell(send, '{"t":"snapshot","history":[]}')
        is_script = asked.get("views") == "no"
        match.sockets[send] = self.sizes.script if is_script else self.sizes.board
        try:
            while (message := await receive())["type"] == "websocket.receive":
                await self.act(match, decode(message.get("text") or ""))
        finally:
            del match.sockets[send]

    async def act(self, match: BareMatch, action: Action) -> None:
        """Store, then tell."""
        match.seq += 1
        acted = Acted(at=time.monotonic(), seat=action.seat, ply=action.ply, action=action.action)
        body = encode(acted).decode()
        row = Row(action.match, match.seq, action.seat, action.id, acted.at, body)
        await self.store.writer.write(None, [row])
        told = f'{{"t":"event","seq":{row.seq},"id":"{row.id}","event":{body},"filling":"'
        for send, size in tuple(match.sockets.items()):
            await tell(send, f'{told:x<{size - 2}}"}}')


async def tell(send: Send, text: str) -> None:
    await send({"type": "websocket.send", "bytes": None, "text": text})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", type=Path, required=True)
    for name in Sizes.__struct_fields__:
        parser.add_argument(f"--{name}", type=int, required=True, metavar="BYTES")
    given = parser.parse_args()
    be_quick_for_all()
    app = BareServer(given.data, Sizes(given.board, given.script))
    with bind_socket(Settings(port=given.port)) as listens:
        config = configured(app, HttpToolsProtocol, WebSocketsSansIOProtocol)
        uvicorn.Server(config).run([listens])


if __name__ == "__main__":
    main()
