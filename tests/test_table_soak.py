"""A small version of each row of the table's figures: nothing is timed, everything must work."""

import asyncio
from ipaddress import ip_address
from pathlib import Path

import pytest
from scripts.load.addresses import SEATS, loopback
from scripts.load.crowd import Crowd, CrowdPlan
from scripts.load.rows import ROWS, Measured, Scale
from scripts.load.scores import some_score
from scripts.load.server import ServerProcess, many_files
from scripts.load.tables import PlayedTable, check
from scripts.table_soak import measure, read

SMALL = Scale(
    kills=3,
    restarts=1,
    sockets=20,
    idle_sockets=40,
    busy=16,
    eager=16,
    seconds=1.0,
    long=2.0,
    downtime=0.0,
)
MANY = 120  # tables: for each there are four requests or more
UNTIMED = {"kills", "overload", "memory"}  # whose figures do not depend on the machine


@pytest.mark.parametrize("name", ROWS)
def test_a_row_can_be_measured(name: str) -> None:
    many_files()
    reached = ROWS[name].measure(SMALL, 0)
    assert reached.text
    assert reached.is_enough or name not in UNTIMED, reached.text


@pytest.mark.parametrize(
    ("acknowledged", "stored", "wrong"),
    [
        (2, (0,), "-1 more actions"),
        (1, (0, 0), "played"),
        (0, (0, 1), "2 more actions"),
        (2, (1, 0), "played"),
    ],
)
def test_what_is_lost_or_doubled_is_noticed(
    acknowledged: int, stored: tuple[int, ...], wrong: str
) -> None:
    table = PlayedTable("", some_score(0))
    table.acknowledged = acknowledged
    steps = [(*table.score.steps[step], ply) for ply, step in enumerate(stored)]
    history = [{"seat": seat, "text": text, "ply": ply} for seat, text, ply in steps]
    with pytest.raises(AssertionError, match=wrong):
        check(table, history)


def test_what_is_kept_is_not_measured_again(tmp_path: Path) -> None:
    done = {f"kills {part}": Measured("0 lost", True) for part in range(ROWS["kills"].parts)}
    assert measure("kills", tmp_path / "ledger", done) == list(done.values())
    assert read(tmp_path / "ledger") == {}


def test_every_player_has_an_address() -> None:
    places = range(Scale().idle_sockets // 2)
    found = [loopback(place, seat) for place in places for seat in range(SEATS)]
    assert len(set(found)) == len(found)
    assert all(ip_address(address).is_loopback for address in found)


def test_a_crowd_comes_from_many_addresses(tmp_path: Path) -> None:
    """As many requests from one address would be refused."""
    with ServerProcess(tmp_path) as server:
        tally = asyncio.run(Crowd(CrowdPlan(server.url, MANY, 0.1)).play())
    assert tally.seconds
    assert tally.refused == 0
