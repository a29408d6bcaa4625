"""Stone Rows. The rules are in rules.en.md; their numbers are cited in rules.py."""

from roundel.core.game import Manifest, Option
from roundel.core.lang import N_
from roundel.games.stonerows import evaluate, material, notation, observe, rules, view
from roundel.games.stonerows.naive import Naive
from roundel.games.stonerows.pair import pair_result, second_game
from roundel.games.stonerows.style import STYLE

GAME = Manifest(
    name="stonerows",
    title="Stone Rows",
    rules=rules,
    notation=notation,
    view=view,
    naive=Naive,
    observe=observe,
    evaluate=evaluate,
    options=(
        Option("layout", N_("how the tiles lie (rebuilt)"), material.NAMES, "rectangle"),
        Option("build", N_("tile moves of each player before filling"), range(4), 3),
        Option("first", N_("the player who begins"), range(1, 3), 1),
        Option("claim", N_("only the rows and runs that are named score")),
        Option("bonus", N_("which backs (rebuilt) count at the end"), material.BONUSES, "none"),
        Option("seed", N_("shuffles the backs (rebuilt)"), range(2**32), 0),
    ),
    option_sets=(
        "",
        "build=0",
        "build=1,first=2",
        "build=0,claim",
        "build=2,claim,bonus=full,seed=7",
        "layout=sieve,bonus=stars",
        "layout=octagon,bonus=numbers,seed=1",
        "layout=strip,first=2,claim",
    ),
    second_game=second_game,
    pair_result=pair_result,
    unaided="claim",
    reason=notation.reason,
    style=STYLE,
)
