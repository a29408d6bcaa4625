"""Opening the store: one server for each folder, one file in it, its tables as they are today."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DatabaseError

from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.web.schema import HEAD

FILE, LOCK = "table.sqlite", "table.lock"
READERS = 2


class CannotStore(RoundelError):
    """The file of the store cannot be opened, or is somebody else's."""


def prepare(connection: Any, record: object) -> None:
    """What every connection is told first."""
    cursor = connection.cursor()
    for line in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {line}")
    cursor.execute("PRAGMA busy_timeout = 5000")
    cursor.close()


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """The folder for one server alone, and its store as it is today; or what is wrong with it."""
    with named_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("w")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            wrong = _("{file}: another server keeps its matches there")
            raise CannotStore(wrong.format(file=folder)) from None
        opened(folder).dispose()
        yield


@contextmanager
def named_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = _(error.strerror or str(error))
        raise CannotStore(_("{file}: {reason}").format(file=folder, reason=reason)) from None


def opened(folder: Path) -> Engine:
    """The file with its tables as they are today."""
    with named_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE).touch(mode=0o600)
    engine = create_engine(f"sqlite:///{folder / FILE}", pool_size=READERS + 1)
    event.listen(engine, "connect", prepare)
    try:
        with engine.connect() as connection:
            bring_up_to_date(connection)
    except DatabaseError as error:
        wrong = _("{file}: {reason}").format(file=folder / FILE, reason=error.orig)
        raise CannotStore(wrong) from None
    return engine


def bring_up_to_date(connection: Connection) -> None:
    if (found := revision(connection)) == HEAD:
        return
    from roundel.web.migrations import CannotMigrate, migrate

    try:
        migrate(connection)
    except CannotMigrate:
        wrong = _("the store was written by a later version of Roundel ({revision})")
        raise CannotStore(wrong.format(revision=found)) from None
    connection.commit()


def revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found
