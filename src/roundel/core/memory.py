"""What earlier games import it as; new ones take it from `roundel.kernel.memory`."""

from roundel.kernel.memory import *  # noqa: F403
