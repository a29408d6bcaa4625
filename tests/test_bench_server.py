"""The bare server is what ours is measured beside: to the load it must be the same."""

import asyncio
import sqlite3
from collections.abc import Iterator

import pytest
from bench.server import ROWS, SIDES, Limit, Scale, message_size
from scripts.load.addresses import client_at, loopback
from scripts.load.rows import serving
from scripts.load.scores import some_score
from scripts.load.server import ServerProcess, many_files
from scripts.load.tables import PlayedTable, ServerMessage

from roundel.web.store.opening import FILE

ACTIONS = 12
SMALL = Scale(tables=8, sockets=16, idle_sockets=32, seconds=1.0)


@pytest.fixture(params=SIDES)
def server(request: pytest.FixtureRequest) -> Iterator[ServerProcess]:
    with serving(kind=SIDES[request.param]) as server:
        yield server


async def play(server: ServerProcess, is_script: bool) -> tuple[PlayedTable, list[ServerMessage]]:
    table = PlayedTable(server.url, some_score(0), is_script)
    async with client_at(loopback(0)) as http:
        await table.make(http)
    await table.join()
    replies = [await table.act() for _action in range(ACTIONS)]
    await table.leave()
    return table, replies


def stored(server: ServerProcess, match: str) -> list[tuple[int, int, str, int]]:
    with sqlite3.connect(server.folder / FILE) as store:
        rows = "SELECT seq, seat, id, length(body) FROM events WHERE match = ? ORDER BY seq"
        return store.execute(rows, [match]).fetchall()


@pytest.mark.parametrize("is_script", [True, False])
def test_every_action_is_stored_and_told(server: ServerProcess, is_script: bool) -> None:
    table, replies = asyncio.run(play(server, is_script))
    assert [(reply.t, reply.id) for reply in replies] == [
        ("event", str(ply)) for ply in range(ACTIONS)
    ]
    rows = stored(server, table.id)[-ACTIONS:]  # ours has stored before that who sat down
    assert [(row[1], row[2]) for row in rows] == [
        (seat, str(ply)) for ply, (seat, _text) in enumerate(table.score.steps[:ACTIONS])
    ]
    assert len({row[0] for row in rows}) == ACTIONS


def test_rows_and_messages_are_as_long() -> None:
    rows, messages = {}, {}
    for side, kind in SIDES.items():
        with serving(kind=kind) as server:
            table, _replies = asyncio.run(play(server, is_script=False))
            rows[side] = [row[3] for row in stored(server, table.id)[-ACTIONS:]]
            messages[side] = [message_size(server, is_script) for is_script in (False, True)]
    assert sum(rows["limit"]) == pytest.approx(sum(rows["ours"]), rel=0.2)
    expected = [Limit.sizes.board, Limit.sizes.script]
    assert messages["limit"] == pytest.approx(expected, rel=0.05)
    assert messages["ours"] == pytest.approx(expected, rel=0.2)


@pytest.mark.parametrize("name", ROWS)
def test_a_row_can_be_measured(name: str) -> None:
    many_files()
    assert all(value > 0 for value in ROWS[name](Limit, SMALL).values())
