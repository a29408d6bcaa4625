"""The commands as a person would call them."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roundel import games
from roundel.cli import bench
from roundel.cli.main import main
from roundel.core.game import Game, Manifest
from roundel.core.playthrough import random_match, transcript

NAME = games.ours()[0]


def test_games_lists_every_game_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    for name in games.names():
        assert f"{name}: {games.manifest(name).title}" in out
        for option in games.manifest(name).options:
            assert f"{option.name}: {option.help}" in out


def test_perft_counts_and_divides(manifest: Manifest, capsys: pytest.CaptureFixture[str]) -> None:
    start = manifest.with_options(manifest.option_sets[-1]).start()
    first = start.write(start.legal()[0])
    after = start.play(first)
    spec = start.game.spec
    assert main(["perft", spec, "1"]) == 0
    assert capsys.readouterr().out == f"nodes {len(start.legal())}\n"
    assert main(["perft", spec, "1", "--moves", first, "--divide"]) == 0
    *lines, total = capsys.readouterr().out.splitlines()
    assert total == f"nodes {len(after.legal())}"
    assert lines == [f"{after.write(action)}: 1" for action in after.legal()]
    assert main(["perft", spec, "0"]) == 0
    assert capsys.readouterr().out == "nodes 1\n"


def test_playthrough_prints_the_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playthrough", NAME, "--seed", "3"]) == 0
    assert capsys.readouterr().out == transcript(games.load(NAME), 3)


def test_bench_prints_rates(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.001)
    monkeypatch.setattr(bench, "FIRST", 2)
    assert main(["bench", NAME, "--threads", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.keys() >= {"game", "threads", "playouts_per_s", "actions_per_s"}
    assert (found["game"], found["threads"]) == (NAME, 2)
    assert found["actions_per_s"] > found["playouts_per_s"] > 0
    assert main(["bench", NAME]) == 0
    assert "actions/s" in capsys.readouterr().out


def test_warmup_compiles_what_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warmup", NAME]) == 0
    assert capsys.readouterr().out.startswith(f"ready: {NAME}")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["perft", "chess", "1"], "no game 'chess'"),
        (["perft", f"{NAME}:x=1", "1"], "no option 'x'"),
        (["perft", NAME, "1", "--moves", "?!"], "cannot read '?!'"),
        (["playthrough", "chess"], "no game 'chess'"),
        (["warmup", "chess"], "no game 'chess'"),
        (["bench", "chess"], "no game 'chess'"),
        (["play", "chess"], "no game 'chess'"),
    ],
)
def test_wrong_words_are_named(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert reason in captured.err


ARGUMENTS = st.lists(
    st.sampled_from(
        ["games", "perft", "playthrough", "--seed", "--moves", "--divide", NAME, "0", "x"]
    )
    | st.text(max_size=6),
    max_size=5,
)


@settings(max_examples=200)
@given(ARGUMENTS)
def test_no_arguments_cause_anything_but_an_answer(arguments: list[str]) -> None:
    """Exit status 0 or 2, never a traceback."""
    try:
        status = main(arguments)
    except SystemExit as leaving:  # how argparse answers
        status = leaving.code if isinstance(leaving.code, int) else -1
    assert status in (0, 2)


# -- The table in the terminal ------------------------------------------------------


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What people type, line by line; then the terminal is gone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    lines: list[str] = []

    def answer(prompt: str = "") -> str:
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr("builtins.input", answer)
    return lines


def test_a_whole_match_at_the_keyboard(
    game: Game, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    *_, last = random_match(game, seed=9)
    typed += last.texts()
    assert main(["play", game.spec, "--plain"]) == 0
    out = capsys.readouterr().out
    assert f"Points: {' to '.join(map(str, last.points))}." in out
    assert str(last) in out
    assert not typed


def test_the_game_is_asked_for(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    typed += ["chess", NAME, "quit"]
    assert main(["play", "--plain"]) == 0
    out = capsys.readouterr().out
    assert "no game 'chess'" in out
    assert games.load(NAME).start().prompt in out


def test_help_legal_fen_undo_and_mistakes(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    start = games.load(NAME).start()
    first = start.write(start.legal()[0])
    typed += ["help", "legal", "fen", "", "nonsense", first, "undo", "undo", "fen"]
    assert main(["play", NAME, "--plain"]) == 0
    out = capsys.readouterr().out
    assert "take back your last move" in out
    assert "cannot read 'nonsense'" in out
    assert out.count(start.fen()) == 2
    assert "To resume it: roundel play --resume" in out


def test_a_pair_of_games(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Where a game has that format, the second game begins on the first one's board."""
    for name in games.names():
        manifest = games.manifest(name)
        if manifest.second_game is None:
            assert main(["play", name, "--pair", "--plain"]) == 2
            assert "not played in pairs" in capsys.readouterr().err
            continue
        *_, first = random_match(games.load(name), seed=1)
        second = manifest.second_game(first)
        typed += first.texts()
        while not second.over:
            typed.append(second.write(second.legal()[0]))
            second = second.play(second.legal()[0])
        assert main(["play", name, "--pair", "--plain"]) == 0
        total = [a + b for a, b in zip(first.points, second.points, strict=True)]
        out = capsys.readouterr().out
        assert f"Both games together: {total[0]} to {total[1]}." in out
        assert manifest.pair_result is not None
        winner = manifest.pair_result(first, second).removesuffix("win").upper()
        names = {"DRAW": "A draw.", "P1": "Player 1 wins.", "P2": "Player 2 wins."}
        assert names[winner] in out


def test_a_match_goes_on_where_it_was_left(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    start = games.load(NAME).start()
    first = start.write(start.legal()[0])
    typed += [first, "quit"]
    assert main(["play", NAME, "--seats", "Anna,random", "--seed", "1", "--plain"]) == 0
    capsys.readouterr()
    typed += ["undo", "fen"]
    assert main(["play", "--resume", "--plain"]) == 0
    out = capsys.readouterr().out
    assert "Anna> " not in out, "that is asked by the terminal"
    assert f"\n{start.fen()}\n" in out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--resume"], "no unfinished match"),
        (["--resume", "nowhere.record"], "nowhere.record: No such file"),
        ([NAME, "--resume"], "knows its game"),
        ([NAME, "--seats", "a,b,c"], "has 2 seats, not 3"),
        ([NAME, "--seats", "a,\x1b"], "is not a valid name"),
    ],
)
def test_tables_that_cannot_be_opened(
    arguments: list[str], reason: str, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--plain", *arguments]) == 2
    assert reason in capsys.readouterr().err


def test_ctrl_c_leaves_quietly(
    typed: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(prompt: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert main(["play", NAME, "--plain"]) == 130
    assert "interrupted" in capsys.readouterr().err
