"""The folder that keeps a tournament: a record for each match, and the reports.

A match is kept under a name that follows from what it is, so any tournament can be played in the
same folder, and a match that is there is not played again.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from roundel import record as records
from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.record import Record, files
from roundel.record.match import UNFINISHED
from roundel.tournament.match import tags_of
from roundel.tournament.schedule import Fixture


class WrongFolder(RoundelError):
    """The folder cannot be used, or a file in it is not what its name says."""


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = _(error.strerror or str(error))
        raise WrongFolder(_("{file}: {reason}").format(file=path, reason=reason)) from None


class TournamentStore:
    """One tournament at a time plays in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.matches = folder, folder / "matches"
        self.log = folder / "engines.log"
        with named_errors(folder):
            self.matches.mkdir(parents=True, exist_ok=True)
            self.lock = (folder / "lock").open("w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.lock.close()
            text = _("{folder}: another tournament is being played here")
            raise WrongFolder(text.format(folder=folder)) from None

    def close(self) -> None:
        self.lock.close()

    def path(self, fixture: Fixture) -> Path:
        return self.matches / f"{fixture.key}.record"

    def find(self, fixture: Fixture) -> Record | None:
        """The match, if it was played."""
        path = self.path(fixture)
        if not path.exists():
            return None
        record = next(files.read(str(path)), None)
        if isinstance(record, RoundelError):
            raise WrongFolder(_("{file}: {reason}").format(file=path, reason=record))
        if record is None or record.result == UNFINISHED or not is_record_of(record, fixture):
            text = _("{file}: this is not the match with this number")
            raise WrongFolder(text.format(file=path))
        return record

    def keep(self, fixture: Fixture, record: Record) -> None:
        self.write(self.path(fixture), records.write(record))

    def write(self, path: Path, text: str) -> None:
        """A file that is never seen half written."""
        temporary = path.with_name(f".{path.name}")
        with named_errors(path):
            try:
                with temporary.open("w", encoding="utf-8", newline="\n") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)


def is_record_of(record: Record, fixture: Fixture) -> bool:
    """Whether a record is of that match."""
    return tags_of(fixture).items() <= record.tags.items() and record.spec == fixture.spec
