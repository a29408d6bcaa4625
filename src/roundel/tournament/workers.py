"""Several matches at once, each in a process of its own, so that they do not slow each other down.

A pipe holds the processes: as soon as our end of it is closed, be it that we have what we want,
that somebody pressed Ctrl-C, or that we were killed, they end their engines and themselves.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread

from roundel.core import lang
from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.record import Record
from roundel.tournament.engine import starting
from roundel.tournament.match import MatchRunner
from roundel.tournament.schedule import Fixture

AHEAD = 2  # matches for each process that are handed out before they are needed
OURS = {signal.SIGINT, signal.SIGHUP, signal.SIGTERM}  # only we decide when a process ends

Played = tuple[Fixture, Record]
_runner: MatchRunner | None = None  # of a process that plays for us


class WorkerLost(RoundelError):
    """A process that played for us is gone."""


def play_all(
    fixtures: Iterable[Fixture], workers: int, margin: float, log: Path
) -> Generator[Played, None, None]:
    """Each match as it ends. Whoever stops asking ends what is being played."""
    if workers > 1:
        yield from play_together(fixtures, workers, margin, log)
        return
    with closing(MatchRunner(margin, log)) as runner:
        for fixture in fixtures:
            yield fixture, runner.play(fixture)


def play_together(
    fixtures: Iterable[Fixture], workers: int, margin: float, log: Path
) -> Iterator[Played]:
    context = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
    held, holding = context.Pipe(duplex=False)
    arguments = (held, lang.current(), margin, log)
    pool = ProcessPoolExecutor(workers, context, initializer=prepare, initargs=arguments)
    try:
        yield from as_they_end(pool, iter(fixtures), AHEAD * workers)
    except BrokenProcessPool:
        raise WorkerLost(_("a process that was playing a match ended unexpectedly")) from None
    finally:
        holding.close()
        pool.shutdown(cancel_futures=True)
        held.close()


def as_they_end(
    pool: ProcessPoolExecutor, fixtures: Iterator[Fixture], limit: int
) -> Iterator[Played]:
    """Hand out a few matches at a time: it may be decided early that no more are needed."""
    playing: set[Future[Played]] = set()
    while True:
        with undisturbed():
            playing |= {pool.submit(play_one, f) for f in islice(fixtures, limit - len(playing))}
        if not playing:
            return
        ended, playing = wait(playing, return_when=FIRST_COMPLETED)
        for future in ended:
            yield future.result()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Processes that are started here do not hear Ctrl-C before `prepare`, and we do later."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, OURS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# -- In such a process --------------------------------------------------------------


def prepare(held: Connection, language: str, margin: float, log: Path) -> None:
    """Signals are handled, not blocked: engines that we start must have theirs as usual."""
    global _runner
    for number in OURS:
        signal.signal(number, lambda number, frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, OURS)
    lang.use(language)
    _runner = MatchRunner(margin, log)
    Thread(target=leave_when_let_go, args=(held, _runner), daemon=True).start()


def leave_when_let_go(held: Connection, runner: MatchRunner) -> None:
    held.poll(None)
    starting.acquire()  # the match that is being played must not have its engines back
    runner.close()
    os._exit(0)  # also out of the middle of a search


def play_one(fixture: Fixture) -> Played:
    assert _runner
    return fixture, _runner.play(fixture)
