"""The computer at the tables of a server: who waits, who is charged, and what people are told."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from roundel.core.lang import _, speaking
from roundel.web.computer.computers import SHORTER, ChosenAction, Preparing, SearchProgress
from roundel.web.computer.worker_process import Worker
from roundel.web.requests.visitors import HOUSE
from roundel.web.tables.computer_player import HELPER
from tests.web import COMPUTER, ME, SAME, House, at_table, first, house, made

__all__ = ["house"]


def ply(house: House, match: str) -> int:
    found: int = house.client.get(f"/api/matches/{match}").json()["now"]["ply"]
    return found


def held(house: House, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """From now on the computer thinks until this happens."""
    done, choose = asyncio.Event(), house.computers.choose

    async def think_long(*asked: Any) -> ChosenAction:
        asked[1](SearchProgress(0.1, 3, 55.0))
        await done.wait()
        return await choose(*asked)

    monkeypatch.setattr(house.computers, "choose", think_long)
    return done


def test_who_asks_is_charged_for_the_computers_time(house: House) -> None:
    other = house.browser()
    for browser in (house.client, other):
        match = made(browser, ME, COMPUTER)["id"]
        with at_table(browser, match) as me:
            me.do("hint")
            me.act(0)
            me.hear("event")
    mine, same, *others = house.computers.visitors
    assert mine == same != HOUSE
    assert mine.address == others[0].address
    assert mine.device != others[0].device


def test_a_match_in_which_the_computer_begins_is_charged_to_who_made_it(house: House) -> None:
    match = made(house.client, COMPUTER, ME)["id"]
    while ply(house, match) < 1:
        pass
    assert house.computers.visitors[0].device


def test_the_computer_waits_where_nobody_looks_unless_a_clock_runs(tmp_path: Path) -> None:
    house = House(tmp_path, away=0.0)  # who does not stay has left at once
    with house.opened() as browser:
        for clock in (None, {"seconds": 60}):
            match = made(browser, ME, COMPUTER, clock=clock)["id"]
            snapshot = browser.get(f"/api/matches/{match}").json()
            wish = {"seat": 0, "ply": 0, "action": first(snapshot["now"]["paths"])}
            assert browser.post(f"/api/matches/{match}/actions", json=wish).status_code == 200
            if clock is None:
                assert not house.server.tables[match].computer.is_busy
                with at_table(browser, match) as me:
                    me.hear("event")
            while ply(house, match) < 2:
                pass


def test_who_comes_while_a_game_is_compiled_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, choose = asyncio.Event(), house.computers.choose

    async def compile_first(*asked: Any) -> ChosenAction:
        asked[1](Preparing())
        await done.wait()
        return await choose(*asked)

    monkeypatch.setattr(house.computers, "choose", compile_first)
    match = made(house.client, COMPUTER, ME)["id"]
    with at_table(house.client, match) as me:
        assert me.hear("thinking")["preparing"] is True
        assert house.client.portal
        house.client.portal.call(done.set)
        assert me.hear("thinking")["preparing"] is False
        assert me.hear("event")["now"]["turn"] == 1


def test_nothing_that_is_said_makes_the_computer_begin_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phrase, an offer and its answer change no position."""
    done, choose, asked = asyncio.Event(), house.computers.choose, list[str]()

    async def think_long(*question: Any) -> ChosenAction:
        asked.append(question[0].start)
        await done.wait()
        return await choose(*question)

    monkeypatch.setattr(house.computers, "choose", think_long)
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match) as me:
        me.act(0)
        for _time in range(3):
            assert me.do("say", phrase=1)["t"] == "ack"
        assert house.client.portal
        house.client.portal.call(done.set)
        while me.now["ply"] < 2:
            me.hear("event")
    assert len(asked) == 1


def test_the_computer_acts_also_if_no_process_could_be_started_at_first(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail() -> None:
        raise BlockingIOError("too many processes")

    monkeypatch.setattr(house.computers, "start", fail)
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match) as me:
        me.act(0)
        assert me.hear("event")["now"]["turn"] == 0


@pytest.mark.parametrize("what", ["undo", "resign"])
def test_people_are_told_when_the_computer_is_interrupted(
    house: House, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    held(house, monkeypatch)
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match) as me:
        me.act(0)
        while me.hear("thinking")["depth"] == 0:
            pass
        assert me.do(what)["t"] == "ack"
        assert [told["seat"] for told in me.seen if told["t"] == "thinking"] == [1, 1, None]
        with at_table(house.client, match) as tab:
            assert tab.next()["t"] == "presence"  # and nothing about a computer that thinks


def test_hints_are_for_who_is_to_act(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.client, match) as me:
        assert me.do("hint", 1)["code"] == "turn"
        me.act(0)
        assert me.do("hint", 0)["code"] == "turn"
        assert me.do("hint", 1)["t"] == "hint"
    assert house.computers.asked == [HELPER]


def test_a_hint_comes_once_and_not_for_a_position_that_is_gone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = held(house, monkeypatch)
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.client, match) as me:
        for id in ("first", "second"):
            me.say(t="do", what="hint", seat=0, id=id)
        me.say(t="act", seat=0, ply=0, action=first(me.now["paths"]), id="act")
        answer = me.hear("refused", "hint")
        assert (answer["t"], answer["id"], answer["code"]) == ("refused", "second", "not_now")
        while me.now["ply"] < 1:
            me.hear("event")
        assert house.client.portal
        house.client.portal.call(done.set)
        answer = me.hear("refused", "hint")
        assert (answer["t"], answer["id"], answer["code"]) == ("refused", "first", "stale")


def test_what_went_wrong_with_the_computer_is_told_at_the_table(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = house.computers.choose

    async def hurry(*asked: Any) -> ChosenAction:
        return msgspec.structs.replace(await choose(*asked), note=SHORTER)

    monkeypatch.setattr(house.computers, "choose", hurry)
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match, "&lang=fr") as me, speaking("fr"):
        me.act(0)
        while me.now["ply"] < 2:
            me.hear("event")
        assert [told["text"] for told in me.seen if told["t"] == "notice"] == [_(SHORTER)]


@pytest.mark.parametrize("ends", ["by resigning", "as it is put away"])
def test_no_process_is_kept_for_a_match_that_does_not_go_on(house: House, ends: str) -> None:
    match = made(house.client, ME, COMPUTER)["id"]
    worker = Worker()
    house.computers.workers.append(worker)
    with at_table(house.client, match) as me:
        house.computers.assign(match, worker)
        if ends == "by resigning":
            me.do("resign")
        else:
            assert house.client.portal
            house.client.portal.call(house.server.close_table, house.server.tables[match])
        assert worker.matches == []
