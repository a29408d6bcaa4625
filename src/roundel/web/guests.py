"""Somebody at a table through a socket: what is sent to them waits here, but not for ever."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque

from starlette.types import Send

from roundel.web.serial import Audience

RESTART = 1012  # the code with which a client is sent away to come back at once
SLOW = 1013
GONE = (RuntimeError, OSError)  # what sending raises when there is nobody any more


class Guest:
    """Holds no task while nothing is to be sent: most of a thousand sockets are silent."""

    __slots__ = ("audience", "closing", "is_asking", "most", "send", "sender", "unsent", "who")

    def __init__(self, send: Send, audience: Audience, who: frozenset[str], most: int) -> None:
        self.send, self.audience, self.who, self.most = send, audience, who, most
        self.unsent: deque[str] = deque()
        self.sender: asyncio.Task[None] | None = None
        self.closing: int | None = None
        self.is_asking = False  # then whoever answers sends what there is, without a task for it

    def push(self, text: str) -> bool:
        """Send it when there is room; false for a client that is too slow and is dropped."""
        if self.closing is not None:
            return True
        if len(self.unsent) >= self.most:
            self.drop(SLOW)
            return False
        self.unsent.append(text)
        self.wake()
        return True

    def drop(self, code: int = RESTART) -> None:
        """Send the client away: it comes back and gets a snapshot."""
        if self.closing is None:
            self.closing = code
            self.unsent.clear()
            if self.sender:
                self.sender.cancel()
            self.sender = asyncio.get_running_loop().create_task(self.close(code))

    def wake(self) -> None:
        if self.sender is None and not self.is_asking:
            self.sender = asyncio.get_running_loop().create_task(self.empty())

    async def answered(self) -> None:
        """Nothing is asked any more: send what has come together."""
        self.is_asking = False
        if self.sender is None and self.unsent:
            await self.empty()

    async def empty(self) -> None:
        try:
            while self.unsent:
                await self.send({"type": "websocket.send", "text": self.unsent.popleft()})
        except GONE:
            self.unsent.clear()  # gone: whoever reads from the socket learns it too
        finally:
            if self.closing is None:
                self.sender = None

    async def close(self, code: int) -> None:
        with contextlib.suppress(*GONE):
            await self.send({"type": "websocket.close", "code": code})
