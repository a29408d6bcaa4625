"""Records and pictures of matches; and matches made of records."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from msgspec import Struct
from pydantic import Field

from roundel import picture
from roundel.core.lang import _
from roundel.core.style import THEMES
from roundel.play.recording import record_of_match
from roundel.record import Record, files
from roundel.web.computer.levels import level_name
from roundel.web.http.rest.bodies import Body, StrictRoute
from roundel.web.http.rest.common import answer, gives, server_of, table_for
from roundel.web.http.rest.matches import with_body
from roundel.web.requests.devices import identify_device
from roundel.web.requests.problems import Problem
from roundel.web.requests.visitors import Visitor, address_of, visitor_of
from roundel.web.store.interface import Change, Finish, Row, read_setup
from roundel.web.tables.archive import date_of
from roundel.web.tables.new_match import new_match
from roundel.web.tables.table import Table

router = APIRouter(tags=["records"], route_class=StrictRoute)
TEXT, JSON = "text", "json"
ENDINGS = {TEXT: "record"}
WIDTH = 900  # pixels of a PNG


class Upload(Body):
    text: Annotated[str, Field(max_length=1 << 20)]


class Uploaded(Struct, frozen=True):
    id: str


# -- Out ------------------------------------------------------------------------


def record_of(table: Table) -> Record:
    names = [seat.name or level_name(seat.level) for seat in table.match.seats]
    return record_of_match(table.match, names, date_of(table.created))


@router.get("/matches/{id}/record", responses=gives(str, "missing", media="text/plain"))
async def record(request: Request, id: str, format: str = TEXT) -> Response:
    """As text, as JSON, or as another site writes it."""
    table = await table_for(request, id)
    kind = ENDINGS.get(format, format)
    content = "".join(files.writer(kind)([record_of(table)]))
    media = "application/json" if kind == files.JSON else "text/plain; charset=utf-8"
    name = f"{table.game.name}-{id}.{kind}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, headers=headers, media_type=media)


@router.get("/matches/{id}/picture.{kind}", responses=gives(str, "missing", media="image/png"))
async def drawing(
    request: Request,
    id: str,
    kind: Literal["svg", "png"],
    ply: Annotated[int | None, Query(ge=0)] = None,
    theme: str = THEMES[0],
) -> Response:
    """The position as it stands, or behind a ply."""
    match = (await table_for(request, id)).match
    ply = match.ply if ply is None else ply
    if ply > match.ply:
        wrong = _("the match has {actions} moves, not {ply}")
        raise Problem("invalid", wrong.format(actions=match.ply, ply=ply))
    before = match.around(ply)[0] if ply else None
    svg = picture.svg(match.positions_by_ply[ply], theme=theme, before=before)
    if kind == "svg":
        return Response(svg, media_type="image/svg+xml")
    visitor = visitor_of(request.scope, request.headers)
    pixels = await server_of(request).workshop.draw(svg, WIDTH, visitor)
    return Response(pixels, media_type="image/png")


# -- In -------------------------------------------------------------------------


@router.post(
    "/records",
    status_code=201,
    responses=gives(Uploaded, "size", "full", status=201),
)
async def upload(request: Request, sent: Upload) -> Response:
    """A record becomes a finished match that can be replayed."""
    server, response = server_of(request), answer(None, 201)
    uploaded = await server.workshop.read(sent.text, visitor_of(request.scope, request.headers))
    device = identify_device(request, response)
    await server.quota.take(Visitor(address_of(request.scope), device))
    setup, now = read_setup(uploaded.setup), server.time.calendar()
    new = new_match(setup, device, now)
    rows = [Row(new.id, seq, -1, "", 0.0, event) for seq, event in enumerate(uploaded.events, 1)]
    finish = Finish(now, uploaded.result)
    await server.store.write(Change(new.id, rows, finish, new=new))
    return with_body(response, Uploaded(new.id))
