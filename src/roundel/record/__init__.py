"""Matches as text and back: what people keep, send and study. README.md describes the format."""

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
