"""The server's time is shared: an address that takes too much of it waits, if others are there."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import pytest

from roundel.web.requests.shares import BURST, LONGEST, RECENT, REMEMBERED, SHARE, Shares
from tests.web import Hands, House, house

__all__ = ["house"]


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def shares(hands: Hands) -> Shares:
    return Shares(hands)


def test_who_is_alone_may_use_everything(shares: Shares) -> None:
    for _ in range(100):
        shares.charge("greedy", 1.0)
    assert shares.wait("greedy") == 0
    assert shares.wait("never seen") == 0


def test_as_soon_as_somebody_is_there_the_greedy_wait_and_not_for_long(
    shares: Shares, hands: Hands
) -> None:
    shares.charge("greedy", 1000.0)
    shares.charge("modest", 0.001)
    assert shares.wait("greedy") == pytest.approx(LONGEST)
    assert shares.wait("modest") == 0
    hands.at += LONGEST / 2
    assert shares.wait("greedy") == pytest.approx(LONGEST / 2)
    hands.at += LONGEST / 2
    assert shares.wait("greedy") == 0


def test_when_the_others_have_left_nobody_waits(shares: Shares, hands: Hands) -> None:
    shares.charge("modest", 0.001)
    hands.at += RECENT
    shares.charge("greedy", 1000.0)
    assert shares.wait("greedy") > 0
    hands.at += 0.01
    assert shares.wait("greedy") == 0


def test_a_share_is_for_good(shares: Shares, hands: Hands) -> None:
    """Whoever works in small pieces gets as much of the time as a share is, and no more."""
    worked, begun = 0.0, hands.at
    while hands.at - begun < 100:
        shares.charge("modest", 0.0)
        if wait := shares.wait("greedy"):
            hands.at += wait
        else:
            hands.at += 0.01
            worked += 0.01
            shares.charge("greedy", 0.01)
    assert worked == pytest.approx(100 * SHARE, rel=0.01)


def test_all_who_wait_have_one_share_together(shares: Shares) -> None:
    """Otherwise two addresses would have all of the time."""

    async def wait() -> None:
        for name in "ab":
            shares.charge(name, 1000.0)
        shares.charge("modest", 0.001)
        assert shares.wait("a") == pytest.approx(LONGEST)
        waiting = [asyncio.create_task(shares.turn(name)) for name in "ab"]
        await asyncio.sleep(0)
        assert shares.wait("a") == pytest.approx(2 * LONGEST)
        assert shares.wait("modest") == 0
        waiting[1].cancel()
        await asyncio.wait(waiting[1:])
        assert shares.wait("a") == pytest.approx(LONGEST)
        waiting[0].cancel()

    asyncio.run(wait())


def test_addresses_are_forgotten(shares: Shares) -> None:
    for number in range(REMEMBERED + 10):
        shares.charge(str(number), 1.0)
    assert len(shares.accounts) == REMEMBERED


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch, hands: Hands) -> list[float]:
    """How long somebody waited; no time is lost by it."""
    waits: list[float] = []
    yields = asyncio.sleep

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        hands.at += seconds
        await yields(0)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return waits


def test_turns_come_one_after_the_other(shares: Shares, slept: list[float]) -> None:
    """Not all of those who waited at once: each is charged before the next looks."""
    order: list[str] = []

    async def work(name: str) -> None:
        await shares.turn("greedy")
        order.append(name)
        shares.charge("greedy", 1.0)

    async def all_of_them() -> None:
        shares.charge("greedy", 1.0)
        shares.charge("modest", 0.0)
        await asyncio.gather(*(work(name) for name in "abc"), shares.turn("modest"))

    asyncio.run(all_of_them())
    assert order == ["a", "b", "c"]
    assert sum(slept) == pytest.approx(3 * LONGEST)


class Step:
    """What is awaited: it is asked for something once, and what it gets comes back."""

    def __await__(self) -> Generator[object, object, str]:
        yield None
        return "done"


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_work_is_charged_without_what_it_waits_for(hands: Hands, is_cancelled: bool) -> None:
    shares, seen = Shares(hands), list[str]()

    async def work() -> str:
        spin(0.02)
        try:
            await asyncio.Event().wait() if is_cancelled else await Step()
        except asyncio.CancelledError:
            spin(0.02)
            seen.append("cancelled")
            raise
        spin(0.02)
        return "result"

    async def run() -> Any:
        task = asyncio.ensure_future(as_coroutine(shares.metered(work(), "me")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        if is_cancelled:
            task.cancel()
        return (await asyncio.gather(task, return_exceptions=True))[0]

    result = asyncio.run(run())
    assert 0.04 <= shares.accounts["me"].debt < BURST + SHARE * LONGEST
    assert seen == (["cancelled"] if is_cancelled else [])
    assert isinstance(result, asyncio.CancelledError) if is_cancelled else result == "result"


async def as_coroutine(work: Awaitable[Any]) -> Any:
    return await work


def spin(seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def test_what_fails_fails_as_before(shares: Shares) -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        asyncio.run(as_coroutine(shares.metered(work(), "me")))


def test_requests_and_messages_wait_for_their_turn_and_are_charged(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = house.server.shares
    asked: list[str] = []

    def noted(turn: Callable[[str], Awaitable[None]]) -> Callable[[str], Awaitable[None]]:
        async def turning(address: str) -> None:
            asked.append(address)
            await turn(address)

        return turning

    monkeypatch.setattr(shares, "turn", noted(shares.turn))
    browser = house.browser("192.0.2.1")
    assert browser.get("/health").status_code == 200
    assert asked == ["192.0.2.1"]
    assert shares.accounts["192.0.2.1"].debt > 0
    assert browser.get("/health?lang=xx").status_code == 422  # refusals cost as well
    assert len(asked) == 2
