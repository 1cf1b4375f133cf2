"""What is said before a reveal."""

from __future__ import annotations

import re

from comparator.reporting.results.candidates import Meeting
from comparator.ui.dashboards.open import _will_tell


def test_sentences_about_a_reveal_are_a_blank_apart() -> None:
    met = Meeting(
        one="1",
        two="2",
        one_name="v31",
        two_name="v32",
        pairs=3,
        judged=3,
        reviewed=1,
        unrevealed=3,
        open_reviews=0,
    )

    some, none, every = (_will_tell((met.model_copy(update={"reviewed": n}),)) for n in (1, 0, 3))

    assert "V31 and v32. 2 of them without a review. They can no longer be reviewed blind. Reviews" in some
    for told in (some, none, every):
        assert not re.search(r"\.[A-Z0-9]|  ", told), told
