"""Reads the environment, and builds the services of a process by it. No other module reads the environment."""

import logging
import os
from collections.abc import Mapping
from pathlib import Path

from comparator.judges.prices import set_prices
from comparator.outputs.pictures.camera import Album
from comparator.outputs.pictures.finder import BROWSERS
from comparator.outputs.pictures.office.printer import Printer
from comparator.settings import JUDGE_KEYS, Settings, ignored_in, take_judge_keys
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.workflow.doctor import close_home, make_home
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

ENVIRONMENT: Mapping[str, str] = os.environ
"""The environment of this process; keys of model providers stand there alone."""


def load_settings() -> Settings:
    """The settings of this process: its environment, then its home's `.env`. Raises SettingsError in one line."""
    settings = Settings.load(os.environ)
    set_prices(settings.prices)
    return settings


def take_keys_here() -> None:
    """Read the judge's keys from the `.env` of the folder in which the program was started."""
    take_judge_keys(Path.cwd(), os.environ)


def ignored_file(settings: Settings, *, with_keys: bool = True) -> str:
    """That the folder in which the program was started has a `.env` that is not read; empty where it has none.

    Without `with_keys` the judge's keys are left out, as they are read.
    """
    here = Path.cwd()
    names = () if here == settings.home.absolute() else ignored_in(here)
    names = tuple(name for name in names if with_keys or name not in JUDGE_KEYS)
    if not names:
        return ""
    return (
        f"Not read: {here / '.env'} ({', '.join(names[:4])}{' …' if len(names) > 4 else ''}). Settings and keys come "
        f"from the environment and from {settings.home / '.env'}."
    )


def open_services(settings: Settings) -> Services:
    """The services of one process. A new SQLite file is set up at once; an older schema is a StoreError that says
    how to bring it up to date. Home folder and database are for their owner alone, also those that were there before;
    what cannot be closed is told in the log."""
    make_home(settings.home)
    database = Database.open(settings.database)
    for problem in close_home(settings):
        log.warning(problem)
    database.check()
    return Services(
        settings=settings,
        environment=ENVIRONMENT,
        database=database,
        blobs=BlobStore.at(settings.blobs),
        printer=Printer(settings.home / "cache" / "office", soffice=settings.soffice),
        album=Album(
            settings.home / "cache" / "pictures",
            chromium=settings.chromium,
            browsers=ENVIRONMENT.get(BROWSERS, ""),
        ),
    )
