"""Each check at the gate has somebody who tries to get past it."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from starlette.types import ASGIApp, Message, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from roundel.core.errors import RoundelError
from roundel.web.http.rest import links
from roundel.web.requests.problems import Problem, problem_response
from roundel.web.requests.rates import Bucket
from roundel.web.requests.visitors import HOUSE
from roundel.web.settings import settings
from roundel.web.sockets.clients import LARGEST_UNSENT, SLOW, Client
from roundel.web.sockets.session import SocketSession
from roundel.web.tables.rendering import Audience
from tests.web import GAME, HOME, ME, SAME, House, at_table, house, made

__all__ = ["house"]
WISH = {"spec": GAME, "seats": [ME, SAME]}
EVIL = "http://evil.example"
CHUNK = 1000  # bytes


@pytest.mark.parametrize(
    "host",
    [
        "testserver",  # the address the connection came in on
        "testserver:8000",
        "localhost:8000",
        "LOCALHOST.",
        "127.0.0.1",
        "[::1]:8000",
        "kitchen.local",
        "games.example",
        "",
    ],
)
def test_hosts_that_are_ours(tmp_path: Path, host: str) -> None:
    house = House(tmp_path, hosts="other.example, Games.Example")
    with house.opened() as client:
        assert client.get("/health", headers={"host": host}).status_code == 200


def test_all_addresses_of_this_machine_are_ours(house: House) -> None:
    headers = {"host": f"{links.own_address()}:8000"}  # as other machines see it, if there are any
    assert house.client.get("/health", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:80",
        "localhost.evil.example",
        "local",
        "[::2]",
        "198.51.100.7",
        "::",
        "0.0.0.0",
        "224.0.0.1",
    ],
)
def test_hosts_that_are_not_ours(house: House, host: str) -> None:
    """A page whose name leads to our address has an origin of that name too."""
    headers = {"host": host, "origin": f"http://{host}", "sec-fetch-site": "same-origin"}
    for answer in (
        house.script().get("/health", headers=headers),
        house.script().post("/api/matches", json=WISH, headers=headers),
    ):
        assert (answer.status_code, answer.json()["code"]) == (421, "host")
        assert "ROUNDEL_HOSTS=" in answer.json()["reason"]
    with (
        pytest.raises(WebSocketDisconnect),
        house.script().websocket_connect("/ws?match=x", headers=headers),
    ):
        pass


def test_a_host_of_ours_is_no_pass_for_other_origins(house: House) -> None:
    headers = {"host": "localhost", "origin": EVIL}
    answer = house.script().post("/api/matches", json=WISH, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": EVIL},
        {"origin": "null"},
        {"origin": "http://[::1"},
        {"origin": "testserver"},
        {"origin": f"{HOME}.evil.example"},
        {"origin": f"ftp{HOME.removeprefix('http')}"},
        {"origin": HOME, "sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"cookie": "roundel-device=abcdefghijklmnopqrstuv"},
    ],
)
def test_pages_of_other_sites_cannot_change_anything(house: House, headers: dict[str, str]) -> None:
    answer = house.script().post("/api/matches", json=WISH, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    with (
        pytest.raises(WebSocketDisconnect),
        house.script().websocket_connect("/ws?match=x", headers=headers),
    ):
        pass


def test_sockets_have_one_address(house: House) -> None:
    with pytest.raises(WebSocketDisconnect), house.client.websocket_connect("/other?match=x"):
        pass


@pytest.mark.parametrize("headers", [{"origin": HOME}, {"sec-fetch-site": "same-origin"}, {}])
def test_our_own_pages_and_scripts_can(house: House, headers: dict[str, str]) -> None:
    assert house.script().post("/api/matches", json=WISH, headers=headers).status_code == 201


def test_origins_that_are_allowed(tmp_path: Path) -> None:
    house = House(tmp_path, origins=f"{EVIL}, http://other.example")
    with house.opened():
        headers = {"origin": EVIL, "sec-fetch-site": "cross-site"}
        answer = house.script().post("/api/matches", json=WISH, headers=headers)
        assert answer.status_code == 201


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_only_json_comes_in(house: House, kind: str) -> None:
    answer = house.client.post("/api/matches", content=b"{}", headers={"content-type": kind})
    assert (answer.status_code, answer.json()["code"]) == (415, "type")


def test_a_body_is_bounded(house: House) -> None:
    answer = house.client.post("/api/matches", json={"spec": "x" * 20_000, "seats": []})
    assert (answer.status_code, answer.json()["code"]) == (413, "size")
    answer = house.client.post("/api/records", json={"text": "x" * 600_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "size")


@pytest.mark.parametrize(("path", "most"), [("matches", 16 * 1024), ("records", 512 * 1024)])
def test_a_body_that_is_too_long_is_not_read_to_its_end(house: House, path: str, most: int) -> None:
    """It has no end: whoever read on would never answer."""
    assert house.client.portal is not None
    sent, answers = house.client.portal.call(endless, house.app, f"/api/{path}")
    assert most < sent <= most + CHUNK
    assert answers[0]["status"] == 413
    assert b'"size"' in answers[1]["body"]
    assert 'roundel_refused_total{code="size"} 1.0' in house.client.get("/metrics").text


async def endless(app: ASGIApp, path: str) -> tuple[int, list[Message]]:
    """What was sent in chunks until an answer came, and that answer."""
    sent, answers = 0, list[Message]()

    async def receive() -> Message:
        nonlocal sent
        sent += CHUNK
        assert sent < 1 << 20, "it is still being read"
        return {"type": "http.request", "body": b"x" * CHUNK, "more_body": True}

    async def send(message: Message) -> None:
        answers.append(message)

    headers = [(b"content-type", b"application/json"), (b"transfer-encoding", b"chunked")]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
    await app({**scope, "query_string": b"", "http_version": "1.1"}, receive, send)
    return sent, answers


def test_the_cookie_is_out_of_reach_for_scripts_of_pages(house: House) -> None:
    answer = house.browser().post("/api/matches", json=WISH)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert len(cookie.partition("=")[2].partition(";")[0]) >= 22  # 128 bits
    assert "set-cookie" not in house.script().post("/api/matches", json=WISH).headers


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_cookie_stays_for_a_year_and_on_the_way_it_came(house: House, scheme: str) -> None:
    address, origin = f"{scheme}://testserver/api/matches", f"{scheme}://testserver"
    answer = house.browser().post(address, json=WISH, headers={"origin": origin})
    attributes = answer.headers["set-cookie"].lower().split("; ")
    assert f"max-age={365 * 24 * 3600}" in attributes
    assert ("secure" in attributes) == (scheme == "https")


def test_json_may_name_its_encoding(house: House) -> None:
    headers = {"content-type": "application/json; charset=utf-8"}
    answer = house.client.post("/api/matches", content=json.dumps(WISH), headers=headers)
    assert answer.status_code == 201


def test_who_must_wait_is_told_whole_seconds() -> None:
    assert problem_response(Problem("rate", "", 0.02)).headers["retry-after"] == "1"
    assert "retry-after" not in problem_response(Problem("missing", "")).headers


def test_only_hashes_are_stored(house: House) -> None:
    new = made(house.client, ME, {"who": "friend"})
    secrets = [
        new["seats"][0]["key"],
        new["seats"][1]["invitation"]["url"].rpartition("/")[2],
        house.client.cookies["roundel-device"],
    ]
    stored = b"".join(path.read_bytes() for path in house.folder.iterdir())
    assert new["id"].encode() in stored
    assert not any(secret.encode() in stored for secret in secrets)


@pytest.mark.parametrize("path", ["/", "/api/games", "/health", "/nothing", "/docs"])
def test_headers_of_every_answer(house: House, path: str) -> None:
    headers = house.client.get(path).headers
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'self'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert ("unsafe-inline" in policy) == (path == "/docs")
    assert "script-src" not in policy


def test_addresses_are_bounded(tmp_path: Path) -> None:
    house = House(tmp_path, requests=0.001, burst=3000.0)
    with house.opened() as client:
        answers = [client.get("/health") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert int(answers[-1].headers["retry-after"]) > 0


@pytest.mark.parametrize("path", ["/", "/new", "/m/some", "/assets/index-1234.js"])
def test_the_files_of_the_page_are_not_counted(tmp_path: Path, path: str) -> None:
    """A class that opens the page at once behind one address gets all of it."""
    house = House(tmp_path, requests=0.001, burst=1000.0)
    with house.opened() as client:
        assert 429 not in [client.get(path).status_code for _ in range(3)]
        assert client.get("/health").status_code == 200
        assert client.get("/health").status_code == 429
        assert client.post(path).status_code == 429


@pytest.mark.parametrize("path", ["/health?lang=xx", "/nowhere", "/api/matches/none"])
def test_requests_that_are_refused_count_too(tmp_path: Path, path: str) -> None:
    house = House(tmp_path, requests=0.001, burst=2000.0)
    with house.opened() as client:
        statuses = [client.get(path).status_code for _ in range(3)]
        assert statuses[0] == statuses[1] != 429
        assert statuses[2] == 429


@pytest.mark.parametrize(("proxies", "status"), [("", 429), ("testclient", 200)])
def test_forwarded_addresses_count_only_from_known_proxies(
    tmp_path: Path, proxies: str, status: int
) -> None:
    house = House(tmp_path, requests=0.001, burst=1000.0, proxies=proxies)
    with house.opened() as client:
        found = [client.get("/health", headers={"x-forwarded-for": f"10.0.0.{n}"}) for n in (1, 2)]
        assert [answer.status_code for answer in found] == [200, status]


def test_an_ipv6_network_is_bounded_as_one_address(tmp_path: Path) -> None:
    house = House(tmp_path, requests=0.001, burst=1000.0, proxies="testclient")
    with house.opened() as client:
        addresses = "2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:3::1"
        found = [client.get("/health", headers={"x-forwarded-for": each}) for each in addresses]
        assert [answer.status_code for answer in found] == [200, 429, 200]


def test_messages_of_a_socket_are_bounded(tmp_path: Path) -> None:
    house = House(tmp_path, messages=0.001, burst=3000.0)
    with house.opened() as client, at_table(client, made(client, ME, SAME)["id"]) as me:
        for _ in range(4):
            me.say(t="ping")
        refused = me.hear("refused")
        assert refused["code"] == "busy"
        assert refused["retry"] > 0
        assert [m["t"] for m in me.seen].count("pong") == 3


def test_a_slow_client_is_dropped_and_gets_a_snapshot_when_it_is_back(house: House) -> None:
    assert house.client.portal is not None
    answers, sent = house.client.portal.call(pushed, "abcde")
    assert answers == [True] * 4 + [False]
    assert sent == [{"type": "websocket.close", "code": SLOW}]


def test_slow_clients_are_counted(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]

    async def never(message: Message) -> None:
        await asyncio.Event().wait()

    async def receive() -> Message:
        await is_dropped.wait()
        return {"type": "websocket.disconnect"}

    async def sit_until_dropped() -> None:
        scope = {"type": "websocket", "headers": [], "query_string": b""}
        scope["query_string"] = f"match={match}".encode()
        session = SocketSession(house.server, WebSocket(scope, receive, never), never)
        sitting = asyncio.create_task(session.run(receive))
        while session.client is None or session.client.push("news"):
            await asyncio.sleep(0)
        is_dropped.set()
        await sitting

    is_dropped = asyncio.Event()
    assert house.client.portal is not None
    assert "roundel_dropped_total 0.0" in house.client.get("/metrics").text
    house.client.portal.call(sit_until_dropped)
    assert "roundel_dropped_total 1.0" in house.client.get("/metrics").text


def test_what_must_wait_is_sent_in_turn_and_what_need_not_at_once(house: House) -> None:
    assert house.client.portal is not None
    answers, sent = house.client.portal.call(pushed, "abcd")
    assert answers == [True] * 4
    assert [message["text"] for message in sent] == ["a", "b", "c", "d", "at once"]


def test_nobody_is_hurt_by_a_socket_that_is_gone(house: House) -> None:
    async def gone(message: Message) -> None:
        raise OSError("nobody is there")

    async def told() -> tuple[bool, bool]:
        client = client_at(gone)
        return client.push("a"), client.push("b")

    assert house.client.portal is not None
    assert house.client.portal.call(told) == (True, True)


def test_what_waits_for_a_client_is_bounded_in_size_too(house: House) -> None:
    """Few messages can be long: the room counts in what is there, and is free again when sent."""
    assert house.client.portal is not None
    half = "x" * (LARGEST_UNSENT // 2)
    answers, sent = house.client.portal.call(pushed, ["a", half, half, "b"])
    assert answers == [True, True, True, False]
    assert sent == [{"type": "websocket.close", "code": SLOW}]
    answers, _sent = house.client.portal.call(pushed, ["a", half, "b", "c"])
    assert answers == [True] * 4


async def pushed(texts: Sequence[str]) -> tuple[list[bool], list[Message]]:
    """To a socket with room for three more, whose other end reads only when all were pushed."""
    reads, sent = asyncio.Event(), list[Message]()

    async def send(message: Message) -> None:
        await reads.wait()
        sent.append(message)

    client = client_at(send)
    answers = [client.push(text) for text in texts]
    reads.set()
    assert client.sender
    await client.sender
    assert client.unsent_size == 0
    client.push("at once")
    return answers, sent


def client_at(send: Send) -> Client:
    return Client(send, Audience("en", frozenset()), frozenset(), HOUSE, 3)


def test_unknown_addresses_and_ways(house: House) -> None:
    assert house.client.get("/api/nothing").json()["code"] == "missing"
    assert house.client.put("/api/matches", json={}).status_code == 405
    assert house.client.get("/api/games?lang=xx").json()["code"] == "invalid"


def test_health_metrics_and_the_description(house: House) -> None:
    made(house.client, ME, SAME)
    assert house.client.get("/health").json()["status"] == "ok"
    assert "roundel_changes_total" in house.client.get("/metrics").text
    described = house.client.get("/openapi.json").json()
    references = str(described).split("#/components/schemas/")[1:]
    named = {reference.split("'")[0] for reference in references}
    assert named <= described["components"]["schemas"].keys()
    assert "/api/matches/{id}/actions" in described["paths"]


def test_a_bucket_fills_by_itself() -> None:
    bucket = Bucket(2, at=0)
    assert [bucket.take(1, 2, 0) for _ in range(3)] == [0, 0, 1]
    assert bucket.take(1, 2, 1) == 0


def test_settings_come_from_the_environment() -> None:
    assert settings({"ROUNDEL_PORT": "99", "ROUNDEL_HOST": "x"}, host="y").port == 99
    assert settings({"ROUNDEL_HOST": "x"}, host="y").host == "y"


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "many"), ("PORT", "70000"), ("WORKERS", "-1"), ("LOG", "loud"), ("BURST", "0")],
)
def test_settings_that_cannot_be_are_named(name: str, value: str) -> None:
    with pytest.raises(RoundelError, match=f"ROUNDEL_{name}: .*{value}"):
        settings({f"ROUNDEL_{name}": value})


@pytest.mark.parametrize(
    ("body", "english", "french"),
    [
        (
            '{"spec": 5}',
            "$.spec: expected `str`, got `int`",
            "$.spec : il faut `str` (reçu : `int`)",
        ),
        ("{}", "`spec` is missing", "il manque `spec`"),
        (
            '{"spec": "x", "seats": [{}]}',
            "$.seats[0]: `who` is missing",
            "$.seats[0] : il manque `who`",
        ),
        (
            '{"spec": "x", "seats": [{"who": "cat"}]}',
            "$.seats[0].who: 'cat' is not one of the choices",
            "$.seats[0].who : le choix 'cat' n’existe pas",
        ),
        (
            '{"spec": "x", "seats": []}',
            "$.seats: expected `array` of length >= 1",
            "$.seats : il faut `array` de longueur >= 1",
        ),
        (
            '{"spec": "x", "seats": [{"who": "me", "level": 11}]}',
            "$.seats[0].level: expected `int` <= 10",
            "$.seats[0].level : il faut `int` <= 10",
        ),
        ("{", "this is not JSON: it ends too early", "ce n’est pas du JSON : la fin manque"),
        ("", "this is not JSON: it ends too early", "ce n’est pas du JSON : la fin manque"),
        ("null", "expected `object`, got `null`", "il faut `object` (reçu : `null`)"),
        (
            '{"spec": "x", "seats": [{"who": "me", "level": "3"}]}',
            "$.seats[0].level: expected `int`, got `str`",
            "$.seats[0].level : il faut `int` (reçu : `str`)",
        ),
        (
            '{"spec": "x", "seats": [{"who": "me", "level": 1e400}]}',
            "$.seats[0].level: expected `int`, got `float`",
            "$.seats[0].level : il faut `int` (reçu : `float`)",
        ),
        (
            '{"spec": "x", "seats": [{"who": 5}]}',
            "$.seats[0].who: expected `str`, got `int`",
            "$.seats[0].who : il faut `str` (reçu : `int`)",
        ),
        (
            '{"spec": "x", "seats": [{"who": "me"}], "lot": "yes"}',
            "$.lot: expected `bool`, got `str`",
            "$.lot : il faut `bool` (reçu : `str`)",
        ),
        (
            f'{{"spec": "{"x" * 257}"}}',
            "$.spec: expected `str` of length <= 256",
            "$.spec : il faut `str` de longueur <= 256",
        ),
        (
            '{"spec": "x", "seats": [{"who": "me"}], "clock": []}',
            "$.clock: expected `object`, got `array`",
            "$.clock : il faut `object` (reçu : `array`)",
        ),
        (
            '{"spec": NaN}',
            "this is not JSON: error at byte 9",
            "à partir de l’octet 9, ce n’est pas du JSON",
        ),
        (
            '{"spec": "\\ud800", "seats": []}',
            "this is not JSON: error at byte 16",
            "à partir de l’octet 16, ce n’est pas du JSON",
        ),
        (
            f'{{"spec": {"9" * 5000}}}',
            "$[...]: the number is too large",
            "$[...] : le nombre est trop grand",
        ),
        (
            f'{{"more": {"[" * 8000}',
            "this is nested too deeply",
            "trop de niveaux imbriqués",
        ),
        ("{,", "this is not JSON: error at byte 1", "à partir de l’octet 1, ce n’est pas du JSON"),
        ('{"spec": "\udcff"}', "this is not UTF-8", "ce n’est pas de l’UTF-8"),
    ],
)
def test_a_malformed_body_is_named(house: House, body: str, english: str, french: str) -> None:
    """With the part of it that is wrong, in both languages."""
    for language, expected in (("en", english), ("fr", french)):
        answer = house.client.post(
            f"/api/matches?lang={language}",
            content=body.encode(errors="surrogateescape"),
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code == 422
        assert answer.json()["reason"].replace("\N{NO-BREAK SPACE}", " ") == expected


@pytest.mark.parametrize(
    ("path", "english", "french"),
    [
        (
            "picture.gif",
            "path.kind: 'gif' is not one of the choices",
            "path.kind : le choix 'gif' n’existe pas",
        ),
        ("picture.svg?ply=x", "query.ply: expected `int`", "query.ply : il faut `int`"),
        ("picture.svg?ply=-1", "query.ply: expected `int` >= 0", "query.ply : il faut `int` >= 0"),
    ],
)
def test_a_malformed_address_is_named(house: House, path: str, english: str, french: str) -> None:
    for language, expected in (("en", english), ("fr", french)):
        answer = house.client.get(f"/api/matches/x/{path}", headers={"accept-language": language})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
        assert answer.json()["reason"].replace("\N{NO-BREAK SPACE}", " ") == expected


def test_a_malformed_message_is_named(house: House) -> None:
    match = made(house.client, ME, SAME)["id"]
    with at_table(house.client, match, "&lang=fr") as me:
        me.socket.send_text('{"t": "act", "match": 1}')
        told = me.hear("refused")["reason"]
        assert told.replace("\N{NO-BREAK SPACE}", " ") == "$.match : il faut `str` (reçu : `int`)"
