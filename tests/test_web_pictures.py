"""Pictures of matches: drawn elsewhere, in turn, and nobody else waits."""

import asyncio
import contextlib
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from roundel import games, picture
from roundel.web.computer.fair_queue import Busy
from roundel.web.computer.workshop import KEPT, WAITING, Workshop
from roundel.web.requests.problems import problem_of
from roundel.web.requests.visitors import HOUSE, Visitor
from tests.test_computers import READY, SAYS, fake
from tests.web import GAME, ME, PATIENT, SAME, House, house, made

__all__ = ["house"]
GREEDY, OTHER = Visitor("192.0.2.1", ""), Visitor("192.0.2.2", "")
FOUND = "{'type': 'MatchRead', 'setup': '{}', 'events': [], 'result': 'draw'}"
ANY = f"{{'type': 'Drawn', 'png': ''}} if asked['type'] == 'Draw' else {FOUND}"
SAYS_ANY = f"{READY}; {SAYS.format(ANY)}"

Work = Callable[[Workshop], Coroutine[Any, Any, Any]]


def run(workshop: Workshop, work: Work) -> Any:
    async def all_of_it() -> Any:
        try:
            return await work(workshop)
        finally:
            await workshop.stop()

    return asyncio.run(all_of_it())


def test_a_picture_is_the_one_that_we_would_draw() -> None:
    svg = picture.svg(games.load(GAME).start())
    drawn = run(Workshop(limit=PATIENT), lambda workshop: workshop.draw(svg, 300, HOUSE))
    assert drawn == picture.png(svg, 300)


def test_the_server_answers_others_while_a_picture_is_drawn(house: House, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    drawing = f"{READY}; open({str(gate)!r}).read(); {SAYS_ANY}"
    house.server.workshop = Workshop(fake(drawing), PATIENT)
    address = f"/api/matches/{made(house.client, ME, SAME)['id']}/picture.png"
    assert house.client.portal
    wanted = house.client.portal.start_task_soon(
        asyncio.to_thread, lambda: house.browser().get(address).status_code
    )
    held = None
    while held is None:
        assert house.browser().get("/api/mine").status_code == 200
        assert not wanted.done()
        with contextlib.suppress(OSError):  # the process has not come to it yet
            held = os.open(gate, os.O_WRONLY | os.O_NONBLOCK)
    assert house.browser().get("/api/mine").status_code == 200
    assert not wanted.done()
    os.close(held)
    assert wanted.result() == 200


def test_a_picture_that_takes_too_long_can_be_asked_for_again() -> None:
    with pytest.raises(Busy, match="drawing the picture takes too long") as refused:
        run(Workshop(fake(READY), limit=0.0), lambda workshop: workshop.draw("", 1, HOUSE))
    assert (problem_of(refused.value).code, problem_of(refused.value).retry) == ("busy", 1.0)


def test_those_who_wait_are_bounded() -> None:
    async def work(workshop: Workshop) -> list[object]:
        asked = [workshop.draw(str(number), 1, GREEDY) for number in range(WAITING + 4)]
        return await asyncio.gather(*asked, return_exceptions=True)

    answers = run(Workshop(fake(SAYS_ANY), PATIENT), work)
    refused = [answer for answer in answers if answer != b""]
    assert [type(answer) for answer in refused] == [Busy] * 3
    assert "too many records and pictures are waiting" in str(refused[0])


@pytest.mark.parametrize("is_record", [True, False])
def test_a_record_waits_for_one_picture_of_somebody_else_and_vice_versa(is_record: bool) -> None:
    async def work(workshop: Workshop) -> list[Visitor]:
        order: list[Visitor] = []

        async def ask(number: int, visitor: Visitor, is_record: bool) -> None:
            if is_record:
                await workshop.read("", visitor)
            else:
                await workshop.draw(str(number), 1, visitor)
            order.append(visitor)

        many = [ask(number, GREEDY, not is_record) for number in range(8)]
        await asyncio.gather(*many, ask(8, OTHER, is_record))
        return order

    assert run(Workshop(fake(SAYS_ANY), PATIENT), work)[1] == OTHER


def test_the_last_pictures_are_kept(tmp_path: Path) -> None:
    counts = tmp_path / "counts"
    count = f"open({str(counts)!r}, 'a').write('x')"

    async def work(workshop: Workshop) -> list[int]:
        sizes = []
        for svgs in (["a", "a"], [str(number) for number in range(KEPT - 1)], ["a"], ["b"], ["0"]):
            for svg in svgs:
                await workshop.draw(svg, 1, HOUSE)
            sizes.append(counts.stat().st_size)
        assert len(workshop.pictures) == KEPT
        await workshop.draw("a", 2, HOUSE)  # another width, another picture
        return [*sizes, counts.stat().st_size]

    found = run(Workshop(fake(f"{count}; {SAYS_ANY}"), PATIENT), work)
    assert found == [1, KEPT, KEPT, KEPT + 1, KEPT + 2, KEPT + 3]
