"""Learning what patterns are worth: that it learns, and the whole script with few matches."""

import math
from pathlib import Path

import numpy as np
import pytest
from scripts import learn
from scripts.strength import by_players

from roundel.core.game import Manifest
from roundel.kernel.jit import JIT
from roundel.search.patterns import weights_of

MATCHES = "20" if JIT else "1"


@pytest.fixture
def seen(manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Manifest:
    """The game, with a folder of its own for what is learnt."""
    if manifest.patterns is None:
        pytest.skip("no patterns")
    monkeypatch.setattr(Manifest, "folder", tmp_path)
    return manifest


def test_there_is_a_weight_for_each_pattern(manifest: Manifest) -> None:
    if manifest.patterns is not None:
        weights = weights_of(manifest.name)
        assert weights.shape == (manifest.patterns.STAGES, manifest.patterns.PATTERNS)
        assert np.isfinite(weights).all()


@pytest.mark.skipif(not JIT, reason="needs many matches")
def test_it_learns_who_wins(seen: Manifest) -> None:
    for game in by_players(seen.name).values():
        lesson = learn.Lesson(game, learn.load(seen, is_anew=True), seed=1)
        first, _, then = lesson.take(1), lesson.take(4000), lesson.take(1000)
        assert first == pytest.approx(math.log(game.players)), "nothing is known yet"
        assert then[-1] < first[-1]
        is_clearer = then < math.log(game.players)
        assert is_clearer.mean() > 2 / 3, "stages need not be in order, but most tell who wins"


def test_what_is_learnt_is_written_and_loads_back(
    seen: Manifest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learn.main([seen.name, "--rounds", "1", "--matches", MATCHES])
    found = weights_of.__wrapped__(seen.name)
    assert found.shape == (seen.patterns.STAGES, seen.patterns.PATTERNS)
    assert np.isfinite(found).all()
    assert found.any()
    assert np.array_equal(learn.load(seen, is_anew=False), found)
    assert not learn.load(seen, is_anew=True).any()
    lines = capsys.readouterr().out.splitlines()
    specs = [game.spec for game in learn.aided(seen)]
    assert [line.split()[0] for line in lines] == specs


@pytest.mark.skipif(not JIT, reason="slow, and the same")
def test_the_same_seed_learns_the_same(seen: Manifest) -> None:
    def run(seed: str) -> np.ndarray:
        learn.main([seen.name, "--rounds", "1", "--matches", "5", "--anew", "--seed", seed])
        return learn.load(seen, is_anew=False)

    assert np.array_equal(run("1"), run("1"))
    assert not np.array_equal(run("1"), run("2"))


def test_a_table_of_other_patterns_is_named(seen: Manifest, tmp_path: Path) -> None:
    np.savez(tmp_path / "patterns.npz", weights=np.zeros((2, 3)))
    with pytest.raises(SystemExit, match=r"patterns\.npz: not the patterns of"):
        learn.main([seen.name])


def test_wrong_games_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        learn.main(["nonsense"])
    assert "no game 'nonsense' with patterns; there are: " in capsys.readouterr().err
