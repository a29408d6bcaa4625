"""The queue for the computer: nobody is starved by somebody else."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from roundel.web.computer.fair_queue import Busy, FairQueue
from roundel.web.requests.visitors import Visitor, network_of

GREEDY, OTHER = Visitor("192.0.2.1", "greedy"), Visitor("192.0.2.2", "other")
CLASSMATE = Visitor("192.0.2.1", "classmate")


def served(queue: FairQueue, *visitors: Visitor) -> list[Visitor]:
    """In which order they are, if all have come before the first is called."""
    order: list[Visitor] = []

    async def visit(visitor: Visitor) -> None:
        await queue.enter(visitor)
        order.append(visitor)
        await asyncio.sleep(0)
        queue.leave(visitor)

    async def work() -> None:
        places, queue.free = queue.free, 0
        visits = [asyncio.create_task(visit(visitor)) for visitor in visitors]
        await asyncio.sleep(0)
        queue.free = places
        queue.call()
        await asyncio.gather(*visits)

    asyncio.run(work())
    return order


def test_addresses_are_served_in_turn() -> None:
    order = served(FairQueue(1, 100), *[GREEDY] * 20, OTHER, OTHER)
    assert order[1] == OTHER
    assert order[3] == OTHER


def test_devices_behind_one_address_are_served_in_turn() -> None:
    order = served(FairQueue(1, 100), *[GREEDY] * 20, CLASSMATE, CLASSMATE)
    assert order[1] == CLASSMATE
    assert order[3] == CLASSMATE


def test_one_place_is_left_for_others() -> None:
    queue = FairQueue(2, 100)

    async def work() -> None:
        await queue.enter(GREEDY)
        second = asyncio.create_task(queue.enter(GREEDY))
        await asyncio.sleep(0)
        assert not second.done()
        await queue.enter(OTHER)  # at once
        queue.leave(GREEDY)
        await second

    asyncio.run(work())


def test_who_waits_most_often_is_sent_away_from_a_full_line() -> None:
    async def work() -> None:
        queue = FairQueue(1, 4)
        await queue.enter(GREEDY)
        greedy = [asyncio.create_task(queue.enter(GREEDY)) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await queue.enter(GREEDY)
        waits = [asyncio.create_task(queue.enter(one)) for one in (OTHER, CLASSMATE)]
        sent_away = await asyncio.gather(*greedy[2:], return_exceptions=True)
        assert [type(reason) for reason in sent_away] == [Busy, Busy]
        assert not any(task.done() for task in (*greedy[:2], *waits))
        for task in (*greedy[:2], *waits):
            task.cancel()

    asyncio.run(work())


def test_what_is_brief_takes_the_place_that_is_left() -> None:
    async def work() -> None:
        queue = FairQueue(2, 100)
        await queue.enter(GREEDY)
        brief = asyncio.create_task(queue.enter(GREEDY, is_brief=True))
        await asyncio.sleep(0)
        assert brief.done()

    asyncio.run(work())


@pytest.mark.parametrize(
    "waiting", [[GREEDY, OTHER], [CLASSMATE, CLASSMATE, GREEDY]], ids=["addresses", "devices"]
)
def test_nobody_is_sent_away_for_who_would_then_wait_more_often(waiting: list[Visitor]) -> None:
    async def work() -> None:
        queue, comes = FairQueue(1, len(waiting)), waiting[-1]
        await queue.enter(Visitor("192.0.2.3", "inside"))
        tasks = [asyncio.create_task(queue.enter(visitor)) for visitor in (*waiting, comes)]
        await asyncio.sleep(0)
        assert [waiter.visitor for waiter in queue.waiting] == waiting
        with pytest.raises(Busy):
            await tasks.pop()
        for task in tasks:
            task.cancel()

    asyncio.run(work())


def test_who_gives_up_as_they_are_sent_away_leaves_no_place() -> None:
    async def work() -> None:
        queue = FairQueue(1, 2)
        await queue.enter(OTHER)
        greedy = [asyncio.create_task(queue.enter(GREEDY)) for _ in range(2)]
        await asyncio.sleep(0)
        comes = asyncio.create_task(queue.enter(OTHER))
        await asyncio.sleep(0)
        assert len(queue.waiting) == 2
        greedy[1].cancel()
        await asyncio.gather(greedy[1], return_exceptions=True)
        await asyncio.sleep(0)
        assert (queue.free, comes.done(), greedy[0].done()) == (0, False, False)
        for task in (comes, greedy[0]):
            task.cancel()

    asyncio.run(work())


@pytest.mark.parametrize("when", ["waiting", "called"])
def test_whoever_gives_up_leaves_the_place_to_others(when: str) -> None:
    async def work() -> None:
        queue = FairQueue(1, 4)
        await queue.enter(GREEDY)
        first, second = (asyncio.create_task(queue.enter(one)) for one in (OTHER, CLASSMATE))
        await asyncio.sleep(0)
        if when == "called":
            queue.leave(GREEDY)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        if when == "waiting":
            queue.leave(GREEDY)
        await second

    work_with_limit(work)


def work_with_limit(work: Callable[[], Awaitable[None]]) -> None:
    """What would hang is a failure."""
    asyncio.run(asyncio.wait_for(work(), 60))


def test_an_ipv6_network_counts_as_one_address() -> None:
    same = {network_of(f"2001:db8:1:2::{number:x}") for number in range(9)}
    assert same == {"2001:db8:1:2::"}
    assert network_of("2001:db8:1:3::1") not in same
    assert network_of("fe80::1%eth0") == "fe80::"
    assert network_of("no address:") == "no address:"
