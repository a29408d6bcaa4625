"""What can be wrong with what people and programs send us: one name for each kind of mistake.

All are `ValueError`s and say what was wrong and what was expected. None of them changes anything.
"""


class RoundelError(ValueError):
    """The root of all errors that bad input can cause."""


class UnknownGame(RoundelError):
    """No game has that name."""


class InvalidOption(RoundelError):
    """The game has no such option, or the option has no such value."""


class InvalidText(RoundelError):
    """The text cannot be read as an action or as a position of this game."""


class IllegalAction(RoundelError):
    """The action can be read, but may not be played in this position."""


class MatchOver(RoundelError):
    """The match has ended: no action is legal any more."""
