"""A server in the same process for the tests of it, with time and computers in our hands."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from roundel import games
from roundel.web.app import make_app
from roundel.web.computer.answers import position_of
from roundel.web.computer.computers import ChosenAction, Computers, OnProgress, SearchProgress
from roundel.web.computer.questions import Think
from roundel.web.requests.visitors import HOUSE, Visitor
from roundel.web.settings import Settings
from roundel.web.tables.server_state import ServerState
from roundel.web.tables.timing import Time

with warnings.catch_warnings():  # it would rather have a package that nothing else here needs
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient, WebSocketTestSession

PATIENT = 60.0  # seconds: the tests' own machine may be busy
HOME = "http://testserver"
GAME = games.ours()[0]
ME, SAME, FRIEND = {"who": "me"}, {"who": "same"}, {"who": "friend"}
COMPUTER = {"who": "computer", "level": 1}


class Hands:
    """A clock that only we move."""

    def __init__(self, at: float = 1000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


class FirstLegal(Computers):
    """Answers at once with the first legal action."""

    def __init__(self) -> None:
        super().__init__(workers=0)
        self.asked: list[int] = []
        self.questions: list[Think] = []
        self.visitors: list[Visitor] = []  # who are charged for it

    async def warm(self, name: str) -> None:
        """There is nothing to load."""

    async def choose(
        self,
        question: Think,
        on_progress: OnProgress = lambda progress: None,
        visitor: Visitor = HOUSE,
    ) -> ChosenAction:
        self.asked.append(question.level)
        self.questions.append(question)
        self.visitors.append(visitor)
        on_progress(SearchProgress(0.1, 3, 55.0))
        position = position_of(question)
        text = position.write(position.legal()[0])
        return ChosenAction(text, question.level, line=[text])


class House:
    """A server, its time, and as many browsers as one likes."""

    def __init__(self, folder: Path, **overrides: Any) -> None:
        self.folder, self.overrides, self.hands = folder, overrides, Hands()
        self.calendar = Hands(1_700_000_000.0)

    @contextmanager
    def opened(self) -> Iterator[TestClient]:
        """The server from its start to its end, and a first browser."""
        usual = {"requests": 10_000.0, "messages": 10_000.0, "pace": 0.0}
        settings = Settings(data=str(self.folder), **(usual | self.overrides))
        time = Time(self.hands, self.calendar)
        self.computers = FirstLegal()
        self.server = ServerState(settings, time=time, computers=self.computers)
        self.server.workshop.limit = PATIENT
        self.app = make_app(settings, self.server)
        with TestClient(self.app, HOME, headers={"origin": HOME}) as client:
            self.client = client
            yield client

    def browser(self, address: str = "testclient") -> TestClient:
        """Another device."""
        other = TestClient(self.app, HOME, headers={"origin": HOME}, client=(address, 50000))
        other.portal = self.client.portal  # in the same loop, or locks would not hold
        return other

    def script(self, key: str = "") -> TestClient:
        """No browser: no origin, no cookie, perhaps a key."""
        headers = {"authorization": f"Bearer {key}"} if key else {}
        other = TestClient(self.app, HOME, headers=headers)
        other.portal = self.client.portal
        return other


def browser_of(app: Any) -> TestClient:
    """A browser for something smaller than a server."""
    return TestClient(app, HOME)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    with house.opened():
        yield house


def made(client: TestClient, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A new match of the first game, unless told otherwise."""
    wish = {"spec": GAME, "seats": list(seats), **more}
    answer = client.post("/api/matches", json=wish)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


@contextmanager
def at_table(client: TestClient, match: str, more: str = "") -> Iterator[Seated]:
    with client.websocket_connect(f"/ws?match={match}{more}") as socket:
        yield Seated(socket, match)


class Seated:
    """Somebody at a table."""

    def __init__(self, socket: WebSocketTestSession, match: str) -> None:
        self.socket, self.match = socket, match
        self.seen: list[dict[str, Any]] = []
        self.now: dict[str, Any] = {}
        self.hear("snapshot")

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while (message := self.next())["t"] not in kinds:
            pass
        return message

    def answer(self, id: str, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds, or the event that answers this id."""
        while (message := self.next())["t"] not in kinds:
            if message["t"] == "event" and id == message["id"] != "":
                break
        return message

    def next(self) -> dict[str, Any]:
        message: dict[str, Any] = self.socket.receive_json()
        self.seen.append(message)
        self.now = message.get("now", self.now)
        return message

    def say(self, **message: Any) -> None:
        self.socket.send_json({"match": self.match, **message})

    def act(self, seat: int, id: str = "", **more: Any) -> dict[str, Any]:
        """Play the first legal action; returns the answer."""
        wish = {"ply": self.now["ply"], **more}
        if not {"action", "path"} & wish.keys():
            wish["action"] = first(self.now["paths"])
        self.say(t="act", seat=seat, id=id, **wish)
        return self.answer(id, "ack", "refused", "more")

    def do(self, what: str, seat: int = 0, id: str = "", **more: Any) -> dict[str, Any]:
        self.say(t="do", seat=seat, what=what, id=id, **more)
        return self.answer(id, "ack", "refused", "hint")


def first(paths: dict[str, Any] | str) -> str:
    """The first action of a tree of clicks."""
    while not isinstance(paths, str):
        paths = next(iter(paths.values()))
    return paths


def joined(friend: TestClient, invitation: dict[str, str], name: str = "Ben") -> Any:
    """Take a seat by its link."""
    token = invitation["url"].rpartition("/")[2]
    return friend.post(f"/api/invitations/{token}", json={"name": name})
