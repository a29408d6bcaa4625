"""A real server and a real browser: for the tests of the page, for its pictures and its figures."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

STATIC = Path(__file__).parents[1] / "src" / "roundel" / "web" / "static"
SERVE = [sys.executable, "-m", "roundel.cli.main", "serve"]
# Programs click faster than people; what the bounds are for has tests of its own.
BOUNDS = {"ROUNDEL_MESSAGES": "100000", "ROUNDEL_REQUESTS": "100000", "ROUNDEL_PACE": "0"}


class Server:
    """A server that can be killed and started again: same place, same data."""

    def __init__(self, data: Path) -> None:
        if not (STATIC / "index.html").is_file():
            raise FileNotFoundError("the page is not built: run `make page`")
        self.data, self.port = data, 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Returns as soon as it can be reached."""
        told = ["--port", str(self.port), "--data", str(self.data)]
        environment = {**os.environ, **BOUNDS, "LANGUAGE": "en"}
        self.process = subprocess.Popen(
            [*SERVE, *told], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)/", line)
        assert found, f"the server said {line!r} instead of its address"
        self.port = int(found[1])

    def kill(self) -> None:
        """As a power cut would do it."""
        self.process.kill()
        self.end()

    def stop(self) -> None:
        self.process.terminate()
        self.end()

    def end(self) -> None:
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()


@contextmanager
def served(data: Path) -> Iterator[Server]:
    server = Server(data)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def chromium() -> Iterator[Browser]:
    """The machine's own: Playwright's download may be out of reach."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise FileNotFoundError("there is no chromium on this machine: run `make chromium`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()
