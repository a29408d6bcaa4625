"""Records as plain data, and what reads and writes those of other sites.

`record/schema.json` describes the data; a game's folder knows the formats.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NotRequired, Protocol, TypedDict

from roundel.core.errors import BrokenRecord

if TYPE_CHECKING:
    from roundel.core.game import Manifest


class EntryData(TypedDict):
    """An action about which something is said."""

    action: str
    clock: NotRequired[str]
    comment: NotRequired[str]
    variations: NotRequired[list[LineData]]


class LineData(TypedDict):
    turns: list[list[str | EntryData]]
    comment: NotRequired[str]


class RecordData(TypedDict):
    tags: dict[str, str]
    games: list[LineData]


class Foreign(Protocol):
    """Reads and writes the records of another site."""

    def read(self, manifest: Manifest, text: str) -> Iterator[RecordData | BrokenRecord]: ...
    def write(self, manifest: Manifest, data: RecordData) -> str: ...
