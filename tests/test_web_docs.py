"""What the docs say about the server is what the server has, and nothing is left out."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import pytest
from msgspec import Struct

from roundel.play.events import Event
from roundel.play.turns import PlayedAction
from roundel.web.app import make_app
from roundel.web.metrics import Metrics
from roundel.web.requests import problems
from roundel.web.settings import PREFIX, Settings
from roundel.web.tables import messages

DOCS = Path(__file__).parents[1] / "docs"
SOCKET = (DOCS / "reference" / "socket.md").read_text(encoding="utf-8")
GUIDE = (DOCS / "guides" / "server.md").read_text(encoding="utf-8")
FIELD = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
PARTS: dict[str, type[Struct]] = {
    "Table": messages.TableView,
    "Seat": messages.SeatView,
    "Now": messages.Now,
    "PlayedAction": PlayedAction,
}


def sections(page: str, level: int) -> dict[str, str]:
    """The text below each heading of a level."""
    parts = re.split(rf"^{'#' * level} (.+)\n", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def by_tag(kinds: Iterable[type[Struct]]) -> dict[str, type[Struct]]:
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


CHAPTERS = sections(SOCKET, 2)
KINDS: dict[str, dict[str, type[Struct]]] = {
    "To the server": by_tag(get_args(messages.Message)),
    "From the server": by_tag(messages.Outgoing.__subclasses__()),
    "Parts": PARTS,
}


@pytest.mark.parametrize("chapter", KINDS)
def test_every_message_and_each_of_its_fields_is_on_the_page(chapter: str) -> None:
    told = sections(CHAPTERS[chapter], 3)
    assert set(told) == set(KINDS[chapter])
    for name, kind in KINDS[chapter].items():
        fields = FIELD.findall(told[name].partition("\n| `code` | |\n")[0])
        assert fields == list(kind.__struct_encode_fields__), name


def test_every_event_and_each_of_its_fields_is_on_the_page() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (`.*?`) \|", CHAPTERS["Events"], re.MULTILINE)
    told = {kind: set(re.findall(r"`(\w+)`", fields)) for kind, fields in rows}
    kinds = by_tag(get_args(Event))
    assert told == {tag: {*kind.__struct_encode_fields__} - {"at"} for tag, kind in kinds.items()}


def test_every_wish_has_its_word_on_the_page() -> None:
    told = sections(CHAPTERS["To the server"], 3)["do"]
    (row,) = re.findall(r"^\| `what` \|(.*)\|$", told, re.MULTILINE)
    assert re.findall(r"`(\w+)`", row) == list(get_args(messages.CommandName))


def test_every_refusal_is_on_one_of_the_pages() -> None:
    codes = set(re.findall(r"^\| `(\w+)` \|", SOCKET + GUIDE, re.MULTILINE))
    assert set(problems.STATUS) <= codes


def test_every_setting_is_in_the_guide_with_what_is_usual() -> None:
    rows = re.findall(rf"^\| `{PREFIX}(\w+)` \| (.*?) \|", GUIDE, re.MULTILINE)
    usual = Settings()
    wanted = {name.upper(): getattr(usual, name) for name in Settings.__struct_fields__}
    assert dict(rows) == {name: f"`{value}`" if value else "" for name, value in wanted.items()}


def test_every_address_is_in_the_guide() -> None:
    paths = make_app(Settings()).openapi()["paths"]
    wanted = {f"{method.upper()} {path}" for path, ways in paths.items() for method in ways}
    assert set(re.findall(r"^\| `([A-Z]+ /[^`?]*)", GUIDE, re.MULTILINE)) == wanted


def test_every_metric_is_in_the_guide() -> None:
    shown = re.findall(r"^# TYPE (\w+)", Metrics().text().decode(), re.MULTILINE)
    wanted = {name for name in shown if not name.endswith("_created")}
    assert set(re.findall(r"^\| `(roundel_\w+)` \|", GUIDE, re.MULTILINE)) == wanted
