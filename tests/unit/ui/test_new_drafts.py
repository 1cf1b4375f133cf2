"""Drafts of the page New: each person's own, and gone after a month."""

from __future__ import annotations

import os
from pathlib import Path

from comparator.ui.new.draft import Draft, DraftFolder

MONTH = 31 * 24 * 3600


def test_a_draft_is_its_persons_own(tmp_path: Path) -> None:
    DraftFolder(tmp_path, person_id="ada").save(Draft(id="harvest-1", prompt="Weigh it."))

    kept = DraftFolder(tmp_path, person_id="ada").load("harvest-1")

    assert kept is not None
    assert kept.prompt == "Weigh it."
    assert DraftFolder(tmp_path, person_id="ben").load("harvest-1") is None


def test_whoever_starts_over_removes_what_nobody_has_touched_for_a_month(tmp_path: Path) -> None:
    ada, ben = (DraftFolder(tmp_path, person_id=each) for each in ("ada", "ben"))
    for drafts, name in ((ada, "mine-now"), (ben, "long-ago"), (ben, "not-long-ago")):
        drafts.save(Draft(id=name, prompt="Weigh it."))
    before_folders = tmp_path / "drafts" / "from-before.json"
    before_folders.write_text("{}", encoding="utf-8")
    (old,) = tmp_path.rglob("long-ago.json")
    for each in (old, before_folders):
        os.utime(each, (each.stat().st_mtime - MONTH,) * 2)

    ada.remove("mine-now")

    assert [path.name for path in tmp_path.rglob("*.json")] == ["not-long-ago.json"]
