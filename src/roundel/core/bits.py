"""What earlier games import it as; new ones take it from `roundel.kernel.bits`."""

from roundel.kernel.bits import *  # noqa: F403
