"""The page as the build left it in `static/`, and which version of it that is."""

from __future__ import annotations

import functools
import re
from importlib import resources
from pathlib import Path

STATIC = Path(str(resources.files("roundel.web") / "static"))
VERSION = re.compile(r'<meta name="roundel-page" content="([^"]*)"')


def page_version() -> str:
    """Of the page that browsers get now; empty if there is none.

    It is looked up each time, because a working copy is built anew under a running server.
    """
    index = STATIC / "index.html"
    try:
        return version_in(index, index.stat().st_mtime_ns)
    except OSError:
        return ""


@functools.lru_cache(maxsize=1)
def version_in(index: Path, changed: int) -> str:
    """The build writes it down: a digest of all that the page is made of."""
    found = VERSION.search(index.read_text(encoding="utf-8", errors="replace"))
    return found[1] if found else ""
