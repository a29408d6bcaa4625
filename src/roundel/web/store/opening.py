"""Opening the store: one server for each folder, one file in it, its tables as they are today."""

from __future__ import annotations

import fcntl
import itertools
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DatabaseError

from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.web.store.damage import is_sound, missing_part, rescue
from roundel.web.store.schema import HEAD, matches

FILE, NEW, LOCK = "table.sqlite", "table.sqlite.new", "table.lock"
READERS = 2

log = logging.getLogger(__name__)


class CannotStore(RoundelError):
    """The file of the store cannot be opened, or is somebody else's."""


class InUse(CannotStore):
    """A server has that folder."""


def configure(connection: sqlite3.Connection, record: object) -> None:
    """What every connection is told first."""
    cursor = connection.cursor()
    for line in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {line}")
    cursor.execute("PRAGMA secure_delete = ON")  # what is deleted does not stay in free pages
    cursor.execute("PRAGMA busy_timeout = 5000")
    cursor.close()


@contextmanager
def claim_folder(folder: Path) -> Iterator[None]:
    """The folder for one server alone, and its store as it is today; or what is wrong with it."""
    with lock_folder(folder):
        repair(folder)
        yield


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Nobody else serves or replaces what is in it."""
    with errors_named_after(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("w")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            wrong = _("{file} is in use by another server")
            raise InUse(wrong.format(file=folder)) from None
        yield


@contextmanager
def errors_named_after(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = _(error.strerror or str(error))
        raise CannotStore(_("{file}: {reason}").format(file=folder, reason=reason)) from None


def connect_to(folder: Path, name: str = FILE) -> Engine:
    """The file as it is; a new one if there is none."""
    with errors_named_after(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).touch(mode=0o600)
    engine = create_engine(f"sqlite:///{folder / name}", pool_size=READERS + 1)
    event.listen(engine, "connect", configure)
    return engine


def open_database(folder: Path, name: str = FILE) -> Engine:
    """The file with its tables as they are today."""
    engine = connect_to(folder, name)
    try:
        with engine.connect() as connection:
            bring_up_to_date(connection)
            wrong = missing_part(connection)
    except DatabaseError as error:
        wrong = str(error.orig)
    if wrong:
        engine.dispose()
        raise CannotStore(_("{file}: {reason}").format(file=folder / name, reason=wrong))
    return engine


def repair(folder: Path) -> None:
    """The tables as they are today; if some of the file is junk, its whole matches go on in a new
    one, and nothing is written into the old one, not even its new tables."""
    engine = connect_to(folder)
    try:
        with engine.connect() as connection:
            is_damaged = not is_sound(connection)
            if is_damaged:
                refuse_later_version(revision(connection))
                kept = free_name(folder, "damaged")
                total, damaged = rebuild(folder, connection)
    except DatabaseError as error:
        wrong = _("{file}: {reason}").format(file=folder / FILE, reason=error.orig)
        raise CannotStore(wrong) from None
    finally:
        engine.dispose()
    if not is_damaged:
        return open_database(folder).dispose()
    with errors_named_after(folder):
        os.link(folder / FILE, kept)  # never without a file of this name, whenever we are stopped
        os.replace(folder / NEW, folder / FILE)
    summary = _("{file}: {damaged} of {many} matches are damaged; what was there is kept as {kept}")
    log.error(summary.format(file=folder / FILE, damaged=len(damaged), many=total, kept=kept.name))
    for id in damaged:
        log.error(_("match {id} is damaged").format(id=id))


def rebuild(folder: Path, old: Connection) -> tuple[int, list[str]]:
    """How many matches there were, and which are damaged; the others are in the new file."""
    (folder / NEW).unlink(missing_ok=True)
    engine = open_database(folder, NEW)
    try:
        with engine.connect() as new:
            rescued = rescue(old, new)
        old.rollback()
        is_busy, *_pages = old.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
    finally:
        engine.dispose()
    if is_busy:  # what is only in the log would be taken for a part of the new file
        raise CannotStore(_("{file} is open elsewhere").format(file=folder / FILE))
    return rescued


def free_name(folder: Path, reason: str) -> Path:
    """For a file that is put aside."""
    names = (folder / f"{FILE}.{reason}-{number}" for number in itertools.count(1))
    return next(name for name in names if not name.exists())


def bring_up_to_date(connection: Connection) -> None:
    current = revision(connection)
    if current == HEAD or (current is None and has_tables(connection)):
        return  # a table that is missing is told in a moment
    refuse_later_version(current)
    from roundel.web.store.migrations import migrate

    # All of it or nothing, whenever we are stopped: sqlite3 begins no transaction for tables.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    migrate(connection)
    connection.commit()


def refuse_later_version(current: str | None) -> None:
    if wrong := later_version(current):
        raise CannotStore(wrong)


def later_version(current: str | None) -> str:
    """What is wrong with tables that only a later Roundel knows; empty if we do."""
    if current is None or current <= HEAD:  # they are numbered
        return ""
    wrong = _("the store was written by a later version of Roundel ({revision})")
    return wrong.format(revision=current)


def has_tables(connection: Connection) -> bool:
    return inspect(connection).has_table(matches.name)


def revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version
