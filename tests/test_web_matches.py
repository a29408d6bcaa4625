"""Matches by REST: made, played by a script, invited to, uploaded, drawn, deleted."""

import json
import secrets
from pathlib import Path
from typing import Any

import pytest

from roundel import games
from roundel import record as records
from roundel.core.lang import speaking
from roundel.core.playthrough import random_match
from roundel.picture import typical
from roundel.record import twin
from roundel.search.ratings import ratings
from roundel.web.http.rest import links, mine
from roundel.web.requests.problems import Problem
from roundel.web.tables.server_state import ServerState
from roundel.web.tables.table import Table
from tests.web import COMPUTER, FRIEND, GAME, ME, SAME, House, at_table, first, house, joined, made

__all__ = ["house"]


def larger() -> str | None:
    """A game that three can play, if there is one."""
    for name in games.names():
        for option in games.manifest(name).options:
            if option.name == "players" and option.values and 3 in option.values:
                return f"{name}:players=3"
    return None


def test_a_script_plays_with_its_key(house: House) -> None:
    new = made(house.script(), ME, SAME)
    script = house.script(new["seats"][0]["key"])
    address = f"/api/matches/{new['id']}"
    for ply in range(2):
        now = script.get(address).json()["now"]
        wish = {"seat": now["turn"], "ply": ply, "action": first(now["paths"]), "id": f"a{ply}"}
        for _again in range(2):
            answer = script.post(f"{address}/actions", json=wish)
            assert answer.json() == {"t": "ack", "id": f"a{ply}", "seq": ply + 1}
    stale = script.post(f"{address}/actions", json=wish | {"id": "new"})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    other = house.script("x" * 22).post(f"{address}/actions", json=wish)
    assert (other.status_code, other.json()["code"]) == (403, "seat")
    ended = script.post(f"{address}/commands", json={"seat": 0, "what": "resign"})
    assert ended.json()["t"] == "ack"
    assert script.get(address).json()["now"]["result"] == "p2win"


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"spec": "nothing", "seats": [ME, SAME]},
        {"spec": f"{GAME}:nothing", "seats": [ME, SAME]},
        {"spec": GAME, "seats": [ME]},
        {"spec": GAME, "seats": [ME, {"who": "nobody"}]},
        {"spec": GAME, "seats": [ME, {"who": "computer", "level": 11}]},
        {"spec": GAME, "seats": [ME, {"who": "computer", "level": 0}]},
        {"spec": GAME, "seats": [ME, SAME], "clock": {"seconds": 0, "increment": 0}},
        {"spec": GAME, "seats": [ME, SAME], "leaver": "nobody"},
        {"spec": GAME, "seats": [ME, {**SAME, "name": "x" * 41}]},
        {"spec": GAME, "seats": [ME, SAME], "start": "nonsense"},
    ],
)
def test_a_match_that_cannot_be_is_refused(house: House, wish: dict[str, Any]) -> None:
    answer = house.client.post("/api/matches", json=wish)
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid"
    assert answer.json()["reason"]
    assert house.client.get("/api/mine").json() == []


def test_nobody_can_say_how_much_the_computer_may_think(house: House) -> None:
    """Only a level, and only when the match is made: whatever else is sent is not looked at."""
    made(house.client, ME, {**COMPUTER, "seconds": 1000, "nodes": 10**9})
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match) as me:
        me.do("hint", level=10, seconds=1000)
        me.act(0)
        me.hear("thinking")
        while me.now["turn"] != 0:
            me.hear("event")
    assert house.computers.asked == [7, 1]


def test_a_position_has_its_lots_behind_it(house: House, manifest: Any) -> None:
    game = games.load(manifest.name)
    start = game.start()
    fen = start.play(start.legal()[0]).fen()
    new = made(house.client, ME, SAME, spec=manifest.name, start=fen)
    table = house.client.get(f"/api/matches/{new['id']}").json()["table"]
    assert table["spec"] == game.spec


def test_lots_are_drawn_unless_named_and_again_for_a_rematch(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    lots = [
        (name, option.name, option.values[7])
        for name in games.ours()
        for option in games.manifest(name).options
        if option.by_lot and option.values
    ]
    if not lots:
        pytest.skip("no game with lots")
    name, lot, seven = lots[0]
    drawn = iter(range(100, 200))
    monkeypatch.setattr(secrets, "choice", lambda values: values[next(drawn)])

    def lot_in(match: str) -> Any:
        spec = house.client.get(f"/api/matches/{match}").json()["table"]["spec"]
        return games.load(spec).options[lot]

    assert lot_in(made(house.client, ME, SAME, spec=name)["id"]) == 100
    named = made(house.client, ME, SAME, spec=f"{name}:{lot}={seven}")["id"]
    assert lot_in(named) == seven
    with at_table(house.client, named) as me:
        me.act(0)
        me.do("resign")
        me.do("rematch")
        assert lot_in(me.now["rematch"]) == 101


def test_seats_by_lot_keep_everybody(house: House) -> None:
    for _ in range(8):
        new = made(house.client, {**ME, "name": "Anna"}, COMPUTER, lot=True)
        seats = house.client.get(f"/api/matches/{new['id']}").json()["now"]["seats"]
        assert sorted(seat["kind"] for seat in seats) == ["computer", "person"]
        assert [seat["mine"] for seat in seats] == [seat["name"] == "Anna" for seat in seats]


def test_seats_by_lot_are_drawn(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets.SystemRandom, "sample", lambda self, seats, k: seats[::-1])
    for lot, kinds in ((False, ["person", "computer"]), (True, ["computer", "person"])):
        new = made(house.client, ME, COMPUTER, lot=lot)
        seats = house.client.get(f"/api/matches/{new['id']}").json()["now"]["seats"]
        assert [seat["kind"] for seat in seats] == kinds


def test_an_invitation_gives_a_seat_once(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    invitation, friend = new["seats"][1]["invitation"], house.browser()
    assert new["seats"][1]["key"] is None
    assert "<svg" in house.client.get(invitation["qr"]).text
    token = invitation["url"].rpartition("/")[2]
    assert friend.get(f"/api/invitations/{token}").json()["is_friend"] is True
    own = joined(house.client, invitation)
    assert (own.status_code, own.json()["code"]) == (403, "seat")
    assert house.client.get(f"/api/matches/{new['id']}").json()["now"]["status"] == "waiting"
    assert joined(friend, invitation).json() == {"match": new["id"], "seat": 1}
    late = joined(house.browser(), invitation)
    assert (late.status_code, late.json()["code"]) == (410, "used")
    now = house.client.get(f"/api/matches/{new['id']}").json()["now"]
    assert (now["status"], now["seats"][1]["name"]) == ("playing", "Ben")
    assert joined(house.browser(), {"url": "x/nothing"}).status_code == 404


def test_a_second_link_to_a_seat_that_was_taken(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    again = house.client.post(f"/api/matches/{new['id']}/seats/1/invitation").json()
    joined(house.browser(), new["seats"][1]["invitation"])
    late = joined(house.browser(), again)
    assert (late.status_code, late.json()["code"]) == (409, "not_now")


@pytest.mark.parametrize(
    ("host", "asked", "told"),
    [
        ("0.0.0.0", "localhost:8000", "192.0.2.7:8000"),
        ("::", "127.0.0.1", "192.0.2.7"),
        ("0.0.0.0", "roundel.example", "roundel.example"),
        ("127.0.0.1", "localhost:8000", "localhost:8000"),
    ],
)
def test_a_link_leads_to_where_a_friend_finds_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, asked: str, told: str
) -> None:
    monkeypatch.setattr(links, "own_address", lambda: "192.0.2.7")
    wish = {"spec": GAME, "seats": [ME, FRIEND]}
    with House(tmp_path, host=host, hosts="roundel.example").opened() as client:
        headers = {"host": asked, "origin": f"http://{asked}"}
        made_there = client.post("/api/matches", json=wish, headers=headers).json()
        url = made_there["seats"][1]["invitation"]["url"]
        assert url.startswith(f"http://{told}/join/")


def test_only_who_is_in_a_match_invites_to_it(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    taken, friend = f"/api/matches/{new['id']}/seats/1/invitation", house.browser()
    assert house.browser().post(taken).json()["code"] == "seat"
    joined(friend, new["seats"][1]["invitation"])
    assert house.client.post(taken).json()["code"] == "seat"
    assert friend.post(taken).status_code == 201
    nobodys = made(house.client, FRIEND, FRIEND)
    assert house.client.post(f"/api/matches/{nobodys['id']}/seats/0/invitation").status_code == 201
    assert house.client.post(f"/api/matches/{new['id']}/seats/2/invitation").status_code == 403


def test_an_invitation_is_for_somebody_else(house: House) -> None:
    nobodys = made(house.client, FRIEND, FRIEND)
    links = [seat["invitation"] for seat in nobodys["seats"]]
    friend = house.browser()
    assert joined(house.client, links[0]).json()["code"] == "seat"
    assert joined(friend, links[0]).status_code == 200
    assert joined(friend, links[1]).json()["code"] == "seat"
    own = made(house.client, ME, COMPUTER)["id"]
    link = house.client.post(f"/api/matches/{own}/seats/0/invitation").json()
    assert joined(house.client, link).json()["code"] == "seat"
    assert joined(friend, link).status_code == 200


def test_who_sits_at_a_table_invites_to_its_other_seats(house: House) -> None:
    spec = larger()
    if spec is None:
        pytest.skip("no game for three")
    new, friend = made(house.client, ME, FRIEND, FRIEND, spec=spec), house.browser()
    address = f"/api/matches/{new['id']}/seats/2/invitation"
    assert friend.post(address).status_code == 403
    joined(friend, new["seats"][1]["invitation"])
    assert joined(house.browser(), friend.post(address).json()).status_code == 200


def test_my_seat_on_another_device(house: House) -> None:
    new = made(house.client, {**ME, "name": "Anna"}, COMPUTER)
    address, phone = f"/api/matches/{new['id']}/seats/0/invitation", house.browser()
    assert phone.post(address).status_code == 403
    assert joined(phone, house.client.post(address).json(), "").status_code == 200
    (mine,) = phone.get("/api/mine").json()
    assert (mine["id"], mine["mine"], mine["turn"]) == (new["id"], [0], 0)
    with at_table(phone, new["id"]) as me:
        assert me.now["seats"][0]["mine"]
        assert me.now["seats"][0]["name"] == "Anna"
        assert me.act(0)["t"] == "ack"


def test_open_invitations_are_bounded(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    address = f"/api/matches/{new['id']}/seats/1/invitation"
    answers = [house.client.post(address).status_code for _ in range(20)]
    assert answers == [201] * 19 + [409]


def test_an_invitation_expires(house: House) -> None:
    """Both those that come with a match and those that are made later, each by its own day."""
    new = made(house.client, ME, FRIEND)
    first, friend = new["seats"][1]["invitation"], house.browser()
    house.calendar.at += 29 * 24 * 3600
    second = house.client.post(f"/api/matches/{new['id']}/seats/1/invitation").json()
    house.calendar.at += 24 * 3600
    late = joined(friend, first)
    assert (late.status_code, late.json()["code"]) == (410, "expired")
    assert "expired" in late.json()["reason"]
    look = friend.get(f"/api/invitations/{first['url'].rpartition('/')[2]}")
    assert look.json()["code"] == "expired"
    assert joined(friend, second).status_code == 200


def test_an_invitation_that_has_expired_makes_room_for_another(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    address = f"/api/matches/{new['id']}/seats/1/invitation"
    assert [house.client.post(address).status_code for _ in range(20)][-1] == 409
    house.calendar.at += 30 * 24 * 3600
    assert house.client.post(address).status_code == 201


def test_a_key_is_worth_its_owners_seat_in_a_rematch(house: House) -> None:
    new = made(house.script(), {**ME, "name": "Anna"}, FRIEND)
    friend, script = house.browser(), house.script(new["seats"][0]["key"])
    joined(friend, new["seats"][1]["invitation"])
    with at_table(friend, new["id"]) as other:
        other.do("resign", 1)
        other.do("rematch", 1)
        again = other.now["rematch"]
    seats = script.get(f"/api/matches/{again}").json()["now"]["seats"]
    assert [seat["name"] for seat in seats if seat["mine"]] == ["Anna"]


def test_who_draws_nothing_is_sent_nothing_to_draw(house: House) -> None:
    address = f"/api/matches/{made(house.client, ME, SAME)['id']}"
    shown, plain = (house.client.get(f"{address}{views}").json() for views in ("", "?views=no"))
    assert {"view", "last", "paths", "can", "prompt"} <= shown["now"].keys()
    assert not {"view", "last", "paths", "can", "prompt"} & plain["now"].keys()
    assert (bool(shown["table"]["layout"]), plain["table"]["layout"]) == (True, {})


def test_a_rematch_stays_on_the_list_of_who_arranged_the_match(house: House) -> None:
    new = made(house.client, FRIEND, FRIEND)
    friends = house.browser(), house.browser()
    for friend, seat in zip(friends, new["seats"], strict=True):
        joined(friend, seat["invitation"])
    with at_table(friends[0], new["id"]) as me:
        me.act(0)
        me.do("resign")
        me.do("rematch")
        again = me.now["rematch"]
    listed = {match["id"]: match["mine"] for match in house.client.get("/api/mine").json()}
    assert listed == {new["id"]: [], again: []}


def test_deleting(house: House) -> None:
    alone, shared = made(house.client, ME, COMPUTER), made(house.client, ME, FRIEND)
    friend = house.browser()
    joined(friend, shared["seats"][1]["invitation"])
    assert friend.delete(f"/api/matches/{alone['id']}").status_code == 403
    for match in (alone, shared):
        assert house.client.delete(f"/api/matches/{match['id']}").status_code == 200
    assert house.client.get("/api/mine").json() == []
    assert house.client.get(f"/api/matches/{alone['id']}").status_code == 404
    assert [match["id"] for match in friend.get("/api/mine").json()] == [shared["id"]]
    seats = house.client.get(f"/api/matches/{shared['id']}").json()["now"]["seats"]
    assert not any(seat["mine"] for seat in seats)


def test_a_guest_does_not_delete_the_match_of_a_script(house: House) -> None:
    new = made(house.script(), ME, FRIEND)
    address, script = f"/api/matches/{new['id']}", house.script(new["seats"][0]["key"])
    guest = house.browser()
    joined(guest, new["seats"][1]["invitation"])
    assert guest.delete(address).status_code == 200
    assert guest.get("/api/mine").json() == []
    assert guest.delete(address).status_code == 403
    assert script.get(address).json()["now"]["seats"][0]["mine"]
    assert script.delete(address).status_code == 200
    assert script.get(address).status_code == 404


def test_a_script_keeps_its_match_when_its_browser_leaves(house: House) -> None:
    new = made(house.script(), ME, SAME)
    address, script = f"/api/matches/{new['id']}", house.script(new["seats"][0]["key"])
    browser = house.browser()
    joined(browser, script.post(f"{address}/seats/0/invitation").json())
    assert browser.delete(address).status_code == 200
    assert script.get(address).json()["now"]["seats"][0]["mine"]


def test_the_last_of_two_who_delete_a_match_deletes_it_for_good(house: House) -> None:
    new = made(house.client, ME, FRIEND)
    address, friend = f"/api/matches/{new['id']}", house.browser()
    joined(friend, new["seats"][1]["invitation"])
    for browser in (house.client, friend):
        assert house.client.get(address).status_code == 200
        assert browser.delete(address).status_code == 200
    assert house.client.get(address).status_code == 404
    assert house.script(new["seats"][0]["key"]).delete(address).status_code == 404


def test_who_has_very_many_matches_sees_whose_turn_it_is_in_the_newest(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mine, "LOOKED_AT", 1)
    for _match in range(2):
        made(house.client, ME, SAME)
    assert [match["turn"] for match in house.client.get("/api/mine").json()] == [0, None]


def test_who_arranged_a_match_can_take_it_off_the_list(house: House) -> None:
    address = f"/api/matches/{made(house.client, FRIEND, FRIEND)['id']}"
    assert house.browser().delete(address).status_code == 403
    assert house.client.delete(address).status_code == 200
    assert house.client.get("/api/mine").json() == []


def test_a_match_that_is_deleted_just_now_does_not_spoil_the_list(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, kept = made(house.client, ME, SAME)["id"], made(house.client, ME, SAME)["id"]

    async def live_table(self: ServerState, id: str) -> Table:
        if id == gone:
            raise Problem("missing", "deleted")
        return self.tables[id]

    monkeypatch.setattr(ServerState, "live_table", live_table)
    turns = {match["id"]: match["turn"] for match in house.client.get("/api/mine").json()}
    assert turns == {gone: None, kept: 0}


def played_in_pairs() -> str:
    """A game that is, if there is one."""
    spec = next((name for name in games.ours() if games.manifest(name).second_game), None)
    if spec is None:
        pytest.skip("no pairs of games")
    return spec


def test_a_pair_is_called_one_and_both_its_games_are_counted(house: House) -> None:
    spec = played_in_pairs()
    single, pair = (made(house.client, ME, SAME, spec=spec, pair=pair) for pair in (False, True))
    alone = house.client.get(f"/api/matches/{single['id']}").json()["table"]
    with at_table(house.client, pair["id"]) as me:
        assert me.seen[0]["table"]["options"] == [*alone["options"], "two games on one board"]
        while not me.now["game"]:
            me.act(me.now["turn"])
        assert me.now["last"] == []
        while me.now["status"] == "playing":
            me.act(me.now["turn"])
        lasts = [positions[-1] for positions in house.server.tables[pair["id"]].match.games]
        counted = [each.game.manifest.view.account(each.state) for each in lasts]
        assert [item["text"] for item in me.now["account"]] == [
            item["text"] for items in counted for item in items
        ]


def test_the_second_game_of_a_pair_can_be_reviewed(house: House) -> None:
    """Its first action is not played in the position in which the first game ended."""
    spec = played_in_pairs()
    address = f"/api/matches/{made(house.client, ME, SAME, spec=spec, pair=True)['id']}"
    with at_table(house.client, address.rpartition("/")[2]) as me:
        while not me.now["game"]:
            me.act(me.now["turn"])
        for _ in range(2):
            me.act(me.now["turn"])
    frames = house.client.get(f"{address}/frames").json()
    assert (frames[-1]["view"], frames[-1]["last"]) == (me.now["view"], me.now["last"])
    for ply in range(len(frames) - 3, len(frames)):
        assert house.client.get(f"{address}/picture.svg?ply={ply}").status_code == 200


def test_records_go_out_and_come_in(house: House) -> None:
    new = made(house.client, {**ME, "name": "Anna"}, {**SAME, "name": "Ben"})
    with at_table(house.client, new["id"]) as me:
        for seat in (0, 1):
            me.act(seat)
        me.do("resign", 0)
    address = f"/api/matches/{new['id']}"
    frames = house.client.get(f"{address}/frames").json()
    assert [frame["text"] for frame in frames[1:]] == [
        entry["text"] for entry in house.client.get(address).json()["history"]
    ]
    for kind in ("text", "json"):
        text = house.client.get(f"{address}/record?format={kind}").text
        sent = house.client.post("/api/records", json={"text": text})
        assert sent.status_code == 201, sent.text
        again = house.client.get(f"/api/matches/{sent.json()['id']}").json()
        assert again["now"]["status"] == "over"
        assert again["now"]["result"] == "p2win"
        assert [seat["name"] for seat in again["now"]["seats"]] == ["Anna", "Ben"]
        same = house.client.get(f"/api/matches/{sent.json()['id']}/frames").json()
        assert [frame["view"] for frame in same] == [frame["view"] for frame in frames]
    assert house.client.get(f"{address}/record?format=nothing").status_code == 422


def test_a_whole_record_of_every_game(house: House, manifest: Any) -> None:
    *_before, last = random_match(manifest.with_options(), 1)
    text = records.write(records.record_of(last))
    id = house.client.post("/api/records", json={"text": text}).json()["id"]
    found = house.client.get(f"/api/matches/{id}").json()
    assert found["now"]["result"] == last.result
    assert found["now"]["account"]
    for kind in manifest.foreign:
        foreign = house.client.get(f"/api/matches/{id}/record?format={kind}").text
        assert house.client.post("/api/records", json={"text": foreign}).status_code == 201


@pytest.mark.parametrize("text", ["", "nonsense", '[Game "nothing"]\n', "{", "(;", "\0"])
def test_a_broken_record_is_named(house: House, text: str) -> None:
    answer = house.client.post("/api/records", json={"text": text})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


def test_a_record_that_is_too_long_is_not_even_replayed(house: House) -> None:
    turns = " ".join(f"{number}. nothing" for number in range(1, 1002))
    answer = house.client.post("/api/records", json={"text": f'[Game "{GAME}"]\n\n{turns}\n'})
    assert answer.json()["code"] == "size", answer.text


def spoilt() -> dict[str, str]:
    """A match whose third action is none, as text and as JSON."""
    position = games.load(GAME).start()
    for _ply in range(2):
        position = position.play(position.legal()[0])
    record = records.record_of(position)
    data = twin.to_data(record)
    data["games"][0]["turns"].append(["nothing"])
    return {"text": f"{records.write(record).rstrip()} 3. nothing\n", "json": json.dumps(data)}


@pytest.mark.parametrize(
    ("language", "text", "line"),
    [
        ("en", "line 4, column {column}: ", "line 1, column 1: action 3: "),
        ("fr", "ligne 4, colonne {column} : ", "ligne 1, colonne 1 : action 3 : "),
    ],
)
def test_what_cannot_be_played_has_its_place(
    house: House, language: str, text: str, line: str
) -> None:
    sent = spoilt()
    column = sent["text"].splitlines()[3].index("nothing") + 1
    for kind, place in {"text": text.format(column=column), "json": line}.items():
        answer = house.client.post(f"/api/records?lang={language}", json={"text": sent[kind]})
        assert answer.status_code == 422
        assert answer.json()["reason"].replace("\N{NO-BREAK SPACE}", " ").startswith(place)


@pytest.mark.parametrize(("language", "place"), [("en", "line 2, "), ("fr", "ligne 2, ")])
def test_what_cannot_be_read_has_its_place(house: House, language: str, place: str) -> None:
    for text in ("\nnonsense", "\n{", "(;\n;;]", "\n[Game]"):
        answer = house.client.post(f"/api/records?lang={language}", json={"text": text})
        assert answer.json()["reason"].startswith(place), text


def test_a_game_that_is_not_there_has_its_place(house: House) -> None:
    answer = house.client.post("/api/records", json={"text": '\n[Game "nothing"]\n'})
    assert answer.json()["reason"].startswith("line 2, column 8: ")


def test_lines_may_end_as_on_any_system(house: House) -> None:
    text = records.write(records.record_of(games.load(GAME).start()))
    for end in ("\r\n", "\r"):
        sent = house.client.post("/api/records", json={"text": text.replace("\n", end)})
        assert sent.status_code == 201, sent.text


def test_a_match_against_the_computer_is_reviewed(house: House) -> None:
    id = made(house.client, {**ME, "name": "Anna"}, COMPUTER)["id"]
    address = f"/api/matches/{id}"
    with at_table(house.client, id) as me:
        me.act(0)
        me.hear("event")
        me.do("resign")
    frames = house.client.get(f"{address}/frames").json()
    assert [frame["seat"] for frame in frames] == [None, 0, 1]
    assert frames[-1]["prompt"] == me.now["outcome"]
    tags = json.loads(house.client.get(f"{address}/record?format=json").text)["tags"]
    level = me.now["seats"][1]["level_name"]
    assert (tags["P1"], tags["P2"]) == ("Anna", level)


def test_an_abandoned_match_says_so_when_it_is_reviewed(house: House) -> None:
    id = made(house.client, ME, SAME)["id"]
    with at_table(house.client, id) as me:
        me.do("abort")
    (frame,) = house.client.get(f"/api/matches/{id}/frames").json()
    assert frame["prompt"] == me.now["outcome"] != ""


def test_pictures(house: House) -> None:
    id = made(house.client, ME, SAME)["id"]
    address = f"/api/matches/{id}/picture"
    assert house.client.get(f"{address}.svg?theme=dark").text.startswith("<svg")
    assert house.client.get(f"{address}.png").content.startswith(b"\x89PNG")
    assert house.client.get(f"{address}.svg?ply=1").status_code == 422
    assert house.client.get(f"{address}.svg?theme=pink").status_code == 422
    assert house.client.get(f"{address}.gif").status_code == 422


def test_every_game_is_described(house: House, manifest: Any) -> None:
    found = {game["name"]: game for game in house.client.get("/api/games?lang=fr").json()}
    game = found[manifest.name]
    assert game["sample"]["view"] == typical(manifest).view
    for number in range(game["players"]["low"], game["players"]["high"] + 1):
        assert len(game["seats"][str(number)]) == number
        assert len(game["levels"][str(number)]) == 10
    look = house.client.get(f"/api/games/{manifest.name}/look").json()
    assert {"light", "dark", "grey"} <= look["palettes"].keys()
    layout = house.client.get(f"/api/games/{manifest.name}/layout?spec={manifest.name}").json()
    assert layout["spots"]
    for language in ("en", "fr"):
        rules = house.client.get(f"/api/games/{manifest.name}/rules?lang={language}").json()
        assert "<h1>" in rules[0]["html"]
        assert any("view" in part for part in rules)
    assert house.client.get("/api/games/nothing/rules").status_code == 404


def test_every_game_offers_its_options_and_levels(house: House, manifest: Any) -> None:
    found = {game["name"]: game for game in house.client.get("/api/games").json()}
    game = found[manifest.name]
    asked = [option for option in manifest.options if not option.by_lot]
    assert [option["name"] for option in game["options"]] == [option.name for option in asked]
    for option, shown in zip(asked, game["options"], strict=True):
        if isinstance(option.values, range):
            ends = option.values[0], option.values[-1], option.values.step
            assert (shown["low"], shown["high"], shown["step"]) == ends
    for players, levels in game["levels"].items():
        measured = {rating.level: rating.elo for rating in ratings(manifest.name, int(players))}
        assert {row["level"]: row["elo"] for row in levels if row["elo"] is not None} == measured


def test_every_game_is_laid_out_with_its_options_and_in_french(house: House, manifest: Any) -> None:
    for options in manifest.option_sets:
        game = manifest.with_options(options)
        address = f"/api/games/{manifest.name}/layout?spec={game.spec}"
        shown, french = (house.client.get(f"{address}&lang={code}").json() for code in ("en", "fr"))
        assert shown["spots"].keys() == game.layout["spots"].keys()
        with speaking("fr"):
            trays = {name: manifest.translate(text) for name, text in game.layout["trays"].items()}
            labels = [manifest.translate(label["text"]) for label in game.layout.get("labels", [])]
        assert french["trays"] == trays != shown["trays"]
        assert [label["text"] for label in french.get("labels", [])] == labels
    address = f"/api/games/{manifest.name}/rules"
    english, french = (house.client.get(f"{address}?lang={code}").json() for code in ("en", "fr"))
    assert english[0]["html"] != french[0]["html"]


def test_people_and_a_computer_at_a_table_for_three(house: House) -> None:
    spec = larger()
    if spec is None:
        pytest.skip("no game for three")
    new = made(house.client, ME, COMPUTER, SAME, spec=spec)
    with at_table(house.client, new["id"]) as me:
        for _ in range(4):
            seat = me.now["turn"]
            assert me.act(seat)["t"] == "ack"
            while me.now["turn"] not in (0, 2):
                me.hear("event")
        me.do("resign", 0)
        while me.now["seats"][0]["kind"] != "computer":
            me.hear("event")
        assert me.now["status"] == "playing"
