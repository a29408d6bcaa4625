"""What is said when a game of Stone Rows is counted, and who begins the next one."""

import pytest

from roundel import games
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.stonerows import board, fen, view
from roundel.games.stonerows.pair import rematch
from roundel.games.stonerows.test_stonerows import LONG, fill, start

SHEET = (  # the figure of rule 10
    "stonerows:build=0;phase=over;turn=none;points=77-44;moved=;white=g7,g10,g11,g12,h8,h9,h10,h11,"
    "h12,i9,i12,j9,j11,j13,k9,k11,k12,l10,l13,m7,m10,n7,n10,n11;black=g8,g9,g13,h7,i8,i10,i11,j7,"
    "j8,j10,k7,k10,k13,l7,l8,l9,l12,m8,m9,m11,m12,m13,n8,n9"
)


def counted(position: Position) -> list[tuple[str, int | None]]:
    return [(item["text"], item["points"]) for item in view.account(position.state)]


def test_the_figure_of_the_sheet() -> None:
    assert counted(games.from_fen(SHEET)) == [
        ("White: the rows that were closed", 37),
        ("Black: the rows that were closed", 44),
        ("h9 to k9: White, 4 stones in a row", 10),
        ("h8 to h12: White, 5 stones in a row", 20),
        ("g10 to j13: White, 4 stones in a row", 10),
        ("White: 77 points", None),
        ("Black: 44 points", None),
    ]
    run = view.account(games.from_fen(SHEET).state)[2]
    assert (run["spots"], run["seat"]) == (["h9", "i9", "j9", "k9"], 0)


def test_with_claim_only_what_was_named_counts() -> None:
    named = fill(start("build=0,claim"), LONG).play("!g9-j9 done done")
    assert [points for _text, points in counted(named)] == [0, 0, 10, None, None]


@pytest.mark.parametrize("seed", range(4))
def test_the_rows_are_all_that_is_closed(seed: int) -> None:
    """Runs, numbers and stars are counted one by one; what is left are the closed rows."""
    *_before, last = random_match(games.load(f"stonerows:build=0,bonus=full,seed={seed}"), seed)
    rows = sum(item["points"] or 0 for item in view.account(last.state)[:2])
    assert rows == fen.closed_tiles(board.owners(last.state))


@pytest.mark.parametrize(
    ("spec", "result", "again"),
    [
        ("stonerows", "p1win", "stonerows:first=2"),
        ("stonerows", "p2win", "stonerows"),
        ("stonerows:first=2,claim", "p2win", "stonerows:claim"),
        ("stonerows:first=2", "draw", "stonerows"),
        ("stonerows", "draw", "stonerows:first=2"),
        ("stonerows:first=2", "", "stonerows:first=2"),
    ],
)
def test_the_loser_begins_the_next_game(spec: str, result: str, again: str) -> None:
    assert rematch(games.load(spec), result) == again
