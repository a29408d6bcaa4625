"""Sets of bits, against Python's own sets and integers."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from roundel.kernel import bits
from roundel.kernel.jit import JIT, add, breathe, kernel, load, swap
from roundel.kernel.randoms import below, generator

WORD = st.integers(1, 2**63 - 1)


def callable_from_python(function: Any) -> Any:
    """Kernels are only ever inlined; wrap one so that a test can call it."""
    if not JIT:
        return function
    import numba

    return numba.njit(function)


@callable_from_python
def places(word, k):  # type: ignore[no-untyped-def]
    return bits.popcount(word), bits.lowest(word), bits.highest(word), bits.nth(word, k)


@callable_from_python
def members(words, out):  # type: ignore[no-untyped-def]
    return bits.count(words, len(words)), bits.list_all(words, len(words), out)


@callable_from_python
def is_member(words, action):  # type: ignore[no-untyped-def]
    return bits.contains(words, len(words), action)


@callable_from_python
def numbers(rng, n, out):  # type: ignore[no-untyped-def]
    for i in range(len(out)):
        out[i] = below(rng, n)


@given(WORD, st.integers(0, 62))
def test_places_of_bits(word: int, k: int) -> None:
    ones = [i for i in range(63) if word >> i & 1]
    k %= len(ones)
    assert places(word, k) == (len(ones), ones[0], ones[-1], ones[k])


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=9), st.integers(-700, 700))
def test_a_set_of_actions(values: list[int], action: int) -> None:
    words, out = np.array(values, np.int64), np.empty(64 * len(values), np.int64)
    expected = [64 * w + b for w, value in enumerate(values) for b in range(63) if value >> b & 1]
    many, listed = members(words, out)
    assert (many, listed, out[:listed].tolist()) == (len(expected), len(expected), expected)
    assert is_member(words, action) == (action in expected)


def test_random_numbers_fill_their_range_evenly() -> None:
    out = np.empty(7000, np.int64)
    numbers(generator(1), 7, out)
    assert np.bincount(out, minlength=7).min() > 850
    assert set(out.tolist()) == set(range(7))


def test_seeds_and_streams_are_unrelated() -> None:
    rows = np.empty((4, 50), np.int64)
    for row, (seed, stream) in enumerate([(1, 0), (1, 1), (2, 0), (1, 0)]):
        numbers(generator(seed, stream), 1000, rows[row])
    assert (rows[0] == rows[3]).all()
    for other in (1, 2):
        assert (rows[0] == rows[other]).sum() < 5


def test_a_kernel_is_a_plain_function_with_the_jit_off() -> None:
    def rule(x: int) -> int:
        return x + 1

    assert (kernel(rule) is rule) != JIT


@callable_from_python
def shared(words):  # type: ignore[no-untyped-def]
    breathe()
    return add(words, 1, 5), load(words, 1), swap(words, 1, 7, 8), swap(words, 1, 12, 8)


def test_words_that_threads_share() -> None:
    words = np.array([0, 7, 0])
    assert shared(words) == (7, 12, 12, 12)
    assert words.tolist() == [0, 8, 0]
