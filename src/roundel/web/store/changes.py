"""How a change of a match is written, all of it but its events: those go past SQLAlchemy."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from roundel.core.lang import _
from roundel.web.store.interface import Change, Conflict, Hold, NewMatch
from roundel.web.store.schema import holders, invitations, keys, matches


def write_change(change: Change, connection: Connection) -> None:
    if change.new:
        check_rematch(connection, change.match, change.new)
        insert_match(connection, change.new)
    if change.finish:
        done = update(matches).where(matches.c.id == change.match)
        connection.execute(done.values(finished=change.finish.when, result=change.finish.result))
    if change.hold:
        give_seat(connection, change.match, change.hold)


def check_rematch(connection: Connection, match: str, new: NewMatch) -> None:
    """Nobody gets into a rematch who has just been forgotten, perhaps by another process."""
    if new.id == match:
        return
    held = set(connection.scalars(select(holders.c.device).where(holders.c.match == match)))
    owner = connection.scalar(select(matches.c.owner).where(matches.c.id == match))
    if owner != new.owner or not held.issuperset(set().union(*new.holders.values())):
        raise Conflict(_("somebody has left the match"))


def insert_match(connection: Connection, new: NewMatch) -> None:
    names = ("id", "setup", "owner", "clocked", "created")
    row = {name: getattr(new, name) for name in names} | {"opened": new.created}
    connection.execute(insert(matches), row)
    key_rows = [{"match": new.id, "seat": seat, "key": key} for seat, key in new.keys.items()]
    held = [
        {"match": new.id, "seat": seat, "device": device}
        for seat, devices in new.holders.items()
        for device in devices
    ]
    invited = [
        {"match": new.id, "seat": seat, "token": token, "is_friend": True, "created": new.created}
        for token, seat in new.invitations.items()
    ]
    for table, rows in ((keys, key_rows), (holders, held), (invitations, invited)):
        if rows:
            connection.execute(insert(table), rows)


def give_seat(connection: Connection, match: str, hold: Hold) -> None:
    """Only one can use up an invitation."""
    unused = (invitations.c.token == hold.token) & ~invitations.c.used
    if connection.execute(update(invitations).where(unused).values(used=True)).rowcount != 1:
        raise Conflict(_("this invitation was used before"))
    row = {"match": match, "seat": hold.seat, "device": hold.device}
    connection.execute(insert(holders).prefix_with("OR IGNORE").values(row))
