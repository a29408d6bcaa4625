"""Junk in the file: it is found at the start, its matches are named, and all others go on."""

import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from roundel.cli.main import main
from roundel.web.store.opening import FILE, repair
from tests.web import ME, SAME, House, at_table, made

MANY, LONG = 40, 12  # matches, and actions in each
JUNK, FIRST = 4, 16  # pages
CLOCK = {"seconds": 60, "increment": 0}


def played(folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """What each match looks like, and the cookies of the device that played them."""
    house = House(folder)
    with house.opened() as client:
        ids = [made(client, ME, SAME, clock=CLOCK if n % 3 else None)["id"] for n in range(MANY)]
        for number in range(LONG):  # in turn, so that each has rows in many pages
            for id in ids:
                with at_table(client, id) as me:
                    me.act(me.now["turn"], f"{number}")
        found = {id: client.get(f"/api/matches/{id}").json()["seq"] for id in ids}
        return found, dict(client.cookies)


@pytest.mark.parametrize("seed", range(6))
def test_matches_in_junk_pages_are_named_and_the_others_go_on(tmp_path: Path, seed: int) -> None:
    seqs, cookies = played(tmp_path)
    spoil(tmp_path / FILE, random.Random(seed))
    before = (tmp_path / FILE).read_bytes()
    repair(tmp_path)
    assert (tmp_path / f"{FILE}.damaged-1").read_bytes() == before
    house = House(tmp_path)
    with house.opened() as client:
        client.cookies.update(cookies)
        health = client.get("/health").json()
        damaged = set(health["damaged"])
        assert damaged < seqs.keys()
        assert health["status"] == "ok"
        for id in damaged:
            assert client.get(f"/api/matches/{id}").json()["code"] == "damaged"
        for id in seqs.keys() - damaged:
            with at_table(client, id) as me:
                assert me.seen[0]["seq"] == seqs[id]
                assert me.act(me.now["turn"], "more")["t"] == "event"
        mine = {match["id"] for match in client.get("/api/mine").json()}
        assert mine == seqs.keys() - damaged
        assert made(client, ME, SAME)["id"]
    repair(tmp_path)
    assert not (tmp_path / f"{FILE}.damaged-2").exists()  # all is well now


def spoil(file: Path, rng: random.Random) -> None:
    """Some pages become junk, but none of the first: those of a file without any match."""
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.close()
    with file.open("r+b") as opened:
        for page in rng.sample(range(FIRST, pages), JUNK):
            opened.seek(page * size)
            opened.write(rng.randbytes(size))


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("DROP TABLE invitations", "invitations"),
        ("DROP TABLE alembic_version", "alembic_version"),
        ("ALTER TABLE matches DROP COLUMN result", "result"),
    ],
)
def test_a_missing_table_or_column_is_one_sentence(
    tmp_path: Path, statement: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with House(tmp_path).opened():
        pass
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute(statement)
    connection.close()
    assert main(["--lang", "en", "serve", "--port", "0", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert FILE in said
    assert named in said
    assert "missing" in said or "has no column" in said
