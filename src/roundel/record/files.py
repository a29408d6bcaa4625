"""Files of records: which format by the ending of the name, read one match at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TextIO

from roundel import games
from roundel.core.errors import BrokenRecord, InvalidText, RoundelError
from roundel.core.game import Manifest
from roundel.core.lang import _
from roundel.record import text, twin, writing
from roundel.record.match import Record

TEXT, JSON = "record", "json"
SURROGATE = re.compile("[\ud800-\udfff]")  # a byte that is no UTF-8, or half a character
ENDINGS = {"record": TEXT, "txt": TEXT, "json": JSON, "jsonl": JSON}


class UnreadableFile(RoundelError):
    """There is no such file, or it may not be read or written."""


class MissingMatch(RoundelError):
    """The file has fewer matches."""


def unreadable(path: str, error: OSError) -> UnreadableFile:
    reason = _(error.strerror or str(error))
    return UnreadableFile(_("{file}: {reason}").format(file=path, reason=reason))


def foreign() -> dict[str, Manifest]:
    """The formats of other sites, each with the game that knows it."""
    manifests = [games.manifest(name) for name in games.names()]
    return {ending: manifest for manifest in manifests for ending in manifest.foreign}


def formats() -> list[str]:
    return [TEXT, JSON, *sorted(foreign())]


def format_of(path: str) -> str:
    """The format that a file's name tells; text unless it tells another one."""
    ending = Path(path).suffix.lower().removeprefix(".")
    return ENDINGS.get(ending) or (ending if ending in foreign() else TEXT)


@contextmanager
def opened(path: str) -> Iterator[TextIO]:
    """The file for reading. Bytes that are not UTF-8 arrive marked, so that they can be named."""
    try:
        file = open(path, encoding="utf-8-sig", errors="surrogateescape")  # noqa: SIM115
    except OSError as error:
        raise unreadable(path, error) from None
    with file:
        yield file


@contextmanager
def created(path: str) -> Iterator[TextIO]:
    """The file for writing, in the same bytes on every machine."""
    try:
        file = open(path, "w", encoding="utf-8", newline="\n")  # noqa: SIM115
    except OSError as error:
        raise unreadable(path, error) from None
    with file:
        yield file


def lines_of(file: TextIO) -> Iterator[str]:
    """The lines of a file; one that is longer than any match comes in pieces, to save memory."""
    try:
        yield from iter(lambda: file.readline(text.LARGEST + 1), "")
    except OSError as error:
        raise unreadable(file.name, error) from None


def read(path: str) -> Iterator[Record | BrokenRecord]:
    """Every match of a file; what is broken comes as the error that says where and why."""
    kind = format_of(path)
    with opened(path) as file:
        if kind == TEXT:
            yield from text.read(lines_of(file))
        elif kind == JSON:
            yield from twin.read(lines_of(file))
        else:
            yield from read_foreign(kind, "".join(lines_of(file)))


def read_match(path: str, number: int) -> Record:
    """One match of a file, counted from 1."""
    record = next(islice(read(path), number - 1, None), None)
    if record is None:
        wrong = _("{file}: there is no match {number}")
        raise MissingMatch(wrong.format(file=path, number=number))
    if isinstance(record, BrokenRecord):
        raise record
    return record


def read_foreign(kind: str, whole: str) -> Iterator[Record | BrokenRecord]:
    manifest = foreign()[kind]
    # Old files are Latin-1 here and there: a letter that is no UTF-8 is no reason to refuse them.
    whole = SURROGATE.sub("\N{REPLACEMENT CHARACTER}", whole)
    for match in manifest.foreign[kind].read(manifest, whole):
        yield match if isinstance(match, BrokenRecord) else twin.from_data(match)


def writer(kind: str) -> Callable[[Iterable[Record]], Iterator[str]]:
    """Turns matches into the parts of a file."""
    if kind == TEXT:
        return writing.write_all
    if kind == JSON:
        return lambda records: map(twin.write, records)
    manifest = foreign().get(kind)
    if manifest is None:
        wrong = _("no format {name!r}; there are: {known}")
        raise InvalidText(wrong.format(name=kind, known=", ".join(formats())))
    return lambda records: (write_foreign(manifest, kind, record) for record in records)


def write_foreign(manifest: Manifest, kind: str, record: Record) -> str:
    if record.spec.partition(":")[0] != manifest.name:
        wrong = _("{format} is a format of {game}, not of {spec}")
        raise InvalidText(wrong.format(format=kind, game=manifest.name, spec=record.spec))
    return manifest.foreign[kind].write(manifest, twin.to_data(record))
