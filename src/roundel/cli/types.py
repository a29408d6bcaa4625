"""Kinds of arguments that several commands take."""

import argparse

LARGEST = 2**63 - 1


def whole_number(text: str) -> int:
    """0 or more, and not more than compiled code can count."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= LARGEST):
        raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}")
    return int(text)


def positive(text: str) -> int:
    number = whole_number(text)
    if not 1 <= number <= 1024:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 1024, got {text!r}")
    return number
