"""Sizes that keep the house readable: of files, functions and signatures.

`page/src/sources.test.ts` does the same for the page.

Compiled code has limits of its own: arrays are passed one by one, and a call costs time.
"""

import ast
import re
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
        if has_any(function) and not has_reason(signature(path, function))
    ]
    assert unknown == []


def test_aliases_hide_no_any() -> None:
    """A name for a type with `Any` has its reason beside it, or above its group."""
    hidden = [f"{path}: {name}" for path in ORDINARY for name in unexplained_aliases(path)]
    assert hidden == []


def has_any(function: Function) -> bool:
    types = [parameter.annotation for parameter in parameters(function)] + [function.returns]
    return any(names_any(annotation) for annotation in types if annotation)


def names_any(annotation: ast.expr) -> bool:
    nodes = list(ast.walk(annotation))
    quoted = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    names = [n.id for n in nodes if isinstance(n, ast.Name)]
    return "Any" in names or any("Any" in text for text in quoted)


def has_reason(text: str) -> bool:
    """Whether there is a comment that is not for a tool."""
    return re.search(r"#\s*(?!noqa|type:)\S", text) is not None


def signature(path: Path, function: Function) -> str:
    end = max(function.body[0].lineno - 1, function.lineno)
    return "\n".join(path.read_text().splitlines()[function.lineno - 1 : end])


def unexplained_aliases(path: Path) -> Iterator[str]:
    lines = path.read_text().splitlines()
    for node in ast.parse("\n".join(lines)).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            is_type = isinstance(node.value, ast.Subscript) and names_any(node.value)
            group = "\n".join(lines[: node.lineno]).rpartition("\n\n")[2]
            if is_type and not has_reason(group):
                yield node.targets[0].id
