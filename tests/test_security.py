"""`SECURITY.md` names tests for its locks, and they exist; and it forgets no bound."""

import ast
import re
from pathlib import Path

from roundel.web.settings import PREFIX, Settings

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
TRIED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")
NO_BOUNDS = {  # of what a visitor can take
    *("host", "port", "data", "origins", "hosts", "proxies", "log", "pace", "away"),
}


def names_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_test_that_is_named_exists() -> None:
    named = TRIED.findall(TEXT)
    assert len(named) > 30
    assert [f"{file}::{name}" for file, name in named if name not in names_in(file)] == []


def test_every_lock_and_every_bound_is_tried() -> None:
    locks = TEXT[TEXT.index("## Locks") :]
    rows = [line for line in locks.splitlines() if line.startswith("|")]
    kinds = ("| lock ", "| what ", "|---")
    assert [row for row in rows if not (TRIED.search(row) or row.startswith(kinds))] == []


def test_every_module_that_is_named_exists() -> None:
    modules = set(re.findall(r"`([a-z_/]+\.py)`", TEXT))
    folders = [ROOT / "src" / "roundel" / "web", ROOT / "src" / "roundel"]
    assert {name for name in modules if not any((f / name).exists() for f in folders)} == set()


def test_every_setting_that_bounds_something_is_named() -> None:
    bounds = {PREFIX + name.upper() for name in Settings.__struct_fields__ if name not in NO_BOUNDS}
    assert {name for name in bounds if f"`{name}`" not in TEXT} == set()
