"""In which language people are spoken to. Programs are always spoken to in English.

Texts are written in English where they are used, as `_("...")`. Every package that has its own
texts has its own catalogues, `locale/fr.po` and the `.mo` made of it (`make messages`), so a game
brings its words along. Data that is made once and kept, such as a layout, stays English, marked
with `N_("...")`; whoever shows it to people translates it.
"""

from __future__ import annotations

import functools
import gettext
import os
import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from importlib import resources

from roundel.core.errors import RoundelError

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "fr": "Français"}

_current: ContextVar[str] = ContextVar("language", default=ENGLISH)


class UnknownLanguage(RoundelError):
    """We have no catalogue for that language."""


def current() -> str:
    return _current.get()


def use(language: str) -> None:
    """Speak that language from now on, in this thread or task."""
    if language not in LANGUAGES:
        text = _("no language {name!r}; there are: {known}")
        raise UnknownLanguage(text.format(name=language, known=", ".join(LANGUAGES)))
    _current.set(language)


class speaking:
    """`with speaking(language):` as quick as can be, since every message of a table needs it."""

    __slots__ = ("before", "language")

    def __init__(self, language: str) -> None:
        self.language = language

    def __enter__(self) -> None:
        self.before = current()
        if self.language != self.before:
            use(self.language)

    def __exit__(self, *raised: object) -> None:
        if current() != self.before:
            use(self.before)


def wanted(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the user's environment asks for, if we have it; otherwise English."""
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    asked = next((environment[name] for name in names if environment.get(name)), ENGLISH)
    codes = [re.split("[-_.@]", locale)[0].lower() for locale in asked.split(":")]
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


@functools.cache
def catalogue(package: str, language: str) -> gettext.NullTranslations:
    try:
        with (resources.files(package) / "locale" / f"{language}.mo").open("rb") as file:
            return gettext.GNUTranslations(file)
    except FileNotFoundError:  # English, or a game from elsewhere that has no catalogue
        return gettext.NullTranslations()


@functools.lru_cache(maxsize=1 << 12)
def translated(package: str, language: str, text: str) -> str:
    """Every message of a table needs a few, and they are always the same."""
    return catalogue(package, language).gettext(text)


class Translator:
    """The texts of one package in the language that is spoken now."""

    def __init__(self, package: str) -> None:
        self.package = package

    def __call__(self, text: str) -> str:
        # A catalogue's answer to an empty text would be its own header.
        return translated(self.package, _current.get(), text) if text else text

    def plural(self, one: str, many: str, count: int) -> str:
        return catalogue(self.package, current()).ngettext(one, many, count)


def N_(text: str) -> str:
    """Marks a text for the catalogue without translating it yet."""
    return text


_ = Translator("roundel")  # for the house's own texts; a game makes one with its own package


def either(words: Iterable[str]) -> str:
    """Words that can be typed, as a list to choose from."""
    return _(" or ").join(words)


def thousands(number: int) -> str:
    """A large number as people write it."""
    return f"{number:,}".replace(",", _(","))  # what stands between thousands
