"""Files compressed once and kept, instead of anew for everybody who asks.

The compressed form of a file has an `ETag` of its own and no ranges. Who wants a range gets it of
the file as it is.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import re
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import FileResponse
from starlette.types import Receive, Scope, Send

SMALLEST = 1000  # bytes that are worth it
KEPT = 64  # files: a working copy is built anew under a running server
CHUNK = 1 << 16  # bytes that are sent at once: slow readers are not to fill our memory
TEXTS = re.compile("text/|.*(javascript|json|xml)")
REFUSED = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*")


class Version(NamedTuple):
    changed: int
    size: int


class CompressedFiles:
    def __init__(self) -> None:
        self.kept: OrderedDict[str, tuple[Version, bytes]] = OrderedDict()  # the oldest first
        self.lock = asyncio.Lock()  # who wants what is being compressed waits for it

    async def content(self, path: str, stat: os.stat_result) -> bytes:
        """A file, compressed when it is first wanted, and again when it has changed."""
        version = Version(stat.st_mtime_ns, stat.st_size)
        async with self.lock:
            known, content = self.kept.get(path, (None, b""))
            if known != version:
                content = await asyncio.to_thread(compress, path)  # zlib releases Python's lock
                self.kept[path] = version, content
                if len(self.kept) > KEPT:
                    self.kept.popitem(last=False)
        return content


def compress(path: str) -> bytes:
    return gzip.compress(Path(path).read_bytes(), mtime=0)


class CompressedFile(FileResponse):
    """`load` comes before it is sent."""

    content = b""

    def __init__(self, path: str, stat: os.stat_result) -> None:
        super().__init__(path, stat_result=stat)
        self.headers["ETag"] = f'{self.headers["ETag"][:-1]}-gzip"'
        self.headers["Content-Encoding"] = "gzip"
        del self.headers["Accept-Ranges"]

    async def load(self, files: CompressedFiles) -> None:
        assert self.stat_result
        self.content = await files.content(str(self.path), self.stat_result)
        self.headers["Content-Length"] = str(len(self.content))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        head = {"status": self.status_code, "headers": self.raw_headers}
        await send({"type": "http.response.start", **head})
        end = 0 if scope["method"] == "HEAD" else len(self.content)
        for start in range(0, end, CHUNK):
            body = self.content[start : start + CHUNK]
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def file_of(path: str, stat: os.stat_result, asked: Headers) -> FileResponse:
    """In the form that was asked for."""
    file = FileResponse(path, stat_result=stat)
    if stat.st_size < SMALLEST or not TEXTS.match(file.media_type or ""):
        return file
    if accepts_gzip(asked.get("accept-encoding", "")) and "range" not in asked:
        file = CompressedFile(path, stat)
    file.headers.add_vary_header("Accept-Encoding")
    return file


def accepts_gzip(encodings: str) -> bool:
    """By the header of a request.

    >>> accepts_gzip("deflate, gzip;q=0.5"), accepts_gzip("br, gzip;q=0"), accepts_gzip("")
    (True, False, False)
    """
    for encoding in encodings.lower().split(","):
        name, _, quality = encoding.partition(";")
        if name.strip() == "gzip":
            return not REFUSED.fullmatch(quality)
    return False
