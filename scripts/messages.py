"""Bring the catalogues up to date with the texts in the code, and compile them: `make messages`.

    python -m scripts.messages          those of the house and of every game in it
    python -m scripts.messages GAME     those of a game from elsewhere, into its own folder

Every package with texts of its own has `locale/LANGUAGE.po` and the `.mo` made of it: the house and
each game's folder. New texts come without a translation, or with that of a similar one, marked as
fuzzy; `tests/test_lang.py` fails until a person has seen to them.
"""

import importlib
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import roundel
from roundel import games
from roundel.cli.main import COMMANDS
from roundel.core.lang import ENGLISH, LANGUAGES

HOUSE = Path(roundel.__file__).parent
GAMES = HOUSE / "games"
KEYWORDS = {"_": None, "N_": None, "plural": (1, 2)}
WIDTH = 100


class Stable(Catalog):
    """A catalogue whose header tells no dates and versions: the same texts make the same files."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale)),
            ("Plural-Forms", self.plural_forms),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


def folders() -> list[Path]:
    """Where there are texts of ours: the house, and every game in it."""
    return [HOUSE, *(games.manifest(name).folder for name in games.ours())]


def files(folders: list[Path]) -> list[tuple[Path, str]]:
    """Every catalogue that there should be, as its folder and language."""
    return [(folder, code) for folder in folders for code in LANGUAGES if code != ENGLISH]


def sources(folder: Path) -> Iterator[Path]:
    """The modules whose texts belong to a folder's catalogue; a game's are its own."""
    for path in sorted(folder.rglob("*.py")):
        in_a_game = GAMES in path.parents and path.parent != GAMES
        if not path.name.startswith("test_") and not (folder == HOUSE and in_a_game):
            yield path


def template(folder: Path) -> Catalog:
    """All texts of a folder. What a command does is told in its docstring."""
    found = Catalog()
    for path in sources(folder):
        name = path.relative_to(folder).as_posix()
        for line, text, comments, _ in extract_from_file("python", path, KEYWORDS):
            found.add(text, locations=[(name, line)], auto_comments=comments)
    for command in COMMANDS if folder == HOUSE else ():
        text = importlib.import_module(f"roundel.cli.{command}").__doc__ or ""
        found.add(text.strip(), locations=[(f"cli/{command}.py", 1)])
    return found


def file_of(folder: Path, language: str) -> Path:
    return folder / "locale" / f"{language}.po"


def catalogue(folder: Path, language: str) -> Catalog:
    """The catalogue as it is; an empty one if there is none yet."""
    found, path = Stable(language, header_comment="#", fuzzy=False), file_of(folder, language)
    if path.exists():
        with path.open("rb") as file:
            kept = read_po(file, language)
        found.header_comment = kept.header_comment
        for message in kept:
            if message.id:
                found[message.id] = message
    return found


def updated(folder: Path, language: str) -> Catalog:
    found = catalogue(folder, language)
    found.update(template(folder), update_creation_date=False)
    return found


def written(found: Catalog) -> bytes:
    """The `.po` file, without anything that changes when the texts do not."""
    out = BytesIO()
    write_po(out, found, WIDTH, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
    return out.getvalue()


def compiled(found: Catalog) -> bytes:
    """The `.mo` file."""
    out = BytesIO()
    write_mo(out, found)
    return out.getvalue()


def is_done(message: Message) -> bool:
    """Whether every form of a text has its translation, and a person has seen it."""
    forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return all(forms) and not message.fuzzy


def main() -> None:
    wanted = [games.manifest(name).folder for name in sys.argv[1:]] or folders()
    for folder, language in files(wanted):
        found = updated(folder, language)
        path = file_of(folder, language)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(written(found))
        path.with_suffix(".mo").write_bytes(compiled(found))
        untranslated = sum(not is_done(message) for message in found)
        print(f"{folder.name}/locale/{path.name}: {len(found)} texts, {untranslated} to do")


if __name__ == "__main__":
    main()
