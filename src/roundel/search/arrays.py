"""Large arrays that use memory only as far as they are written to, and give all of it back."""

import mmap
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)


def lazy_zeros(size: int, kind: type[T]) -> NDArray[T]:
    """As `np.zeros`, which clears and keeps pages once arrays of this size have been freed."""
    try:
        pages = mmap.mmap(-1, max(size * np.dtype(kind).itemsize, 1))
    except OSError as error:
        raise MemoryError(str(error)) from None
    return np.frombuffer(pages, kind, size)
