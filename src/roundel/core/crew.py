"""A few threads that wait for work, a little quicker to call than a pool's futures (measured in
docs/decisions.md)."""

import threading
import weakref
from collections.abc import Callable
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

Work = Callable[[int, int], Any]  # does the part from `lo` to `hi - 1`
Task = tuple[Work, int, int] | None  # None: go home


def serve(
    tasks: "SimpleQueue[Task]", results: "SimpleQueue[tuple[Any, BaseException | None]]"
) -> None:
    while task := tasks.get():
        work, lo, hi = task
        try:
            results.put((work(lo, hi), None))
        except BaseException as error:
            results.put((None, error))
        del work, task  # what it holds may be forgotten while this thread waits


def dismiss(queues: "list[SimpleQueue[Task]]") -> None:
    for tasks in queues:
        tasks.put(None)


class Crew:
    """Shares `size` things out among `threads` threads, the calling one among them."""

    def __init__(self, size: int, threads: int) -> None:
        bounds = [size * i // threads for i in range(threads + 1)]
        self._parts = list(pairwise(bounds))
        self._tasks: list[SimpleQueue[Task]] = [SimpleQueue() for _ in self._parts[1:]]
        self._results: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        for tasks in self._tasks:
            threading.Thread(target=serve, args=(tasks, self._results), daemon=True).start()
        weakref.finalize(self, dismiss, self._tasks)

    def share(self, work: Work) -> list[Any]:
        """What `work` returns for each part, in any order. An error in one of them is raised when
        all have come to an end."""
        for tasks, (lo, hi) in zip(self._tasks, self._parts[1:], strict=True):
            tasks.put((work, lo, hi))
        try:
            found = [work(*self._parts[0])]
        finally:
            others = [self._results.get() for _ in self._tasks]
        for result, error in others:
            if error:
                raise error
            found.append(result)
        return found
