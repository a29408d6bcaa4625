"""Abstract board games that were only ever printed rule sheets: complete rules, compiled."""

from roundel import games as games

__version__ = "0.1.0"
