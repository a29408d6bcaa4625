"""Pixels: PNG and GIF of SVG pictures, made without a browser."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from io import BytesIO

MILLISECONDS = 900  # that a picture of an animation stays
LAST = 3  # times as long for the last one
WEIGHTS = ("Medium", "SemiBold", "Bold")


def png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG, so many pixels wide (or as wide as the SVG says)."""
    from resvg_py import svg_to_bytes

    # Our own font and no other: the same picture on every machine, also on one without fonts.
    folder = files("font_manrope") / "files"
    fonts = [str(folder / f"Manrope-{weight}.ttf") for weight in WEIGHTS]
    pixels = svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=fonts,
        font_family="Manrope",
        sans_serif_family="Manrope",
    )
    return bytes(pixels)


def gif(svgs: Iterable[str], width: int | None = None) -> bytes:
    """An animation, one picture after the other, for ever."""
    from PIL import Image

    frames = []
    for svg in svgs:
        picture = Image.open(BytesIO(png(svg, width))).convert("RGBA")
        edge = picture.getpixel((picture.width // 2, 1))
        ground = Image.new("RGBA", picture.size, edge)  # under the round corners
        frames.append(Image.alpha_composite(ground, picture).convert("RGB"))
    out = BytesIO()
    stays = [MILLISECONDS] * (len(frames) - 1) + [LAST * MILLISECONDS]
    frames[0].save(
        out, "GIF", save_all=True, append_images=frames[1:], duration=stays, loop=0, optimize=True
    )
    return out.getvalue()
