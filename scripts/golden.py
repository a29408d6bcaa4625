"""Write the golden files of all games anew: look at `git diff` before you commit them.

Of the signatures printed at the end the first changes whenever the rules' behaviour does, the
second with that of the search too; commits name them.
"""

from zlib import crc32

from tests import golden
from tests.conftest import specs
from tqdm import tqdm

from roundel import games
from roundel.bots import Budget, Searcher
from roundel.core.game import Game
from roundel.core.playthrough import random_match, transcript

EVERY, NODES = 8, 2000  # plies of a match from one search to the next, and what each may look at


def thoughts(game: Game) -> str:
    """What the search finds in some positions of a match, a line for each."""
    *positions, _end = random_match(game, golden.SEED)
    searcher, budget = Searcher(), Budget(nodes=NODES)
    found = [searcher.choose(position, budget, golden.SEED) for position in positions[::EVERY]]
    return "".join(f"{choice.action} {choice.nodes} {choice.values[0]:.3f}\n" for choice in found)


def main() -> None:
    signature = searched = 0
    for spec in tqdm(specs(), unit="option set"):
        game = games.load(spec)
        text = transcript(game, golden.SEED)
        file = golden.playthrough_file(game)
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        signature = crc32(text.encode(), signature)
        searched = crc32(thoughts(game).encode(), searched)
    for name in games.names():
        text = golden.playouts_text(name)
        golden.playouts_file(name).write_text(text)
        signature = crc32(text.encode(), signature)
        for file, svg in golden.pictures(name):
            file.parent.mkdir(exist_ok=True)
            file.write_text(svg, encoding="utf-8")
    print(f"bench signature {signature:08x}, of the search {searched:08x}")


if __name__ == "__main__":
    main()
