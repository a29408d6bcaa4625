"""The files in the games' folders that hold known counts and matches. `make golden` writes them."""

from pathlib import Path

from roundel import games
from roundel.core.game import Game
from roundel.core.playouts import run
from roundel.core.position import Position
from roundel.core.randoms import generator

SEED = 1
PLAYOUTS = 20
FOLDER = Path(games.__file__).parent


def perft_cases(name: str) -> list[tuple[Position, int, int]]:
    """(position, depth, leaves) for each count in the game's perft file."""
    cases = []
    for line in (FOLDER / name / f"{name}.perft").read_text().splitlines():
        if line and not line.startswith("#"):
            spec, actions, counts = (part.strip() for part in line.split("|"))
            position = games.load(spec).start(actions)
            for count in counts.split():
                depth, leaves = count.split(":")
                cases.append((position, int(depth), int(leaves)))
    return cases


def playthrough_file(game: Game) -> Path:
    options = game.spec.partition(":")[2] or "default"
    return FOLDER / game.name / "playthroughs" / f"{options}.txt"


def playouts_file(name: str) -> Path:
    return FOLDER / name / "playthroughs" / "playouts.tally"


def playouts_text(name: str) -> str:
    """What some seeded random matches of compiled code come to, a line for each option set."""
    lines = []
    for options in games.manifest(name).option_sets:
        game = games.load(f"{name}:{options}")
        tally = run(game.start(), PLAYOUTS, generator(SEED)).tolist()
        lines.append(f"{game.spec}: actions {tally[0]}, ties {tally[1]}, wins {tally[2:]}\n")
    return "".join(lines)
