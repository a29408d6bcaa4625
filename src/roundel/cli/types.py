"""Kinds of arguments that several commands take."""

import argparse

from roundel.core.lang import _

LARGEST = 2**63 - 1


def whole_number(text: str) -> int:
    """0 or more, and not more than compiled code can count."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= LARGEST):
        wrong = _("expected a whole number, got {text!r}")
        raise argparse.ArgumentTypeError(wrong.format(text=text))
    return int(text)


def between(low: int, high: int, text: str) -> int:
    number = whole_number(text)
    if not low <= number <= high:
        wrong = _("expected a number from {low} to {high}, got {text!r}")
        raise argparse.ArgumentTypeError(wrong.format(low=low, high=high, text=text))
    return number


def positive(text: str) -> int:
    return between(1, 1024, text)
