"""Hexaequo. The rules are in rules.en.md; their numbers are cited in rules.py."""

from roundel.core.game import Manifest
from roundel.core.lang import N_
from roundel.games.hexaequo import evaluate, notation, observe, rules, view
from roundel.games.hexaequo.naive import Naive
from roundel.games.hexaequo.style import STYLE

GAME = Manifest(
    name="hexaequo",
    title="Hexaequo",
    rules=rules,
    notation=notation,
    view=view,
    naive=Naive,
    tagline=N_("There is no board until you build it, and every tile is a path for both of you."),
    observe=observe,
    evaluate=evaluate,
    style=STYLE,
)
