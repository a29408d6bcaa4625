"""A record that somebody sent becomes a finished match; a process of its own does this work."""

from __future__ import annotations

import io
from collections.abc import Iterator

from msgspec import json

from roundel.core.errors import BrokenRecord, RoundelError
from roundel.core.lang import _
from roundel.play.recording import setup_of_record
from roundel.record import Record, checking, files, text, twin
from roundel.web.computer.questions import MatchRead
from roundel.web.requests.problems import Problem

LONGEST = 1_000  # actions of a record that is uploaded: each is kept as an event


def match_of(content: str) -> MatchRead:
    """The first match of a text in any of our formats; what is wrong with it is named."""
    record = read(content)
    if sum(len(turn) for line in record.games for turn in line.turns) > LONGEST:
        raise Problem("size", _("a record may have at most {most} actions").format(most=LONGEST))
    try:
        setup, events = setup_of_record(record)
    except RoundelError as error:
        raise replay_error(content, record) or error from None
    bodies = [json.encode(event).decode() for event in events]
    return MatchRead(json.encode(setup).decode(), bodies, record.result)


def read(content: str) -> Record:
    record = next(matches(content), None)
    if record is None:
        raise Problem("invalid", _("this file contains no match"))
    if isinstance(record, BrokenRecord):
        raise record
    return record


def first_character(content: str) -> str:
    """By which the formats are told apart: JSON begins with a brace, SGF with a bracket."""
    return content.lstrip()[:1]


def matches(content: str) -> Iterator[Record | BrokenRecord]:
    first = first_character(content)
    if first == "{":
        yield from twin.read(lines_of(content))
    elif first == "(":
        for kind in files.foreign():
            yield from files.read_foreign(kind, content)
    else:
        yield from text.read(lines_of(content))


def lines_of(content: str) -> Iterator[str]:
    """As a file has them, whatever its system ends a line with."""
    return io.StringIO(content, newline=None)


def replay_error(content: str, record: Record) -> BrokenRecord | None:
    """Where a record that can be read cannot be replayed, and why."""
    first = first_character(content)
    if first == "{":
        return checking.check_twin(next(twin.split(lines_of(content))))
    if first == "(":
        return checking.check_record(record)
    return checking.check(next(text.split(lines_of(content))))
