"""What counts as compiled in: an edit of that compiles anew, and an edit of nothing else does."""

import functools
import importlib
import itertools
import json
import linecache
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import roundel
from roundel import games
from roundel.kernel.cache import machine
from roundel.kernel.digest import digest
from roundel.kernel.jit import config

PACKAGE = Path(roundel.__file__).parent
FIRST, SECOND = games.ours()[:2]
ASK = """
import json
from roundel import batch, games
from roundel.search import searcher
print(json.dumps({
    f"{name}.{entry}": entries.digest(entry)
    for name in games.names()
    for entries in (games.manifest(name).engine, batch.entries_of(name), *searcher.entries_of(name))
    for entry in entries.names
}))
"""

# -- The whole house ----------------------------------------------------------------


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the package, to be edited."""
    folder = tmp_path_factory.mktemp("src") / "roundel"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__", "static"))
    return folder


def digests(package: Path) -> dict[str, str]:
    """Of every entry that there is; asked of a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(package.parent)}
    command = [sys.executable, "-c", ASK]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def before(copy: Path) -> dict[str, str]:
    return digests(copy)


def edited(copy: Path, before: dict[str, str], *edits: tuple[str, str, str]) -> set[str]:
    """The entries that are other ones after edits, each of a file in which `old` becomes `new`."""
    originals = {file: (copy / file).read_text() for file, _old, _new in edits}
    for file, old, new in edits:
        assert old in originals[file]
        (copy / file).write_text(originals[file].replace(old, new))
    try:
        now = digests(copy)
    finally:
        for file, text in originals.items():
            (copy / file).write_text(text)
    assert now.keys() == before.keys()
    return {entry for entry in now if now[entry] != before[entry]}


def test_a_copy_elsewhere_is_the_same(before: dict[str, str]) -> None:
    assert digests(PACKAGE) == before


def test_words_and_colours_compile_nothing(copy: Path, before: dict[str, str]) -> None:
    folder = f"games/{FIRST}"
    nothing = edited(
        copy,
        before,
        (f"{folder}/style.py", "#", "#0"),
        (f"{folder}/view.py", "def ", "\n\ndef "),
        (f"{folder}/notation.py", "expected", "wanted"),
        (f"{folder}/__init__.py", "GAME", "'''Here it is.'''\nGAME"),
        (f"{folder}/rules.en.md", "the", "THE"),
        ("locale/fr.po", "msgstr", "# edited\nmsgstr"),
        ("cli/warmup.py", "Compile everything", "Compile all"),
        ("core/option.py", "A choice made before the match", "A choice"),
        ("core/compiling.py", "this machine", "this computer"),
        ("search/levels.py", "level", "Level"),
    )
    assert nothing == set()


def of_game(name: str, before: dict[str, str]) -> set[str]:
    return {entry for entry in before if entry.startswith(f"{name}.")}


def test_rules_compile_what_plays_by_them(copy: Path, before: dict[str, str]) -> None:
    found = edited(copy, before, (f"games/{FIRST}/rules.py", "\n# --", "\n# edited\n# --"))
    same = {f"{FIRST}.post_command"}  # a word left for another thread, whatever is played
    assert found == of_game(FIRST, before) - same


@pytest.mark.parametrize("name", games.ours())
def test_what_judges_a_position_compiles_the_search(
    copy: Path, before: dict[str, str], name: str
) -> None:
    manifest = games.manifest(name)
    extractor = Path((manifest.evaluate or manifest.patterns).__file__).name
    found = edited(copy, before, (f"games/{name}/{extractor}", "@kernel", "# edited\n@kernel"))
    assert f"{name}.alphabeta" in found
    assert found <= {f"{name}.alphabeta", f"{name}.mcts"}


def test_bits_compile_everything_with_actions(copy: Path, before: dict[str, str]) -> None:
    found = edited(copy, before, ("kernel/bits.py", "total += popcount", "total += 2 * popcount"))
    assert found >= {f"{name}.{entry}" for name in games.names() for entry in ("legal", "uct")}


def test_a_search_compiles_itself(copy: Path, before: dict[str, str]) -> None:
    found = edited(copy, before, ("search/uct.py", "sqrt(", "2 * sqrt("))
    assert found >= {f"{name}.uct" for name in games.names()}
    assert {entry.partition(".")[2] for entry in found} <= {"uct", "mcts"}


def test_how_code_is_compiled_compiles_everything(copy: Path, before: dict[str, str]) -> None:
    assert edited(copy, before, ("kernel/jit.py", '"numpy"', '"python"')) == set(before)


# -- How it is found -----------------------------------------------------------------

PARTS = {
    "toy_tables": """
from enum import IntEnum
import numpy as np

TABLE, SIZE = np.arange(5), 3

class Side(IntEnum):
    LEFT = 4
""",
    "toy_inner": """
from roundel.kernel.bits import lowest
from roundel.kernel.jit import kernel
from toy_tables import SIZE, TABLE, Side

NAMES = (("a", SIZE), 2.0)
half = kernel(lambda x: x // 2)

@kernel
def inner(x):
    return TABLE[SIZE] + Side.LEFT + lowest(x) + half(x) + NAMES[1]
""",
    "toy_far": """
EDGE = 1
WIDE = 2
HIGH = 3
DEEP = 4
FLAT = 5
""",
    "toy_made": """
from enum import IntEnum
import toy_far
from roundel.kernel.jit import kernel

class Way(IntEnum):
    RIGHT = toy_far.EDGE

def plus(number):
    @kernel
    def add(x, more=toy_far.WIDE):
        return x + number + more
    return add

def plain(x):
    return x + toy_far.HIGH
""",
    "toy_names": """
from toy_made import plus
one, two = plus(1), plus(2)
""",
    "toy_rules": """
import toy_inner, toy_made, toy_names
from roundel.kernel.jit import kernel

@kernel
def far(x):
    return x + toy_made.toy_far.FLAT

@kernel
def play(x):
    near = toy_inner.inner(x) + toy_inner.half(x) + toy_names.one(x) - toy_names.two(x)
    return near + toy_made.plain(x) + toy_made.Way.RIGHT + far(x) + toy_made.toy_far.DEEP
""",
    "toy_entry": """
def make(G):
    def entry(x):
        return G.play(x)
    return entry
""",
}
FAR = ("EDGE", "WIDE", "HIGH", "DEEP", "FLAT")
Toy = Callable[..., str]


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Toy]:
    """The digest of a small entry; every time from files elsewhere, some of them edited."""
    number = itertools.count()

    def made(**edits: tuple[str, str]) -> str:
        folder = tmp_path / str(next(number))
        folder.mkdir()
        for name, text in PARTS.items():
            sys.modules.pop(name, None)
            old, new = edits.get(name, ("", ""))
            assert old in text
            (folder / f"{name}.py").write_text(text.replace(old, new))
        linecache.clearcache()
        with monkeypatch.context() as patch:
            patch.syspath_prepend(folder)
            make, rules = (importlib.import_module(name) for name in ("toy_entry", "toy_rules"))
            return digest(make.make(rules))

    yield made
    for name in PARTS:
        sys.modules.pop(name, None)


def test_the_place_of_the_files_does_not_count(toy: Toy) -> None:
    assert toy() == toy()


@pytest.mark.parametrize(
    "edits",
    [
        {"toy_tables": ("arange(5)", "arange(5) + 1")},
        {"toy_tables": ("arange(5)", "arange(5).astype(np.int8)")},
        {"toy_tables": (", 3", ", 4")},
        {"toy_tables": ("LEFT = 4", "LEFT = 5")},
        {"toy_inner": ("x // 2", "x // 3")},
        {"toy_inner": ("2.0", "2.5")},
        {"toy_inner": ('"a"', '"b"')},
        {"toy_inner": ("import lowest", "import highest as lowest")},
        {"toy_inner": ("@kernel", "# another line\n@kernel")},
        {"toy_rules": ("inner(x) + ", "inner(x) - ")},
        {"toy_names": ("one, two", "two, one")},
        {"toy_names": ("plus(2)", "plus(3)")},
        *({"toy_far": (f"{name} =", f"{name} = 9 +")} for name in FAR),
        {"toy_entry": ("G.play(x)", "-G.play(x)")},
    ],
)
def test_whatever_is_reached_counts(toy: Toy, edits: dict[str, tuple[str, str]]) -> None:
    assert toy(**edits) != toy()


def test_what_is_not_reached_does_not_count(toy: Toy) -> None:
    unreached = {"toy_tables": (", 3", ", 8 - 5")}
    without_class = {"toy_inner": (" + Side.LEFT", "")}
    assert toy(**without_class, **unreached) == toy(**without_class)


def test_what_is_in_memory_counts_when_its_file_was_edited_since(toy: Toy) -> None:
    """A server may run for weeks while its sources are edited; its code is not theirs."""
    edit = ("G.play(x)", "-G.play(x)")
    after = toy(toy_entry=edit)
    toy()
    make, rules = sys.modules["toy_entry"], sys.modules["toy_rules"]
    file = Path(str(make.__file__))
    file.write_text(file.read_text().replace(*edit))
    linecache.clearcache()
    assert digest(make.make(rules)) != after


@pytest.mark.parametrize("wish", ["BOUNDSCHECK", "DEBUGINFO_DEFAULT", "OPT"])
def test_what_numba_was_asked_for_counts(wish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = machine()
    monkeypatch.setattr(config, wish, 1)
    assert machine() != before


def test_a_signature_counts() -> None:
    def entry(x: Any) -> Any:
        return x

    assert digest(entry, "int64(int64)") == digest(entry, "int64(int64)")
    assert digest(entry, "int64(int64)") != digest(entry, "float64(float64)")


def test_functions_made_by_functions_are_followed() -> None:
    def made(number: int) -> Any:
        inner = functools.partial(int)  # of a library

        def tell() -> int:
            return number

        def entry(x: Any) -> Any:
            return tell() + x + (lambda y: y)(x) + inner()

        return entry

    assert digest(made(1)) != digest(made(2))
