"""`make soak`: 1,000 random faults under a server, what was lost, and for how long nothing went on.

    python -m scripts.faults               # all of them
    python -m scripts.faults --faults 100

Disks fail, fill up, are slow or locked; power cuts leave what was synced and some of the rest;
processes that think are killed or stopped; the calendar jumps. It can be interrupted and goes on
where it was: evenings of ten faults are kept in `.soak/`, under a digest of the sources.
"""

import argparse
import faulthandler
import json
import logging
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from scripts.load.faults import COMPUTERS, DISK, FAULTS, evening
from scripts.sources import digest

FOLDER = Path(".soak")
ALL = 1000
FEW = 10  # one evening in so many is for the computers: their faults take longest
PATIENCE = 300  # seconds for an evening; if it takes longer, something hangs


class Found(NamedTuple):
    """What came of an evening."""

    name: str
    faults: list[tuple[str, float]]  # each with the seconds until something was acknowledged
    wrong: str  # what was lost, or went wrong otherwise


def evenings(faults: int) -> Iterator[tuple[str, int]]:
    for seed in range(-(-faults // FAULTS)):
        yield (DISK if seed % FEW else COMPUTERS), seed


def read(path: Path) -> dict[str, Found]:
    lines = path.read_text().splitlines() if path.exists() else []
    return {found.name: found for found in (Found(*json.loads(line)) for line in lines)}


def live_through(what: str, seed: int, bar: Any) -> Found:
    faults, wrong = list[tuple[str, float]](), ""
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    try:
        for kind, seconds in evening(what, seed):
            faults.append((kind, seconds))
            bar.update()
    except Exception as error:  # it is in the table, and the others are to be seen too
        wrong = " ".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())])
    finally:
        faulthandler.cancel_dump_traceback_later()
    return Found(f"{what} {seed}", faults, wrong)


def table(results: list[Found]) -> Iterator[str]:
    """A line for every kind of fault, and one for everything that went wrong."""
    longest: dict[str, list[float]] = defaultdict(list)
    for kind, seconds in (fault for found in results for fault in found.faults):
        longest[kind].append(seconds)
    yield f"  {'fault':28}{'times':>7}{'longest interruption':>24}"
    for kind in sorted(longest):
        yield f"  {kind:28}{len(longest[kind]):7,}{max(longest[kind]):22.2f} s"
    wrong = [found for found in results if found.wrong]
    for found in wrong:
        yield f"! evening {found.name}, after {len(found.faults)} faults: {found.wrong}"
    faults, most = sum(map(len, longest.values())), max(map(max, longest.values()), default=0)
    lost = f"evenings that lost something: {len(wrong)}" if wrong else "nothing was lost"
    yield f"{faults:,} faults: {lost}; the longest interruption was {most:.2f} s"


def live_through_all(todo: list[tuple[str, int]], path: Path, done: dict[str, Found]) -> None:
    before = sum(len(found.faults) for found in done.values())
    with tqdm(total=before + FAULTS * len(todo), initial=before, unit="fault") as bar:
        for what, seed in todo:
            found = done[f"{what} {seed}"] = live_through(what, seed, bar)
            with path.open("a") as file:
                file.write(json.dumps(found) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=ALL)
    parser.add_argument("--again", action="store_true", help="forget what was found before")
    arguments = parser.parse_args()
    logging.disable()  # what fails is what we want
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"faults-{digest('core', 'games', 'play', 'web')}"
    if arguments.again:
        path.unlink(missing_ok=True)
    wanted, done = list(evenings(arguments.faults)), read(path)
    todo = [(what, seed) for what, seed in wanted if f"{what} {seed}" not in done]
    live_through_all(todo, path, done)
    print(*table(list(done.values())), sep="\n")
    if any(found.wrong for found in done.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
