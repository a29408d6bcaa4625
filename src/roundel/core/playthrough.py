"""A whole random match as text: the golden files that show every change of the rules."""

import random
from collections.abc import Iterator
from zlib import crc32

from roundel.core.game import Game
from roundel.core.lang import ENGLISH, speaking
from roundel.core.position import Position

DRAWN = 10  # every so many plies the board is drawn
LISTED = 64  # more legal actions than that are shown by their number and checksum


def random_match(game: Game, seed: int) -> Iterator[Position]:
    """Every position of a random match, from the start to the end."""
    rng, position = random.Random(seed), game.start()
    yield position
    while not position.over:
        position = position.play(rng.choice(position.legal()))
        yield position


def transcript(game: Game, seed: int) -> str:
    """The match in English, whoever asks: it is compared with files."""
    *positions, last = random_match(game, seed)
    with speaking(ENGLISH):
        parts = [f"{describe(position)}\n" for position in positions]
        end = f"{last}\n{last.fen()}\npoints {last.points}\nresult {last.result}\n"
    return "\n".join([*parts, end, " ".join(last.texts()) + "\n"])


def describe(position: Position) -> str:
    texts = sorted(position.write(action) for action in position.legal())
    listed = " ".join(texts)
    if len(texts) > LISTED:
        listed = f"{len(texts)} actions, crc32 {crc32(listed.encode()):08x}"
    drawing = f"{position}\n" if position.ply % DRAWN == 0 else ""
    return (
        f"{drawing}ply {position.ply}, points {position.points}: {position.fen()}\n"
        f"{position.prompt}\nlegal: {listed}"
    )
