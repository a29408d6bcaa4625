"""Write the golden files of all games anew: look at `git diff` before you commit them.

The signature printed at the end changes whenever the rules' behaviour does; commits name it.
"""

from zlib import crc32

from tests import golden
from tests.conftest import specs
from tqdm import tqdm

from roundel import games
from roundel.core.playthrough import transcript


def main() -> None:
    signature = 0
    for spec in tqdm(specs(), unit="option set"):
        game = games.load(spec)
        text = transcript(game, golden.SEED)
        file = golden.playthrough_file(game)
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        signature = crc32(text.encode(), signature)
    for name in games.names():
        text = golden.playouts_text(name)
        golden.playouts_file(name).write_text(text)
        signature = crc32(text.encode(), signature)
        for file, svg in golden.pictures(name):
            file.parent.mkdir(exist_ok=True)
            file.write_text(svg, encoding="utf-8")
    print(f"bench signature {signature:08x}")


if __name__ == "__main__":
    main()
