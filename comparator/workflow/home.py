"""The home folder, kept for its owner alone: keys, labels and reviews lie there in the clear."""

from __future__ import annotations

import stat
from pathlib import Path

from comparator.domain.errors import SettingsError
from comparator.settings import Settings

FOLDER, FILE = 0o700, 0o600
_SQLITE = "sqlite:///"
_OTHERS = 0o077


def make_home(home: Path) -> None:
    """Create the folder, for its owner alone. Raises SettingsError where that is not possible."""
    try:
        home.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"The home folder {home} cannot be created ({error.strerror}). Set COMPARATOR_HOME."
        ) from error


def close_home(settings: Settings) -> tuple[str, ...]:
    """Take the rights of everybody else away from the home folder and the database; what could not be closed, as
    sentences."""
    sentences = (_closed(settings.home, FOLDER), *(_closed(path, FILE) for path in database_files(settings)))
    return tuple(sentence for sentence in sentences if sentence)


def open_to_others(settings: Settings) -> tuple[Path, ...]:
    """The home folder and database files that others may read or write."""
    return tuple(
        path
        for path in (settings.home, *database_files(settings))
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & _OTHERS
    )


def database_files(settings: Settings) -> tuple[Path, ...]:
    """The files of a SQLite database, with the copies that upgrades have kept; none for another database."""
    if not settings.database.startswith(_SQLITE):
        return ()
    path = Path(settings.database.removeprefix(_SQLITE).partition("?")[0])
    try:
        copies = [
            each for each in path.parent.iterdir() if each.name.startswith((f"{path.name}.", f"{path.name}-"))
        ]
    except OSError:
        copies = []
    return tuple(each for each in (path, *sorted(copies)) if each.is_file())


def _closed(path: Path, mode: int) -> str | None:
    """Close it; a sentence where that did not work."""
    try:
        found = path.stat()
        if not stat.S_IMODE(found.st_mode) & _OTHERS:
            return None
        # A folder such as /tmp belongs to everybody, and whoever is root could close it to them.
        shared = found.st_mode & stat.S_ISVTX or path.parent == path
        if not shared:
            path.chmod(stat.S_IMODE(found.st_mode) & mode)
        if not stat.S_IMODE(path.stat().st_mode) & _OTHERS:
            return None
    except OSError:
        pass
    return (
        f"Other accounts of this machine may read {path}: its rights could not be changed to {mode:o}. It holds which "
        "candidate is which, labels and reviews; move it to a folder of your own (COMPARATOR_HOME)."
    )
