"""Symmetries of a board, for augmentation: one match gives several to learn from."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roundel.core.game import Action


@dataclass(frozen=True, eq=False)
class Symmetry:
    """Where everything of the image comes from.

    - `cells`: int64 [cells]; `planes[..., cells]` are the planes of the image (cells in one line)
    - `actions`: int64 [kinds, num_actions]; `mask[actions[kind]]` is the mask of the image, and so
      for anything else that has a number for each action. The same int can mean different things
      in different phases; the game's `observe.kind` tells which row holds.
    """

    cells: NDArray[np.int64]
    actions: NDArray[np.int64]

    def action(self, kind: int, action: Action) -> Action:
        """The image of one action."""
        return int(np.flatnonzero(self.actions[kind] == action)[0])


def from_images(cells: NDArray[np.int64], actions: NDArray[np.int64]) -> Symmetry:
    """A symmetry that is given by the image of each cell and of each action, of each kind."""
    return Symmetry(np.argsort(cells), np.argsort(actions, axis=1))
