"""What can be wrong with what people and programs send us: one name for each kind of mistake.

All are `ValueError`s and say what was wrong and what was expected. None of them changes anything.
"""


class RoundelError(ValueError):
    """The root of all errors that bad input can cause."""


class UnknownGame(RoundelError):
    """No game has that name."""


class BrokenGame(RoundelError):
    """A package says that it is the game of that name, but it is not, or not the only one."""


class InvalidOption(RoundelError):
    """The game has no such option, or the option has no such value."""


class InvalidText(RoundelError):
    """The text cannot be read as an action or as a position of this game."""


class IllegalAction(RoundelError):
    """The action can be read, but may not be played in this position."""


class MatchOver(RoundelError):
    """The match has ended: no action is legal any more."""


class InvalidBatch(RoundelError):
    """A batch cannot have that size, or what it was given has the wrong shape."""


class BrokenRecord(RoundelError):
    """A record cannot be read or replayed: where, counted from 1, and why."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(line, column, reason)
        self.line, self.column, self.reason = line, column, reason

    def __str__(self) -> str:
        from roundel.core.lang import _  # which needs the errors of this module

        text = _("line {line}, column {column}: {reason}")
        return text.format(line=self.line, column=self.column, reason=self.reason)
