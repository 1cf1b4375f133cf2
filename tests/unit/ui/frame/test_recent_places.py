"""The places given last are kept for each person, in a file that may be gone or broken."""

from __future__ import annotations

from pathlib import Path

from comparator.ui.frame.inputs.folders import RECENT, RecentPlaces


def test_the_last_six_places_are_kept_newest_first(tmp_path: Path) -> None:
    for number in range(RECENT + 2):
        RecentPlaces(tmp_path, person_id="ada").put_first(f"/runs/{number}")
    RecentPlaces(tmp_path, person_id="ada").put_first("/runs/4")

    kept = RecentPlaces(tmp_path, person_id="ada").listed()
    assert kept == ("/runs/4", "/runs/7", "/runs/6", "/runs/5", "/runs/3", "/runs/2")


def test_nobody_is_offered_the_places_of_another_person(tmp_path: Path) -> None:
    RecentPlaces(tmp_path, person_id="ada").put_first("/runs/1")

    assert RecentPlaces(tmp_path, person_id="ben").listed() == ()


def test_a_broken_file_is_an_empty_list_and_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / "places").mkdir()
    (tmp_path / "places/ada.json").write_bytes(b'{"half": ')
    places = RecentPlaces(tmp_path, person_id="ada")

    assert places.listed() == ()
    places.put_first("/runs/1")
    assert places.listed() == ("/runs/1",)


def test_only_the_owner_may_read_the_list_and_nothing_half_written_is_left(tmp_path: Path) -> None:
    RecentPlaces(tmp_path, person_id="ada").put_first("/runs/1")

    (file,) = (tmp_path / "places").iterdir()
    assert file.stat().st_mode & 0o077 == 0
