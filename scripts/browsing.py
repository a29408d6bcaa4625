"""A real server and a real browser: for the tests of the page, for its pictures and its figures."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from scripts.load.server import ServerProcess

STATIC = Path(__file__).parents[1] / "src" / "roundel" / "web" / "static"
# Nobody looks on who would have to follow the computer's actions, or waits for who went away.
SETTINGS = {"ROUNDEL_PACE": "0", "ROUNDEL_AWAY": "0", "LANGUAGE": "en"}


@contextmanager
def served(data: Path) -> Iterator[ServerProcess]:
    """A server that can be killed and started again: same place, same data."""
    if not (STATIC / "index.html").is_file():
        raise FileNotFoundError("the page is not built: run `make page`")
    with ServerProcess(data, **SETTINGS) as server:
        yield server


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
