"""pgx beside our batches, where it is installed: its games are others, but of the same kind."""

import importlib.util
import time
from typing import Any

from bench.batches import ROUNDS, SIZE

GAMES = ("othello", "hex", "go_9x9")
STEPS = 20


def rollout(env: Any) -> Any:
    """A compiled function that plays random legal actions in all states, with new matches."""
    import jax
    from pgx.experimental import auto_reset

    step = jax.vmap(auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> tuple[Any, None]:
        choice, chance = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choice, logits, axis=-1)
        return step(state, actions, jax.random.split(chance, SIZE)), None

    return jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, STEPS))[0])


def bench_pgx() -> None:
    if not importlib.util.find_spec("pgx"):
        print("pgx is not installed, so it is not measured (`.venv/bin/pip install pgx`)")
        return
    import jax
    import pgx

    for name in GAMES:
        env: Any = pgx.make(name)  # type: ignore[arg-type, unused-ignore]
        key = jax.random.PRNGKey(1)
        state, run, best = jax.vmap(env.init)(jax.random.split(key, SIZE)), rollout(env), 0.0
        state = jax.block_until_ready(run(state, key))
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            state = jax.block_until_ready(run(state, key))
            best = max(best, SIZE * STEPS / (time.perf_counter() - begun))
        print(f"pgx {name:8} {SIZE} states, in one call, all cores: {best / 1e6:.3f} M steps/s")


if __name__ == "__main__":
    bench_pgx()
