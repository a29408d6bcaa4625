"""Devices with a browser: each has its own cookie, screen and language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

Opener = Callable[..., Page]
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
NOWHERE = "/no/where"  # a page that is not there
REFUSED = (NOWHERE, "/api/records")  # a browser complains by itself when these are
USUAL: dict[str, Any] = {"locale": "en-US", "reduced_motion": "reduce"}


class Devices:
    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.complaints: list[str] = []
        self.contexts: list[BrowserContext] = []

    def open(self, path: str = "/", **device: Any) -> Page:
        """A page on a device that nobody has used before."""
        wishes = {**USUAL, **device}
        context = self.browser.new_context(base_url=self.address, **wishes)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", self.hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(path)
        return page

    def hear(self, message: ConsoleMessage) -> None:
        path = message.location["url"].partition("?")[0].removeprefix(self.address)
        if message.type in ("error", "warning") and path not in REFUSED:
            self.complaints.append(message.text)

    def close(self) -> None:
        for context in self.contexts:
            context.close()
