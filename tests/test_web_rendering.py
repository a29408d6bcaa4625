"""What is sent of a table is made once for all who get it, and never out of date."""

from itertools import pairwise
from typing import Any

import pytest

from roundel.core.lang import speaking
from roundel.web.tables import broadcast, rendering
from roundel.web.tables.rendering import Audience, RenderCache
from roundel.web.tables.table import Table
from tests.web import FRIEND, ME, SAME, House, at_table, house, joined, made

__all__ = ["house"]
AUDIENCES = [
    Audience(language, frozenset(seats)) for language in ("en", "fr") for seats in ((), (0,))
]


def sent(cache: RenderCache) -> list[Any]:
    found: list[Any] = [cache.board(), cache.paths()]
    for audience in AUDIENCES:
        with speaking(audience.language):
            found += [cache.prompt(), cache.seats(audience)]
    return found


def check(table: Table) -> list[Any]:
    found = sent(table.rendered)
    assert found == sent(RenderCache(table.match, table.seating))
    return found


def test_nothing_is_sent_that_is_out_of_date(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    with at_table(house.client, new["id"]) as me:
        table = house.server.tables[new["id"]]
        seen = [check(table)]
        friend = house.browser()
        joined(friend, new["seats"][1]["invitation"])
        me.hear("event")
        seen.append(check(table))
        with at_table(friend, new["id"]):
            me.hear("presence")
            seen.append(check(table))
            me.act(0)
            seen.append(check(table))
        me.hear("presence")
        seen.append(check(table))
        me.do("resign")
        seen.append(check(table))
        assert all(before != after for before, after in pairwise(seen))


def test_a_whole_table_is_made_once_for_all_who_get_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_for: list[Audience] = []

    def counted(table: Table, audience: Audience) -> Any:
        made_for.append(audience)
        return rendering.snapshot(table, audience)

    match = made(house.client, ME, SAME)["id"]
    monkeypatch.setattr(broadcast, "snapshot", counted)
    with (
        at_table(house.client, match) as me,
        at_table(house.browser(), match) as watcher,
        at_table(house.browser(), match) as other,
    ):
        house.client.portal.call(  # type: ignore[union-attr]
            broadcast.broadcast_snapshots, house.server.tables[match]
        )
        for one in (me, watcher, other):
            one.hear("snapshot")
        assert len(made_for) == len(set(made_for)) == 2


def test_what_many_get_is_made_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    made_of: list[str] = []
    for name in ("paths", "prompt", "seat_views"):
        make = getattr(rendering, name)

        def counted(*given: Any, name: str = name, make: Any = make) -> Any:
            made_of.append(name)
            return make(*given)

        monkeypatch.setattr(rendering, name, counted)
    match = made(house.client, ME, SAME)["id"]
    with (
        at_table(house.client, match) as me,
        at_table(house.client, match) as tab,
        at_table(house.browser(), match) as watcher,
        at_table(house.browser(), match, "&lang=fr") as stranger,
    ):
        for ply in range(2):
            made_of.clear()
            assert me.act(ply, str(ply + 1))["t"] == "event"
            for other in (tab, watcher, stranger):
                other.hear("event")
        assert sorted(made_of) == ["paths", "prompt", "prompt"]  # a prompt in each language
