"""Records written as text, in one way only: the same match is the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roundel.record.match import Entry, Line, Record
from roundel.record.text import SECOND, WIDTH


def write(record: Record) -> str:
    """The text of one match; put an empty line between two of them."""
    tags = "".join(f'[{name} "{escape(value)}"]\n' for name, value in record.tags.items())
    games = f"\n{SECOND}\n\n".join(wrap(words_of(game, 1)) for game in record.games)
    return f"{tags}\n{games}" if games else tags


def write_all(records: Iterable[Record]) -> Iterator[str]:
    """The parts of a file with several matches."""
    for number, record in enumerate(records):
        yield f"\n{write(record)}" if number else write(record)


def escape(text: str, closing: str = '"') -> str:
    return text.replace("\\", "\\\\").replace(closing, f"\\{closing}")


def comment_words(comment: str) -> list[str]:
    return ("{" + escape(comment, "}") + "}").split() if comment else []


def words_of(line: Line, first: int) -> Iterator[str]:
    """What a line is wrapped out of; a turn's number stays with its first action."""
    yield from comment_words(line.comment)
    for number, turn in enumerate(line.turns, first):
        prefix = f"{number}. "
        for entry in turn:
            yield from entry_words(entry, prefix, number)
            prefix = ""


def entry_words(entry: Entry, prefix: str, number: int) -> Iterator[str]:
    yield prefix + entry.action
    if entry.clock:
        yield f"<{entry.clock}>"
    yield from comment_words(entry.comment)
    for variation in entry.variations:
        words = list(words_of(variation, number))
        words[0] = f"({words[0]}"
        words[-1] += ")"
        yield from words


def wrap(words: Iterable[str]) -> str:
    """Lines of at most 80 characters where words allow it. No line begins like a tag."""
    parts: list[str] = []
    length = 0  # of the line so far
    for word in words:
        if length and length + 1 + len(word) > WIDTH and not word.startswith("["):
            parts.append("\n")
            length = 0
        elif length:
            parts.append(" ")
            length += 1
        parts.append(word)
        length += len(word)
    return "".join([*parts, "\n"]) if parts else ""
