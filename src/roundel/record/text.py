"""Records as text that a person can read and write. `README.md` beside this file describes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from roundel.core.errors import BrokenRecord
from roundel.core.lang import _, thousands
from roundel.record.match import (
    ACTION,
    CLOCK,
    DEEPEST,
    GAME,
    OUTCOME,
    RESULT,
    Entry,
    Line,
    Record,
    flaw,
    tidy,
)

BEGIN = f'[{GAME} "'
SECOND = "--- second game ---"
WIDTH = 80
LARGEST = 1 << 22  # characters of one match; what is longer is no match but a mistake
TAG = re.compile(
    r'\[([A-Z][A-Za-z0-9]{0,31}) "((?:[^"\\\n]++|\\[^\n])*+)"\][ \t]*(?:\n|\Z)', re.ASCII
)
TOKEN = re.compile(
    r"(?P<number>[0-9]{1,9})\."
    r"|\{(?P<comment>(?:[^\\}]++|\\.)*+)\}"
    r"|<(?P<clock>[^<>\s]*+)>"
    r"|(?P<open>\()|(?P<close>\))"
    rf"|(?P<second>^{SECOND}$)"
    rf"|(?P<action>{ACTION.pattern})",
    re.DOTALL | re.MULTILINE,
)
SPACE = re.compile(r"\s*+")
ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class Raw(NamedTuple):
    """The text of one match and the number of its first line; None if it was too long to keep."""

    line: int
    text: str | None


# -- Reading --------------------------------------------------------------------


def split(file: Iterable[str]) -> Iterator[Raw]:
    """The matches of a file, unread, one at a time: each begins with a line `[Game "..."]`."""
    begun, size = 1, 0
    lines: list[str] = []
    for number, line in enumerate(file, 1):
        if size and line.startswith(BEGIN):
            yield Raw(begun, "".join(lines) if size <= LARGEST else None)
            lines, size = [], 0
        if size or not line.isspace():
            begun = begun if size else number
            size += len(line)
            if size <= LARGEST:
                lines.append(line)
            else:
                lines = []
    if size:
        yield Raw(begun, "".join(lines) if size <= LARGEST else None)


def read(file: Iterable[str]) -> Iterator[Record | BrokenRecord]:
    """Every match of a file; what is broken comes as the error that says where and why."""
    for raw in split(file):
        try:
            yield parse(raw)[0]
        except BrokenRecord as error:
            yield bare(error)


def bare(error: BrokenRecord) -> BrokenRecord:
    """The error without the frames that it came through: of a broken file they fill the memory."""
    return BrokenRecord(error.line, error.column, error.reason)


def parse(raw: Raw) -> tuple[Record, list[int]]:
    """The match, and where in its text each action stands, variations included."""
    if raw.text is None:
        raise BrokenRecord(raw.line, 1, too_long())
    reader = Reader(raw.line, raw.text)
    return reader.record(), reader.places


def too_long() -> str:
    return _("the match is longer than {many} characters").format(many=thousands(LARGEST))


def broken(raw: Raw, at: int, reason: str) -> BrokenRecord:
    before = (raw.text or "")[:at]
    column = at - before.rfind("\n")
    return BrokenRecord(raw.line + before.count("\n"), column, reason)


class Reader:
    """Reads one match from left to right; `at` is how far it has come."""

    def __init__(self, line: int, text: str) -> None:
        self.raw, self.text, self.at = Raw(line, text), text, 0
        self.end = len(text.rstrip())
        self.places: list[int] = []

    def error(self, at: int, reason: str) -> BrokenRecord:
        return broken(self.raw, at, reason)

    def record(self) -> Record:
        if (at := flaw(self.text)) >= 0:
            raise self.error(at, _("this is not UTF-8"))
        tags = self.tags()
        games = [self.line(1, 0)]
        while self.at < len(self.text):
            games.append(self.line(1, 0))
        if len(games) > 2:
            raise self.error(self.end, _("a match has one game or two, not more"))
        return Record(tags, tuple(games))

    def tags(self) -> dict[str, str]:
        if not self.text.startswith(BEGIN):
            text = _("expected a match to begin with {begin}")
            raise self.error(0, text.format(begin=f'{BEGIN}..."]'))
        tags: dict[str, str] = {}
        while self.text.startswith("[", self.at):
            match = TAG.match(self.text, self.at)
            if not match:
                text = _('expected a tag like [Event "Open"] on a line of its own')
                raise self.error(self.at, text)
            name, value = match[1], tidy(ESCAPED.sub(r"\1", match[2]))
            if name in tags:
                raise self.error(self.at, _("tag {name} is given twice").format(name=name))
            if name == OUTCOME and not RESULT.fullmatch(value):
                text = _("expected a result like p1win, got {value!r}")
                raise self.error(match.start(2), text.format(value=value))
            tags[name] = value
            self.at = match.end()
        return tags

    def token(self) -> tuple[str, str, int]:
        """The next token: kind, text and place; the kind is `end` at the end."""
        at = SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
        if at == len(self.text):
            self.at = at
            return "end", "", self.end
        match = TOKEN.match(self.text, at)
        if not match:
            text = _("cannot read {rest!r}")
            raise self.error(at, text.format(rest=self.text[at : at + 20]))
        self.at = match.end()
        return match.lastgroup or "", match[match.lastgroup or 0], at

    def line(self, first: int, depth: int) -> Line:
        """One game, or one variation with its closing parenthesis."""
        draft = Draft(first)
        while True:
            kind, text, at = self.token()
            if kind in ("end", "close", "second"):
                if (kind == "close") != (depth > 0):
                    raise self.error(at, strange_end(kind, depth))
                if problem := draft.unfinished(depth):
                    raise self.error(at, problem)
                return draft.line()
            if kind == "open":
                self.variation(draft, depth, at)
                continue
            if problem := draft.add(kind, text):
                raise self.error(at, problem)
            if kind == "action":
                self.places.append(at)

    def variation(self, draft: Draft, depth: int, at: int) -> None:
        if draft.last is None or not draft.turns[-1]:
            raise self.error(at, _("a variation must follow the action it replaces"))
        if depth == DEEPEST:
            raise self.error(at, too_deep())
        draft.last.variations.append(self.line(draft.number, depth + 1))


def too_deep() -> str:
    return _("variations are nested more than {deepest} deep").format(deepest=DEEPEST)


def strange_end(kind: str, depth: int) -> str:
    """A game ends with its text or the next game, a variation with its parenthesis."""
    if not depth:
        return _("expected an action, got )")
    return (
        _("expected ), got the second game")
        if kind == "second"
        else _("expected ), got the end of the text")
    )


class Rough:
    """An entry in the making."""

    __slots__ = ("action", "clock", "comment", "variations")

    def __init__(self, action: str) -> None:
        self.action, self.clock, self.comment = action, "", ""
        self.variations: list[Line] = []

    def entry(self) -> Entry:
        return Entry(self.action, self.clock, self.comment, tuple(self.variations))


class Draft:
    """A line in the making."""

    def __init__(self, first: int) -> None:
        self.first, self.comment = first, ""
        self.said: list[str] = []  # the comments since the last action: there may be very many
        self.turns: list[list[Rough]] = []
        self.last: Rough | None = None

    @property
    def number(self) -> int:
        """The number of the turn that is being read."""
        return self.first + len(self.turns) - 1

    def add(self, kind: str, text: str) -> str:
        """Take one token; returns what is wrong with it, or nothing."""
        return {
            "number": self.add_number,
            "action": self.add_action,
            "clock": self.add_clock,
            "comment": self.add_comment,
        }[kind](text)

    def add_number(self, text: str) -> str:
        if self.turns and not self.turns[-1]:
            return self.empty()
        if int(text) != self.number + 1:
            wrong = _("expected turn {number}, got {found}")
            return wrong.format(number=self.number + 1, found=int(text))
        self.turns.append([])
        return ""

    def add_action(self, text: str) -> str:
        if not self.turns:
            return _("expected the number of the turn, {first}.").format(first=self.first)
        self.settle()
        self.last = Rough(text)
        self.turns[-1].append(self.last)
        return ""

    def add_clock(self, text: str) -> str:
        if self.last is None or self.last.clock:
            return _("expected at most one clock time, after an action")
        if not CLOCK.fullmatch(text):
            return _("expected a clock time like <0:08:48>, got {text!r}").format(text=text)
        self.last.clock = text
        return ""

    def add_comment(self, text: str) -> str:
        self.said.append(ESCAPED.sub(r"\1", text))
        return ""

    def settle(self) -> None:
        """The comments belong to the last action, or to the line if there is none yet."""
        if self.said:
            (self.last or self).comment = tidy(" ".join(self.said))
            self.said = []

    def empty(self) -> str:
        return _("expected an action in turn {number}").format(number=self.number)

    def unfinished(self, depth: int) -> str:
        if self.turns and not self.turns[-1]:
            return self.empty()
        return "" if self.turns or not depth else _("a variation without an action")

    def line(self) -> Line:
        self.settle()
        turns = tuple(tuple(rough.entry() for rough in turn) for turn in self.turns)
        return Line(turns, self.comment)
