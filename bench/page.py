"""Print what the page costs: its first paint, its script, an action's answer, its animation.

`python -m bench.page`. Each figure stands beside what it must reach; other work on the machine
only slows it, so the middle of several rounds counts.
"""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page
from scripts.browsing import chromium, served
from tests.browser.hands import Hands
from tests.browser.rehearsal import on_one_screen, rehearsed

from roundel import games

ROUNDS = 7
ACTIONS = 12  # of each game
# Milliseconds from the start of loading until the first words, and until all boards are drawn.
PAINT = """(many) => new Promise((tell) => {
    const look = () => {
        const words = performance.getEntriesByName("first-contentful-paint")[0];
        if (words && document.querySelectorAll("article .scene").length === many)
            tell([words.startTime, performance.now()]);
        else requestAnimationFrame(look);
    };
    look();
})"""
# For each action the time from the finger's leaving to the frame that shows it, and the frames
# while it moves.
WATCH = """() => {
    window.answers = [];
    window.frames = [];
    let [clicked, before] = [0, 0];
    addEventListener("pointerup", () => (clicked = performance.now()), true);
    const pieces = document.querySelector(".table .scene .pieces");
    new MutationObserver(() => requestAnimationFrame(() => {
        if (clicked) window.answers.push(performance.now() - clicked);
        clicked = 0;
    })).observe(pieces, { childList: true });
    const beat = (now) => {
        if (before && document.getAnimations().length) window.frames.push(now - before);
        before = now;
        requestAnimationFrame(beat);
    };
    requestAnimationFrame(beat);
}"""


def show(what: str, found: float, unit: str, wanted: str) -> None:
    print(f"{what:42} {found:8.1f} {unit:4} (wanted: {wanted})")


def first_paint(browser: Browser, address: str) -> tuple[float, float]:
    """In milliseconds: the first words, and all boards."""
    with browser.new_context(base_url=address) as context:
        page = context.new_page()
        page.goto("/")
        words, boards = page.evaluate(PAINT, len(games.names()))
    return words, boards


def weight(page: Page) -> float:
    """Kilobytes of compressed script that the home page loads."""
    with page.expect_response(lambda answer: answer.url.endswith(".js")) as found:
        page.goto("/")
    return len(gzip.compress(found.value.body())) / 1000


def playing(page: Page, name: str) -> dict[str, list[float]]:
    """How quickly actions are answered, and how smoothly they are shown."""
    on_one_screen(page, name)
    page.evaluate(WATCH)
    Hands(page).perform(rehearsed(name), 0, ACTIONS)
    found: dict[str, Any] = page.evaluate("({ answers, frames })")
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as data, served(Path(data)) as server, chromium() as browser:
        first_paint(browser, server.address)  # the server reads its rules
        paints = [first_paint(browser, server.address) for _ in range(ROUNDS)]
        show("home: first words", median(words for words, _ in paints), "ms", "1000")
        show("home: all boards drawn", median(boards for _, boards in paints), "ms", "1000")
        with browser.new_context(base_url=server.address) as context:
            page = context.new_page()
            show("home: compressed script", weight(page), "kB", "150")
            for name in games.names():
                found = playing(page, name)
                show(f"{name}: answer drawn after a click", median(found["answers"]), "ms", "100")
                rate = 1000 / median(found["frames"])
                show(f"{name}: frames while animating", rate, "/s", "60")


if __name__ == "__main__":
    main()
