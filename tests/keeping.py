"""What it means that a record keeps a match. Used by the tests, and at length by `make soak`."""

import json

import jsonschema

from roundel import record
from roundel.core.game import Game
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.record import checking, text, twin
from roundel.record.match import Record

VALIDATOR = jsonschema.Draft202012Validator(twin.schema())


def finished(game: Game, seed: int) -> Position:
    *_, last = random_match(game, seed)
    return last


def read_one(written: str) -> Record:
    (found,) = text.read(written.splitlines(keepends=True))
    assert isinstance(found, Record), found
    return found


def survives(original: Record) -> str:
    """Record -> text -> record -> JSON -> record -> text, byte for byte; returns the text."""
    written = record.write(original)
    again = read_one(written)
    assert again == original
    line = twin.write(again)
    VALIDATOR.validate(json.loads(line))
    assert twin.parse(line) == original
    assert twin.write(twin.parse(line)) == line
    assert record.write(twin.parse(line)) == written
    return written


def match_survives(game: Game, seed: int) -> int:
    """A whole random match; returns how many actions it had."""
    last = finished(game, seed)
    original = record.record_of(last, {"P1": "Anna", "P2": "Ben", "Date": "2026-11-15"})
    written = survives(original)
    *_, replayed = record.positions(original)
    assert replayed == last
    assert original.result == last.result
    assert all(len(line) <= 80 for line in written.splitlines())
    assert checking.certain(written)
    assert checking.check_slowly(text.Raw(1, written)) is None
    return last.ply
