"""Groups of short texts by the words that they share."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from comparator.domain.labels import Frozen

WORDS_SHOWN = 3
LEAST = 2
"""A word in fewer texts than this groups nothing."""
MOST_WORDS = 2_000
_WORD = re.compile(r"[^\W\d_]{3,}")
_COMMON = frozenset(
    word
    for line in (
        "about all also and are been both but can does each every for from has have how into its more most not of",
        "one only other output outputs over same so some such than that the their them then there these they this",
        "those to too was were what when where which while who with without would",
    )
    for word in line.split()
)


class Group(Frozen):
    """Texts that share words: the words that weigh most, and the places of the texts."""

    words: tuple[str, ...]
    members: tuple[int, ...]
    middle: int
    """The place of the text that is most like all of them."""


def group(texts: Sequence[str], *, groups: int) -> tuple[Group, ...]:
    """At most so many groups, the largest first; a text without a shared word is in none.

    Ward's clustering (1963, Journal of the American Statistical Association 58) of term frequency times smoothed
    inverse document frequency, each text of length one: the same texts give the same groups.
    """
    counted = [Counter(words_of(text)) for text in texts]
    known = Counter(word for counts in counted for word in counts)
    vocabulary = sorted(
        (word for word, number in known.items() if number >= LEAST), key=lambda word: (-known[word], word)
    )[:MOST_WORDS]
    there = [place for place, words in enumerate(counted) if not words.keys().isdisjoint(vocabulary)]
    if not there:
        return ()
    import numpy as np
    from scipy.cluster.hierarchy import fcluster, linkage

    rarity = np.array([log((1 + len(counted)) / (1 + known[word])) + 1 for word in vocabulary])
    weights = np.array([[counted[place][word] for word in vocabulary] for place in there]) * rarity
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    numbers = [1] if len(there) == 1 else fcluster(linkage(weights, "ward"), groups, "maxclust")
    by_number: dict[int, list[int]] = {}
    for row, number in enumerate(numbers):
        by_number.setdefault(int(number), []).append(row)
    return tuple(
        sorted(
            (
                Group(
                    words=tuple(
                        vocabulary[at] for at in (-weights[rows].sum(0)).argsort(kind="stable")[:WORDS_SHOWN]
                    ),
                    members=tuple(there[row] for row in rows),
                    middle=there[rows[int((weights[rows] @ weights[rows].sum(0)).argmax())]],
                )
                for rows in by_number.values()
            ),
            key=lambda cluster: (-len(cluster.members), cluster.words),
        )
    )


def words_of(text: str) -> list[str]:
    """The words of a text that may tell what it is about, in small letters."""
    return [word for word in _WORD.findall(text.lower()) if word not in _COMMON]
