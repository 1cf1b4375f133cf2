"""The home folder, which is for its owner alone, and checks of the set-up: database, blobs, judge."""

import contextlib
import os
import secrets
import stat
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from comparator.domain.errors import ComparatorError, NotFound, SettingsError, StoreError
from comparator.domain.labels import Frozen
from comparator.outputs.pictures.finder import (
    BROWSERS,
    OFF,
    PACKAGES,
    WANTED_FONTS,
    find_chromium,
    find_soffice,
    missing_fonts,
    version_of,
)
from comparator.settings import JudgeKind, Settings, without_secrets
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database, damage, try_writing
from comparator.workflow.services import Services

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
    sentences = (_close(settings.home, FOLDER), *(_close(path, FILE) for path in database_files(settings)))
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
            file for file in path.parent.iterdir() if file.name.startswith((f"{path.name}.", f"{path.name}-"))
        ]
    except OSError:
        copies = []
    return tuple(file for file in (path, *sorted(copies)) if file.is_file())


def _close(path: Path, mode: int) -> str | None:
    """Close it; a sentence where that did not work."""
    try:
        status = path.stat()
        if not stat.S_IMODE(status.st_mode) & _OTHERS:
            return None
        # A folder such as /tmp belongs to everybody, and whoever is root could close it to them.
        shared = status.st_mode & stat.S_ISVTX or path.parent == path
        if not shared:
            path.chmod(stat.S_IMODE(status.st_mode) & mode)
        if not stat.S_IMODE(path.stat().st_mode) & _OTHERS:
            return None
    except OSError:
        pass
    return (
        f"Other accounts of this machine may read {path}: its rights could not be changed to {mode:o}. It holds which "
        "candidate is which, labels and reviews; move it to a folder of your own (COMPARATOR_HOME)."
    )


_MB = 1 << 20


class DoctorFinding(Frozen):
    """One checked part."""

    name: str
    ok: bool
    text: str


async def check_up(
    settings: Settings, *, environment: Mapping[str, str], kind: JudgeKind | None = None
) -> tuple[DoctorFinding, ...]:
    """All parts, each tried for real: files and a row are written and removed, all pages of the database are read,
    the judge is asked."""

    async def home() -> str:
        make_home(settings.home)
        _try_writing(settings.home)
        if seen := open_to_others(settings):
            raise SettingsError(
                f"other accounts of this machine may read {', '.join(map(str, seen))}; start the app once, or close "
                "them with chmod go="
            )
        return f"{settings.home} can be written, and only its owner can read it"

    async def database() -> str:
        with contextlib.closing(Database.open(settings.database)) as opened:
            opened.check()
            if problems := damage(opened):
                raise StoreError(
                    f"{without_secrets(settings.database)} is damaged: {'; '.join(problems)}. Stop the app and restore "
                    "a backup."
                )
            try_writing(opened)
        return f"{without_secrets(settings.database)} is sound, can be written and has the right tables"

    async def blobs() -> str:
        store = BlobStore.at(settings.blobs)
        digest = store.put(f"comparator doctor {secrets.token_hex(16)}".encode())
        store.get(digest)
        with contextlib.suppress(NotFound):
            store.delete(digest)
        return f"{without_secrets(settings.blobs)} can be written"

    async def judge() -> str:
        store = BlobStore.at(settings.blobs)
        with contextlib.closing(Database.open(settings.database)) as opened:
            services = Services(settings=settings, environment=environment, database=opened, blobs=store)
            chosen = services.judge(kind)
            identity = chosen.identity
            try:
                line = f"{identity.kind} ({identity.model}): {await chosen.check()}"
            finally:
                await chosen.close()
        if identity.kind == "offline" and (kind or settings.judge) == "auto":
            line += " No key is set: with ANTHROPIC_API_KEY a model judges."
        return line

    async def pictures() -> str:
        chromium = find_chromium(settings.chromium, environment.get(BROWSERS, ""))
        if chromium is None:
            why = "it is switched off" if settings.chromium == OFF else "there is no Chromium"
            return f"web pages are judged by their source only: {why} (COMPARATOR_CHROMIUM)"
        return f"pictures of web pages are taken with {chromium}{_fonts_in_words(missing_fonts())}"

    async def office() -> str:
        soffice = find_soffice(settings.soffice)
        if soffice is None:
            why = "it is switched off" if settings.soffice == OFF else "there is no LibreOffice"
            return (
                f"Office files are shown and judged as text, without layout, charts and fonts: {why} "
                f"(COMPARATOR_SOFFICE). On Debian: apt-get install --no-install-recommends {' '.join(PACKAGES)}"
            )
        lacking = _fonts_in_words(missing_fonts())
        return f"Office files are printed with {version_of(soffice)} at {soffice}{lacking}"

    parts = (home, database, blobs, judge, pictures, office)
    return tuple([await _try(part.__name__, part) for part in parts])


def _fonts_in_words(fonts: Sequence[str]) -> str:
    packages = " ".join(WANTED_FONTS[name] for name in fonts)
    return f"; fonts that are missing: {', '.join(fonts)} (on Debian: {packages})" if fonts else ""


def _try_writing(folder: Path) -> None:
    """Write a file of a megabyte and remove it. Raises SettingsError where that fails."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".doctor-") as file:
            file.write(secrets.token_bytes(_MB))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise SettingsError(
            f"{folder} cannot be written ({error.strerror}). Check its rights and the space on its disk."
        ) from error


async def _try(name: str, part: Callable[[], Awaitable[str]]) -> DoctorFinding:
    try:
        return DoctorFinding(name=name, ok=True, text=await part())
    except ComparatorError as error:
        return DoctorFinding(name=name, ok=False, text=str(error))
    except OSError as error:
        return DoctorFinding(
            name=name, ok=False, text=f"{error.strerror or error} ({error.filename or 'no file'})"
        )
