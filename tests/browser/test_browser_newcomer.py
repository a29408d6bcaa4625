"""What somebody who has never been here would stumble over."""

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, WebSocketRoute, expect

from roundel import games
from tests.browser.devices import PHONE, Opener
from tests.browser.hands import Finger, Hands
from tests.browser.player import WAIT
from tests.browser.rehearsal import (
    COMPUTER,
    FRIEND,
    ME,
    joined,
    made,
    on_one_screen,
    post_actions,
    rehearsed,
)

GAME = games.ours()[0]
ROOM = 60  # pixels for a player on a phone
HEIGHTS = "(all) => all.map((one) => one.getBoundingClientRect().height)"


def check_inside(inner: Locator, outer: Locator) -> None:
    one, other = inner.bounding_box(), outer.bounding_box()
    assert one is not None
    assert other is not None
    assert other["y"] <= one["y"]
    assert one["y"] + one["height"] <= other["y"] + other["height"]


def test_long_loading_is_explained(opener: Opener) -> None:
    """The rules may have to be compiled first."""
    page = opener("/settings")
    page.route("**/api/games*", lambda route: None)
    for path in ("/", "/new", f"/rules/{GAME}"):
        page.goto(path)
        expect(page.locator("main [role=status]")).to_contain_text(
            "The first time, this takes a minute", timeout=WAIT
        )


TOLD = {
    "Preparing the game": {"t": "thinking", "seat": 1, "depth": 0, "preparing": True},
    "Nothing can be saved": {"t": "paused", "reason": "Nothing can be saved at the moment."},
}


@pytest.mark.parametrize(("words", "message"), TOLD.items(), ids=TOLD.keys())
def test_what_everybody_waits_for_is_told(
    opener: Opener, words: str, message: dict[str, Any]
) -> None:
    page = opener("/settings")
    match = made(page, GAME, ME, COMPUTER)["id"]

    def tell(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            socket.send(text)
            if '"t":"snapshot"' in str(text):
                socket.send(json.dumps(message))

        server.on_message(pass_on)

    page.route_web_socket("**/ws*", tell)
    page.goto(f"/m/{match}")
    expect(page.locator(".status")).to_contain_text(words, timeout=WAIT)


def test_a_link_for_this_computer_only_says_so(opener: Opener) -> None:
    page = opener("/settings")
    made(page, GAME, ME, FRIEND)
    expect(page.locator(".invite")).to_contain_text("Only this computer", timeout=WAIT)


def test_matches_that_wait_for_players_are_listed_as_such(opener: Opener) -> None:
    page, friend = opener("/settings"), opener("/settings")
    match = made(page, GAME, ME, FRIEND)
    page.goto("/mine")
    expect(page.locator("li .running")).to_have_text("Waiting for players", timeout=WAIT)
    joined(friend, match, 1, "Ben")
    friend.goto("/mine")
    expect(friend.locator("li .running")).to_have_text("In progress", timeout=WAIT)


def test_a_refused_record_is_answered_beside_it(opener: Opener) -> None:
    page = opener("/mine", locale="fr-FR")
    section = page.get_by_role("region", name="Revoir une partie enregistrée")
    section.get_by_role("textbox").fill(f'[Game "{GAME}"]\n\n1. nothing')
    with page.expect_response("**/api/records*"):
        section.get_by_role("button", name="Revoir").click()
    expect(section.get_by_role("alert")).to_contain_text("Ligne 3, colonne 4", timeout=WAIT)


def test_trays_that_are_not_needed_are_gone(opener: Opener) -> None:
    page = opener("/settings")
    for name in games.names():
        rehearsal, position = rehearsed(name), games.load(name).start()
        on_one_screen(page, name)
        for ply, text in enumerate(rehearsal.texts[:3]):
            many = len(position.view.get("trays", {}))
            expect(page.locator(".table .tray:visible")).to_have_count(many, timeout=WAIT)
            Hands(page).act(ply, rehearsal.steps[ply])
            position = position.play(text)


def test_buttons_go_with_the_end(opener: Opener) -> None:
    page = opener("/settings")
    for name in games.names():
        rehearsal = rehearsed(name)
        post_actions(page, on_one_screen(page, name)["id"], rehearsal)
        expect(page.locator(".ending")).to_be_visible(timeout=WAIT)
        expect(page.locator(".table .buttons:visible")).to_have_count(0)


def test_the_end_is_told_where_a_phone_shows_it(opener: Opener) -> None:
    page = opener("/settings", **PHONE)
    made(page, GAME, ME, COMPUTER)
    Finger(page).act(0, rehearsed(GAME).steps[0])
    page.get_by_role("button", name="Resign", exact=True).tap()
    page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).tap()
    expect(page.locator(".status .prompt")).to_contain_text("You lost", timeout=WAIT)
    expect(page.locator(".status")).to_be_in_viewport(ratio=1)
    before = page.url
    page.locator(".status").get_by_role("button", name="Rematch").tap()
    expect(page.locator(".ending")).to_have_count(0, timeout=WAIT)
    assert page.url != before


def test_what_to_do_stays_in_sight_on_a_phone(opener: Opener) -> None:
    page = opener("/settings", **PHONE)
    on_one_screen(page, GAME)
    page.evaluate(
        "scrollTo(0, document.querySelector('.board').getBoundingClientRect().bottom - 400)"
    )
    expect(page.locator(".status")).to_be_in_viewport(ratio=1)


def test_the_latest_action_is_in_sight(opener: Opener) -> None:
    for name in games.names():
        page = opener("/settings")
        match, rehearsal = on_one_screen(page, name), rehearsed(name)
        post_actions(page, match["id"], rehearsal)
        page.goto(f"/m/{match['id']}")
        latest = page.locator(".record [aria-current=step]")
        expect(latest).to_be_visible(timeout=WAIT)
        expect(page.locator(".players")).to_be_visible(timeout=WAIT)
        page.evaluate("document.fonts.ready")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => done()))")
        check_inside(latest, page.locator(".record"))


def test_nothing_jumps_while_the_computer_thinks(opener: Opener) -> None:
    """What is told of a computer needs no more room than that it thinks."""
    for locale in ("en-US", "fr-FR"):
        page = opener("/settings", **PHONE, locale=locale)
        for name in games.names():
            made(page, name, ME, COMPUTER)
            expect(page.locator(".players li")).to_have_count(2, timeout=WAIT)
            heights = page.locator(".players li").evaluate_all(HEIGHTS)
            assert heights == [ROOM, ROOM], (name, locale)
