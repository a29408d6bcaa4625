"""A device is forgotten, by its page or by whoever runs the server: nothing of it stays."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from roundel.cli.main import main
from roundel.web.requests.devices import COOKIE, hash_secret
from roundel.web.sockets.clients import RESTART
from roundel.web.store.opening import FILE, claim_folder, connect_to
from roundel.web.store.sqlite import SqliteStore
from tests.web import COMPUTER, FRIEND, ME, SAME, House, at_table, house, joined, made

__all__ = ["house"]
ANNA, BEN = "Anna Anonyma", "Ben Bekannt"
CLOCK = {"seconds": 60, "increment": 0}


def device_of(client: Any) -> str:
    number: str = client.get("/api/mine/device").json()["device"]
    return number


def shared(house: House, friend: Any, **more: Any) -> dict[str, Any]:
    """A match that Anna made and Ben joined."""
    new = made(house.client, {**ME, "name": ANNA}, FRIEND, **more)
    assert joined(friend, new["seats"][1]["invitation"], BEN).status_code == 200
    return new


def seats_of(client: Any, match: str) -> list[tuple[str, bool]]:
    seats = client.get(f"/api/matches/{match}").json()["now"]["seats"]
    return [(seat["name"], seat["mine"]) for seat in seats]


def ids_of(client: Any) -> list[str]:
    return [match["id"] for match in client.get("/api/mine").json()]


def content(house: House) -> str:
    """Everything that is stored, as text."""
    store = house.server.store
    assert isinstance(store, SqliteStore)
    with store.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        return "\n".join(driver.iterdump())


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.glob(f"{FILE}*"))


def test_a_device_has_a_number_that_lets_nobody_in(house: House) -> None:
    assert device_of(house.client) == ""
    match = made(house.client, ME, SAME)["id"]
    assert device_of(house.client) == hash_secret(house.client.cookies[COOKIE])
    other = house.browser()
    other.cookies.set(COOKIE, device_of(house.client))
    assert ids_of(other) == []
    assert other.delete("/api/mine").json() == {"deleted": 0, "left": 0}
    assert ids_of(house.client) == [match]


def test_everything_of_a_device_is_deleted(house: House) -> None:
    friend = house.browser()
    alone, together = made(house.client, {**ME, "name": ANNA}, COMPUTER), shared(house, friend)
    hers, bens = device_of(house.client), device_of(friend)
    house.client.post(f"/api/matches/{together['id']}/seats/0/invitation")
    assert all(private in content(house) for private in (ANNA, BEN, hers, bens))
    answer = house.client.delete("/api/mine")
    assert answer.json() == {"deleted": 1, "left": 1}
    assert COOKIE not in house.client.cookies
    assert house.client.get(f"/api/matches/{alone['id']}").json()["code"] == "missing"
    assert seats_of(house.client, together["id"]) == [("", False), (BEN, False)]
    assert seats_of(friend, together["id"]) == [("", False), (BEN, True)]
    stored = content(house)
    assert not any(private in stored for private in (ANNA, hers))
    assert all(private in stored for private in (BEN, bens))
    assert ids_of(friend) == [together["id"]]
    assert friend.delete("/api/mine").json() == {"deleted": 1, "left": 0}
    stored = content(house)
    assert not any(private in stored for private in (BEN, bens, together["id"]))


def test_a_guest_is_forgotten_too(house: House) -> None:
    """The name of who joins is in the log, and in the rematch it is in the setup."""
    guest = house.browser()
    new = shared(house, guest)
    with at_table(guest, new["id"]) as other:
        other.do("resign", seat=1)
        other.do("rematch", seat=1)
        again = other.now["rematch"]
    assert content(house).count(BEN) == 2
    assert guest.delete("/api/mine").json() == {"deleted": 0, "left": 2}
    assert BEN not in content(house)
    for match in (new["id"], again):
        assert sorted(seats_of(house.client, match)) == [("", False), (ANNA, True)]


def test_names_that_somebody_gave_to_others_seats_go_with_who_made_the_match(house: House) -> None:
    match = made(house.client, {**ME, "name": ANNA}, {**FRIEND, "name": "Unborn"}, clock=CLOCK)
    other = house.browser()
    link = house.client.post(f"/api/matches/{match['id']}/seats/0/invitation").json()
    joined(other, link)
    assert house.client.delete("/api/mine").json() == {"deleted": 0, "left": 1}
    stored = content(house)
    assert "Unborn" not in stored
    assert ANNA not in stored  # the seat stays with the other device, the name does not
    assert seats_of(other, match["id"]) == [("", True), ("", False)]


def test_who_leaves_a_single_match_takes_the_name_along(house: House) -> None:
    friend = house.browser()
    match = shared(house, friend)["id"]
    house.client.delete(f"/api/matches/{match}")
    assert ANNA not in content(house)
    assert seats_of(friend, match) == [("", False), (BEN, True)]


def test_a_link_to_a_seat_of_a_forgotten_device_is_gone(house: House) -> None:
    friend = house.browser()
    match = shared(house, friend)["id"]
    link = house.client.post(f"/api/matches/{match}/seats/0/invitation").json()
    house.client.delete("/api/mine")
    assert joined(house.browser(), link).json()["code"] == "missing"


def test_those_who_sit_there_are_sent_away_and_come_back_as_others(house: House) -> None:
    friend = house.browser()
    match = shared(house, friend)["id"]
    with at_table(house.client, match) as me, at_table(friend, match) as other:
        house.client.delete("/api/mine")
        for seated in (me, other):
            with pytest.raises(WebSocketDisconnect) as closed:
                seated.hear("nothing more")
            assert closed.value.code == RESTART
    with at_table(house.client, match) as me, at_table(friend, match) as other:
        assert [seat["mine"] for seat in me.now["seats"]] == [False, False]
        assert [seat["mine"] for seat in other.now["seats"]] == [False, True]
        assert me.do("resign", seat=0)["code"] == "seat"


def test_a_script_keeps_the_match_that_a_guest_leaves(house: House) -> None:
    new, guest = made(house.script(), ME, FRIEND), house.browser()
    joined(guest, new["seats"][1]["invitation"], BEN)
    assert guest.delete("/api/mine").json() == {"deleted": 0, "left": 1}
    script = house.script(new["seats"][0]["key"])
    assert seats_of(script, new["id"]) == [("", True), ("", False)]


def test_a_page_of_another_site_deletes_nothing(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    answer = house.client.delete("/api/mine", headers={"origin": "https://example.org"})
    assert answer.json()["code"] == "origin"
    assert ids_of(house.client) == [match]


# -- By whoever runs the server -------------------------------------------------


def forget(house: House, device: str) -> int:
    return main(["forget", device, "--data", str(house.folder)])


def test_a_command_forgets_without_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = House(tmp_path)
    with house.opened() as client:
        friend = house.browser()
        made(client, {**ME, "name": ANNA}, SAME)
        together, device = shared(house, friend)["id"], device_of(client)
    assert ANNA.encode() in bytes_in(tmp_path)
    assert forget(house, f" {device.upper()} ") == 0
    assert capsys.readouterr().out == "matches deleted: 1; left to others: 1\n"
    kept = bytes_in(tmp_path)
    assert ANNA.encode() not in kept  # not even in parts of the file that nothing uses
    assert device.encode() not in kept
    assert BEN.encode() in kept
    assert forget(house, device) == 2
    assert f"nothing is kept about device {device}" in capsys.readouterr().err
    with house.opened() as client:
        assert seats_of(client, together) == [("", False), (BEN, False)]


def test_a_command_forgets_beside_a_server(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is live is read again, and so a rematch does not bring anybody back."""
    friend = house.browser()
    alone, together = made(house.client, ME, SAME)["id"], shared(house, friend)["id"]
    device = device_of(house.client)
    with at_table(friend, together) as other, claim_folder(house.folder):
        assert forget(house, device) == 0
        assert "deleted: 1; left to others: 1" in capsys.readouterr().out
        with pytest.raises(WebSocketDisconnect) as closed:
            other.hear("nothing more")
        assert closed.value.code == RESTART
    assert seats_of(house.client, together) == [("", False), (BEN, False)]
    assert house.client.get(f"/api/matches/{alone}").status_code == 404
    assert ids_of(house.client) == []


def test_a_rematch_brings_nobody_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the server has noticed that somebody was forgotten by the command."""
    monkeypatch.setattr(house.server.upkeep, "heed_foreign_writes", lambda: None)
    friend = house.browser()
    match, device = shared(house, friend)["id"], device_of(house.client)
    with at_table(house.client, match) as me:
        me.do("resign", seat=0)
        with claim_folder(house.folder):
            assert forget(house, device) == 0
        me.say(t="do", seat=0, what="rematch", id="again")
        with pytest.raises(WebSocketDisconnect) as closed:
            me.hear("nothing more")
        assert closed.value.code == RESTART
    assert device not in content(house)
    assert ANNA not in content(house)


@pytest.mark.parametrize("device", ["", "nobody", "0" * 31, "g" * 32, "0" * 33])
def test_what_is_no_number_of_a_device_is_named(
    house: House, capsys: pytest.CaptureFixture[str], device: str
) -> None:
    made(house.script(), ME, SAME)  # it was made by no device
    before = content(house)
    assert forget(house, device) == 2
    assert re.search(r"expected the number of a device .*, got", capsys.readouterr().err)
    assert [line for line in before.splitlines() if "alive" not in line] == [
        line for line in content(house).splitlines() if "alive" not in line
    ]


def test_a_folder_without_matches_is_named_and_stays_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "empty"
    assert main(["forget", "0" * 32, "--data", str(folder)]) == 2
    assert f"{folder}: there are no matches" in capsys.readouterr().err
    assert not folder.exists()


def test_a_server_of_another_version_is_left_alone(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    made(house.client, ME, SAME)
    device, engine = device_of(house.client), connect_to(house.folder)
    with claim_folder(house.folder):
        with engine.begin() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
        engine.dispose()
        assert forget(house, device) == 2
    assert "is in use by another version of Roundel" in capsys.readouterr().err
    assert device in content(house)
