"""A server that is started to be stopped, and everything that can be seen of how it ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

SOON = 2.0  # seconds in which everything must have ended
PATIENCE = 60.0  # seconds after which it is ended by force
CRASHES = ("Fatal Python error", "Assertion", "UNREACHABLE", "terminate called")
MARK = "ROUNDEL_STARTED"  # in the environment of a server and of all that it starts


@dataclass(frozen=True)
class StopResult:
    code: int  # the server's exit code
    seconds: float  # from the signal to the end of the last process
    wrong: str = ""


class Started:
    """A server in a process, a session and a folder of its own."""

    def __init__(self, folder: Path, is_cold: bool) -> None:
        self.folder, self.errors = folder, folder / "errors"
        cold = {"ROUNDEL_CACHE": str(folder / "cache")} if is_cold else {}
        more = {"PYTHONFAULTHANDLER": "1", "LANGUAGE": "en", MARK: str(folder)}
        command = [sys.executable, "-m", "roundel.cli.main", "serve", "--port", "0"]
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [*command, "--data", str(folder / "data")],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, **cold, **more},
                start_new_session=True,
            )

    def url(self) -> str:
        """Returns when it can be reached."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, f"the server has ended: {self.errors.read_text()}"
        return line.strip().partition("//")[2].rstrip("/")

    def stop(self, number: signal.Signals) -> StopResult:
        is_early = not (self.folder / "data").exists()
        before, threads = set(kernel_log()), self.threads()
        begun = time.perf_counter()
        self.process.send_signal(number)
        running = self.wait(begun + PATIENCE)
        seconds = time.perf_counter() - begun
        self.kill()
        code = self.process.returncode
        wrong = [line for line in self.errors.read_text().splitlines() if has_crashed(line)]
        wrong += [line for line in kernel_log() if line not in before and threads & numbers(line)]
        wrong += [f"exit code {code}"] * (not is_well(code, number, is_early))
        wrong += [f"{len(running)} processes were left"] * bool(running)
        wrong += [f"it took {seconds:.1f} s"] * (seconds > SOON)
        return StopResult(code, seconds, "; ".join(wrong))

    def wait(self, end: float) -> list[int]:
        """The processes that are left: none, or it is too late."""
        while (running := self.processes()) and time.perf_counter() < end:
            time.sleep(0.01)
        return running

    def processes(self) -> list[int]:
        """The server and those that think for it, known by their environment."""
        self.process.poll()
        mark = f"{MARK}={self.folder}".encode()
        return [int(place.name) for place in Path("/proc").glob("[0-9]*") if is_marked(place, mark)]

    def threads(self) -> set[str]:
        """The kernel's log calls them by their numbers."""
        folders = [Path(f"/proc/{process}/task") for process in self.processes()]
        return {place.name for folder in folders for place in folder.glob("*")}

    def kill(self) -> None:
        for process in self.processes():
            os.kill(process, signal.SIGKILL)
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


def is_marked(place: Path, mark: bytes) -> bool:
    try:
        return mark in (place / "environ").read_bytes().split(b"\0")
    except OSError:  # it has ended, or is somebody else's
        return False


def is_well(code: int, number: signal.Signals, is_early: bool) -> bool:
    """What has yet to become a server, and has touched nothing, may end as any command does."""
    return code == 0 or (is_early and code in (-number, 130))


def has_crashed(line: str) -> bool:
    return any(crash in line for crash in CRASHES)


def kernel_log() -> list[str]:
    """What the kernel says of processes that crash, if we may read it."""
    found = subprocess.run(["dmesg"], capture_output=True, text=True, check=False)
    return [line for line in found.stdout.splitlines() if "segfault" in line or "trap" in line]


def numbers(line: str) -> set[str]:
    """Those in brackets: `python[1234]: segfault at ...`."""
    return set(re.findall(r"\[(\d+)\]", line))
