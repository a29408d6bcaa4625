"""A choice that is made before a match: what it can be, and how it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from roundel.core.errors import InvalidOption
from roundel.core.lang import _, either

Value = bool | int | str

PLAYERS = "players"  # the option of this name says how many play; without it two do
MOST_PLAYERS = 4


@dataclass(frozen=True)
class Option:
    """A choice made before the match: a flag, a whole number from a range, or one of some words."""

    name: str
    help: str  # marked with `N_`, as all texts here: whoever shows it translates it
    values: range | tuple[str, ...] | None = None  # None: a flag
    default: Value = False
    label: str = ""  # what a form calls it
    labels: Mapping[Value, str] = field(default_factory=dict)  # what it calls the values
    by_lot: bool = False  # nobody is asked: whoever makes a match draws a value

    def __post_init__(self) -> None:
        """Those who write games are told at once, not when a table is set up."""
        values = (False, True) if self.values is None else self.values
        if self.name == PLAYERS and not {*values} <= {*range(2, MOST_PLAYERS + 1)}:
            wrong = f"option {PLAYERS} says how many play: a range within 2 to {MOST_PLAYERS}"
            raise ValueError(wrong)
        if self.default not in values:
            raise ValueError(f"option {self.name}: {self.default!r} is none of its values")

    @property
    def expected(self) -> str:
        if self.values is None:
            return _("true or false")
        if isinstance(self.values, range):
            low, high, step = self.values[0], self.values[-1], self.values.step
            if step == 1:
                return _("a whole number from {low} to {high}").format(low=low, high=high)
            text = _("a whole number from {low} to {high} in steps of {step}")
            return text.format(low=low, high=high, step=step)
        return either(self.values)

    def read(self, text: str | None) -> Value:
        """The value written as `text`; None for an option that is named without a value."""
        if self.values is None and text in (None, "true", "false"):
            return text != "false"
        if isinstance(self.values, tuple) and text in self.values:
            return text
        if isinstance(self.values, range) and text and is_number(text):
            number = int(text)
            if number in self.values:
                return number
        given = _("nothing") if text is None else repr(text)
        wrong = _("option {name}: expected {expected}, got {found}")
        raise InvalidOption(wrong.format(name=self.name, expected=self.expected, found=given))

    def write(self, value: Value) -> str:
        return self.name if value is True else f"{self.name}={str(value).lower()}"


def is_number(text: str) -> bool:
    """Whether that is a whole number, of as many digits as a number of ours can have."""
    return text.isascii() and text.isdigit() and len(text) <= 20
