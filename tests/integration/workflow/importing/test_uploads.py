"""A workspace that was handed in from a browser: the same as its path, within limits, and with no place but its own."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from comparator.domain.errors import LimitExceeded
from comparator.outputs.limits import Limits
from comparator.outputs.snapshot import Upload
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import dry_run
from comparator.workflow.services import Services
from comparator.workflow.submit.uploads import is_there_still, place_of_folder
from tests.worlds.files.import_files import workspace


@pytest.fixture
def services(database: Database, blobs: BlobStore, tmp_path: Path) -> Services:
    return Services(
        settings=Settings(home=tmp_path / "home", upload_server_mb=2), database=database, blobs=blobs
    )


def as_uploaded(root: Path) -> list[Upload]:
    """A folder's files as a browser names them."""
    return [
        Upload(path.relative_to(root.parent).as_posix(), path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file()
    ]


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def later(services: Services, minutes: int) -> Services:
    return replace(services, now=lambda: services.now() + timedelta(minutes=minutes))


def test_an_uploaded_folder_is_the_same_import_as_its_path(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)

    place = place_of_folder(services, as_uploaded(root))

    assert place.refused == ()
    assert place.path.name == root.name
    assert tree(place.path) == tree(root)
    by_path, by_upload = (
        dry_run(services, ImportRequest(path=path), on_step=lambda _: None) for path in (root, place.path)
    )
    uploaded = by_upload.model_dump_json().replace(str(place.path), "")
    assert uploaded == by_path.model_dump_json().replace(str(root), "")
    assert by_path.new == 4


def test_of_an_uploaded_folder_nothing_lands_outside_of_its_place(services: Services, tmp_path: Path) -> None:
    hostile = [r"../evil.md", r"/evil.md", r"ws/../../evil.md", r"ws\..\..\evil.md", r"C:/evil.md"]
    files = [
        Upload(name, b"x")
        for name in (*hostile, "ws/\0evil.md", "ws/good.md", f"ws/{'n' * 300}.md", "ws/good.md/below.md")
    ]

    place = place_of_folder(services, files)

    assert place.path.name == "ws"
    assert tree(place.path) == {"good.md": b"x"}
    assert len(place.refused) == len(files) - 1
    assert all(refusal.reason for refusal in place.refused)
    assert not list(tmp_path.rglob("*evil*"))
    assert {path.name for path in place.path.parents[1].iterdir()} == {place.path.parent.name}


@pytest.mark.parametrize(
    "limits", [Limits(files=2), Limits(bytes_in_all=10)], ids=["too many files", "too many bytes"]
)
def test_an_uploaded_folder_over_a_limit_is_refused_whole(services: Services, limits: Limits) -> None:
    files = [Upload(f"ws/{number}.md", b"12345") for number in range(3)]

    with pytest.raises(LimitExceeded):
        place_of_folder(replace(services, limits=limits), files)

    assert not (services.settings.home / "cache").exists()


def test_uploads_that_nobody_looked_at_for_a_day_are_removed(services: Services) -> None:
    first, second = ([Upload(f"{name}/a.bin", name.encode())] for name in "ab")
    day = 24 * 60
    place = place_of_folder(services, first).path

    assert is_there_still(later(services, day - 1), place)
    other = place_of_folder(later(services, day + 1), second).path
    assert place.exists()
    place_of_folder(later(services, 2 * day), second)

    assert [path.exists() for path in (place, other)] == [False, True]
    assert not is_there_still(services, place)


def test_a_file_that_was_dropped_alone_is_taken_as_one(services: Services) -> None:
    table = Upload("pairs.csv", b"prompt,output_a,output_b\nx,y,z\n")

    assert place_of_folder(services, [table]).path.read_bytes() == table.data
