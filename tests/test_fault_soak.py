"""`make soak` under faults: what it finds is kept, and told."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from scripts import faults
from scripts.faults import Found, evenings, live_through_all, read, table
from scripts.load.faults import FAULTS, KINDS


def test_there_are_as_many_faults_as_asked_for_and_some_are_the_computers() -> None:
    found = list(evenings(1000))
    assert len(found) * FAULTS == 1000
    assert {what for what, _seed in found} == KINDS.keys()


def test_what_was_lost_is_told_after_an_interruption_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def evening(what: str, seed: int) -> Iterator[tuple[str, float]]:
        yield "slow disk", 0.25 + seed
        if seed == 1:
            raise AssertionError("an action is lost")
        if seed == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(faults, "evening", evening)
    path = tmp_path / "ledger"
    with pytest.raises(KeyboardInterrupt):
        live_through_all(list(evenings(40)), path, {})
    done = read(path)
    assert len(done) == 2
    *_lines, lost, total = table(list(done.values()))
    assert lost.endswith("AssertionError: an action is lost")
    assert "2 faults: evenings that lost something: 1" in total
    assert "1.25 s" in total


def test_that_nothing_was_lost_is_told() -> None:
    *_lines, total = table([Found("disk 0", [("slow disk", 0.5)], "")])
    assert total == "1 faults: nothing was lost; the longest interruption was 0.50 s"
