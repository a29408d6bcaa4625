"""How much work a reader does, counted rather than timed: the same on every machine.

Work is the lines of Python that run, and the bytes that each of them asks for at its peak: a text
that is copied again and again shows as much as a loop. A search that copies nothing does not show.
"""

import gc
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from types import FrameType
from typing import Any


class Work:
    """Counts from line to line, wherever the code lies."""

    def __init__(self) -> None:
        self.lines = self.bytes = self.held = 0

    def line(self, frame: FrameType, event: str, argument: object) -> Any:
        now, peak = tracemalloc.get_traced_memory()
        self.bytes += max(peak - self.held, 0)
        self.lines += 1
        tracemalloc.reset_peak()
        self.held = now
        return self.line

    def __repr__(self) -> str:
        return f"{self.lines} lines, {self.bytes} bytes"


def work_of(call: Callable[[], object]) -> Work:
    """The work of a call."""
    work, before = Work(), sys.gettrace()
    gc.collect()
    gc.disable()  # what it frees and when is chance
    tracemalloc.start()
    try:
        work.held = tracemalloc.get_traced_memory()[0]
        sys.settrace(work.line)
        call()
    finally:
        sys.settrace(before)
        tracemalloc.stop()
        gc.enable()
    return work


SIZES = [1000, 2000, 4000, 8000]
MOST = 2.2  # times the work for a text twice as long


def grows_in_proportion(made: Callable[[int], str], read: Callable[[str], object]) -> None:
    """Whether a reader's work does, for texts of about that many characters."""
    texts = [made(size) for size in SIZES]
    read(texts[0])  # what is done only once, such as compiling patterns
    works = [work_of(partial(read, text)) for text in texts]
    for less, more in pairwise(works):
        assert more.lines <= MOST * less.lines, works
        assert more.bytes <= MOST * less.bytes, works
