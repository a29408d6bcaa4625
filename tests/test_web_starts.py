"""How programs end: told to stop at any moment, they end by themselves, and nothing crashes."""

from __future__ import annotations

import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from scripts.load.ending import is_well, numbers
from scripts.starts_and_stops import start_and_stop

from roundel import games

# What LLVM takes apart when a process exits is then in the hands of a thread that compiles: whether
# that crashes is luck. That nothing is taken apart is not: here, to exit gives code 77.
PROGRAM = """
import ctypes, pkgutil, signal, sys, threading
from roundel.bots import Searcher
from roundel.web.tables import library

libc = ctypes.CDLL(None)
libc.__cxa_atexit(libc._exit, ctypes.c_void_p(77), None)

def compile_for_ever(*_):
    print("compiling", flush=True)
    threading.Event().wait()

library.prepare = Searcher.warm = compile_for_ever
{more}
sys.argv = sys.argv[1:]
pkgutil.resolve_name("{program}")()
"""
# Signals come by themselves at these moments.
LOADING = """
class Moment:
    def find_spec(name, *_):
        if name == "roundel.web.serving":
            signal.raise_signal({number})

sys.meta_path.insert(0, Moment)
"""
BEGINNING = """
import uvicorn
begin = uvicorn.Server.run

def begin_late(*arguments):
    signal.raise_signal({number})
    begin(*arguments)

uvicorn.Server.run = begin_late
"""
NAME = games.ours()[0]
SIGNALS = [signal.SIGTERM, signal.SIGINT]
PATIENCE = 60  # seconds


def installed() -> str:
    """The function that the command `roundel` calls."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    name: str = project["project"]["scripts"]["roundel"]
    return name


@contextmanager
def running(*arguments: str, more: str = "") -> Iterator[subprocess.Popen[str]]:
    text = PROGRAM.format(program=installed(), more=more)
    command = [sys.executable, "-c", text, "roundel", "--lang", "en", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def serve(folder: Path) -> list[str]:
    return ["serve", "--port", "0", "--data", str(folder)]


def until_it_compiles(process: subprocess.Popen[str]) -> None:
    assert process.stdout
    while process.stdout.readline() != "compiling\n":
        assert process.poll() is None


@pytest.mark.parametrize("number", SIGNALS)
def test_a_server_that_compiles_ends_without_taking_the_compiler_apart(
    number: signal.Signals, tmp_path: Path
) -> None:
    with running(*serve(tmp_path)) as server:
        until_it_compiles(server)
        server.send_signal(number)
        assert server.wait(PATIENCE) == 0


def test_an_engine_that_compiles_ends_without_taking_the_compiler_apart() -> None:
    with running("ugi") as engine:
        assert engine.stdin
        engine.stdin.write(f"uginewgame game {NAME}\nposition startpos\ngo movetime 1000\n")
        engine.stdin.flush()
        until_it_compiles(engine)
        engine.stdin.write("quit\n")
        engine.stdin.flush()
        assert engine.wait(PATIENCE) == 0


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("moment", [LOADING, BEGINNING], ids=["loading", "beginning"])
def test_a_server_heeds_signals_before_it_begins(
    moment: str, number: signal.Signals, tmp_path: Path
) -> None:
    with running(*serve(tmp_path), more=moment.format(number=int(number))) as server:
        assert server.wait(PATIENCE) == 0


@pytest.mark.parametrize("name", ["starting", "idle", "sockets", "thinking"])
def test_a_situation_can_be_reached_and_ended(name: str) -> None:
    ended = start_and_stop(name, 0)
    assert not ended.wrong or ended.wrong.startswith("it took"), ended.wrong


def test_only_before_a_server_has_begun_may_a_signal_end_it() -> None:
    assert is_well(0, signal.SIGTERM, is_early=False)
    assert is_well(-signal.SIGTERM, signal.SIGTERM, is_early=True)
    assert not is_well(-signal.SIGTERM, signal.SIGTERM, is_early=False)
    assert not is_well(-signal.SIGSEGV, signal.SIGTERM, is_early=True)


def test_the_kernel_names_the_thread_that_crashed() -> None:
    line = "[ 2728.45] python[20685]: segfault at 0 ip 0 sp 0 error 4 in libllvmlite.so[3fa,7f0+50]"
    assert numbers(line) == {"20685"}
