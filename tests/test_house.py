"""Sizes that keep the house readable: of files, functions and signatures.

Compiled code has limits of its own: arrays are passed one by one, and a call costs time.
"""

import ast
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "roundel"
FILES = sorted(path for path in SOURCE.rglob("*.py") if not path.name.startswith("test_"))
MIGRATIONS = SOURCE / "web" / "store" / "migrations"
LONGEST_FILE, LONGEST_FUNCTION, MOST_PARAMETERS = 300, 40, 6

OVERRIDES = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
(COMPILED,) = (o["module"] for o in OVERRIDES if o.get("disallow_untyped_defs") is False)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_compiled(path: Path) -> bool:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return "kernel" in parts or any(fnmatch(".".join(parts), pattern) for pattern in COMPILED)


ORDINARY = [path for path in FILES if not is_compiled(path) and MIGRATIONS not in path.parents]


def functions(path: Path) -> Iterator[Function]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, Function):
            yield node


def parameters(function: Function) -> list[ast.arg]:
    named = function.args
    starred = [part for part in (named.vararg, named.kwarg) if part]
    return [*named.posonlyargs, *named.args, *named.kwonlyargs, *starred]


def test_the_lists_are_not_empty() -> None:
    assert len(ORDINARY) > 100
    assert MIGRATIONS.is_dir()
    assert any(is_compiled(path) for path in FILES)


def test_files_are_short() -> None:
    files = [path for path in FILES if path.name != "rules.py" and MIGRATIONS not in path.parents]
    lengths = {str(path): len(path.read_text().splitlines()) for path in files}
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_functions_are_short() -> None:
    long = [
        f"{path}: {function.name}"
        for path in ORDINARY
        for function in functions(path)
        if (function.end_lineno or 0) - function.lineno >= LONGEST_FUNCTION
        or len(parameters(function)) > MOST_PARAMETERS
    ]
    assert long == []


def test_types_of_signatures_are_known() -> None:
    """`Any` has its reason beside it, as a comment."""
    unknown = [
        f"{path}: {function.name}"
        for path in ORDINARY
        for function in functions(path)
        if has_any(function) and "#" not in signature(path, function)
    ]
    assert unknown == []


def test_names_of_unknown_types_have_a_reason() -> None:
    """An alias such as `Row = dict[str, Any]` hides `Any` from a signature: it needs a comment."""
    unknown = [
        f"{path}:{alias.lineno}"
        for path in ORDINARY
        for alias in ast.parse(path.read_text()).body
        if isinstance(alias, ast.Assign)
        and isinstance(alias.value, ast.Subscript)
        and mentions_any(alias.value)
        and "#" not in paragraph(path, alias.lineno)
    ]
    assert unknown == []


def has_any(function: Function) -> bool:
    types = [parameter.annotation for parameter in parameters(function)] + [function.returns]
    return any(mentions_any(annotation) for annotation in types if annotation)


def mentions_any(annotation: ast.expr) -> bool:
    nodes = ast.walk(annotation)
    return any(isinstance(node, ast.Name) and node.id == "Any" for node in nodes)


def paragraph(path: Path, lineno: int) -> str:
    """The line, and those above it down from the last empty one."""
    above = "\n".join(path.read_text().splitlines()[:lineno])
    return above.rpartition("\n\n")[2]


def signature(path: Path, function: Function) -> str:
    return "\n".join(path.read_text().splitlines()[function.lineno - 1 : function.body[0].lineno])
