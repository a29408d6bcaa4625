"""Every folder in here is a game, and so is every package that an entry point names.

Nothing else needs to be told about a new one. A package from elsewhere declares itself in its
`pyproject.toml`: in the group `roundel.games`, the game's name and the package whose `GAME` it is.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING

from roundel.core.errors import BrokenGame, UnknownGame

if TYPE_CHECKING:
    from roundel.core.game import Game, Manifest
    from roundel.core.position import Position


@functools.cache
def claims() -> dict[str, list[str]]:
    """The packages that say they are the game of that name. None of them is imported for it."""
    from importlib.metadata import entry_points  # slow to import, and not needed before

    folders = [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]
    claimed = {name: [f"{__name__}.{name}"] for name in folders}
    for point in entry_points(group=__name__):
        packages = claimed.setdefault(point.name, [])
        if point.value not in packages:
            packages.append(point.value)
    return claimed


@functools.cache
def said(package: str) -> tuple[str, str]:
    """The name of the game that a package is; or why it is none."""
    try:
        return importlib.import_module(package).GAME.name, ""
    except Exception as error:  # whatever a stranger's code raises, the other games still work
        return "", f"{type(error).__name__}: {error}"


def fault(name: str) -> str:
    """What is wrong with the package that claims a name; empty if nothing is."""
    package, *others = claims()[name]
    if is_ours(package):
        return ""  # nothing to catch, and no need to import it yet
    from roundel.core.lang import _

    if others:
        packages = ", ".join([package, *others])
        return _("several packages claim this name: {packages}").format(packages=packages)
    own_name, reason = said(package)
    if reason:
        text = _("package {package} is not a game: {reason}")
        return text.format(package=package, reason=reason)
    if own_name != name:
        text = _("package {package} calls its game {found!r}")
        return text.format(package=package, found=own_name)
    return ""


def is_ours(package: str) -> bool:
    return package.startswith(f"{__name__}.")


def broken() -> dict[str, str]:
    """The packages from elsewhere that are of no use, by the name they claim, and why."""
    from roundel.core.lang import _

    faults = {name: fault(name) for name in claims() if fault(name)}
    for name, (package, *others) in claims().items():
        if others and is_ours(package):
            text = _("the name is taken, so these are ignored: {packages}")
            faults[name] = text.format(packages=", ".join(others))
    return faults


def names() -> list[str]:
    """The games that can be played."""
    return sorted(name for name in claims() if not fault(name))


def ours() -> list[str]:
    """Those of them that are part of Roundel."""
    return sorted(name for name, (package, *_others) in claims().items() if is_ours(package))


def manifest(name: str) -> Manifest:
    """All that the game of that name says about itself."""
    if name not in claims():
        from roundel.core.lang import _

        text = _("no game {name!r}; there are: {games}")
        raise UnknownGame(text.format(name=name, games=", ".join(names())))
    if wrong := fault(name):
        raise BrokenGame(f"{name}: {wrong}")
    loaded: Manifest = importlib.import_module(claims()[name][0]).GAME
    return loaded


def load(spec: str) -> Game:
    """The game that a spec names: `NAME[:OPTION[=VALUE],...]`."""
    name, _colon, options = spec.partition(":")
    return manifest(name).with_options(options)


def from_fen(text: str) -> Position:
    """The position with that text, which names its game and options."""
    from roundel.core.position import Position

    return Position.from_fen(load(text.partition(";")[0]), text)
