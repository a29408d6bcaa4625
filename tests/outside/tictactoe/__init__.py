"""Tic-tac-toe, also the wrong way round: a game from outside Roundel's own folder."""

from roundel.core.game import Manifest, Option
from tictactoe import notation, rules, view
from tictactoe.naive import Naive

GAME = Manifest(
    name="tictactoe",
    title="Tic-Tac-Toe",
    rules=rules,
    notation=notation,
    view=view,
    naive=Naive,
    tagline="Three in a row win, unless both of you see it coming.",
    options=(Option("misere", "three in a row lose", label="The wrong way round"),),
    option_sets=("", "misere"),
)
