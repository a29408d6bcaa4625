"""The search, for every game. No game is named here."""

from itertools import islice
from threading import Event

import numpy as np
import pytest

from roundel.bots import BOTS, Budget, Searcher, choose
from roundel.core.errors import MatchOver
from roundel.core.game import Game
from roundel.core.jit import JIT
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.search import searcher as searching

NODES = 400 if JIT else 3


def positions(game: Game, seed: int = 1) -> list[Position]:
    """Some of a random match, the last one before its end among them."""
    *found, _ = random_match(game, seed)
    return [*found[:: len(found) // 3], found[-1]]


def test_a_choice_says_how_it_came_about(game: Game) -> None:
    for position in positions(game):
        found = choose(position, Budget(nodes=NODES), seed=3)
        assert set(found.visits) == set(found.worths) == set(position.legal())
        assert found.nodes == NODES
        assert 0 < sum(found.visits.values()) <= NODES
        assert found.action == found.line[0]
        assert found.visits[found.action] == max(found.visits.values())
        assert found.depth >= len(found.line)
        assert abs(sum(found.values)) < 1e-4
        assert max(map(abs, found.worths.values())) <= 1
        for action in found.line:
            position = position.play(action)


def test_the_same_seed_gives_the_same_choice(game: Game) -> None:
    position, searcher = positions(game)[1], Searcher()
    one, again, other = (searcher.choose(position, Budget(nodes=NODES), s) for s in (1, 1, 2))
    assert (one.visits, one.worths, one.line) == (again.visits, again.worths, again.line)
    assert one.visits != other.visits or not JIT


def wins_at_once(position: Position) -> set[int]:
    return {a for a in position.legal() if position.play(a).outcome == (position.player,)}


@pytest.mark.skipif(not JIT, reason="needs many simulations")
def test_a_win_in_one_action_is_found(game: Game) -> None:
    many = 0
    for seed in range(4):
        for position in list(random_match(game, seed))[-4:-1]:
            if winning := wins_at_once(position):
                nodes = 300 * len(position.legal())
                assert choose(position, Budget(nodes=nodes)).action in winning
                many += 1
    assert many > 0


def test_it_ends_when_it_is_told_to(game: Game) -> None:
    position, stop = game.start(), Event()
    stop.set()
    (found,) = Searcher().think(position, Budget(), 0, stop)
    assert found.action in position.legal(), "stopped at once, it still answers"
    (found,) = Searcher().think(position, Budget(seconds=0), 0, Event())
    assert found.action in position.legal()
    stop.clear()
    thoughts = Searcher().think(position, Budget(), 0, stop)
    first = next(thoughts)
    stop.set()
    *_, last = thoughts
    assert last.nodes >= first.nodes > 0


def test_it_tells_what_it_has_found_so_far(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "REPORT", 0)
    thoughts = Searcher().think(game.start(), Budget(), 0, Event())
    first, second = islice(thoughts, 2)
    assert 0 < first.nodes < second.nodes
    thoughts.close()  # type: ignore[attr-defined]


@pytest.mark.skipif(not JIT, reason="plain Python has one thread at a time")
def test_threads_share_the_work(game: Game) -> None:
    for position in positions(game):
        found = Searcher(threads=3).choose(position, Budget(nodes=NODES), seed=4)
        assert found.nodes == NODES
        assert found.action in position.legal()


def test_a_full_tree_grows_no_more(game: Game) -> None:
    searcher, position = Searcher(), game.start()
    size = len(position.legal()) + 2
    searcher.tree = searching.Tree(size)
    found = searcher.choose(position, Budget(nodes=NODES), seed=1)
    assert found.depth == 1
    assert searcher.tree.visits[0] == found.nodes
    assert np.count_nonzero(searcher.tree.blocks) == 1
    searcher.tree = searching.Tree(1)
    found = searcher.choose(position, Budget(nodes=2))
    assert found.action in position.legal(), "not even the first actions have room"


def test_nothing_is_chosen_when_the_match_is_over(game: Game) -> None:
    *_, last = random_match(game, seed=2)
    with pytest.raises(MatchOver, match="over"):
        choose(last)


def test_bots_are_legal(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roundel.bots.THINKING", Budget(nodes=2))
    for make in BOTS.values():
        bot = make(5)
        for position in positions(game):
            assert bot(position) in position.legal()
