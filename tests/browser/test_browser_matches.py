"""Matches by clicks in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from roundel import games
from tests.browser.devices import Opener
from tests.browser.hands import Hands
from tests.browser.player import WAIT, Player, against_computer
from tests.browser.rehearsal import on_one_screen, rehearsed

pytestmark = pytest.mark.parametrize("name", games.names())


def title_of(name: str) -> str:
    return games.manifest(name).title


def test_a_whole_match_against_the_computer(opener: Opener, name: str) -> None:
    page = opener("/")
    against_computer(page, title_of(name))
    player = Player(page)
    clicks = player.play_out()
    assert clicks >= len(player.actions) // 2 > 0
    ended = re.compile("You won|You lost|Draw")
    expect(page.locator(".ending h2")).to_have_text(ended, timeout=WAIT)
    expect(page.locator(".ending li.later")).to_have_count(0, timeout=WAIT)
    expect(page.locator(".ending li").first).to_be_visible()


def test_a_reload_in_the_middle_changes_nothing(opener: Opener, name: str) -> None:
    page, rehearsal = opener("/settings"), rehearsed(name)
    on_one_screen(page, name)
    Hands(page).perform(rehearsal, 0, 5)
    player = Player(page)
    player.wait()
    before, pieces = player.actions, player.pieces
    page.reload()
    player.wait()
    assert player.actions == before
    assert player.pieces == pieces
    player.click()
