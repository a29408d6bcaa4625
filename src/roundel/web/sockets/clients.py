"""Somebody at a table through a socket: what is sent to them waits here, but not for ever."""

from __future__ import annotations

import asyncio
import contextlib
import types
from collections import deque
from collections.abc import Generator

from starlette.types import Send

from roundel.web.requests.visitors import Visitor
from roundel.web.tables.rendering import Audience

RESTART = 1012  # the code with which a client is sent away to come back at once
SLOW = 1013
LARGEST_UNSENT = 256 * 1024  # characters that may wait for a client: some ten times a whole table
GONE = (RuntimeError, OSError)  # what sending raises when there is nobody any more


Sending = Generator[object, None, None]


class Client:
    """Holds no task while nothing waits to be sent: most of a thousand sockets have room."""

    __slots__ = (
        *("audience", "closing", "most", "send", "sender", "unsent", "unsent_size"),
        *("visitor", "who"),
    )

    def __init__(
        self, send: Send, audience: Audience, who: frozenset[str], visitor: Visitor, most: int
    ) -> None:
        self.send, self.audience, self.who, self.most = send, audience, who, most
        self.visitor = visitor
        self.unsent: deque[str] = deque()
        self.unsent_size = 0  # characters
        self.sender: asyncio.Task[None] | None = None
        self.closing: int | None = None

    def push(self, text: str) -> bool:
        """Send it when there is room; false for a client that is too slow and is dropped."""
        if self.closing is not None:
            return True
        if self.sender is None:
            self.begin(text)
            return True
        if len(self.unsent) >= self.most or self.unsent_size >= LARGEST_UNSENT:
            self.drop(SLOW)
            return False
        self.unsent.append(text)
        self.unsent_size += len(text)
        return True

    def drop(self, code: int = RESTART) -> None:
        """Send the client away: it comes back and gets a snapshot."""
        if self.closing is None:
            self.closing = code
            self.forget_unsent()
            if self.sender:
                self.sender.cancel()
            self.sender = asyncio.get_running_loop().create_task(self.close(code))

    def begin(self, text: str) -> None:
        """Mostly there is room and it is sent at once; only what must wait needs a task."""
        sending = self.send({"type": "websocket.send", "text": text}).__await__()
        try:
            waits = next(sending)
        except (StopIteration, *GONE):  # sent, or gone: whoever reads from the socket learns it too
            return
        self.sender = asyncio.get_running_loop().create_task(self.empty(sending, waits))

    async def empty(self, sending: Sending, waits: object) -> None:
        try:
            await rest(sending, waits)
            while self.unsent:
                text = self.unsent.popleft()
                self.unsent_size -= len(text)
                await self.send({"type": "websocket.send", "text": text})
        except GONE:
            self.forget_unsent()  # gone: whoever reads from the socket learns it too
        finally:
            if self.closing is None:
                self.sender = None

    def forget_unsent(self) -> None:
        self.unsent.clear()
        self.unsent_size = 0

    async def close(self, code: int) -> None:
        with contextlib.suppress(*GONE):
            await self.send({"type": "websocket.close", "code": code})


@types.coroutine
def rest(sending: Sending, waits: object) -> Sending:
    """What is left of sending when it has begun and waits for something."""
    yield waits
    yield from sending
