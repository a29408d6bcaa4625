"""New matches are bounded: of an address, of a device, and in all, whichever way they are made."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roundel import games, record
from roundel.core.playthrough import random_match
from roundel.web.settings import Settings
from roundel.web.tables.timing import DAY
from tests.web import GAME, ME, SAME, House, at_table, made

WISH = {"spec": GAME, "seats": [ME, SAME]}


def code(answer: Any) -> str:
    return "" if answer.status_code in (200, 201) else str(answer.json()["code"])


def by_form(client: Any) -> str:
    return code(client.post("/api/matches", json=WISH))


def by_record(client: Any) -> str:
    *_before, last = random_match(games.load(GAME), 1)
    return code(client.post("/api/records", json={"text": record.write(record.record_of(last))}))


def by_rematch(client: Any) -> str:
    """Of a match that was made by somebody else, who pays nothing."""
    match = client.post("/api/matches", json=WISH).json()["id"]
    with at_table(client, match) as me:
        me.do("resign", id="r")
        told = me.do("rematch", id="again")
        return str(told["code"]) if told["t"] == "refused" else ""


@pytest.mark.parametrize("make", [by_form, by_record])
def test_an_address_makes_so_many_in_an_hour(tmp_path: Path, make: Callable[[Any], str]) -> None:
    house = House(tmp_path, made=3)
    with house.opened():
        first, second = house.browser("192.0.2.1"), house.browser("192.0.2.1")
        assert [make(first), make(second), make(first), make(second)] == ["", "", "", "rate"]
        assert make(house.browser("192.0.2.2")) == ""
        refused = first.post("/api/matches", json=WISH)
        assert 0 < refused.json()["retry"] <= 1200
        assert "new matches" in refused.json()["reason"]


def test_a_rematch_is_a_new_match(tmp_path: Path) -> None:
    house = House(tmp_path, made=2)
    with house.opened() as client:
        assert by_rematch(client) == ""
        assert code(client.post("/api/matches", json=WISH)) == "rate"
    house = House(tmp_path, made=1)
    with house.opened() as client:
        assert by_rematch(client) == "rate"


@pytest.mark.parametrize("make", [by_form, by_record])
def test_a_device_keeps_so_many(tmp_path: Path, make: Callable[[Any], str]) -> None:
    house = House(tmp_path, owned=2)
    with house.opened() as client:
        ids = [made(client, ME, SAME)["id"] for _ in range(2)]
        assert make(client) == "full"
        assert "delete" in client.post("/api/matches", json=WISH).json()["reason"]
        assert make(house.browser()) == ""  # another device
        assert client.delete(f"/api/matches/{ids[0]}").status_code == 200
        assert make(client) == ""


def test_a_rematch_belongs_to_whoever_made_the_match(tmp_path: Path) -> None:
    house = House(tmp_path, owned=1)
    with house.opened() as client:
        assert by_rematch(client) == "full"


def test_a_server_keeps_so_many(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    house = House(tmp_path, matches=2)
    with house.opened() as client:
        made(client, ME, SAME)
        made(house.browser(), ME, SAME)
        assert [by_form(house.browser()) for _ in range(3)] == ["full"] * 3
        assert caplog.text.count("ROUNDEL_MATCHES") == 1
    with house.opened() as client:  # they are counted at the start
        assert by_form(client) == "full"
        assert house.server.quota.kept == 2


def test_what_was_refused_is_not_counted(tmp_path: Path) -> None:
    house = House(tmp_path, made=2)
    with house.opened() as client:
        for _ in range(5):
            wrong = client.post("/api/matches", json={**WISH, "seats": [ME]})
            assert wrong.status_code == 422
        assert [by_form(client), by_form(client), by_form(client)] == ["", "", "rate"]


def test_a_match_that_never_began_is_kept_as_long_as_an_invitation_to_it(tmp_path: Path) -> None:
    house = House(tmp_path)
    with house.opened() as client:
        assert client.portal
        never, begun = made(client, ME, SAME)["id"], made(client, ME, SAME)["id"]
        with at_table(client, begun) as me:
            me.act(me.now["turn"])
        for days, left in ((Settings().expiry - 1, 2), (1.1, 1), (Settings().archive, 0)):
            house.calendar.at += days * DAY
            for table in tuple(house.server.tables.values()):
                client.portal.call(house.server.close_table, table)
            client.portal.call(house.server.archive.sweep)
            client.portal.call(house.server.quota.count)
            assert house.server.quota.kept == left
        assert code(client.get(f"/api/matches/{never}")) == "missing"
        assert len(list((tmp_path / "archive").iterdir())) == 1


def test_a_match_has_so_many_events_and_can_then_only_be_ended(tmp_path: Path) -> None:
    house = House(tmp_path, events=3)
    with house.opened() as client, at_table(client, made(client, ME, SAME)["id"]) as me:
        assert me.act(me.now["turn"], "a")["t"] == "event"
        assert me.do("undo", id="b")["t"] == "event"
        assert me.act(me.now["turn"], "c")["t"] == "event"
        for refused in (me.act(me.now["turn"], "d"), me.do("undo", id="e"), me.do("say", id="f")):
            assert refused["code"] == "full"
        assert me.do("resign", id="g")["t"] == "event"
        assert me.do("rematch", id="h")["t"] == "event"
