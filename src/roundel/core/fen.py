"""The one-line text of a position: `SPEC;key=value;key=value`, without spaces.

The parts behind the spec are the game's own. `Fields` hands them out one by one; what is missing,
unreadable or left over is an `InvalidText` that names the part.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from roundel.core.errors import InvalidText
from roundel.core.lang import _, either

T = TypeVar("T")


def join(spec: str, parts: Mapping[str, str]) -> str:
    return ";".join([spec, *(f"{key}={value}" for key, value in parts.items())])


class Fields:
    def __init__(self, text: str) -> None:
        self.spec, *parts = text.split(";")
        self.name = self.spec.partition(":")[0]
        self._parts: dict[str, str] = {}
        for part in parts:
            key, equals, value = part.partition("=")
            if not equals or not part.isprintable():  # half a character could not even be told
                raise self.error(_("expected key=value, got {part!r}").format(part=part))
            if key in self._parts:
                raise self.error(_("part {key} is given twice").format(key=key))
            self._parts[key] = value

    def error(self, reason: str) -> InvalidText:
        return InvalidText(_("{game} position: {reason}").format(game=self.name, reason=reason))

    def take(self, key: str, default: str | None = None) -> str:
        """The text of one part; it must be there unless it has a default."""
        value = self._parts.pop(key, default)
        if value is None:
            raise self.error(_("part {key} is missing").format(key=key))
        return value

    def choice(self, key: str, choices: Sequence[str], default: str | None = None) -> int:
        """The part's index among some words."""
        value = self.take(key, default)
        if value not in choices:
            text = _("{key}: expected {choices}, got {value!r}")
            raise self.error(text.format(key=key, choices=either(choices), value=value))
        return choices.index(value)

    def items(self, key: str, default: str | None = None) -> list[str]:
        """A part that is a list with commas; an empty part is an empty list."""
        value = self.take(key, default)
        return value.split(",") if value else []

    def named(self, key: str, names: Mapping[str, T], default: str | None = None) -> list[T]:
        """A list of names, each at most once, as what they stand for."""
        items = self.items(key, default)
        for item in items:
            if item not in names:
                text = _("{key}: {item!r} is not a place here")
                raise self.error(text.format(key=key, item=item))
        self.distinct(key, items)
        return [names[item] for item in items]

    def distinct(self, key: str, items: Iterable[str]) -> None:
        seen: set[str] = set()
        for item in items:
            if item in seen:
                raise self.error(_("{key}: {item} is named twice").format(key=key, item=item))
            seen.add(item)

    def finish(self) -> None:
        if self._parts:
            part = next(iter(self._parts))
            raise self.error(_("unknown part {part!r}").format(part=part))
