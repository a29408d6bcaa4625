"""A player leaves a match: the compiled rules, the position texts and the naive rules agree."""

import random

import pytest

from roundel import games
from roundel.core.errors import InvalidText
from roundel.core.game import Game
from roundel.core.position import Position
from roundel.games.ringgz import rules
from roundel.games.ringgz.naive import Naive
from roundel.games.ringgz.test_ringgz import crowded
from roundel.games.ringgz.test_ringgz import position as full_board
from roundel.kernel.jit import JIT

SPECS = [f"ringgz:players={n}{more}" for n in (3, 4) for more in ("", ",opening=turn")]
MATCHES = 12 if JIT else 2


def retire(position: Position, player: int) -> Position:
    """The position without a player, who has also left its text."""
    state = rules.retire(position.state, player)
    after = Position(position.game, state, from_start=False)
    assert games.from_fen(after.fen()) == after
    return after


def agree(position: Position, naive: Naive) -> None:
    assert {position.write(action) for action in position.legal()} == naive.legal()
    assert (position.player, position.points) == (naive.player, naive.points)
    assert position.result == naive.result
    again = games.from_fen(position.fen())
    assert (again.player, again.result, again.legal()) == (
        position.player,
        position.result,
        position.legal(),
    )


def play_without(game: Game, seed: int) -> Position:
    """A random match that all but one leave, each at some ply."""
    rng, position, naive = random.Random(seed), game.start(), Naive(game.options)
    leavers = rng.sample(range(game.players), game.players - 1)
    plies = {rng.randrange(40) if seed % 3 else 0: player for player in leavers}
    for ply in range(70):
        if ply in plies and not position.over:
            position = retire(position, plies[ply])
            naive.retire(plies[ply])
            agree(position, naive)
        if not position.over:
            text = rng.choice(sorted(naive.legal()))
            position = position.play(text)
            naive.play(text)
            agree(position, naive)
    return position


@pytest.mark.parametrize("spec", SPECS)
def test_the_naive_rules_agree(spec: str) -> None:
    for seed in range(MATCHES):
        assert play_without(games.load(spec), seed).over


def test_who_left_is_passed_over_and_the_match_goes_on() -> None:
    start = games.load("ringgz:players=3").start("s@c3 b1@c4")
    match = retire(start, 1)
    assert match.player == 2, "it was the leaver's turn"
    assert match.fen().endswith(";out=p2")
    assert match.view == start.view, "everything stays where it is"
    assert match.play("y1@c2").player == 0
    assert match.play("y1@c2 b2@c4").player == 2
    assert "p2 has left the match" in str(match)


def test_who_left_before_the_starting_base_does_not_put_it() -> None:
    for opening, following in (("setup", 1), ("turn", 2)):
        match = retire(games.load(f"ringgz:players=3,opening={opening}").start(), 0)
        assert (match.player, match.play("s@c3").player) == (1, following)


def test_who_left_does_not_win() -> None:
    """Blue has won every territory with rings so far, then leaves; green has one in the end."""
    parts = "start=c3;blue=1@c4,2@c4,1@d3,2@d3,3@d3;green=1@b3;yellow=;red="
    match = retire(games.from_fen(f"ringgz:players=4;turn=p2;{parts}"), 0)
    rng = random.Random(1)
    while not match.over:
        match = match.play(rng.choice(match.legal()))
    assert match.outcome is not None
    assert 0 not in match.outcome
    texts = [item["text"] for item in match.game.manifest.view.account(match.state)]
    assert "Blue left the match and cannot win" in texts


def test_it_is_over_when_the_only_one_leaves_who_can_place_a_ring() -> None:
    board = full_board("ringgz:players=4", turn="p1", **crowded(without="y3@a1"))
    assert (board.player, board.over) == (0, False), "who can place a base"
    assert retire(board, 2).over
    assert not retire(board, 1).over


def test_the_last_one_goes_on_alone() -> None:
    match = games.load("ringgz:players=3").start("s@c3")
    alone = retire(retire(match, 0), 2)
    assert (alone.player, alone.play("g1@c4").player) == (1, 1)


@pytest.mark.parametrize("out", ["p4", "p1,p2,p3", "p1,p1", "x"])
def test_wrong_leavers_are_refused(out: str) -> None:
    start = games.load("ringgz:players=3").start("s@c3").fen()
    with pytest.raises(InvalidText, match="out: "):
        games.from_fen(f"{start};out={out}")
    with pytest.raises(InvalidText, match="turn: p1 cannot place anything"):
        games.from_fen(f"{start};out=p1")
    with pytest.raises(InvalidText, match="player 2 puts the starting base"):
        games.from_fen(f"{games.load('ringgz:players=3').start().fen()};out=p1")
