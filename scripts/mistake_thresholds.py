"""Write anew which drops are inaccuracies, mistakes and blunders: `mistake_thresholds.json`.

Bots of middle levels play some matches over all option sets, and the full search judges them. Of
all actions in which there was a choice, the worst fifth are inaccuracies at least, the worst
twelfth mistakes and the worst fiftieth blunders; what is less than LEAST nobody would call so.

    python -m scripts.mistake_thresholds [GAME ...]
"""

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from statistics import quantiles

from tqdm import tqdm

from roundel import games
from roundel.analysis import analyse
from roundel.analysis.judging import FILE, VERDICTS
from roundel.bots import BOTS, Budget
from roundel.core.game import Game, Manifest
from roundel.core.position import Position

PLAYERS = ("level4", "level6")
MATCHES = 40
LONGEST = 200  # plies of a match that are looked at
JUDGE = Budget(nodes=10_000)
SHARES = (0.20, 0.08, 0.02)  # of all actions, for each of VERDICTS
LEAST = (3.0, 6.0, 12.0)


def match(game: Game, seed: int) -> Iterator[Position]:
    """The players at all seats in turn."""
    bots = [BOTS[PLAYERS[(seed + i) % len(PLAYERS)]](seed) for i in range(game.players)]
    position = game.start()
    yield position
    while position.player is not None:
        position = position.play(bots[position.player](position))
        yield position


def drops_of(game: Game, seed: int) -> list[float]:
    """What each action has cost in which there was a choice."""
    found = analyse(islice(match(game, seed), LONGEST + 1), JUDGE, seed)
    return [ply.drop or 0 for ply in found.plies if ply.judged]


def thresholds(manifest: Manifest) -> dict[str, object]:
    found: list[float] = []
    for seed in tqdm(range(MATCHES), desc=manifest.name, unit="match"):
        options = manifest.option_sets[seed % len(manifest.option_sets)]
        found += drops_of(manifest.with_options(options), seed)
    cuts = quantiles(found, n=100)
    limits = [
        max(cuts[round(99 - 100 * share)], low) for share, low in zip(SHARES, LEAST, strict=True)
    ]
    words = {word: round(limit, 1) for word, limit in zip(VERDICTS, limits, strict=True)}
    return {**words, "actions": len(found), "players": list(PLAYERS), "nodes": JUDGE.nodes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", default=games.names())
    for name in parser.parse_args().games:
        manifest = games.manifest(name)
        text = json.dumps(thresholds(manifest), indent=1)
        (manifest.folder / FILE).write_text(f"{text}\n", encoding="utf-8")
        print(f"{name}: {text}")


if __name__ == "__main__":
    main()
