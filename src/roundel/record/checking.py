"""Check many matches: every action replayed by the rules, on all cores, in constant memory.

Most matches of a large file have neither comments nor variations and nothing wrong with them; for
these `certain` takes half the time of reading and replaying. What it is not sure of, the slow way
decides, so the two can never disagree about what is right.
"""

from __future__ import annotations

import multiprocessing
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice

import numpy as np

from roundel.core import lang
from roundel.core.errors import BrokenRecord, RoundelError
from roundel.core.lang import _
from roundel.core.position import Position
from roundel.kernel.engine import PLAYER, STATUS_SIZE, WINNERS
from roundel.record import text, twin
from roundel.record.match import GAME, OUTCOME, Record, flaw
from roundel.record.replay import Unplayable, load, locate, start, verify
from roundel.record.text import TAG, Raw

PLAIN_TAGS = re.compile(r'(?:\[[A-Z][A-Za-z0-9]{0,31} "[^"\\\n]*"\]\n)++\n', re.ASCII)
SPECIAL = re.compile(r"[][{}()<>\\]|---")  # more than actions and numbers
NUMBERS = [f"{number}." for number in range(1000)]
CHUNK = 250  # matches that are handed to a process at once


def check(raw: Raw) -> BrokenRecord | None:
    """What is wrong with one match of a text file, or None."""
    try:
        if raw.text is not None and certain(raw.text):
            return None
        return check_slowly(raw)
    except BrokenRecord as error:
        return text.bare(error)


def check_slowly(raw: Raw) -> BrokenRecord | None:
    record, places = text.parse(raw)
    try:
        load(record.spec)
    except RoundelError as error:
        return text.broken(raw, len(f'[{GAME} "'), str(error))
    try:
        verify(record)
    except Unplayable as error:
        return locate(raw, places, error)
    return None


def check_twin(raw: Raw) -> BrokenRecord | None:
    """What is wrong with one match of a JSON file, or None."""
    try:
        return check_record(twin.parse(raw.text or "", raw.line), raw.line)
    except BrokenRecord as error:
        return text.bare(error)


def check_record(record: Record, line: int = 1) -> BrokenRecord | None:
    """What is wrong with a match that came from elsewhere than a text file, or None."""
    try:
        load(record.spec)
        verify(record)
    except Unplayable as error:
        wrong = _("action {number}: {reason}").format(number=error.entry + 1, reason=error.reason)
        return BrokenRecord(line, 1, wrong)
    except RoundelError as error:
        return BrokenRecord(line, 1, str(error))
    return None


def certain(whole: str) -> bool:
    """True for a plain match that is certainly right. False says nothing."""
    head = PLAIN_TAGS.match(whole)
    if not head or flaw(whole) >= 0 or SPECIAL.search(whole, head.end()):
        return False
    pairs = TAG.findall(head[0])
    tags = dict(pairs)
    if pairs[0][0] != GAME or len(tags) != len(pairs):
        return False
    try:
        last = follow(start(tags), whole[head.end() :].split())
    except RoundelError:
        return False
    return last is not None and last.over and last.result == tags.get(OUTCOME)


def follow(position: Position, tokens: list[str]) -> Position | None:
    """Play actions with the numbers of their turns between them; None if anything is unusual."""
    game, state = position.game, position.state
    read, rows_for = game.notation.read, game.rules.rows_for
    advance, status = game.engine.advance, game.engine.status
    status_row = np.zeros(STATUS_SIZE, np.int64)
    columns, turns, mover, fresh = state.shape[1], 0, -1, False
    status(state, status_row)
    for token in tokens:
        if token[-1] == ".":
            turns += 1
            if fresh or turns >= len(NUMBERS) or token != NUMBERS[turns]:
                return None
            fresh = True
            continue
        player = status_row[PLAYER]
        if status_row[WINNERS] or fresh == (player == mover):
            return None
        child = np.empty((rows_for(state, 1), columns), np.int64)
        if not advance(state, read(state, token), child):
            return None
        state, mover, fresh = child, player, False
        status(state, status_row)
    return None if fresh else Position(game, state)


# -- Many ---------------------------------------------------------------------------


Check = Callable[[Raw], BrokenRecord | None]


def check_chunk(check_one: Check, chunk: list[Raw]) -> list[BrokenRecord | None]:
    return [check_one(raw) for raw in chunk]


def check_all(
    raws: Iterable[Raw], check_one: Check = check, jobs: int = 1
) -> Iterator[tuple[Raw, BrokenRecord | None]]:
    """Each match with what is wrong with it, in order. Never holds more than some chunks."""
    if jobs == 1:
        for raw in raws:
            yield raw, check_one(raw)
        return
    source = iter(raws)
    chunks = iter(lambda: list(islice(source, CHUNK)), [])
    context = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
    spoken = (lang.current(),)  # the processes name what is wrong in the same language
    with ProcessPoolExecutor(jobs, context, initializer=lang.use, initargs=spoken) as pool:
        work = ((chunk, pool.submit(check_chunk, check_one, chunk)) for chunk in chunks)
        yield from in_order(work, 2 * jobs)


Work = tuple[list[Raw], "Future[list[BrokenRecord | None]]"]  # a chunk and what comes of it


def in_order(work: Iterable[Work], ahead: int) -> Iterator[tuple[Raw, BrokenRecord | None]]:
    waiting: deque[Work] = deque()
    for piece in work:
        waiting.append(piece)
        if len(waiting) > ahead:
            done, answer = waiting.popleft()
            yield from zip(done, answer.result(), strict=True)
    for done, answer in waiting:
        yield from zip(done, answer.result(), strict=True)
