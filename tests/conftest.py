"""What all tests share: the games with each of their option sets, and how much a leg can afford."""

import os

import pytest
from hypothesis import HealthCheck, settings

from roundel import games
from roundel.core.game import Game
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


def specs() -> list[str]:
    """Every game with each of the option sets that it declares."""
    manifests = [games.manifest(name) for name in games.names()]
    return [m.with_options(options).spec for m in manifests for options in m.option_sets]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", specs(), indirect=True)
    if "manifest" in metafunc.fixturenames:
        metafunc.parametrize("manifest", games.names(), indirect=True)


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Game:
    return games.load(request.param)


@pytest.fixture
def manifest(request: pytest.FixtureRequest) -> object:
    return games.manifest(request.param)
