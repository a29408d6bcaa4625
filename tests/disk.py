"""A disk that remembers everything SQLite does to it, and fails when a test says so.

SQLite asks its VFS for everything that has to do with files. Ours is the usual one, in the same
library that Python's `sqlite3` uses, with a few of its functions replaced: the server's real store
runs on it without knowing. Only files in the folder of a `Disk` are touched; locks and the shared
memory of the write-ahead log, which need not survive anything, go straight to the usual one.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import functools
import math
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

OK = 0
OPENED_TO_CREATE = 4  # SQLITE_OPEN_CREATE

# -- As sqlite3.h declares it -----------------------------------------------------------

Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
Delete = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
Close = CFUNCTYPE(c_int, c_void_p)
Read = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
Sync = CFUNCTYPE(c_int, c_void_p, c_int)


class Vfs(ctypes.Structure):
    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", Open),
        ("delete", Delete),
        ("others", c_void_p * 14),  # as many as version 3 has; SQLite itself goes no further
    )


class Methods(ctypes.Structure):
    """What can be done to an open file."""

    _fields_ = (
        ("version", c_int),
        ("close", Close),
        ("read", Read),
        ("write", Write),
        ("truncate", Truncate),
        ("sync", Sync),
        ("others", c_void_p * 13),
    )


class File(ctypes.Structure):
    _fields_ = (("methods", POINTER(Methods)),)


# -- What a test sees -------------------------------------------------------------------


class Operation(NamedTuple):
    kind: str  # create, delete, write, truncate, sync, or "failed sync"
    file: str
    at: int = 0  # where it was written, or how long the file is from now on
    data: bytes = b""


@dataclass
class Fault:
    """Which operations fail, and how."""

    kind: str  # read, write, truncate, sync or delete; "any": all of them
    code: int  # of SQLite
    after: float = 0  # so many succeed before
    many: float = 1  # so many fail

    def strikes(self, kind: str) -> bool:
        if self.kind not in (kind, "any"):
            return False
        self.after -= 1
        return -self.many <= self.after < 0


class Disk:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log: list[Operation] = []
        self.fault: Fault | None = None
        self.struck = threading.Event()  # something has failed
        self.answers = threading.Event()  # it is not slow
        self.answers.set()

    def fail(self, kind: str, code: int, after: float = 0, many: float = math.inf) -> None:
        self.struck.clear()
        self.fault = Fault(kind, code, after, many)

    def repair(self) -> None:
        self.fault = None
        self.answers.set()

    def wrong(self, kind: str) -> int:
        """The code of the error that this operation ends with."""
        fault = self.fault
        if fault is None or not fault.strikes(kind):
            return OK
        self.struck.set()
        return fault.code

    def note(self, kind: str, file: str, at: int = 0, data: bytes = b"") -> None:
        self.log.append(Operation(kind, file, at, data))


@contextmanager
def watched(folder: Path) -> Iterator[Disk]:
    """Everything that SQLite does to the files of a folder that it opens from now on."""
    vfs, path = shim(), folder.resolve()
    disk = vfs.disks[path] = Disk(path)
    vfs.register()
    try:
        yield disk
    finally:
        disk.repair()
        vfs.unregister()
        del vfs.disks[path]
    assert not vfs.errors, vfs.errors


# -- Between SQLite and its files -------------------------------------------------------


def library() -> ctypes.CDLL:
    """The SQLite that Python's own module uses, be it linked to it or part of it."""
    found = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
    try:
        found.sqlite3_vfs_find.restype = POINTER(Vfs)
    except AttributeError:
        where = "Python's sqlite3 does not show the functions of SQLite, so no disk can be faked"
        raise RuntimeError(where) from None
    found.sqlite3_libversion.restype = c_char_p
    assert found.sqlite3_libversion().decode() == sqlite3.sqlite_version, "another SQLite"
    return found


@functools.cache
def shim() -> Shim:
    return Shim()


class Shim:
    """There is one for the whole process: SQLite may call it as long as a file is open."""

    def __init__(self) -> None:
        self.sqlite = library()
        self.usual: Vfs = self.sqlite.sqlite3_vfs_find(None).contents
        self.vfs = Vfs.from_buffer_copy(self.usual)
        self.vfs.name = b"watched"
        self.vfs.open = Open(self.careful(self.open))
        self.vfs.delete = Delete(self.careful(self.delete))
        self.disks: dict[Path, Disk] = {}
        self.files: dict[int, tuple[Disk, str, Methods]] = {}  # by their address
        self.methods: dict[int, Methods] = {}  # ours, by the address of the usual ones
        self.errors: list[Exception] = []

    def register(self) -> None:
        self.sqlite.sqlite3_vfs_register(ctypes.byref(self.vfs), 1)

    def unregister(self) -> None:
        self.sqlite.sqlite3_vfs_unregister(ctypes.byref(self.vfs))
        self.sqlite.sqlite3_vfs_register(ctypes.byref(self.usual), 1)

    def careful(self, function: Callable[..., int]) -> Callable[..., int]:
        """An exception cannot pass through SQLite; it must not look like success."""

        def called(*arguments: Any) -> int:
            try:
                return function(*arguments)
            except Exception as error:
                self.errors.append(error)
                return sqlite3.SQLITE_INTERNAL

        return called

    def place(self, name: int | None) -> tuple[Disk | None, str]:
        if name is None:  # a temporary file
            return None, ""
        path = Path(ctypes.string_at(name).decode())
        return self.disks.get(path.parent), path.name

    def open(self, vfs: int, name: int | None, address: int, flags: int, out: int) -> int:
        disk, file = self.place(name)
        is_new = disk is not None and not (disk.folder / file).exists()
        if error := self.usual.open(vfs, name, address, flags, out):
            return int(error)
        if disk is not None:
            opened = File.from_address(address)
            self.files[address] = disk, file, opened.methods.contents
            opened.methods = ctypes.pointer(self.replaced(opened.methods.contents))
            if is_new and flags & OPENED_TO_CREATE:
                disk.note("create", file)
        return OK

    def replaced(self, usual: Methods) -> Methods:
        known = ctypes.addressof(usual)
        if known not in self.methods:
            ours = self.methods[known] = Methods.from_buffer_copy(usual)
            ours.read = Read(self.careful(self.read))
            ours.write = Write(self.careful(self.write))
            ours.truncate = Truncate(self.careful(self.truncate))
            ours.sync = Sync(self.careful(self.sync))
        return self.methods[known]

    def read(self, address: int, data: int, size: int, at: int) -> int:
        disk, _file, usual = self.files[address]
        return disk.wrong("read") or int(usual.read(address, data, size, at))

    def write(self, address: int, data: int, size: int, at: int) -> int:
        disk, file, usual = self.files[address]
        error = disk.wrong("write")
        if error:
            size = size // 2 if error == sqlite3.SQLITE_FULL else 0  # as much as there is room for
        if size == 0:
            return error
        disk.note("write", file, at, ctypes.string_at(data, size))
        return int(usual.write(address, data, size, at)) or error

    def truncate(self, address: int, size: int) -> int:
        disk, file, usual = self.files[address]
        if error := disk.wrong("truncate"):
            return error
        disk.note("truncate", file, size)
        return int(usual.truncate(address, size))

    def sync(self, address: int, flags: int) -> int:
        disk, file, usual = self.files[address]
        disk.answers.wait()
        error = disk.wrong("sync") or int(usual.sync(address, flags))
        disk.note("failed sync" if error else "sync", file)
        return error

    def delete(self, vfs: int, name: int, directory: int) -> int:
        disk, file = self.place(name)
        if disk is None:
            return int(self.usual.delete(vfs, name, directory))
        if error := disk.wrong("delete"):
            return error
        error = int(self.usual.delete(vfs, name, directory))
        if not error:
            disk.note("delete", file)
        return error
