"""The lock files and the check of them. What uv says is made up: no network is asked."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from scripts import locks

import roundel

PROJECT = tomllib.loads((locks.ROOT / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("name", locks.LOCKS)
def test_a_lock_names_versions_and_no_address(name: str) -> None:
    text = (locks.ROOT / name).read_text()
    assert "://" not in text
    lines = [line for line in text.splitlines() if re.match(r"\w", line)]
    assert lines
    assert all(re.match(r"[\w.-]+==\S+ ", line) for line in lines)


def test_the_package_says_which_pythons_are_checked() -> None:
    named = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if "Python ::" in c]
    assert tuple(named) == locks.PYTHONS
    assert PROJECT["requires-python"] == f">={locks.PYTHONS[0]}"


def test_whoever_cites_us_names_this_version() -> None:
    text = (locks.ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {roundel.__version__}\n" in text
    assert f"\nlicense: {PROJECT['license']}\n" in text


def test_what_cannot_be_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def uv(*arguments: str) -> str:
        wanted = {"install", "--only-binary", "3.13", locks.PLATFORMS[0]} <= {*arguments}
        return "no wheel" if wanted else ""

    monkeypatch.setattr(locks, "uv", uv)
    assert locks.check() == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{n}: Python 3.13, {locks.PLATFORMS[0]}: no wheel" for n in locks.LOCKS]


def test_a_lock_that_is_old_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def uv(command: str, *arguments: str) -> str:
        if command == "compile" and "dev" in arguments:
            Path(arguments[-1]).write_text("another==1 \\\n")
        return ""

    before = {name: (locks.ROOT / name).read_text() for name in locks.LOCKS}
    monkeypatch.setattr(locks, "uv", uv)
    assert locks.check() == 1
    assert re.fullmatch(r"requirements-dev.txt: .*`make lock`\n", capsys.readouterr().out)
    assert before == {name: (locks.ROOT / name).read_text() for name in locks.LOCKS}
    monkeypatch.setattr(locks, "uv", lambda *arguments: "")
    assert locks.check() == 0
