"""A backup tells files that were lost from files that were purged, and an older archive may hold them."""

import json
from pathlib import Path

import pytest

from tests.worlds.process import command
from tests.worlds.workbench import GOOD, POOR


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a home that holds two pairs, and an archive of them."""
    rows = [{"prompt": f"Write {n}.", "output_a": f"{GOOD}{n}", "output_b": f"{POOR}{n}"} for n in range(2)]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert command(tmp_path, "import", "rows.jsonl", "--project", "Harvest")[0] == 0
    assert command(tmp_path, "db", "backup", "old.tar")[0] == 0
    return tmp_path


def blob_with(folder: Path, text: str) -> Path:
    (blob,) = (
        p for p in (folder / "home" / "blobs").rglob("*") if p.is_file() and text.encode() == p.read_bytes()
    )
    return blob


@pytest.mark.parametrize("how", ["removed", "folder removed", "unreadable place"])
def test_a_lost_file_is_named_the_backup_fails_and_an_older_archive_brings_it_back(
    place: Path, how: str
) -> None:
    blob = blob_with(place, f"{GOOD}1")
    blob.unlink()
    if how == "folder removed" and not any(blob.parent.iterdir()):
        blob.parent.rmdir()
    elif how == "unreadable place":
        blob.symlink_to(place / "nowhere")

    code, said = command(place, "db", "backup", "new.tar")

    assert code == 2
    assert "Lost" in said
    assert "in the project Harvest" in said
    code, said = command(place, "db", "restore", "new.tar", home="one")
    assert code == 2
    assert "in the project Harvest" in said
    assert command(place, "db", "restore", "old.tar", home="two")[0] == 0
    new = place / "new.tar"
    new.write_bytes(new.read_bytes()[: new.stat().st_size // 2])
    assert command(place, "db", "restore", "new.tar", home="three")[0] == 2


def test_purged_files_are_not_lost(place: Path) -> None:
    code, said = command(place, "purge", "project", "Harvest", "--reason", "done", "--yes")
    assert code == 0, said

    code, said = command(place, "db", "backup", "new.tar")

    assert (code, "Lost" in said) == (0, False)
    assert command(place, "db", "restore", "new.tar", home="one")[0] == 0
