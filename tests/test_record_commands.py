"""`roundel record check|convert|show|replay`."""

from pathlib import Path

import pytest

from roundel import games, record
from roundel.cli.main import main
from roundel.core.playthrough import random_match


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A file with a match of each game, a broken one among them."""
    ends = [list(random_match(games.load(name), 1))[-1] for name in games.names()]
    parts = list(record.write_all(map(record.record_of, ends)))
    parts.insert(1, '\n[Game "nothing"]\n\n1. a1\n')
    path = tmp_path / "sample.record"
    path.write_text("".join(parts))
    return path


def test_check_names_what_is_broken(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "check", str(sample)]) == 1
    said = capsys.readouterr()
    line = sample.read_text().splitlines().index('[Game "nothing"]') + 1
    assert f"{sample}:{line}:8: no game 'nothing'" in said.err
    assert f"{len(games.names()) + 1} matches, 1 of them broken" in said.out


def test_convert_there_and_back(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twin, again = sample.with_suffix(".json"), sample.with_name("again.record")
    assert main(["record", "convert", str(sample), "-o", str(twin)]) == 0
    assert main(["record", "convert", str(twin), "-o", str(again)]) == 0
    assert again.read_bytes() == sample.read_bytes()
    assert main(["record", "check", str(twin)]) == 1, "what cannot be played is still a record"
    assert "2:1: no game" in capsys.readouterr().err
    sample.write_text(sample.read_text() + "}")
    assert main(["record", "convert", str(sample), "--to", "json"]) == 1
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == len(games.names())
    assert "cannot read" in said.err


def test_show_and_replay_draw_the_board(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (first, *_) = games.names()
    *positions, last = random_match(games.load(first), 1)
    assert main(["record", "show", str(sample)]) == 0
    said = capsys.readouterr().out
    assert str(last) in said
    assert f"Result: {last.result}" in said
    assert main(["record", "show", str(sample), "--ply", "3"]) == 0
    assert str(positions[3]) in capsys.readouterr().out
    assert main(["record", "replay", str(sample)]) == 0
    assert str(last) in capsys.readouterr().out
    assert main(["record", "replay", str(sample), "--ply", "2"]) == 0
    assert capsys.readouterr().out.rstrip().endswith(positions[2].prompt)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["show", "FILE", "--match", "99"], "there is no match 99"),
        (["show", "FILE", "--ply", "999999"], "moves, not 999999"),
        (["show", "FILE", "--match", "2"], "no game 'nothing'"),
        (["convert", "FILE", "--to", "pgn"], "no format"),
        (["convert", "FILE", "-o", "FILE"], "would be overwritten"),
        (["check", "no-such-file"], "No such file"),
    ],
)
def test_wrong_requests_are_refused(
    sample: Path, arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(sample) if word == "FILE" else word for word in arguments]
    assert main(["record", *arguments]) == 2
    assert reason in capsys.readouterr().err
