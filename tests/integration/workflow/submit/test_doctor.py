"""The doctor finds what is broken: pages of the database, a full disk, wrong rights."""

import asyncio
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from comparator.bootstrap import open_services
from comparator.settings import Settings
from comparator.workflow.doctor import check_up
from tests.worlds.workbench import Workbench


class Home(NamedTuple):
    settings: Settings
    blobs: Path


@pytest.fixture
def home(tmp_path: Path) -> Home:
    settings = Settings(home=tmp_path / "home", judge="offline", chromium="off")
    services = open_services(settings)
    workbench = Workbench(services.database, services.blobs, tmp_path / "work")
    workbench.submitted()
    services.close()
    return Home(settings, settings.home / "blobs")


def found(settings: Settings) -> dict[str, str]:
    """What is not well, by the part's name."""
    return {
        each.name: each.text
        for each in asyncio.run(check_up(settings, environment=os.environ))
        if not each.ok
    }


def test_a_sound_home_is_well(home: Home) -> None:
    assert found(home.settings) == {}


def test_overwritten_pages_of_the_database_are_found(home: Home) -> None:
    database = home.settings.home / "comparator.db"
    data = bytearray(database.read_bytes())
    size = 4096
    for page in range(20, len(data) // size, 7):
        data[page * size : (page + 1) * size] = b"\xff" * size
    database.write_bytes(data)
    assert "damaged" in found(home.settings)["database"]


def test_one_page_that_nothing_else_reads_is_found_as_well(home: Home) -> None:
    path = home.settings.home / "comparator.db"
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'comparison'"
        page = database.execute(query).fetchone()[0]
        size = database.execute("PRAGMA page_size").fetchone()[0]
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(data)

    assert "damaged" in found(home.settings)["database"]


def test_a_full_disk_is_found(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(home.settings.home)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=3 << 20))
    assert "3 MB are left" in found(home.settings)["space"]


@pytest.mark.parametrize("place", ["/proc/comparator", "file/home"])
def test_a_home_that_cannot_be_written_is_never_well(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings = Settings(home=tmp_path / place, judge="offline", chromium="off")
    assert {"home", "database", "blobs"} <= found(settings).keys()
