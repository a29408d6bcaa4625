"""The lock files: `--write` makes them, and without it they are checked.

python -m scripts.locks [--write]

A check asks whether they still say what `pyproject.toml` wants, and whether every Python that we
support can install what they name, as wheels. uv looks them up: none of these Pythons has to be
here. (Hashes are for whoever installs: uv does not compare them before it downloads.)
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

from tqdm import tqdm

ROOT = Path(__file__).parent.parent
LOCKS = {"requirements.txt": ("build",), "requirements-dev.txt": ("build", "dev")}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PLATFORMS = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin")


def uv(*arguments: str) -> str:
    """Run it; returns what it complains about, or an empty text."""
    command = [sys.executable, "-m", "uv", "pip", *arguments, "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return (done.stderr.strip() or f"uv ended with {done.returncode}") if done.returncode else ""


def write(lock: Path) -> str:
    """What it names already stays as it is, unless `pyproject.toml` wants something else."""
    groups = [part for group in LOCKS[lock.name] for part in ("--group", group)]
    plain = ["--universal", "--generate-hashes", "--no-emit-index-url", "--no-header"]
    versions = ["--python-version", PYTHONS[0]]
    return uv("compile", *plain, *versions, "pyproject.toml", *groups, "--output-file", str(lock))


def what_is_old(lock: Path) -> str:
    """What is wrong if it would be written anew in another way."""
    with tempfile.TemporaryDirectory() as folder:
        again = Path(shutil.copy(lock, folder))
        wrong = write(again)
        if wrong or again.read_text() == lock.read_text():
            return wrong
        return "does not say what pyproject.toml wants: `make lock`"


def what_cannot_be_installed(lock: Path, python: str, platform: str) -> str:
    machine = ["--python-version", python, "--python-platform", platform]
    as_locked = ["--only-binary", ":all:", "--requirement", str(lock)]
    with tempfile.TemporaryDirectory() as empty:
        return uv("install", "--dry-run", "--target", empty, *machine, *as_locked)


def check() -> int:
    wrong = [f"{name}: {fault}" for name in LOCKS if (fault := what_is_old(ROOT / name))]
    installs = [*product(LOCKS, PYTHONS, PLATFORMS)]
    for name, python, platform in tqdm(installs, unit="install", disable=None):
        if fault := what_cannot_be_installed(ROOT / name, python, platform):
            wrong.append(f"{name}: Python {python}, {platform}: {fault}")
    print("\n".join(wrong) or f"locked for Python {', '.join(PYTHONS)}")
    return bool(wrong)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="make them anew")
    if not parser.parse_args().write:
        return check()
    wrong = [f"{name}: {fault}" for name in LOCKS if (fault := write(ROOT / name))]
    print("\n".join(wrong) or "written")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
