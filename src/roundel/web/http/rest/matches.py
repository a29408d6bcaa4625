"""Matches: make one, look at it, act, take it away."""

from __future__ import annotations

import secrets
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from roundel import games
from roundel.core.board import BoardView
from roundel.core.lang import _, current
from roundel.play.outcome import outcome_text
from roundel.play.setup import COMPUTER, OPEN, PERSON, Clock, Seat, Setup
from roundel.record.match import tidy
from roundel.web.http.rest.bodies import Body, StrictRoute
from roundel.web.http.rest.common import answer, gives, seats_for, server_of, table_for
from roundel.web.http.rest.links import Link, link
from roundel.web.requests.devices import hash_secret, identify_device, new_secret, who_is
from roundel.web.requests.problems import Problem
from roundel.web.requests.visitors import Visitor, address_of, visitor_of
from roundel.web.tables import dispatch
from roundel.web.tables.messages import (
    Ack,
    Clicks,
    CommandName,
    Demand,
    Hint,
    Id,
    More,
    Name,
    OfferKind,
    Phrase,
    PlayAction,
    Ply,
    SeatNumber,
    Snapshot,
    Text,
)
from roundel.web.tables.new_match import new_match, with_lots
from roundel.web.tables.rendering import Audience, last_spots, snapshot
from roundel.web.tables.table import Table

router = APIRouter(tags=["matches"], route_class=StrictRoute)
KINDS = {"me": PERSON, "same": PERSON, "friend": OPEN, "computer": COMPUTER}


class SeatBody(Body):
    """`me` and `same` sit at this device, a `friend` gets an invitation."""

    who: Literal["me", "friend", "same", "computer"]
    name: Name = ""
    level: Annotated[int, Field(ge=0, le=10)] = 0


class ClockBody(Body):
    """Fischer's: so much to begin with, and more after each turn. In seconds."""

    seconds: int
    increment: int = 0


class MatchBody(Body):
    spec: Text
    seats: Annotated[list[SeatBody], Field(min_length=1, max_length=4)]
    lot: bool = False  # who sits where is drawn
    clock: ClockBody | None = None
    leaver: Literal["computer", "passed"] = "computer"
    pair: bool = False
    start: Annotated[str, Field(max_length=4096)] = ""


class NewSeat(Struct, frozen=True):
    seat: int
    key: str | None  # with which a script may act for it
    invitation: Link | None


class NewMatchView(Struct, frozen=True):
    id: str
    seats: list[NewSeat]


class Frame(Struct, frozen=True):
    """One ply of a match, to be drawn."""

    view: BoardView
    last: list[str]
    prompt: str
    text: str
    seat: int | None


class ActionBody(Body):
    seat: SeatNumber
    ply: Ply
    action: Text = ""
    path: Clicks = Field([])
    id: Id = ""


class CommandBody(Body):
    seat: SeatNumber
    what: CommandName
    id: Id = ""
    offer: OfferKind = "draw"
    yes: bool = False
    phrase: Phrase = 0
    against: SeatNumber = 0


# -- Making a match -------------------------------------------------------------


def setup_of(body: MatchBody) -> Setup:
    game = games.load(body.spec)
    named = {part.partition("=")[0] for part in body.spec.partition(":")[2].split(",")}
    spec = game.spec if body.start else with_lots(game, named)  # in a position lots are drawn
    seats = tuple(Seat(KINDS[s.who], tidy(s.name), s.level) for s in body.seats)
    clock = Clock(**dict(body.clock)) if body.clock else None
    return Setup(spec, seats, clock, body.leaver, body.pair, body.start)


@router.post(
    "/matches",
    status_code=201,
    responses=gives(NewMatchView, "full", status=201),
)
async def make(request: Request, body: MatchBody) -> Response:
    """A new match. Keys are for scripts; a browser's device holds its seats by its cookie."""
    server = server_of(request)
    if body.lot:
        body = body.model_copy(update={"seats": shuffled(body.seats)})
    await server.library.ready(body.spec)
    setup, response = setup_of(body), answer(None, 201)
    device, key = identify_device(request, response), new_secret()
    mine = [n for n, seat in enumerate(setup.seats) if seat.kind == PERSON]
    tokens = {n: new_secret() for n, seat in enumerate(setup.seats) if seat.kind == OPEN}
    new = new_match(
        setup,
        device,
        server.time.calendar(),
        keys={n: hash_secret(key) for n in mine},
        holders={n: frozenset([device]) for n in mine if device},
        invitations={hash_secret(token): n for n, token in tokens.items()},
    )
    await server.create(setup, new, Visitor(address_of(request.scope), device))
    seats = [
        NewSeat(n, key if n in mine else None, link(request, tokens[n]) if n in tokens else None)
        for n in range(len(setup.seats))
    ]
    return with_body(response, NewMatchView(new.id, seats))


def shuffled(seats: list[SeatBody]) -> list[SeatBody]:
    return secrets.SystemRandom().sample(seats, len(seats))


def with_body(response: Response, content: object) -> Response:
    """The same answer (with its cookie), now that we know what to say."""
    full = answer(content, response.status_code)
    cookies = [header for header in response.raw_headers if header[0] == b"set-cookie"]
    full.raw_headers.extend(cookies)
    return full


# -- One match ------------------------------------------------------------------


@router.get("/matches/{id}", responses=gives(Snapshot, "missing"))
async def show(request: Request, id: str, views: str = "") -> Response:
    """What is so, as the socket tells it; `views=no` without what is to be drawn."""
    table = await table_for(request, id)
    audience = Audience(current(), seats_for(request, table), views != "no")
    return answer(snapshot(table, audience))


@router.post(
    "/matches/{id}/actions",
    responses=gives(Ack | More, "missing", "seat", "stale", "turn", "illegal", "over"),
)
async def act(request: Request, id: str, body: ActionBody) -> Response:
    """Play an action. Answered when it is on disk; a repeated id is not played twice."""
    table, message = await table_for(request, id), PlayAction(id, **dict(body))
    return answer(await dispatch.act(table, who_is(request.headers), message))


@router.post(
    "/matches/{id}/commands",
    responses=gives(Ack | Hint, "missing", "seat", "stale", "over", "not_now"),
)
async def command(request: Request, id: str, body: CommandBody) -> Response:
    """Take back, resign, offer, answer, abort, claim, rematch, hint, say."""
    table, message = await table_for(request, id), Demand(id, **dict(body))
    who, visitor = who_is(request.headers), visitor_of(request.scope, request.headers)
    ask = dispatch.hint if message.what == "hint" else dispatch.demand
    return answer(await ask(table, who, message, visitor))


@router.get("/matches/{id}/frames", responses=gives(list[Frame], "missing"))
async def frames(request: Request, id: str) -> Response:
    """Every ply from the start on, to be drawn."""
    return answer(frames_of(await table_for(request, id)))


def frames_of(table: Table) -> list[Frame]:
    match = table.match
    start, *positions = match.positions_by_ply
    frames = [Frame(start.view, [], start.prompt, "", None)]
    for entry, position in zip(match.entries, positions, strict=True):
        last = last_spots(match, entry.ply)
        frames.append(Frame(position.view, last, position.prompt, entry.text, entry.seat))
    if match.result or match.reason:
        frames[-1] = replace(frames[-1], prompt=outcome_text(match))
    return frames


@router.delete("/matches/{id}", responses=gives(dict[str, bool], "missing", "seat"))
async def remove(request: Request, id: str) -> Response:
    """Delete my match; if others sit in it too, only my hold of it."""
    table = await table_for(request, id)
    who = who_is(request.headers)
    if not table.seating.seats_of(who) and table.owner not in who:
        raise Problem("seat", _("this is not your match"))
    await server_of(request).remove(table, next(iter(who)))
    return answer({"removed": True})
