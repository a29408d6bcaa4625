"""`make soak`, at the table: the figures that a server must reach, beside what it reaches here.

    python -m scripts.table_soak                # all rows
    python -m scripts.table_soak kills restart  # some

It can be interrupted and goes on where it was: what was measured is kept in `.soak/`, under a
digest of the sources, so an edit begins anew. `--again` measures what was measured before.
"""

import argparse
import json
import sys
from pathlib import Path

from scripts.load.rows import ROWS, Measured, Scale
from scripts.load.server import many_files
from scripts.sources import digest

FOLDER = Path(".soak")
Ledger = dict[str, Measured]


def read(path: Path) -> Ledger:
    lines = path.read_text().splitlines() if path.exists() else []
    return {job: Measured(text, enough) for job, text, enough in map(json.loads, lines)}


def measure(name: str, path: Path, done: Ledger) -> list[Measured]:
    """All parts of a row, each written down as soon as it is known."""
    jobs = [(f"{name} {part}", part) for part in range(ROWS[name].parts)]
    for job, part in jobs:
        if job not in done:
            done[job] = reached = ROWS[name].measure(Scale(), part)
            with path.open("a") as file:
                file.write(json.dumps([job, reached.text, reached.is_enough]) + "\n")
    return [done[job] for job, _part in jobs]


def print_row(name: str, results: list[Measured]) -> bool:
    row, is_enough = ROWS[name], all(measured.is_enough for measured in results)
    texts = " + ".join(dict.fromkeys(measured.text for measured in results))
    print(f"{'  ' if is_enough else '! '}{row.what:40}{row.wanted:30}{texts}", flush=True)
    return is_enough


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--again", action="store_true", help="forget what was measured before")
    arguments = parser.parse_args()
    if unknown := set(arguments.rows) - set(ROWS):
        parser.error(f"no row {', '.join(sorted(unknown))}; there are: {', '.join(ROWS)}")
    many_files()
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"table-{digest('core', 'games', 'play', 'web')}"
    done = {} if arguments.again else read(path)
    results = [print_row(name, measure(name, path, done)) for name in arguments.rows or ROWS]
    if not all(results):
        sys.exit("rows with a ! miss their figure")


if __name__ == "__main__":
    main()
