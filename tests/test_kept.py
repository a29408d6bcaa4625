"""What people have stays readable: files in `kept/` are as earlier versions wrote them."""

import contextlib
import json
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from roundel.cli.table.history import PLY
from roundel.cli.table.opening import TableRequest, opened
from roundel.web.store import migrations
from roundel.web.store.opening import FILE, repair
from tests.web import FRIEND, ME, House, Seated, at_table, joined, made

KEPT = Path(__file__).parent / "kept"
DATABASES = ("table", "table-0002")
VERSIONS = Path(migrations.__file__).parent / "versions"
HEADER = 100  # bytes: they say in which mode the file is
EVENTS = 20 * 4096  # where the kept database has a page of events
WORDS = {  # texts, which may be put better, and what is drawn for everybody alike
    *("prompt", "outcome", "role", "title", "options", "phrases", "level_name"),
    *("look", "layout", "created"),
    "page",  # which build of it lies here
}


def lean(told: Any) -> Any:
    """What the server tells, without words."""
    if isinstance(told, list):
        return [lean(part) for part in told]
    if not isinstance(told, dict):
        return told
    dropped = WORDS | {"reason"} if told.get("t") == "refused" else WORDS
    return {name: lean(part) for name, part in told.items() if name not in dropped}


def test_every_version_of_the_tables_has_a_database() -> None:
    versions = {file.name.partition("_")[0] for file in VERSIONS.glob("0*.py")}
    kept = set()
    for name in DATABASES:
        with contextlib.closing(sqlite3.connect(KEPT / f"{name}.sqlite")) as connection:
            kept |= {*connection.execute("SELECT version_num FROM alembic_version")}
    assert {version for (version,) in kept} == versions


@pytest.mark.parametrize("name", DATABASES)
def test_a_database_is_opened_and_every_match_is_as_it_was(tmp_path: Path, name: str) -> None:
    """Matches of every game, going on and over, a pair, leavers, clocks, offers, phrases."""
    shutil.copy(KEPT / f"{name}.sqlite", tmp_path / FILE)
    kept = json.loads((KEPT / f"{name}.json").read_text())
    house = House(tmp_path, away=0.0)
    with house.opened() as client:
        client.cookies.update(kept["cookies"])
        assert len(kept["matches"]) > 10
        for id, was in kept["matches"].items():
            assert lean(client.get(f"/api/matches/{id}").json()) == was["snapshot"], id
            assert client.get(f"/api/matches/{id}/record").text == was["record"], id
            assert client.get(f"/api/matches/{id}/frames").status_code == 200, id
        assert {match["id"] for match in client.get("/api/mine").json()} >= {*kept["matches"]}
        token = kept["invitation"]
        assert joined(house.browser(), {"url": f"/{token}"}).status_code == 200
        if archived := kept.get("archived"):
            assert "archived" in client.get(f"/api/matches/{archived}").json()["reason"]
        going_on = [id for id, was in kept["matches"].items() if was["snapshot"]["now"]["can"]]
        assert going_on
        for id in going_on:
            with at_table(client, id) as me:
                if me.now["turn"] is not None and me.now["paths"]:
                    assert me.act(me.now["turn"])["t"] == "ack"


def test_a_damaged_database_of_an_earlier_version_keeps_its_whole_matches(tmp_path: Path) -> None:
    """It is not upgraded first: that would write into a file of which some is junk."""
    shutil.copy(KEPT / "table.sqlite", tmp_path)
    kept = json.loads((KEPT / "table.json").read_text())
    with (tmp_path / FILE).open("r+b") as opened:
        opened.seek(EVENTS)
        opened.write(random.Random(1).randbytes(4096))
    before = (tmp_path / FILE).read_bytes()
    repair(tmp_path)
    assert (tmp_path / f"{FILE}.damaged-1").read_bytes()[HEADER:] == before[HEADER:]
    house = House(tmp_path, away=0.0)
    with house.opened() as client:
        client.cookies.update(kept["cookies"])
        damaged = set(client.get("/health").json()["damaged"])
        assert 0 < len(damaged) < len(kept["matches"])
        for id in kept["matches"].keys() - damaged:
            was = kept["matches"][id]["snapshot"]
            assert lean(client.get(f"/api/matches/{id}").json()) == was, id


def test_a_socket_hears_what_it_heard(tmp_path: Path) -> None:
    """Two people say what was said then, one thing every three seconds, and hear the same."""
    talk = json.loads((KEPT / "talk.json").read_text())
    house = House(tmp_path, away=0.0)
    with house.opened() as anna:
        new = made(anna, ME | {"name": "Anna"}, FRIEND, **talk["wish"])
        ben = house.browser()
        assert joined(ben, new["seats"][1]["invitation"]).status_code == 200
        with at_table(anna, new["id"]) as first, at_table(ben, new["id"]) as second:
            first.hear("presence")
            for step in talk["steps"]:
                told = heard((first, second), step["who"], step["say"])
                assert lean(told) == named(step["heard"], talk["match"], new["id"], told), step
                house.hands.at += 3.0


def heard(people: tuple[Seated, Seated], who: int, said: dict[str, Any]) -> list[list[Any]]:
    """All that both hear when one of them says something; a ping tells that there is no more."""
    known = [len(one.seen) for one in people]
    people[who].say(**{name: part for name, part in said.items() if name != "match"})
    for one in (people[who], people[1 - who]):
        one.say(t="ping")
        one.hear("pong")
    return [one.seen[number:] for one, number in zip(people, known, strict=True)]


def named(then: list[list[Any]], old: str, new: str, told: list[list[Any]]) -> Any:
    """With the names of today's matches: this one, and the one in which it goes on."""
    text = json.dumps(then).replace(old, new)
    for message in told[0]:
        if again := message.get("now", {}).get("rematch"):
            text = text.replace(json.loads(text)[0][0]["now"]["rematch"], again)
    return json.loads(text)


def test_a_pair_in_the_terminal_goes_on_where_people_were(tmp_path: Path) -> None:
    """One action into the second game, of three: its beginning counts in the tag."""
    table = opened(TableRequest(resume=str(KEPT / "terminal-pair.record"), data=tmp_path))
    first, second = table.history.whole.games
    assert (table.names, len(second) - 1) == (["Anna", "Ben"], 3)
    assert (table.match.game_index, len(table.match.positions) - 1) == (1, 1)
    assert table.history.at == len(first) - 1 + 1
    assert table.record().tags[PLY] == "56"
    table.do("undo")
    assert (table.position, table.record().tags[PLY]) == (second[0], "55")
    table.do("undo")
    assert (table.position, table.record().tags[PLY]) == (first[-2], "53")
    table.farewell()
