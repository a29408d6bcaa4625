"""A server in a process of its own, started as anybody would start it."""

from __future__ import annotations

import http.client
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")  # in a second
PATIENCE = 60.0  # seconds until it must have answered


def many_files() -> None:
    """A socket is a file: as many as this machine allows, also for what we start."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class ServerProcess:
    """It keeps its port and its data from one start to the next."""

    program: tuple[str, ...] = ("roundel.cli.main", "serve")  # a module and its arguments
    files = 0  # that it may open; 0: as many as we

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder, self.port = folder, free_port()
        self.environment = {**os.environ, **settings}
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"http://{self.url}"

    def start(self) -> float:
        """Returns after how many seconds it answered."""
        begun = time.perf_counter()
        command = [sys.executable, "-m", *self.program]
        command += ["--port", str(self.port), "--data", str(self.folder)]
        if self.files:
            command = ["prlimit", f"--nofile={self.files}", *command]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, env=self.environment, start_new_session=True
        )
        while not self.answers():
            assert self.process.poll() is None, "the server has ended"
            assert time.perf_counter() - begun < PATIENCE, "the server does not answer"
        return time.perf_counter() - begun

    def answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except OSError:
            time.sleep(0.005)  # not there yet: let it have the processor
            return False
        finally:
            connection.close()

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(PATIENCE)
            self.process = None

    @property
    def memory(self) -> int:
        """Resident bytes of the server itself, without the processes that think for it."""
        assert self.process
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * PAGE

    @property
    def processor(self) -> float:
        """Seconds of it that the server itself has used."""
        assert self.process
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def __enter__(self) -> ServerProcess:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.end()
