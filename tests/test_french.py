"""Whole matches, pictures, records and commands in French; programs hear English."""

import sys
from collections.abc import Callable, Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from roundel import games, picture, record
from roundel.cli.main import COMMANDS, main
from roundel.core import words
from roundel.core.errors import RoundelError
from roundel.core.game import Manifest
from roundel.core.lang import ENGLISH, _, speaking
from roundel.core.playthrough import random_match, transcript
from roundel.core.position import Position
from roundel.record import checking, text

NAME = games.ours()[0]


def speak(language: str, ask: Callable[..., object], *arguments: object) -> str:
    """What is said in a language: a text, or the error that comes instead of it."""
    with speaking(language):
        try:
            return str(ask(*arguments))
        except RoundelError as error:
            return str(error)


def check(ask: Callable[..., object], *arguments: object) -> str:
    """What is said in French, which must not be what is said in English."""
    french = speak("fr", ask, *arguments)
    assert french != speak(ENGLISH, ask, *arguments)
    assert "{" not in french
    return french


# -- Games ----------------------------------------------------------------------


def matches(manifest: Manifest) -> Iterator[list[Position]]:
    for options in {manifest.option_sets[0], manifest.option_sets[-1]}:
        yield list(random_match(manifest.with_options(options), seed=6))


def counted(position: Position) -> str:
    return "\n".join(i["text"] for i in position.game.manifest.view.account(position.state))


@pytest.mark.brings("locale/fr.mo")
def test_whole_matches(manifest: Manifest) -> None:
    for line in matches(manifest):
        for position in line:
            assert check(getattr, position, "prompt").endswith(".")
        for position in line[::10]:
            assert all(len(row) <= 80 for row in check(str, position).splitlines())
            check(position.play, "no-such-action")
            check(position.play, -1)
        check(line[-1].play, 0)
        check(counted, line[-1])
        assert speak("fr", line[-1].fen) == line[-1].fen()


@pytest.mark.brings("locale/fr.mo")
def test_wrong_position_texts(manifest: Manifest) -> None:
    """Each part of some positions once unreadable, once missing and once twice."""
    for line in matches(manifest):
        for position in line[::25]:
            spec, *parts = position.fen().split(";")
            for i, part in enumerate(parts):
                key = part.partition("=")[0]
                for instead in ([f"{key}=?"], [], [part, part]):
                    wrong = [spec, *parts[:i], *instead, *parts[i + 1 :]]
                    check(games.from_fen, ";".join(wrong))
        check(games.from_fen, f"{line[0].fen()};nonsense=1")


@pytest.mark.brings("locale/fr.mo")
def test_what_a_game_says_about_itself(manifest: Manifest) -> None:
    shown = [manifest.tagline]
    for option in manifest.options:
        shown += [option.help, option.label, *option.labels.values()]
    for options in manifest.option_sets:
        game = manifest.with_options(options)
        shown += game.layout.get("trays", {}).values()
        shown += [seat["role"] for seat in manifest.view.seats(game.options)]
        if game.chosen:
            check(getattr, game, "chosen")
    for said in shown:
        check(manifest.translate, said)
    for option in manifest.options:
        check(manifest.with_options, f"{option.name}=nonsense")
    check(manifest.with_options, "nonsense")


@pytest.mark.brings("locale/fr.mo")
def test_pictures(manifest: Manifest) -> None:
    position = manifest.with_options().start()
    english = picture.svg(position)
    with speaking("fr"):
        french = picture.svg(position)
        assert position.prompt in french
        for caption in position.game.layout.get("trays", {}).values():
            assert manifest.translate(caption) in french
    assert picture.svg(position) == english, "nothing French is kept"


def test_golden_files_are_english() -> None:
    game = games.load(NAME)
    assert speak("fr", transcript, game, 2) == transcript(game, 2)


def test_records_are_checked_in_french_by_all_processes() -> None:
    broken = record.write(record.record_of(games.load(NAME).start())) + "1. nonsense\n"
    with speaking("fr"):
        [(_raw, error)] = checking.check_all(text.split(broken.splitlines(keepends=True)), jobs=2)
        assert error is not None
        assert "impossible de lire 'nonsense'" in error.reason
        assert str(error).startswith("ligne ")
    assert str(error).startswith("line ")


# -- Commands -------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["--lang", "fr", "games"], ["games", "--lang=fr"]])
def test_lang_stands_anywhere(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    assert "par défaut" in capsys.readouterr().out
    assert main(["games"]) == 0
    assert "default: " in capsys.readouterr().out, "the language does not stay"


def test_lang_is_stronger_than_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert main(["games"]) == 0
    assert "par défaut" in capsys.readouterr().out
    assert main(["games", "--lang", "en"]) == 0
    assert "default: " in capsys.readouterr().out
    for unknown in ("de", "", "FR"):
        assert main(["games", "--lang", unknown]) == 2
        assert f"pas de langue {unknown!r}" in capsys.readouterr().err


def test_a_terminal_that_lacks_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    out = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(out, "latin-1", write_through=True))
    with pytest.raises(SystemExit):
        main(["show", "--help", "--lang", "fr"])
    assert "répéter" in out.getvalue().decode("latin-1")
    assert "d?une position" in out.getvalue().decode("latin-1")


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help", "--lang", "fr"])
    out = capsys.readouterr().out
    for said in ("utilisation", "afficher cette aide et quitter", "--lang LANGUE"):
        assert said in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "ces arguments sont obligatoires"),
        (["nonsense"], "choix incorrect"),
        (["games", "x"], "arguments inconnus"),
        (["games", "--la", "en"], "arguments inconnus"),
        (["perft", NAME, "x"], "il faut un nombre entier (reçu"),
        (["show", NAME, "--arrow", "a"], "il faut 2 arguments"),
        (["show", NAME, "--theme"], "il faut un argument"),
        (["show", "--moves", "a", "--record", "b"], "incompatible avec"),
    ],
)
def test_the_words_of_argparse(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--lang", "fr", *arguments])
    assert said in capsys.readouterr().err


def test_the_words_of_json_and_the_system(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert main(["record", "check", str(broken), "--lang", "fr"]) == 1
    assert "il faut un nom de propriété" in capsys.readouterr().err
    assert main(["record", "check", str(tmp_path / "none"), "--lang", "fr"]) == 2
    assert "aucun fichier ou dossier de ce nom" in capsys.readouterr().err
    for word in (*words.JSON, *words.SYSTEM):
        check(_, word)


def test_ugi_stays_english(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = f"uginewgame game {NAME}\nposition startpos moves nonsense\nposition fen x\nquit\n"
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(asked.encode())))
    assert main(["ugi", "--lang", "fr"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"info string error: {NAME}: cannot read 'nonsense'")
    assert second == f"info string error: {NAME}: this is a position of 'x'"
