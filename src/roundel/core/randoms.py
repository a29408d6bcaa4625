"""What earlier games import it as; new ones take it from `roundel.kernel.randoms`."""

from roundel.kernel.randoms import *  # noqa: F403
