"""The server as people start it: `roundel serve`, its page, and how it ends."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from roundel.cli.main import main
from roundel.web import built_page
from roundel.web.http import pages
from tests.web import ME, SAME, House, at_table, browser_of, house, made

__all__ = ["house"]


def test_a_server_tells_where_it_is_and_ends_when_it_is_told_to(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "roundel.cli.main", "--lang", "en", "serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--data", str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "ROUNDEL_WORKERS": "0"},
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        host = address.removeprefix("http://").rstrip("/")
        connection = http.client.HTTPConnection(host, timeout=60)
        connection.request("GET", "/health")
        assert json.load(connection.getresponse())["status"] == "ok"
        connection.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert (tmp_path / "table.sqlite").stat().st_mode & 0o077 == 0  # nobody else may read it


def test_no_log_tells_the_secrets_of_requests(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "roundel.cli.main", "serve", "--port", "0"]
    environment = {**os.environ, "ROUNDEL_LOG": "debug"}
    handshake = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    handshake |= {"Sec-WebSocket-Key": "c2l4dGVlbiBieXRlcyEhIQ=="}
    secrets = {"Authorization": "Bearer a-secret-key", "Cookie": "roundel-device=a-secret-cookie"}
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(
            [*command, "--data", str(tmp_path / "data")],
            stdout=subprocess.PIPE,
            stderr=log,
            env=environment,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1].removeprefix("http://").rstrip("/")
        for path, more in (("/health?lang=xx", {}), ("/ws?match=none", handshake)):
            connection = http.client.HTTPConnection(address, timeout=60)
            connection.request("GET", path, headers=secrets | more)
            connection.getresponse()
            connection.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    text = (tmp_path / "log").read_text()
    assert json.loads(text.splitlines()[0])["level"]  # something is logged
    assert "secret" not in text


def test_an_address_that_is_taken_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["serve", "--port", port, "--data", str(tmp_path)]) == 2
    assert port in capsys.readouterr().err


@pytest.mark.parametrize("path", ["/", "/new", "/m/abc", "/m/abc/3", "/join/abc", "/rules/x"])
def test_one_page_for_all_addresses(
    house: House, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(built_page, "STATIC", tmp_path)
    unbuilt = house.client.get(path)
    assert (unbuilt.status_code, "make page" in unbuilt.text) == (503, True)
    (tmp_path / "index.html").write_text("<!doctype html><title>x</title>")
    built = house.client.get(path)
    assert (built.status_code, built.headers["cache-control"]) == (200, "no-cache")


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A server with a page of its own."""
    monkeypatch.setattr(built_page, "STATIC", tmp_path / "static")
    build("one")
    house = House(tmp_path / "data")
    with house.opened():
        yield house


def build(version: str) -> None:
    """A page of that version instead of the last one, as `vite build` would leave it."""
    folder = built_page.STATIC
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "assets").mkdir(parents=True)
    (folder / "assets" / f"index-{version}.js").write_text(version)
    script = f'<script type="module" src="/assets/index-{version}.js"></script>'
    index = f'<!doctype html><meta name="roundel-page" content="{version}">{script}'
    (folder / "index.html").write_text(index)
    os.utime(folder / "index.html", ns=(len(version), len(version)))  # later ones are longer


def test_the_server_tells_which_page_it_has(built: House) -> None:
    match = made(built.client, ME, SAME)["id"]
    for version in ("one", "second"):
        build(version)
        with at_table(built.client, match) as me:
            assert me.seen[0]["page"] == version
        for path in ("/", f"/m/{match}", f"/api/matches/{match}", "/api/matches/none", "/health"):
            assert built.client.get(path).headers["roundel-page"] == version
        assert built.client.head("/").headers["roundel-page"] == version


@pytest.mark.parametrize("content", [None, b"<!doctype html>", b"\xff"])
def test_a_page_without_a_version_is_served_all_the_same(
    built: House, content: bytes | None
) -> None:
    index = built_page.STATIC / "index.html"
    index.unlink()
    if content is not None:
        index.write_bytes(content)
    match = made(built.client, ME, SAME)["id"]
    assert built.client.get(f"/api/matches/{match}").json()["page"] == ""
    assert built.client.get("/").status_code == (503 if content is None else 200)


@pytest.mark.parametrize("accept", ["*/*", "text/css,*/*;q=0.1", "text/html,*/*;q=0.8"])
def test_a_script_that_is_gone_is_no_page(built: House, accept: str) -> None:
    path, headers = "/assets/index-one.js", {"accept": accept}
    assert "immutable" in built.client.get(path, headers=headers).headers["cache-control"]
    build("second")
    gone = built.client.get(path, headers=headers)
    assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-cache")
    assert gone.headers["content-type"] == "application/json"
    assert gone.json()["code"] == "missing"


def test_who_looks_for_a_page_that_is_not_there_is_told_so(built: House) -> None:
    told = built.client.get("/no/where", headers={"accept": "text/html"})
    assert (told.status_code, "roundel-page" in told.text) == (404, True)
    assert "json" in built.client.get("/no/where").headers["content-type"]


def test_files_with_a_digest_in_their_name_are_kept(tmp_path: Path) -> None:
    from starlette.applications import Starlette
    from starlette.routing import Mount

    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a-1234.js").write_text("1")
    (tmp_path / "plain.txt").write_text("1")
    app = Starlette(routes=[Mount("/", pages.Files(tmp_path))])
    client = browser_of(app)
    assert "immutable" in client.get("/assets/a-1234.js").headers["cache-control"]
    assert client.get("/plain.txt").headers["cache-control"] == "no-cache"
    assert client.get("/../settings.py").status_code == 404
