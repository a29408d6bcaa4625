"""Attacks for a moment, while somebody else plays; `make soak` attacks longer, and times that."""

import pytest
from scripts import attacks
from scripts.attacks import QUIET, Found, main, under_attack
from scripts.load.attacks import ATTACKS


@pytest.mark.parametrize("name", ["half_open", "messages"])
def test_others_play_on(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attacks, "MEET", 0.5)
    found = under_attack(name, 1.0)
    assert len(found.actions) > 1
    assert found.levels


def test_what_is_not_enough_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {
        QUIET: Found(QUIET, [0.001] * 99, [0.5]),
        "sockets": Found("sockets", [0.2] * 99, [0.5]),
        "messages": Found("messages", [0.001] * 99, [3.5]),
    }
    monkeypatch.setattr(attacks, "under_attack", lambda name, seconds: found[name])
    assert main([QUIET]) == 0
    assert "not enough" not in capsys.readouterr().out
    for name in ("sockets", "messages"):
        assert name in ATTACKS
        assert main([name]) == 1
        assert "not enough" in capsys.readouterr().out
