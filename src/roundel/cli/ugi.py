"""Speak UGI, the engine protocol, over standard input and output."""

from __future__ import annotations

import argparse
import sys
from collections import deque
from contextvars import copy_context
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from roundel.cli.session import Session
from roundel.core.lang import ENGLISH, speaking

LATER = {"uginewgame", "position", "setoption", "go", "perft"}  # what waits for a search to end


class SearchLine(NamedTuple):
    """A line of a search; None when it has ended."""

    line: str | None


def arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(options: argparse.Namespace) -> None:
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    with speaking(ENGLISH):  # programs listen
        Conversation().run()


class Conversation:
    """One thread listens and one thinks; this one answers, so that lines never mix."""

    def __init__(self) -> None:
        self.session = Session()
        self.events: SimpleQueue[str | SearchLine | None] = SimpleQueue()
        self.waiting: deque[str] = deque()  # lines that came while a search was running
        self.listening = True

    def run(self) -> None:
        Thread(target=self.listen, daemon=True).start()
        while not self.session.ended and (self.listening or self.session.thinking):
            event = self.events.get()
            if isinstance(event, SearchLine):
                self.hear(event)
            elif event is None:
                self.listening = False
                self.stop_if_alone()
            elif self.waiting or (self.busy and event.split()[:1] and event.split()[0] in LATER):
                self.waiting.append(event)
            else:
                self.answer(event)

    @property
    def busy(self) -> bool:
        return self.session.thinking and not self.session.endless

    def listen(self) -> None:
        for line in sys.stdin:
            self.events.put(line)
        self.events.put(None)

    def answer(self, line: str) -> None:
        before = self.session.thinking
        for answer in self.session.answer(line):
            print(answer, flush=True)
        if self.session.thinking and not before:
            Thread(target=copy_context().run, args=(self.think,), daemon=True).start()
            self.stop_if_alone()

    def stop_if_alone(self) -> None:
        """Nobody is left who could say stop."""
        if self.session.endless and not self.listening:
            self.session.stopped.set()

    def think(self) -> None:
        for line in self.session.think():
            self.events.put(SearchLine(line))
        self.events.put(SearchLine(None))

    def hear(self, said: SearchLine) -> None:
        if said.line is not None:
            print(said.line, flush=True)
            return
        self.session.end_search()
        while self.waiting and not self.busy:
            self.answer(self.waiting.popleft())
