"""Which Node builds the page."""

from __future__ import annotations

import json

import pytest
from scripts.npm import OLDEST, PAGE, is_new_enough


@pytest.mark.parametrize("version", ["v22.12.0", "v24.19.0\n", "v100.0.0"])
def test_a_new_node_is_taken(version: str) -> None:
    assert is_new_enough(version)


@pytest.mark.parametrize("version", ["v20.20.2", "v22.11.9", "", "node: not found"])
def test_an_old_node_is_not(version: str) -> None:
    assert not is_new_enough(version)


def test_the_page_says_the_same() -> None:
    engines = json.loads((PAGE / "package.json").read_text())["engines"]
    assert engines["node"] == f">={OLDEST[0]}.{OLDEST[1]}"


def test_the_lock_names_no_registry() -> None:
    assert '"resolved"' not in (PAGE / "package-lock.json").read_text()
