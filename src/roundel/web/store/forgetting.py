"""Deleting what is kept about a device, beside a running server or without one."""

from __future__ import annotations

import re
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError

from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.web.store.interface import Forgotten
from roundel.web.store.opening import FILE, CannotStore, InUse, claim_folder, connect_to, revision
from roundel.web.store.removal import forget_device
from roundel.web.store.schema import HEAD

NUMBER = re.compile("[0-9a-f]{32}")


class UnknownDevice(RoundelError):
    """Nothing is kept about such a device."""


def forget_in(folder: Path, device: str) -> Forgotten:
    """A server that is running notices it within a second, and reads its matches again."""
    if not NUMBER.fullmatch(device):
        wrong = _("expected the number of a device (32 digits and letters a to f), got {found!r}")
        raise UnknownDevice(wrong.format(found=device))
    if not (folder / FILE).exists():
        raise CannotStore(_("{file}: there are no matches").format(file=folder))
    try:
        with claim_folder(folder):
            forgotten = forget_and_commit(folder, device)
    except InUse:
        forgotten = forget_and_commit(folder, device)
    if not any(forgotten):
        raise UnknownDevice(_("nothing is kept about device {device}").format(device=device))
    return forgotten


def forget_and_commit(folder: Path, device: str) -> Forgotten:
    engine = connect_to(folder)
    try:
        with engine.connect() as connection:
            check_revision(connection, folder)
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            forgotten = forget_device(connection, device)
            connection.commit()
            return forgotten
    except DatabaseError as error:
        wrong = _("{file}: {reason}").format(file=folder / FILE, reason=error.orig)
        raise CannotStore(wrong) from None
    finally:
        engine.dispose()


def check_revision(connection: Connection, folder: Path) -> None:
    """Nobody upgrades the tables under a server that is running."""
    if revision(connection) != HEAD:
        wrong = _("{file} is in use by another version of Roundel")
        raise CannotStore(wrong.format(file=folder))
