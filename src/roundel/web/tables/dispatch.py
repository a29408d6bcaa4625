"""From messages to commands: whether it comes by a socket or by REST, it is judged here."""

from __future__ import annotations

from collections.abc import Callable

from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.play import commands as c
from roundel.play.submit import Refusal, Unfinished
from roundel.web.requests.visitors import Visitor
from roundel.web.tables.messages import (
    Ack,
    Demand,
    Hint,
    More,
    Outgoing,
    PlayAction,
    Preview,
    Previewed,
)
from roundel.web.tables.new_match import new_rematch
from roundel.web.tables.table import Table

Who = frozenset[str]  # the hashes of the device or keys that somebody has shown


def check_seat(table: Table, who: Who, message: PlayAction | Demand | Preview) -> None:
    """Every message is checked, not only the first one."""
    if message.match != table.id:
        raise Refusal("seat", _("this is the table of another match"))
    if not table.seating.is_held(message.seat, who):
        raise Refusal("seat", _("this is not your seat"))


async def act(table: Table, who: Who, message: PlayAction) -> Ack | More:
    check_seat(table, who, message)
    seat, path = message.seat, tuple(message.path)
    command = c.Act(seat, message.ply, message.action, message.id, path=path)
    try:
        return Ack(message.id, await table.perform(command, message.id))
    except Unfinished:
        return More(message.id, message.path)


async def hint(table: Table, who: Who, message: Demand, visitor: Visitor) -> Hint:
    check_seat(table, who, message)
    return await table.computer.hint(message.seat, message.id, visitor)


async def demand(table: Table, who: Who, message: Demand, visitor: Visitor) -> Ack:
    """Anything but a hint."""
    check_seat(table, who, message)
    new = new_rematch(table) if message.what == "rematch" else None
    if new:
        await table.server.quota.take(Visitor(visitor.address, table.owner))
    command = c.Rematch(message.seat, new.id) if new else COMMANDS[message.what](table, message)
    return Ack(message.id, await table.perform(command, message.id, new))


COMMANDS: dict[str, Callable[[Table, Demand], c.Command]] = {
    "undo": lambda table, m: c.TakeBack(m.seat, table.seating.is_solo),
    "resign": lambda table, m: c.Resign(m.seat),
    "offer": lambda table, m: c.Offer(m.seat, m.offer),
    "answer": lambda table, m: c.Answer(m.seat, m.offer, m.yes),
    "abort": lambda table, m: c.Abort(m.seat),
    "claim": lambda table, m: c.Claim(m.seat, m.against, table.seating.is_away(m.against)),
    "say": lambda table, m: c.Say(m.seat, m.phrase),
}


def preview(table: Table, who: Who, message: Preview) -> Previewed:
    """The board after an action. Where players must see for themselves, there is none."""
    check_seat(table, who, message)
    match = table.match
    if match.turn != message.seat or match.position.game.unaided:
        raise Refusal("not_now", _("there is nothing to preview"))
    if match.ply != message.ply:
        raise Refusal("stale", _("the match has moved on"))
    try:
        after = match.position.play(match.position.read(message.action))
    except RoundelError as error:
        raise Refusal("illegal", str(error)) from None
    return Previewed(message.id, after.view)


async def answer(
    table: Table, who: Who, message: PlayAction | Demand | Preview, visitor: Visitor
) -> Outgoing:
    if isinstance(message, PlayAction):
        return await act(table, who, message)
    if isinstance(message, Demand):
        return await demand(table, who, message, visitor)
    return preview(table, who, message)
