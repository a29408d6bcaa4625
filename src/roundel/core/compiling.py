"""Whoever waits for code to be compiled is told so."""

import sys

from roundel.core.lang import _
from roundel.kernel import cache


def say_begun(entry: str) -> None:
    text = _("compiling {entry} for this machine, once ...").format(entry=entry)
    print(text, end="", file=sys.stderr, flush=True)


def say_done(entry: str, seconds: float) -> None:
    print(f" {seconds:.1f} s", file=sys.stderr, flush=True)


cache.on_compiling.append(say_begun)
cache.on_compiled.append(say_done)
