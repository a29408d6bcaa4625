"""Somebody who plays by clicking at random on what the page offers."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import Page, expect

# What lights up, with where it is on the screen; null while there is nothing to do but wait.
OFFERED = """() => {
    if (document.querySelector(".ending")) return [];
    const lit = ".table .spot.choosable, .table .buttons button:not(.idle)";
    const found = [...document.querySelectorAll(lit)].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { spot: element.dataset.spot, x: x + width / 2, y: y + height / 2 };
    });
    return found.length ? found : null;
}"""
WAIT = 240_000  # milliseconds; on a fresh machine the computer first compiles what it thinks with


def against_computer(page: Page, title: str) -> None:
    """From the home page to a match, with two clicks."""
    heading = page.get_by_role("heading", name=title, exact=True)
    card = page.get_by_role("article").filter(has=heading)
    card.get_by_role("button", name="Play the computer").click()
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".table .scene")).to_be_visible(timeout=WAIT)


class Player:
    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page, self.random = page, random.Random(seed)

    def wait(self) -> list[dict[str, Any]]:
        """What can be clicked on, as soon as there is something; empty when the match is over."""
        offered: list[dict[str, Any]] = self.page.wait_for_function(
            OFFERED, timeout=WAIT
        ).json_value()
        return offered

    def click(self) -> bool:
        """One click on something that lights up; False if the match is over."""
        offered = self.wait()
        if not offered:
            return False
        chosen = self.random.choice(offered)
        self.page.mouse.click(chosen["x"], chosen["y"])
        return True

    def play_out(self, most: int = 2000) -> int:
        """Click until the match is over; how often it took."""
        for clicks in range(most):
            if not self.click():
                return clicks
        raise AssertionError(f"the match is not over after {most} clicks")

    @property
    def actions(self) -> list[str]:
        return self.page.locator(".record .text").all_inner_texts()

    @property
    def pieces(self) -> list[str]:
        """What is drawn where; the ids of a picture differ each time it is made."""
        drawn: list[str] = self.page.locator(".table .scene .pieces use").evaluate_all(
            """(all) => all.map((use) => use.getAttribute("href").replace(/^#board-\\d+-/, "")
                + use.getAttribute("transform"))"""
        )
        return sorted(drawn)
