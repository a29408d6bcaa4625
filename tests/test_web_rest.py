"""The REST interface as it describes itself: whatever is asked, the server makes no mistake."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import settings
from schemathesis.checks import not_a_server_error
from scripts.load.server import ServerProcess

from roundel.web.app import make_app
from roundel.web.settings import Settings

schema = schemathesis.openapi.from_dict(make_app(Settings()).openapi())


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ServerProcess(tmp_path_factory.mktemp("data")) as server:
        yield f"http://{server.url}"


@schema.parametrize()
@settings(max_examples=5)
def test_no_request_makes_the_server_fail(case: schemathesis.Case[Any], address: str) -> None:
    case.call_and_validate(base_url=address, checks=[not_a_server_error])
