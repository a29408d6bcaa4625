"""`roundel backup` and `roundel restore`: all of it or nothing, whatever comes in between."""

import fcntl
import itertools
import os
import shutil
import signal
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from roundel.cli.main import main
from roundel.web.store import backup, copying
from roundel.web.store.backup import back_up, restore
from roundel.web.store.opening import FILE, NEW, CannotStore, claim_folder
from tests.stores import crashed, edit, files_in, ids_in, played, spoil
from tests.web import ME, SAME, House, made

Capsys = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def ignore(done: int, total: int) -> None:
    """Nobody sees how far we are."""


def roundel(*arguments: object) -> int:
    return main(["--lang", "en", *map(str, arguments)])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with some matches."""
    played(tmp_path / "data")
    return tmp_path / "data"


# -- Backup ---------------------------------------------------------------------


def test_a_backup_of_a_running_server_has_what_was_acknowledged(
    tmp_path: Path, capsys: Capsys
) -> None:
    house, target = House(tmp_path / "data"), tmp_path / "mine"
    with house.opened() as client:
        id = made(client, ME, SAME)["id"]
        assert roundel("backup", target, "--data", house.folder) == 0
        later = made(client, ME, SAME)["id"]
    assert capsys.readouterr().out == f"{target}\n"
    assert ids_in(target) == [id]
    assert ids_in(house.folder / FILE) == sorted([id, later])
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"data", "mine"}


def test_a_server_that_writes_all_the_time_neither_waits_nor_delays(
    data: Path, tmp_path: Path, monkeypatch: Patch
) -> None:
    """SQLite would begin again after every change by somebody else, and never end."""
    monkeypatch.setattr(copying, "STEP", 1)
    before, steps = ids_in(data / FILE), []
    with closing(sqlite3.connect(data / FILE, timeout=0)) as writer:
        pages = writer.execute("PRAGMA page_count").fetchone()[0]

        def write(done: int, total: int) -> None:
            steps.append(done)
            assert len(steps) <= pages
            with writer:
                writer.execute(
                    "INSERT INTO matches (id, setup, owner, clocked, created)"
                    f" VALUES ('new {done}', '', '', 0, 0)"
                )

        back_up(data, tmp_path / "mine", write)
    assert steps == list(range(1, pages + 1))
    assert ids_in(tmp_path / "mine") == before
    assert len(ids_in(data / FILE)) == len(before) + pages


def test_a_backup_of_a_crashed_server_has_what_is_in_its_log(tmp_path: Path) -> None:
    ids = crashed(tmp_path / "data", tmp_path / "wreck")
    before = files_in(tmp_path / "wreck")
    assert roundel("backup", tmp_path / "mine", "--data", tmp_path / "wreck") == 0
    assert ids_in(tmp_path / "mine") == ids
    after = files_in(tmp_path / "wreck")
    for name in (FILE, f"{FILE}-wal"):
        assert after[name] == before[name]


def test_an_existing_file_is_not_overwritten(data: Path, tmp_path: Path, capsys: Capsys) -> None:
    (tmp_path / "mine").write_text("a letter")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("mine", "link"):
        assert roundel("backup", tmp_path / name, "--data", data) == 2
        assert f"{tmp_path / name} already exists" in capsys.readouterr().err
    assert (tmp_path / "mine").read_text() == "a letter"
    assert not (tmp_path / "nowhere").exists()


def test_a_file_that_appears_meanwhile_is_not_overwritten(data: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    with pytest.raises(CannotStore, match="already exists"):
        back_up(data, target, lambda done, total: target.touch())
    assert target.read_bytes() == b""
    assert {path.name for path in tmp_path.iterdir()} == {"data", "mine"}


def test_what_prevents_a_backup_is_named(data: Path, tmp_path: Path, capsys: Capsys) -> None:
    for arguments, named in (
        ((tmp_path / "mine", "--data", tmp_path / "none"), f"{FILE} does not exist"),
        (("--data", tmp_path / "none"), f"{FILE} does not exist"),
        ((tmp_path / "no" / "mine", "--data", data), f"{tmp_path / 'no'} does not exist"),
        ((tmp_path / "mine", "--keep", "2", "--data", data), "--keep is for a folder"),
        ((data / FILE / "mine", "--data", data), "Not a directory"),
        (("--keep", "0", "--data", data), "'0'"),
    ):
        try:
            status = roundel("backup", *arguments)
        except SystemExit as stopped:  # by argparse
            status = int(str(stopped.code))
        assert status == 2
        assert named in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


def test_a_damaged_store_makes_no_backup(data: Path, capsys: Capsys) -> None:
    spoil(data / FILE)
    assert roundel("backup", "--data", data) == 2
    assert f"{data / FILE}: " in capsys.readouterr().err
    assert list((data / backup.FOLDER).iterdir()) == []


# -- Dated files ----------------------------------------------------------------


class Calendar:
    """A second later whenever it is asked."""

    def __init__(self) -> None:
        self.at = datetime(2026, 10, 31, 23, 59, 58, tzinfo=UTC)

    def now(self, zone: Any) -> datetime:
        assert zone is UTC  # or an hour would come twice in autumn
        self.at += timedelta(seconds=1)
        return self.at


def test_the_newest_dated_files_are_kept_and_no_other_file_is_removed(
    data: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    monkeypatch.setattr(backup, "datetime", Calendar())
    folder = data / backup.FOLDER
    strangers = ["mine.sqlite", "table-20200101-000000.sqlite.old", "table-2020.sqlite"]
    folder.mkdir()
    for name in strangers:
        (folder / name).touch()
    (folder / "table-20200101-000000.sqlite").mkdir()
    for _number in range(4):
        assert roundel("backup", "--data", data, "--keep", 2) == 0
    names = {path.name for path in folder.iterdir() if path.is_file()} - {*strangers}
    assert names == {"table-20261101-000001.sqlite", "table-20261101-000002.sqlite"}
    assert {path.name for path in folder.iterdir()} > {*strangers}
    assert "removed: " in capsys.readouterr().out
    for _number in range(9):
        assert roundel("backup", folder, "--data", data) == 0
    assert len([path for path in folder.glob("table-2026*")]) == 7
    assert ids_in(max(folder.glob("table-2026*"))) == ids_in(data / FILE)


def test_after_the_clock_was_set_back_the_new_file_stays(data: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(backup, "datetime", Calendar())
    (data / backup.FOLDER).mkdir()
    future = data / backup.FOLDER / "table-20991231-235959.sqlite"
    future.touch()
    assert roundel("backup", "--data", data, "--keep", 1) == 0
    (left,) = (data / backup.FOLDER).iterdir()
    assert left.name == "table-20261031-235959.sqlite"


def test_nothing_is_removed_if_the_new_one_fails(data: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(backup, "datetime", Calendar())
    assert roundel("backup", "--data", data) == 0
    before = files_in(data / backup.FOLDER)
    spoil(data / FILE)
    assert roundel("backup", "--data", data, "--keep", 1) == 2
    assert files_in(data / backup.FOLDER) == before


# -- Stopped in the middle ------------------------------------------------------


class Killed(BaseException):
    """The process has ended."""


class Fate:
    """The process is killed at one of its steps: from then on nothing is done any more."""

    def __init__(self, patch: Patch, steps: float) -> None:
        self.steps = steps
        for module, name in (
            (os, "ftruncate"),
            (os, "fsync"),
            (os, "link"),
            (os, "rename"),
            (os, "replace"),
            (Path, "unlink"),
        ):
            patch.setattr(module, name, self.mortal(getattr(module, name)))

    def mortal(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any, **named: Any) -> Any:
            self.step()
            return function(*arguments, **named)

        return called

    def step(self, *_pages: int) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise Killed


def killed_at_each_step(work: Callable[[Fate], object], look: Callable[[], object]) -> int:
    """Returns how many steps there are."""
    for steps in itertools.count():
        with pytest.MonkeyPatch.context() as patch:
            fate = Fate(patch, steps)
            try:
                work(fate)
            except Killed:
                pass
            else:
                return steps
        look()
    raise AssertionError


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interrupted_backup_leaves_nothing(
    data: Path, tmp_path: Path, monkeypatch: Patch, stop: Any
) -> None:
    def fail(*arguments: object) -> None:
        raise stop

    before = files_in(tmp_path)
    wanted = pytest.raises((KeyboardInterrupt, CannotStore))
    with wanted:
        back_up(data, tmp_path / "mine", fail)
    assert files_in(tmp_path) == before
    for module, name in ((os, "fsync"), (os, "rename"), (copying, "wrong_with")):
        with monkeypatch.context() as patch, wanted:
            patch.setattr(module, name, fail)
            back_up(data, tmp_path / "mine", ignore)
        assert files_in(tmp_path) == before


def test_sigterm_is_an_interruption(data: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    copy_pages = copying.copy_pages

    def terminated(*arguments: Any) -> None:
        copy_pages(*arguments)
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(copying, "copy_pages", terminated)
    assert roundel("backup", "--data", data) == 130
    assert "interrupted" in capsys.readouterr().err
    assert list((data / backup.FOLDER).iterdir()) == []


def test_a_killed_backup_has_no_name_and_the_next_one_removes_its_rest(
    data: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(backup, "datetime", Calendar())
    monkeypatch.setattr(copying, "STEP", 10)
    folder, ids = data / backup.FOLDER, ids_in(data / FILE)

    def work(fate: Fate) -> None:
        back_up(data, backup.dated_file(folder), fate.step)

    def look() -> None:
        for path in folder.glob("table-*"):
            assert ids_in(path) == ids
        assert len([*folder.glob(".*")]) <= 1

    assert killed_at_each_step(work, look) > 5
    assert [*folder.glob(".*")] == []


def test_what_was_left_of_a_killed_backup_gets_into_no_other(data: Path, tmp_path: Path) -> None:
    for ending in ("", "-wal", "-journal", "-shm"):
        (tmp_path / f".mine.part{ending}").write_bytes(b"rest" * 100_000)
    back_up(data, tmp_path / "mine", ignore)
    assert ids_in(tmp_path / "mine") == ids_in(data / FILE)
    assert (tmp_path / "mine").stat().st_size == (data / FILE).stat().st_size
    assert {path.name for path in tmp_path.iterdir()} == {"data", "mine"}


def test_a_backup_is_one_file_on_disk_before_it_has_its_name(
    data: Path, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(copying, "STEP", 1)
    target, done = tmp_path / "mine", list[str]()
    sync, rename = os.fsync, os.rename

    def synced(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        done.append("folder" if is_folder else "file")
        sync(descriptor)

    def renamed(old: Path, new: Path) -> None:
        done.append("rename")
        rename(old, new)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "rename", renamed)
    back_up(data, target, lambda pages, total: done.append("page"))
    assert done[-4:] == ["page", "file", "rename", "folder"]
    assert done.count("file") == done.count("page") // copying.STEPS + 1  # never much at once
    target.chmod(0o400)
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_file_of_somebody_else_is_not_written_through_a_link(data: Path, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("to my aunt")
    (tmp_path / ".mine.part").symlink_to("letter")
    with pytest.raises(CannotStore, match="mine"):
        back_up(data, tmp_path / "mine", ignore)
    assert (tmp_path / "letter").read_text() == "to my aunt"


def test_a_copy_that_has_just_got_its_name_is_not_written_again(
    data: Path, tmp_path: Path, monkeypatch: Patch
) -> None:
    """It was opened under its first name, and locked when it had its second one."""
    part, flock = tmp_path / ".mine.part", fcntl.flock

    def late(descriptor: int, operation: int) -> None:
        part.write_text("a backup")
        part.rename(tmp_path / "other")
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(CannotStore, match="somebody else"):
        back_up(data, tmp_path / "mine", ignore)
    assert (tmp_path / "other").read_text() == "a backup"


def test_two_backups_at_once_do_not_write_the_same_file(data: Path, tmp_path: Path) -> None:
    refused = []

    def another(done: int, total: int) -> None:
        with pytest.raises(CannotStore, match="somebody else"):
            back_up(data, tmp_path / "mine", ignore)
        refused.append(done)

    back_up(data, tmp_path / "mine", another)
    assert refused
    assert ids_in(tmp_path / "mine") == ids_in(data / FILE)


# -- Restore --------------------------------------------------------------------


def test_what_is_restored_replaces_what_is_kept(data: Path, tmp_path: Path, capsys: Capsys) -> None:
    old = ids_in(data / FILE)
    assert roundel("backup", tmp_path / "mine", "--data", data) == 0
    newer = sorted([*old, *played(data, 1)])
    assert ids_in(data / FILE) == newer
    for number in (1, 2):
        capsys.readouterr()
        assert roundel("restore", tmp_path / "mine", "--data", data) == 0
        kept = data / f"{FILE}.before-restore-{number}"
        out = capsys.readouterr().out
        assert out == f"restored: {data / FILE}\nwhat was there before: {kept}\n"
        assert ids_in(data / FILE) == old
        assert ids_in(kept) == (newer if number == 1 else old)
    assert stat.S_IMODE((data / FILE).stat().st_mode) == 0o600
    with House(data).opened() as client:
        for id in old:
            assert client.get(f"/api/matches/{id}").status_code == 200
        assert client.get(f"/api/matches/{(set(newer) - {*old}).pop()}").status_code == 404


def test_a_log_of_the_old_store_goes_with_it(data: Path, tmp_path: Path) -> None:
    """SQLite would take it for a log of the new one."""
    ids = crashed(tmp_path / "other", tmp_path / "wreck")
    assert restore(tmp_path / "wreck", data / FILE, ignore)
    assert ids_in(tmp_path / "wreck" / FILE) == ids_in(data / FILE)
    assert ids_in(tmp_path / "wreck" / f"{FILE}.before-restore-1") == ids
    assert not (tmp_path / "wreck" / f"{FILE}-wal").exists()


def test_a_store_of_junk_is_kept_with_its_log(data: Path, tmp_path: Path) -> None:
    wreck = tmp_path / "wreck"
    crashed(tmp_path / "other", wreck)
    (wreck / FILE).write_bytes(b"junk" * 1024)
    log = b"not even a log" * 1000  # or SQLite would take all pages from there
    (wreck / f"{FILE}-wal").write_bytes(log)
    kept = restore(wreck, data / FILE, ignore)
    assert kept
    assert kept.read_bytes() == b"junk" * 1024
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == log
    assert ids_in(wreck / FILE) == ids_in(data / FILE)


def test_a_change_that_was_never_committed_does_not_get_into_the_new_store(
    data: Path, tmp_path: Path
) -> None:
    """What a crash left beside a file that has no write-ahead log."""
    wreck, before = tmp_path / "wreck", ids_in(data / FILE)
    wreck.mkdir()
    shutil.copy(data / FILE, wreck / "open")
    with closing(sqlite3.connect(wreck / "open")) as writer:
        writer.execute("PRAGMA journal_mode = DELETE")
        writer.execute("PRAGMA cache_size = 1")
        writer.execute("DELETE FROM events")
        writer.execute("DELETE FROM matches")
        shutil.copy(wreck / "open", wreck / FILE)
        shutil.copy(wreck / "open-journal", wreck / f"{FILE}-journal")
    kept = restore(wreck, data / FILE, ignore)
    assert kept
    assert ids_in(kept) == ids_in(wreck / FILE) == before
    assert not (wreck / f"{FILE}-journal").exists()


def test_a_log_without_a_store_is_put_aside(data: Path, tmp_path: Path) -> None:
    wreck = tmp_path / "wreck"
    crashed(tmp_path / "other", wreck)
    (wreck / FILE).unlink()
    assert restore(wreck, data / FILE, ignore)
    assert ids_in(wreck / FILE) == ids_in(data / FILE)


def test_a_folder_without_a_store_gets_one(data: Path, tmp_path: Path, capsys: Capsys) -> None:
    assert roundel("restore", data / FILE, "--data", tmp_path / "new") == 0
    assert "before" not in capsys.readouterr().out
    assert ids_in(tmp_path / "new" / FILE) == ids_in(data / FILE)
    with House(tmp_path / "new").opened() as client:
        assert client.get("/health").json()["status"] == "ok"


def broken_files(folder: Path, sound: Path) -> dict[Path, str]:
    """Files that cannot be restored, and what the reason says."""
    later, foreign, lacking, damaged = (
        folder / n for n in ("later", "foreign", "lacking", "damaged")
    )
    for path in (later, lacking, damaged):
        shutil.copy(sound, path)
    edit(later, "UPDATE alembic_version SET version_num = 'later'")
    edit(foreign, "CREATE TABLE letters (text)")
    edit(lacking, "DROP TABLE invitations")
    spoil(damaged)
    (folder / "text").write_text("a letter to my aunt, long enough to be a page" * 100)
    (folder / "empty").touch()
    return {
        folder / "none": "No such file",
        folder: "is not a file",
        folder / "text": "not a database",
        folder / "empty": "not a store of Roundel",
        foreign: "not a store of Roundel",
        later: "later version of Roundel (later)",
        lacking: "'invitations' is missing",
        damaged: "damaged",
    }


def test_a_file_that_is_no_sound_store_changes_nothing(
    data: Path, tmp_path: Path, capsys: Capsys
) -> None:
    (tmp_path / "files").mkdir()
    before = files_in(data)
    for file, reason in broken_files(tmp_path / "files", data / FILE).items():
        assert roundel("restore", file, "--data", data) == 2
        said = capsys.readouterr().err
        assert str(file) in said
        assert reason in said
        assert files_in(data) == before
    assert roundel("restore", data / FILE, "--data", data) == 2
    assert "the store itself" in capsys.readouterr().err


def test_a_folder_in_use_is_not_touched(data: Path, tmp_path: Path, capsys: Capsys) -> None:
    shutil.copy(data / FILE, tmp_path / "mine")
    with claim_folder(data):
        before = files_in(data)
        assert roundel("restore", tmp_path / "mine", "--data", data) == 2
        assert "in use" in capsys.readouterr().err
        assert files_in(data) == before


def test_a_store_that_is_open_elsewhere_is_not_replaced(data: Path, tmp_path: Path) -> None:
    """By a program that knows nothing of our lock."""
    shutil.copy(data / FILE, tmp_path / "mine")
    with closing(sqlite3.connect(data / FILE)) as reader:
        reader.execute("SELECT * FROM matches").fetchall()
        with pytest.raises(CannotStore, match="open elsewhere"):
            restore(data, tmp_path / "mine", ignore)
    assert not (data / NEW).exists()
    assert not (data / f"{FILE}.before-restore-1").exists()
    assert restore(data, tmp_path / "mine", ignore)


@pytest.mark.parametrize("is_crashed", [False, True])
def test_a_killed_restore_loses_nothing(tmp_path: Path, is_crashed: bool) -> None:
    data, source = tmp_path / "data", tmp_path / "source" / FILE
    new = sorted(played(tmp_path / "source"))
    old = crashed(tmp_path / "other", data) if is_crashed else sorted(played(data))

    def look() -> None:
        now = ids_in(data / FILE)
        assert now in (old, new)
        stores = [data / FILE, *data.glob(f"{FILE}.before-restore-*[0-9]")]
        assert any(ids_in(store) == old for store in stores)

    assert killed_at_each_step(lambda fate: restore(data, source, fate.step), look) > 5
    assert ids_in(data / FILE) == new
    assert not (data / NEW).exists()
