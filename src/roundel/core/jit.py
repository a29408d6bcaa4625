"""The one module that knows Numba: how rules are compiled and where the result is kept.

    kernel   inlined into its callers, never called from Python: no wrapper, no cache entry
    Entries  the functions of one game that Python calls, compiled on first use, cached on disk

Numba stamps a cached function with the digest of *its own* file only, so a playout compiled with
the rules inlined would survive an edit of the rules. The cache of a game therefore lies in a folder
named after a digest of all sources that are compiled into it.

With NUMBA_DISABLE_JIT=1 everything here returns plain Python functions.
"""

import contextlib
import functools
import gc
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

import llvmlite.binding as llvm
import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from roundel.core.lang import _

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba.config
JIT = not config.DISABLE_JIT
FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
INLINED: dict[str, Any] = {
    "forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
}  # fmt: skip
SHARED = ("core", "search")  # compiled into every game, so part of every game's digest
KEPT_DAYS = 30  # how long the compiled code of older sources stays on disk

compiled_here: list[str] = []
"""What this process had to compile because the cache did not hold it, as `game.entry`."""
on_compiling: list[Callable[[str], None]] = []
"""Told that something is about to be compiled, as `game.entry`: that takes a while."""


def has_instruction_set(name: str) -> bool:
    """Whether compiled code may use some special instructions of this machine's processor."""
    told_otherwise = config.CPU_NAME or config.CPU_FEATURES
    return JIT and not told_otherwise and bool(llvm.get_host_cpu_features().get(name))


def instruction(name: str, arity: int, *flags: bool) -> Any:
    """A machine instruction that Numba does not offer, as a function of 64-bit words."""
    word = ir.IntType(64)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(word, [word] * arity + [ir.IntType(1)] * len(flags))
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        constants = [context.get_constant(types.boolean, flag) for flag in flags]
        return builder.call(function, [*arguments, *constants])

    def one(typing_context: Any, a: Any) -> Any:
        return types.int64(types.int64), code

    def two(typing_context: Any, a: Any, b: Any) -> Any:
        return types.int64(types.int64, types.int64), code

    return intrinsic((one, two)[arity - 1])


# -- Words that several threads write ----------------------------------------------


def _shared(signature: Any, make: Callable[..., Any]) -> Any:
    """What an intrinsic is made of: `make` builds code from a builder, a place and the values."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return make(builder, builder.gep(array.data, [arguments[1]]), *arguments[2:])

    return signature, code


def _load(typing_context: Any, array: Any, i: Any) -> Any:
    """array[i] as the other threads see it now."""
    signature = types.int64(array, types.int64)
    return _shared(signature, lambda builder, place: builder.load_atomic(place, "acquire", 8))


def _add(typing_context: Any, array: Any, i: Any, more: Any) -> Any:
    """Adds to array[i]; returns what it was before."""
    signature = types.int64(array, types.int64, types.int64)
    return _shared(
        signature, lambda builder, place, value: builder.atomic_rmw("add", place, value, "seq_cst")
    )


def _swap(typing_context: Any, array: Any, i: Any, old: Any, new: Any) -> Any:
    """Makes array[i] `new` if it is `old`; returns what it was before."""

    def make(builder: Any, place: Any, old: Any, new: Any) -> Any:
        pair = builder.cmpxchg(place, old, new, "seq_cst", "seq_cst")
        return builder.extract_value(pair, 0)

    return _shared(types.int64(array, types.int64, types.int64, types.int64), make)


def _breathe(typing_context: Any) -> Any:
    """Tells the processor that this thread only waits."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if has_instruction_set("sse2"):
            kind, name = ir.FunctionType(ir.VoidType(), []), "llvm.x86.sse2.pause"
            builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [])
        return context.get_dummy_value()

    return types.void(), code


def _plain_add(array: Any, i: int, more: int) -> int:
    array[i] += more
    return int(array[i]) - more


def _plain_swap(array: Any, i: int, old: int, new: int) -> int:
    found = int(array[i])
    array[i] = new if found == old else found
    return found


load: Any = intrinsic(_load) if JIT else lambda array, i: int(array[i])
add: Any = intrinsic(_add) if JIT else _plain_add
swap: Any = intrinsic(_swap) if JIT else _plain_swap
breathe: Any = intrinsic(_breathe) if JIT else lambda: None


def kernel(function: F) -> F:
    """A rule, inlined wherever it is used."""
    if not JIT:
        return function
    return cast(F, numba.njit(**INLINED, **FLAGS)(function))


def wrapping(function: F) -> F:
    """Let 64-bit numbers wrap round in silence, as compiled code does, where that is meant."""
    return function if JIT else np.errstate(over="ignore")(function)


def digest(rules: ModuleType) -> str:
    """Changes with every source that is compiled into the entries of these rules."""
    package = Path(__file__).parents[1]
    folders = [*(package / name for name in SHARED), Path(cast(str, rules.__file__)).parent]
    total = hashlib.sha256()
    for source in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        if not source.name.startswith("test_"):
            total.update(source.name.encode() + b"\0" + source.read_bytes())
    return total.hexdigest()[:16]


def candidates() -> Iterator[Path]:
    """Where compiled code may be kept, best first."""
    if "ROUNDEL_CACHE" in os.environ:
        yield Path(os.environ["ROUNDEL_CACHE"])
    else:
        yield platformdirs.user_cache_path("roundel")
        yield Path(tempfile.gettempdir(), f"roundel-{getattr(os, 'getuid', int)()}")


def is_ours(folder: Path) -> bool:
    """Compiled code is loaded as a pickle: never from a folder that others may write to."""
    found = folder.stat()
    return os.name == "nt" or (found.st_uid == os.getuid() and not found.st_mode & stat.S_IWOTH)


def cache_folder(name: str) -> Path | None:
    """A writable folder of that name, or None: then everything is compiled anew."""
    for root in candidates():
        with contextlib.suppress(OSError):
            folder = root / name
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            if is_ours(root):
                return folder
    return None


def forget_old(folder: Path) -> None:
    """Remove compiled code of sources that are long gone, so that the cache does not grow."""
    for other in folder.parent.iterdir():
        if other != folder and time.time() - other.stat().st_mtime > KEPT_DAYS * 86400:
            shutil.rmtree(other, ignore_errors=True)


compiling = threading.RLock()


@contextlib.contextmanager
def caching_in(folder: Path) -> Iterator[None]:
    """Numba has one setting for all threads."""
    with compiling:
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            yield
        finally:
            config.CACHE_DIR = before


class Entries:
    """The functions of one game that Python calls, each compiled when it is first asked for.

    `makers` maps a name to a function that, given the rules module (and `more` modules of the same
    folder), returns the plain entry. The entry is a closure over the *module*: Numba can cache
    that, but not one over compiled functions.
    """

    def __init__(
        self, name: str, rules: ModuleType, makers: dict[str, tuple[Any, str]], *more: ModuleType
    ) -> None:
        self._name, self._rules, self._makers, self._more = name, rules, makers, more
        self.names = list(makers)

    @functools.cached_property
    def _folder(self) -> Path | None:
        return cache_folder(f"{self._name}-{digest(self._rules)}")

    def __getattr__(self, entry: str) -> Any:
        if entry.startswith("_") or entry not in self._makers:
            raise AttributeError(entry)
        make, signature = self._makers[entry]
        function = make(self._rules, *self._more)
        if JIT:
            function = self._compile(entry, function, signature)
        setattr(self, entry, function)
        return function

    def _compile(self, entry: str, function: Any, signature: str) -> Any:
        folder, label = self._folder, f"{self._name}.{entry}"
        mark = folder / f"{entry}.compiled" if folder else None
        cold = mark is None or not mark.exists()
        if cold:
            text = _("compiling {entry} for this machine, once ...").format(entry=label)
            print(text, end="", file=sys.stderr, flush=True)
            for tell in on_compiling:
                tell(label)
        begun = time.perf_counter()
        with caching_in(folder) if folder else contextlib.nullcontext():
            compiled = numba.njit(cache=folder is not None, **FLAGS)(function)
            compiled.compile(signature)
        gc.freeze()  # to collect garbage among all that Numba has would take as long as an answer
        if not sum(compiled.stats.cache_hits.values()):
            compiled_here.append(label)
        if cold:
            print(f" {time.perf_counter() - begun:.1f} s", file=sys.stderr, flush=True)
        if cold and mark:
            mark.touch()
            forget_old(mark.parent)
        return compiled
