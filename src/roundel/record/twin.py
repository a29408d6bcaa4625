"""The JSON twin of a record: one object on one line for each match. `schema.json` describes it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib import resources
from re import Pattern

from roundel.core.errors import BrokenRecord, InvalidText
from roundel.core.foreign import EntryData, LineData, RecordData
from roundel.core.lang import _
from roundel.record.match import (
    ACTION,
    CLOCK,
    DEEPEST,
    GAME,
    OUTCOME,
    RESULT,
    TAG_NAME,
    Entry,
    Line,
    Record,
    flaw,
    tidy,
)
from roundel.record.text import LARGEST, Raw, bare, too_deep, too_long

Data = dict[str, object]  # as JSON holds it

# -- Writing --------------------------------------------------------------------


def write(record: Record) -> str:
    return json.dumps(to_data(record), ensure_ascii=False, separators=(",", ":")) + "\n"


def to_data(record: Record) -> RecordData:
    return {"tags": dict(record.tags), "games": [line_data(game) for game in record.games]}


def line_data(line: Line) -> LineData:
    turns = [[entry_data(entry) for entry in turn] for turn in line.turns]
    return {"comment": line.comment, "turns": turns} if line.comment else {"turns": turns}


def entry_data(entry: Entry) -> str | EntryData:
    """An action about which nothing is said is just its text."""
    data: EntryData = {"action": entry.action}
    if entry.clock:
        data["clock"] = entry.clock
    if entry.comment:
        data["comment"] = entry.comment
    if entry.variations:
        data["variations"] = [line_data(line) for line in entry.variations]
    return data if len(data) > 1 else entry.action


def schema() -> Data:
    """The published JSON Schema of one match."""
    text = resources.files("roundel.record").joinpath("schema.json").read_text("utf-8")
    loaded: Data = json.loads(text)
    return loaded


# -- Reading --------------------------------------------------------------------


def read(file: Iterable[str]) -> Iterator[Record | BrokenRecord]:
    """Every match of a file; what is broken comes as the error that says where and why."""
    for raw in split(file):
        try:
            yield parse(raw.text or "", raw.line)
        except BrokenRecord as error:
            yield bare(error)


def split(file: Iterable[str]) -> Iterator[Raw]:
    """The matches of a file, unread, one at a time: each is a line."""
    return (Raw(number, line) for number, line in enumerate(file, 1) if not line.isspace())


def parse(text: str, line: int = 1) -> Record:
    if len(text) > LARGEST:
        raise BrokenRecord(line, 1, too_long())
    if (at := flaw(text)) >= 0:
        raise BrokenRecord(line, at + 1, _("this is not UTF-8"))
    try:
        return from_data(json.loads(text, parse_int=number))
    except json.JSONDecodeError as error:
        reason = _("not JSON: {reason}").format(reason=_(error.msg))
        raise BrokenRecord(line, error.pos + 1, reason) from None
    except RecursionError:
        raise BrokenRecord(line, 1, _("not a record: nested too deeply")) from None
    except InvalidText as error:
        raise BrokenRecord(line, 1, str(error)) from None


def number(digits: str) -> float:
    """A record has no numbers at all: what is long need not be exact, only to be refused."""
    return int(digits) if len(digits) < 20 else float(digits)


def from_data(data: object) -> Record:
    """The record that plain data describe, or `InvalidText` that names the part that is wrong."""
    parts = mapping("record", data, {"tags", "games"})
    tags = {name: words(f"tags.{name}", value) for name, value in tags_of(parts)}
    if GAME not in tags:
        raise InvalidText(_("tags: {tag} is missing").format(tag=GAME))
    tags = {GAME: tags[GAME], **tags}  # first, as the text needs it
    if OUTCOME in tags:
        pattern("tags.Result", tags[OUTCOME], RESULT)
    games = listing("games", parts.get("games"))
    if not 1 <= len(games) <= 2:
        raise InvalidText(_("games: a match has one game or two"))
    lines = [line_from(f"games[{i}]", game, 0) for i, game in enumerate(games)]
    return Record(tags, tuple(lines))


def tags_of(parts: Data) -> Iterable[tuple[str, object]]:
    tags = mapping("tags", parts.get("tags"), None)
    for name in tags:
        pattern("tags", name, TAG_NAME)
    return tags.items()


def line_from(path: str, data: object, depth: int) -> Line:
    if depth > DEEPEST:
        raise wrong(path, too_deep())
    parts = mapping(path, data, {"comment", "turns"})
    turns = []
    for i, turn in enumerate(listing(f"{path}.turns", parts.get("turns"))):
        name = f"{path}.turns[{i}]"
        entries = listing(name, turn)
        if not entries:
            raise wrong(name, _("a turn without an action"))
        turns.append(tuple(entry_from(f"{name}[{j}]", e, depth) for j, e in enumerate(entries)))
    if depth and not turns:
        raise wrong(path, _("a variation without an action"))
    return Line(tuple(turns), words(f"{path}.comment", parts.get("comment", "")))


def entry_from(path: str, data: object, depth: int) -> Entry:
    if isinstance(data, str):
        return Entry(pattern(path, data, ACTION))
    parts = mapping(path, data, {"action", "clock", "comment", "variations"})
    variations = listing(f"{path}.variations", parts.get("variations", []))
    return Entry(
        pattern(f"{path}.action", parts.get("action"), ACTION),
        pattern(f"{path}.clock", parts["clock"], CLOCK) if "clock" in parts else "",
        words(f"{path}.comment", parts.get("comment", "")),
        tuple(line_from(f"{path}.variations[{i}]", v, depth + 1) for i, v in enumerate(variations)),
    )


def wrong(path: str, reason: str) -> InvalidText:
    return InvalidText(_("{part}: {reason}").format(part=path, reason=reason))


def mapping(path: str, data: object, known: set[str] | None) -> Data:
    if not isinstance(data, dict):
        raise wrong(path, _("expected an object"))
    if known is not None and (strange := data.keys() - known):
        raise wrong(path, _("unknown part {part!r}").format(part=min(strange)))
    return data


def listing(path: str, data: object) -> list[object]:
    if not isinstance(data, list):
        raise wrong(path, _("expected a list"))
    return data


def words(path: str, data: object) -> str:
    if not isinstance(data, str):
        raise wrong(path, _("expected a text"))
    if flaw(data) >= 0:
        raise wrong(path, _("half a character (a lone surrogate)"))
    return tidy(data)


def pattern(path: str, data: object, expected: Pattern[str]) -> str:
    if not isinstance(data, str) or flaw(data) >= 0 or not expected.fullmatch(data):
        text = _("{data!r:.80} does not match {pattern}")
        raise wrong(path, text.format(data=data, pattern=expected.pattern))
    return data
