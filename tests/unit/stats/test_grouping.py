"""Grouping by words: it finds subjects, and does not find reasons, so it is not called themes."""

from __future__ import annotations

import pytest
from sklearn.metrics import adjusted_rand_score

from comparator.stats.grouping import group
from tests.worlds.files.paraphrases import EVALUATIVE, TOPICAL, flat

NEEDED = 0.6
"""The adjusted Rand index from which on groups are those of the subjects."""


def found(texts: list[str], groups: int) -> list[int]:
    labels = [-1 - place for place in range(len(texts))]
    for number, each in enumerate(group(texts, groups=groups)):
        for member in each.members:
            labels[member] = number
    return labels


def test_the_reasons_behind_other_words_are_not_found() -> None:
    texts, reasons = flat(EVALUATIVE)
    assert len(texts) == 50

    assert adjusted_rand_score(reasons, found(texts, len(EVALUATIVE))) < 0.2


def test_texts_about_the_same_thing_are_put_together() -> None:
    texts, subjects = flat(TOPICAL)

    assert adjusted_rand_score(subjects, found(texts, len(TOPICAL))) >= NEEDED


def test_the_same_texts_give_the_same_groups() -> None:
    texts, _ = flat(TOPICAL)

    assert group(texts, groups=4) == group(texts, groups=4)


@pytest.mark.parametrize("texts", [[], ["one"], ["", ""], ["no word twice", "nothing alike"]])
def test_texts_that_share_no_word_are_in_no_group(texts: list[str]) -> None:
    assert group(texts, groups=3) == ()
