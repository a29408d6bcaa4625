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
from enum import Enum
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from roundel.kernel import jit

CONSTANTS = (int, float, complex, str, bytes, type(None), np.generic, Enum)
LIBRARIES = {"llvmlite", "numba", "numpy", *sys.stdlib_module_names}  # versions count, not files


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


def is_of_a_library(module: str | None) -> bool:
    return (module or "").partition(".")[0] in LIBRARIES


class Reached:
    """All that has been found on the way from an entry, each part as a line of text.

    Functions have numbers, in the order in which they are found: two that one function has made
    are told apart by nothing but what they hold, and by who calls which.
    """

    def __init__(self) -> None:
        self.parts = set[str]()
        self.functions = dict[FunctionType, str]()
        self.looked_up = set[tuple[str, frozenset[str]]]()

    def source(self, module: str) -> None:
        """The whole file, so that nothing in it that is hard to follow can be missed."""
        loaded = sys.modules.get(module)
        file = getattr(loaded, "__file__", None)
        if file and not is_of_a_library(module):
            text = "".join(linecache.getlines(file, vars(loaded)))
            self.parts.add(f"{module} {short(text.encode())}")

    def follow(self, function: FunctionType) -> str:
        """Its number. Beside the file, the instructions count: a file may be edited while they are
        in memory, and what is compiled from them must not be taken for what the file says now."""
        if function in self.functions:
            return self.functions[function]
        number = self.functions[function] = f"#{len(self.functions)}"
        module, code = function.__module__, function.__code__
        self.source(module)
        done = short(instructions(code).encode())
        self.parts.add(f"{number} is {module}.{function.__qualname__} {done}")
        names = frozenset(names_in(code))
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            self.take(f"{number}.{name}", cell.cell_contents, names)
        self.take(f"{number} by default", function.__defaults__ or (), names)
        for name in sorted(names & function.__globals__.keys()):
            self.take(f"{module}.{name}", function.__globals__[name], names)
        return number

    def take(self, name: str, value: Any, names: frozenset[str]) -> None:
        """What a name stands for; of a module or a class, those of `names` that it has."""
        kernel = getattr(value, "py_func", None) or getattr(value, "_defn", None)  # or an intrinsic
        function = kernel or value
        if isinstance(function, FunctionType):
            if not is_of_a_library(function.__module__):
                self.parts.add(f"{name} is {self.follow(function)}")
        elif isinstance(value, ModuleType):
            self.look_up(value, names)
        elif isinstance(value, type):
            self.source(value.__module__)
            if not is_of_a_library(value.__module__):
                for inner in sorted(each for each in names if hasattr(value, each)):
                    self.take(f"{name}.{inner}", getattr(value, inner), names)
        elif isinstance(value, tuple):
            for i, item in enumerate(value):
                self.take(f"{name}[{i}]", item, names)
        else:
            self.constant(name, value)

    def constant(self, name: str, value: Any) -> None:
        """What is frozen into the code."""
        if isinstance(value, np.ndarray):
            content = short(np.ascontiguousarray(value).tobytes())
            self.parts.add(f"{name} {value.dtype} {value.shape} {content}")
        elif isinstance(value, CONSTANTS):
            self.parts.add(f"{name} {value!r}")
        else:
            self.source(getattr(value, "__module__", ""))

    def look_up(self, module: ModuleType, names: frozenset[str]) -> None:
        """Modules may know each other: each is asked once for the same names."""
        if (module.__name__, names) in self.looked_up or is_of_a_library(module.__name__):
            return
        self.looked_up.add((module.__name__, names))
        for name in sorted(names & vars(module).keys()):
            self.take(f"{module.__name__}.{name}", vars(module)[name], names)
