"""`roundel check`: what is wrong with a store or a match in it is found, and nothing changes."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, NullPool, Table, create_engine, insert

from roundel import games
from roundel.cli.main import main
from roundel.web.store import checking, damage, migrations, opening
from roundel.web.store.checking import check
from roundel.web.store.damage import DAMAGED
from roundel.web.store.opening import FILE, repair
from roundel.web.store.schema import HEAD
from tests.stores import ROUNDS, crashed, edit, files_in, played, spoil
from tests.web import COMPUTER, ME, SAME, House, at_table, made

MIGRATIONS = str(Path(migrations.__file__).parent)
SCRIPTS = list(ScriptDirectory(MIGRATIONS).walk_revisions())
LONG = 9  # actions in a match
Capsys = pytest.CaptureFixture[str]


def found(place: Path) -> int:
    return main(["--lang", "en", "check", str(place)])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with two matches of three actions each."""
    played(tmp_path / "data")
    return tmp_path / "data"


def test_a_sound_store_is_said_to_be_sound_and_not_touched(data: Path, capsys: Capsys) -> None:
    before = files_in(data)
    for place in (data, data / FILE):
        assert found(place) == 0
        said = capsys.readouterr()
        assert said.out == (
            f"{data / FILE}: version {HEAD}; matches: 2; finished: 0; events: 6; damaged: 0\n"
        )
        assert said.err == ""
        assert files_in(data) == before


def test_a_server_goes_on_beside_it(tmp_path: Path, capsys: Capsys) -> None:
    house = House(tmp_path)
    with house.opened() as client:
        id = made(client, ME, COMPUTER)["id"]
        with at_table(client, id) as me:
            me.act(0)
            me.do("resign")
            assert found(tmp_path) == 0
            assert "matches: 1; finished: 1" in capsys.readouterr().out
            assert made(client, ME, SAME)["id"]
        assert found(tmp_path) == 0


def test_what_a_crashed_server_left_in_its_log_is_read_and_stays(
    tmp_path: Path, capsys: Capsys
) -> None:
    crashed(tmp_path / "data", tmp_path / "wreck")
    before = files_in(tmp_path / "wreck")
    assert found(tmp_path / "wreck") == 0
    assert "matches: 1" in capsys.readouterr().out
    after = files_in(tmp_path / "wreck")
    assert [after[name] for name in (FILE, f"{FILE}-wal")] == [
        before[name] for name in (FILE, f"{FILE}-wal")
    ]


def test_every_kind_of_match_is_replayed(tmp_path: Path) -> None:
    """What players can do apart from acting is no damage, and neither is an uploaded record."""
    house = House(tmp_path)
    with house.opened() as client:
        wishes = [wish for name in games.ours() for wish in wishes_for(name)]
        for wish in wishes:
            seats = [ME, *[SAME] * (games.load(str(wish["spec"])).players - 1)]
            id = made(client, *seats, **wish)["id"]
            with at_table(client, id) as me:
                while me.now["ply"] < LONG and me.now["paths"]:  # not where one must see them
                    me.act(me.now["turn"])
                me.do("undo", me.now["turn"])
                me.do("resign", 0)
                record = client.get(f"/api/matches/{id}/record").text
            assert client.post("/api/records", json={"text": record}).status_code == 201
    report = check(tmp_path / FILE, list)
    assert report.is_sound, report
    assert report.matches == 2 * len(wishes)
    assert kinds(tmp_path / FILE) > {"acted", "takenback", "resigned", "replaced", "passed"}


def kinds(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        bodies = connection.execute("SELECT body FROM events").fetchall()
    return {json.loads(body)["kind"] for (body,) in bodies}


def wishes_for(name: str) -> Iterator[dict[str, Any]]:
    """With each number of players, with a clock, in pairs of games, and with each way to leave."""
    manifest = games.manifest(name)
    clock = {"seconds": 60, "increment": 0}
    for options in manifest.option_sets:
        game = manifest.with_options(options)
        can_retire = game.players > 2 and hasattr(game.rules, "retire")
        for leaver in ("computer", "passed") if can_retire else ("computer",):
            yield {"spec": game.spec, "clock": clock, "leaver": leaver}
    if manifest.second_game is not None:
        yield {"spec": name, "pair": True}


# -- What is wrong --------------------------------------------------------------


def change_event(file: Path, **changes: Any) -> str:
    """Its second event says something else; returns the id of the match."""
    with closing(sqlite3.connect(file)) as connection, connection:
        select = "SELECT match, body FROM events WHERE seq = 2 ORDER BY match"
        id, body = connection.execute(select).fetchone()
        changed = json.dumps(json.loads(body) | changes)
        connection.execute("UPDATE events SET body = ? WHERE match = ? AND seq = 2", (changed, id))
    return str(id)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"action": "no-such-action"}, "event 2: "),
        ({"seat": 0}, "event 2: it was not the turn of seat 1"),
        ({"ply": 7}, "event 2: it was not the turn"),
        ({"kind": "cheated"}, "cheated"),
    ],
)
def test_a_match_against_the_rules_is_named(
    data: Path, capsys: Capsys, changes: dict[str, Any], reason: str
) -> None:
    id = change_event(data / FILE, **changes)
    assert found(data) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"match {id} is damaged: ")
    assert reason in said.err
    assert said.err.count("\n") == 1
    assert "matches: 2; finished: 0; events: 6; damaged: 1" in said.out


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("DELETE FROM events WHERE seq = 2", "a part of its events is missing"),
        ("DELETE FROM matches", "only its events or seats"),
        (f"UPDATE matches SET setup = '{DAMAGED}'", "when the file was damaged"),
        ("UPDATE matches SET setup = '{}'", "spec"),
    ],
)
def test_a_match_of_which_a_part_is_missing_is_named(
    data: Path, capsys: Capsys, statement: str, reason: str
) -> None:
    edit(data / FILE, statement)
    assert found(data) == 1
    said = capsys.readouterr()
    assert said.err.count("is damaged") == said.err.count(reason) == 2
    assert "matches: 2" in said.out


def test_junk_in_the_file_is_found_and_the_matches_that_it_hit(
    tmp_path: Path, capsys: Capsys
) -> None:
    played(tmp_path, 12)
    spoil(tmp_path / FILE)
    before = files_in(tmp_path)
    assert found(tmp_path) == 1
    assert f"{tmp_path / FILE} is damaged: " in capsys.readouterr().err
    damaged = check(tmp_path / FILE, list).damaged
    assert files_in(tmp_path) == before
    repair(tmp_path)
    with House(tmp_path).opened() as client:
        assert set(client.get("/health").json()["damaged"]) == damaged.keys()
    report = check(tmp_path / FILE, list)
    assert (report.wrong, report.damaged.keys()) == ("", damaged.keys())


def test_what_is_no_store_is_named(data: Path, tmp_path: Path, capsys: Capsys) -> None:
    (tmp_path / "text").write_text("a letter to my aunt, long enough to be a page" * 100)
    (tmp_path / "empty").touch()
    shutil.copy(data / FILE, tmp_path / "later")
    edit(tmp_path / "later", "UPDATE alembic_version SET version_num = 'later'")
    shutil.copy(data / FILE, tmp_path / "lacking")
    edit(tmp_path / "lacking", "DROP TABLE keys")
    for name, status, reason in (
        ("none", 2, "does not exist"),
        ("empty", 2, "not a store of Roundel"),
        ("later", 2, "later version of Roundel (later)"),
        ("text", 1, "not a database"),
        ("lacking", 1, "'keys' is missing"),
    ):
        assert found(tmp_path / name) == status
        said = capsys.readouterr().err
        assert str(tmp_path / name) in said
        assert reason in said
    (tmp_path / "folder").mkdir()
    assert found(tmp_path / "folder") == 2
    assert list((tmp_path / "folder").iterdir()) == []


@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN])
def test_a_file_that_cannot_be_read_now_is_not_said_to_be_damaged(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capsys, code: int
) -> None:
    def fail(*arguments: object) -> None:
        error = sqlite3.OperationalError("not now")
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr(checking, "rows_of", fail)
    assert found(data) == 2
    assert capsys.readouterr().err == f"roundel: {data / FILE}: not now\n"


def test_a_match_that_is_deleted_meanwhile_does_not_count(data: Path) -> None:
    def follow(ids: list[str]) -> Iterator[str]:
        for id in ids:
            edit(data / FILE, "PRAGMA foreign_keys = ON", "DELETE FROM matches")
            yield id

    report = check(data / FILE, follow)
    assert (report.matches, report.is_sound) == (0, True)


def test_a_match_is_read_as_it_is_at_one_moment(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows_of = damage.rows_of

    def slow(
        connection: Connection, table: Table, asked: damage.AnySelect, id: str
    ) -> list[dict[str, Any]]:
        rows = rows_of(connection, table, asked, id)
        edit(data / FILE, "DELETE FROM events")
        return rows

    monkeypatch.setattr(checking, "rows_of", slow)
    report = check(data / FILE, lambda ids: ids[:1])
    assert (report.events, report.is_sound) == (ROUNDS, True)


# -- Older stores ---------------------------------------------------------------


def fill(connection: Connection, setup: str) -> None:
    """A match, in the tables of whatever version."""
    tables = MetaData()
    tables.reflect(connection)
    match = {"id": "m", "setup": setup, "owner": "", "clocked": False, "created": 1.0}
    connection.execute(insert(tables.tables["matches"]), match)
    connection.commit()


def setup_in(file: Path) -> str:
    with closing(sqlite3.connect(file)) as connection:
        return str(connection.execute("SELECT setup FROM matches").fetchone()[0])


@pytest.mark.parametrize("version", sorted(revision.revision for revision in SCRIPTS))
def test_a_store_of_any_version_is_checked_and_stays_as_it_is(
    data: Path, tmp_path: Path, version: str, capsys: Capsys
) -> None:
    file = tmp_path / "old"
    engine = create_engine(f"sqlite:///{file}", poolclass=NullPool)
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
        fill(connection, setup_in(data / FILE))
    before = file.read_bytes()
    assert found(file) == 0
    assert f"version {version}; matches: 1;" in capsys.readouterr().out
    assert file.read_bytes() == before
    new = tmp_path / "new"
    assert main(["restore", str(file), "--data", str(new)]) == 0
    with House(new).opened():
        assert check(new / FILE, list).version == HEAD


def test_an_older_store_is_upgraded_in_a_copy(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "HEAD", "of tomorrow")
    upgraded: list[str] = []
    bring = opening.bring_up_to_date

    def bring_up_to_date(connection: Connection) -> None:
        upgraded.append(str(connection.exec_driver_sql("PRAGMA database_list").one()[2]))
        bring(connection)

    monkeypatch.setattr(checking, "bring_up_to_date", bring_up_to_date)
    before = files_in(data)
    assert check(data / FILE, list).matches == 2
    assert files_in(data) == before
    (copy,) = upgraded
    assert not Path(copy).exists()
    assert Path(copy).parent != data
