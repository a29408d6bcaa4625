"""Docs that cannot go stale: every command on a page is run, and a broken page stops the build.

The `pycon` blocks are run as doctests; `pyproject.toml` says where.
"""

import doctest
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from scripts import docs, links

from roundel.core.game import Manifest
from roundel.kernel.jit import JIT

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*(?:\n> ?.*)*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
SNIPPET = re.compile(r'--8<-- "([^":]+)')
BIN = Path(sys.executable).parent
EXAMPLES, TOY = ROOT / "docs" / "examples", ROOT / "tests" / "outside"


def blocks(page: Path, language: str) -> list[str]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for name, text in found if name == language]


def shell(command: str, folder: Path) -> str:
    """What a person would see, but for what is said while something is compiled."""
    place = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "LANGUAGE": "en", "COLUMNS": "100"}
    done = subprocess.run(
        ["bash", "-c", command],
        env=os.environ | place,
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return re.sub(r"^compiling .*\n", "", done.stdout, flags=re.MULTILINE)


# -- Examples -------------------------------------------------------------------

WITH_COMMANDS = [page for page in PAGES if blocks(page, "console")]


@pytest.mark.skipif(not JIT, reason="commands are run as people run them, compiled")
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.stem)
def test_commands_answer_as_the_page_says(page: Path, tmp_path: Path) -> None:
    """All commands of a page, one after the other, in a folder with the examples."""
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    commands = COMMAND.findall("".join(blocks(page, "console")))
    assert commands
    for command, wanted in commands:
        found = shell(re.sub(r"\n> ?", "\n", command), tmp_path)
        agree = doctest.OutputChecker().check_output(wanted, found, doctest.ELLIPSIS)
        assert agree, f"$ {command}\n{found}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_on_a_page_is_run(page: Path) -> None:
    """Prompts are doctests; other Python is a file of the toy game or an example that is called."""
    for block in blocks(page, "python"):
        (name,) = SNIPPET.findall(block)
        path = ROOT / name
        called = f"$ python {path.name}\n" in "".join(blocks(page, "console"))
        assert path.is_relative_to(TOY) or (path.parent == EXAMPLES and called), name
    for block in blocks(page, "pycon"):
        assert block.endswith("\n\n"), f"an empty line ends an example for doctest: {block}"


def test_names_in_the_glossary_exist() -> None:
    page = (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")
    glossary = page.partition("## Words, one meaning each\n")[2]
    places = [row.split(" | ")[-1] for row in glossary.splitlines() if row.startswith("| ")]
    names = re.findall(r"`([\w.]+)`", " ".join(places))
    assert names
    for name in names:
        pkgutil.resolve_name(f"roundel.{name}")


def test_the_guide_shows_every_file_of_the_toy_game() -> None:
    """All that an author has to write; golden files and the translation are not shown."""
    guide = (ROOT / "docs" / "guides" / "game.md").read_text()
    shown = {ROOT / name for name in SNIPPET.findall(guide)}
    files = {path for path in TOY.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    hidden = {path for path in files if path.parent.name in ("playthroughs", "pictures")}
    assert shown == files - hidden - {next(TOY.rglob("rules.fr.md"))}


# -- The site -------------------------------------------------------------------


def build(folder: Path, page: str, nav: str = "index.md") -> int:
    """Zensical's exit status for a site of one page, with our settings."""
    settings = (ROOT / "zensical.toml").read_text().replace('"src"', f'"{ROOT / "src"}"')
    (folder / "zensical.toml").write_text(settings)
    pages = folder / "build" / "docs"
    pages.mkdir(parents=True)
    (pages / "index.md").write_text(f"# Home\n\n{page}\n")
    (pages / ".nav.yml").write_text(f"nav:\n  - {nav}\n")
    done = subprocess.run([BIN / "zensical", "build", "--strict"], cwd=folder, capture_output=True)
    return done.returncode


def test_a_sound_page_is_built(tmp_path: Path) -> None:
    assert build(tmp_path, "::: roundel.games\n\n[home](index.md)") == 0
    assert (tmp_path / "build" / "site" / "index.html").is_file()


@pytest.mark.parametrize(
    "page",
    [
        "[a page](missing.md)",
        "[a place](#missing)",
        "[a name][roundel.missing]",
        "::: roundel.missing",
        '--8<-- "missing.py"',
    ],
)
def test_a_broken_page_stops_the_build(tmp_path: Path, page: str) -> None:
    assert build(tmp_path, page) != 0


def test_a_missing_page_stops_the_build(tmp_path: Path) -> None:
    assert build(tmp_path, "", nav="missing.md") != 0


@pytest.mark.parametrize(
    ("html", "told"),
    [
        ('<img src="missing.png">', "no such file"),
        ('<a href="other/">there</a>', "no such file"),
        ('<a href="#missing">there</a>', "no such place"),
        ('<a href="page.html#missing">there</a>', "no such place"),
        ('<link rel="stylesheet" href="https://example.org/a.css">', "fetched from elsewhere"),
        ('<script src="//example.org/a.js"></script>', "fetched from elsewhere"),
        ('<img src="/root.png">', "root of the server"),
    ],
)
def test_what_the_build_lets_pass_is_found_in_the_html(
    tmp_path: Path, html: str, told: str
) -> None:
    (tmp_path / "page.html").write_text('<p id="here">')
    (tmp_path / "index.html").write_text(html)
    (fault,) = links.faults(tmp_path)
    assert told in fault


def test_good_links_are_no_faults(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<a id="top" href="#top"></a><a href="."></a><a href="https://example.org"></a>'
        '<img src="a%20b.png"><link rel="canonical" href="https://example.org">'
    )
    (tmp_path / "a b.png").touch()
    assert list(links.faults(tmp_path)) == []


def test_numbers_of_lists_are_kept(tmp_path: Path) -> None:
    """Rules are cited by number: a list that begins anew on a page would tell wrong ones."""
    build(tmp_path, "1. one\n2. two\n\n## More\n\n3. three\n\nText.\n\n4. four")
    html = (tmp_path / "build" / "site" / "index.html").read_text()
    assert links.Page(html).numbers == [1, 2, 3, 4]


def test_every_game_has_its_pages(
    manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docs, "PAGES", tmp_path)
    docs.write_game(manifest)
    folder = tmp_path / "games" / manifest.name
    page = (folder / "index.md").read_text()
    assert page.startswith(f"# {manifest.title}\n")
    for option in manifest.options:
        assert f"| `{option.name}` |" in page
    for text in (page, *(file.read_text() for file in folder.glob("rules.*.md"))):
        for figure in re.findall(r"\((figures/.*?)#", text):
            assert (folder / figure).read_text().startswith("<svg")
        assert "```position" not in text


def test_every_file_that_contributors_are_sent_to_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    named = re.findall(r"(?<![\w/])(?:src|page|tests|scripts|docs)/[\w./]+\w", text)
    assert len(named) > 30
    assert [path for path in named if not (ROOT / path).exists()] == []
