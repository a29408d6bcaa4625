"""Games from outside the package: found through entry points, held to the same contract."""

import dataclasses
import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from roundel import games
from roundel.cli.main import main
from roundel.core import game
from roundel.core.errors import BrokenGame, UnknownGame
from roundel.core.lang import LANGUAGES
from roundel.kernel.jit import JIT
from roundel.search.judge import judge_of
from tests.conftest import brings

ROOT = Path(__file__).parents[1]
OUTSIDE = ROOT / "tests" / "outside"
PROJECT = tomllib.loads((OUTSIDE / "pyproject.toml").read_text())["project"]
((NAME, PACKAGE),) = PROJECT["entry-points"]["roundel.games"].items()
CONTRACT = 40  # tests, at least: fewer would mean that they were not found


def install(folder: Path, **packages: str) -> None:
    """What an installer would leave behind: games' names and the packages that are them."""
    for name, package in packages.items():
        info = folder / f"{package}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {package}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[roundel.games]\n{name} = {package}\n")


# -- A game that keeps the contract -----------------------------------------------


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Of a process in which the game outside is installed."""
    install(tmp_path, **{NAME: PACKAGE})
    path = os.pathsep.join([str(tmp_path), str(OUTSIDE), str(ROOT / "src")])
    return os.environ | {"PYTHONPATH": path, "LANGUAGE": "en"}


def run(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def roundel(environment: dict[str, str], *arguments: str) -> str:
    return run(environment, "-m", "roundel.cli.main", *arguments)


def test_it_keeps_the_contract(environment: dict[str, str]) -> None:
    everyone = ["tests/test_every_game.py", "tests/test_rule_sheets.py"]
    tests = [*everyone, f"tests/outside/{PACKAGE}"]
    out = run(environment, "-m", "pytest", "-n", "0", *tests, "-k", NAME)
    found = re.search(r"(\d+) passed", out)
    assert found
    assert int(found[1]) > CONTRACT


@pytest.mark.parametrize("name", games.ours())
def test_our_own_games_bring_all_that_a_guest_may_lack(name: str) -> None:
    """Tests of such a part are only for games that bring it (`brings` in conftest.py)."""
    manifest = games.manifest(name)
    files = [
        "locale/fr.mo",
        "tactics.txt",
        "levels.json",
        "mistake_thresholds.json",
        "pictures/typical.txt",
    ]
    sheets = [f"rules.{language}.md" for language in LANGUAGES]
    missing = [part for part in ("observe", *files, *sheets) if not brings(manifest, part)]
    assert not missing
    assert judge_of(manifest)
    assert manifest.style.pieces


def test_it_speaks_english_until_it_is_translated(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """Its own words, beside the French ones of the house."""
    copy = tmp_path / "copy" / PACKAGE
    shutil.copytree(OUTSIDE / PACKAGE, copy, ignore=shutil.ignore_patterns("rules.fr.md"))
    path = os.pathsep.join([str(copy.parent), environment["PYTHONPATH"]])
    french = environment | {"PYTHONPATH": path, "LANGUAGE": "fr"}
    english = "Crosses: choose an empty square."
    assert english in roundel(french, "show", NAME)
    listed = roundel(french, "games")
    assert "par défaut" in listed
    assert "three in a row lose" in listed
    assert "The board has nine squares" in roundel(french, "rules", NAME)
    run(french, "-m", "scripts.messages", NAME)
    catalogue = copy / "locale" / "fr.po"
    before, after = catalogue.read_text().split(f'msgid "{english}"\nmsgstr ""')
    catalogue.write_text(f'{before}msgid "{english}"\nmsgstr "Aux croix."{after}')
    run(french, "-m", "scripts.messages", NAME)
    assert "Aux croix." in roundel(french, "show", NAME)


def test_its_compiled_code_is_kept(environment: dict[str, str]) -> None:
    if not JIT:
        pytest.skip("nothing is compiled")
    roundel(environment, "warmup", NAME)
    assert "(functions compiled: 0)" in roundel(environment, "warmup", NAME)


def test_the_commands_know_it(environment: dict[str, str], tmp_path: Path) -> None:
    assert f"\n{NAME}: " in roundel(environment, "games")
    assert roundel(environment, "show", NAME).startswith("<svg")
    assert "result" in roundel(environment, "playthrough", NAME)
    file = tmp_path / "match.record"
    file.write_text(f'[Game "{NAME}"]\n')
    assert roundel(environment, "record", "check", str(file)).startswith("1 match")


def test_its_positions_travel_between_processes(environment: dict[str, str]) -> None:
    make = f"""
import pickle
from roundel import games
start = games.load({NAME!r}).start()
print(pickle.dumps(start.play(start.legal()[0])).hex())
"""
    read = "import pickle, sys; print(repr(pickle.loads(bytes.fromhex(sys.argv[1]))))"
    travelled = run(environment, "-c", make).strip()
    assert run(environment, "-c", read, travelled).startswith(f"games.load({NAME!r})")


def test_nobody_looks_for_games_before_one_is_wanted() -> None:
    code = "import sys, roundel; assert 'importlib.metadata' not in sys.modules"
    run(dict(os.environ), "-c", code)


# -- Packages that are no games -----------------------------------------------------


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which packages can be installed for this test only."""
    monkeypatch.syspath_prepend(str(tmp_path))
    for cached in (games.claims, games.said):
        cached.cache_clear()
    yield tmp_path
    for cached in (games.claims, games.said):
        cached.cache_clear()


@pytest.mark.parametrize(
    ("package", "source", "told"),
    [
        ("stranger_raises", "1 / 0", "ZeroDivisionError"),
        ("stranger_needs", "import no_such_module", "no_such_module"),
        ("stranger_lacks", "", "no attribute 'GAME'"),
        ("stranger_numbers", "GAME = 3", "'int' object"),
        (
            "stranger_lies",
            "class GAME:\n    name = 'other'",
            "calls its game 'other'",
        ),
    ],
)
def test_a_broken_package_is_named_and_breaks_nothing_else(
    stranger: Path,
    capsys: pytest.CaptureFixture[str],
    package: str,
    source: str,
    told: str,
) -> None:
    (stranger / f"{package}.py").write_text(source)
    before = games.names()
    install(stranger, newcomer=package)
    games.claims.cache_clear()
    assert games.names() == before
    with pytest.raises(BrokenGame, match=f"^newcomer: package {package}.*{told}"):
        games.load("newcomer")
    assert main(["games"]) == 0
    captured = capsys.readouterr()
    assert f"package {package}" in captured.err
    assert f"{before[0]}: " in captured.out


def test_a_name_that_two_packages_claim_is_nobodys(stranger: Path) -> None:
    before = games.names()
    for package in ("stranger_claims", "stranger_too"):
        install(stranger, newcomer=package)
    games.claims.cache_clear()
    assert games.names() == before
    with pytest.raises(BrokenGame, match=r"claim this name: stranger_[a-z]+, stranger_[a-z]+$"):
        games.load("newcomer")
    with pytest.raises(UnknownGame, match=f"there are: {', '.join(before)}$"):
        games.load("nowhere")


def test_nobody_takes_our_names(stranger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = games.ours()[0]
    install(stranger, **{first: "stranger_claims"})
    games.claims.cache_clear()
    assert games.load(first).start().legal()
    assert main(["games"]) == 0
    told = capsys.readouterr()
    assert f"{first}: the name is taken, so these are ignored: stranger_claims" in told.err
    assert f"{first}: " in told.out


@pytest.mark.parametrize("name", ["bits", "jit", "memory", "planes", "randoms"])
def test_games_written_for_earlier_versions_find_what_is_compiled(name: str) -> None:
    before, now = (
        importlib.import_module(f"roundel.{floor}.{name}") for floor in ("core", "kernel")
    )
    shared = [word for word in vars(now) if not word.startswith("_")]
    assert shared
    assert all(getattr(before, word) is getattr(now, word) for word in shared)


def test_games_written_for_earlier_versions_tell_their_clicks() -> None:
    """A view called it `ways`, and its rows `Way`."""
    manifest = games.manifest(games.ours()[0])
    now = manifest.view
    parts = {name: part for name, part in vars(now).items() if name != "click_paths"}
    earlier = dataclasses.replace(manifest, view=SimpleNamespace(**parts, ways=now.click_paths))
    here, there = (each.with_options().start() for each in (manifest, earlier))
    assert there.click_paths() == here.click_paths()
    assert there.clicks(there.legal()[0]) == here.clicks(here.legal()[0])
    assert game.Way is game.ClickPath
