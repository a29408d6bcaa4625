"""Speak UGI, the engine protocol, over standard input and output."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import roundel
from roundel import games
from roundel.core.errors import RoundelError
from roundel.core.lang import ENGLISH, speaking

if TYPE_CHECKING:
    from roundel.core.game import Game
    from roundel.core.position import Position

LARGEST = 2**63 - 1
OPTIONS = {  # name: (default, smallest, largest)
    "Level": (10, 1, 10),
    "Threads": (1, 1, 1024),
    "Seed": (0, 0, LARGEST),
    "Hash": (64, 1, 1 << 20),
}
NO_GAME = "no game yet: expected uginewgame game SPEC first"
QUERIES = "turn, p1turn, gameover, result, points, legal, fen"
CLOCKS = [f"p{player}{kind}" for kind in ("time", "inc") for player in range(1, 5)]


class ProtocolError(RoundelError):
    """The line is a command of the protocol, but not said as the protocol has it."""


def arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(options: argparse.Namespace) -> None:
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    with speaking(ENGLISH):  # programs listen
        converse(Session())


def converse(session: Session) -> None:
    for line in sys.stdin:
        for answer in session.answer(line):
            print(answer, flush=True)
        if session.ended:
            return


def number(text: str, name: str, low: int, high: int) -> int:
    if text.isascii() and text.isdigit() and len(text) < 20 and low <= int(text) <= high:
        return int(text)
    raise ProtocolError(f"{name}: expected a whole number from {low} to {high}, got {text!r}")


class Session:
    """One conversation. `answer` takes a line and gives the lines that answer it."""

    def __init__(self) -> None:
        self.settings = {name: default for name, (default, _, _) in OPTIONS.items()}
        self.game: Game | None = None
        self._position: Position | None = None
        self.thinking = False
        self.ended = False
        self.commands: dict[str, Callable[[list[str]], Iterator[str]]] = {
            "ugi": self.ugi,
            "isready": self.isready,
            "uginewgame": self.uginewgame,
            "position": self.position,
            "query": self.query,
            "perft": self.perft,
            "go": self.go,
            "stop": self.stop,
            "setoption": self.setoption,
            "quit": self.quit,
        }

    def answer(self, line: str) -> Iterator[str]:
        command, *words = line.split() or [""]
        if command not in self.commands:
            if command:
                yield f"info string unknown command: {line.strip()}"
            return
        try:
            yield from self.commands[command](words)
        except RoundelError as error:
            yield f"info string error: {error}"

    @property
    def here(self) -> Position:
        if self._position is None:
            raise ProtocolError(NO_GAME)
        return self._position

    def while_still(self) -> None:
        if self.thinking:
            raise ProtocolError("still thinking: expected stop first")

    def ugi(self, words: list[str]) -> Iterator[str]:
        yield f"id name Roundel {roundel.__version__}"
        yield "id author the Roundel authors"
        for name, (default, low, high) in OPTIONS.items():
            yield f"option name {name} type spin default {default} min {low} max {high}"
        yield "ugiok"

    def isready(self, words: list[str]) -> Iterator[str]:
        if self._position is not None:
            _ = self._position.game.engine.legal, self._position.game.engine.advance
        yield "readyok"

    def uginewgame(self, words: list[str]) -> Iterator[str]:
        self.while_still()
        if len(words) != 2 or words[0] != "game":
            raise ProtocolError("expected uginewgame game SPEC")
        game = games.load(words[1])
        self.game, self._position = game, game.start()
        yield from ()

    def position(self, words: list[str]) -> Iterator[str]:
        self.while_still()
        kind, *rest = words or [""]
        if self.game is None:
            raise ProtocolError(NO_GAME)
        if kind == "startpos":
            position = self.game.start()
        elif kind == "fen" and rest:
            from roundel.core.position import Position

            position = Position.from_fen(self.game, rest.pop(0))
        else:
            raise ProtocolError("expected position startpos or position fen TEXT")
        if rest[:1] not in ([], ["moves"]):
            raise ProtocolError(f"expected moves, got {rest[0]!r}")
        self._position = position.play(" ".join(rest[1:]))
        yield from ()

    def query(self, words: list[str]) -> Iterator[str]:
        position = self.here
        turn = "none" if position.player is None else f"p{position.player + 1}"
        match words:
            case ["turn"]:
                answer = turn
            case ["p1turn" | "p2turn" | "p3turn" | "p4turn" as asked]:
                answer = str(asked == f"{turn}turn").lower()
            case ["gameover"]:
                answer = str(position.over).lower()
            case ["result"]:
                answer = position.result or "none"
            case ["points"]:
                answer = " ".join(map(str, position.points))
            case ["legal"]:
                answer = " ".join(sorted(map(position.write, position.legal())))
            case ["fen"]:
                answer = position.fen()
            case _:
                raise ProtocolError(f"expected query and one of {QUERIES}")
        yield f"response {answer}".rstrip()

    def perft(self, words: list[str]) -> Iterator[str]:
        from roundel.core.perft import perft

        position = self.here
        if len(words) != 1:
            raise ProtocolError("expected perft N")
        yield f"nodes {perft(position, number(words[0], 'perft', 0, 1000))}"

    def go(self, words: list[str]) -> Iterator[str]:
        self.while_still()
        position = self.here
        self.budget(words)
        if "infinite" in words:
            self.thinking = True
        else:
            yield from self.choose(position)

    def budget(self, words: list[str]) -> dict[str, int]:
        """What `go` allows, by name. A random choice needs none of it, but a typo is still told."""
        limits, rest = {}, [word for word in words if word != "infinite"]
        for name, value in zip(rest[::2], [*rest[1::2], ""], strict=False):
            if name not in ("movetime", "nodes", *CLOCKS):
                raise ProtocolError(f"expected movetime, nodes, infinite or p1time, got {name!r}")
            limits[name] = number(value, name, 0, LARGEST)
        return limits

    def choose(self, position: Position) -> Iterator[str]:
        """A random action, the same for the same seed and position."""
        if position.over:
            yield "bestmove none"
            return
        begun = time.perf_counter()
        rng = random.Random(f"{self.settings['Seed']} {position.fen()}")
        text = position.write(rng.choice(position.legal()))
        per_second = round(1 / (time.perf_counter() - begun))
        yield f"info depth 1 nodes 1 nps {per_second} score 0 pv {text}"
        yield f"bestmove {text}"

    def stop(self, words: list[str]) -> Iterator[str]:
        if self.thinking:
            self.thinking = False
            yield from self.choose(self.here)

    def setoption(self, words: list[str]) -> Iterator[str]:
        self.while_still()
        if len(words) != 4 or words[0] != "name" or words[2] != "value":
            raise ProtocolError("expected setoption name NAME value VALUE")
        name = next((n for n in OPTIONS if n.lower() == words[1].lower()), None)
        if name is None:
            raise ProtocolError(f"no option {words[1]!r}; there are: {', '.join(OPTIONS)}")
        self.settings[name] = number(words[3], name, *OPTIONS[name][1:])
        yield from ()

    def quit(self, words: list[str]) -> Iterator[str]:
        self.ended = True
        yield from ()
