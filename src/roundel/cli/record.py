"""Check, convert, show and replay match records.

The file name decides the format: .record (text), .json (one match per line) or .sgf.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from typing import TYPE_CHECKING

from roundel.cli.types import positive, whole_number
from roundel.core.errors import BrokenRecord, RoundelError
from roundel.core.lang import _, thousands

if TYPE_CHECKING:
    from roundel.core.position import Position
    from roundel.record import Record

ALONE = 1 << 21  # bytes; a smaller file is checked before other processes would have started


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar=_("COMMAND"))
    check_parser = actions.add_parser("check", help=_("replay every match and report errors"))
    check_parser.add_argument("files", nargs="+", metavar=_("FILE"))
    jobs = _("number of processes (default: one per core)")
    check_parser.add_argument("--jobs", type=positive, metavar=_("JOBS"), help=jobs)
    check_parser.set_defaults(do=check)
    convert_parser = actions.add_parser("convert", help=_("convert matches to another format"))
    convert_parser.add_argument("files", nargs="+", metavar=_("FILE"))
    convert_parser.add_argument(
        "-o", "--output", metavar=_("FILE"), help=_("the file to write (default: standard output)")
    )
    convert_parser.add_argument(
        "--to", metavar=_("FORMAT"), help=_("record, json or sgf (default: from the file name)")
    )
    convert_parser.set_defaults(do=convert)
    for name, do, text in (
        ("show", show, _("print the tags and the board of a match")),
        ("replay", replay, _("print a match turn by turn")),
    ):
        one = actions.add_parser(name, help=text)
        one.add_argument("file", metavar=_("FILE"))
        which, after = (
            _("which match in the file (default: 1)"),
            _("after this many moves (default: at the end)"),
        )
        one.add_argument("--match", type=positive, default=1, metavar=_("MATCH"), help=which)
        one.add_argument("--ply", type=whole_number, metavar=_("PLY"), help=after)
        one.set_defaults(do=do)


def run(options: argparse.Namespace) -> int:
    status: int = options.do(options)
    return status


# -- Many matches ---------------------------------------------------------------


def check(options: argparse.Namespace) -> int:
    """The exit status is 1 when something is wrong."""
    matches = wrong = 0
    for path in options.files:
        for error in checked(path, options.jobs):
            matches += 1
            if error:
                wrong += 1
                say(f"{path}:{error.line}:{error.column}: {error.reason}")
    text = _.plural(
        "{matches} match, {broken} of them broken",
        "{matches} matches, {broken} of them broken",
        matches,
    )
    print(text.format(matches=thousands(matches), broken=thousands(wrong)))
    return 1 if wrong else 0


def checked(path: str, jobs: int | None) -> Iterator[BrokenRecord | None]:
    """For each match of a file what is wrong with it, with a progress bar."""
    from tqdm import tqdm

    from roundel.record import checking, files, text, twin

    checks = {
        files.TEXT: (text.split, checking.check),
        files.JSON: (twin.split, checking.check_twin),
    }
    kind = files.format_of(path)
    if kind not in checks:
        yield from checked_one_by_one(path)
        return
    split, check_one = checks[kind]
    with files.opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        jobs = jobs or (1 if size < ALONE else os.cpu_count() or 1)
        with tqdm(total=size, unit="B", unit_scale=True, disable=None, delay=1) as progress:
            for raw, error in checking.check_all(split(files.lines_of(file)), check_one, jobs):
                progress.update(len(raw.text or ""))
                yield error


def checked_one_by_one(path: str) -> Iterator[BrokenRecord | None]:
    from tqdm import tqdm

    from roundel.record import checking, files

    for number, record in enumerate(
        tqdm(files.read(path), disable=None, delay=1, unit=_(" matches")), 1
    ):
        yield record if isinstance(record, BrokenRecord) else checking.check_record(record, number)


def say(text: str) -> None:
    """On standard error, above the progress bar if there is one."""
    from tqdm import tqdm

    tqdm.write(text, file=sys.stderr)


def same_file(one: str, other: str) -> bool:
    return os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)


def convert(options: argparse.Namespace) -> int:
    """Good matches are written; broken ones are named and make the exit status 1."""
    from roundel.record import files

    broken: list[str] = []

    def good() -> Iterator[Record]:
        for path in options.files:
            for record in files.read(path):
                if isinstance(record, BrokenRecord):
                    broken.append(path)
                    say(f"{path}:{record.line}:{record.column}: {record.reason}")
                else:
                    yield record

    if options.output and any(same_file(path, options.output) for path in options.files):
        text = _("{file} would be overwritten while it is being read")
        raise RoundelError(text.format(file=options.output))
    kind = options.to or files.format_of(options.output or "")
    parts = files.writer(kind)(good())
    if options.output is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # as in a file: nothing is lost on the way
        sys.stdout.writelines(parts)
    else:
        with files.created(options.output) as file:
            file.writelines(parts)
    return 1 if broken else 0


# -- One match ------------------------------------------------------------------


def chosen(options: argparse.Namespace) -> Record:
    from roundel.record import files

    for number, record in enumerate(files.read(options.file), 1):
        if number == options.match:
            if isinstance(record, BrokenRecord):
                raise record
            return record
    text = _("{file}: there is no match {number}")
    raise RoundelError(text.format(file=options.file, number=options.match))


def show(options: argparse.Namespace) -> int:
    from roundel.record import positions

    record = chosen(options)
    print(*(f"{name}: {value}" for name, value in record.tags.items()), sep="\n")
    line = list(positions(record))
    if options.ply is not None and options.ply >= len(line):
        text = _("the match has {plies} moves, not {ply}")
        raise RoundelError(text.format(plies=len(line) - 1, ply=options.ply))
    print_position(line[-1 if options.ply is None else options.ply])
    return 0


def replay(options: argparse.Namespace) -> int:
    """Every turn with the board after it, and what was said about its actions."""
    from roundel.record import starts

    plies = 0
    for number, (position, game) in enumerate(starts(chosen(options)), 1):
        title = _("Game {number}: {comment}") if game.comment else _("Game {number}")
        print(title.format(number=number, comment=game.comment))
        print_position(position)
        for count, turn in enumerate(game.turns, 1):
            print(f"\n{count}.", " ".join(entry.action for entry in turn))
            for entry in turn:
                if options.ply is not None and plies >= options.ply:
                    print_position(position)
                    return 0
                position = position.play(entry.action)
                plies += 1
                if entry.clock or entry.comment:
                    print(f"   {entry.action} {entry.clock} {entry.comment}".rstrip())
            print_position(position)
    return 0


def print_position(position: Position) -> None:
    print(f"\n{position}\n{position.prompt}")
    if position.over:
        text, points = _("Result: {result}, points {points}."), map(str, position.points)
        print(text.format(result=position.result, points=_(" to ").join(points)))
