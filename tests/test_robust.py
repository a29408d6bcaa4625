"""A search answers legally whatever it is asked, for every game. No game is named here."""

from roundel.bots import Budget, Searcher
from roundel.core.game import Game
from roundel.kernel.jit import JIT
from tests.robust import answers, bot_match, some_positions

MANY = 20 if JIT else 4


def test_every_position_is_answered_legally(game: Game) -> None:
    positions = some_positions(game, MANY, seed=1)
    assert any(position.over for position in positions)
    for position in positions:
        answers(position, Budget(nodes=3))


def test_a_search_plays_whole_matches(game: Game) -> None:
    searcher = Searcher(hash_mib=1)
    assert bot_match(game, searcher, seed=2) > 0
