"""The REST interface as it describes itself: whatever is asked, the server makes no mistake."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import settings
from requests.adapters import HTTPAdapter
from schemathesis.checks import not_a_server_error
from scripts.load.addresses import loopback
from scripts.load.server import ServerProcess

from roundel.web.app import make_app
from roundel.web.settings import Settings

schema = schemathesis.openapi.from_dict(make_app(Settings()).openapi())


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ServerProcess(tmp_path_factory.mktemp("data")) as server:
        yield f"http://{server.url}"


def visitor(number: int) -> requests.Session:
    """All of them from one address would be too many requests."""

    class Adapter(HTTPAdapter):
        def init_poolmanager(self, *arguments: Any, **more: Any) -> None:
            super().init_poolmanager(*arguments, source_address=(loopback(number), 0), **more)

    session = requests.Session()
    session.mount("http://", Adapter())
    return session


numbers = itertools.count()


@schema.parametrize()
@settings(max_examples=5)
def test_no_request_makes_the_server_fail(case: schemathesis.Case[Any], address: str) -> None:
    with visitor(next(numbers)) as session:
        found = case.call_and_validate(
            base_url=address, session=session, checks=[not_a_server_error]
        )
    assert found.status_code != 429
