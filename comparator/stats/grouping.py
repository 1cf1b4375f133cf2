"""Groups of short texts by the words that they share: non-negative factors of their word weights."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING

from comparator.domain.labels import Frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

STEPS = 200
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


def group(texts: Sequence[str], *, groups: int) -> tuple[Group, ...]:
    """At most so many groups, the largest first; a text without a shared word is in none.

    Lee and Seung (2001) with the structured start NNDSVDa of Boutsidis and Gallopoulos (2008), Pattern Recognition 41:
    the same texts give the same groups. Weights are term frequency times smoothed inverse document frequency, each
    text of length one.
    """
    counted = [Counter(words_of(text)) for text in texts]
    known = Counter(word for each in counted for word in each)
    vocabulary = sorted(
        (word for word, number in known.items() if number >= LEAST), key=lambda word: (-known[word], word)
    )[:MOST_WORDS]
    if not vocabulary:
        return ()
    weights = _weights(counted, vocabulary, known)
    # Not more groups than the texts have directions.
    groups = max(1, min(groups, len(vocabulary), len(texts)))
    left, right = _factors(weights, groups)
    found: dict[int, list[int]] = {}
    for place, row in enumerate(left):
        if row.max() > 0 and weights[place].any():
            found.setdefault(int(row.argmax()), []).append(place)
    return tuple(
        sorted(
            (
                Group(
                    words=tuple(
                        vocabulary[at] for at in (-right[number]).argsort(kind="stable")[:WORDS_SHOWN]
                    ),
                    members=tuple(members),
                )
                for number, members in found.items()
            ),
            key=lambda each: (-len(each.members), each.words),
        )
    )


def words_of(text: str) -> list[str]:
    """The words of a text that may tell what it is about, in small letters."""
    return [word for word in _WORD.findall(text.lower()) if word not in _COMMON]


def _weights(counted: Sequence[Counter[str]], vocabulary: Sequence[str], known: Counter[str]) -> Matrix:
    import numpy as np

    places = {word: at for at, word in enumerate(vocabulary)}
    found = np.zeros((len(counted), len(vocabulary)))
    for row, words in enumerate(counted):
        for word, number in words.items():
            if word in places:
                rarity = log((1 + len(counted)) / (1 + known[word])) + 1
                found[row, places[word]] = number * rarity
    length = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(np.divide(found, length, out=np.zeros_like(found), where=length > 0))


def _factors(weights: Matrix, groups: int) -> tuple[Matrix, Matrix]:
    """Two non-negative matrices whose product is close to the weights."""
    import numpy as np

    left, right = _start(weights, groups)
    tiny = 1e-12
    for _ in range(STEPS):
        right *= (left.T @ weights) / (left.T @ left @ right + tiny)
        left *= (weights @ right.T) / (left @ (right @ right.T) + tiny)
    # The scale is arbitrary between the two: groups are compared by what they explain.
    scale = np.linalg.norm(right, axis=1)
    return left * scale, right


def _start(weights: Matrix, groups: int) -> tuple[Matrix, Matrix]:
    import numpy as np

    u, s, v = np.linalg.svd(weights, full_matrices=False)
    groups = min(groups, len(s))
    left, right = np.zeros((len(weights), groups)), np.zeros((groups, weights.shape[1]))
    left[:, 0], right[0] = np.sqrt(s[0]) * np.abs(u[:, 0]), np.sqrt(s[0]) * np.abs(v[0])
    for at in range(1, groups):
        x, y = u[:, at], v[at]
        halves = [(np.maximum(sign * x, 0), np.maximum(sign * y, 0)) for sign in (1.0, -1.0)]
        sizes = [np.linalg.norm(a) * np.linalg.norm(b) for a, b in halves]
        (a, b), size = (halves[0], sizes[0]) if sizes[0] >= sizes[1] else (halves[1], sizes[1])
        if size > 0:
            left[:, at] = np.sqrt(s[at] * size) * a / np.linalg.norm(a)
            right[at] = np.sqrt(s[at] * size) * b / np.linalg.norm(b)
    # Zeros stay zeros under these steps, so they get the mean (the variant "a").
    mean = weights.mean()
    left[left == 0], right[right == 0] = mean, mean
    return left, right
