"""Yinsh, standard and blitz. The rules are in rules.en.md; their numbers are cited in rules.py."""

from roundel.core.game import Manifest, Option
from roundel.core.lang import N_
from roundel.games.yinsh import notation, observe, patterns, rules, sgf, view
from roundel.games.yinsh.naive import Naive
from roundel.games.yinsh.style import STYLE

GAME = Manifest(
    name="yinsh",
    title="Yinsh",
    rules=rules,
    notation=notation,
    view=view,
    naive=Naive,
    observe=observe,
    patterns=patterns,
    tagline=N_("Every step towards victory takes one of your own rings away."),
    options=(Option("blitz", N_("the first row of five wins"), label=N_("Blitz game")),),
    option_sets=("", "blitz"),
    style=STYLE,
    foreign={"sgf": sgf},
)
