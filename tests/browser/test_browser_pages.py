"""Every page: found by its address, in both languages, usable by everybody, light to load."""

import gzip
import json
import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, Response, expect

from roundel import games
from roundel.core.game import Manifest
from tests.browser.devices import NOWHERE, PHONE, Opener
from tests.browser.hands import Hands
from tests.browser.player import WAIT
from tests.browser.rehearsal import FRIEND, ME, joined, made, on_one_screen, post_actions, rehearsed

PAGE = Path(__file__).parents[2] / "page"
AXE = PAGE / "node_modules" / "axe-core" / "axe.min.js"
FRENCH = json.loads((PAGE / "src" / "words" / "fr.json").read_text(encoding="utf-8"))
GAME = games.ours()[0]
DELETED = re.compile(r"1 match deleted\.\s+1 match stays with others, without you\.")
HEAVIEST = 150_000  # bytes of compressed script
HEADINGS = {
    "/": "Sit down and play",
    "/new": "New match",
    "/mine": "My matches",
    "/settings": "Settings",
    NOWHERE: "There is nothing here",
}
RULES = [f"/rules/{name}" for name in games.names()]
OF_A_GAME = ("/new", "/rules", "/table")  # pages that differ with the game
THEMES: list[Literal["light", "dark"]] = ["dark", "light"]
RIGHT_EDGES = "(all) => all.map((element) => element.getBoundingClientRect().right)"
FINDINGS = """async (part) => {
    const { violations } = await axe.run(part, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
}"""


def check_in_both_themes(page: Page, part: str = "html") -> None:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert page.evaluate(FINDINGS, part) == []


def check_dialog(page: Page, button: str) -> None:
    """Open it, look at it, close it."""
    page.get_by_role("button", name=button).first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check_in_both_themes(page, "dialog")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def ready(page: Page) -> None:
    """Nothing is on its way any more."""
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")


@pytest.mark.parametrize("path", [*HEADINGS, *RULES])
def test_axe_finds_nothing(opener: Opener, path: str) -> None:
    page = opener(path)
    expect(page.locator("h1").first).to_be_visible(timeout=WAIT)
    ready(page)
    check_in_both_themes(page)


@pytest.mark.parametrize("name", games.names())
def test_axe_finds_nothing_at_a_table(opener: Opener, name: str) -> None:
    page, rehearsal = opener("/settings"), rehearsed(name)
    match = on_one_screen(page, name)
    Hands(page).perform(rehearsal, 0, 3)
    check_in_both_themes(page)
    post_actions(page, match["id"], rehearsal, 3)
    expect(page.locator(".ending")).to_be_visible(timeout=WAIT)
    check_in_both_themes(page)


def test_axe_finds_nothing_where_people_wait_and_join(opener: Opener) -> None:
    page = opener("/settings")
    match = made(page, GAME, ME, FRIEND)
    expect(page.locator(".qr img")).to_be_visible(timeout=WAIT)
    check_in_both_themes(page)
    friend = opener(match["seats"][1]["invitation"]["url"])
    expect(friend.get_by_role("button", name="Sit down")).to_be_visible(timeout=WAIT)
    check_in_both_themes(friend)


def test_axe_finds_nothing_in_dialogs(opener: Opener) -> None:
    page, friend = opener("/"), opener("/settings")
    check_dialog(page, "Play the computer")
    match = made(page, GAME, ME, FRIEND)
    check_dialog(page, "Another device")
    check_dialog(page, "Abort")
    joined(friend, match, 1, "Ben")
    check_dialog(page, "Say")
    Hands(page).perform(rehearsed(GAME), 0, 1)
    check_dialog(page, "Resign")
    page.goto("/mine")
    check_dialog(page, "Delete this match")


def test_pages_speak_the_browsers_language(opener: Opener) -> None:
    english, french = opener("/"), opener("/", locale="fr-FR")
    for path, heading in HEADINGS.items():
        english.goto(path)
        expect(english.locator("h1")).to_have_text(heading, timeout=WAIT)
        french.goto(path)
        expect(french.locator("h1")).to_have_text(FRENCH[heading], timeout=WAIT)
        expect(french.locator("html")).to_have_attribute("lang", "fr")


def test_the_language_can_be_chosen(opener: Opener) -> None:
    page = opener("/settings")
    page.get_by_text("Français", exact=True).click()
    expect(page.locator("h1")).to_have_text("Réglages", timeout=WAIT)
    page.goto(f"/rules/{GAME}")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    ready(page)
    page.goto("/settings")
    page.get_by_text("English", exact=True).click()
    expect(page.locator("h1")).to_have_text("Settings", timeout=WAIT)


@pytest.mark.brings("locale/fr.mo")
def test_a_match_in_french(opener: Opener, manifest: Manifest) -> None:
    page = opener("/settings", locale="fr-FR")
    english = opener("/settings")
    match, rehearsal = on_one_screen(page, manifest.name), rehearsed(manifest.name)
    english.goto(f"/m/{match['id']}")
    Hands(page).perform(rehearsal, 0, 2)
    expect(english.locator(".record .text")).to_have_count(2, timeout=WAIT)
    prompts = [one.locator(".status .prompt").inner_text() for one in (page, english)]
    assert prompts[0] != prompts[1]


def test_rules_have_live_figures(opener: Opener) -> None:
    page = opener("/settings")
    for name in games.names():
        page.goto(f"/rules/{name}")
        expect(page.locator("figure .scene").first).to_be_visible(timeout=WAIT)


@pytest.mark.parametrize("path", [*HEADINGS, "/rules", "/table"])
def test_nothing_is_wider_than_a_phone(opener: Opener, path: str) -> None:
    page = opener("/settings", **PHONE)
    for name in games.names() if path in OF_A_GAME else games.ours()[:1]:
        if path == "/table":
            on_one_screen(page, name)
        else:
            page.goto(f"/rules/{name}" if path == "/rules" else f"{path}?game={name}")
        ready(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["viewport"]["width"], (path, name)


@pytest.mark.parametrize("locale", ["en-US", "fr-FR"])
def test_an_invitation_is_not_wider_than_a_phone(opener: Opener, locale: str) -> None:
    page = opener("/settings", **PHONE, locale=locale)
    made(page, GAME, ME, FRIEND)
    expect(page.locator(".qr img")).to_be_visible(timeout=WAIT)
    edges = page.locator(".side > *").evaluate_all(RIGHT_EDGES)
    assert max(edges) <= PHONE["viewport"]["width"]


def test_the_script_is_light(opener: Opener) -> None:
    loaded: list[Response] = []
    page = opener("/settings")
    page.on("response", lambda answer: loaded.append(answer))
    page.goto("/")
    ready(page)
    scripts = {answer.url: answer for answer in loaded if answer.request.resource_type == "script"}
    weight = sum(len(gzip.compress(answer.body())) for answer in scripts.values())
    assert 0 < weight <= HEAVIEST


def test_settings_are_kept(opener: Opener) -> None:
    page = opener("/settings")
    page.get_by_text("Dark", exact=True).click()
    page.get_by_role("textbox", name="Your name at the table").fill("Anna")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("textbox", name="Your name at the table")).to_have_value("Anna")
    kept = json.loads(page.evaluate("localStorage.getItem('roundel')"))
    assert kept["theme"] == "dark"


def test_my_data_is_deleted(opener: Opener) -> None:
    page, friend = opener("/settings"), opener("/settings")
    name = page.get_by_role("textbox", name="Your name at the table")
    name.fill("Anna")
    on_one_screen(page, GAME)
    match = made(page, GAME, {**ME, "name": "Anna"}, FRIEND)
    joined(friend, match, 1, "Ben")
    friend.goto(f"/m/{match['id']}")
    players = friend.locator(".players")
    expect(players).to_contain_text("Anna", timeout=WAIT)
    page.goto("/settings")
    number = page.locator("code")
    expect(number).to_have_text(re.compile("^[0-9a-f]{32}$"), timeout=WAIT)
    check_dialog(page, "Delete my data on this device")
    expect(number).to_be_visible()  # it was closed without deleting anything
    page.get_by_role("button", name="Delete my data on this device").click()
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("status")).to_have_text(DELETED, timeout=WAIT)
    expect(number).to_have_count(0)
    expect(name).to_have_value("")
    check_in_both_themes(page)
    assert page.context.cookies() == []
    assert page.evaluate("localStorage.length") == 0
    expect(players).not_to_contain_text("Anna", timeout=WAIT)
    expect(players).to_contain_text("Ben")
    page.goto("/mine")
    expect(page.get_by_text("None yet.")).to_be_visible(timeout=WAIT)


def test_a_new_match_with_everything_chosen(opener: Opener) -> None:
    for name in games.names():
        page = opener(f"/new?game={name}")
        page.get_by_label("Who plays", exact=False).last.select_option("same")
        page.get_by_text(re.compile(r"^\s*5 min")).first.click()
        page.get_by_role("button", name="Start").click()
        expect(page.locator(".table .scene")).to_be_visible(timeout=WAIT)
        expect(page.locator(".clock").first).to_have_text("5:00")


def test_my_matches_can_be_deleted(opener: Opener) -> None:
    page = opener("/settings")
    on_one_screen(page, GAME)
    page.goto("/mine")
    page.get_by_role("button", name="Delete this match").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("None yet.")).to_be_visible(timeout=WAIT)
