"""Sets of small numbers as bits of 64-bit words. Bit 63 is never used, so no word is negative.

A set of actions is an array of words: action `64 * w + b` is in the set when bit b of word w is.
"""

from typing import Any

from roundel.core.jit import JIT, has_instruction_set, kernel
from roundel.core.randoms import below

DEPOSIT = has_instruction_set("bmi2")  # then one instruction finds the k-th bit of a word

if JIT:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def _instruction(name: str, arity: int, *flags: bool) -> Any:
        """One machine instruction that Numba does not offer, as a function of 64-bit words."""
        word = ir.IntType(64)

        def code(context, builder, signature, arguments):
            kind = ir.FunctionType(word, [word] * arity + [ir.IntType(1)] * len(flags))
            function = cgutils.get_or_insert_function(builder.module, kind, name)
            constants = [context.get_constant(types.boolean, flag) for flag in flags]
            return builder.call(function, [*arguments, *constants])

        def one(typing_context, a):
            return types.int64(types.int64), code

        def two(typing_context, a, b):
            return types.int64(types.int64, types.int64), code

        return intrinsic((one, two)[arity - 1])

    popcount = _instruction("llvm.ctpop.i64", 1)
    lowest = _instruction("llvm.cttz.i64", 1, True)  # of a word that is not 0
    _leading_zeros = _instruction("llvm.ctlz.i64", 1, True)

    @kernel
    def highest(word):
        return 63 - _leading_zeros(word)

else:

    def popcount(word):
        return int(word).bit_count()

    def lowest(word):
        assert word > 0
        return (int(word) & -int(word)).bit_length() - 1

    def highest(word):
        assert word > 0
        return int(word).bit_length() - 1


if DEPOSIT:
    _deposit = _instruction("llvm.x86.bmi.pdep.64", 2)

    @kernel
    def nth(word, k):
        """The place of the k-th lowest bit, from 0."""
        return lowest(_deposit(1 << k, word))

else:

    @kernel
    def nth(word, k):
        """The place of the k-th lowest bit, from 0."""
        for _ in range(k):
            word &= word - 1
        return lowest(word)


@kernel
def contains(words, used, action):
    """Whether `action` is in the first `used` words."""
    return 0 <= action < 64 * used and (words[action >> 6] >> (action & 63)) & 1 == 1


@kernel
def count(words, used):
    """How many actions are in the first `used` words."""
    total = 0
    for i in range(used):
        total += popcount(words[i])
    return total


@kernel
def list_all(words, used, out):
    """Write the actions into `out`, ascending; returns how many."""
    n = 0
    for i in range(used):
        word = words[i]
        while word != 0:
            out[n] = (i << 6) | lowest(word)
            n += 1
            word &= word - 1
    return n


@kernel
def any_of(words, used, rng):
    """One action of a set that is not empty, each with the same chance, without listing them."""
    k = below(rng, count(words, used))
    at = 0
    before = 0
    total = 0
    for i in range(used):  # to the end: a loop that stops at the right word is mispredicted
        total += popcount(words[i])
        if total <= k:
            before = total
            at = i + 1
    return (at << 6) | nth(words[at], k - before)
