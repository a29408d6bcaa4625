"""The random numbers of compiled code: xorshift64*, the same with the JIT on and off."""

import numpy as np
from numpy.typing import NDArray

from roundel.kernel.jit import kernel, wrapping

MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)
S12, S25, S27, S32 = np.uint64(12), np.uint64(25), np.uint64(27), np.uint64(32)


def generator(seed: int, stream: int = 0) -> NDArray[np.uint64]:
    """A state for `below`. Different seeds or streams give unrelated numbers."""
    return np.random.SeedSequence([seed, stream]).generate_state(1, np.uint64) | np.uint64(1)


@kernel
@wrapping
def below(rng, n):
    """A number from 0 to n - 1 (n below 2 ** 32)."""
    x = rng[0]
    x ^= x >> S12
    x ^= x << S25
    x ^= x >> S27
    rng[0] = x
    return np.intp((((x * MULTIPLIER) >> S32) * np.uint64(n)) >> S32)
