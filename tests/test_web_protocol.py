"""Several clients of one match say whatever they like; the log is what was acknowledged.

A live server and real sockets. Hypothesis lets clients act well, twice, late, out of order, for
seats that are not theirs, for other matches, and talk nonsense.
"""

import json
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from scripts.load.server import ServerProcess
from scripts.load.tables import browser
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from roundel import games
from roundel.core.position import Position
from roundel.web.settings import Settings

SPEC = games.load(games.ours()[0]).spec
PATIENCE = 30.0  # seconds until an answer must be there
LONGEST, TOO_LONG = 2048, 1009  # bytes of a message, and the code of what follows a longer one
AT_ONCE = int(Settings().messages * Settings().burst)  # messages on a socket
CLOSINGS = {1012, 1013}  # come back, come back later
SILENT, BOTH, OTHER = 2, 3, 4  # beside the two players: a spectator, a second tab, another table
CODES = {"stale", "turn", "illegal", "over", "seat", "not_now", "invalid"}
GRANTED = ("event", "ack")

Message = dict[str, Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("data")) as server:
        yield server


Holder = dict[str, str]  # the headers by which somebody is known


def post(server: ServerProcess, path: str, body: object, headers: Holder) -> Any:
    headers = {"Content-Type": "application/json", **headers}
    url = f"http://{server.url}/api/{path}"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return json.load(response)


def made(server: ServerProcess) -> tuple[str, list[Holder]]:
    """A new match of a script, which has a key, and of a browser, which was invited."""
    wish = {"spec": SPEC, "seats": [{"who": "me"}, {"who": "friend"}]}
    match = post(server, "matches", wish, {})
    mine, friend = match["seats"]
    invited = browser(server.url, match["id"])
    post(server, f"invitations/{friend['invitation']['url'].rpartition('/')[2]}", {}, invited)
    return match["id"], [{"Authorization": f"Bearer {mine['key']}"}, invited]


def mistakes(server: ServerProcess) -> float:
    """How many errors the server has noted."""
    with urllib.request.urlopen(f"http://{server.url}/metrics", timeout=PATIENCE) as response:
        lines = response.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("roundel_errors_total"))


class Client:
    """A socket that comes back when it is closed, and what was told on it.

    It also does so before it has said more than one socket may say at once.
    """

    def __init__(self, server: ServerProcess, match: str, holder: Holder) -> None:
        self.url = f"ws://{server.url}/ws?match={match}&views=no"
        self.holder = holder
        self.socket: ClientConnection | None = None
        self.sent = 0  # messages on this socket
        self.stack = ExitStack()
        self.seq, self.history = -1, list[Message]()

    def ask(self, *texts: str | bytes) -> list[Message]:
        """Send messages; all answers to them. They are answered in turn, so a pong is the last."""
        self.sent += len(texts) + 1
        if self.sent > AT_ONCE:
            self.close()
            self.sent = len(texts) + 1
        socket = self.connected()
        found = list[Message]()
        try:
            for text in (*texts, json.dumps({"t": "ping"})):
                socket.send(text)
            while (told := json.loads(socket.recv(PATIENCE)))["t"] != "pong":
                self.learn(told)
                found.append(told)
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            assert closed.rcvd.code in CLOSINGS
            self.close()
        return [told for told in found if told.get("id") or told["t"] == "refused"]

    def closing_code(self, text: str) -> int:
        """Send something that ends the connection; how it was ended."""
        socket = self.connected()
        socket.send(text)
        try:
            while True:
                socket.recv(PATIENCE)
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            return closed.rcvd.code
        finally:
            self.close()

    def connected(self) -> ClientConnection:
        if self.socket is None:
            self.seq = -1
            opening = connect(
                self.url, additional_headers=self.holder, compression=None, proxy=None
            )
            self.socket = self.stack.enter_context(opening)
        return self.socket

    def learn(self, told: Message) -> None:
        """Events follow each other without a gap; what they bring is what a snapshot would say."""
        if told["t"] == "snapshot":
            self.seq, self.history = told["seq"], told["history"]
        elif told["t"] == "event":
            assert told["seq"] == self.seq + 1
            self.seq = told["seq"]
            self.history = self.history[: told["kept"]] + told["history"]
        if "now" in told:
            assert told["now"]["ply"] == len(self.history)
        assert "key" not in json.dumps(told)

    def close(self) -> None:
        self.stack.close()
        self.socket = None


numbers = st.integers(0, 1000)
players = st.sampled_from([0, 1])
seats = st.integers(-1, 4)
clients = st.sampled_from([0, 1, SILENT, BOTH, OTHER])
demands = st.sampled_from(["undo", "offer", "answer", "say", "abort", "claim", "rematch", "dance"])
nonsense = st.one_of(
    st.text(max_size=30),
    st.binary(max_size=30),
    st.sampled_from(["", "{", "[]", "null", '{"t":"act"}', '{"t":"act","seat":"0"}', '{"t":9}']),
    st.builds(lambda n: json.dumps({"t": "dance", "more": "x" * n}), st.integers(0, 2000)),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=8,
    ).map(json.dumps),
)


class Protocol(RuleBasedStateMachine):
    server: ServerProcess

    @initialize()
    def open(self) -> None:
        self.match, (mine, friend) = made(self.server)
        other, strangers = made(self.server)
        places = [(self.match, holder) for holder in (mine, friend, {}, mine)]
        places.append((other, strangers[0]))
        self.clients = [Client(self.server, match, holder) for match, holder in places]
        self.sent: dict[tuple[int, str], tuple[Message, int]] = {}  # by seat and id, with the seq
        self.log: list[str] = []  # the actions that stand
        self.count = 0

    def position(self) -> Position:
        return games.load(SPEC).start(" ".join(self.log))

    def message(self, seat: int, ply: int, action: str, **more: Any) -> Message:
        self.count += 1
        whole = {"t": "act", "match": self.match, "seat": seat, "ply": ply, "action": action}
        return {**whole, "id": f"id{self.count}", **more}

    def next_message(self, number: int) -> Message:
        position = self.position()
        legal = position.legal()
        action = position.write(legal[number % len(legal)])
        return self.message(position.player or 0, position.ply, action)

    def say(self, client: int, *messages: Message) -> list[Message]:
        found = self.clients[client].ask(*map(json.dumps, messages))
        assert [told["id"] for told in found] == [message["id"] for message in messages]
        assert all(told["t"] in GRANTED or told["code"] in CODES for told in found), found
        return found

    def is_going_on(self) -> bool:
        return not self.position().over

    # -- What clients do ----------------------------------------------------------

    @precondition(is_going_on)
    @rule(number=numbers, second_tab=st.booleans())
    def act(self, number: int, second_tab: bool) -> None:
        message = self.next_message(number)
        client = BOTH if second_tab and message["seat"] == 0 else message["seat"]
        (told,) = self.say(client, message)
        assert told["t"] == "event"
        self.acknowledge(message, told)

    def acknowledge(self, message: Message, told: Message) -> None:
        self.log.append(message["action"])
        self.sent[message["seat"], message["id"]] = message, told["seq"]

    @precondition(lambda self: bool(self.sent))
    @rule(number=numbers, times=st.integers(1, 3))
    def repeat(self, number: int, times: int) -> None:
        """What was acknowledged is acknowledged again, and not played again."""
        message, seq = list(self.sent.values())[number % len(self.sent)]
        found = self.say(message["seat"], *[message] * times)
        assert [(told["t"], told["seq"]) for told in found] == [("ack", seq)] * times

    @precondition(is_going_on)
    @rule(number=numbers, client=players)
    def act_twice_at_once(self, number: int, client: int) -> None:
        """A second message for the same ply comes too late."""
        first = self.next_message(number)
        second = {**first, "id": first["id"] + "b"}
        told, late = self.say(first["seat"], first, second)
        self.acknowledge(first, told)
        code = "stale" if self.is_going_on() else "over"
        assert (told["t"], late["t"], late["code"]) == ("event", "refused", code)

    @precondition(is_going_on)
    @rule(number=numbers)
    def act_in_the_wrong_order(self, number: int) -> None:
        first = self.next_message(number)
        after = self.position().play(first["action"])
        if after.player == first["seat"]:
            later = self.message(first["seat"], after.ply, after.write(after.legal()[0]))
            early, told = self.say(first["seat"], later, first)
            assert (early["t"], told["t"]) == ("refused", "event")
            self.acknowledge(first, told)

    @precondition(lambda self: bool(self.log) and self.is_going_on())
    @rule(number=numbers, behind=st.integers(1, 5))
    def act_late(self, number: int, behind: int) -> None:
        message = self.next_message(number)
        (told,) = self.say(message["seat"], {**message, "ply": max(message["ply"] - behind, 0)})
        assert (told["t"], told["code"]) == ("refused", "stale")

    @precondition(is_going_on)
    @rule(number=numbers, client=clients)
    def forge(self, number: int, client: int) -> None:
        """A good action from somebody who may not play it."""
        message = self.next_message(number)
        if client in (message["seat"], BOTH if message["seat"] == 0 else None):
            client = SILENT
        (told,) = self.say(client, message)
        assert (told["t"], told["code"]) == ("refused", "seat")

    @precondition(is_going_on)
    @rule(number=numbers)
    def forge_a_match(self, number: int) -> None:
        message = self.next_message(number)
        (told,) = self.say(message["seat"], {**message, "match": "another"})
        assert (told["t"], told["code"]) == ("refused", "seat")

    @precondition(is_going_on)
    @rule(action=st.text(max_size=12))
    def act_illegally(self, action: str) -> None:
        position = self.position()
        if action not in map(position.write, position.legal()):
            seat = position.player or 0
            (told,) = self.say(seat, self.message(seat, position.ply, action))
            assert (told["t"], told["code"] in ("illegal", "invalid")) == ("refused", True)

    @rule(client=clients, seat=seats, what=demands, offer=st.sampled_from(["draw", "takeback"]))
    def demand(self, client: int, seat: int, what: str, offer: str) -> None:
        """Whatever is asked for here is refused, or changes no action: nobody says yes."""
        if what in ("undo", "abort") and client in (seat, BOTH):
            what = "say"  # these would be granted, and are tried elsewhere
        message = {"t": "do", "match": self.match, "seat": seat, "what": what, "offer": offer}
        for told in self.clients[client].ask(json.dumps({**message, "id": f"do{self.count}"})):
            assert told["t"] in GRANTED or told["code"] in CODES, told
        self.count += 1

    @rule(client=clients, texts=st.lists(nonsense, min_size=1, max_size=3))
    def talk_nonsense(self, client: int, texts: list[str | bytes]) -> None:
        for told in self.clients[client].ask(*texts):
            assert (told["t"], told["code"]) == ("refused", "invalid")

    @rule(client=clients, length=st.integers(LONGEST + 1, 3 * LONGEST))
    def talk_too_long(self, client: int, length: int) -> None:
        assert self.clients[client].closing_code("x" * length) == TOO_LONG

    @rule(client=clients)
    def come_back(self, client: int) -> None:
        self.clients[client].close()

    # -- What must be so then -----------------------------------------------------

    @invariant()
    def everybody_agrees(self) -> None:
        for client in self.clients[:OTHER]:
            client.ask()
            before = client.seq, client.history
            client.ask(json.dumps({"t": "sync"}))
            assert (client.seq, client.history) == before
            assert [entry["text"] for entry in client.history] == self.log
        assert len({client.seq for client in self.clients[:OTHER]}) == 1

    def teardown(self) -> None:
        for client in getattr(self, "clients", []):
            client.close()
        assert mistakes(self.server) == 0


def test_the_log_is_what_was_acknowledged(server: ServerProcess) -> None:
    machine = type("Machine", (Protocol,), {"server": server})
    few = settings(max_examples=8, stateful_step_count=25)
    run_state_machine_as_test(machine, settings=few)
