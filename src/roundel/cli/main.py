"""`roundel COMMAND ...`: reads the arguments, finds the command, says clearly what is wrong."""

import argparse
import contextlib
import importlib
import os
import sys
import threading
from collections.abc import Sequence
from io import TextIOWrapper
from typing import NoReturn

import roundel
from roundel.core.errors import RoundelError
from roundel.core.lang import LANGUAGES, _, current, speaking, use, wanted

vars(argparse).update(_=_, ngettext=_.plural)  # its own words are in our catalogue (core/words.py)

COMMANDS = (
    "games",
    "play",
    "serve",
    "backup",
    "restore",
    "check",
    "forget",
    "rules",
    "ugi",
    "perft",
    "playthrough",
    "show",
    "bench",
    "warmup",
    "record",
    "analyse",
    "tournament",
)


def common() -> argparse.ArgumentParser:
    """What can stand anywhere on the line. It is read first: all other texts depend on it."""
    parser = argparse.ArgumentParser(prog="roundel", add_help=False, allow_abbrev=False)
    text = _("the language: {known} (default: from the environment)")
    known = ", ".join(LANGUAGES)
    help = text.format(known=known)
    parser.add_argument("--lang", default=current(), metavar=_("LANGUAGE"), help=help)
    return parser


def parser() -> argparse.ArgumentParser:
    """Every command's module adds its own arguments and says what it does in its docstring."""
    top = argparse.ArgumentParser(
        prog="roundel",
        description=_("Play, analyse and study abstract board games."),
        parents=[common()],
        allow_abbrev=False,
    )
    version, text = f"roundel {roundel.__version__}", _("show program's version number and exit")
    top.add_argument("--version", action="version", version=version, help=text)
    commands = top.add_subparsers(dest="command", required=True, metavar=_("COMMAND"))
    for name in COMMANDS:
        module = importlib.import_module(f"roundel.cli.{name}")
        text = _((module.__doc__ or "").strip())
        command = commands.add_parser(
            name,
            help=text.splitlines()[0],
            description=text,
            parents=[common()],
            allow_abbrev=False,  # or --la would be taken for --lang, too late
        )
        module.arguments(command)
        command.set_defaults(run=module.run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 2 for anything that is wrong with the input."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal may lack a letter: no reason to stop
    with speaking(wanted()):
        try:
            asked, others = common().parse_known_args(arguments)
            use(asked.lang)
            options = parser().parse_args(others)
            status: int = options.run(options) or 0
        except RoundelError as error:
            print(_("roundel: {error}").format(error=error), file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print("\n" + _("roundel: interrupted"), file=sys.stderr)
            return 130
        except BrokenPipeError:
            sys.stderr.close()  # the reader has left: nothing to tell, and nobody to tell it to
            return 1
        return status


def program() -> NoReturn:
    """`main` as a process of its own.

    Threads that nobody waits for may be compiling. To exit would take LLVM apart under them, and
    now and then the process would die of that: it ends without.
    """
    status = main()
    if any(thread.daemon for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
                stream.flush()
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    program()
