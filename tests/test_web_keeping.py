"""What is kept and for how long: visits are noted, and what nobody opens goes into files."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from roundel.web.store.interface import StoreBusy
from roundel.web.store.schema import matches
from roundel.web.store.sqlite import SqliteStore
from roundel.web.tables.server_state import DAY
from tests.web import ME, SAME, House, at_table, house, made

__all__ = ["house"]
CLOCK = {"seconds": 60, "increment": 0}


def store_of(house: House) -> SqliteStore:
    store = house.server.store
    assert isinstance(store, SqliteStore)
    return store


def call(house: House, work: Any, *arguments: Any) -> Any:
    """In the server's own loop."""
    assert house.client.portal
    return house.client.portal.call(work, *arguments)


async def settled(house: House) -> None:
    """All that was written so far is on disk."""
    await house.server.store.beat(0.0)


def opened(house: House, match: str) -> float:
    """When somebody last came to a match, as it is stored."""
    call(house, settled, house)
    query = select(matches.c.opened).where(matches.c.id == match)
    found: float = call(house, store_of(house).read, lambda connection: connection.scalar(query))
    return found


def test_a_visit_is_noted_once_a_day(house: House) -> None:
    match, begun = made(house.client, ME, SAME)["id"], house.calendar.at
    for hours, noted in ((23, 0), (24, 24), (47, 24), (48, 48)):
        house.calendar.at = begun + 3600 * hours
        house.client.get(f"/api/matches/{match}")
        assert opened(house, match) == begun + 3600 * noted
    house.calendar.at += DAY
    with at_table(house.browser(), match):
        assert opened(house, match) == house.calendar.at


def test_a_visit_is_noted_also_by_a_table_that_is_read_from_disk(tmp_path: Path) -> None:
    house = House(tmp_path)
    with house.opened() as client:
        match = made(client, ME, SAME)["id"]
    house.calendar.at += 10 * DAY
    with house.opened() as client:
        client.get(f"/api/matches/{match}")
        assert opened(house, match) == house.calendar.at


def test_a_clock_that_goes_on_and_a_list_are_no_visit(tmp_path: Path) -> None:
    house = House(tmp_path)
    with house.opened() as client:
        match, begun = made(client, ME, SAME, clock=CLOCK)["id"], house.calendar.at
        cookies = dict(client.cookies)
    house.calendar.at += 10 * DAY
    with house.opened() as client:
        client.cookies.update(cookies)
        assert [listed["turn"] for listed in client.get("/api/mine").json()] == [0]
        assert match in house.server.tables
        assert opened(house, match) == begun


def test_a_visit_that_cannot_be_noted_is_noted_the_next_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = made(house.client, ME, SAME)["id"]
    house.calendar.at += DAY

    async def busy(*_arguments: object) -> None:
        raise StoreBusy("busy")

    with monkeypatch.context() as patch:
        patch.setattr(house.server.store, "note_opened", busy)
        assert house.client.get(f"/api/matches/{match}").status_code == 200
        assert opened(house, match) == house.calendar.at - DAY
    assert house.client.get(f"/api/matches/{match}").status_code == 200
    assert opened(house, match) == house.calendar.at
