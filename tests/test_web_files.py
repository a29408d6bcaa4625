"""The page's files: compressed once, and right in either form."""

import asyncio
import os
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from roundel.web.http import compressed, pages
from roundel.web.http.compressed import CHUNK, KEPT, CompressedFiles
from tests.web import browser_of

GZIP, PLAIN = {"accept-encoding": "gzip"}, {"accept-encoding": "identity"}
SCRIPT, LONG, FONT, SMALL = "/assets/a-1.js", "/docs/long.js", "/assets/b-1.woff2", "/small.svg"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    letters = random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=5 * CHUNK)
    contents = {SCRIPT: "let a = 1;\n" * 200, LONG: "".join(letters), FONT: "f" * 2000, SMALL: "s"}
    for name, content in contents.items():
        file = tmp_path / name[1:]
        file.parent.mkdir(exist_ok=True)
        file.write_text(content)
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[httpx.Client]:
    with browser_of(Starlette(routes=[Mount("/", pages.Files(folder))])) as client:
        yield client


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that have been compressed."""
    names: list[str] = []
    compress = compressed.compress

    def noted(path: str) -> bytes:
        names.append(Path(path).name)
        return compress(path)

    monkeypatch.setattr(compressed, "compress", noted)
    return names


@pytest.mark.parametrize("path", [SCRIPT, LONG])
def test_both_forms_hold_the_same(client: httpx.Client, folder: Path, path: str) -> None:
    small, plain = client.get(path, headers=GZIP), client.get(path, headers=PLAIN)
    assert small.content == plain.content == (folder / path[1:]).read_bytes()
    assert small.headers["content-encoding"] == "gzip"
    assert int(small.headers["content-length"]) < int(plain.headers["content-length"])
    assert "content-encoding" not in plain.headers
    assert small.headers["etag"] != plain.headers["etag"]
    for answer in (small, plain):
        assert answer.headers["vary"] == "Accept-Encoding"
        is_kept = path == SCRIPT
        assert answer.headers["cache-control"] == (pages.FOR_EVER if is_kept else pages.ALWAYS_ASK)
        assert "javascript" in answer.headers["content-type"]


def test_each_file_is_compressed_once(client: httpx.Client, done: list[str]) -> None:
    for _ in range(3):
        for path in (SCRIPT, LONG, FONT, SMALL):
            assert client.get(path, headers=GZIP).status_code == 200
            assert client.head(path, headers=GZIP).status_code == 200
            assert client.get(path, headers=PLAIN).status_code == 200
    assert done == ["a-1.js", "long.js"]


def test_a_file_that_has_changed_is_compressed_again(
    client: httpx.Client, folder: Path, done: list[str]
) -> None:
    before = client.get(LONG, headers=GZIP)
    file = folder / LONG[1:]
    file.write_bytes(file.read_bytes()[::-1])  # as long as before
    os.utime(file, (1, 1))
    after = client.get(LONG, headers=GZIP | {"if-none-match": before.headers["etag"]})
    assert after.content == before.content[::-1]
    assert done == ["long.js"] * 2


@pytest.mark.parametrize("encodings", ["", "br", "gzip;q=0", "deflate, GZip; q=0.00", "x-gzip2"])
def test_who_does_not_want_it_compressed_gets_it_as_it_is(
    client: httpx.Client, encodings: str
) -> None:
    answer = client.get(SCRIPT, headers={"accept-encoding": encodings})
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize("encodings", ["br, gzip", "GZIP;q=0.1", "gzip; q=1.0, *;q=0"])
def test_who_wants_it_compressed_gets_it_so(client: httpx.Client, encodings: str) -> None:
    answer = client.get(SCRIPT, headers={"accept-encoding": encodings})
    assert answer.headers["content-encoding"] == "gzip"


@pytest.mark.parametrize("path", [FONT, SMALL])
def test_what_would_not_become_smaller_stays_as_it_is(client: httpx.Client, path: str) -> None:
    answer = client.get(path, headers=GZIP)
    assert not {"content-encoding", "vary"} & set(answer.headers)


@pytest.mark.parametrize("form", [GZIP, PLAIN])
def test_a_browser_that_has_it_is_told_so(
    client: httpx.Client, form: dict[str, str], done: list[str]
) -> None:
    first = client.head(SCRIPT, headers=form)
    tag, date = first.headers["etag"], first.headers["last-modified"]
    done.clear()
    for known in ({"if-none-match": f'"x", W/{tag}'}, {"if-modified-since": date}):
        answer = client.get(SCRIPT, headers=form | known)
        assert (answer.status_code, answer.content) == (304, b"")
        for name in ("etag", "vary", "cache-control"):
            assert answer.headers[name] == first.headers[name]
    other = client.get(SCRIPT, headers=(PLAIN if form == GZIP else GZIP) | {"if-none-match": tag})
    assert other.status_code == 200


def test_a_head_says_what_would_come(client: httpx.Client) -> None:
    for form in (GZIP, PLAIN):
        head, whole = client.head(LONG, headers=form), client.get(LONG, headers=form)
        assert head.content == b""
        assert head.headers == whole.headers


def test_ranges_are_of_the_file_as_it_is(client: httpx.Client) -> None:
    plain, small = client.head(LONG, headers=PLAIN), client.head(LONG, headers=GZIP)
    assert "accept-ranges" in plain.headers
    assert "accept-ranges" not in small.headers
    part = client.get(LONG, headers=GZIP | {"range": "bytes=10-19"})
    assert part.status_code == 206
    assert part.content == client.get(LONG).content[10:20]
    assert part.headers["etag"] == plain.headers["etag"]
    assert part.headers["vary"] == "Accept-Encoding"
    wish = {"range": "bytes=10-19", "if-range": small.headers["etag"]}
    assert client.get(LONG, headers=GZIP | wish).status_code == 200  # not a part of that form


def test_a_file_that_disappears_while_it_is_looked_up_is_missing(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(path: str) -> bytes:
        raise FileNotFoundError(path)

    monkeypatch.setattr(compressed, "compress", gone)
    answer = client.get(SCRIPT, headers=GZIP)
    assert (answer.status_code, answer.headers["cache-control"]) == (404, pages.ALWAYS_ASK)


def test_the_server_goes_on_while_a_file_is_compressed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, names = threading.Event(), list[str]()

    def slow(path: str) -> bytes:
        names.append(path)
        assert may_end.wait(60)
        return b"small"

    async def work() -> list[bytes]:
        files, path = CompressedFiles(), str(folder / LONG[1:])
        wanted = [asyncio.create_task(files.content(path, os.stat(path))) for _ in range(3)]
        while not names:
            await asyncio.sleep(0)  # we are not held up
        may_end.set()
        return await asyncio.gather(*wanted)

    monkeypatch.setattr(compressed, "compress", slow)
    assert asyncio.run(work()) == [b"small"] * 3
    assert len(names) == 1


def test_no_more_than_so_many_are_kept(folder: Path) -> None:
    async def work() -> CompressedFiles:
        files = CompressedFiles()
        for number in range(KEPT + 3):
            file = folder / f"{number}.js"
            file.write_text("x")
            await files.content(str(file), file.stat())
        return files

    kept = asyncio.run(work()).kept
    assert len(kept) == KEPT
    assert str(folder / "0.js") not in kept
