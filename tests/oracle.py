"""A match played at once by the compiled rules and by the naive ones, compared at every ply."""

import random

from roundel.core.game import Game

STEERED = 0.8  # how often a steered match takes an action that leads towards rare rules


def compare(game: Game, seed: int) -> int:
    """One random match; every second seed steers towards rare rules. Returns its length."""
    rng, position, naive = random.Random(seed), game.start(), game.manifest.naive(game.options)
    where = f"{game.spec}, seed {seed}"
    while not position.over:
        texts = {position.write(action): action for action in position.legal()}
        assert set(texts) == naive.legal(), f"{where}: legal actions differ at {position!r}"
        assert position.player == naive.player, f"{where}: player differs at {position!r}"
        assert position.points == naive.points, f"{where}: points differ at {position!r}"
        assert naive.result is None, f"{where}: the oracle has ended at {position!r}"
        rare = sorted(naive.rare()) if seed % 2 and rng.random() < STEERED else []
        text = rng.choice(rare or sorted(texts))
        naive.play(text)
        position = position.play(texts[text])
    assert (position.result, position.points) == (naive.result, naive.points), (
        f"{where}: {position!r}"
    )
    assert not naive.legal(), where
    assert naive.player is None, where
    return position.ply
