"""Draw the typical position of each game for README and docs, light and dark, as PNG.

A game's `pictures/typical.txt` says which one: `SPEC | ACTIONS`.
"""

from io import BytesIO
from pathlib import Path

from PIL import Image

from roundel import games, picture

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
WIDTH = 800


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name in games.ours():
        for theme, ending in (("light", ""), ("dark", "-dark")):
            typical = picture.typical(games.manifest(name))
            data = picture.png(picture.svg(typical, theme=theme), WIDTH)
            Image.open(BytesIO(data)).save(PICTURES / f"{name}{ending}.png", optimize=True)


if __name__ == "__main__":
    main()
