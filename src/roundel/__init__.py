"""Abstract board games that were only ever printed rule sheets: complete rules, compiled."""

from importlib.metadata import version

from roundel import games as games

__version__ = version("roundel")
