"""Matches in the user's data folder: each in a file of its own, written anew after every action.

A file is replaced in one step, so it is whole at any moment; beside it lies a lock as long as a
table plays that match, so that two tables never write the same file.
"""

from __future__ import annotations

import fcntl
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from roundel import record as records
from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.record import Record, files
from roundel.record.match import UNFINISHED

ENDING = ".record"


class CannotKeep(RoundelError):
    """A file cannot be written or is not ours to write."""


def data_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("roundel"))


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        text = _("{file}: {reason}")
        reason = _(error.strerror or str(error))
        raise CannotKeep(text.format(file=path, reason=reason)) from None


def replace(path: Path, text: str) -> None:
    """Write a file that is never seen half written, even if the machine stops."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with named_errors(path):
        try:
            with open(temporary, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise


def copy(record: Record, name: str, over: bool) -> Path:
    """A copy where people want it, in the format that its ending tells."""
    path = Path(name).expanduser()
    if path.exists() and not over:
        text = _("{file} already exists; save! {file} overwrites it")
        raise CannotKeep(text.format(file=name))
    replace(path, "".join(files.writer(files.format_of(name))([record])))
    return path


class Kept:
    """The file of one match, and the lock that makes it this table's."""

    def __init__(self, path: Path) -> None:
        self.path, self.lock = path, path.with_suffix(".lock")
        with named_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self.file = self.taken()

    def taken(self) -> int:
        """The lock, held; again if the table that had it removed it in the same moment."""
        while True:
            file = os.open(self.lock, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(file), os.stat(self.lock)):
                    return file
            except BlockingIOError:
                os.close(file)
                text = _("{file}: this match is being played at another table")
                raise CannotKeep(text.format(file=self.path)) from None
            except FileNotFoundError:
                pass
            os.close(file)

    def write(self, record: Record) -> None:
        replace(self.path, records.write(record))

    def close(self) -> None:
        self.lock.unlink(missing_ok=True)
        os.close(self.file)


class Shelf:
    """The folder with all matches."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or data_folder()) / "matches"
        self.option = f" --data {shlex.quote(str(folder))}" if folder else ""

    def new(self, spec: str) -> Kept:
        """A file that no other match has."""
        stem = f"{datetime.now():%Y-%m-%d_%H-%M-%S}_{re.sub('[^a-z0-9]+', '-', spec)}"
        for number in range(1, 1000):
            path = self.folder / f"{stem}{f'_{number}' if number > 1 else ''}{ENDING}"
            if path.exists():
                continue
            try:
                return Kept(path)
            except CannotKeep:
                if not path.with_suffix(".lock").exists():
                    raise
        raise CannotKeep(_("{folder}: too many matches at once").format(folder=self.folder))

    def unfinished(self) -> Iterator[Path]:
        """The files of unfinished matches, the newest first."""
        dated = [(path.stat().st_mtime_ns, path) for path in self.folder.glob(f"*{ENDING}")]
        for _time, path in sorted(dated, reverse=True):
            record = next(files.read(str(path)), None)
            if isinstance(record, Record) and record.result == UNFINISHED:
                yield path

    def newest(self) -> tuple[Record, Kept]:
        """The unfinished match that was played last and that no other table plays now."""
        for path in self.unfinished():
            try:
                return self.take(path)
            except CannotKeep:
                continue
        raise CannotKeep(_("{folder}: no unfinished match").format(folder=self.folder))

    def take(self, path: Path) -> tuple[Record, Kept]:
        """A match of this folder; it is read only when nobody else can write it."""
        kept = Kept(path)
        try:
            return read(path), kept
        except RoundelError:
            kept.close()
            raise

    def owns(self, path: Path) -> bool:
        return path.suffix == ENDING and path.resolve().parent == self.folder.resolve()


def read(path: Path) -> Record:
    """The first match of a file, in any of our formats."""
    record = next(files.read(str(path)), None)
    if record is None:
        raise CannotKeep(_("{file}: this file contains no match").format(file=path))
    try:
        if isinstance(record, records.BrokenRecord):
            raise record
        records.verify(record)
    except RoundelError as error:
        raise CannotKeep(_("{file}: {reason}").format(file=path, reason=error)) from None
    return record
