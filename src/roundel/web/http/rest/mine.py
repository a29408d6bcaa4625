"""The matches of this device."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from msgspec import MsgspecError, Struct

from roundel import games
from roundel.core.errors import RoundelError
from roundel.play.setup import Seat
from roundel.web.http.rest.common import answer, gives, server_of
from roundel.web.requests.devices import device_of, drop_cookie
from roundel.web.requests.problems import Problem
from roundel.web.store.interface import Forgotten, ListedMatch, read_setup
from roundel.web.tables.server_state import ServerState

router = APIRouter(tags=["mine"])
LOOKED_AT = 20  # running matches; who has more of them sees whose turn it is in the newest


class MineView(Struct, frozen=True):
    id: str
    spec: str
    game: str
    title: str
    created: float
    finished: float | None
    result: str
    seats: tuple[Seat, ...]
    mine: list[int]
    turn: int | None  # the seat to act


class DeviceView(Struct, frozen=True):
    device: str  # its number, which lets nobody in; empty for one that is not known


class ForgottenView(Struct, frozen=True):
    """How many matches of a device went with it, and how many others still have."""

    deleted: int
    left: int


def view_of(listed: ListedMatch, turn: int | None) -> MineView:
    setup = read_setup(listed.setup)
    name = setup.spec.partition(":")[0]
    title = games.manifest(name).title
    created, finished, result = listed.created, listed.finished, listed.result
    return MineView(
        listed.id,
        setup.spec,
        name,
        title,
        created,
        finished,
        result,
        setup.seats,
        listed.seats,
        turn,
    )


async def can_be_shown(server: ServerState, listed: ListedMatch) -> bool:
    """One match that is damaged, or whose game is gone, hides no other."""
    try:
        await server.library.ready(read_setup(listed.setup).spec)
    except (MsgspecError, RoundelError):
        return False
    return True


async def turn_at(server: ServerState, id: str) -> int | None:
    try:
        return (await server.live_table(id)).match.turn
    except Problem:  # somebody has deleted it just now
        return None


@router.get("/mine", responses=gives(list[MineView]))
async def mine(request: Request) -> Response:
    """The newest first."""
    device, server = device_of(request.headers), server_of(request)
    listed = await server.store.mine(device) if device else []
    listed = [match for match in listed if await can_be_shown(server, match)]
    running = [match.id for match in listed if match.finished is None]
    turns = {id: await turn_at(server, id) for id in running[:LOOKED_AT]}
    return answer([view_of(match, turns.get(match.id)) for match in listed])


@router.get("/mine/device", responses=gives(DeviceView))
async def number(request: Request) -> Response:
    """By which whoever runs the server finds what is kept about this device."""
    return answer(DeviceView(device_of(request.headers)))


@router.delete("/mine", responses=gives(ForgottenView))
async def forget(request: Request) -> Response:
    """Delete everything about this device: matches, its seats and names in others', its cookie."""
    device, server = device_of(request.headers), server_of(request)
    deleted, left = await server.forget(device) if device else Forgotten([], [])
    response = answer(ForgottenView(len(deleted), len(left)))
    drop_cookie(request, response)
    return response
