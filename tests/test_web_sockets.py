"""The table over its socket: who may act, who sees what, and that nothing is done twice."""

import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from roundel import games
from roundel.core.lang import _, speaking
from roundel.play.submit import Refusal
from roundel.search.ratings import ratings
from roundel.web.tables import computer_player
from tests.playing import game_for
from tests.web import (
    COMPUTER,
    FRIEND,
    ME,
    SAME,
    House,
    at_table,
    first,
    house,
    joined,
    made,
)

__all__ = ["house"]
WIRE = Path(__file__).parents[1] / "page" / "src" / "lib" / "wire.ts"


def test_an_action_is_acknowledged_and_told_to_all(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.client, match) as me, at_table(house.browser(), match) as other:
        assert me.act(0, "one")["id"] == "one"
        told = other.hear("event")
        assert {**told, "now": me.now} == me.seen[-1]
        assert me.act(1) == {"t": "ack", "id": "", "seq": 2}
        assert (told["seq"], told["event"]["kind"], told["kept"]) == (1, "acted", 0)
        assert [entry["text"] for entry in told["history"]] == [told["event"]["action"]]


def test_a_repeated_id_is_answered_but_not_played_twice(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.client, match) as me:
        action = first(me.now["paths"])
        answers = [me.act(0, "one", ply=0, action=action) for _ in range(3)]
        assert (answers[0]["t"], answers[0]["seq"]) == ("event", 1)
        assert answers[1:] == [{"t": "ack", "id": "one", "seq": 1}] * 2
        me.say(t="sync")
        assert me.hear("snapshot")["now"]["ply"] == 1


def test_an_id_is_known_even_if_what_it_did_was_taken_back(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.client, match) as me:
        action = first(me.now["paths"])
        assert me.act(0, "one")["seq"] == 1
        assert me.do("undo", id="back")["seq"] == 2
        assert me.act(0, "one", action=action) == {"t": "ack", "id": "one", "seq": 1}
        for path in (["nowhere"], ["nowhere"] * 32):  # clicks are not even looked at
            assert me.act(0, "one", path=path) == {"t": "ack", "id": "one", "seq": 1}
        assert me.act(1, "one", action=action, ply=0)["code"] == "turn"  # another seat's own id
        me.say(t="sync")
        assert me.hear("snapshot")["seq"] == 2


def test_whatever_has_an_id_is_done_once_also_after_a_restart(house: House, tmp_path: Path) -> None:
    match = made(house.client, ME, SAME)["id"]
    asked = {"say": {"phrase": 3}, "resign": {}, "rematch": {}}
    with at_table(house.client, match) as me:
        seqs = {what: me.do(what, id=what, **more)["seq"] for what, more in asked.items()}
        again = me.now["rematch"]
        assert {what: me.do(what, id=what, **more)["seq"] for what, more in asked.items()} == seqs
    later = House(tmp_path)
    with later.opened() as client:
        client.cookies.update(dict(house.client.cookies))
        with at_table(client, match) as me:
            for what, more in asked.items():
                told = {"t": "ack", "id": what, "seq": seqs[what]}
                assert me.do(what, id=what, **more) == told
            me.say(t="sync")
            found = me.hear("snapshot")
            assert (found["seq"], found["now"]["rematch"]) == (max(seqs.values()), again)


def test_refusals_say_why_and_change_nothing(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.client, match) as me:
        action = first(me.now["paths"])
        assert me.act(1, action=action)["code"] == "turn"
        assert me.act(0, ply=5)["code"] == "stale"
        assert me.act(0, action="nonsense")["code"] == "invalid"
        assert me.act(0, match="elsewhere")["code"] == "seat"
        me.socket.send_text("{")
        assert me.hear("refused")["code"] == "invalid"
        me.socket.send_text('{"t":"act","match":1}')
        assert "match" in me.hear("refused")["reason"]
        me.socket.send_bytes(b"x")
        assert me.hear("refused")["code"] == "invalid"
        me.say(t="sync")
        assert me.hear("snapshot")["seq"] == 0


def test_reasons_come_in_the_clients_language(house: House) -> None:
    match, english = made(house.client, ME, SAME)["id"], "this is the table of another match"
    with speaking("fr"):
        french = _(english)
        prompt = house.server.tables[match].match.position.prompt
    assert french != english
    with at_table(house.client, match, "&lang=fr") as me:
        assert me.act(0, action="nonsense", match="elsewhere")["reason"] == french
        assert me.now["prompt"] == prompt
    with pytest.raises(WebSocketDisconnect), at_table(house.client, match, "&lang=xx"):
        pass


def test_a_spectator_sees_and_cannot_act(house: House) -> None:
    made_match = made(house.client, ME, SAME)
    match = made_match["id"]
    with at_table(house.client, match) as me, at_table(house.browser(), match) as other:
        assert other.now["paths"] is None
        assert other.now["can"] == []
        assert other.now["view"] == me.now["view"]
        assert not any(seat["mine"] for seat in other.now["seats"])
        assert other.act(0, action=first(me.now["paths"]))["code"] == "seat"
        assert other.do("resign")["code"] == "seat"
        me.act(0)
        other.hear("event")
        text = str(other.seen)
        assert made_match["seats"][0]["key"] not in text
        assert "invitation" not in text
        assert "key" not in text


def test_only_whose_turn_it_is_gets_paths(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    friend = house.browser()
    joined(friend, new["seats"][1]["invitation"])
    with at_table(house.client, new["id"]) as me, at_table(friend, new["id"]) as other:
        assert me.now["paths"]
        assert other.now["paths"] is None
        me.act(0)
        other.hear("event")
        assert me.now["paths"] is None
        assert other.now["paths"]


def test_a_seat_is_checked_on_every_message(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    friend = house.browser()
    joined(friend, new["seats"][1]["invitation"])
    with at_table(house.client, new["id"]) as me, at_table(friend, new["id"]) as other:
        assert other.act(0, action=first(me.now["paths"]))["code"] == "seat"
        assert me.act(0)["t"] == "ack"
        other.hear("event")
        assert me.act(1, action=first(other.now["paths"]), ply=1)["code"] == "seat"
        assert other.act(1)["t"] == "ack"


def test_scripts_need_no_views(house: House) -> None:
    new = made(house.script(), ME, SAME)
    key = new["seats"][0]["key"]
    with at_table(house.script(key), new["id"], "&views=no") as me:
        assert not {"view", "paths", "prompt"} & me.now.keys()
        assert me.act(0, action="nonsense")["code"] == "invalid"


def test_presence_is_told(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.browser(), match) as watcher:
        assert watcher.hear("presence") == {
            "t": "presence",
            "seats": [False, False],
            "watching": 1,
        }
        with at_table(house.client, match):
            assert watcher.hear("presence")["seats"] == [True, True]
        assert watcher.hear("presence")["seats"] == [False, False]


def test_where_many_are_those_who_come_and_go_are_told_together(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise many who come or go at once would cost a message from each to each."""
    monkeypatch.setattr("roundel.web.tables.table.FEW", 2)
    monkeypatch.setattr("roundel.web.tables.table.PRESENCE_PERIOD", 3600.0)  # we do it ourselves
    match = made(house.client, ME, SAME)["id"]
    with ExitStack() as tables:
        watchers = [tables.enter_context(at_table(house.client, match)) for _ in range(8)]
        table = house.server.tables[match]
        assert table.presence_timer
        watchers.pop().socket.close()
        house.client.portal.call(table.broadcast_presence)  # type: ignore[union-attr]
        assert not table.presence_timer
        for watcher in watchers[2:]:
            assert watcher.next()["t"] == "presence"
            assert watcher.do("undo")["t"] == "refused"
            assert [message["t"] for message in watcher.seen].count("presence") == 1


def test_the_computer_acts_by_itself(house: House) -> None:
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match) as me:
        me.act(0)
        assert me.hear("thinking")["seat"] == 1
        told = me.hear("event")
        assert (told["event"]["seat"], told["now"]["turn"]) == (1, 0)
        assert house.computers.asked == [1]


def test_hint_and_undo_against_the_computer(house: House) -> None:
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match) as me:
        assert "hint" in me.now["can"]
        hint = me.do("hint", id="h")
        assert hint["action"] == first(me.now["paths"])
        assert hint["spots"]
        me.act(0)
        while me.now["turn"] != 0:
            me.hear("event")
        assert "undo" in me.now["can"]
        me.do("undo")
        assert me.now["ply"] == 0


def test_no_hints_in_a_match_between_people(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    joined(house.browser(), new["seats"][1]["invitation"])
    with at_table(house.client, new["id"]) as me:
        assert "hint" not in me.now["can"]
        assert me.do("hint")["code"] == "not_now"
        assert house.computers.asked == []


def test_preview_shows_what_would_be(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.client, match) as me:
        action = first(me.now["paths"])
        me.say(t="preview", seat=0, ply=0, action=action, id="p")
        view = me.hear("preview")["view"]
        for seat, ply, code in ((0, 1, "stale"), (1, 0, "not_now")):
            me.say(t="preview", seat=seat, ply=ply, action=action, id="p")
            assert me.hear("refused", "preview")["code"] == code
        me.act(0, action=action)
        assert me.now["view"] == view
        me.say(t="preview", seat=0, ply=0, action=action, id="p")
        assert me.hear("refused")["code"] in ("stale", "not_now")


def test_resigning_and_a_rematch_with_changed_sides(house: House) -> None:
    new = made(house.client, {**ME, "name": "Anna"}, FRIEND)
    friend = house.browser()
    joined(friend, new["seats"][1]["invitation"])
    with at_table(house.client, new["id"]) as me, at_table(friend, new["id"]) as other:
        assert "rematch" not in me.now["can"]
        me.act(0)
        me.do("resign")
        other.hear("event")
        other.hear("event")
        assert (other.now["result"], other.now["reason"]) == ("p2win", "resigned")
        assert other.now["outcome"]
        other.do("rematch", 1)
        again = other.now["rematch"]
    with at_table(house.client, again) as me, at_table(friend, again) as other:
        assert [seat["mine"] for seat in me.now["seats"]] == [False, True]
        assert [seat["mine"] for seat in other.now["seats"]] == [True, False]
        assert [seat["name"] for seat in me.now["seats"]] == ["Ben", "Anna"]


def test_two_who_want_a_rematch_get_the_same(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    friend = house.browser()
    joined(friend, new["seats"][1]["invitation"])
    with at_table(house.client, new["id"]) as me, at_table(friend, new["id"]) as other:
        assert me.do("rematch")["code"] == "not_now"
        me.do("resign")
        me.say(t="do", what="rematch", seat=0, id="mine")
        other.say(t="do", what="rematch", seat=1, id="theirs")
        seqs = me.answer("mine", "ack")["seq"], other.answer("theirs", "ack")["seq"]
        assert seqs == (3, 3)  # he sat down, somebody resigned
        assert me.do("rematch", id="again")["seq"] == 3
    for client in (house.client, friend):
        assert len(client.get("/api/mine").json()) == 2


@pytest.mark.parametrize("name", games.names())
def test_after_a_rematch_everybody_sits_where_their_name_is(house: House, name: str) -> None:
    new = made(house.client, {**ME, "name": "Anna"}, FRIEND, spec=name)
    friend = house.browser()
    joined(friend, new["seats"][1]["invitation"])
    with at_table(house.client, new["id"]) as me:
        me.act(0)
        me.do("resign")
        me.do("rematch")
        again = me.now["rematch"]
    for browser, own in ((house.client, "Anna"), (friend, "Ben")):
        with at_table(browser, again) as guest:
            assert [seat["name"] for seat in guest.now["seats"] if seat["mine"]] == [own]


def test_what_was_taken_back_is_not_kept_by_those_who_see_it(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.client, match) as me:
        me.act(0)
        me.act(1, "act")
        told = me.do("undo", id="undo")
        assert (told["now"]["ply"], told["kept"], told["history"]) == (1, 1, [])


def test_nobody_takes_back_without_the_other_person(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    joined(house.browser(), new["seats"][1]["invitation"])
    with at_table(house.client, new["id"]) as me:
        me.act(0, "act")
        assert "undo" not in me.now["can"]
        assert me.do("undo")["code"] == "not_now"
        me.say(t="sync")
        assert me.hear("snapshot")["now"]["ply"] == 1


def test_an_id_stands_for_the_first_of_its_events(house: House) -> None:
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match) as me:
        assert me.do("offer", id="draw", offer="draw")["seq"] == 1  # and the computer's answer is 2
        me.hear("event")
        assert me.do("offer", id="draw", offer="draw") == {"t": "ack", "id": "draw", "seq": 1}


def test_whose_time_is_up_has_lost_before_they_act(house: House) -> None:
    match = made(house.client, ME, SAME, clock={"seconds": 60})["id"]
    with at_table(house.client, match) as me:
        me.act(0, "act")
        house.hands.at += 61
        assert me.act(1)["code"] == "over"
        assert (me.now["result"], me.now["reason"]) == ("p1win", "time")
        assert me.now["account"] is None  # points are counted only where they decide


def test_where_the_others_have_left_the_computer_helps(house: House) -> None:
    new = made(house.client, ME, SAME, FRIEND, spec=game_for(3).spec)
    friend = house.browser()
    joined(friend, new["seats"][2]["invitation"])
    with at_table(house.client, new["id"]) as me, at_table(friend, new["id"]) as other:
        assert "hint" not in me.now["can"]
        other.do("resign", 2)
        assert me.do("hint")["t"] == "hint"


def test_a_seat_tells_who_has_left_it_and_how_strong_the_computer_is(house: House) -> None:
    game = game_for(3)
    strength = {rating.level: rating.elo for rating in ratings(game.name, 3)}
    new = made(house.client, ME, SAME, COMPUTER, spec=game.spec, leaver="passed")
    with at_table(house.client, new["id"]) as me:
        me.do("resign", 1)
        assert [seat["out"] for seat in me.now["seats"]] == [False, True, False]
        assert [seat["elo"] for seat in me.now["seats"]] == [None, None, strength[1]]


def test_draw_by_agreement(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    friend = house.browser()
    joined(friend, new["seats"][1]["invitation"])
    with at_table(house.client, new["id"]) as me, at_table(friend, new["id"]) as other:
        me.act(0)
        me.do("offer", offer="draw")
        while not other.now["offers"]:
            other.hear("event")
        assert other.now["offers"] == [{"what": "draw", "seat": 0}]
        other.do("answer", 1, offer="draw", yes=True)
        assert (other.now["result"], other.now["reason"]) == ("draw", "agreed")


def test_who_went_away_can_be_claimed_against(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    friend = house.browser()
    joined(friend, new["seats"][1]["invitation"])
    with at_table(house.client, new["id"]) as me:
        with at_table(friend, new["id"]):
            me.act(0)
            house.hands.at += 600
            assert me.do("claim", against=1)["code"] == "not_now"
        me.hear("presence")
        house.hands.at += 59
        assert me.do("claim", against=1)["code"] == "not_now"
        house.hands.at += 1
        assert me.do("claim", against=1)["t"] == "ack"
        assert (me.now["result"], me.now["reason"]) == ("p1win", "claimed")


def test_a_claim_is_offered_once_somebody_was_away_for_long(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    joined(house.browser(), new["seats"][1]["invitation"])
    with at_table(house.client, new["id"]) as me:
        for seconds, is_offered in ((59, False), (1, True)):
            house.hands.at += seconds
            me.say(t="sync")
            assert ("claim" in me.hear("snapshot")["now"]["can"]) == is_offered


def test_who_comes_and_goes_often_is_waited_for_once(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.browser(), match) as watcher:
        watcher.hear("presence")
        for _time in range(3):
            with at_table(house.client, match):
                assert watcher.hear("presence")["seats"] == [True, True]
            assert watcher.hear("presence")["seats"] == [False, False]
        assert len(house.server.tables[match].away_timers) == 1


def test_preset_phrases(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.client, match) as me:
        me.do("say", phrase=3)
        assert me.seen[-2]["event"]["phrase"] == 3
        assert me.seen[0]["table"]["phrases"][3]
        assert me.do("say", phrase=200)["code"] == "invalid"


def test_where_players_must_see_for_themselves_nothing_is_given_away(
    house: House, manifest: Any
) -> None:
    if not manifest.unaided:
        return
    new = made(house.client, ME, SAME, spec=f"{manifest.name}:{manifest.unaided}")
    with at_table(house.client, new["id"]) as me:
        assert (me.now["unaided"], me.now["paths"]) == (True, None)
        assert "hint" not in me.now["can"]
        position = house.server.tables[new["id"]].match.position
        *spots, last = position.clicks(position.legal()[0])
        for number in range(1, len(spots) + 1):
            answer = me.act(0, "a", path=spots[:number])
            assert answer == {"t": "more", "id": "a", "path": spots[:number]}
        assert me.act(0, "a", path=[*spots, last])["t"] == "event"
        assert me.act(0, "a", path=[*spots, last])["seq"] == 1
        assert me.act(me.now["turn"], "b", path=[last] * 9)["code"] == "illegal"
        me.say(t="preview", seat=me.now["turn"], ply=1, action="x")
        assert me.hear("refused")["code"] == "not_now"


def test_a_busy_store_makes_the_computer_wait(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_player, "AGAIN", 0.0)
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match) as me:
        table, refusals = house.server.tables[match], [True]
        perform = table.perform

        async def busy_once(command: Any, *more: Any) -> int:
            if getattr(command, "after", -1) >= 0 and refusals:
                refusals.pop()
                raise Refusal("busy", "too much")
            return await perform(command, *more)

        table.perform = busy_once  # type: ignore[assignment, method-assign]
        me.act(0)
        while me.now["ply"] < 2:
            me.hear("event")
        assert refusals == []


def test_a_socket_for_no_match(house: House) -> None:
    with house.client.websocket_connect("/ws?match=nothing") as socket:
        assert socket.receive_json()["code"] == "missing"
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4404


@pytest.mark.parametrize("spoken", ["0", "2", "", "x" * 100])
def test_a_page_that_speaks_another_protocol_is_told_to_reload(house: House, spoken: str) -> None:
    match = made(house.client, ME, SAME)["id"]
    address = f"/ws?match={match}&protocol={spoken}"
    with house.client.websocket_connect(address) as socket:
        told = socket.receive_json()
        assert (told["t"], told["code"]) == ("refused", "reload")
        assert f"{spoken[:16]!r}" in told["reason"]
        assert "x" * 17 not in told["reason"]
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4426


def test_the_page_speaks_the_protocol_of_the_server(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    (spoken,) = re.findall(r"^export const PROTOCOL = (\d+);", WIRE.read_text(), re.MULTILINE)
    with at_table(house.client, match, f"&protocol={spoken}") as me:
        assert me.now["ply"] == 0
