"""Sending to everybody at a table, to each in their own language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roundel.core.lang import N_, _, speaking
from roundel.web.store.interface import Row
from roundel.web.tables.messages import Notice, Outgoing, Paused, packed
from roundel.web.tables.rendering import Audience, event_message, render_event_for, snapshot

if TYPE_CHECKING:
    from roundel.web.sockets.clients import Client
    from roundel.web.tables.table import Table

CANNOT_SAVE = N_("The server cannot save moves right now. Clocks are stopped until it can.")


def clients_of(table: Table) -> tuple[Client, ...]:
    """Those who are there now: one that is too slow leaves while we send."""
    return tuple(table.seating.clients)


def broadcast(table: Table, message: Outgoing) -> None:
    """The same to everybody."""
    if clients := clients_of(table):
        text = packed(message)
        for client in clients:
            client.push(text)


def broadcast_text(table: Table, text: str) -> None:
    """A text of the catalogue."""
    for client in clients_of(table):
        with speaking(client.audience.language):
            client.push(packed(Notice(_(text))))


def broadcast_pause(table: Table) -> None:
    if table.match.clocks:
        broadcast_snapshots(table)  # this is what they show now
    for client in clients_of(table):
        send_pause(table, client)


def send_pause(table: Table, client: Client) -> None:
    with speaking(client.audience.language):
        client.push(packed(Paused(_(CANNOT_SAVE) if table.server.is_paused else "")))


def broadcast_event(table: Table, row: Row, kept: int) -> None:
    texts: dict[Audience, str] = {}
    message = event_message(table, row, kept)
    for client in clients_of(table):
        audience = client.audience
        if audience not in texts:
            texts[audience] = render_event_for(audience, table, message)
        client.push(texts[audience])


def broadcast_snapshots(table: Table) -> None:
    texts: dict[Audience, str] = {}
    for client in clients_of(table):
        audience = client.audience
        if audience not in texts:
            texts[audience] = packed(snapshot(table, audience))
        client.push(texts[audience])
