"""Measuring strength: who meets whom, figures with known answers, and very small measurements."""

import json
import os
import random
import shutil
from pathlib import Path

import pytest
from scripts import levels, newcomer, strength

from roundel import games
from roundel.bots import LEVELS, Budget
from roundel.core.game import Manifest
from roundel.kernel.jit import JIT
from roundel.search.judge import judge_of
from roundel.search.ratings import FILE, LevelRating, ratings
from roundel.tournament.rating import Outcome
from tests import tactics
from tests.conftest import specs

FOR_TWO, FOR_THREE, FOR_FOUR = (
    next(s for s in specs() if games.load(s).players == n) for n in (2, 3, 4)
)


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Everything is written to a folder of its own, and one match is played at a time."""
    monkeypatch.setattr(strength, "FOLDER", tmp_path)
    monkeypatch.setattr(levels, "FOLDER", tmp_path)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    return tmp_path


# -- Who meets whom -----------------------------------------------------------------


def test_one_player_sits_among_others_and_takes_every_seat() -> None:
    plan = strength.duel(games.load(FOR_THREE), "full@1n", "uct@1n", matches=3)
    seats = [fixture.names.index("full@1n") for fixture in plan.fixtures()]
    assert sorted(seats) == [0, 1, 2]
    assert all(fixture.names.count("uct@1n") == 2 for fixture in plan.fixtures())


@pytest.mark.parametrize("spec", [FOR_TWO, FOR_THREE, FOR_FOUR])
def test_levels_meet_their_neighbours(spec: str) -> None:
    game = games.load(spec)
    quick, top = levels.schedules(game, matches=60, of_strongest=12)
    order = {contestant.name: rank for rank, contestant in enumerate(top.contestants)}
    assert list(order) == ["random", *(f"level{n}" for n in range(1, 11))]
    tables = [[order[c.name] for c in found] for found in (*quick.tables(), *top.tables())]
    assert all(max(found) - min(found) <= max(2, game.players - 1) for found in tables)
    assert len({tuple(found) for found in tables}) == len(tables)
    for rank in range(10):
        assert any({rank, rank + 1} <= set(found) for found in tables)
    strongest = top.contestants[-1]
    assert all(strongest in found for found in top.tables())
    assert not any(strongest in found for found in quick.tables())


def test_every_number_of_players_is_measured(manifest: Manifest) -> None:
    found = strength.by_players(manifest.name)
    sets = map(manifest.with_options, manifest.option_sets)
    assert set(found) == {game.players for game in sets}
    assert manifest.with_options() in found.values()


# -- Figures ------------------------------------------------------------------------


def test_shares_of_one_seat() -> None:
    outcomes = [Outcome(("a", "b", "b"), (0,)), Outcome(("b", "a", "b"), (0, 1))]
    assert strength.score("a", outcomes) == 0.75


def test_an_advantage_is_the_elo_of_its_score() -> None:
    """10 wins to 1 are 400 Elo."""
    outcomes = [Outcome(("a", "b"), (0 if n % 11 else 1,)) for n in range(1100)]
    elo, error = strength.advantage("a", "b", outcomes)
    assert elo == pytest.approx(400, abs=2)
    assert error == pytest.approx(1.96 * 173.7 / (1100 * 10 / 121) ** 0.5, rel=0.01)


def test_an_interval_holds_the_score() -> None:
    low, high = strength.interval(0.5, 100)
    assert (low, high) == pytest.approx((0.404, 0.596), abs=0.001)
    assert strength.interval(0.0, 10)[0] == 0


def test_tables_are_markdown() -> None:
    assert strength.table(("game", "%"), [("a", "100")]).splitlines() == [
        "| game |   % |",
        "| :--- | --: |",
        "| a    | 100 |",
    ]


# -- Measuring ----------------------------------------------------------------------


def test_matches_are_kept(alone: Path, manifest: Manifest) -> None:
    game = manifest.with_options()
    plan = strength.duel(game, "random", "uct@1n", matches=2)
    folder = strength.place("part", game)
    outcomes = strength.hold(plan, folder)
    assert [set(outcome.players) for outcome in outcomes] == [{"random", "uct@1n"}] * 2
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.record")}
    assert len(before) == 2
    assert strength.hold(plan, folder) == outcomes
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.record")} == before


@pytest.mark.parametrize("part", ["uct", "time", "threads"])
def test_parts_tell_of_every_match(
    alone: Path, manifest: Manifest, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strength, "PER_ACTION", "1n")
    monkeypatch.setattr(strength, "DOUBLED", (("2n", "1n"),))
    measure, heads = strength.PARTS[part]
    rows = list(measure(manifest.name, 1))
    assert all(len(row) == len(heads) for row in rows)
    wanted = strength.by_players(manifest.name) if part == "uct" else {2: manifest.with_options()}
    assert [row[0] for row in rows] == [game.spec for game in wanted.values()]
    assert [int(row[heads.index("matches")]) for row in rows] == list(wanted), "rounded up"


def test_what_was_measured_is_remembered(alone: Path) -> None:
    path, answers = alone / "a" / "b.json", iter([1, 2])
    assert strength.remembered(path, lambda: next(answers)) == 1
    assert strength.remembered(path, lambda: next(answers)) == 1


@pytest.mark.brings("tactics.txt")
def test_tactics_and_lateness(
    alone: Path, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strength, "SOLVING", Budget(nodes=1))
    monkeypatch.setattr(strength, "BUDGETS", (0.0,))
    monkeypatch.setattr(strength, "ASKED", 2)
    (row,) = strength.solved(manifest.name, 0)
    solved, _of, total = row[1].split()
    assert 0 <= int(solved) <= int(total)
    late = [float(row[1]) for row in strength.lateness(manifest.name, 0)]
    assert len(late) == len(strength.by_players(manifest.name))
    assert min(late) >= 0, "no answer comes before it is asked for"


@pytest.mark.brings("tactics.txt")
def test_a_newcomer_sees_a_win_and_avoids_a_loss(
    manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all actions; the proved ones of the tactics say which those are."""
    monkeypatch.setattr(newcomer, "LOOKS", 10**6)
    for tactic in tactics.read(manifest):
        position, rng = tactic.position, random.Random(1)
        ends = [position.play(action) for action in position.legal()]
        wins = [end.actions[-1] for end in ends if end.outcome == (position.player,)]
        if wins and JIT:
            assert newcomer.act(position, rng) in wins
        for end in ends[: None if JIT else 3]:
            brought = newcomer.gain(position, end)
            assert (brought == newcomer.WIN) == (end.outcome == (position.player,))
            if not end.over and end.player == position.player:
                assert newcomer.promise(position, end.actions[-1], rng) == brought


def test_newcomers_win_some_matches(
    alone: Path, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newcomer, "LONGEST", 4)
    (row,) = strength.newcomers(manifest.name, 2)
    assert row == (manifest.with_options().spec, "2", "1", "1", "1"), "nobody has won so soon"


def test_wrong_parts_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        strength.main(["nonsense"])
    assert "no part 'nonsense'; there are: uct, time" in capsys.readouterr().err


# -- Levels -------------------------------------------------------------------------


@pytest.mark.skipif(not JIT, reason="needs many nodes")
def test_levels_are_written_and_read(
    alone: Path,
    manifest: Manifest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    few = {level: LEVELS[level] for level in (1, 2, 3)}
    monkeypatch.setattr(levels, "LEVELS", few)
    games_found = strength.by_players(manifest.name)
    monkeypatch.setattr(levels, "by_players", lambda name: {2: games_found[2]})
    if judge := judge_of(manifest):
        shutil.copy(manifest.folder / judge.weigher.FILE, alone)
    monkeypatch.setattr(Manifest, "folder", alone)
    levels.main([manifest.name, "--matches", "2", "--of-strongest", "1"])
    found = ratings(manifest.name, 2)
    assert [rating.level for rating in found] == [1, 2, 3]
    assert all(rating.error > 0 for rating in found)
    assert ratings(manifest.name, 9) == []
    assert json.loads((alone / FILE).read_text())["made"]["matches"] == 2
    shown = capsys.readouterr().out
    assert f"{found[0].elo:.0f} ± {found[0].error:.0f}" in shown


def test_a_game_that_nobody_measured_has_no_ratings(
    manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Manifest, "folder", tmp_path)
    assert ratings(manifest.name, 2) == []
    assert levels.cell(None) == "not measured"
    assert levels.cell(LevelRating(1, 99.6, 10.2)) == "100 ± 10"


def test_ratings_of_a_game_are_of_all_levels(manifest: Manifest) -> None:
    """As far as they were measured."""
    for number in strength.by_players(manifest.name):
        found = ratings(manifest.name, number)
        *others, last = LEVELS  # the last one takes its time
        assert [rating.level for rating in found] in ([], others, [*others, last])


def test_wrong_games_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        levels.main(["nonsense"])
    assert "no game 'nonsense'; there are: " in capsys.readouterr().err
