"""A real server and a real browser for all tests of the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from scripts.browsing import chromium, served

from tests.browser.devices import Devices, Opener


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a fresh server is; it is stopped after the last test."""
    with served(tmp_path_factory.mktemp("data")) as server:
        yield server.address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def opener(browser: Browser, address: str) -> Iterator[Opener]:
    """Opens pages, each on a device of its own. Whatever they complain about is an error."""
    devices = Devices(browser, address)
    yield devices.open
    devices.close()
    assert devices.complaints == []
