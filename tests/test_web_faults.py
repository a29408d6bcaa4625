"""Parts of a server fail, and it goes on: nothing is lost, and no clock pays for it."""

import asyncio
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from roundel import games
from roundel.web.http import health
from roundel.web.store import sqlite, writer
from roundel.web.store.interface import Change, StoreBusy
from roundel.web.store.opening import FILE
from roundel.web.store.sqlite import SqliteStore
from roundel.web.tables import library, supervision, table, upkeep
from roundel.web.tables.server_state import ServerState
from tests.web import COMPUTER, ME, SAME, House, at_table, first, house, made

__all__ = ["house"]
CLOCK = {"seconds": 60, "increment": 0}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed is tried again at once."""
    monkeypatch.setattr(supervision, "AGAIN", 0.0)
    monkeypatch.setattr(upkeep, "WATCH_PERIOD", 0.01)


def store_of(house: House) -> SqliteStore:
    store = house.server.store
    assert isinstance(store, SqliteStore)
    return store


def on_writer(house: House, work: Callable[[Connection], None]) -> None:
    """Done by the thread that writes, with its connection."""

    async def write() -> None:
        await store_of(house).writer.write(work)

    assert house.client.portal
    house.client.portal.call(write)


def driver_of(house: House) -> sqlite3.Connection:
    """The connection that writes; SQLite lets other threads use it as well."""
    found: list[Any] = []
    on_writer(house, lambda c: found.append(c.connection.driver_connection))
    driver = found[0]
    assert isinstance(driver, sqlite3.Connection)
    return driver


# -- A disk that fails --------------------------------------------------------------


@contextmanager
def locked(house: House) -> Iterator[None]:
    """Somebody else writes, and does not end."""
    other = sqlite3.connect(house.folder / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.close()


@contextmanager
def full(house: House) -> Iterator[None]:
    driver = driver_of(house)
    (usual,) = driver.execute("PRAGMA max_page_count").fetchone()
    on_writer(house, fill)
    yield
    driver.execute(f"PRAGMA max_page_count = {usual}")


def fill(connection: Connection) -> None:
    """Not a page more, and none that is half empty."""
    (pages,) = connection.exec_driver_sql("PRAGMA page_count").one()
    connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")


@contextmanager
def read_only(house: House) -> Iterator[None]:
    driver = driver_of(house)
    driver.execute("PRAGMA query_only = ON")
    yield
    driver.execute("PRAGMA query_only = OFF")


@contextmanager
def slow(house: House) -> Iterator[None]:
    """A commit that takes long, but succeeds."""
    on_writer(house, lambda connection: patience(connection, 60_000))
    with locked(house):
        yield
    on_writer(house, lambda connection: patience(connection, writer.LOCKED))


def patience(connection: Connection, milliseconds: int) -> None:
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {milliseconds}")


@pytest.mark.parametrize("fault", [locked, read_only, slow])
def test_while_nothing_can_be_saved_clocks_stand_still_and_people_are_told(
    house: House, fault: Callable[[House], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "SLOW", 0.1)
    match = made(house.client, ME, SAME, clock=CLOCK)["id"]
    with at_table(house.client, match) as me:
        me.act(0)
        house.hands.at += 5
        with fault(house):
            wish = {"seat": 1, "ply": 1, "action": first(me.now["paths"]), "id": "late"}
            me.say(t="act", **wish)
            answers = {"paused"} if fault is slow else {"paused", "refused"}
            told = [me.hear("paused", "refused", "event", "ack") for _answer in answers]
            assert {message["t"] for message in told} == answers
            assert all(message["reason"] for message in told)
            house.hands.at += 1000
            with at_table(house.browser(), match) as other:
                assert other.now["clocks"] == [60_000, 55_000]
                assert other.hear("paused")["reason"]
            health = house.client.get("/health")
            assert (health.status_code, health.json()["status"]) == (503, "failing")
            assert "saved: " in health.json()["wrong"][0]
        if fault is slow:
            heard = [me.hear("paused", "event") for _message in range(2)]
            assert {message["t"] for message in heard} == {"paused", "event"}
        else:
            assert me.hear("paused")["reason"] == ""
            me.say(t="act", **wish)
            assert me.hear("event", "refused")["id"] == "late"
        house.hands.at += 3
        me.say(t="sync")
        assert me.hear("snapshot")["now"]["clocks"] == [57_000, 55_000]
    assert house.client.get("/health").status_code == 200


def test_a_full_disk_takes_what_still_fits_and_refuses_the_rest(house: House) -> None:
    """Matches go on as soon as there is room; what was acknowledged is there."""
    with full(house):
        for _attempt in range(1000):
            wish = {"spec": games.ours()[0], "seats": [{**ME, "name": "A" * 40}, SAME]}
            answer = house.client.post("/api/matches", json=wish)
            if answer.status_code != 201:
                break
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    made(house.client, ME, SAME)
    assert len(house.client.get("/api/mine").json()) == _attempt + 1


# -- Parts that die -----------------------------------------------------------------


def restarts(house: House, part: str) -> float:
    found = re.search(
        rf'restarts_total{{part="{part}"}} (.*)', house.server.metrics.text().decode()
    )
    return float(found[1]) if found else 0


def test_a_thread_that_writes_and_dies_is_replaced(house: House) -> None:
    def die(connection: Connection) -> None:
        raise SystemExit("the end")

    with pytest.raises(RuntimeError, match="the end"):
        on_writer(house, die)
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.client, match) as me:
        assert me.act(0)["t"] == "ack"
    assert restarts(house, "writer") == 1
    assert house.client.get("/health").status_code == 200


def test_the_heartbeat_goes_on_after_an_error(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, beats = store_of(house), list[float]()
    beat = store.beat

    async def fail_at_first(at: float) -> None:
        beats.append(at)
        if len(beats) == 1:
            raise OSError("the disk has gone")
        await beat(at)

    monkeypatch.setattr(store, "beat", fail_at_first)
    while len(beats) < 3:
        pass
    assert restarts(house, "beat") == 1


@pytest.mark.parametrize("what", ["setup", "event"])
def test_one_match_that_cannot_be_read_stops_no_other_clock(tmp_path: Path, what: str) -> None:
    house = House(tmp_path)
    with house.opened() as client:
        ids = [made(client, ME, SAME, clock=CLOCK)["id"] for _match in range(3)]
        for id in ids:
            with at_table(client, id) as me:
                me.act(0)
        statement = {
            "setup": "UPDATE matches SET setup = '?' WHERE id = :id",
            "event": "UPDATE events SET body = '?' WHERE match = :id",
        }
        broken = text(statement[what])

        def spoil(connection: Connection) -> None:
            connection.execute(broken, {"id": min(ids)})

        on_writer(house, spoil)
    later = House(tmp_path)
    with later.opened() as client:
        while not set(ids[1:]) <= later.server.tables.keys() | {min(ids)}:
            pass
        assert len(later.server.tables) == 2
        assert all(table.timer for table in later.server.tables.values())
        assert later.server.time.since is not None
        assert client.get(f"/api/matches/{min(ids)}").json()["code"] == "damaged"


def test_time_does_not_wait_for_thousands_of_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path)
    with house.opened() as client:
        made(client, ME, SAME, clock=CLOCK)
    later, never = House(tmp_path), asyncio.Event()

    async def load(server: ServerState, id: str) -> Any:
        await never.wait()

    monkeypatch.setattr(ServerState, "load", load)
    with later.opened():
        while later.server.time.since is None:
            pass


def test_a_game_that_could_not_be_loaded_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str) -> None:
        raise OSError("no room for compiled code")

    monkeypatch.setattr(library, "prepare", fail)
    house = House(tmp_path)
    with house.opened() as client:
        wish = {"spec": games.ours()[0], "seats": [ME, SAME]}
        with pytest.raises(OSError, match="no room"):  # a person would get an answer that says 500
            client.post("/api/matches", json=wish)
        monkeypatch.undo()
        assert client.post("/api/matches", json=wish).status_code == 201


def test_the_computer_is_asked_again_after_an_error(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose, asked = house.computers.choose, list[int]()

    async def fail_at_first(*question: Any) -> Any:
        asked.append(1)
        if len(asked) == 1:
            raise OSError("nobody knows why")
        return await choose(*question)

    monkeypatch.setattr(house.computers, "choose", fail_at_first)
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match) as me:
        me.act(0)
        while me.now["ply"] < 2:
            me.hear("event")
    assert restarts(house, "computer") == 1


def test_a_flag_falls_also_if_the_store_is_busy_at_that_moment(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "AGAIN", 0.0)
    match = made(house.client, ME, SAME, clock=CLOCK)["id"]
    with at_table(house.client, match) as me:
        me.act(0)
        live, write = house.server.tables[match], house.server.store.write

        async def busy_at_first(change: Change) -> None:
            monkeypatch.setattr(house.server.store, "write", write)
            raise StoreBusy("too much")

        monkeypatch.setattr(house.server.store, "write", busy_at_first)
        house.hands.at += 61
        assert house.client.portal
        house.client.portal.call(live.check_clock)
        assert me.hear("event")["event"]["kind"] == "flagged"


def test_a_clock_goes_on_if_its_table_is_read_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = made(house.client, ME, SAME, clock=CLOCK)["id"]
    with at_table(house.client, match) as me:
        me.act(0)
        action = first(me.now["paths"])
    lost, write = house.server.tables[match], house.server.store.write

    async def fail(change: Change) -> None:
        monkeypatch.setattr(house.server.store, "write", write)
        raise OSError("nobody knows what is on disk")

    monkeypatch.setattr(house.server.store, "write", fail)
    wish = {"seat": 1, "ply": 1, "action": action}
    with pytest.raises(OSError, match="nobody knows"):
        house.client.post(f"/api/matches/{match}/actions", json=wish)
    while house.server.tables.get(match) in (None, lost):
        pass
    assert house.server.tables[match].timer


def test_a_clock_waits_for_a_disk_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "AGAIN", 0.0)
    with House(tmp_path).opened() as client:
        match = made(client, ME, SAME, clock=CLOCK)["id"]
        with at_table(client, match) as me:
            me.act(0)
    later, failures = House(tmp_path), [OSError("the disk has gone")] * 2
    found = sqlite.load_match

    def fail_at_first(connection: Connection, id: str) -> Any:
        if failures:
            raise OperationalError("", {}, failures.pop())
        return found(connection, id)

    monkeypatch.setattr(sqlite, "load_match", fail_at_first)
    with later.opened():
        while match not in later.server.tables:
            pass


def test_a_server_that_saves_nothing_is_not_healthy(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "LATELY", -1.0)
    answer = house.client.get("/health")
    assert answer.status_code == 503
    assert "nothing was saved in the last" in answer.json()["wrong"][0]
