"""The threads of a batch. What they do together is in `kernel/batching.py`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from roundel.kernel.batching import APART, ASLEEP, CLAIMED, GO_HOME
from roundel.kernel.cache import Entries

T = TypeVar("T")
Arrays = tuple[NDArray[np.generic], ...]


class Crew:
    """Threads that share out `size` states, the caller's own first."""

    def __init__(self, entries: Entries, size: int, threads: int) -> None:
        self.entries, self.threads = entries, threads
        self.arrays: Arrays = ()  # what threads that wait awake know of the batch
        self._bounds = [size * i // threads for i in range(threads + 1)]
        self._pool = ThreadPoolExecutor(max(threads - 1, 1))
        self._mailbox = np.full(APART * threads, ASLEEP, np.int64)

    def obey(self, command: int) -> None:
        """Let all threads do one of the things that every step needs."""
        work, post, mailbox = self.entries.work, self.entries.post_command, self._mailbox
        mailbox[CLAIMED::APART] = self._bounds[:-1]
        for thread in range(1, self.threads):
            if post(mailbox, thread, command) == ASLEEP:
                mailbox[APART * thread] = command
                self._pool.submit(work, mailbox, thread, command, *self.arrays)
        work(mailbox, 0, command, *self.arrays)

    def recall(self) -> None:
        """Nobody waits awake any more: arrays are to change, or there is other work."""
        if self.arrays:
            for thread in range(1, self.threads):
                self.entries.post_command(self._mailbox, thread, GO_HOME)
            self.entries.work(self._mailbox, 0, GO_HOME, *self.arrays)
        self.arrays = ()

    def share(self, work: Callable[[int, int], T]) -> list[T]:
        """What `work` returns for each part of the states."""
        self.recall()
        first, *parts = pairwise(self._bounds)
        others = [self._pool.submit(work, *part) for part in parts]
        return [work(*first), *(other.result() for other in others)]
