"""What Python calls of compiled code, and where that is kept.

Each entry is compiled when it is first asked for, and kept on disk in a folder that is named after
the digest of all that it is made of. So it is found again by every process and every copy of the
same sources, and never by others: Numba itself would look at the entry's own file alone, and keep
a playout through an edit of the rules that are inlined in it.
"""

import contextlib
import gc
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
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
import platformdirs

from roundel.kernel.digest import digest
from roundel.kernel.jit import FLAGS, JIT, config

KEPT_DAYS = 30  # how long compiled code that nobody uses stays on disk

compiled_here: list[str] = []
"""What this process had to compile because it was not on disk, as `game.entry`."""
on_compiling: list[Callable[[str], None]] = []
"""Told that something is about to be compiled, as `game.entry`: that takes a while."""
on_compiled: list[Callable[[str, float], None]] = []
"""Told that this is done, and how many seconds it took."""


def candidates() -> Iterator[Path]:
    """Where compiled code may be kept, best first."""
    if "ROUNDEL_CACHE" in os.environ:
        yield Path(os.environ["ROUNDEL_CACHE"])
    else:
        yield platformdirs.user_cache_path("roundel")
        yield Path(tempfile.gettempdir(), f"roundel-{getattr(os, 'getuid', int)()}")


def is_ours(folder: Path) -> bool:
    """Compiled code is loaded as a pickle: never from a folder that others may write to."""
    status = folder.stat()
    return os.name == "nt" or (status.st_uid == os.getuid() and not status.st_mode & stat.S_IWOTH)


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
    """Remove what nobody has used for long, so that the cache does not grow."""
    for other in folder.parent.iterdir():
        with contextlib.suppress(OSError):  # another process may forget it just now
            if other != folder and time.time() - other.stat().st_mtime > KEPT_DAYS * 86400:
                shutil.rmtree(other, ignore_errors=True)


class Locator:
    """Numba asks such a thing where the code of a function is kept, and whether it is still good.

    It always is: the name of the folder says what it was made of.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder

    @classmethod
    def from_function(cls, function: Any, file: str) -> "Locator":
        return cls(config.CACHE_DIR)

    def ensure_cache_path(self) -> None:
        os.makedirs(self.folder, exist_ok=True)

    def get_cache_path(self) -> str:
        return self.folder

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return ""


compiling = threading.RLock()


@contextlib.contextmanager
def caching_in(folder: Path) -> Iterator[None]:
    """Numba has one setting for all threads."""
    with compiling:
        before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
        ours = f"{__name__}.{Locator.__name__}"
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder), ours
        try:
            yield
        finally:
            config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before


def machine() -> tuple[str, ...]:
    """For what compiled code is good."""
    processor = config.CPU_NAME or llvm.get_host_cpu_name()
    features = config.CPU_FEATURES or llvm.get_host_cpu_features().flatten()
    asked_for = str((config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT))
    versions = sys.version, numba.__version__, np.__version__
    return *versions, llvm.get_process_triple(), processor, features, asked_for


class Entries:
    """The functions of one game that Python calls, each compiled when it is first asked for.

    `makers` maps a name to a function that, given the rules module (and `more` modules), returns
    the plain entry; and to its signature. The entry is a closure over the *module*: Numba can
    cache that, but not one over compiled functions.
    """

    def __init__(
        self, name: str, rules: ModuleType, makers: dict[str, tuple[Any, str]], *more: ModuleType
    ) -> None:
        self._name, self._modules, self._makers = name, (rules, *more), makers
        self.names = list(makers)

    def __getattr__(self, entry: str) -> Any:
        if entry.startswith("_") or entry not in self._makers:
            raise AttributeError(entry)
        function, signature = self._plain(entry)
        if JIT:
            function = self._compile(entry, function, signature)
        setattr(self, entry, function)
        return function

    def _plain(self, entry: str) -> tuple[Any, str]:
        make, signature = self._makers[entry]
        return make(*self._modules), signature

    def digest(self, entry: str) -> str:
        """Changes with everything that is compiled into an entry, and with the machine."""
        function, signature = self._plain(entry)
        return digest(function, signature, machine())

    def _compile(self, entry: str, function: Any, signature: str) -> Any:
        label = f"{self._name}.{entry}"
        folder = cache_folder(f"{label}-{self.digest(entry)}")
        mark = folder / "compiled" if folder else None
        cold = mark is None or not mark.exists()
        if cold:
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
            for tell_end in on_compiled:
                tell_end(label, time.perf_counter() - begun)
        if folder and mark:
            mark.touch()
            os.utime(folder)  # it is in use
            if cold:
                forget_old(folder)
        return compiled
