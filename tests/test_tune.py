"""Fitting weights to who won: known answers, and the whole script with very few matches."""

import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from scripts import fitting, tune
from scripts.fitting import Sample

from roundel.core.game import Manifest
from roundel.core.jit import JIT
from roundel.search.features import weights_of

TRUE = np.array([[1.0, -0.5, 0.0], [0.2, 0.8, -1.0]])  # of each stage
MATCHES, NODES = (2, 5) if JIT else (1, 1)


def drawn(many: int, seats: int = 3) -> Sample:
    """Positions of two and more players that end as TRUE has it, each of a match of its own."""
    rng = np.random.default_rng(1)
    stages = rng.integers(len(TRUE), size=many)
    seated = np.arange(seats) < rng.integers(2, seats + 1, size=many)[:, None]
    features = rng.normal(size=(many, seats, TRUE.shape[1])) * seated[:, :, None]
    sample = Sample(features, np.zeros((many, seats)), seated, stages, np.arange(many))
    for stage, weights in enumerate(TRUE):
        here = stages == stage
        chances = fitting.chances(sample.where(here), weights)
        sample.shares[here] = rng.multinomial(1, chances)
    return sample


def test_known_weights_are_found_again() -> None:
    found = fitting.fit_stages(drawn(20_000), len(TRUE))
    assert np.abs(found - TRUE).max() < 0.06


def test_a_stage_with_few_positions_takes_the_weights_of_all() -> None:
    sample = drawn(fitting.FEW)
    few, none = fitting.fit_stages(sample, 3)[1:]
    assert (few == none).all()
    assert (few == fitting.fit(sample, fitting.PULL, np.zeros(3))).all()


def test_shared_wins_count_as_shares() -> None:
    """A feature of one player who gets two thirds on average has the odds of that as weight."""
    features = np.zeros((300, 2, 1))
    features[:, 0] = 1
    shares = np.array([[1, 0], [0.5, 0.5], [0.5, 0.5]] * 100)
    many = np.zeros(300, np.int64)
    sample = Sample(features, shares, np.ones((300, 2), bool), many, many)
    found = fitting.fit(sample, 1e-9, np.zeros(1))
    assert found == pytest.approx(math.log(2))
    assert fitting.loss(sample, np.zeros(1)) == pytest.approx(math.log(2)), "a coin's"
    assert fitting.loss(sample, found) < math.log(2)


def test_the_report_tells_what_held_out_matches_say() -> None:
    lines = fitting.report(drawn(5_000), len(TRUE)).splitlines()[1:]
    rows = [line.split() for line in lines]
    assert [row[0] for row in rows] == ["0", "1"]
    assert sum(int(row[1]) for row in rows) == 5_000
    assert sum(int(row[2]) for row in rows) == 1_000
    assert all(float(row[3]) < float(row[4]) for row in rows), "better than a coin"


# -- The script ---------------------------------------------------------------------


@pytest.fixture
def judged(manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Manifest:
    """The game, with a folder of its own for weights, and matches that are short."""
    if manifest.evaluate is None:
        pytest.skip("no evaluation")
    shutil.copy(manifest.folder / "weights.txt", tmp_path)
    monkeypatch.setattr(Manifest, "folder", tmp_path)
    monkeypatch.setattr(tune, "FOLDER", tmp_path / "build")
    monkeypatch.setattr(tune, "CHUNK", 1)
    monkeypatch.setattr(tune, "LONGEST", 12 if JIT else 3)
    monkeypatch.setattr(tune, "OPENING", 1)
    return manifest


def small(manifest: Manifest, *more: str) -> None:
    few = ("--matches", str(MATCHES), "--nodes", str(NODES), "--workers", "1")
    tune.main([manifest.name, *few, *more])


def test_weights_are_written_that_load_back(
    judged: Manifest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (tmp_path / "weights.txt").read_text()
    small(judged)
    text = (tmp_path / "weights.txt").read_text()
    assert text != before
    assert text.splitlines()[0] == before.splitlines()[0]
    names = [line.partition("  # ")[2] for line in text.splitlines()[1:]]
    assert names == list(judged.evaluate.FEATURES)
    found = weights_of.__wrapped__(judged.name)
    assert found.shape == (judged.evaluate.STAGES, len(names))
    assert np.isfinite(found).all()
    assert "positions of" in capsys.readouterr().out
    small(judged, "--fit-only")
    assert (tmp_path / "weights.txt").read_text() == text, "the same matches"


def test_what_was_played_is_not_played_again(
    judged: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = tune.read_arguments([judged.name, "--matches", "1", "--nodes", "1"])
    first, *others = tune.jobs(judged, options)
    tune.play_job(first)
    played: list[tune.Job] = []
    monkeypatch.setattr(tune, "play_job", played.append)
    small(judged, "--matches", "1", "--nodes", "1")
    assert played == others
    assert tune.read(judged, first.path) is not None


def test_matches_about_seeing_are_left_out(judged: Manifest) -> None:
    options = tune.read_arguments([judged.name])
    specs = {job.spec for job in tune.jobs(judged, options)}
    sets = map(judged.with_options, judged.option_sets)
    assert specs == {game.spec for game in sets if not game.unaided}


def test_wrong_files_are_named(judged: Manifest, tmp_path: Path) -> None:
    before = (tmp_path / "weights.txt").read_text()
    path, game = tmp_path / "wrong.npz", judged.with_options()
    with pytest.raises(SystemExit, match=r"wrong\.npz: no positions of matches"):
        small(judged, "--fit-only", "--data", str(path))
    path.write_text("nonsense")
    with pytest.raises(SystemExit, match=r"wrong\.npz: no positions of matches"):
        small(judged, "--fit-only", "--data", str(path))
    facts = {"states": np.zeros((1, 99, 1), np.int64), "winners": np.ones(1, np.int64)}
    tune.keep(path, {**facts, "match": np.zeros(1, np.int64), "spec": game.spec})
    with pytest.raises(SystemExit, match=f"not states of {game.spec} as it is now"):
        small(judged, "--fit-only", "--data", str(path))
    with pytest.raises(SystemExit, match="no matches to fit to"):
        small(judged, "--fit-only")
    assert (tmp_path / "weights.txt").read_text() == before


def test_weights_of_other_features_are_named(judged: Manifest, tmp_path: Path) -> None:
    (tmp_path / "weights.txt").write_text("1 2 3\n")
    with pytest.raises(SystemExit, match=r"1 features in 3 stages, but evaluate\.py has"):
        small(judged)


def test_a_game_without_weights_begins_with_zeros(judged: Manifest, tmp_path: Path) -> None:
    (tmp_path / "weights.txt").unlink()
    tune.check(judged)
    assert not weights_of.__wrapped__(judged.name).any()


def test_wrong_games_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        tune.main(["nonsense"])
    assert "no game 'nonsense' with an evaluation; there are: " in capsys.readouterr().err
