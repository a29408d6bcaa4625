"""What is kept and for how long: visits are noted, and what nobody opens goes into files."""

import asyncio
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from roundel.cli.main import main
from roundel.play.commands import Act
from roundel.web.store import sqlite, writer
from roundel.web.store.damage import rescue
from roundel.web.store.interface import StoreBusy
from roundel.web.store.opening import open_database
from roundel.web.store.schema import archived, matches
from roundel.web.store.sqlite import SqliteStore
from roundel.web.tables import archive
from roundel.web.tables.archive import date_of
from roundel.web.tables.timing import DAY
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


async def busy(*_arguments: object) -> None:
    raise StoreBusy("busy")


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

    with monkeypatch.context() as patch:
        patch.setattr(house.server.store, "note_opened", busy)
        assert house.client.get(f"/api/matches/{match}").status_code == 200
        assert opened(house, match) == house.calendar.at - DAY
    assert house.client.get(f"/api/matches/{match}").status_code == 200
    assert opened(house, match) == house.calendar.at


# -- The archive ----------------------------------------------------------------


def sweep(house: House) -> None:
    call(house, house.server.archive.sweep)


def put_down(house: House) -> None:
    """No match is live any more."""
    for table in tuple(house.server.tables.values()):
        call(house, house.server.close_table, table)


def files(house: House) -> list[Path]:
    return sorted((house.folder / "archive").glob("*"))


def played(client: Any, plies: int = 3, **more: Any) -> str:
    """A match with so many actions, by Anna and Ben."""
    seats = {**ME, "name": "Anna"}, {**SAME, "name": "Ben"}
    match: str = made(client, *seats, **more)["id"]
    with at_table(client, match) as me:
        for _ply in range(plies):
            me.act(me.now["turn"])
    return match


def test_what_nobody_opens_becomes_a_record(house: House, manifest: Any) -> None:
    match = played(house.client, spec=manifest.name)
    house.client.post(f"/api/matches/{match}/commands", json={"seat": 0, "what": "resign"})
    before = house.client.get(f"/api/matches/{match}/record").text
    put_down(house)
    house.calendar.at += 365 * DAY
    sweep(house)
    assert files(house) == []  # the year is not over
    house.calendar.at += 1
    sweep(house)
    (file,) = files(house)
    assert file.name == f"2023-11-14-{manifest.name}-{match}.record"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    text = file.read_text(encoding="utf-8")
    assert text == before.replace("Anna", "").replace("Ben", "")
    assert main(["record", "check", str(file)]) == 0
    again = house.client.post("/api/records", json={"text": text}).json()["id"]
    after = house.client.get(f"/api/matches/{again}").json()["now"]
    assert (after["ply"], after["result"], after["reason"]) == (3, "p2win", "resigned")
    uploaded = house.client.get(f"/api/matches/{again}/record").text
    assert text.replace("2023-11-14", date_of(house.calendar.at)) == uploaded


def test_whoever_comes_to_an_archived_match_is_told(house: House) -> None:
    match, never = played(house.client), made(house.client, ME, SAME)["id"]
    put_down(house)
    house.calendar.at += 366 * DAY
    sweep(house)
    for id, reason in ((match, f"match {match!r} was archived"), (never, "there is no match")):
        answer = house.client.get(f"/api/matches/{id}")
        assert (answer.status_code, answer.json()["code"]) == (404, "missing")
        assert answer.json()["reason"].startswith(reason)
    assert len(files(house)) == 1  # where nothing was played there is nothing to keep
    assert house.client.get("/api/mine").json() == []
    sweep(house)
    assert len(files(house)) == 1


def test_what_is_live_or_was_opened_stays(house: House) -> None:
    live, visited, clocked = (played(house.client, clock=clock) for clock in (None, None, CLOCK))
    put_down(house)
    house.calendar.at += 366 * DAY
    house.client.get(f"/api/matches/{visited}")
    put_down(house)
    call(house, house.server.live_table, live)
    sweep(house)
    assert files(house) == []
    for id in (live, visited, clocked):
        assert house.client.get(f"/api/matches/{id}").status_code == 200


def test_who_came_and_left_again_since_the_list_was_made(house: House) -> None:
    match = played(house.client)
    house.calendar.at += 366 * DAY
    house.client.get(f"/api/matches/{match}")
    put_down(house)
    assert opened(house, match) == house.calendar.at
    call(house, house.server.archive.put_away, match, house.calendar.at - DAY)
    assert files(house) == []
    call(house, house.server.archive.put_away, match, house.calendar.at + 1)
    assert len(files(house)) == 1


def test_nothing_is_archived_by_a_server_that_keeps_everything(tmp_path: Path) -> None:
    house = House(tmp_path, archive=0.0)
    with house.opened() as client:
        played(client)
        put_down(house)
        house.calendar.at += 10_000 * DAY
        sweep(house)
        assert files(house) == []


def test_more_than_a_portion_is_archived(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "PORTION", 2)
    monkeypatch.setattr(archive, "PAUSE", 0.0)
    ids = [played(house.client, 1) for _match in range(5)]
    call(house, house.server.live_table, ids[0])  # those that stay do not hide the others
    for id in ids[2:]:
        call(house, house.server.close_table, house.server.tables[id])
    house.calendar.at += 366 * DAY
    sweep(house)
    assert len(files(house)) == 3


def test_a_damaged_match_is_not_archived(house: House) -> None:
    match = played(house.client)
    put_down(house)
    spoilt = update(matches).where(matches.c.id == match).values(setup="")
    call(house, store_of(house).execute, spoilt)
    house.calendar.at += 366 * DAY
    sweep(house)
    assert files(house) == []
    assert house.client.get(f"/api/matches/{match}").json()["code"] == "damaged"


@pytest.mark.parametrize("error", [OSError("no space left"), StoreBusy("busy")])
def test_a_match_that_cannot_be_archived_stays(
    house: House, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    match = played(house.client)
    put_down(house)
    house.calendar.at += 366 * DAY

    def fail(*_arguments: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        if isinstance(error, OSError):
            patch.setattr(os, "fsync", fail)
        else:
            patch.setattr(sqlite, "archive_match", fail)
            patch.setattr(writer, "may_pass", lambda error: True)
        sweep(house)
        assert [file for file in files(house) if file.suffix == ".record"] == []
    assert store_of(house).writer.thread.is_alive()
    sweep(house)
    assert len(files(house)) == 1
    assert house.client.get(f"/api/matches/{match}").status_code == 404


def test_a_crash_before_the_match_is_removed_doubles_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(house.client)
    put_down(house)
    house.calendar.at += 366 * DAY

    async def crash(*_arguments: object) -> None:
        raise RuntimeError("a crash")

    with monkeypatch.context() as patch:
        patch.setattr(house.server.store, "archive", crash)
        sweep(house)
    (file,) = files(house)
    written = file.read_bytes()
    sweep(house)
    assert files(house) == [file]
    assert file.read_bytes() == written


@pytest.mark.parametrize("is_noted", [True, False])
def test_a_match_is_live_or_archived_whoever_is_first(
    house: House, monkeypatch: pytest.MonkeyPatch, is_noted: bool
) -> None:
    """Somebody comes while the record is written: they find the match, and there is no record."""
    if not is_noted:
        monkeypatch.setattr(house.server.store, "note_opened", busy)
    match, write = played(house.client), archive.write_record
    put_down(house)
    house.calendar.at += 366 * DAY

    def come(*arguments: Any) -> None:
        write(*arguments)
        call(house, house.server.table, match)

    monkeypatch.setattr(archive, "write_record", come)
    sweep(house)
    assert files(house) == []
    assert (opened(house, match) == house.calendar.at) is is_noted
    with at_table(house.client, match) as me:
        assert me.act(me.now["turn"], "more")["t"] == "event"


def test_who_comes_while_a_match_is_removed_waits_for_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, remove = played(house.client), store_of(house).archive
    put_down(house)
    house.calendar.at += 366 * DAY
    coming: list[asyncio.Task[Any]] = []

    async def come(*arguments: Any) -> None:
        coming.append(asyncio.create_task(house.server.table(match)))
        await asyncio.sleep(0)
        await remove(*arguments)

    monkeypatch.setattr(store_of(house), "archive", come)
    sweep(house)
    assert len(files(house)) == 1
    assert match not in house.server.tables

    async def reason() -> str:
        (error,) = await asyncio.gather(*coming, return_exceptions=True)
        return str(error)

    assert "archived" in call(house, reason)


def test_what_was_played_meanwhile_is_not_removed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if nobody could note that they came, and the table was put away again."""
    match, write = played(house.client), archive.write_record
    put_down(house)
    house.calendar.at += 366 * DAY

    async def play() -> None:
        table = await house.server.table(match)
        position = table.match.position
        text = position.write(position.legal()[0])
        await table.perform(Act(table.match.turn or 0, table.match.ply, text, "more"))
        house.server.close_table(table)

    def come(*arguments: Any) -> None:
        write(*arguments)
        call(house, play)

    monkeypatch.setattr(house.server.store, "note_opened", busy)
    monkeypatch.setattr(archive, "write_record", come)
    sweep(house)
    assert files(house) == []
    assert house.client.get(f"/api/matches/{match}").json()["now"]["ply"] == 4


def test_who_comes_is_told_also_after_the_file_was_damaged(house: House, tmp_path: Path) -> None:
    match = played(house.client)
    put_down(house)
    house.calendar.at += 366 * DAY
    sweep(house)
    rescued = open_database(tmp_path / "rescued")
    with store_of(house).engine.connect() as old, rescued.connect() as new:
        rescue(old, new)
        assert list(new.scalars(select(archived.c.match))) == [match]
    rescued.dispose()
