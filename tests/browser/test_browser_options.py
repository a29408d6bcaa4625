"""Whole matches on one screen: every game with each of its options, and every kind of hand."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from roundel import games
from tests.browser.devices import PHONE, Opener
from tests.browser.hands import Finger, Hands, Keys
from tests.browser.player import WAIT, Player
from tests.browser.rehearsal import Rehearsal, check_outcome, on_one_screen, rehearsed


def main_specs() -> Iterator[str]:
    """Of every game the option sets that bring a value which those before did not."""
    seen: set[tuple[str, str, object]] = set()
    for manifest in map(games.manifest, games.names()):
        for game in map(manifest.with_options, manifest.option_sets):
            values = {(game.name, option, value) for option, value in game.options.items()}
            if values - seen:
                yield game.spec
            seen |= values


PAIRED = [name for name in games.names() if games.manifest(name).second_game]


def check_ending(page: Page, rehearsal: Rehearsal) -> None:
    """The page tells the match as the rules do."""
    check_outcome(page, rehearsal)
    expect(page.locator(".ending li.later")).to_have_count(0, timeout=WAIT)
    assert page.locator(".ending li").count() > 0
    assert Player(page).actions == rehearsal.texts


@pytest.mark.parametrize("spec", list(main_specs()))
def test_a_whole_match_by_clicks(opener: Opener, spec: str) -> None:
    page, rehearsal = opener("/settings"), rehearsed(spec)
    on_one_screen(page, spec)
    hands = Hands(page)
    hands.perform(rehearsal)
    check_ending(page, rehearsal)
    is_given_away = hands.lit > 0
    assert is_given_away is not games.load(spec).unaided


@pytest.mark.parametrize("name", PAIRED)
def test_a_pair_of_games_on_one_board(opener: Opener, name: str) -> None:
    page, rehearsal = opener("/settings"), rehearsed(name, seed=1, pair=True)
    on_one_screen(page, name, pair=True)
    Hands(page).perform(rehearsal)
    check_ending(page, rehearsal)
    expect(page.locator(".record .passed").filter(has_text="Second game")).to_have_count(1)


def test_a_whole_match_by_keyboard_alone(opener: Opener) -> None:
    spec, rehearsal = shortest()
    page = opener("/settings")
    on_one_screen(page, spec)
    Keys(page).perform(rehearsal)
    check_ending(page, rehearsal)


def test_a_whole_match_with_a_finger_on_a_phone(opener: Opener) -> None:
    spec, rehearsal = shortest()
    page = opener("/settings", **PHONE)
    on_one_screen(page, spec)
    Finger(page).perform(rehearsal)
    check_ending(page, rehearsal)


def test_actions_can_be_typed(opener: Opener) -> None:
    spec, rehearsal = shortest()
    page = opener("/settings")
    on_one_screen(page, spec)
    field = page.get_by_role("textbox", name="Type a move")
    for ply, text in enumerate(rehearsal.texts[:4], 1):
        field.fill(text)
        field.press("Enter")
        expect(page.locator(".record .text")).to_have_count(ply, timeout=WAIT)
    assert Player(page).actions == rehearsal.texts[:4]
    field.fill("nonsense")
    field.press("Enter")
    expect(page.locator(".status .answer")).to_contain_text("nonsense", timeout=WAIT)


def shortest() -> tuple[str, Rehearsal]:
    """Of all games the one with the shortest match."""
    found = {name: rehearsed(name) for name in games.names()}
    name = min(found, key=lambda name: len(found[name].steps))
    return name, found[name]
