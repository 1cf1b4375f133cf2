"""What is kept for one person beside the database: small files in the home folder."""

from __future__ import annotations

import shutil
from pathlib import Path


def places_file(home: Path, person_id: str) -> Path:
    """The file with the places that the person gave last."""
    return home / "places" / f"{person_id}.json"


def drafts_folder(home: Path, person_id: str) -> Path:
    """The folder with what the person is entering on the page New."""
    return home / "drafts" / person_id


def delete_own_files(home: Path, person_id: str) -> None:
    """Delete both. Raises OSError where that fails."""
    places_file(home, person_id).unlink(missing_ok=True)
    drafts = drafts_folder(home, person_id)
    if drafts.is_dir():
        shutil.rmtree(drafts)
