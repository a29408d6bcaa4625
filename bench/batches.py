"""How fast batches are: random actions with new matches where one ends, 1,024 states."""

import time
from collections.abc import Callable

from roundel.batch import Batch

SIZE, ROUNDS = 1024, 15


def steps_a_second(call: Callable[[], object], steps: int) -> float:
    """The best round counts: other work on the machine only slows a round."""
    call()
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begun)
    return SIZE * steps / best


def stepping(batch: Batch, steps: int, look: Callable[[], object]) -> Callable[[], None]:
    """Step by step from Python, every action checked, as a learning program does."""

    def run() -> None:
        for _ in range(steps):
            look()
            batch.step(batch.random_actions())

    return run


def bench_batch(name: str) -> None:
    rates: dict[str, list[float]] = {}
    for threads in (1, 2):
        batch = Batch(name, SIZE, seed=1, threads=threads)
        calls: dict[str, tuple[Callable[[], object], int]] = {
            "in one call": (lambda batch=batch: batch.wander(300), 300),  # type: ignore[misc]
            "step by step": (stepping(batch, 50, lambda: None), 50),
            "with masks": (stepping(batch, 50, batch.legal_mask), 50),
        }
        if batch.game.manifest.observe:
            both = lambda batch=batch: (batch.legal_mask(), batch.observe())  # noqa: E731
            calls["with masks and observations"] = stepping(batch, 50, both), 50
        for label, (call, steps) in calls.items():
            rates.setdefault(label, []).append(steps_a_second(call, steps))
    for label, (one, two) in rates.items():
        print(
            f"{name:12} {SIZE} states, {label:28} {one / 1e6:5.1f} M steps/s; "
            f"two threads {two / 1e6:5.1f} ({two / one:.2f} times)"
        )
