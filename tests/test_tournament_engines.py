"""Engines that go wrong, several processes, interruptions: nothing stops a tournament for good."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from roundel import games
from roundel.cli.main import main
from roundel.kernel.jit import JIT
from roundel.tournament import engine
from tests.test_outside import NAME, OUTSIDE, PACKAGE, install

# Knows the toy game's squares and nothing else; does one thing wrong when it is asked to think.
ENGINE = """
import os, signal, subprocess, sys

fault, *files = sys.argv[1:]
squares = [column + row for row in "123" for column in "abc"]
matches = 0


def go(words):
    if fault == "crash":
        sys.exit(3)
    if fault == "child":
        subprocess.Popen(["sleep", "1000"], stdout=open(files[0], "w"))
    if fault in ("hang", "child"):
        signal.pause()
    if fault == "endless":
        while True:
            print("x" * 4096, end="")
    if fault == "babble":
        while True:
            print("info string thinking")
    if fault == "stall" and matches == 2 and os.path.exists(files[1]):
        waiting = open(files[0], "w")
        print("stalled", file=waiting, flush=True)
        signal.pause()
    free = [square for square in squares if square not in words]
    faults = {"illegal": words[-1], "nonsense": "\\x1b[0m?!", "nothing": ""}
    print("bestmove", faults.get(fault, free[0]))


for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        if fault == "silent":
            signal.pause()
        print("option name Seed type spin\\nugiok")
    elif words[0] == "setoption":
        print("option", *words, file=sys.stderr)
    elif words[0] == "uginewgame":
        matches += 1
        if fault == "refuse":
            print("info string error: no such game")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        position = words
    elif words[0] == "go":
        go(position)
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The game outside, installed in this process and in those that it starts."""
    install(tmp_path, **{NAME: PACKAGE})
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{OUTSIDE}")
    for folder in (OUTSIDE, tmp_path):
        monkeypatch.syspath_prepend(str(folder))
    for cached in (games.claims, games.said):
        cached.cache_clear()
    yield NAME
    for cached in (games.claims, games.said):
        cached.cache_clear()


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)
    return f"{sys.executable} {path}"


SHORT = ("--openings", "1")  # so that the toy game cannot end before an engine was asked


def report(folder: Path, *arguments: str) -> dict[str, Any]:
    whole = ["tournament", *arguments, *SHORT, "--folder", str(folder), "--workers", "1"]
    assert main(whole) == 0
    found: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return found


# -- Engines ------------------------------------------------------------------------


def test_a_good_engine_plays_its_matches_and_has_its_options(
    toy: str, program: str, tmp_path: Path
) -> None:
    player = f"ugi@10n,Level=3:{program} good"
    found = report(tmp_path, toy, player, "random", "--matches", "4", "--margin", "60")
    assert (found["matches"], found["faults"]) == (4, [])
    log = (tmp_path / "engines.log").read_text()
    assert log.count("option setoption name Level value 3") == 1, "started once"
    assert log.count("option setoption name Seed value ") == 4


def test_our_own_engine_is_one(toy: str, tmp_path: Path) -> None:
    player = f"ugi@2n,Level=9:{sys.executable} -m roundel.cli.main ugi"
    found = report(tmp_path, toy, player, "random", "--matches", "2", "--margin", "60")
    assert (found["matches"], found["faults"]) == (2, [])


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("crash", "crashed: exit status 3"),
        ("hang", "hung: no bestmove within 0.51 s"),
        ("illegal", "illegal action "),
        ("nonsense", "illegal action "),
        ("nothing", "illegal action ''"),
        ("endless", "said a line without end"),
        ("babble", "hung: no bestmove"),
        ("refuse", "refused: no such game"),
        ("silent", "hung: no ugiok"),
    ],
)
def test_whoever_goes_wrong_loses_and_is_named(
    toy: str,
    program: str,
    fault: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if fault == "silent":
        monkeypatch.setattr(engine, "PATIENCE", 0.01)
    margin = "0.5" if reason.startswith("hung") else "60"
    player = f"ugi@10ms:{program} {fault}"
    arguments = (toy, player, "random", "--matches", "2", "--margin", margin)
    found = report(tmp_path, *arguments)
    assert [told["player"] for told in found["faults"]] == [player] * 2, "started anew each time"
    assert all(told["reason"].startswith(reason) for told in found["faults"])
    rows = {row["player"]: row for row in found["players"]}
    assert (rows[player]["losses"], rows["random"]["wins"]) == (2, 2)
    assert f"{player} lost match" in capsys.readouterr().out
    records = [str(path) for path in (tmp_path / "matches").iterdir()]
    assert main(["record", "check", *records]) == 0
    assert report(tmp_path, *arguments) == found, "read again from the records"


def test_a_program_that_is_none(toy: str, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("not a program\n")
    path.chmod(0o755)
    found = report(tmp_path, toy, f"ugi:{path}", "random", "--matches", "2")
    assert all("cannot be started" in told["reason"] for told in found["faults"])
    assert len(found["faults"]) == 2


LONG = 120  # seconds that are never needed, unless something is wrong


def ended(pipe: int) -> bool:
    """Whether everybody who could write into a pipe is gone, or soon will be."""
    os.set_blocking(pipe, True)
    while select.select([pipe], [], [], LONG)[0]:
        if not os.read(pipe, 100):
            return True
    return False


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_processes_of_an_engine_end_with_it(
    toy: str, program: str, pipe: Path, tmp_path: Path
) -> None:
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    player = f"ugi@10ms:{program} child {pipe}"
    found = report(tmp_path, toy, player, "random", "--matches", "2", "--margin", "0.5")
    assert len(found["faults"]) == 2
    assert ended(reading)
    os.close(reading)


# -- Interruptions ------------------------------------------------------------------


@pytest.fixture
def stalling(toy: str, program: str, pipe: Path, tmp_path: Path) -> list[str]:
    """A tournament whose engine stalls in its second match, as long as there is such a file."""
    (tmp_path / "stall").touch()
    player = f"ugi@10n:{program} stall {pipe} {tmp_path / 'stall'}"
    command = [sys.executable, "-m", "roundel.cli.main", "tournament", toy, player, "random"]
    return [*command, "--matches", "6", "--margin", "600", *SHORT, "--folder", str(tmp_path)]


def begin(command: list[str], pipe: Path) -> tuple[subprocess.Popen[str], int]:
    """Returns when the engine has stalled."""
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    process = subprocess.Popen(
        ["env", "--default-signal=INT", *command],  # also if the tests run in the background
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout
    if reading not in select.select([reading, process.stdout.fileno()], [], [], LONG)[0]:
        process.kill()
        pytest.fail(f"it has not come so far: {process.communicate()}")
    return process, reading


@pytest.mark.skipif(not JIT, reason="whole processes are slow as plain Python")
@pytest.mark.parametrize(("workers", "number"), [("1", signal.SIGTERM), ("2", signal.SIGINT)])
def test_an_interrupted_tournament_goes_on(
    stalling: list[str], pipe: Path, tmp_path: Path, workers: str, number: signal.Signals
) -> None:
    command = [*stalling, "--workers", workers]
    process, reading = begin(command, pipe)
    to_all = number == signal.SIGINT  # as a terminal does it
    (os.killpg if to_all else os.kill)(process.pid, number)
    out, err = process.communicate()
    assert process.returncode == 130
    assert "Run the same command again to resume." in err
    assert "Traceback" not in err
    assert "Matches and reports are in" in out
    assert ended(reading), "no engine is left"
    os.close(reading)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "matches").iterdir()}
    assert len(kept) < 6
    assert workers == "2" or len(kept) == 1
    assert json.loads((tmp_path / "report.json").read_text())["matches"] == len(kept)

    (tmp_path / "stall").unlink()
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not kept or f"{len(kept)} of 6 matches have already been played" in again.stderr
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "matches").iterdir()}
    assert len(after) == 6
    assert kept.items() <= after.items(), "nothing is played twice"


def test_nobody_is_left_when_we_are_killed(stalling: list[str], pipe: Path) -> None:
    process, reading = begin([*stalling, "--workers", "2"], pipe)
    process.kill()
    process.communicate()
    assert ended(reading)
    os.close(reading)


# -- The sequential test ------------------------------------------------------------


def test_a_test_stops_when_it_is_decided(
    toy: str, program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who always crashes is not stronger."""
    arguments = (toy, "random", f"ugi@10ms:{program} crash", "--format", "sprt", "--elo1", "200")
    found = report(tmp_path, *arguments)
    assert found["sprt"]["accepted"] == "H1"
    assert found["matches"] == 2 * found["sprt"]["pairs"] < found["planned"]
    assert "H1 is accepted: the advantage is 200 Elo rather than 0" in capsys.readouterr().out
    assert report(tmp_path, *arguments) == found, "and is not played any further"
    undecided = report(tmp_path, *arguments, "--matches", "2")
    assert undecided["sprt"]["accepted"] == ""
    assert "undecided between 0 and 200 Elo" in capsys.readouterr().out
