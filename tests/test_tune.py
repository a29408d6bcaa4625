"""Fitting weights to who won: known answers, and the whole script with very few matches."""

import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from scripts import fitting, learn, studying, tune
from scripts.fitting import Sample
from scripts.studying import KeptPositions

from roundel.core.game import Game, Manifest
from roundel.core.playthrough import random_match
from roundel.kernel.jit import JIT
from roundel.search.judge import judge_of

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


# -- Patterns -----------------------------------------------------------------------


def some(game: Game, many: int) -> KeptPositions:
    """Positions of random matches that whoever acts is said to win."""
    matches = [[*random_match(game, seed)][:-1] for seed in range(many)]
    numbers = [number for number, match in enumerate(matches) for _ in match]
    positions = [position for match in matches for position in match]
    states = np.array([position.state for position in positions])
    shares = np.eye(game.players)[[position.player or 0 for position in positions]]
    return KeptPositions(game, states, shares, np.array(numbers))


def test_studying_draws_towards_who_won(manifest: Manifest) -> None:
    if manifest.patterns is None:
        pytest.skip("no patterns")
    every = [some(game, 5 if JIT else 1) for game in learn.aided(manifest)[: None if JIT else 1]]
    nothing = learn.load(manifest, is_anew=True)
    losses, many = studying.surprise(every, nothing).T
    assert many.sum() == sum(len(kept.states) for kept in every)
    assert losses.sum() == pytest.approx(
        sum(len(kept.states) * math.log(kept.game.players) for kept in every)
    ), "nothing is known yet"
    found = studying.study(every, nothing, seed=1)
    assert not nothing.any()
    after = studying.surprise(every, found)[:, 0]
    assert (after[many > 0] < 0.5 * losses[many > 0]).all()
    assert np.array_equal(found, studying.study(every, nothing, seed=1))
    if JIT:
        lines = studying.report(every, nothing, seed=1).splitlines()[1:]
        rows = [[float(cell) for cell in line.split()] for line in lines]
        held = sum((kept.matches == 0).sum() for kept in every)
        assert sum(row[1] for row in rows) == held
        assert all(row[2] < row[3] for row in rows)


# -- The script ---------------------------------------------------------------------


def weights(manifest: Manifest) -> np.ndarray:
    """As they are written now."""
    judge = tune.judge_for(manifest)
    found: np.ndarray = judge.weigher.weights_of.__wrapped__(manifest.name)
    return found


@pytest.fixture
def judged(manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Manifest:
    """The game, with a folder of its own for weights, and matches that are short."""
    if judge_of(manifest) is None:
        pytest.skip("no judge")
    shutil.copy(tune.weights_path(manifest), tmp_path)
    monkeypatch.setattr(Manifest, "folder", tmp_path)
    monkeypatch.setattr(tune, "FOLDER", tmp_path / "build")
    monkeypatch.setattr(tune, "CHUNK", 1)
    monkeypatch.setattr(tune, "LONGEST", 12 if JIT else 3)
    monkeypatch.setattr(tune, "OPENING", 1)
    return manifest


@pytest.fixture
def featured(judged: Manifest) -> Manifest:
    if judged.evaluate is None:
        pytest.skip("no features")
    return judged


def small(manifest: Manifest, *more: str) -> None:
    few = ("--matches", str(MATCHES), "--nodes", str(NODES), "--workers", "1")
    tune.main([manifest.name, *few, *more])


def test_weights_are_written_that_load_back(
    judged: Manifest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = weights(judged)
    small(judged)
    found = weights(judged)
    assert found.shape == before.shape
    assert np.isfinite(found).all()
    assert not np.array_equal(found, before)
    assert "positions of" in capsys.readouterr().out


def test_features_are_written_with_their_names(featured: Manifest, tmp_path: Path) -> None:
    before = (tmp_path / "weights.txt").read_text()
    small(featured)
    text = (tmp_path / "weights.txt").read_text()
    assert text.splitlines()[0] == before.splitlines()[0]
    names = [line.partition("  # ")[2] for line in text.splitlines()[1:]]
    assert names == list(featured.evaluate.FEATURES)
    small(featured, "--fit-only")
    assert (tmp_path / "weights.txt").read_text() == text, "the same matches"


def test_what_was_played_is_not_played_again(
    judged: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = tune.read_arguments([judged.name, "--matches", "1", "--nodes", "1"])
    first, *others = tune.jobs(judged, options)
    tune.play_job(first)
    played: list[tune.MatchJob] = []
    monkeypatch.setattr(tune, "play_job", played.append)
    small(judged, "--matches", "1", "--nodes", "1")
    assert played == others
    assert tune.read(judged, first.path) is not None


def test_matches_about_seeing_are_left_out(judged: Manifest) -> None:
    options = tune.read_arguments([judged.name])
    specs = {job.spec for job in tune.jobs(judged, options)}
    sets = map(judged.with_options, judged.option_sets)
    assert specs == {game.spec for game in sets if not game.unaided}


def test_some_numbers_of_players_can_be_left_out(judged: Manifest) -> None:
    every = {game.spec: game.players for game in learn.aided(judged)}
    for number in set(every.values()):
        options = tune.read_arguments([judged.name, "--players", str(number)])
        specs = {job.spec for job in tune.jobs(judged, options)}
        assert specs == {spec for spec, players in every.items() if players == number}


def test_wrong_files_are_named(judged: Manifest, tmp_path: Path) -> None:
    before = weights(judged)
    path, game = tmp_path / "wrong.npz", judged.with_options()
    with pytest.raises(SystemExit, match=r"wrong\.npz: no positions of matches"):
        small(judged, "--fit-only", "--data", str(path))
    path.write_text("nonsense")
    with pytest.raises(SystemExit, match=r"wrong\.npz: no positions of matches"):
        small(judged, "--fit-only", "--data", str(path))
    one = np.ones(1, np.int64)
    arrays = {"winners": one, "values": np.zeros((1, game.players)), "match": one}
    tune.keep(path, {**arrays, "states": np.zeros((1, 99, 1), np.int64), "spec": game.spec})
    with pytest.raises(SystemExit, match=f"not states of {game.spec} as it is now"):
        small(judged, "--fit-only", "--data", str(path))
    with pytest.raises(SystemExit, match="no matches to fit to"):
        small(judged, "--fit-only")
    assert np.array_equal(weights(judged), before)


def test_weights_of_other_features_are_named(featured: Manifest, tmp_path: Path) -> None:
    (tmp_path / "weights.txt").write_text("1 2 3\n")
    with pytest.raises(SystemExit, match=r"1 features in 3 stages, but evaluate\.py has"):
        small(featured)


def test_a_game_without_weights_begins_with_zeros(judged: Manifest, tmp_path: Path) -> None:
    tune.weights_path(judged).unlink()
    tune.check(judged)
    assert not weights(judged).any()


def test_wrong_games_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        tune.main(["nonsense"])
    assert "no game 'nonsense' with a judge; there are: " in capsys.readouterr().err
