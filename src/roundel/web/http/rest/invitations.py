"""Invitations: a link that gives one device a seat, once, for as long as it is valid."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from msgspec import Struct

from roundel.core.lang import _, current
from roundel.play.setup import OPEN
from roundel.web.http.rest.bodies import Body, StrictRoute
from roundel.web.http.rest.common import answer, gives, server_of, table_for
from roundel.web.http.rest.links import Link, join_url, link, qr_code
from roundel.web.http.rest.matches import with_body
from roundel.web.requests.devices import hash_secret, identify_device, new_secret, who_is
from roundel.web.requests.problems import Problem
from roundel.web.store.interface import Hold, Invitation
from roundel.web.tables.messages import Name, SeatView
from roundel.web.tables.rendering import Audience
from roundel.web.tables.server_state import ServerState
from roundel.web.tables.table import Table
from roundel.web.tables.timing import DAY

router = APIRouter(tags=["invitations"], route_class=StrictRoute)


class InvitationView(Struct, frozen=True):
    """What an invitation is for: a friend's seat, or my own on another device."""

    match: str
    seat: int
    title: str
    options: list[str]
    is_friend: bool
    seats: list[SeatView]


class Joining(Body):
    name: Name = ""


class Joined(Struct, frozen=True):
    match: str
    seat: int


@router.post(
    "/matches/{id}/seats/{seat}/invitation",
    status_code=201,
    responses=gives(Link, "missing", "seat", "not_now", status=201),
)
async def invite(request: Request, id: str, seat: int) -> Response:
    """For an open seat, by whoever is in the match; for a taken one, by its holder."""
    table, server = await table_for(request, id), server_of(request)
    who = who_is(request.headers)
    if seat not in table.seating.left_at:
        raise Problem("seat", _("there is no such seat"))
    mine = table.seating.seats_of(who)
    is_open = table.match.seats[seat].kind == OPEN
    if not (seat in mine or (is_open and (mine or table.owner in who))):
        raise Problem("seat", _("this is not your seat"))
    if await server.store.open_invitations(id, expired_at(server)) >= server.settings.invitations:
        raise Problem("not_now", _("this match has too many open invitations"))
    token, now = new_secret(), server.time.calendar()
    new = Invitation(id, seat, is_open, used=False, created=now)
    await server.store.invite(hash_secret(token), new)
    return answer(link(request, token), 201)


def expired_at(server: ServerState) -> float:
    """An invitation made then cannot be used any more."""
    return server.time.calendar() - server.settings.expiry * DAY


async def valid_invitation(request: Request, token: str) -> tuple[Table, Invitation]:
    """The table of an invitation that can be used."""
    server = server_of(request)
    invitation = await server.store.invitation(hash_secret(token))
    if invitation is None:
        raise Problem("missing", _("there is no such invitation"))
    if invitation.used:
        raise Problem("used", _("this invitation was used before"))
    if invitation.created <= expired_at(server):
        raise Problem("expired", _("this invitation has expired; please ask for a new one"))
    return await table_for(request, invitation.match), invitation


@router.get("/invitations/{token}", responses=gives(InvitationView, "missing", "used", "expired"))
async def look(request: Request, token: str) -> Response:
    """What it is for. Looking does not use it up."""
    table, invitation = await valid_invitation(request, token)
    audience = Audience(current(), table.seating.seats_of(who_is(request.headers)))
    game, seats = table.game, table.rendered.seats(audience)
    is_friend = invitation.is_friend
    return answer(
        InvitationView(table.id, invitation.seat, game.title, game.chosen, is_friend, seats)
    )


@router.get("/invitations/{token}/qr", responses=gives(str, media="image/svg+xml"))
async def qr(request: Request, token: Annotated[str, Path(max_length=64)]) -> Response:
    """The link as a QR code."""
    return Response(qr_code(join_url(request, token)), media_type="image/svg+xml")


@router.post(
    "/invitations/{token}",
    responses=gives(Joined, "missing", "used", "expired", "seat", "over"),
)
async def join(request: Request, token: str, body: Joining) -> Response:
    """Take the seat; the invitation is used up by it."""
    table, invitation = await valid_invitation(request, token)
    response = answer(None)
    device = identify_device(request, response)
    if not device:
        raise Problem("invalid", _("an invitation is for a browser; a script gets its key"))
    if is_mine(table, invitation, device):
        raise Problem("seat", _("this is your own invitation: it is for somebody else"))
    hold = Hold(invitation.seat, device, hash_secret(token), invitation.is_friend)
    await table.sit(hold, body.name)
    return with_body(response, Joined(table.id, invitation.seat))


def is_mine(table: Table, invitation: Invitation, device: str) -> bool:
    """Who invites a friend does not take that seat too; nor does a device one that it has."""
    mine = table.seating.seats_of(frozenset([device]))
    if invitation.is_friend:
        return table.owner == device or bool(mine)
    return invitation.seat in mine
