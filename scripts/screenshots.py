"""Photograph every page: light and dark, phone and desktop, English and French.

All of them go to `build/screenshots/`, with contact sheets to look at many at once. A word as an
argument chooses pages; `--docs` makes the pictures of the README instead.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect
from tests.browser.devices import PHONE
from tests.browser.rehearsal import COMPUTER, FRIEND, ME, SAME, made, post, rehearsed
from tqdm import tqdm

from roundel import games
from roundel.bots import Budget, choose
from roundel.picture import typical
from scripts.browsing import chromium, served

ROOT = Path(__file__).parents[1]
SHOTS = ROOT / "build" / "screenshots"
PICTURES = ROOT / "docs" / "pictures"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
DEVICES = {"phone": PHONE, "desktop": DESKTOP}
THEMES, LANGUAGES = ("light", "dark"), {"en": "en-US", "fr": "fr-FR"}
NAMES = ("Anna", "Ben", "Chloé", "David")
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
WAIT = 120_000  # milliseconds
PLIES, LEVEL = 34, 4  # of the match in the README


# -- What is photographed ------------------------------------------------------------


def act(page: Page, match: str, ply: int, seat: int, text: str) -> None:
    wish = {"seat": seat, "ply": ply, "action": text}
    post(page, f"/api/matches/{match}/actions", wish)


def played(page: Page, spec: str, texts: list[str]) -> str:
    """A match of people on one screen, up to there; returns its address."""
    game = games.load(spec)
    others = [{**SAME, "name": name} for name in NAMES[1 : game.players]]
    match = made(page, spec, {**ME, "name": NAMES[0]}, *others)
    position = game.start()
    for ply, text in enumerate(texts):
        act(page, match["id"], ply, position.player or 0, text)
        position = position.play(text)
    return f"/m/{match['id']}"


def tables(page: Page, name: str) -> Iterator[tuple[str, str]]:
    """A game's table at the start, in the middle, and at the end with the account."""
    middle, short = typical(games.manifest(name)), rehearsed(name)
    yield f"table-{name}-1-start", played(page, name, [])
    yield f"table-{name}-2-middle", played(page, middle.game.spec, middle.texts())
    yield f"table-{name}-3-end", played(page, name, short.texts)
    yield f"table-{name}-4-replay", played(page, name, short.texts) + "/7"


def pages(page: Page) -> dict[str, str]:
    """Every page by a name, and where it is."""
    waiting = made(page, games.ours()[0], {**ME, "name": "Anna"}, FRIEND)
    found = {"home": "/", "new": "/new", "settings": "/settings", "missing": "/no/where"}
    found |= {"waiting": f"/m/{waiting['id']}", "join": waiting["seats"][1]["invitation"]["url"]}
    for name in games.names():
        found |= {f"new-{name}": f"/new?game={name}", f"rules-{name}": f"/rules/{name}"}
        found |= dict(tables(page, name))
    return {**found, "mine": "/mine"}


# -- How -----------------------------------------------------------------------------


def settle(page: Page) -> None:
    """Until nothing is on its way any more."""
    page.wait_for_load_state("networkidle", timeout=WAIT)
    page.evaluate("document.fonts.ready")


def shoot(browser: Browser, base: dict[str, Any], wanted: dict[str, str]) -> None:
    """All pages with one theme, device and language at a time."""
    kinds = list(product(DEVICES, THEMES, LANGUAGES))
    with tqdm(total=len(kinds) * len(wanted), unit="picture") as bar:
        for device, theme, language in kinds:
            look: dict[str, Any] = {"color_scheme": theme, "locale": LANGUAGES[language], **STILL}
            with browser.new_context(**base, **DEVICES[device], **look) as context:
                page = context.new_page()
                for name, address in wanted.items():
                    page.goto(address, timeout=WAIT)
                    settle(page)
                    path = SHOTS / f"{name}.{device}.{theme}.{language}.png"
                    page.screenshot(path=path, full_page=True)
                    bar.update()


def sheet(paths: list[Path], width: int, columns: int) -> Image.Image:
    """Small pictures beside each other, each with its name."""
    small = [Image.open(path).convert("RGB") for path in paths]
    small = [one.resize((width, one.height * width // one.width)) for one in small]
    small = [one.crop((0, 0, width, min(one.height, 3 * width))) for one in small]
    rows = [list(range(i, min(i + columns, len(small)))) for i in range(0, len(small), columns)]
    heights = [max(small[i].height for i in row) + 24 for row in rows]
    found = Image.new("RGB", (columns * (width + 8), sum(heights)), "#888888")
    draw = ImageDraw.Draw(found)
    for row, top in zip(rows, (sum(heights[:i]) for i in range(len(rows))), strict=True):
        for place, i in enumerate(row):
            draw.text((place * (width + 8) + 4, top + 6), paths[i].name, fill="white")
            found.paste(small[i], (place * (width + 8), top + 22))
    return found


def contact_sheets() -> None:
    for device, theme, language in product(DEVICES, THEMES, LANGUAGES):
        paths = sorted(SHOTS.glob(f"*.{device}.{theme}.{language}.png"))
        size = (240, 8) if device == "phone" else (480, 4)
        if paths:
            sheet(paths, *size).save(SHOTS / f"sheet-{device}-{theme}-{language}.png")


# -- The README ----------------------------------------------------------------------


def show_match(page: Page, name: str) -> None:
    """Play against the computer up to the middle of a match, well enough to look at."""
    match = made(page, name, {**ME, "name": "Anna"}, {**COMPUTER, "level": LEVEL})
    position = games.load(name).start()
    while position.ply < PLIES or position.player != 0:
        if position.player == 0:
            found = choose(position, Budget(level=LEVEL))
            act(page, match["id"], position.ply, 0, position.write(found.action))
        actions = page.locator(".record .text")
        expect(actions.nth(position.ply)).to_be_visible(timeout=WAIT)
        position = games.load(name).start(" ".join(actions.all_inner_texts()))


def docs(browser: Browser, base: dict[str, Any]) -> None:
    """One match, light and dark."""
    look = {**base, **DESKTOP, **STILL, "device_scale_factor": 1.5, "locale": "en-US"}
    with browser.new_context(**look) as context:
        page = context.new_page()
        page.goto("/settings")
        show_match(page, games.ours()[-1])
        for theme, ending in zip(THEMES, ("", "-dark"), strict=True):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            settle(page)
            page.screenshot(path=PICTURES / f"table{ending}.png")


def main(arguments: list[str]) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, served(Path(data)) as server, chromium() as browser:
        base: dict[str, Any] = {"base_url": server.address}
        if "--docs" in arguments:
            return docs(browser, base)
        with browser.new_context(**base, **DESKTOP) as context:
            page = context.new_page()
            page.goto("/settings")
            found = pages(page)
            base["storage_state"] = context.storage_state()
        words = tuple(arguments) or ("",)
        wanted = {name: path for name, path in found.items() if any(w in name for w in words)}
        shoot(browser, base, wanted)
    contact_sheets()


if __name__ == "__main__":
    main(sys.argv[1:])
