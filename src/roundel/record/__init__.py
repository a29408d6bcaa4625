"""Matches as text and back: what people keep, send and study. README.md describes the format.

>>> from roundel import games, record
>>> last = games.load("yinsh").start("f6 e5 g7")
>>> print(record.write(record.record_of(last, {"P1": "Anna", "P2": "Ben"})), end="")
[Game "yinsh"]
[P1 "Anna"]
[P2 "Ben"]
[Result "*"]
<BLANKLINE>
1. f6 2. e5 3. g7
"""

from roundel.core.errors import BrokenRecord
from roundel.record.match import Entry, Line, Record
from roundel.record.replay import (
    Unplayable,
    line_of,
    pair_of,
    positions,
    record_of,
    starts,
    verify,
)
from roundel.record.text import read
from roundel.record.writing import write, write_all

__all__ = [
    "BrokenRecord",
    "Entry",
    "Line",
    "Record",
    "Unplayable",
    "line_of",
    "pair_of",
    "positions",
    "read",
    "record_of",
    "starts",
    "verify",
    "write",
    "write_all",
]
