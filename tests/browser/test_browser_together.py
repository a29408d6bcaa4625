"""Several people at one table, each with a browser; and a server that may fall."""

from contextlib import suppress
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, TimeoutError, expect
from scripts.browsing import served

from roundel import games
from tests.browser.devices import Devices, Opener
from tests.browser.hands import Hands
from tests.browser.player import OFFERED, WAIT, Player
from tests.browser.rehearsal import (
    COMPUTER,
    FRIEND,
    ME,
    Rehearsal,
    check_outcome,
    joined,
    made,
    on_one_screen,
    rehearsed,
)
from tests.playing import game_for

GAME = games.ours()[0]
GLANCE = 500  # milliseconds


def taking_turns(rehearsal: Rehearsal, plies: slice, *pages: Page) -> None:
    """Each acts for the own seat; the others see it."""
    for ply, spots in list(enumerate(rehearsal.steps))[plies]:
        Hands(pages[rehearsal.match.entries[ply].seat]).act(ply, spots)
        for page in pages:
            expect(page.locator(".record .text")).to_have_count(ply + 1, timeout=WAIT)


@pytest.fixture
def rehearsal() -> Rehearsal:
    return rehearsed(GAME)


def test_two_browsers_meet_over_a_link(opener: Opener, rehearsal: Rehearsal) -> None:
    anna, ben, watcher = opener("/settings"), opener("/settings"), opener("/settings")
    match = made(anna, GAME, ME, FRIEND)
    expect(anna.get_by_role("heading", name="Waiting for players")).to_be_visible(timeout=WAIT)
    expect(anna.locator(".qr img")).to_be_visible(timeout=WAIT)
    joined(ben, match, 1, "Ben")
    expect(anna.locator(".players")).to_contain_text("Ben", timeout=WAIT)
    watcher.goto(f"/m/{match['id']}")
    expect(anna.locator(".about")).to_contain_text("1 person is watching", timeout=WAIT)
    taking_turns(rehearsal, slice(4), anna, ben)
    check_watcher(watcher, rehearsal)
    taking_turns(rehearsal, slice(4, None), anna, ben)
    for page in (anna, ben, watcher):
        check_outcome(page, rehearsal)
    headings = {page.locator(".ending h2").inner_text() for page in (anna, ben)}
    assert headings in ({"You won", "You lost"}, {"Draw"})
    expect(watcher.locator(".ending h2")).to_have_text("The match is over")


def check_watcher(page: Page, rehearsal: Rehearsal) -> None:
    """A spectator sees everything and can do nothing."""
    expect(page.locator(".record .text")).to_have_count(4, timeout=WAIT)
    assert page.locator(".table .choosable").count() == 0
    page.locator(".table .spot").first.click(force=True)
    expect(page.locator(".status .answer")).to_have_text("You are watching this match.")
    for name in ("Undo", "Hint", "Resign", "Offer a draw", "Say", "Another device"):
        assert page.get_by_role("button", name=name, exact=True).count() == 0


def test_an_invitation_is_for_one(opener: Opener) -> None:
    anna, ben, carl = opener("/settings"), opener("/settings"), opener("/settings")
    match = made(anna, GAME, ME, FRIEND)
    joined(ben, match, 1, "Ben")
    link = match["seats"][1]["invitation"]["url"]
    assert not carl.request.get(link.replace("/join/", "/api/invitations/")).ok


def test_who_has_gone_away_can_be_claimed_against(opener: Opener) -> None:
    anna, ben = opener("/settings"), opener("/settings")
    joined(ben, made(anna, GAME, ME, FRIEND), 1, "Ben")
    assert anna.get_by_role("button", name="Claim").count() == 0
    ben.close()
    anna.get_by_role("button", name="Claim: Ben is gone").click(timeout=WAIT)
    expect(anna.locator(".ending h2")).to_have_text("You won", timeout=WAIT)
    expect(anna.locator(".ending .outcome")).to_contain_text("the other side has left")


def test_a_flag_falls(opener: Opener, rehearsal: Rehearsal) -> None:
    page = opener("/settings")
    on_one_screen(page, GAME, clock={"seconds": 1, "increment": 0})
    Hands(page).perform(rehearsal, 0, 1)
    expect(page.locator(".ending .outcome")).to_contain_text("wins on time", timeout=WAIT)
    expect(page.locator(".clock").last).to_have_text("0:00.0")


def try_to_click(player: Player) -> None:
    """One click, unless there is nothing to click on because somebody else is to act."""
    with suppress(TimeoutError):
        found = player.page.wait_for_function(OFFERED, timeout=GLANCE).json_value()
        player.page.mouse.click(found[0]["x"], found[0]["y"])


@pytest.mark.parametrize("players", [3, 4])
def test_people_and_computers_play_together(opener: Opener, players: int) -> None:
    anna, ben = opener("/settings"), opener("/settings")
    computers = [COMPUTER] * (players - 2)
    match = made(anna, game_for(players).spec, ME, *computers, FRIEND)
    joined(ben, match, players - 1, "Ben")
    acted = anna.locator(".record .text")
    for player in cycle([Player(anna), Player(ben)]):
        try_to_click(player)
        if acted.count() >= 3 * players:
            break
    expect(ben.locator(".players .turn")).to_have_count(1)
    seats = {role for role in anna.locator(".record .role").all_inner_texts() if role}
    assert len(seats) == players


def test_a_server_that_is_killed_loses_nothing(
    browser: Browser, tmp_path: Path, rehearsal: Rehearsal
) -> None:
    with served(tmp_path) as server:
        devices = Devices(browser, server.address)
        anna, ben = devices.open("/settings"), devices.open("/settings")
        joined(ben, made(anna, GAME, ME, FRIEND), 1, "Ben")
        taking_turns(rehearsal, slice(5), anna, ben)
        server.kill()
        for page in (anna, ben):
            expect(page.locator(".status")).to_contain_text("Connection lost", timeout=WAIT)
        server.start()
        for page in (anna, ben):
            expect(page.locator(".status.lost")).to_have_count(0, timeout=WAIT)
            assert Player(page).actions == rehearsal.texts[:5]
        taking_turns(rehearsal, slice(5, None), anna, ben)
        for page in (anna, ben):
            check_outcome(page, rehearsal)
        devices.close()
    # A browser tells by itself that nobody answered; nothing else may be wrong.
    assert [text for text in devices.complaints if "ERR_CONNECTION" not in text] == []
