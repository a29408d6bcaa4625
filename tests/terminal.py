"""Drives the table in the terminal as people do: by keys, by typing and by mouse."""

import asyncio
from collections.abc import Awaitable, Callable

from textual.pilot import Pilot
from textual.widgets import Input, Static

from roundel import games
from roundel.cli.table.app import TableApp
from roundel.cli.table.commands import TerminalTable
from roundel.cli.table.opening import TableRequest
from roundel.cli.table.widgets import Board

NAME = games.ours()[0]
SIZES = [(80, 24), (40, 20), (12, 6), (200, 60)]

Drive = Callable[[TableApp, Pilot[None]], Awaitable[None]]


def drive(request: TableRequest, people: Drive, size: tuple[int, int] = (80, 24)) -> TableApp:
    app = TableApp(request)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await people(app, pilot)

    asyncio.run(run())
    return app


def table(app: TableApp) -> TerminalTable:
    assert app.table is not None
    return app.table


def message(app: TableApp) -> str:
    return str(app.screen.query_one("#message", Static).content)


def panel(app: TableApp) -> str:
    return str(app.screen.query_one("#panel", Static).content)


def first_text(name: str) -> str:
    start = games.load(name).start()
    return start.write(start.legal()[0])


async def type_in(pilot: Pilot[None], line: str) -> None:
    await pilot.press(*line, "enter")


async def say(pilot: Pilot[None], line: str) -> None:
    """As if it were typed, but quicker."""
    pilot.app.screen.query_one(Input).value = line
    await pilot.press("enter")


async def point(app: TableApp, pilot: Pilot[None], spot: str) -> None:
    """Go to a spot by Tab, the shorter way round, and choose it."""
    board = app.screen.query_one(Board)
    places = board.drawing.places
    spots = sorted(board.choice.targets, key=lambda s: (places[s].row, places[s].column))
    if board.cursor not in spots:
        await pilot.press("tab")
    ahead = (spots.index(spot) - spots.index(board.cursor)) % len(spots)
    back = len(spots) - ahead
    keys = ["tab"] * ahead if ahead <= back else ["shift+tab"] * back
    await pilot.press(*keys, "enter")
