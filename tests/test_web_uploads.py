"""Records that people send: read elsewhere, within a limit, and nobody else waits."""

import asyncio

import pytest

from roundel.core.lang import speaking
from roundel.web.computer.fair_queue import Busy
from roundel.web.computer.questions import MatchRead
from roundel.web.computer.uploads import LONGEST
from roundel.web.computer.workshop import WAITING, Workshop
from roundel.web.requests.problems import Problem
from roundel.web.requests.visitors import HOUSE, Visitor
from tests.test_computers import READY, SAYS, fake
from tests.web import GAME, House, house

__all__ = ["house"]
PATIENT = 60.0  # seconds: the tests' own machine may be busy
FOUND = MatchRead("{}", [], "draw")
SAYS_FOUND = SAYS.format('{"type": "MatchRead", "setup": "{}", "events": [], "result": "draw"}')


def read(workshop: Workshop, content: str = "", language: str = "en") -> MatchRead:
    async def work() -> MatchRead:
        try:
            return await workshop.read(content, HOUSE)
        finally:
            await workshop.stop()

    with speaking(language):
        return asyncio.run(work())


def test_a_record_that_takes_too_long_is_refused() -> None:
    with pytest.raises(Problem, match="takes too long") as refused:
        read(Workshop(fake(READY), limit=0.0))
    assert refused.value.code == "size"


@pytest.mark.parametrize("strange", ["sys.exit()", "print('what?', flush=True)"])
def test_a_process_that_dies_is_replaced(strange: str, tmp_path: object) -> None:
    body = f"exec({strange!r} if is_first({f'{tmp_path}/asked'!r}) else {SAYS_FOUND!r})"
    assert read(Workshop(fake(body), PATIENT)) == FOUND
    with pytest.raises(Problem, match="something went wrong") as refused:
        read(Workshop(fake(strange), PATIENT))
    assert refused.value.code == "error"


def test_the_longest_record_that_is_allowed_comes_back_whole() -> None:
    """As one line, much longer than asyncio reads by default."""
    event = "x" * 100
    says = f"{{'type': 'MatchRead', 'setup': '', 'events': ['{event}'] * {LONGEST}, 'result': ''}}"
    found = read(Workshop(fake(f"{READY}; {SAYS.format(says)}"), PATIENT))
    assert found == MatchRead("", [event] * LONGEST, "")


def test_what_is_wrong_is_said_in_the_language_of_whoever_sent_it() -> None:
    broken = f'[Game "{GAME}"]\n\n1. nothing'
    for language, words in (("en", "line 3, column 4"), ("fr", "ligne 3, colonne 4")):
        with pytest.raises(Problem, match=f"(?i){words}"):
            read(Workshop(limit=PATIENT), broken, language)


def test_those_who_wait_are_bounded() -> None:
    workshop = Workshop(fake(f"{READY}; {SAYS_FOUND}"), PATIENT)

    async def work() -> list[object]:
        visitors = [Visitor(f"192.0.2.{number}", "") for number in range(WAITING + 4)]
        asked = [workshop.read("", visitor) for visitor in visitors]
        try:
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            await workshop.stop()

    answers = asyncio.run(work())
    assert [type(answer) for answer in answers if answer != FOUND] == [Busy] * 3


def test_the_server_answers_others_while_a_record_is_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, done = asyncio.Event(), asyncio.Event()

    async def slow(content: str, visitor: Visitor) -> MatchRead:
        begun.set()
        await done.wait()
        raise Problem("invalid", "no")

    monkeypatch.setattr(house.server.workshop, "read", slow)
    assert house.client.portal
    sent = house.client.portal.start_task_soon(asyncio.to_thread, upload, house)
    house.client.portal.call(begun.wait)
    assert house.browser().get("/api/mine").status_code == 200
    house.client.portal.call(done.set)
    assert sent.result() == 422


def upload(house: House) -> int:
    answer = house.browser().post("/api/records", json={"text": "x"})
    return int(answer.status_code)
