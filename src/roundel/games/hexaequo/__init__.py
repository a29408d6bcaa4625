"""Hexaequo. The rules are in README.md; their numbers are cited in rules.py."""

from roundel.core.game import Manifest
from roundel.games.hexaequo import notation, rules, view
from roundel.games.hexaequo.naive import Naive

GAME = Manifest(
    name="hexaequo",
    title="Hexaequo",
    rules=rules,
    notation=notation,
    view=view,
    naive=Naive,
)
