"""Hands that play a known action: with the mouse, a finger or the keyboard."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.rehearsal import PATIENCE, Rehearsal

# Where those spots are as soon as the page has that many actions and awaits this one. Spots that
# are given away light up; where players must see for themselves, nothing may.
PLACES = """([ply, spots]) => {
    const played = document.querySelectorAll(".table .record .text").length;
    if (played !== ply || document.querySelector(".status.lost")) return null;
    const find = (spot) => document.querySelector(`.table [data-spot="${CSS.escape(spot)}"]`);
    const found = spots.map(find);
    if (!found[0] || document.querySelector(".table .board [aria-pressed=true]")) return null;
    if (document.getAnimations().length) return null; // what moves cannot be hit
    const lit = document.querySelectorAll(".table .choosable, .table .targets > *").length;
    const isButton = found[0].matches("button");
    const isAwaited = isButton ? !found[0].matches(".idle") : found[0].matches(".choosable");
    if (!document.querySelector(".status.mine") || (lit && !isAwaited)) return null;
    return { lit, places: found.map((element) => {
        element.scrollIntoView({ block: "nearest" });
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    }) };
}"""


FARTHEST = 200  # keys to a spot


class Hands:
    """Somebody with a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lit = 0  # spots that lit up so far

    def act(self, ply: int, spots: tuple[str, ...]) -> None:
        """One action, as soon as it is awaited."""
        found: dict[str, Any] = self.page.wait_for_function(
            PLACES, arg=[ply, list(spots)], timeout=PATIENCE
        ).json_value()
        self.lit += found["lit"]
        for x, y in found["places"]:
            self.point(x, y)

    def point(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)

    def perform(self, rehearsal: Rehearsal, begin: int = 0, end: int | None = None) -> None:
        """The actions of a rehearsal, up to its end or before that ply."""
        end = len(rehearsal.steps) if end is None else end
        for ply in range(begin, end):
            self.act(ply, rehearsal.steps[ply])
        expect(self.page.locator(".table .record .text")).to_have_count(end, timeout=PATIENCE)


class Finger(Hands):
    """Somebody with a touch screen: what a tap would do is shown, a second one does it."""

    def point(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)

    def act(self, ply: int, spots: tuple[str, ...]) -> None:
        super().act(ply, spots)
        confirm = self.page.get_by_role("button", name="Confirm")
        if self.page.locator(".table .record .text").count() == ply and confirm.is_visible():
            confirm.tap()


class Keys(Hands):
    """Somebody without mouse or touch screen."""

    def act(self, ply: int, spots: tuple[str, ...]) -> None:
        self.page.wait_for_function(PLACES, arg=[ply, list(spots)], timeout=PATIENCE)
        for spot in spots:
            self.walk(spot)
            self.page.keyboard.press("Enter")

    def walk(self, spot: str) -> None:
        """To a spot: with the tab key to the board or a button, with arrows over the board."""
        tried: set[str] = set()
        for _ in range(FARTHEST):
            here = self.page.evaluate(STEP, spot)
            if here["spot"] == spot:
                return
            key = next(k for k in here["keys"] if k == "Tab" or here["spot"] + k not in tried)
            tried.add(here["spot"] + key)
            self.page.keyboard.press(key)
        raise AssertionError(f"no way by keyboard to {spot}")


# Which spot has the focus, and the keys that may lead nearer to another, best first.
STEP = """(wanted) => {
    const focused = document.activeElement?.closest(".table [data-spot]");
    const goal = document.querySelector(`.table [data-spot="${CSS.escape(wanted)}"]`);
    const isOnBoard = focused?.matches("g") && goal.matches("g");
    const spot = focused?.dataset.spot ?? "";
    if (!isOnBoard) return { spot, keys: ["Tab"] };
    const [a, b] = [focused, goal].map((element) => element.getBoundingClientRect());
    const [x, y] = [b.x - a.x, b.y - a.y];
    const across = [x > 0 ? "ArrowRight" : "ArrowLeft", Math.abs(x)];
    const down = [y > 0 ? "ArrowDown" : "ArrowUp", Math.abs(y)];
    const [first, second] = [across, down].sort((one, other) => other[1] - one[1]);
    return { spot, keys: [first[0], second[0], "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] };
}"""
