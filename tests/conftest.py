"""What all tests share: the games with each of their option sets, and how much a leg can afford."""

import os

import pytest
from hypothesis import HealthCheck, settings

from roundel import games
from roundel.core.game import Game, Manifest
from roundel.kernel.jit import JIT

# The same examples on every run; a slow machine is no failure.
settings.register_profile(
    "roundel", derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("roundel")
os.environ["LANGUAGE"] = "en"  # whatever this machine speaks

# What stands above rules, search and records asks nothing of compiled code that their own tests do
# not ask: it is tried compiled, as people run it.
SHELLS = [
    "browser/*",
    "test_cli.py",
    "test_computers.py",
    "test_digest.py",
    "test_docs.py",
    "test_jit.py",
    "test_reading.py",
    "test_record_commands.py",
    "test_strength.py",
    "test_table*.py",
    "test_tournament*.py",
    "test_tune.py",
    "test_web*.py",
    "test_wheel.py",
]
collect_ignore_glob = [] if JIT else SHELLS


def names(*parts: str) -> list[str]:
    """The games that bring some parts, each of its manifest or a file in its folder."""
    found = {name: games.manifest(name) for name in games.names()}
    return [name for name in found if all(brings(found[name], part) for part in parts)]


def brings(manifest: Manifest, part: str) -> bool:
    return bool(getattr(manifest, part, None)) or (manifest.folder / part).exists()


def specs(*parts: str) -> list[str]:
    """Every game that brings them, with each of the option sets that it declares."""
    manifests = [games.manifest(name) for name in names(*parts)]
    return [m.with_options(options).spec for m in manifests for options in m.option_sets]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """For all games; `@pytest.mark.brings(...)`: for those that bring what a guest may lack."""
    parts = [part for mark in metafunc.definition.iter_markers("brings") for part in mark.args]
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", specs(*parts), indirect=True)
    if "manifest" in metafunc.fixturenames:
        metafunc.parametrize("manifest", names(*parts), indirect=True)


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Game:
    return games.load(request.param)


@pytest.fixture
def manifest(request: pytest.FixtureRequest) -> object:
    return games.manifest(request.param)
