"""Where compiled code is kept: found again, renewed after an edit, and never a reason to fail."""

import importlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import roundel
from roundel import games
from roundel.core.compiling import say_begun
from roundel.kernel import cache
from roundel.kernel.jit import JIT

PACKAGE = Path(roundel.__file__).parent
NAME = games.ours()[0]
USE = f"""
import sys
from roundel import games
assert "numba" not in sys.modules, "Numba is loaded with the first game, not before"
print(len(games.load({NAME!r}).start().legal()))
import gc
assert gc.get_freeze_count() > 10 * len(gc.get_objects()), "the collector would come late"
from roundel.kernel import cache
print(*cache.compiled_here)
"""


def use(**variables: str) -> tuple[list[str], str]:
    """List the legal actions in a process of its own: what it had to compile, and what it said."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA", "ROUNDEL", "XDG"))}
    command = [sys.executable, "-c", USE]
    done = subprocess.run(command, env=kept | variables, capture_output=True, text=True, check=True)
    legal, compiled = done.stdout.splitlines()
    assert int(legal) > 0
    return compiled.split(), done.stderr


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    compiled, said = use(ROUNDEL_CACHE=str(tmp_path))
    assert f"{NAME}.legal" in compiled
    assert f"compiling {NAME}.legal" in said
    assert use(ROUNDEL_CACHE=str(tmp_path)) == ([], "")


def test_an_edit_of_the_rules_compiles_again(tmp_path: Path) -> None:
    source, kept = tmp_path / "src" / "roundel", {"ROUNDEL_CACHE": str(tmp_path / "cache")}
    assert use(**kept)[0]
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
    place = {"PYTHONPATH": str(source.parent), **kept}
    assert use(**place) == ([], ""), "the same sources in another place"
    folder = source / "games" / NAME
    for file, compiles in (
        (folder / "rules.py", True),
        (folder / "style.py", False),
        (source / "kernel" / "engine.py", True),
    ):
        file.write_text(file.read_text() + "\n# edited\n")
        assert bool(use(**place)[0]) == compiles, f"{file.name} was edited"
        assert use(**place)[0] == []


def test_an_unwritable_home_works(tmp_path: Path) -> None:
    nowhere = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache"}
    assert use(**nowhere, TMPDIR=str(tmp_path))[0]
    assert use(**nowhere, TMPDIR=str(tmp_path))[0] == [], "kept in the temporary folder"


def test_nothing_writable_works() -> None:
    compiled, said = use(ROUNDEL_CACHE="/dev/null/cache")
    assert compiled
    assert "compiling" in said


def test_the_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDEL_CACHE", str(tmp_path))
    assert cache.cache_folder("a") == tmp_path / "a"
    tmp_path.chmod(0o777)
    assert cache.cache_folder("a") is None, "others could plant code there"
    monkeypatch.setenv("ROUNDEL_CACHE", "/dev/null/cache")
    assert cache.cache_folder("a") is None
    monkeypatch.delenv("ROUNDEL_CACHE")
    assert len(list(cache.candidates())) == 2


def test_code_that_is_used_is_kept(tmp_path: Path) -> None:
    use(ROUNDEL_CACHE=str(tmp_path))
    (folder,) = tmp_path.iterdir()
    os.utime(folder, (0, 0))
    use(ROUNDEL_CACHE=str(tmp_path))
    assert folder.stat().st_mtime > 0


def test_code_that_nobody_used_for_long_is_forgotten(tmp_path: Path) -> None:
    now, recent, old = (tmp_path / name for name in ("now", "recent", "old"))
    for folder in (now, recent, old):
        folder.mkdir()
    os.utime(old, (0, 0))
    gone = tmp_path / "gone"  # another process has removed it since it was listed
    gone.symlink_to("nowhere")
    cache.forget_old(now)
    assert sorted(tmp_path.iterdir()) == [gone, now, recent]


def make_double(toy: Any) -> Any:
    def double(number):  # type: ignore[no-untyped-def]
        return toy.FACTOR * number

    return double


def test_threads_compile_one_after_the_other(tmp_path: Path) -> None:
    """Numba's folder is one for all of them: another's code would land in ours."""
    with cache.caching_in(tmp_path), ThreadPoolExecutor(1) as other:
        assert not other.submit(cache.compiling.acquire, blocking=False).result()


def test_an_entry_is_compiled_when_it_is_first_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "toy.py").write_text("FACTOR = 2\n")
    monkeypatch.syspath_prepend(tmp_path)
    cold = list[str]()
    monkeypatch.setattr(cache, "on_compiling", [say_begun, cold.append])
    toy = importlib.import_module("toy")

    def double() -> tuple[int, str]:
        entries = cache.Entries("toy", toy, {"double": (make_double, "int64(int64)")})
        return entries.double(21), capsys.readouterr().err

    monkeypatch.setenv("ROUNDEL_CACHE", str(tmp_path / "cache"))
    said = "compiling toy.double for this machine, once ..." if JIT else ""
    number, told = double()
    assert (number, told.startswith(said), bool(told)) == (42, True, JIT)
    assert double() == (42, ""), "found again"
    monkeypatch.setenv("ROUNDEL_CACHE", "/dev/null/cache")
    number, told = double()
    assert (number, told.startswith(said), bool(told)) == (42, True, JIT)
    assert cold == (["toy.double", "toy.double"] if JIT else [])


def test_unknown_entries_are_no_attributes() -> None:
    engine = games.manifest(NAME).engine
    with pytest.raises(AttributeError):
        engine.nonsense  # noqa: B018
