"""What can be done at a table beside acting."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from roundel import games
from tests.browser.devices import Opener
from tests.browser.hands import Hands
from tests.browser.player import WAIT, Player
from tests.browser.rehearsal import (
    COMPUTER,
    FRIEND,
    ME,
    check_outcome,
    joined,
    made,
    on_one_screen,
    post_actions,
    rehearsed,
)
from tests.playing import long_turns

GAME = games.ours()[0]
FORMATS = [(name, "text") for name in games.names()]
FORMATS += [(name, ending) for name in games.names() for ending in games.manifest(name).foreign]


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def check_actions(page: Page, many: int) -> None:
    expect(page.locator(".record .text")).to_have_count(many, timeout=WAIT)


def test_undo_and_hint_against_the_computer(opener: Opener) -> None:
    page = opener("/settings")
    made(page, GAME, ME, COMPUTER)
    player = Player(page)
    player.wait()
    before = player.pieces
    player.click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible(timeout=WAIT)
    assert page.get_by_role("button", name="Offer a draw").count() == 0
    press(page, "Undo")
    check_actions(page, 0)
    assert player.pieces == before
    press(page, "Hint")
    expect(page.locator(".status")).to_contain_text("Chance to win", timeout=WAIT)
    assert page.locator(".marks .hint").count() > 0


def test_an_unfinished_turn_is_taken_back_action_by_action(opener: Opener) -> None:
    game, texts = next(long_turns())
    page = opener("/settings")
    friend = opener("/settings")
    match = made(page, game.spec, ME, FRIEND)
    joined(friend, match, 1, "Ben")
    position = game.start()
    for ply, text in enumerate(texts):
        after = position.play(text)
        Hands((page, friend)[position.player or 0]).act(ply, position.clicks(after.actions[-1]))
        position = after
    mine = (page, friend)[position.player or 0]
    check_actions(mine, len(texts))
    press(mine, "Undo")
    for one in (page, friend):
        check_actions(one, len(texts) - 1)
    expect(mine.locator(".status.mine")).to_be_visible()


def test_resigning_and_the_rematch(opener: Opener) -> None:
    page = opener("/settings")
    made(page, GAME, ME, COMPUTER)
    Player(page).click()
    press(page, "Resign")
    page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
    expect(page.locator(".ending h2")).to_have_text("You lost", timeout=WAIT)
    expect(page.locator(".ending .outcome")).to_contain_text("by resignation")
    before = page.url
    press(page, "Rematch")
    expect(page.locator(".ending")).to_have_count(0, timeout=WAIT)
    assert page.url != before
    Player(page).click()


def test_offers_are_answered(opener: Opener) -> None:
    anna, ben = opener("/settings"), opener("/settings")
    joined(ben, made(anna, GAME, ME, FRIEND), 1, "Ben")
    rehearsal = rehearsed(GAME)
    Hands(anna).perform(rehearsal, 0, 1)
    check_actions(ben, 1)
    press(anna, "Ask to take back")
    expect(anna.locator(".offer")).to_contain_text("You asked to take a move back.")
    press(ben, "Accept")
    check_actions(anna, 0)
    Hands(anna).perform(rehearsal, 0, 1)
    press(ben, "Offer a draw")
    press(anna, "Decline")
    expect(ben.locator(".offer")).to_have_count(0, timeout=WAIT)
    press(anna, "Offer a draw")
    press(ben, "Accept")
    for page in (anna, ben):
        expect(page.locator(".ending h2")).to_have_text("Draw by agreement", timeout=WAIT)


def test_who_shares_a_screen_answers_there(opener: Opener) -> None:
    page = opener("/settings")
    on_one_screen(page, GAME)
    press(page, "Offer a draw")
    press(page, "Decline")
    expect(page.locator(".offer")).to_have_count(0, timeout=WAIT)
    Hands(page).perform(rehearsed(GAME), 0, 1)
    press(page, "Offer a draw")
    press(page, "Accept")
    expect(page.locator(".ending h2")).to_have_text("Draw by agreement", timeout=WAIT)


def test_one_can_say_something(opener: Opener) -> None:
    anna, ben = opener("/settings"), opener("/settings")
    joined(ben, made(anna, GAME, ME, FRIEND), 1, "Ben")
    press(anna, "Say")
    press(anna, "Good luck!")
    expect(ben.locator(".players q")).to_have_text("Good luck!", timeout=WAIT)


def test_my_seat_on_another_device(opener: Opener) -> None:
    page, phone = opener("/settings"), opener("/settings")
    made(page, GAME, ME, COMPUTER)
    press(page, "Another device")
    link = page.get_by_role("textbox", name="Invitation link")
    expect(link).to_have_value(re.compile("/join/"), timeout=WAIT)
    phone.goto(link.input_value())
    phone.get_by_role("button", name="Sit down").click()
    Player(phone).click()
    expect(page.locator(".record .text").first).to_be_visible(timeout=WAIT)


def test_replay_by_link_keys_and_list(opener: Opener) -> None:
    page, rehearsal = opener("/settings"), rehearsed(GAME)
    match = on_one_screen(page, GAME)
    Hands(page).perform(rehearsal)
    last = len(rehearsal.steps)
    other = opener(f"/m/{match['id']}/3")
    shown = other.locator(".record [aria-current=step] .text")
    expect(shown).to_have_text(rehearsal.texts[2], timeout=WAIT)
    drawn = other.locator(".table .scene .pieces use")
    expect(drawn.first).to_be_attached(timeout=WAIT)  # the board comes after the list
    pieces = Player(other).pieces
    other.keyboard.press("ArrowRight")
    expect(shown).to_have_text(rehearsal.texts[3])
    expect(other).to_have_url(re.compile(f"/m/{match['id']}/4$"))
    other.keyboard.press("ArrowLeft")
    expect(other).to_have_url(re.compile(f"/m/{match['id']}/3$"))
    expect(drawn).to_have_count(len(pieces))
    assert Player(other).pieces == pieces
    other.keyboard.press("Home")
    expect(other.locator(".status")).to_contain_text(f"After move 0 of {last}.")
    other.locator(".record button").nth(1).click()
    expect(shown).to_have_text(rehearsal.texts[1])
    press(other, "Go to the latest position")
    expect(other.locator(".status")).to_contain_text(rehearsal.outcome)


@pytest.mark.parametrize(("name", "ending"), FORMATS)
def test_a_record_goes_out_and_comes_back(
    opener: Opener, tmp_path: Path, name: str, ending: str
) -> None:
    page, rehearsal = opener("/settings"), rehearsed(name)
    match = on_one_screen(page, name)
    post_actions(page, match["id"], rehearsal)
    expect(page.locator(".ending")).to_be_visible(timeout=WAIT)
    page.get_by_text("Record, picture, link").click()
    with page.expect_download() as download:
        link = f"a[href$='record?format={ending}']"
        page.locator(link).click()
    path = tmp_path / f"match.{ending}"
    download.value.save_as(path)
    other = opener("/mine")
    other.locator("input[type=file]").set_input_files(path)
    check_actions(other, len(rehearsal.texts))
    assert Player(other).actions == rehearsal.texts
    check_outcome(other, rehearsal)
