"""The places given last are kept for each person, in a file that may be gone or broken."""

from __future__ import annotations

from pathlib import Path

from comparator.ui.frame.inputs.folders import RecentPlaces


def test_nobody_is_offered_the_places_of_another_person(tmp_path: Path) -> None:
    RecentPlaces(tmp_path, person_id="ada").put_first("/runs/1")

    assert RecentPlaces(tmp_path, person_id="ben").listed() == ()


def test_only_the_owner_may_read_the_list_and_nothing_half_written_is_left(tmp_path: Path) -> None:
    RecentPlaces(tmp_path, person_id="ada").put_first("/runs/1")

    (file,) = (tmp_path / "places").iterdir()
    assert file.stat().st_mode & 0o077 == 0
