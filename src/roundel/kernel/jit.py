"""How rules are compiled: with Numba, which nothing outside this folder knows.

A kernel is inlined into its callers and never called from Python: no wrapper, no cache entry. What
Python calls are entries (`kernel/cache.py`).

With NUMBA_DISABLE_JIT=1 everything here returns plain Python functions.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba.config
JIT = not config.DISABLE_JIT
FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
INLINED: dict[str, Any] = {
    "forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
}  # fmt: skip


def has_instruction_set(name: str) -> bool:
    """Whether compiled code may use some special instructions of this machine's processor."""
    told_otherwise = config.CPU_NAME or config.CPU_FEATURES
    return JIT and not told_otherwise and bool(llvm.get_host_cpu_features().get(name))


def instruction(name: str, arity: int, *flags: bool) -> Any:
    """A machine instruction that Numba does not offer, as a function of 64-bit words."""
    word = ir.IntType(64)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(word, [word] * arity + [ir.IntType(1)] * len(flags))
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        constants = [context.get_constant(types.boolean, flag) for flag in flags]
        return builder.call(function, [*arguments, *constants])

    def one(typing_context: Any, a: Any) -> Any:
        return types.int64(types.int64), code

    def two(typing_context: Any, a: Any, b: Any) -> Any:
        return types.int64(types.int64, types.int64), code

    return intrinsic((one, two)[arity - 1])


# -- Words that several threads write ----------------------------------------------


def _shared(signature: Any, make: Callable[..., Any]) -> Any:
    """What an intrinsic is made of: `make` builds code from a builder, a place and the values."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return make(builder, builder.gep(array.data, [arguments[1]]), *arguments[2:])

    return signature, code


def _load(typing_context: Any, array: Any, i: Any) -> Any:
    """array[i] as the other threads see it now."""
    signature = types.int64(array, types.int64)
    return _shared(signature, lambda builder, place: builder.load_atomic(place, "acquire", 8))


def _add(typing_context: Any, array: Any, i: Any, more: Any) -> Any:
    """Adds to array[i]; returns what it was before."""
    signature = types.int64(array, types.int64, types.int64)
    return _shared(
        signature, lambda builder, place, value: builder.atomic_rmw("add", place, value, "seq_cst")
    )


def _swap(typing_context: Any, array: Any, i: Any, old: Any, new: Any) -> Any:
    """Makes array[i] `new` if it is `old`; returns what it was before."""

    def make(builder: Any, place: Any, old: Any, new: Any) -> Any:
        pair = builder.cmpxchg(place, old, new, "seq_cst", "seq_cst")
        return builder.extract_value(pair, 0)

    return _shared(types.int64(array, types.int64, types.int64, types.int64), make)


def _breathe(typing_context: Any) -> Any:
    """Tells the processor that this thread only waits."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if has_instruction_set("sse2"):
            kind, name = ir.FunctionType(ir.VoidType(), []), "llvm.x86.sse2.pause"
            builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [])
        return context.get_dummy_value()

    return types.void(), code


def _plain_add(array: Any, i: int, more: int) -> int:
    array[i] += more
    return int(array[i]) - more


def _plain_swap(array: Any, i: int, old: int, new: int) -> int:
    before = int(array[i])
    array[i] = new if before == old else before
    return before


load: Any = intrinsic(_load) if JIT else lambda array, i: int(array[i])
add: Any = intrinsic(_add) if JIT else _plain_add
swap: Any = intrinsic(_swap) if JIT else _plain_swap
breathe: Any = intrinsic(_breathe) if JIT else lambda: None


def kernel(function: F) -> F:
    """A rule, inlined wherever it is used."""
    if not JIT:
        return function
    return cast(F, numba.njit(**INLINED, **FLAGS)(function))


def wrapping(function: F) -> F:
    """Let 64-bit numbers wrap round in silence, as compiled code does, where that is meant."""
    return function if JIT else np.errstate(over="ignore")(function)
