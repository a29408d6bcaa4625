"""Pictures of positions: one renderer for all games, from layout, view and style to SVG.

>>> from roundel import games, picture
>>> position = games.load(games.ours()[0]).start()
>>> picture.svg(position, theme="dark")[:4]
'<svg'

`png` makes pixels of an SVG, `gif` an animation of `frames`; both need no browser.
"""

from roundel.picture.image import gif, png
from roundel.picture.scene import PictureError, frames, next_spots, svg
from roundel.picture.typical import typical

__all__ = ["PictureError", "frames", "gif", "next_spots", "png", "svg", "typical"]
