"""The order of more than two candidates, by Bradley and Terry, from how often each beat each."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from comparator.domain.labels import Frozen
from comparator.stats.intervals import LEVEL, Estimate, Interval

RESAMPLES = 200
STEPS = 300
PRECISE = 1e-5
"""Where no strength moves by more than a hundred-thousandth of itself, all is found that an interval can show."""
SMALLEST = 1e-9


class HeadToHead(NamedTuple):
    """How two candidates, named by their ids, did against each other."""

    one: str
    two: str
    won: int
    lost: int
    tied: int


class Ranked(Frozen):
    """A candidate and the share of pairs it would win, on average, against each of the others (ties half)."""

    id: str
    against_others: Estimate


class NotConnected(Frozen):
    """The candidates in `groups` cannot be put in one order: no chain of wins and ties leads both ways."""

    groups: tuple[tuple[str, ...], ...]


def bradley_terry(met: Sequence[HeadToHead]) -> tuple[Ranked, ...] | NotConnected:
    """The candidates from best to worst, with bootstrap intervals over the pairs; NotConnected where none exists.

    Bradley and Terry (1952), Biometrika 39; a tie counts half for each. The estimate exists only if every candidate
    is tied to every other by chains of wins or ties in both directions (Ford 1957).
    """
    ids = sorted({id for pair in met for id in (pair.one, pair.two)})
    groups = _groups(ids, met)
    if len(groups) != 1:
        return NotConnected(groups=groups)
    at = {id: place for place, id in enumerate(ids)}
    cells = [
        (at[pair.one], at[pair.two], outcome, count)
        for pair in met
        for outcome, count in ((1.0, pair.won), (0.0, pair.lost), (0.5, pair.tied))
        if count
    ]
    counts = np.array([cell[3] for cell in cells], dtype=float)
    fitted = _strengths(len(ids), cells, counts[None])
    draws = np.random.default_rng(0).multinomial(int(counts.sum()), counts / counts.sum(), size=RESAMPLES)
    spread = _against_others(_strengths(len(ids), cells, draws.astype(float), start=fitted[0]))
    shares = _against_others(fitted)[0]
    low, high = np.quantile(spread, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    games = {id: sum(p.won + p.lost + p.tied for p in met if id in (p.one, p.two)) for id in ids}
    ranked = (
        Ranked(
            id=id,
            against_others=Estimate(
                value=float(shares[place]),
                interval=Interval(low=float(low[place]), high=float(high[place])),
                n=games[id],
            ),
        )
        for place, id in enumerate(ids)
    )
    return tuple(sorted(ranked, key=lambda candidate: (-candidate.against_others.value, candidate.id)))


def _strengths(
    size: int,
    cells: Sequence[tuple[int, int, float, int]],
    weights: NDArray[np.float64],
    *,
    start: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """The strengths for each row of weights of the cells, by Newman's iteration (2023), which needs few steps.

    A candidate that lost everything in a resample gets next to nothing, one that won everything very much.
    """
    won = np.zeros((len(weights), size, size))
    for at, (one, two, points, _) in enumerate(cells):
        won[:, one, two] += points * weights[:, at]
        won[:, two, one] += (1 - points) * weights[:, at]
    lost = won.transpose(0, 2, 1)
    strength = np.ones((len(weights), size)) if start is None else np.tile(start, (len(weights), 1))
    for _ in range(STEPS):
        both = strength[:, :, None] + strength[:, None, :]
        above = (won * strength[:, None, :] / both).sum(2)
        below = (lost / both).sum(2)
        new = np.clip(above / np.maximum(below, SMALLEST), SMALLEST, 1 / SMALLEST)
        # All are moved at once, so each goes half the way: two candidates would change places for ever.
        new = np.sqrt(new * strength)
        new /= np.exp(np.log(new).mean(1, keepdims=True))
        moved = float(np.abs(np.log(new) - np.log(strength)).max())
        strength = new
        if moved < PRECISE:
            break
    return np.asarray(strength)


def _against_others(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean chance of each to win against the others, a row for each row of strengths."""
    chance = strength[:, :, None] / (strength[:, :, None] + strength[:, None, :])
    return np.asarray((chance.sum(2) - 0.5) / (strength.shape[1] - 1))


def _groups(ids: Sequence[str], met: Sequence[HeadToHead]) -> tuple[tuple[str, ...], ...]:
    """The candidates that are linked in both directions, each group once."""
    from scipy.sparse.csgraph import connected_components

    beats = np.zeros((len(ids), len(ids)))
    for pair in met:
        one, two = ids.index(pair.one), ids.index(pair.two)
        beats[one, two] += pair.won + pair.tied
        beats[two, one] += pair.lost + pair.tied
    _, group_of = connected_components(beats, connection="strong")
    groups = {
        number: tuple(id for id, own in zip(ids, group_of, strict=True) if own == number)
        for number in group_of
    }
    return tuple(sorted(groups.values()))
