"""Draw the typical position of each game for README and docs, light and dark, as PNG.

A game's `pictures/typical.txt` says which one: `SPEC | ACTIONS`.
"""

from io import BytesIO
from pathlib import Path

from PIL import Image
from tests.golden import typical

from roundel import games, picture

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
WIDTH = 800


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name in games.names():
        for theme, ending in (("light", ""), ("dark", "-dark")):
            data = picture.png(picture.svg(typical(name), theme=theme), WIDTH)
            Image.open(BytesIO(data)).save(PICTURES / f"{name}{ending}.png", optimize=True)


if __name__ == "__main__":
    main()
