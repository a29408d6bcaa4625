"""What a disk may hold after the power has failed, from the operations that it was asked for.

What was written before a file's last sync is there. Of every later write it is unknown: it may be
there, be lost, be there in some of its sectors, or only have made the file longer. A sync that
failed proves nothing about the writes before it, not even if a later one succeeds: the system may
have forgotten them. A new file is there as soon as it exists, a deleted one is gone: SQLite syncs
the folder together with the first sync of a new log.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from tests.disk import Operation

SECTOR = 512  # bytes that are written whole or not at all


class Content(bytearray):
    """A file as it is found."""

    def reach(self, size: int) -> None:
        self.extend(bytes(max(0, size - len(self))))

    def put(self, at: int, data: bytes) -> None:
        self.reach(at + len(data))
        self[at : at + len(data)] = data


def kept(content: Content, operation: Operation, rng: random.Random) -> None:
    if operation.kind == "truncate":
        content.reach(operation.at)
        del content[operation.at :]
    else:
        content.put(operation.at, operation.data)


def lost(content: Content, operation: Operation, rng: random.Random) -> None:
    """As if it had never been asked for."""


def torn(content: Content, operation: Operation, rng: random.Random) -> None:
    for start in range(0, len(operation.data), SECTOR):
        if rng.random() < 0.5:
            content.put(operation.at + start, operation.data[start : start + SECTOR])


def blank(content: Content, operation: Operation, rng: random.Random) -> None:
    content.reach(operation.at + len(operation.data))


FATES: list[Callable[[Content, Operation, random.Random], None]] = [kept, lost, torn, blank]


def after_cut(log: Sequence[Operation], cut: int, rng: random.Random) -> dict[str, bytes]:
    """The files as they may be if the power fails after so many operations."""
    weights = rng.choice([(1, 1, 1, 1), (0, 1, 0, 0), (8, 1, 1, 1), (1, 0, 1, 0)])
    found: dict[str, bytes] = {}
    for file, operations in by_file(log[:cut]).items():
        content = Content()
        for operation, is_safe in operations:
            fate = kept if is_safe else rng.choices(FATES, weights)[0]
            fate(content, operation, rng)
        found[file] = bytes(content)
    return found


def by_file(log: Sequence[Operation]) -> dict[str, list[tuple[Operation, bool]]]:
    """What was done to each file since it was made, and whether it is certainly on the disk."""
    found: dict[str, list[tuple[Operation, bool]]] = {}
    waiting: dict[str, list[int]] = {}  # numbers of the operations that the next sync covers
    for operation in log:
        file = operation.file
        done, unsynced = found.setdefault(file, []), waiting.setdefault(file, [])
        match operation.kind:
            case "create":
                found[file], waiting[file] = [], []
            case "delete":
                del found[file], waiting[file]
            case "sync":
                for number in unsynced:
                    done[number] = done[number][0], True
                unsynced.clear()
            case "failed sync":
                unsynced.clear()
            case _:
                unsynced.append(len(done))
                done.append((operation, False))
    return found


def rebuild(folder: Path, files: dict[str, bytes]) -> None:
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def cuts(first: int, last: int, many: int, rng: random.Random) -> list[int]:
    """Spread over a part of the log: one in each of so many pieces of it."""
    ends = [first + (last - first) * piece // many for piece in range(many + 1)]
    return [rng.randint(start, end) for start, end in pairwise(ends)]
