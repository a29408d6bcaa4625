"""The computer at the table: processes that think, get stuck, die, and are replaced."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from roundel import games
from roundel.search.options import MATCHES_KEPT
from roundel.web.computer import computers, worker_process
from roundel.web.computer.computers import ANYTHING, SHORTER, Busy, Computers, Progress, seconds_of
from roundel.web.computer.questions import (
    ChosenAction,
    Preparing,
    SearchProgress,
    Stop,
    Think,
)
from roundel.web.requests.visitors import Visitor

T = TypeVar("T")

NAME = games.ours()[0]
GAME = games.load(NAME)
LEGAL = {GAME.start().write(action) for action in GAME.start().legal()}
PATIENT = 60.0  # seconds: the tests' own machine may be busy
SOON = 60_000  # milliseconds until what must happen has happened

FAKE = """
import json, os, sys, threading, time
def live():
    while True:
        os.write(1, b'{{"type": "Alive"}}\\n')
        time.sleep(0.2)
threading.Thread(target=live, daemon=True).start()
def is_first(path):
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "Forget":
        continue
    level = asked.get("level", 0)
    {body}
"""
SAYS = "os.write(1, json.dumps({}).encode() + b'\\n')"
READY = SAYS.format({"type": "Ready"})
PREPARING = SAYS.format({"type": "Preparing"})
CHOSEN = SAYS.format('{"type": "Answer", "action": "any", "level": level}')


def fake(body: str) -> tuple[str, ...]:
    return (sys.executable, "-c", FAKE.format(body=body))


def run(pool: Computers, work: Callable[[], Awaitable[T]]) -> T:
    """Something done with a pool of processes, which are all gone in the end."""

    async def all_of_it() -> T:
        await pool.start()
        pids = [worker.process.pid for worker in pool.workers if worker.process]
        try:
            return await work()
        finally:
            await pool.stop()
            assert not pool.tasks
            assert not any(worker.process for worker in pool.workers)
            assert not any(exists(pid) for pid in pids)

    return asyncio.run(all_of_it())


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_level_answers_legally_and_tells_how_far_it_is() -> None:
    pool, told = Computers(1, 4, margin=PATIENT), list[Progress]()

    async def work() -> list[ChosenAction]:
        await pool.warm(NAME)
        assert NAME in pool.workers[0].warm
        first = await pool.choose(Think(NAME, "", [], 1, 7), told.append)
        again = await pool.choose(Think(NAME, GAME.start().fen(), [], 1, 7))
        return [first, again]

    first, again = run(pool, work)
    assert first.action in LEGAL
    assert first.action == first.line[0]
    assert (first.level, first.note) == (1, "")
    assert 0 <= first.value <= 100
    assert isinstance(told[-1], SearchProgress)
    assert told[-1].depth == first.depth > 0
    assert again.action == first.action  # the same question


def test_to_cancel_stops_the_search_and_keeps_the_process() -> None:
    pool = Computers(1, 4, margin=PATIENT)

    async def work() -> tuple[ChosenAction, int, int]:
        thinking = asyncio.Event()
        strong = asyncio.create_task(pool.choose(Think(NAME, "", [], 10, 1), thinks(thinking)))
        await thinking.wait()
        before = pid_of(pool)
        strong.cancel()
        with pytest.raises(asyncio.CancelledError):
            await strong
        return await pool.choose(Think(NAME, "", [], 1, 1)), before, pid_of(pool)

    answer, before, after = run(pool, work)
    assert answer.action in LEGAL
    assert before == after


def pid_of(pool: Computers) -> int:
    process = pool.workers[0].process
    assert process
    return process.pid


STRANGE = {
    "is stuck": READY,
    "ends": "sys.exit()",
    "talks nonsense": "print('what?', flush=True)",
    "fails": SAYS.format({"type": "Failed", "reason": "no idea"}),
}


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE.keys())
@pytest.mark.parametrize("level", [2, 10])
def test_a_fresh_process_answers_for_one_that_does_not(
    strange: str, level: int, tmp_path: Path
) -> None:
    """At the level that was asked: nobody gets a weaker opponent because a process died."""
    body = f"exec({strange!r} if is_first({str(tmp_path / 'asked')!r}) else {CHOSEN!r})"
    pool = Computers(1, 4, fake(body), margin=0.0)
    answer = run(pool, lambda: pool.choose(Think(NAME, "", [], level, 1)))
    assert (answer.action, answer.level, answer.note) == ("any", level, SHORTER)


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE.keys())
def test_any_legal_action_is_played_if_two_fresh_processes_fail_as_well(
    strange: str, tmp_path: Path
) -> None:
    note = f"open({str(tmp_path / 'asked')!r}, 'a').write('x')"
    pool = Computers(1, 4, fake(f"{note}; {strange}"), margin=0.0)
    answer = run(pool, lambda: pool.choose(Think(NAME, "", [], 2, 1)))
    assert answer.action in LEGAL
    assert (answer.level, answer.note) == (0, ANYTHING)
    assert len((tmp_path / "asked").read_text()) == 3


def thinks(begun: asyncio.Event) -> Callable[[Progress], None]:
    return lambda progress: begun.set() if isinstance(progress, SearchProgress) else None


SIGNALS = [signal.SIGKILL, signal.SIGSTOP]


@pytest.mark.parametrize("sent", SIGNALS)
def test_idle_processes_that_die_or_stop_are_replaced_before_anybody_asks(sent: int) -> None:
    pool = Computers(2, 4, fake(CHOSEN))

    async def work() -> ChosenAction:
        before = pids_of(pool)
        for worker in pool.workers:
            while not worker.has_spoken:
                await asyncio.sleep(0.01)
        for pid in before:
            os.kill(pid, sent)
        while pids_of(pool) & before or len(pids_of(pool)) < 2:
            await asyncio.sleep(0.01)
        return await pool.choose(Think(NAME, "", [], 2, 1))

    assert run(pool, work).note == ""


@pytest.mark.parametrize("sent", SIGNALS)
@pytest.mark.parametrize("moment", ["idle", "loading", "thinking"])
def test_the_computer_answers_whatever_happens_to_its_processes(sent: int, moment: str) -> None:
    """By a search, not by any legal action."""
    pool = Computers(2, 4)

    async def work() -> ChosenAction:
        begun = asyncio.Event()
        if moment != "loading":
            await pool.warm(NAME)
        before = pids_of(pool)
        asked = asyncio.create_task(pool.choose(Think(NAME, "", [], 10, 1), thinks(begun)))
        if moment == "thinking":
            await begun.wait()
        elif moment == "loading":
            await asyncio.sleep(0)
        for pid in before:
            os.kill(pid, sent)
        return await asked

    answer = run(pool, work)
    assert answer.action in LEGAL
    assert answer.level == 10
    assert answer.depth > 0
    assert answer.note in ("", SHORTER)


def pids_of(pool: Computers) -> set[int]:
    return {worker.process.pid for worker in pool.workers if worker.process}


def test_compiling_is_told_and_has_all_the_time_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "LOADING", 1.0)
    long = f"{PREPARING}; time.sleep(1.5); {READY}; {CHOSEN}"
    pool, told = Computers(1, 4, fake(long)), list[Progress]()
    answer = run(pool, lambda: pool.choose(Think(NAME, "", [], 2, 1), told.append))
    assert answer.note == ""
    assert Preparing() in told


@pytest.mark.parametrize("at_once", [True, False])
def test_a_pool_that_stops_ends_processes_that_were_about_to_be_replaced(at_once: bool) -> None:
    pool = Computers(1, 4, fake(STRANGE["is stuck"]))

    async def work() -> None:
        replacing = asyncio.create_task(pool.workers[0].end(at_once))
        await asyncio.sleep(0)  # it waits for the process now
        replacing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await replacing

    run(pool, work)  # looks whether the process is gone


def test_a_program_that_cannot_be_started_is_told_at_once() -> None:
    pool = Computers(1, 4, ("/nonexistent/worker",))
    with pytest.raises(FileNotFoundError):
        asyncio.run(pool.start())


def test_processes_begin_when_they_are_needed() -> None:
    async def work(pool: Computers) -> ChosenAction:
        try:
            await pool.warm(NAME)
            return await pool.choose(Think(NAME, "", [], 1, 1))
        finally:
            await pool.stop()

    assert asyncio.run(work(Computers(1, 4, fake(CHOSEN)))).note == ""
    assert asyncio.run(work(Computers(1, 4, ("/nonexistent/worker",)))).note == ANYTHING


def test_a_stuck_process_that_ignores_everything_is_ended() -> None:
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    pool = Computers(1, 4, fake(f"{deaf}; {READY}\n    while True: signal.pause()"), margin=0.0)

    async def work() -> bool:
        before = pid_of(pool)
        await pool.choose(Think(NAME, "", [], 1, 1))
        await asyncio.gather(*pool.tasks)
        return exists(before)

    assert not run(pool, work)


def test_the_line_is_bounded_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "seconds_of", lambda level: PATIENT)
    pool, served = Computers(1, 3, fake(f"{READY}; {CHOSEN}")), list[int]()

    async def ask(number: int) -> None:
        visitor = Visitor(f"192.0.2.{number}", "")
        await pool.choose(Think(NAME, "", [], 1, number), visitor=visitor)
        served.append(number)

    async def work() -> int:
        asked = [asyncio.create_task(ask(number)) for number in range(8)]
        done = await asyncio.gather(*asked, return_exceptions=True)
        return sum(isinstance(result, Busy) for result in done)

    refused = run(pool, work)
    assert refused == 8 - len(served) == 4
    assert served == sorted(served)
    assert not pool.queue.waiting


SERVER = """
import asyncio, sys
from roundel.web.computer.computers import Computers
from roundel.web.computer.questions import Think, SearchProgress

def thinking(progress):
    if isinstance(progress, SearchProgress):
        print("thinking", flush=True)

async def main():
    pool = Computers(2, 4)
    await pool.start()
    print(*(worker.process.pid for worker in pool.workers), flush=True)
    await pool.choose(Think(sys.argv[1], "", [], 10, 1), thinking)
    await asyncio.Event().wait()

asyncio.run(main())
"""


WHO = SAYS.format('{"type": "Answer", "action": str(os.getpid()), "level": level}')


def test_alternating_matches_go_back_to_the_processes_that_keep_their_trees() -> None:
    pool = Computers(2, 8, fake(f"{READY}; {WHO}"))

    async def work() -> dict[str, set[str]]:
        for worker in pool.workers:
            worker.warm.add(NAME)
        found: dict[str, set[str]] = {"one": set(), "other": set()}
        for match in ("one", "other", "other", "one", "one", "other"):
            found[match].add(await asked(pool, match))
        return found

    found = run(pool, work)
    assert [len(pids) for pids in found.values()] == [1, 1]
    assert found["one"] != found["other"]


def test_a_new_match_goes_to_the_process_that_keeps_the_fewest() -> None:
    pool = Computers(2, 8, fake(f"{READY}; {WHO}"))
    for worker, matches in zip(pool.workers, (["a", "b"], ["c"]), strict=True):
        worker.warm.add(NAME)
        worker.matches = matches

    async def work() -> list[str]:
        await asked(pool, "new")
        return [*pool.workers[1].matches]

    assert run(pool, work) == ["c", "new"]


def test_a_match_does_not_wait_for_the_process_that_keeps_its_tree() -> None:
    slow = "time.sleep(0.5 if asked.get('match') == 'slow' else 0)"
    pool = Computers(2, 8, fake(f"{READY}; {slow}; {WHO}"), margin=PATIENT)

    async def work() -> tuple[str, str, str]:
        first = await asked(pool, "one")
        pool.workers[0].matches, pool.workers[1].matches = ["one", "slow"], ["a", "b", "c"]
        slow = asyncio.create_task(asked(pool, "slow"))
        await asyncio.sleep(0.1)
        elsewhere = await asked(pool, "one")
        assert "one" in pool.workers[1].matches
        assert "one" not in pool.workers[0].matches, "the later tree is the better one"
        await slow
        return first, elsewhere, await asked(pool, "one")

    first, elsewhere, last = run(pool, work)
    assert first != elsewhere == last


def test_the_process_that_keeps_a_match_is_told_when_it_is_over(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    note = f"open({str(heard)!r}, 'a').write(asked['match'] + ' ')"
    program = FAKE.replace("        continue", f"        {note}; continue")
    body = f"{READY}; {WHO}"
    pool = Computers(2, 8, (sys.executable, "-c", program.format(body=body)))

    async def work() -> None:
        for match in ("one", "other"):
            await asked(pool, match)
        for match in ("one", "one", "unknown"):
            pool.forget(match)
        for match in ("other", "new"):  # one to each: what was said before is heard first
            await asked(pool, match)

    for worker in pool.workers:
        worker.warm.add(NAME)
    run(pool, work)
    assert heard.read_text() == "one "


def test_to_forget_a_match_does_not_let_a_stopped_search_go_on() -> None:
    pool = Computers(1, 4, margin=PATIENT)

    async def work() -> ChosenAction:
        (worker,), thinking = pool.workers, asyncio.Event()
        worker.matches = ["other"]
        question = Think(NAME, "", [], 10, 1, PATIENT, "one")
        asking = asyncio.create_task(worker.ask(question, PATIENT, thinks(thinking)))
        await thinking.wait()
        await worker._send(Stop())
        worker.forget("other")
        answer = await asking
        assert isinstance(answer, ChosenAction)
        return answer

    assert run(pool, work).seconds < seconds_of(10) - 0.1


async def asked(pool: Computers, match: str, level: int = 10) -> str:
    """Everybody with another address: none waits for their other matches."""
    question = Think(NAME, "", [], level, 1, match=match)
    return (await pool.choose(question, visitor=Visitor(match, ""))).action


def test_a_pool_remembers_a_bounded_number_of_matches_that_go_on() -> None:
    pool = Computers(1, 8, fake(f"{READY}; {WHO}"))
    (worker,) = pool.workers

    async def work() -> None:
        for match in "abcdefgh":
            await asked(pool, match)
        assert worker.matches == [*"abcdefgh"][-MATCHES_KEPT:]
        await asked(pool, "i", level=7)  # nothing is kept of its search
        assert "i" not in worker.matches
        pool.forget("h")
        assert "h" not in worker.matches
        await worker.end()
        assert not worker.matches

    run(pool, work)


def test_a_process_that_begins_anew_has_only_lost_the_tree() -> None:
    pool = Computers(1, 8, margin=PATIENT)

    async def work() -> list[ChosenAction]:
        played, answers = list[str](), list[ChosenAction]()
        for _turn in range(2):
            question = Think(NAME, "", played, 10, 1, match="one")
            answers.append(await pool.choose(question))
            assert pool.workers[0].matches == ["one"]
            played = [*played, answers[-1].action]
            os.kill(pid_of(pool), signal.SIGKILL)
        return answers

    for answer in run(pool, work):
        assert answer.level == 10
        assert answer.depth > 0


def test_no_process_outlives_a_server_that_is_killed() -> None:
    command = [sys.executable, "-c", SERVER, NAME]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        watched = [os.pidfd_open(int(pid)) for pid in server.stdout.readline().split()]
        assert server.stdout.readline() == "thinking\n"
        server.send_signal(signal.SIGKILL)
    for process in watched:
        poll = select.poll()
        poll.register(process, select.POLLIN)  # readable when the process has ended
        assert poll.poll(SOON)
        os.close(process)
