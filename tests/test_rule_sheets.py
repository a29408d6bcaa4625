"""The rule sheets of every game, in every language, and the command that shows them."""

import io
import re
from collections import Counter
from pathlib import Path

import pytest

from roundel import games, picture
from roundel.cli.main import main
from roundel.core import sheet
from roundel.core.errors import IllegalAction, InvalidOption, InvalidText
from roundel.core.game import Manifest
from roundel.core.lang import ENGLISH, LANGUAGES, speaking
from roundel.core.position import Position

NAME = games.ours()[0]
OTHERS = [language for language in LANGUAGES if language != ENGLISH]
CODE = re.compile(r"`([^`]+)`")
CITED = re.compile(r"\b[Rr]ules? (\d+(?:(?:, | and | to )\d+)*)")


def prose(text: str) -> str:
    """A sheet without its figures."""
    return sheet.FIGURE.sub("", text)


def rules(text: str) -> list[int]:
    """The numbers that begin a line, however far it is indented."""
    return [int(number) for number in re.findall(r"^ *(\d+)[.)] ", text, re.MULTILINE)]


def written(manifest: Manifest, language: str) -> str:
    """The language that a sheet is in for whoever speaks that one."""
    return language if language in sheet.languages(manifest) else ENGLISH


def figures(manifest: Manifest, language: str) -> list[Position]:
    parts = sheet.parts(manifest, sheet.read(manifest, language))
    return [part for part in parts if isinstance(part, Position)]


# -- What a sheet must hold ---------------------------------------------------------


def test_there_is_a_sheet_in_english(manifest: Manifest) -> None:
    assert sheet.read(manifest, ENGLISH).startswith(f"# {manifest.title}\n")


def test_rules_are_numbered_from_one(manifest: Manifest) -> None:
    numbers = rules(sheet.read(manifest, ENGLISH))
    assert numbers
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.brings("rules.fr.md")
@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_same_parts(manifest: Manifest, language: str) -> None:
    english, other = (sheet.read(manifest, code) for code in (ENGLISH, language))
    assert rules(other) == rules(english)
    assert sheet.FIGURE.findall(other) == sheet.FIGURE.findall(english)
    for pattern in (r"^#+ ", r"^\| .*\|$", r"^ *- ", r"^\*[^*]+\*$"):
        here, there = (re.findall(pattern, prose(t), re.MULTILINE) for t in (other, english))
        assert len(here) == len(there), pattern
    for found in (CODE, re.compile(r"\b[a-z]?\d+")):
        assert Counter(found.findall(prose(other))) == Counter(found.findall(prose(english)))


@pytest.mark.brings("rules.fr.md")
def test_french_is_set_as_french(manifest: Manifest) -> None:
    """Typographic apostrophes, and signs that do not leave their word at the end of a line."""
    text = CODE.sub("x", prose(sheet.read(manifest, "fr")))
    assert not re.findall(r".*'.*|.*[^\u00a0][;:?!»].*|.*«[^\u00a0].*", text)


def test_figures_load_and_are_drawn(manifest: Manifest) -> None:
    shown = figures(manifest, ENGLISH)
    text = sheet.read(manifest, ENGLISH)
    assert len(shown) == text.count("```position") == text.count("```") // 2
    for position in shown:
        assert position.game.manifest is manifest
        assert str(position).strip()
        assert picture.svg(position).startswith("<svg")


def test_action_texts_can_be_read(manifest: Manifest) -> None:
    cells = re.findall(r"^\|.*\| (`.*) \|$", sheet.read(manifest, ENGLISH), re.MULTILINE)
    texts = [text for cell in cells for text in CODE.findall(cell)]
    assert texts
    for text in texts:
        assert isinstance(manifest.with_options().start().read(text), int)


def test_every_option_and_every_word_for_it_is_named(manifest: Manifest) -> None:
    spans = set(CODE.findall(prose(sheet.read(manifest, ENGLISH))))
    for option in manifest.options:
        words = option.values if isinstance(option.values, tuple) else ()
        values = words or (True if option.values is None else option.default,)
        assert {option.write(value) for value in values} <= spans


def test_rules_that_the_code_cites_are_on_the_sheet(manifest: Manifest) -> None:
    known = rules(sheet.read(manifest, ENGLISH))
    for file in manifest.folder.glob("*.py"):
        cited = {
            int(n) for text in CITED.findall(file.read_text()) for n in re.findall(r"\d+", text)
        }
        assert cited <= set(known), file.name
        assert cited or file.name != "rules.py"


# -- Figures that are wrong ---------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "error", "reason"),
    [
        ("", InvalidText, "a figure of ''"),
        ("chess e4", InvalidText, "a figure of 'chess'"),
        ("chess;turn=p1", InvalidText, "a figure of 'chess'"),
        (f"{NAME}:x=1", InvalidOption, "no option 'x'"),
        (f"{NAME};x=1", InvalidText, "is missing"),
        (f"{NAME} ?!", InvalidText, "cannot read '?!'"),
    ],
)
def test_wrong_figures_are_named(text: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=re.escape(reason)):
        sheet.parts(games.manifest(NAME), f"Look:\n\n```position\n{text}\n```\n")


def test_a_figure_keeps_to_the_rules(manifest: Manifest) -> None:
    first = manifest.with_options().start()
    text = first.write(first.legal()[0])
    assert sheet.figure(manifest, f"{manifest.name} {text}") == first.play(text)
    assert sheet.figure(manifest, f"{first.fen()} {text}") == first.play(text)
    with pytest.raises(IllegalAction):
        sheet.figure(manifest, f"{manifest.name} {text} {text}")


# -- `roundel rules` ----------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_to_a_pipe(
    manifest: Manifest, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", manifest.name, "--lang", language]) == 0
    out, known = capsys.readouterr().out, written(manifest, language)
    with speaking(language):
        blocks = [f"```\n{position}\n```" for position in figures(manifest, known)]
    assert re.findall(r"^```\n.*?\n```$", out, re.MULTILINE | re.DOTALL) == blocks
    assert re.sub(r"^```\n.*?\n```$", "", out, flags=re.MULTILINE | re.DOTALL) == prose(
        sheet.read(manifest, known)
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_on_a_terminal(
    manifest: Manifest, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "40")  # narrower than diagrams, which must stay whole
    assert main(["rules", manifest.name, "--lang", language]) == 0
    lines = screen.getvalue().splitlines()
    assert any("\x1b[" in line for line in lines), "headings stand out"
    assert not any("```" in line or line.startswith("#") for line in lines)
    with speaking(language):
        for position in figures(manifest, written(manifest, language)):
            for line in str(position).splitlines():
                assert f"    {line}".rstrip() in lines


def test_a_sheet_that_is_not_translated_is_shown_in_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rules.en.md").write_text("# Rules\n")
    monkeypatch.setattr(Manifest, "folder", tmp_path)
    assert main(["rules", NAME, "--lang", "fr"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "# Rules\n"
    assert captured.err.count("\n") == 1
    assert games.manifest(NAME).title in captured.err
    assert LANGUAGES["fr"] in captured.err
    assert main(["rules", NAME, "--lang", "en"]) == 0
    assert capsys.readouterr().err == ""


def test_a_game_without_a_sheet_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Manifest, "folder", tmp_path)
    assert main(["rules", NAME, "--lang", "en"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{NAME}: no rule sheet in 'en'; there are: none" in captured.err


def test_an_unknown_game_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "chess", "--lang", "en"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no game 'chess'" in captured.err
