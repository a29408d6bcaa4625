"""The files in the games' folders that hold known counts and matches. `make golden` writes them."""

from collections.abc import Iterator
from pathlib import Path

from roundel import games, picture
from roundel.core.game import Game
from roundel.core.playouts import run
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.kernel.randoms import generator

SEED = 1
PLAYOUTS = 20


def perft_cases(name: str) -> list[tuple[Position, int, int]]:
    """(position, depth, leaves) for each count in the game's perft file."""
    cases = []
    for line in (games.manifest(name).folder / f"{name}.perft").read_text().splitlines():
        if line and not line.startswith("#"):
            spec, actions, counts = (part.strip() for part in line.split("|"))
            position = games.load(spec).start(actions)
            for count in counts.split():
                depth, leaves = count.split(":")
                cases.append((position, int(depth), int(leaves)))
    return cases


def playthrough_file(game: Game) -> Path:
    options = game.spec.partition(":")[2] or "default"
    return game.manifest.folder / "playthroughs" / f"{options}.txt"


def playouts_file(name: str) -> Path:
    return games.manifest(name).folder / "playthroughs" / "playouts.tally"


def playouts_text(name: str) -> str:
    """What some seeded random matches of compiled code come to, a line for each option set."""
    lines = []
    for options in games.manifest(name).option_sets:
        game = games.load(f"{name}:{options}")
        tally = run(game.start(), PLAYOUTS, generator(SEED)).tolist()
        lines.append(f"{game.spec}: actions {tally[0]}, ties {tally[1]}, wins {tally[2:]}\n")
    return "".join(lines)


def pictures(name: str) -> Iterator[tuple[Path, str]]:
    """Pictures of random matches with the first and with the last option set, and their files.

    Together they show every theme, the last action, targets and an arrow.
    """
    sets = games.manifest(name).option_sets
    line, other = (list(random_match(games.load(f"{name}:{sets[i]}"), SEED)) for i in (0, -1))
    middle = line[len(line) // 2]
    targets = picture.next_spots(middle)
    drawn = {
        "start": picture.svg(line[0]),
        "middle": picture.svg(middle),
        "end": picture.svg(line[-1]),
        "targets": picture.svg(middle, theme="dark", last=False, targets=targets),
        "options": picture.svg(other[len(other) // 2], theme="grey", arrows=[far(middle)]),
    }
    for title, svg in drawn.items():
        yield games.manifest(name).folder / "pictures" / f"{title}.svg", svg


def far(position: Position) -> tuple[str, str]:
    """Where an arrow can go: between two spots of the same kind with pieces on them."""
    spots = position.game.layout["spots"]
    taken = list(position.view["pieces"])
    kind = spots[taken[0]]["kind"]
    first, *_, last = (spot for spot in taken if spots[spot]["kind"] == kind)
    return first, last
