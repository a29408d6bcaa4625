"""What compiled code is made of, as a digest: it names the folder where the code is kept.

Nothing lists modules here. From an entry, names are followed as Numba follows them when it
compiles: to the kernels that are inlined, and on to theirs; to the modules that they are looked up
in; and to the constants that are frozen into the code, tables included. A file that none of them
comes from can be edited, and nothing is compiled anew.
"""

import hashlib
import linecache
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from roundel.kernel import jit

CONSTANTS = (int, float, complex, str, bytes, type(None), np.generic)


def digest(entry: Callable[..., Any], *more: object) -> str:
    """Changes with whatever is compiled into a function, and with `more`."""
    reached = Reached()
    reached.source(jit.__name__)  # how everything is compiled
    reached.follow(cast(FunctionType, entry))
    parts = [repr(more), *sorted(reached.parts)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def short(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def names_in(code: CodeType) -> Iterator[str]:
    """What it looks up by name, in modules and elsewhere."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def instructions(code: CodeType) -> str:
    """What it does, wherever its file is and on whichever line it begins."""
    constants = [instructions(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return repr((code.co_code, code.co_names, code.co_varnames, constants))


class Reached:
    """All that has been found on the way from an entry, each part as a line of text."""

    def __init__(self) -> None:
        self.parts = set[str]()
        self.functions = set[FunctionType]()
        self.looked_up = set[tuple[str, str]]()

    def source(self, module: str) -> None:
        """The whole file, so that nothing in it that is hard to follow can be missed."""
        found = sys.modules.get(module)
        file = getattr(found, "__file__", None)
        if file:
            text = "".join(linecache.getlines(file, vars(found)))
            self.parts.add(f"{module} {short(text.encode())}")

    def follow(self, function: FunctionType) -> None:
        """Beside the file, the instructions: a file may be edited while they are in memory, and
        what is compiled from them must not be taken for what the file says now."""
        if function in self.functions:
            return
        self.functions.add(function)
        module, code = function.__module__, function.__code__
        self.source(module)
        self.parts.add(f"{module}.{function.__qualname__} {short(instructions(code).encode())}")
        names = set(names_in(code))
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            if isinstance(cell.cell_contents, FunctionType):
                self.follow(cell.cell_contents)
            self.take(f"{function.__qualname__}.{name}", cell.cell_contents, names)
        for name in names & function.__globals__.keys():
            self.take(f"{module}.{name}", function.__globals__[name], names)

    def take(self, name: str, value: Any, names: set[str]) -> None:
        """What a name stands for; of a module, those of `names` that it has."""
        kernel = getattr(value, "py_func", None) or getattr(value, "_defn", None)  # or an intrinsic
        if kernel:
            self.follow(kernel)
        elif isinstance(value, ModuleType):
            self.look_up(value, names)
        elif isinstance(value, np.ndarray):
            content = short(np.ascontiguousarray(value).tobytes())
            self.parts.add(f"{name} {value.dtype} {value.shape} {content}")
        elif isinstance(value, tuple):
            for i, item in enumerate(value):
                self.take(f"{name}[{i}]", item, names)
        elif isinstance(value, CONSTANTS):
            self.parts.add(f"{name} {value!r}")
        else:  # say, a class of constants
            self.source(getattr(value, "__module__", ""))

    def look_up(self, module: ModuleType, names: set[str]) -> None:
        for name in names & vars(module).keys():
            if (module.__name__, name) not in self.looked_up:
                self.looked_up.add((module.__name__, name))
                self.take(f"{module.__name__}.{name}", vars(module)[name], names)
