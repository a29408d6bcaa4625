"""`roundel COMMAND ...`: reads the arguments, finds the command, says clearly what is wrong."""

import argparse
import importlib
import sys
from collections.abc import Sequence

import roundel
from roundel.core.errors import RoundelError

COMMANDS = ("games", "play", "ugi", "perft", "playthrough", "show", "bench", "warmup", "record")


def parser() -> argparse.ArgumentParser:
    """Every command's module adds its own arguments and says what it does in its docstring."""
    top = argparse.ArgumentParser(prog="roundel", description="Abstract board games, compiled.")
    top.add_argument("--version", action="version", version=f"roundel {roundel.__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        module = importlib.import_module(f"roundel.cli.{name}")
        text = (module.__doc__ or "").strip()
        command = commands.add_parser(name, help=text.splitlines()[0], description=text)
        module.arguments(command)
        command.set_defaults(run=module.run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 2 for anything that is wrong with the input."""
    options = parser().parse_args(arguments)
    try:
        status: int = options.run(options) or 0
    except RoundelError as error:
        print(f"roundel: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nroundel: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # the reader has left: nothing to tell, and nobody to tell it to
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
