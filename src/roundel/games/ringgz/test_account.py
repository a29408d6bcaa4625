"""What is said when a match of Ringgz is counted."""

import pytest

from roundel import games
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.ringgz import view

SHEET = (  # the last figure of the rule sheet
    "ringgz:players=4;turn=none;start=d2;"
    "blue=1@e1,1@c3,1@e3,2@e1,2@e3,2@e4,3@e3,3@c4,3@c5,4@e1,4@d3,4@e5,b@e2,b@b4;"
    "green=1@a1,1@b1,1@b2,2@a1,2@a2,2@b2,3@b1,3@c1,3@c3,4@b1,4@d1,4@b2,b@c2;"
    "yellow=1@c1,1@d1,1@d3,2@b1,2@c1,2@a3,3@a1,3@e1,3@b2,4@c1,4@c3,4@c4,b@b3,b@a4,b@d4;"
    "red=1@c4,1@e4,1@e5,2@c3,2@d3,2@e5,3@d1,3@d3,3@e5,4@e3,4@e4,4@c5,b@b5,b@d5"
)


def texts(position: Position) -> list[str]:
    return [item["text"] for item in view.account(position.state)]


def test_the_figure_of_the_sheet() -> None:
    assert texts(games.from_fen(SHEET)) == [
        "e1: blue, 3 rings against 1",
        "e3: blue, 3 rings against 1",
        "a1: green, 2 rings against 1",
        "b1: green, 3 rings against 1",
        "a2: green, 1 ring",
        "b2: green, 3 rings against 1",
        "c1: yellow, 3 rings against 1",
        "a3: yellow, 1 ring",
        "d3: red, 2 rings against 1 and 1",
        "e4: red, 2 rings against 1",
        "e5: red, 3 rings against 1",
        "d1: green, yellow and red are tied, 1 ring each",
        "c3: blue, green, yellow and red are tied, 1 ring each",
        "c4: blue, yellow and red are tied, 1 ring each",
        "c5: blue and red are tied, 1 ring each",
        "Blue: 2 territories",
        "Green: 4 territories",
        "Yellow: 2 territories",
        "Red: 3 territories",
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ties_are_broken_by_the_pieces_left(players: int) -> None:
    """Whoever is named first in the tie has won, and nobody else is named without a tie."""
    game, ties = games.load(f"ringgz:players={players}"), 0
    for seed in range(16):
        *_before, last = random_match(game, seed)
        tied = [i for i in view.account(last.state) if i["text"].startswith("Tied")]
        best = [player for player, won in enumerate(last.points) if won == max(last.points)]
        named = sorted(-1 if item["seat"] is None else item["seat"] for item in tied)
        assert named == (best if len(best) > 1 else [])
        assert not tied or tied[0]["seat"] in (last.outcome or ())
        ties += bool(tied)
    assert ties
