"""What earlier games import it as; new ones take it from `roundel.kernel.jit`."""

from roundel.kernel.jit import *  # noqa: F403
