"""What is wrong with a built site: links that lead nowhere, and anything fetched from elsewhere."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINKS = {  # (tag, attribute); people follow an <a>, everything else is fetched by the browser
    ("a", "href"),
    ("img", "src"),
    ("script", "src"),
    ("link", "href"),
    ("source", "src"),
    ("source", "srcset"),
    ("iframe", "src"),
}
NOT_FETCHED = {"canonical", "next", "prev"}  # kinds of <link> that only say where something is


class Page(HTMLParser):
    """The ids of a page, and where its links lead: (tag, address)."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[tuple[str, str]] = []
        self.numbers: list[int] = []  # of the items of numbered lists
        self._next: list[int | None] = []  # for each list that is open; None if it has no numbers
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.count(tag, found)
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        for name, value in found.items():
            if (tag, name) in LINKS and found.get("rel") not in NOT_FETCHED:
                self.links.append((tag, value))

    def count(self, tag: str, found: dict[str, str]) -> None:
        if tag in ("ol", "ul"):
            self._next.append(int(found.get("start", 1)) if tag == "ol" else None)
        elif tag == "li" and self._next and (number := self._next[-1]) is not None:
            self.numbers.append(number)
            self._next[-1] = number + 1

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ol", "ul") and self._next:
            self._next.pop()


def faults(site: Path) -> Iterator[str]:
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        for tag, address in page.links:
            if reason := fault(pages, path, tag, address):
                yield f"{path.relative_to(site)}: {address}: {reason}"


def fault(pages: dict[Path, Page], path: Path, tag: str, address: str) -> str:
    """Why a link is not good; empty if it is."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return "" if tag == "a" or parts.scheme == "data" else "fetched from elsewhere"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if parts.path.startswith("/"):
        return "" if path.name == "404.html" else "begins at the root of the server"
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return "there is no such file"
    if tag == "a" and parts.fragment and target in pages:
        found = unquote(parts.fragment) in pages[target].ids
        return "" if found else "there is no such place on that page"
    return ""
