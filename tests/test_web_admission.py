"""Sockets are shared: nobody can take all of them, neither an address nor a device behind one."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from starlette.websockets import WebSocketDisconnect

from roundel.web.sockets.session import FULL
from tests.web import ME, SAME, House, made


class Hall:
    """A server with few sockets, and visitors of many addresses who come to one match."""

    def __init__(self, house: House, stack: ExitStack) -> None:
        self.house, self.stack = house, stack
        self.match = made(house.client, ME, SAME)["id"]

    def come(self, address: str, device: str = "") -> Any:
        browser = self.house.browser(address)
        if device:
            browser.cookies["roundel-device"] = f"the device of {device} with a long secret"
        return self.stack.enter_context(browser.websocket_connect(f"/ws?match={self.match}"))

    def answer(self, address: str, device: str = "") -> str:
        told: dict[str, str] = self.come(address, device).receive_json()
        return told["reason" if told["t"] == "refused" else "t"]


@contextmanager
def hall(folder: Path, sockets: int) -> Iterator[Hall]:
    house = House(folder, sockets=sockets)
    with house.opened(), ExitStack() as stack:
        yield Hall(house, stack)
        stack.close()
        assert house.server.sockets.count == 0
        assert "roundel_sockets 0.0" in house.client.get("/metrics").text


def was_sent_away(socket: Any) -> bool:
    """Nothing but what the table tells, until the end."""
    try:
        while True:
            socket.receive_json()
    except WebSocketDisconnect as closed:
        return closed.code == FULL


def test_an_address_cannot_take_all_sockets(tmp_path: Path) -> None:
    with hall(tmp_path, 8) as here:
        answers = [here.answer("192.0.2.1") for _ in range(4)]
        assert answers[:2] == ["snapshot", "snapshot"]
        assert all("your address" in answer for answer in answers[2:])
        assert here.answer("192.0.2.2") == "snapshot"


def test_a_network_is_one_address(tmp_path: Path) -> None:
    with hall(tmp_path, 8) as here:
        answers = [here.answer(f"2001:db8::{n}") for n in range(3)]
        assert [answer == "snapshot" for answer in answers] == [True, True, False]


def test_if_all_are_taken_those_who_have_most_make_room(tmp_path: Path) -> None:
    with hall(tmp_path, 8) as here:
        taken = [here.come(f"192.0.2.{n // 2}") for n in range(8)]
        for late in range(4):
            assert here.answer(f"192.0.2.{100 + late}") == "snapshot"
            assert was_sent_away(taken[2 * late])
        assert "too many people" in here.answer("192.0.2.200")  # now that all have one
        assert here.house.server.sockets.count == 8


def test_a_device_cannot_take_the_share_of_its_address(tmp_path: Path) -> None:
    with hall(tmp_path, 16) as here:
        greedy = [here.come("192.0.2.1", "greedy") for _ in range(4)]
        assert here.answer("192.0.2.1", "modest") == "snapshot"
        assert here.answer("192.0.2.1", "other") == "snapshot"
        assert all(was_sent_away(socket) for socket in greedy[:2])
        assert "your address" in here.answer("192.0.2.1", "greedy")


def test_who_finds_no_table_gives_the_place_back(tmp_path: Path) -> None:
    with hall(tmp_path, 4) as here:
        here.match = "none"
        assert "no match" in here.answer("192.0.2.1")
        assert here.house.server.sockets.count == 0
