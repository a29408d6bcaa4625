"""An action under construction: the spots chosen so far, and those that may follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roundel.core.errors import IllegalAction
from roundel.core.game import BUTTON
from roundel.core.lang import _

if TYPE_CHECKING:
    from roundel.core.game import Action
    from roundel.core.position import Position

Path = tuple[str, ...]


class PartialAction:
    """The spots of one action. Where players must see for themselves, nothing is given away."""

    def __init__(self, position: Position) -> None:
        self.position, self.unaided = position, position.game.unaided
        paths = (spots for spots, _text in position.click_paths())
        self.paths = dict(zip(paths, position.legal(), strict=True))
        self.path: Path = ()

    def after(self, path: Path) -> frozenset[str]:
        """The spots with which a path can go on."""
        n = len(path)
        return frozenset(full[n] for full in self.paths if full[:n] == path)

    @property
    def targets(self) -> frozenset[str]:
        return frozenset() if self.unaided else self.after(self.path)

    @property
    def wanted(self) -> frozenset[str]:
        """Spots that must be on the board for every action to be chosen."""
        if self.unaided:
            return frozenset()
        return frozenset(spot for path in self.paths for spot in path)

    def choose(self, spot: str) -> Action | None:
        """Add a spot; the action if it is complete. A spot that fits elsewhere begins anew."""
        if self.unaided:
            return self.complete((*self.path, spot))
        for path in ((*self.path, spot), (spot,)):
            if path in self.paths:
                self.path = ()
                return self.paths[path]
            if self.after(path):
                self.path = path
                return None
        text = _("{spot} cannot be chosen here. {prompt}")
        raise IllegalAction(text.format(spot=spot, prompt=self.position.prompt))

    def complete(self, path: Path) -> Action | None:
        """The action with these spots in any order; refused only when nothing can follow."""
        same = [full for full in self.paths if sorted(full) == sorted(path)]
        if not same and not self.ended(path):
            self.path = path
            return None
        self.path = ()
        if same:
            return self.paths[path if path in self.paths else same[0]]
        text = _("{spots} is not legal here. {prompt}")
        raise IllegalAction(text.format(spots=" ".join(path), prompt=self.position.prompt))

    def ended(self, path: Path) -> bool:
        """Whether a path is as long as any action could be, judged without the board."""
        spots = self.position.game.layout["spots"]
        pressed = {full for full in self.paths if spots[full[-1]]["kind"] == BUTTON}
        if path[-1] in {full[-1] for full in pressed}:
            return True
        if any(len(full) > 1 for full in pressed):
            return False
        return len(path) >= max(
            (len(full) for full in self.paths if full not in pressed), default=2
        )
