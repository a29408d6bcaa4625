"""Stone Rows. The rules are in rules.en.md; their numbers are cited in rules.py."""

from roundel.core.game import Manifest, Option, Value
from roundel.core.lang import N_
from roundel.games.stonerows import evaluate, material, notation, observe, rules, view
from roundel.games.stonerows.board import SEATS
from roundel.games.stonerows.naive import Naive
from roundel.games.stonerows.pair import pair_result, rematch, second_game
from roundel.games.stonerows.style import STYLE

LAYOUT_WORDS: dict[Value, str] = {
    "rectangle": N_("a rectangle"),
    "sieve": N_("a sieve"),
    "octagon": N_("an octagon"),
    "strip": N_("a strip"),
}
BONUS_WORDS: dict[Value, str] = {
    "none": N_("no bonus"),
    "stars": N_("stars"),
    "numbers": N_("numbers"),
    "full": N_("numbers and stars"),
}

GAME = Manifest(
    name="stonerows",
    title="Stone Rows",
    rules=rules,
    notation=notation,
    view=view,
    naive=Naive,
    tagline=N_("Pull the board into shape, then fill it: every row that you close pays."),
    observe=observe,
    evaluate=evaluate,
    options=(
        Option(
            "layout",
            N_("how the tiles lie (rebuilt)"),
            material.NAMES,
            "rectangle",
            N_("Layout"),
            LAYOUT_WORDS,
        ),
        Option(
            "build",
            N_("tile moves of each player before filling"),
            range(4),
            3,
            N_("Tiles that each player moves"),
        ),
        Option(
            "first",
            N_("the player who begins"),
            range(1, 3),
            1,
            N_("Who begins"),
            dict(enumerate(SEATS, 1)),
        ),
        Option(
            "claim",
            N_("only the rows and runs that are named score"),
            label=N_("You only score what you see"),
        ),
        Option(
            "bonus",
            N_("which backs (rebuilt) count at the end"),
            material.BONUSES,
            "none",
            N_("Bonus game"),
            BONUS_WORDS,
        ),
        Option(
            "seed",
            N_("shuffles the backs (rebuilt)"),
            range(2**32),
            0,
            N_("Shuffle of the backs"),
            by_lot=True,
        ),
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
    rematch=rematch,
    unaided="claim",
    reason=notation.reason,
    style=STYLE,
)
