"""Backups of a store, made while a server may be running, and the way back."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.exc import DatabaseError

from roundel.core.lang import _
from roundel.web.store.copying import (
    OnPages,
    checked_copy,
    code_of,
    logs_of,
    reading,
    sync_folder,
    words_of,
)
from roundel.web.store.damage import CHECK
from roundel.web.store.opening import (
    FILE,
    NEW,
    CannotStore,
    errors_named_after,
    free_name,
    lock_folder,
)

FOLDER = "backups"
DATED = re.compile(r"table-\d{8}-\d{6}\.sqlite")
JUNK = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


# -- Out ------------------------------------------------------------------------


def back_up(folder: Path, target: Path, on_pages: OnPages) -> None:
    """The store of a folder, complete and sound, in a new file. It has its name only when it is."""
    store, part = folder / FILE, part_of(target)
    if not store.exists():
        raise CannotStore(_("{file} does not exist").format(file=store))
    refuse_existing(target)
    with errors_named_after(target.parent):
        if DATED.fullmatch(target.name):
            target.parent.mkdir(mode=0o700, exist_ok=True)
        elif not target.parent.exists():
            raise CannotStore(_("{file} does not exist").format(file=target.parent))
    with checked_copy(store, part, on_pages):
        refuse_existing(target)
        os.rename(part, target)
        sync_folder(target.parent)


def part_of(target: Path) -> Path:
    """What it is called until it is complete: dated ones alike, so that no rests pile up."""
    name = FILE if DATED.fullmatch(target.name) else target.name
    return target.with_name(f".{name}.part")


def refuse_existing(target: Path) -> None:
    if os.path.lexists(target):
        raise CannotStore(_("{file} already exists; nothing was written").format(file=target))


def dated_file(folder: Path) -> Path:
    """Named after the moment, in a time that is never set back."""
    return folder / f"table-{datetime.now(UTC):%Y%m%d-%H%M%S}.sqlite"


def remove_oldest(newest: Path, keep: int) -> list[Path]:
    """Of the dated backups beside the newest, so that with it so many are left."""
    with errors_named_after(newest.parent):
        others = sorted(
            path
            for path in newest.parent.iterdir()
            if DATED.fullmatch(path.name) and path.is_file() and path.name != newest.name
        )
        oldest = others[: max(0, len(others) + 1 - keep)]
        for path in oldest:
            path.unlink()
    return oldest


# -- Back -----------------------------------------------------------------------


def restore(folder: Path, source: Path, on_pages: OnPages) -> Path | None:
    """The store becomes a copy of that file; returns how what was there before is called now."""
    with errors_named_after(source):
        os.stat(source)  # nothing is touched if it is not there
    with lock_folder(folder):
        store = folder / FILE
        if store.exists() and source.samefile(store):
            raise CannotStore(_("{file} is the store itself").format(file=source))
        with checked_copy(source, folder / NEW, on_pages):
            kept = put_aside(store)
            os.replace(folder / NEW, store)
            sync_folder(folder)
    return kept


def put_aside(store: Path) -> Path | None:
    """What is there gets another name. It also keeps its own, so that there always is a store.

    SQLite would take a log for a part of the new file, so there must be none when that comes.
    """
    logs = [] if is_alone(store) else [log for log in logs_of(store) if log.exists()]
    if not (store.exists() or logs):
        return None
    kept = free_name(store.parent, "before-restore")
    if store.exists():
        os.link(store, kept)
    for log, kept_log in zip(logs_of(store), logs_of(kept), strict=True):
        if log in logs:
            os.link(log, kept_log)
    sync_folder(store.parent)
    for log in logs:
        log.unlink()
    return kept


def is_alone(store: Path) -> bool:
    """Whether all of the store is in the file, after what is in its logs was moved there.

    Nothing is moved into a damaged file: SQLite would also remove a log that it cannot read.
    """
    if not any(log.exists() for log in logs_of(store)):
        return True
    if not store.exists():
        return False
    try:
        with reading(store) as connection:
            if connection.exec_driver_sql(CHECK).scalar() != "ok":
                return False
        with closing(sqlite3.connect(store, isolation_level=None)) as driver:
            is_busy, *_pages = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except (DatabaseError, sqlite3.Error) as error:
        if code_of(error) in JUNK:
            return False
        wrong = _("{file}: {reason}").format(file=store, reason=words_of(error))
        raise CannotStore(wrong) from None
    if is_busy or any(log.exists() for log in logs_of(store)):  # SQLite removes what nobody needs
        raise CannotStore(_("{file} is open elsewhere").format(file=store))
    return True
