"""What people install: the wheel that `make test` has made from the sdist and installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from subprocess import PIPE, STDOUT

import httpx
import pytest
from scripts.build_hook import is_page_built

from roundel import games

ROOT = Path(__file__).parents[1]
WHEEL = ROOT / "build" / "wheel"
PROGRAMS = WHEEL / "venv" / "bin"
MAKE_IT = "make build/wheel/installed"
PACKAGE = ROOT / "src" / "roundel"
PAGE = PACKAGE / "web" / "static"
GAME = games.ours()[0]
SCRIPT = f"""
from roundel import games
from roundel.batch import Batch
from roundel.bots import Budget, choose
from roundel.core.position import Position


def play(position: Position) -> tuple[float, ...]:
    while not position.over:
        position = position.play(choose(position, Budget(nodes=100)).action)
    return position.returns


returns: tuple[float, ...] = play(games.load({GAME!r}).start())
batch = Batch({GAME!r}, 64)
batch.step(batch.random_actions())
"""


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    assert (WHEEL / "installed").is_file(), f"there is no wheel: {MAKE_IT}"


def own_files() -> set[str]:
    """All that Roundel consists of, the page included."""
    files = (file for file in PACKAGE.rglob("*") if file.is_file())
    return {str(f.relative_to(ROOT / "src")) for f in files if "__pycache__" not in f.parts}


def names_in_wheel(file: Path) -> set[str]:
    names = zipfile.ZipFile(file).namelist()
    return {name for name in names if name.startswith("roundel/")}


def test_everything_is_in_it() -> None:
    (file,) = WHEEL.glob("*.whl")
    assert names_in_wheel(file) == own_files()
    assert {"roundel/py.typed", "roundel/locale/fr.mo"} <= own_files()
    assert "roundel/web/static/index.html" in own_files()


def build(folder: Path, kind: str, path: str = os.environ["PATH"]) -> Path:
    """What Hatchling makes of a folder, without the network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind]
    run(command, folder, PATH=path, npm_config_offline="true")
    (made,) = (folder / "dist").glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """The sdist, as somebody has it who downloads that."""
    (file,) = WHEEL.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    return folder


def test_a_wheel_from_the_sdist_needs_no_node(unpacked: Path) -> None:
    for file in (unpacked / "page").rglob("*"):
        os.utime(file)  # some installers forget when files were changed
    assert is_page_built(unpacked)
    assert names_in_wheel(build(unpacked, "wheel", path="")) == own_files()


@pytest.mark.parametrize("kind", ["sdist", "wheel"])
def test_a_build_from_a_clean_clone_builds_the_page(unpacked: Path, kind: str) -> None:
    (unpacked / "PKG-INFO").unlink()  # which only an sdist has
    shutil.rmtree(unpacked / PAGE.relative_to(ROOT))
    modules = Path("page", "node_modules")
    shutil.copytree(ROOT / modules, unpacked / modules, symlinks=True)
    made = build(unpacked, kind)
    if kind == "wheel":
        assert names_in_wheel(made) == own_files()
    else:
        with tarfile.open(made) as archive:
            names = {name.partition("/src/")[2] for name in archive.getnames()}
        assert own_files() <= names


def test_a_page_that_is_older_than_its_sources_is_built_again(unpacked: Path) -> None:
    (unpacked / "PKG-INFO").unlink()
    page = unpacked / PAGE.relative_to(ROOT) / "index.html"
    os.utime(page, (2e9, 2e9))
    assert is_page_built(unpacked)
    os.utime(page, (0, 0))
    assert not is_page_built(unpacked)


def test_the_licenses_of_what_the_page_brings_are_inside() -> None:
    told = (PAGE / "licenses.txt").read_text()
    for package in ("svelte", "swagger-ui-dist", "@fontsource-variable/manrope"):
        assert re.search(rf"^== {package} [\d.]+ \(.+\)$", told, re.MULTILINE), package
    for words in ("SIL OPEN FONT LICENSE", "Apache License", "MIT License"):
        assert words in told
    assert (PAGE / "docs" / "swagger-ui-bundle.js.LICENSE.txt").is_file()


def environment(**more: str) -> dict[str, str]:
    """With the programs of the wheel before all others."""
    path = os.pathsep.join([str(PROGRAMS), os.environ["PATH"]])
    return os.environ | {"PATH": path, "LANGUAGE": "en"} | more


def run(command: list[str], folder: Path, **more: str) -> str:
    """In a folder without sources; returns all that is printed."""
    done = subprocess.run(
        command, cwd=folder, env=environment(**more), stdout=PIPE, stderr=STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_it_serves_the_page(tmp_path: Path) -> None:
    command = ["roundel", "serve", "--port", "0", "--data", "."]
    settings = environment(ROUNDEL_WORKERS="0")
    with subprocess.Popen(command, cwd=tmp_path, env=settings, stdout=PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            with httpx.Client(base_url=server.stdout.readline().split()[-1]) as client:
                page = client.get("/")
                files = re.findall(r'(?:src|href)="(/[^"]+)"', page.text)
                answers = [client.get(f) for f in [*files, "/licenses.txt", "/docs"]]
        finally:
            server.terminate()
    assert [page.status_code] + [a.status_code for a in answers] == [200] * (len(files) + 3)
    assert any(file.endswith(".js") for file in files)


def test_it_serves_a_match(tmp_path: Path) -> None:
    out = run(["python", str(ROOT / "docs" / "examples" / "seat.py")], tmp_path)
    assert '[Game "ringgz' in out


def test_it_speaks_french(tmp_path: Path) -> None:
    told = [run(["roundel", "--lang", lang, "rules", GAME], tmp_path) for lang in ("en", "fr")]
    assert told[0] != told[1]


def test_scripts_of_its_users_are_checked_strictly(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    python = str(PROGRAMS / "python")
    checker = [sys.executable, "-m", "mypy", "--strict", "--python-executable", python]
    run([*checker, "--cache-dir", "cache", "script.py"], tmp_path)
    run(["python", "script.py"], tmp_path)


def test_it_says_that_it_compiles(tmp_path: Path) -> None:
    code = f"from roundel import games; games.load({GAME!r}).start().legal()"
    text = f"compiling {GAME}.legal for this machine, once ..."
    assert text in run(["python", "-c", code], tmp_path, ROUNDEL_CACHE=str(tmp_path))
    assert run(["python", "-c", code], tmp_path, ROUNDEL_CACHE=str(tmp_path)) == ""
