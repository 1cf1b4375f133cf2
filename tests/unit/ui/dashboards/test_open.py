"""What is said before a reveal."""

from __future__ import annotations

import re

from comparator.reporting.results.candidates import Meeting
from comparator.ui.dashboards.open import _will_tell


def meeting(*, pairs: int, reviewed: int, unrevealed: int) -> Meeting:
    return Meeting(
        one="1",
        two="2",
        one_name="v31",
        two_name="v32",
        pairs=pairs,
        judged=pairs,
        reviewed=reviewed,
        unrevealed=unrevealed,
        open_reviews=0,
    )


def test_sentences_about_a_reveal_are_a_blank_apart() -> None:
    met = meeting(pairs=3, reviewed=1, unrevealed=3)

    some, none, every = (_will_tell((met,), unread=unread) for unread in (2, 3, 0))

    assert "V31 and v32. 2 of them without a review. They can no longer be reviewed blind. Reviews" in some
    assert "Nobody has reviewed any of them" in none
    assert "reviewed blind" not in every
    for told in (some, none, every):
        assert not re.search(r"\.[A-Z0-9]|  ", told), told


def test_only_what_is_not_revealed_yet_is_counted_among_what_will_be_told() -> None:
    met = meeting(pairs=30, reviewed=20, unrevealed=5)

    assert "who made which output of 5 pairs: V31 and v32. 3 of them without" in _will_tell((met,), unread=3)
