"""What a process keeps of each project: one answer at one revision, and no more than fits."""

from __future__ import annotations

import pytest

from comparator.store.core import revisions
from comparator.store.core.revisions import Answers


def test_an_answer_is_kept_until_the_revision_changes() -> None:
    kept = Answers()
    kept.keep("a", 1, "first", size=1)

    assert kept.get("a", 1) == "first"
    assert kept.get("a", 2) is None
    assert kept.get("b", 1) is None


def test_of_too_much_what_was_used_longest_ago_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revisions, "MOST_BYTES", 10)
    kept = Answers()
    kept.keep("a", 1, "a", size=4)
    kept.keep("b", 1, "b", size=4)
    kept.get("a", 1)
    kept.keep("c", 1, "c", size=4)

    assert [kept.get(name, 1) for name in "abc"] == ["a", None, "c"]

    kept.keep("d", 1, "d", size=40)
    assert [kept.get(name, 1) for name in "abcd"] == [None, None, None, "d"]
