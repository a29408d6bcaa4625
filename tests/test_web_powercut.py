"""The power fails at any moment: whatever was acknowledged is there when the server is back."""

import random
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from roundel import games
from roundel.web.store import opening
from tests.disk import Disk, watched
from tests.ledger import Ledger
from tests.powercut import after_cut, cuts, rebuild
from tests.web import ME, SAME, House, at_table, made

CUTS = 50
ROUNDS = 8  # actions in each match, one by one and then all at once
CLOCK = {"seconds": 60, "increment": 0}
SMALL = "PRAGMA wal_autocheckpoint = 40"  # pages, so that some cuts fall into a checkpoint


@pytest.fixture(autouse=True)
def small_log(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = opening.configure

    def prepared(connection: Any, record: object) -> None:
        prepare(connection, record)
        connection.execute(SMALL)

    monkeypatch.setattr(opening, "configure", prepared)


def evening(disk: Disk) -> Ledger:
    """A server from its first start to its end: matches of different games, side by side."""
    house, ledger = House(disk.folder), Ledger(disk)
    with house.opened() as client, ExitStack() as sockets:
        tables = []
        for name in games.ours():
            played = ledger.made(made(client, ME, SAME, spec=name, clock=CLOCK)["id"])
            tables.append((played, sockets.enter_context(at_table(client, played.id))))
        for played, seated in tables * ROUNDS:
            assert ledger.act(played, seated)
        for _round in range(ROUNDS):  # and all at once, in one commit
            for played, seated in tables:
                ledger.send(played, seated)
            for played, seated in tables:
                assert ledger.hear(played, seated)
    return ledger


def look_after_cuts(ledger: Ledger, folder: Path, first: int, last: int) -> None:
    log, rng = ledger.disk.log, random.Random(1)
    for number, cut in enumerate(cuts(first, last, CUTS, rng)):
        rebuild(folder / str(number), after_cut(log, cut, rng))
        ledger.check(folder / str(number), cut)


def look_at_matches(ledger: Ledger, folder: Path) -> None:
    """After cuts since there was something to lose."""
    look_after_cuts(ledger, folder, ledger.matches[0].at, len(ledger.disk.log))


def test_a_power_cut_costs_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    with watched(tmp_path) as disk:
        ledger = evening(disk)
    kinds = Counter((operation.kind, operation.file) for operation in disk.log)
    assert kinds["sync", opening.FILE] > 3, "cuts should also fall between checkpoints"
    look_at_matches(ledger, tmp_path / "after")


def test_a_power_cut_while_the_store_is_made_leaves_one_that_opens(tmp_path: Path) -> None:
    with watched(tmp_path) as disk, House(tmp_path).opened():
        ledger = Ledger(disk)
    look_after_cuts(ledger, tmp_path / "after", 0, len(disk.log))


# -- The check itself -------------------------------------------------------------------


def test_a_store_that_does_not_wait_for_the_disk_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = opening.configure

    def careless(connection: Any, record: object) -> None:
        prepare(connection, record)
        connection.execute("PRAGMA synchronous = NORMAL")

    monkeypatch.setattr(opening, "configure", careless)
    with watched(tmp_path) as disk:
        ledger = evening(disk)
    with pytest.raises(AssertionError, match="lost"):
        look_at_matches(ledger, tmp_path / "after")


def test_a_disk_that_does_not_do_its_syncs_is_found_out(tmp_path: Path) -> None:
    with watched(tmp_path) as disk:
        ledger = evening(disk)
    lies = {"sync": "failed sync"}
    disk.log = [done._replace(kind=lies.get(done.kind, done.kind)) for done in disk.log]
    with pytest.raises((AssertionError, opening.CannotStore)):
        look_at_matches(ledger, tmp_path / "after")


def test_an_action_that_was_never_sent_is_found_out(tmp_path: Path) -> None:
    with watched(tmp_path) as disk:
        ledger = evening(disk)
    del ledger.matches[0].actions[-1]
    with pytest.raises(AssertionError, match="sent"):
        ledger.check(tmp_path)
