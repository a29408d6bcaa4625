"""What earlier games import it as; new ones take it from `roundel.kernel.planes`."""

from roundel.kernel.planes import *  # noqa: F403
