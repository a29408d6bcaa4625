"""Yinsh, standard and blitz. The rules are in README.md; their numbers are cited in rules.py."""

from roundel.core.game import Manifest, Option
from roundel.games.yinsh import notation, rules, view
from roundel.games.yinsh.naive import Naive

GAME = Manifest(
    name="yinsh",
    title="Yinsh",
    rules=rules,
    notation=notation,
    view=view,
    naive=Naive,
    options=(Option("blitz", "the first row of five wins"),),
    option_sets=("", "blitz"),
)
