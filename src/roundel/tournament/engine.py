"""A program that speaks the engine protocol, in a process of its own.

Whatever it does wrong is an `EngineFault`: then it is ended with all processes that it has started,
and started anew for the next match.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from roundel.bots import Budget
from roundel.core.errors import RoundelError
from roundel.core.game import Action, Game
from roundel.core.position import Position

PATIENCE = 60.0  # seconds for what has no time of its own: starting, compiling, a number of nodes
FAREWELL = 1.0  # seconds between `quit` and the end
LONGEST = 1 << 20  # bytes of one line; an engine that says more is out of its mind
REFUSAL = "info string error: "

starting = Lock()  # whoever holds it can be sure that no engine is started


class EngineFault(RoundelError):
    """The engine crashed, hung, or did not answer as the protocol has it: it loses the match."""


class Engine:
    """Plays one match after the other, as long as it does nothing wrong."""

    def __init__(
        self,
        command: tuple[str, ...],
        budget: Budget,
        options: tuple[tuple[str, str], ...],
        margin: float,
        log: Path,
    ) -> None:
        self.command, self.budget, self.options = command, budget, options
        self.margin, self.log = margin, log
        self.process: subprocess.Popen[bytes] | None = None
        self.heard = b""  # what was said and not yet understood
        self.takes_seed = False
        self.position: Position | None = None  # after the actions in `texts`
        self.texts: list[str] = []

    # -- What is asked ------------------------------------------------------------

    def begin(self, game: Game, seed: int) -> None:
        self.position, self.texts = game.start(), []
        if self.process is None or self.process.poll() is not None:
            self.close()
            self.start()
        if self.takes_seed:
            self.say(f"setoption name Seed value {seed}")
        self.say(f"uginewgame game {game.spec}")
        self.say("isready")
        for _line in self.lines_until("readyok", PATIENCE):
            pass

    def choose(self, position: Position) -> Action:
        self.write_up(position)
        moves = f" moves {' '.join(self.texts)}" if self.texts else ""
        self.say(f"position startpos{moves}")
        budget = self.budget
        go = f"nodes {budget.nodes}" if budget.nodes else f"movetime {self.milliseconds}"
        self.say(f"go {go}")
        *_, last = self.lines_until("bestmove", budget.seconds or PATIENCE)
        text = last.removeprefix("bestmove").strip()
        try:
            action = position.read(text.split()[0] if text else "")
            position.play(action)
        except RoundelError as error:
            raise EngineFault(f"illegal action {text!r}: {error}") from None
        return action

    def write_up(self, position: Position) -> None:
        """Only what is new: in a long match, to write everything each time would take long."""
        assert self.position
        for action in position.actions[len(self.texts) :]:
            self.texts.append(self.position.write(action))
            self.position = self.position.play(action)

    @property
    def milliseconds(self) -> int:
        return round(1000 * (self.budget.seconds or 0))

    # -- The process --------------------------------------------------------------

    def start(self) -> None:
        """Start the engine and set its options. It gets no signals that are meant for us."""
        try:
            with starting, self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    self.command,
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    start_new_session=True,
                )
        except OSError as error:
            raise EngineFault(f"cannot be started: {error.strerror or error}") from None
        self.heard = b""
        os.set_blocking(self.pipes[0], False)  # one that does not listen must not make us wait
        self.say("ugi")
        known = [line.split() for line in self.lines_until("ugiok", PATIENCE)]
        names = {words[2].lower() for words in known if words[:2] == ["option", "name"]}
        self.takes_seed = "seed" in names - {name.lower() for name, _value in self.options}
        for name, value in self.options:
            self.say(f"setoption name {name} value {value}")

    @property
    def pipes(self) -> tuple[int, int]:
        """Where it listens and where it speaks."""
        assert self.process
        assert self.process.stdin
        assert self.process.stdout
        return self.process.stdin.fileno(), self.process.stdout.fileno()

    def close(self) -> None:
        """End the engine, politely first, and whatever it has started."""
        process, self.process = self.process, None
        if process is None:
            return
        with process:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                os.write(process.stdin.fileno() if process.stdin else -1, b"quit\n")
                process.wait(FAREWELL)
            self.kill(process)

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)

    def crash(self) -> EngineFault:
        """The engine has closed its pipes: how did it end?"""
        assert self.process
        try:
            status = self.process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            return EngineFault("closed its output")
        return EngineFault(f"crashed: exit status {status}")

    # -- Lines --------------------------------------------------------------------

    def say(self, line: str) -> None:
        rest, end = f"{line}\n".encode(), time.monotonic() + self.margin
        while rest:
            remaining = end - time.monotonic()
            if remaining <= 0 or not select.select([], [self.pipes[0]], [], remaining)[1]:
                raise EngineFault(f"does not listen, for {self.margin:g} s")
            try:
                rest = rest[os.write(self.pipes[0], rest) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self.crash() from None

    def lines_until(self, word: str, seconds: float) -> Iterator[str]:
        """The lines up to the one that begins with `word`; it has that many seconds and more."""
        end = time.monotonic() + seconds + self.margin
        while True:
            line = self.line(end, f"no {word} within {seconds + self.margin:g} s")
            if line.startswith(REFUSAL):
                raise EngineFault(f"refused: {line.removeprefix(REFUSAL)}")
            yield line
            if line.split()[:1] == [word]:
                return

    def line(self, end: float, overdue: str) -> str:
        out = self.pipes[1]
        while b"\n" not in self.heard:
            remaining = end - time.monotonic()
            if remaining <= 0 or not select.select([out], [], [], remaining)[0]:
                raise EngineFault(f"hung: {overdue}")
            more = os.read(out, 1 << 16)
            if not more:
                raise self.crash()
            self.heard += more
            if len(self.heard) > LONGEST and b"\n" not in self.heard:
                raise EngineFault("said a line without end")
        line, _newline, self.heard = self.heard.partition(b"\n")
        if time.monotonic() > end:
            raise EngineFault(f"hung: {overdue}")
        return line.decode(errors="replace").strip()
