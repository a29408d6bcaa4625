"""Stores with matches in them, for tests of what is done to such files."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from roundel.web.store.opening import FILE
from tests.web import ME, SAME, House, at_table, made

ROUNDS = 3  # actions in each match


def played(folder: Path, many: int = 2) -> list[str]:
    """The ids of matches that are stored there now; the server has stopped."""
    house = House(folder)
    with house.opened() as client:
        ids = [made(client, ME, SAME)["id"] for _number in range(many)]
        for id in ids:
            with at_table(client, id) as me:
                for number in range(ROUNDS):
                    me.act(me.now["turn"], f"{number}")
    return ids


def crashed(folder: Path, wreck: Path) -> list[str]:
    """The ids of the matches that a server left in its log as it crashed."""
    house = House(folder)
    with house.opened() as client:
        ids = [made(client, ME, SAME)["id"]]
        wreck.mkdir()
        for path in folder.glob(f"{FILE}*"):
            shutil.copy(path, wreck)
    assert (wreck / f"{FILE}-wal").stat().st_size
    return ids


def ids_in(file: Path) -> list[str]:
    """As SQLite reads the file together with its log; it must be sound."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return sorted(id for (id,) in connection.execute("SELECT id FROM matches"))


def edit(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def files_in(folder: Path) -> dict[str, bytes]:
    """All there is, but for the lock."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def spoil(file: Path) -> None:
    """A page in the middle becomes junk."""
    content = bytearray(file.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    file.write_bytes(content)
