"""What is said in the engine protocol: lines to answers, without pipes and threads.

A search is begun by `go` and runs while somebody takes the lines of `think`, until `stop`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event
from typing import TYPE_CHECKING

import roundel
from roundel import games
from roundel.core.errors import RoundelError

if TYPE_CHECKING:
    from roundel.bots import Budget, Choice, Searcher
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
SHARE = 25  # of what a clock still shows goes to one action
CLOCKS = [f"p{player}{kind}" for kind in ("time", "inc") for player in range(1, 5)]


class ProtocolError(RoundelError):
    """The line is a command of the protocol, but not said as the protocol has it."""


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
        self.thinking = self.endless = self.ended = False
        self.stopped = Event()
        self.limits: dict[str, int] = {}
        self._searcher: tuple[list[int], Searcher] | None = None
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
            game = self._position.game
            _ = game.engine.legal, game.engine.advance, game.engine.status
            self.searcher.warm(game)
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
        _ = self.here, self.searcher  # what can be wrong is wrong now
        self.limits = self.read_limits(words)
        self.stopped.clear()
        self.thinking, self.endless = True, "infinite" in words
        yield from ()

    def read_limits(self, words: list[str]) -> dict[str, int]:
        limits, rest = {}, [word for word in words if word != "infinite"]
        for name, value in zip(rest[::2], [*rest[1::2], ""], strict=False):
            if name not in ("movetime", "nodes", *CLOCKS):
                raise ProtocolError(f"expected movetime, nodes, infinite or p1time, got {name!r}")
            limits[name] = number(value, name, 0, LARGEST)
        return limits

    @property
    def budget(self) -> Budget:
        """What `go` and the level allow."""
        from roundel.bots import LEVELS, THINKING, Budget

        limits, level = self.limits, self.settings["Level"]
        seconds = [limits["movetime"] / 1000] if "movetime" in limits else []
        nodes = [limits["nodes"]] if "nodes" in limits else []
        clock = f"p{(self.here.player or 0) + 1}"
        if f"{clock}time" in limits:
            remaining = limits[f"{clock}time"] / 1000
            seconds.append(
                min(remaining / SHARE + limits.get(f"{clock}inc", 0) / 1000, remaining / 2)
            )
        if not (seconds or nodes or self.endless):
            seconds.append(THINKING.seconds or 0)
        lower = level if level < max(LEVELS) else None  # the highest is full strength
        return Budget(min(seconds, default=None), min(nodes, default=None), lower)

    @property
    def searcher(self) -> Searcher:
        """The same as before, as long as the settings are."""
        from roundel.bots import Searcher

        wanted = [self.settings["Hash"], self.settings["Threads"]]
        if self._searcher is None or self._searcher[0] != wanted:
            self._searcher = None  # so that its memory is free
            try:
                self._searcher = wanted, Searcher(hash_mib=wanted[0], threads=wanted[1])
            except MemoryError:
                raise ProtocolError(f"Hash: there is no room for {wanted[0]} MiB") from None
        return self._searcher[1]

    def think(self) -> Iterator[str]:
        """The lines that answer `go`, as they come. Who has taken them ends the thinking."""
        position, seed, text = self.here, self.settings["Seed"], "none"
        if not position.over:
            for choice in self.searcher.think(position, self.budget, seed, self.stopped):
                text = position.write(choice.action)
                yield self.info(choice)
        if self.endless:
            self.stopped.wait()
        yield f"bestmove {text}"

    def end_search(self) -> None:
        """Called when the last line of `think` has been said, which may be after it was found."""
        self.thinking = False

    def info(self, choice: Choice) -> str:
        rate = round(choice.nodes / max(choice.seconds, 1e-6))
        position, texts = self.here, []
        for action in choice.line:
            texts.append(position.write(action))
            position = position.play(action)
        score = round(100 * choice.worths.get(choice.action, 0))
        counts = f"depth {choice.depth} nodes {choice.nodes} nps {rate} score {score}"
        return f"info {counts} pv {' '.join(texts)}"

    def stop(self, words: list[str]) -> Iterator[str]:
        self.stopped.set()
        yield from ()

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
        self.stopped.set()
        yield from ()
