"""A server that is upgraded while people have its old page open."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from scripts.browsing import SETTINGS, STATIC
from scripts.load.server import ServerProcess

from roundel import games
from tests.browser.devices import PHONE, Devices
from tests.browser.hands import Finger, Hands
from tests.browser.player import WAIT, Player
from tests.browser.rehearsal import on_one_screen, rehearsed
from tests.browser.test_browser_pages import check_in_both_themes

GAME = games.ours()[0]
SOURCES = STATIC.parents[1]
DIGEST = re.compile(r"-([\w-]{8})\.\w+$")  # in the name of a file
VERSION = re.compile(r'name="roundel-page" content="(\w+)"')
EXPECTED = ("ERR_CONNECTION", "404 (Not Found)")  # a browser tells by itself what it cannot load


class Release:
    """Roundel, installed in a place of its own, whose page can give way to another build."""

    def __init__(self, folder: Path) -> None:
        self.folder, package = folder, folder / "roundel"
        without = shutil.ignore_patterns(STATIC.name)
        shutil.copytree(SOURCES, package, copy_function=os.symlink, ignore=without)
        self.static = package / STATIC.relative_to(SOURCES)
        shutil.copytree(STATIC, self.static)

    @property
    def script(self) -> str:
        (found,) = self.static.glob("assets/index-*.js")
        return f"/assets/{found.name}"

    def rebuild(self) -> None:
        """As if from other sources: every digest becomes another one, wherever it is named."""
        files = [path for path in self.static.rglob("*") if path.is_file()]
        digests = [found[1] for path in files if (found := DIGEST.search(path.name))]
        digests += VERSION.findall((self.static / "index.html").read_text(encoding="utf-8"))
        for path in files:
            content, name = path.read_bytes(), path.name
            path.unlink()
            for digest in digests:
                content = content.replace(digest.encode(), digest[::-1].encode())
                name = name.replace(digest, digest[::-1])
            path.with_name(name).write_bytes(content)


class Upgraded:
    """A server of that release, and devices that have its page open."""

    def __init__(self, release: Release, server: ServerProcess, devices: Devices) -> None:
        self.release, self.server, self.devices = release, server, devices

    def upgrade(self) -> None:
        """Stopped, exchanged, and started again: same place, same data."""
        before = self.release.script
        self.server.end()
        self.release.rebuild()
        assert self.release.script != before
        self.server.start()


@pytest.fixture
def upgraded(browser: Browser, tmp_path: Path) -> Iterator[Upgraded]:
    release = Release(tmp_path / "release")
    settings = {**SETTINGS, "PYTHONPATH": str(release.folder)}
    with ServerProcess(tmp_path / "data", **settings) as server:
        devices = Devices(browser, server.address)
        yield Upgraded(release, server, devices)
        devices.close()
    complaints = devices.complaints
    assert [text for text in complaints if not any(known in text for known in EXPECTED)] == []


def check_script(page: Page, script: str) -> None:
    """That the page was loaded with this script; it may be reloading just now."""
    expect(page.locator("script[type=module]")).to_have_attribute("src", script, timeout=WAIT)


def test_an_open_match_outlives_an_upgrade(upgraded: Upgraded) -> None:
    page, rehearsal = upgraded.devices.open("/settings"), rehearsed(GAME)
    line = page.locator(".version")
    on_one_screen(page, GAME)
    old = upgraded.release.script
    Hands(page).perform(rehearsal, 0, 2)
    expect(line).to_be_empty()
    upgraded.upgrade()
    expect(line).to_contain_text("There is a new version of Roundel.", timeout=WAIT)
    assert Player(page).actions == rehearsal.texts[:2]
    Hands(page).perform(rehearsal, 2, 4)
    check_script(page, old)  # nobody reloaded
    check_in_both_themes(page)
    address, pieces = page.url, Player(page).pieces
    line.get_by_role("button", name="Reload").click()
    check_script(page, upgraded.release.script)
    expect(page.locator(".record .text")).to_have_count(4, timeout=WAIT)
    expect(page.locator(".table .scene .pieces use")).to_have_count(len(pieces), timeout=WAIT)
    assert (page.url, Player(page).pieces) == (address, pieces)
    Hands(page).perform(rehearsal, 4, 5)
    expect(line).to_be_empty()


def test_the_line_covers_nothing_on_a_phone_and_can_be_put_off(upgraded: Upgraded) -> None:
    page, rehearsal = upgraded.devices.open("/settings", locale="fr-FR", **PHONE), rehearsed(GAME)
    line = page.locator(".version")
    on_one_screen(page, GAME)
    upgraded.upgrade()
    expect(line).to_contain_text("Il y a une nouvelle version de Roundel.", timeout=WAIT)
    page.evaluate("scrollTo(0, 0)")
    found = [part.bounding_box() for part in (line, page.locator(".table .board").first)]
    above, board = (box for box in found if box)
    assert above["y"] + above["height"] <= board["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    line.get_by_role("button", name="Plus tard").tap()
    expect(line).to_be_empty()
    Finger(page).perform(rehearsal, 0, 1)


def test_pages_without_a_match_load_the_new_one(upgraded: Upgraded) -> None:
    """By the next link, or at once when they miss a part that went away."""
    reading, choosing = (upgraded.devices.open(path) for path in ("/", "/settings"))
    old = upgraded.release.script
    upgraded.upgrade()
    reading.get_by_role("link", name="My matches").click()
    expect(reading.get_by_text("None yet.")).to_be_visible(timeout=WAIT)
    check_script(reading, old)  # it could not know: that was its first question since
    reading.get_by_role("link", name="Settings").click()
    check_script(reading, upgraded.release.script)
    expect(reading.locator("h1")).to_have_text("Settings", timeout=WAIT)
    choosing.get_by_text("Français", exact=True).click()
    expect(choosing.locator("h1")).to_have_text("Réglages", timeout=WAIT)
    check_script(choosing, upgraded.release.script)
