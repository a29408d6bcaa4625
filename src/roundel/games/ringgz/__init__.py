"""Ringgz for two to four players. Its rules are in rules.en.md; rules.py cites their numbers."""

from roundel.core.game import Manifest, Option
from roundel.core.lang import N_
from roundel.games.ringgz import notation, observe, patterns, rules, view
from roundel.games.ringgz.naive import Naive
from roundel.games.ringgz.style import STYLE

GAME = Manifest(
    name="ringgz",
    title="Ringgz",
    rules=rules,
    notation=notation,
    view=view,
    naive=Naive,
    tagline=N_("Four colours, and on every territory the question of who will have one ring more."),
    observe=observe,
    patterns=patterns,
    options=(
        Option("players", N_("the number of players"), range(2, 5), 2, N_("Players")),
        Option(
            "opening",
            N_("whether placing the starting base is preparation or player 1's first turn"),
            ("setup", "turn"),
            "setup",
            N_("Placing the starting base"),
            {"setup": N_("comes before the first turn"), "turn": N_("is the first turn")},
        ),
        Option(
            "presence",
            N_("whether a piece needs its own colour nearby, or any colour dealt to its player"),
            ("colour", "player"),
            "colour",
            N_("What must lie nearby"),
            {"colour": N_("the colour of the piece"), "player": N_("any colour of its player")},
        ),
    ),
    option_sets=(
        "",
        "opening=turn,presence=player",
        "presence=player",
        "players=3",
        "players=3,opening=turn",
        "players=3,presence=player",
        "players=4",
        "players=4,opening=turn,presence=player",
    ),
    style=STYLE,
)
