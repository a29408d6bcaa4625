"""Matches whose every action is known before they are played in a browser."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from roundel import games
from roundel.core.lang import ENGLISH, speaking
from roundel.core.playthrough import random_match
from roundel.play.match import OVER, Match
from roundel.play.outcome import outcome_text
from roundel.play.setup import PERSON, Seat, Setup
from tests.browser.player import WAIT
from tests.playing import act

TRIES = 40  # random matches of which the shortest is taken
PATIENCE = 60_000  # milliseconds that the page may take for an action; the machine may be busy
FEWEST = 12  # actions that a match should have to show anything
ME, SAME, FRIEND = {"who": "me"}, {"who": "same"}, {"who": "friend"}
COMPUTER = {"who": "computer", "level": 1}
POST = """async ([address, wish]) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(wish) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
}"""


@dataclass
class Rehearsal:
    """A match as it will go: for every action its text and the spots to be clicked on."""

    match: Match
    steps: list[tuple[str, ...]]

    @property
    def texts(self) -> list[str]:
        return [entry.text for entry in self.match.entries]

    @property
    def outcome(self) -> str:
        with speaking(ENGLISH):
            return outcome_text(self.match)


def rehearsed(spec: str, seed: int | None = None, pair: bool = False) -> Rehearsal:
    """A random match to its end; without a seed a short one."""
    game = games.load(spec)
    rng = random.Random(short_seed(spec) if seed is None else seed)
    match = Match(Setup(spec, tuple(Seat(PERSON) for _ in range(game.players)), pair=pair))
    steps = []
    while match.status != OVER:
        legal = match.position.legal()
        action = rng.choice(legal)
        steps.append(match.position.clicks(action))
        act(match, choice=legal.index(action))
    return Rehearsal(match, steps)


def short_seed(spec: str) -> int:
    """A seed of a short random match."""
    game = games.load(spec)
    lengths = {seed: sum(1 for _ in random_match(game, seed)) - 1 for seed in range(TRIES)}
    return min(lengths, key=lambda seed: (lengths[seed] < FEWEST, lengths[seed]))


def post(page: Page, address: str, wish: dict[str, Any]) -> dict[str, Any]:
    """Ask the server for something, as this page's device."""
    answer: dict[str, Any] = page.evaluate(POST, [address, wish])
    return answer


def post_actions(page: Page, match: str, rehearsal: Rehearsal, begin: int = 0) -> None:
    """The actions of a rehearsal all at once, not by hand."""
    for ply, entry in list(enumerate(rehearsal.match.entries))[begin:]:
        wish = {"seat": entry.seat, "ply": ply, "action": entry.text}
        post(page, f"/api/matches/{match}/actions", wish)


def made(page: Page, spec: str, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A new match of this page's device; the page goes to its table."""
    answer = post(page, "/api/matches", {"spec": spec, "seats": seats, **more})
    page.goto(f"/m/{answer['id']}")
    expect(page.locator(".table .scene")).to_be_visible(timeout=WAIT)
    return answer


def on_one_screen(page: Page, spec: str, **more: Any) -> dict[str, Any]:
    """A new match whose people all sit at this page."""
    others = [SAME] * (games.load(spec).players - 1)
    return made(page, spec, ME, *others, **more)


def joined(page: Page, match: dict[str, Any], seat: int, name: str) -> None:
    """Take a seat by the link that its owner sent."""
    page.goto(match["seats"][seat]["invitation"]["url"])
    page.get_by_role("textbox", name="Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".table .scene")).to_be_visible(timeout=WAIT)


def check_outcome(page: Page, rehearsal: Rehearsal) -> None:
    """The page tells how it ended as the rules do; a draw needs no heading beside that."""
    post_actions = page.locator(".ending :is(h2, .outcome)").last
    expect(post_actions).to_have_text(rehearsal.outcome, timeout=WAIT)
