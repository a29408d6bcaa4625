"""The disk fails below SQLite: at any operation, once or for a while, or it is slow."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from roundel.core.errors import RoundelError
from roundel.web.store import writer
from roundel.web.tables import supervision, upkeep
from tests.disk import Disk, watched
from tests.ledger import Ledger, Played
from tests.powercut import after_cut, cuts, rebuild
from tests.web import ME, SAME, House, Seated, at_table, made

CLOCK = {"seconds": 60, "increment": 0}
FAULTS = [
    ("write", sqlite3.SQLITE_IOERR_WRITE),
    ("write", sqlite3.SQLITE_FULL),
    ("write", sqlite3.SQLITE_READONLY),
    ("sync", sqlite3.SQLITE_IOERR_FSYNC),
    ("any", sqlite3.SQLITE_IOERR),
]
kinds = pytest.mark.parametrize(("kind", "code"), FAULTS)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed is tried again at once."""
    monkeypatch.setattr(supervision, "AGAIN", 0.0)
    monkeypatch.setattr(upkeep, "WATCH_PERIOD", 0.01)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with watched(tmp_path / "store") as disk:
        yield disk


@contextmanager
def evening(disk: Disk) -> Iterator[tuple[House, Ledger, Played, Seated]]:
    """A server with one match, at which somebody sits."""
    house, ledger = House(disk.folder), Ledger(disk)
    with house.opened() as client:
        played = ledger.made(made(client, ME, SAME, clock=CLOCK)["id"])
        with at_table(client, played.id) as seated:
            assert ledger.act(played, seated)
            try:
                yield house, ledger, played, seated
            finally:
                disk.answers.set()  # or the server could not stop after a failed assertion


def until(seated: Seated, is_so: Callable[[], bool]) -> None:
    while not is_so():
        seated.next()


def is_told(seated: Seated) -> bool:
    """Whether the last that was heard about it is that nothing can be saved."""
    reasons = [message["reason"] for message in seated.seen if message["t"] == "paused"]
    return bool(reasons and reasons[-1])


def pass_time(house: House, seconds: float) -> None:
    """Clocks begin to run when the games are loaded."""
    while house.server.time.since is None:
        pass
    house.hands.at += seconds


def clocks(seated: Seated) -> list[int]:
    seated.say(t="sync")
    found: list[int] = seated.hear("snapshot")["now"]["clocks"]
    return found


# -- Errors -------------------------------------------------------------------------


@kinds
def test_an_operation_that_fails_costs_nothing(
    disk: Disk, tmp_path: Path, kind: str, code: int
) -> None:
    """Also if the power fails later: a sync that failed may have been in vain."""
    rng = random.Random(code)
    with evening(disk) as (house, ledger, played, seated):
        for _fault in range(12):
            disk.fail(kind, code, after=rng.randrange(12), many=1)
            while not disk.struck.is_set():
                ledger.act(played, seated)
            while not ledger.act(played, seated):
                pass
            assert house.client.get("/health").status_code == 200
    assert len(played.actions) > 12
    ledger.check(disk.folder)
    for number, cut in enumerate(cuts(ledger.matches[0].at, len(disk.log), 10, rng)):
        rebuild(tmp_path / str(number), after_cut(disk.log, cut, rng))
        ledger.check(tmp_path / str(number), cut)


@kinds
def test_while_a_disk_fails_clocks_stand_still_and_people_are_told(
    disk: Disk, kind: str, code: int
) -> None:
    with evening(disk) as (house, ledger, played, seated):
        for after in range(4):
            before = clocks(seated)
            disk.fail(kind, code, after)
            while ledger.act(played, seated):
                pass
            until(seated, lambda: is_told(seated))
            assert house.client.get("/health").status_code == 503
            house.hands.at += 1000
            assert clocks(seated) == before
            disk.repair()
            assert ledger.act(played, seated)
            until(seated, lambda: not is_told(seated))
            assert house.client.get("/health").status_code == 200
            assert clocks(seated) == before
    ledger.check(disk.folder)


@kinds
def test_a_server_that_ends_while_its_disk_fails_has_lost_nothing(
    disk: Disk, kind: str, code: int
) -> None:
    with evening(disk) as (_house, ledger, played, seated):
        disk.fail(kind, code)
        while ledger.act(played, seated):
            pass
    disk.repair()
    ledger.check(disk.folder)


@kinds
def test_a_server_starts_or_says_why_it_cannot(disk: Disk, kind: str, code: int) -> None:
    with evening(disk) as (_house, ledger, _played, _seated):
        pass
    for after in range(6):
        disk.fail(kind, code, after)
        try:
            with House(disk.folder).opened():
                pass
        except RoundelError as error:
            assert str(error)
        disk.repair()
        ledger.check(disk.folder)


def test_what_cannot_be_read_now_can_be_read_later(disk: Disk) -> None:
    """A table that nobody sat at is read from the disk; its clients are told to come again."""
    with evening(disk) as (_house, ledger, played, _seated):
        pass
    for after in range(12):
        house = House(disk.folder)
        with house.opened() as client:
            disk.fail("read", sqlite3.SQLITE_IOERR_READ, after)
            answer = client.get(f"/api/matches/{played.id}")
            assert answer.status_code == 200 or answer.json()["code"] == "busy"
            disk.repair()
            assert client.get(f"/api/matches/{played.id}").json()["now"]["ply"] == 1
    ledger.check(disk.folder)


# -- Slowness -----------------------------------------------------------------------


def test_a_slow_disk_costs_nobody_time(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    with evening(disk) as (house, ledger, played, seated):
        pass_time(house, 5)
        monkeypatch.setattr(writer, "SLOW", 0.1)
        disk.answers.clear()
        ledger.send(played, seated)
        until(seated, lambda: is_told(seated))
        health = house.client.get("/health")
        assert (health.status_code, "does not respond" in health.text) == (503, True)
        house.hands.at += 1000
        disk.answers.set()
        assert ledger.hear(played, seated)
        until(seated, lambda: not is_told(seated))
        assert clocks(seated) == [60_000, 55_000]
    ledger.check(disk.folder)


# -- Clocks that jump ---------------------------------------------------------------

YEAR = 365 * 86_400.0


@pytest.mark.parametrize("jump", [10 * YEAR, -10 * YEAR, -100 * YEAR])
def test_clocks_do_not_care_about_the_calendar(tmp_path: Path, jump: float) -> None:
    """It jumps under a match, and again while the server is down."""
    house, calendar, left = House(tmp_path), [1_700_000_000.0], 60_000
    with house.opened() as client:
        match = made(client, ME, SAME, clock=CLOCK)["id"]
        with at_table(client, match) as seated:
            seated.act(0)
    for way in (1, -1):
        with house.opened() as client, at_table(client, match) as seated:
            house.server.time.calendar = lambda: calendar[0]
            assert clocks(seated) == [60_000, left]
            pass_time(house, 5)
            left -= 5000
            calendar[0] += way * jump
            assert clocks(seated) == [60_000, left]
            assert client.get("/health").status_code == 200
            assert made(client, ME, SAME)["id"] in house.server.tables
