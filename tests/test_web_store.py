"""What is on disk is what was acknowledged: restarts, repeated ids, clocks, migrations."""

import asyncio
import gc
import weakref
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect, text

from roundel.web.metrics import Metrics
from roundel.web.store import opening, sqlite
from roundel.web.store.interface import (
    Change,
    Conflict,
    Finish,
    Hold,
    Invitation,
    NewMatch,
    Row,
    StoreBusy,
)
from roundel.web.store.schema import HEAD, metadata
from roundel.web.store.sqlite import SqliteStore
from roundel.web.tables import table as table_module
from roundel.web.tables.broadcast import broadcast_event
from roundel.web.tables.server_state import STAY
from tests.web import COMPUTER, FRIEND, ME, SAME, House, at_table, first, house, joined, made

__all__ = ["house"]
NEW = NewMatch("m", "{}", "owner", False, 1.0, {0: "key"}, {0: frozenset("d")}, {"token": 1})


def row(seq: int, id: str = "", seat: int = 0) -> Row:
    return Row("m", seq, seat, id, float(seq), "{}")


def with_store(folder: Path, work: Any, most: int = 100) -> Any:
    """Open the store in a folder, do something with it, close it."""

    async def run() -> Any:
        store = SqliteStore(folder, most, Metrics())
        await store.start()
        try:
            return await work(store)
        finally:
            await store.stop()

    return asyncio.run(run())


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    async def write(store: SqliteStore) -> None:
        await store.write(Change("m", [row(1, "a"), row(2)], new=NEW))

    async def read(store: SqliteStore) -> Any:
        return await store.match("m"), await store.match("other"), await store.mine("d")

    with_store(tmp_path, write)
    stored, other, mine = with_store(tmp_path, read)
    assert other is None
    assert stored.rows == [row(1, "a"), row(2)]
    assert (stored.keys, stored.holders) == ({0: "key"}, {0: {"d"}})
    assert [(match.id, match.seats) for match in mine] == [("m", [0])]


def test_the_clock_goes_on_from_the_last_sign_of_life(tmp_path: Path) -> None:
    """Of a heartbeat and what happened where a clock runs, the later one; other matches may be
    from a machine whose clock was wrong."""

    async def begun(store: SqliteStore) -> float:
        return await store.read(sqlite.last_clock)

    async def beat(store: SqliteStore) -> None:
        await store.beat(5.0)

    async def more(store: SqliteStore) -> None:
        clocked, unclocked, finished = (
            NewMatch(id, "{}", "owner", id != "u", 1.0) for id in ("m", "u", "f")
        )
        await store.write(Change("m", [row(1), row(9)], new=clocked))
        await store.write(Change("u", [Row("u", 1, 0, "", 20.0, "{}")], new=unclocked))
        end = Finish(1.0, "draw")
        await store.write(Change("f", [Row("f", 1, 0, "", 30.0, "{}")], new=finished, finish=end))

    async def later(store: SqliteStore) -> None:
        await store.beat(9.5)

    assert with_store(tmp_path, begun) == 0.0
    for work, expected in ((beat, 5.0), (more, 9.0), (later, 9.5)):
        with_store(tmp_path, work)
        assert with_store(tmp_path, begun) == expected


def test_one_wrong_change_does_not_spoil_the_others(tmp_path: Path) -> None:
    """All of them wait for the same commit; those that do not fit are told, and only those."""

    async def write(store: SqliteStore) -> list[Any]:
        await store.write(Change("m", new=NEW))
        rows = [row(1, "a"), row(1), row(2, "a"), row(3, "a", seat=1), row(4), row(5)]
        changes = [store.write(Change("m", [each])) for each in rows]
        orphan = store.write(Change("x", [Row("x", 1, 0, "", 0.0, "{}")]))
        return await asyncio.gather(*changes, orphan, return_exceptions=True)

    async def read(store: SqliteStore) -> list[int]:
        stored = await store.match("m")
        return [each.seq for each in stored.rows] if stored else []

    kinds = [type(answer) for answer in with_store(tmp_path, write)]
    fine = type(None)
    assert kinds == [fine, Conflict, Conflict, fine, fine, fine, Conflict]
    assert with_store(tmp_path, read) == [1, 3, 4, 5]


def test_an_invitation_is_used_once_also_by_two_at_once(tmp_path: Path) -> None:
    async def write(store: SqliteStore) -> list[Any]:
        await store.write(Change("m", new=NEW))
        holds = [Hold(1, device, "token", is_friend=True) for device in ("a", "b")]
        changes = [store.write(Change("m", hold=hold)) for hold in holds]
        return await asyncio.gather(*changes, return_exceptions=True)

    answers = with_store(tmp_path, write)
    assert [type(answer) for answer in answers] == [type(None), Conflict]


def test_what_waits_for_the_disk_is_bounded(tmp_path: Path) -> None:
    async def write(store: SqliteStore) -> list[Any]:
        await store.write(Change("m", new=NEW))
        changes = [store.write(Change("m", [row(seq)])) for seq in range(1, 100)]
        return await asyncio.gather(*changes, return_exceptions=True)

    answers = with_store(tmp_path, write, most=1)
    assert {type(answer) for answer in answers} == {type(None), StoreBusy}


def test_a_deleted_match_leaves_nothing(tmp_path: Path) -> None:
    async def write(store: SqliteStore) -> Any:
        await store.write(Change("m", [row(1)], new=NEW))
        await store.remove("m")
        return await store.match("m"), await store.invitation("token"), await store.mine("d")

    assert with_store(tmp_path, write) == (None, None, [])


def test_the_newest_matches_are_listed_first(tmp_path: Path) -> None:
    async def write(store: SqliteStore) -> list[str]:
        for id, created in (("a", 2.0), ("b", 3.0), ("c", 1.0)):
            await store.write(Change(id, new=NewMatch(id, "{}", "owner", False, created)))
        return [match.id for match in await store.mine("owner")]

    assert with_store(tmp_path, write) == ["b", "a", "c"]


def test_who_leaves_a_match_takes_it_from_their_own_list_alone(tmp_path: Path) -> None:
    async def write(store: SqliteStore) -> list[list[str]]:
        await store.write(Change("m", new=NEW))
        lists = []
        for device in ("d", "owner"):
            await store.release("m", device)
            lists.append([match.id for match in await store.mine("owner")])
        return lists

    assert with_store(tmp_path, write) == [["m"], []]


def test_only_invitations_to_this_match_that_can_be_used_are_counted(tmp_path: Path) -> None:
    async def write(store: SqliteStore) -> list[int]:
        async def count(match: str) -> int:
            return await store.open_invitations(match, since=0.5)

        await store.write(Change("m", new=NEW))
        await store.write(Change("n", new=NewMatch("n", "{}", "owner", False, 1.0)))
        for token, match, created in (("two", "m", 2.0), ("three", "n", 2.0), ("old", "n", 0.5)):
            await store.invite(token, Invitation(match, 0, False, False, created))
        before = await count("m")
        await store.write(Change("m", hold=Hold(0, "e", "two", is_friend=False)))
        return [before, await count("m"), await count("n")]

    assert with_store(tmp_path, write) == [2, 1, 1]


def test_migrations_make_the_tables_of_the_schema(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    engine = opening.open_database(tmp_path)
    with engine.connect() as connection:
        assert opening.revision(connection) == HEAD
        context = MigrationContext.configure(connection)
        assert context.get_current_revision() == HEAD
        assert compare_metadata(context, metadata) == []
        plain = create_engine("sqlite://")
        metadata.create_all(plain)
        for name in metadata.tables:
            made_here, wanted = inspect(connection), inspect(plain)
            assert keys_of(made_here, name) == keys_of(wanted, name)
            assert made_here.get_pk_constraint(name) == wanted.get_pk_constraint(name)
        plain.dispose()
    engine.dispose()


def keys_of(tables: Any, name: str) -> list[Any]:
    return [(key["name"], key["column_names"], key["unique"]) for key in tables.get_indexes(name)]


def test_commits_are_on_disk_before_they_are_answered(tmp_path: Path) -> None:
    engine = opening.open_database(tmp_path)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
    engine.dispose()


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(opening.CannotStore, match="file"):
        opening.open_database(tmp_path / "file")


def test_a_folder_has_one_server(tmp_path: Path) -> None:
    again = opening.claim_folder(tmp_path)
    with opening.claim_folder(tmp_path), pytest.raises(opening.CannotStore, match="another server"):
        again.__enter__()
    with opening.claim_folder(tmp_path):
        assert (tmp_path / opening.FILE).exists()


def test_a_file_that_is_no_store_is_named(tmp_path: Path) -> None:
    (tmp_path / opening.FILE).write_text("a letter to my aunt, long enough to be a page" * 50)
    with pytest.raises(opening.CannotStore, match=opening.FILE):
        opening.open_database(tmp_path)


def test_a_store_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    engine = opening.open_database(tmp_path)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'later'"))
    engine.dispose()
    with pytest.raises(opening.CannotStore, match="later version"):
        opening.open_database(tmp_path)


# -- A whole server that stops and starts again -------------------------------------


def test_a_restart_in_the_middle(house: House, tmp_path: Path) -> None:
    new = made(house.client, ME, FRIEND)
    friend = house.browser()
    joined(friend, new["seats"][1]["invitation"])
    with at_table(house.client, new["id"]) as me, at_table(friend, new["id"]) as other:
        assert me.act(0, "one")["seq"] == 2
        other.hear("event")
        action = first(other.now["paths"])
        assert other.act(1, "two", action=action, ply=1)["seq"] == 3  # the first: he sat down
    mine, his = dict(house.client.cookies), dict(friend.cookies)
    later = House(tmp_path)
    with later.opened() as client:
        client.cookies.update(mine)
        friend = later.browser()
        friend.cookies.update(his)
        with at_table(client, new["id"]) as me, at_table(friend, new["id"]) as other:
            assert me.now["ply"] == other.now["ply"] == 2
            assert me.now["seats"][0]["mine"]
            assert other.act(1, "two", action=action, ply=1) == {
                "t": "ack",
                "id": "two",
                "seq": 3,
            }
            other.say(t="sync")
            assert other.hear("snapshot")["seq"] == 3


def test_time_stands_still_while_the_server_is_down(house: House, tmp_path: Path) -> None:
    new = made(house.client, ME, SAME, clock={"seconds": 300, "increment": 0})
    cookies = dict(house.client.cookies)
    with at_table(house.client, new["id"]) as me:
        me.act(0)
        house.hands.at += 10
        me.say(t="sync")
        clocks = me.hear("snapshot")["now"]["clocks"]
        assert clocks == [300_000, 290_000]
    assert house.client.portal is not None
    house.client.portal.call(house.server.store.beat, house.server.time.now())
    later = House(tmp_path)
    later.hands.at = 70_000.0  # another machine's clock, a day later
    with later.opened() as client:
        client.cookies.update(cookies)
        with at_table(client, new["id"]) as me:
            assert me.now["clocks"] == clocks


def test_a_flag_falls_without_anybody_acting(house: House) -> None:
    new = made(house.client, ME, SAME, clock={"seconds": 60, "increment": 5})
    with at_table(house.client, new["id"]) as me:
        me.act(0)
        assert me.now["running"] == 1
        house.hands.at += 61
        table = house.server.tables[new["id"]]
        assert house.client.portal is not None
        house.client.portal.call(table.check_clock)
        told = me.hear("event")
        assert told["event"]["kind"] == "flagged"
        assert (me.now["result"], me.now["reason"]) == ("p1win", "time")
        assert me.now["clocks"][1] == 0
    assert house.client.get("/api/mine").json()[0]["result"] == "p1win"


def test_clocks_run_on_after_a_restart_with_nobody_there(house: House, tmp_path: Path) -> None:
    new = made(house.client, ME, SAME, clock={"seconds": 60, "increment": 0})
    with at_table(house.client, new["id"]) as me:
        me.act(0)
    later = House(tmp_path)
    with later.opened() as client:
        assert client.portal is not None
        client.portal.call(later.server.table, new["id"])
        table = later.server.tables[new["id"]]
        assert table.timer is not None
        assert not table.is_idle


def test_tables_that_nobody_needs_are_put_away(tmp_path: Path) -> None:
    house = House(tmp_path, tables=2)
    with house.opened() as client:
        ids = [made(client, ME, SAME)["id"] for _ in range(4)]
        with at_table(client, ids[0]) as me:
            for id in ids[1:]:
                house.hands.at += STAY + 1
                client.get(f"/api/matches/{id}")
            house.server.close_idle_tables()
            assert set(house.server.tables) == {ids[0], ids[3]}
            assert me.act(0)["t"] == "ack"


def test_a_table_that_was_put_away_leaves_nothing_behind(house: House) -> None:
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match) as me:
        me.act(0)
        while me.now["ply"] < 2:  # until the computer has answered and its task is done
            me.hear("event")
    gone = weakref.ref(house.server.tables[match])
    gc.collect()
    gc.disable()
    try:
        assert house.client.portal is not None
        house.client.portal.call(lambda: house.server.close_table(house.server.tables[match]))
        assert gone() is None
    finally:
        gc.enable()


def test_a_table_stays_until_those_sit_who_asked_for_it(tmp_path: Path) -> None:
    house = House(tmp_path, tables=1)
    with house.opened() as client, ExitStack() as visits:
        ids = [made(client, ME, SAME)["id"] for _ in range(4)]
        for id in ids:
            client.get(f"/api/matches/{id}")
        house.server.close_idle_tables()
        assert set(house.server.tables) == set(ids)
        everybody = [visits.enter_context(at_table(client, id)) for id in ids]
        assert [me.act(0)["t"] for me in everybody] == ["ack"] * 4


def test_if_the_disk_fails_nobody_is_told(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match = made(house.client, ME, SAME)["id"]

    async def fail(change: Change) -> None:
        raise OSError("disk is full")

    with at_table(house.client, match) as me, at_table(house.browser(), match):
        with monkeypatch.context() as patched:
            patched.setattr(house.server.store, "write", fail)
            me.say(t="act", seat=0, ply=0, action=first(me.now["paths"]))
            assert me.socket.receive()["type"] in ("websocket.send", "websocket.close")
        assert match not in house.server.tables
    with at_table(house.client, match) as me:
        assert me.now["ply"] == 0
        assert me.act(0)["t"] == "ack"


def test_an_overloaded_store_is_said_to_be_busy(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = made(house.client, ME, SAME)["id"]

    async def busy(change: Change) -> None:
        raise StoreBusy("too much")

    with at_table(house.client, match) as me:
        monkeypatch.setattr(house.server.store, "write", busy)
        refused = me.act(0)
        assert (refused["code"], refused["retry"] > 0) == ("busy", True)
        answer = house.client.post("/api/matches", json={"spec": "x", "seats": [ME, SAME]})
        assert answer.status_code == 422
        wish = {"seat": 0, "ply": 0, "action": first(me.now["paths"])}
        answer = house.client.post(f"/api/matches/{match}/actions", json=wish)
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        monkeypatch.undo()
        assert me.act(0)["t"] == "ack"


def test_the_log_is_written_before_anybody_hears(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is told of an event finds it on disk."""
    match = made(house.client, ME, SAME)["id"]
    seen: list[bool] = []
    with at_table(house.client, match) as me:
        table, store = house.server.tables[match], house.server.store
        tell = broadcast_event

        def telling(*arguments: Any) -> None:
            engine = store.engine  # type: ignore[attr-defined]
            with engine.connect() as connection:
                stored = sqlite.load_match(connection, match)
            seen.append(stored is not None and len(stored.rows) == table.seq)
            tell(*arguments)

        monkeypatch.setattr(table_module, "broadcast_event", telling)
        me.act(0)
        me.act(1)
    assert seen == [True, True]
