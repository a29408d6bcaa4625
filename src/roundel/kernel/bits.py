"""Sets of small numbers as bits of 64-bit words. Bit 63 is never used, so no word is negative.

A set of actions is an array of words: action `64 * w + b` is in the set when bit b of word w is.
"""

from roundel.kernel.jit import JIT, has_instruction_set, instruction, kernel
from roundel.kernel.randoms import below

DEPOSIT = has_instruction_set("bmi2")  # then one instruction finds the k-th bit of a word

if JIT:
    popcount = instruction("llvm.ctpop.i64", 1)
    lowest = instruction("llvm.cttz.i64", 1, True)  # of a word that is not 0
    _leading_zeros = instruction("llvm.ctlz.i64", 1, True)
    highest = kernel(lambda word: 63 - _leading_zeros(word))

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
    _deposit = instruction("llvm.x86.bmi.pdep.64", 2)
    nth = kernel(lambda word, k: lowest(_deposit(1 << k, word)))

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
