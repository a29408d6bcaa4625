"""How matches leave the store, and how people leave matches."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from msgspec import MsgspecError, json
from msgspec.structs import replace
from sqlalchemy import Connection, delete, func, insert, select, union, update

from roundel.core.lang import _
from roundel.play.events import Seated
from roundel.web.store.interface import (
    Conflict,
    Forgotten,
    Stored,
    is_shared,
    read_event,
    read_setup,
)
from roundel.web.store.schema import archived, events, holders, invitations, keys, matches

SEATED = '%"kind":"seated"%'  # the events that tell names


@dataclass(frozen=True)
class People:
    """Who has a part in a match."""

    match: str
    owner: str
    keys: dict[int, str]
    holders: dict[int, set[str]]

    def seats_of(self, device: str) -> set[int]:
        return {seat for seat, devices in self.holders.items() if device in devices}


def people_of(connection: Connection, match: str) -> People:
    owner = connection.scalar(select(matches.c.owner).where(matches.c.id == match)) or ""
    key_rows = connection.execute(select(keys.c.seat, keys.c.key).where(keys.c.match == match))
    held: dict[int, set[str]] = {}
    for row in connection.execute(select(holders).where(holders.c.match == match)):
        held.setdefault(row.seat, set()).add(row.device)
    return People(match, owner, {row.seat: row.key for row in key_rows}, held)


# -- People ---------------------------------------------------------------------


def forget_device(connection: Connection, device: str) -> Forgotten:
    """Everything of a device goes: matches that are its alone, and its part in all others."""
    held = select(holders.c.match).where(holders.c.device == device)
    made = select(matches.c.id).where(matches.c.owner == device)
    forgotten = Forgotten([], [])
    for id in connection.scalars(union(held, made)).all():
        people = people_of(connection, id)
        if is_shared(people.owner, people.keys, people.holders, device):
            leave_match(connection, people, device)
            forgotten.left.append(id)
        else:
            connection.execute(delete(matches).where(matches.c.id == id))
            forgotten.deleted.append(id)
    return forgotten


def leave_match(connection: Connection, people: People, device: str) -> None:
    """Others keep it; the device's seats are nobody's, and have no names."""
    match, seats = people.match, people.seats_of(device)
    with contextlib.suppress(MsgspecError):  # what cannot be read shows nobody a name
        clear_names(connection, people, device)
    own_links = (invitations.c.match == match) & invitations.c.seat.in_(seats)
    connection.execute(delete(invitations).where(own_links, ~invitations.c.used))
    mine = (holders.c.match == match) & (holders.c.device == device)
    connection.execute(delete(holders).where(mine))
    if people.owner == device:  # who made the match was given its keys
        connection.execute(delete(keys).where(keys.c.match == match))
        connection.execute(update(matches).where(matches.c.id == match).values(owner=""))


def clear_names(connection: Connection, people: People, device: str) -> None:
    """Those that the device's person gave: at its seats and, by whoever made the match, at all
    that nobody else has taken. Nothing else in a log is ever written anew."""
    this_match = matches.c.id == people.match
    setup = read_setup(connection.scalars(select(matches.c.setup).where(this_match)).one())
    mine, own = people.seats_of(device), people.owner == device
    seats = dict(enumerate(setup.seats))
    named = {seat for seat in seats if seat in mine or (own and not people.holders.get(seat))}
    seats |= {seat: replace(seats[seat], name="") for seat in named}
    text = json.encode(replace(setup, seats=tuple(seats.values()))).decode()
    connection.execute(update(matches).where(this_match).values(setup=text))
    told = select(events).where(events.c.match == people.match, events.c.body.like(SEATED))
    for row in connection.execute(told).all():
        event = read_event(row.body)
        if isinstance(event, Seated) and event.seat in named:
            body = json.encode(replace(event, name="")).decode()
            here = (events.c.match == people.match) & (events.c.seq == row.seq)
            connection.execute(update(events).where(here).values(body=body))


# -- Whole matches --------------------------------------------------------------


def archive_match(read: Stored, has_record: bool, connection: Connection) -> None:
    """Remove a match; `Conflict` if somebody came or something happened since it was read."""
    newest = select(func.count()).where(events.c.match == read.id).scalar_subquery()
    query = select(matches.c.opened, newest).where(matches.c.id == read.id)
    if connection.execute(query).first() != (read.opened, len(read.rows)):
        raise Conflict(_("the match was continued elsewhere"))
    connection.execute(delete(matches).where(matches.c.id == read.id))
    if has_record:
        connection.execute(insert(archived).prefix_with("OR IGNORE").values(match=read.id))
