"""The catalogues are complete, and the language is that of the user."""

import re
import symtable
from collections.abc import Iterator
from contextvars import copy_context
from pathlib import Path
from string import Formatter
from threading import Thread

import pytest
from scripts import messages

from roundel.core import lang
from roundel.core.lang import ENGLISH, _, speaking, wanted

PERCENT = re.compile(r"%(?:\(\w+\))?[sdr]")
BAD_FRENCH = re.compile(r"'| [:;?!»](?!\w)|« |[\w})\]][:;](?:\s|$)")  # a space that breaks, or none

# -- The catalogues -------------------------------------------------------------


@pytest.fixture(
    params=messages.files(messages.folders()), ids=lambda file: f"{file[0].name}-{file[1]}"
)
def file(request: pytest.FixtureRequest) -> tuple[Path, str]:
    found: tuple[Path, str] = request.param
    return found


def pairs(file: tuple[Path, str]) -> Iterator[tuple[str, str]]:
    """Every text with its translation; all other forms of a plural with its second form."""
    for message in messages.catalogue(*file):
        if isinstance(message.id, str):
            assert isinstance(message.string, str)
            yield message.id, message.string
        else:
            for i, translated in enumerate(message.string or ()):
                yield message.id[min(i, 1)], translated


def placeholders(text: str) -> list[str]:
    fields = [field[1:] for field in Formatter().parse(text) if field[1] is not None]
    return sorted(map(str, [*fields, *PERCENT.findall(text)]))


def test_a_catalogue_has_the_texts_of_the_code_and_no_others(file: tuple[Path, str]) -> None:
    kept = {message.id for message in messages.catalogue(*file)}
    assert kept == {message.id for message in messages.template(file[0])}, "`make messages`"
    assert b"#~" not in messages.file_of(*file).read_bytes(), "texts that are gone are gone"


def test_every_text_is_translated_and_none_is_fuzzy(file: tuple[Path, str]) -> None:
    assert [m.id for m in messages.catalogue(*file) if not messages.is_done(m)] == []


def test_translations_have_the_same_placeholders(file: tuple[Path, str]) -> None:
    for english, translated in pairs(file):
        if translated:
            assert placeholders(translated) == placeholders(english), english
            assert translated.endswith("\n") == english.endswith("\n"), english


def test_french_is_set_as_french_is(file: tuple[Path, str]) -> None:
    translations = [translated for english, translated in pairs(file) if english]
    assert [text for text in translations if BAD_FRENCH.search(text)] == []


def test_what_is_compiled_is_the_catalogue(file: tuple[Path, str]) -> None:
    compiled = messages.file_of(*file).with_suffix(".mo").read_bytes()
    assert compiled == messages.compiled(messages.catalogue(*file)), "`make messages`"


def test_no_function_throws_away_what_it_translates_with() -> None:
    def check(scope: symtable.SymbolTable, path: Path) -> None:
        if "_" in scope.get_identifiers() and scope.get_type() == "function":
            symbol = scope.lookup("_")
            assert not (symbol.is_assigned() and symbol.is_referenced()), (path, scope.get_name())
        for inner in scope.get_children():
            check(inner, path)

    for folder in messages.folders():
        for path in messages.sources(folder):
            check(symtable.symtable(path.read_text(), str(path), "exec"), path)


# -- Choosing a language --------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": ""}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_CA"}, "fr"),
        ({"LANG": "fr@euro"}, "fr"),
        ({"LANG": "frr_DE.UTF-8"}, "en"),  # North Frisian
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "de:fr:en"}, "fr"),
    ],
)
def test_the_environment_chooses(environment: dict[str, str], language: str) -> None:
    assert wanted(environment) == language


def test_a_language_is_spoken_in_one_thread_and_context_only() -> None:
    heard: list[str] = []
    with speaking("fr"):
        thread = Thread(target=lambda: heard.append(_("FILE")))
        thread.start()
        thread.join()
        french, other = copy_context(), copy_context()
        other.run(lang.use, ENGLISH)
        assert _("FILE") == "FICHIER"
        with speaking(ENGLISH):
            assert (_("FILE"), french.run(_, "FILE")) == ("FILE", "FICHIER")
    assert (_("FILE"), heard) == ("FILE", ["FILE"])


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(lang.UnknownLanguage, match="no language 'de'; there are: en, fr"):
        lang.use("de")
    with speaking("fr"), pytest.raises(lang.UnknownLanguage, match="pas de langue 'de'"):
        lang.use("de")
    assert lang.current() == ENGLISH


def test_an_empty_text_stays_empty_and_unknown_ones_stay_english() -> None:
    with speaking("fr"):
        assert (_(""), _("never said")) == ("", "never said")
        assert lang.either("abc") == "a ou b ou c"
        assert lang.thousands(1234567) == "1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567"
    assert (lang.either("abc"), lang.thousands(1234567)) == ("a or b or c", "1,234,567")
