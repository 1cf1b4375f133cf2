"""The order of more than two candidates, by Bradley and Terry, from how often each beat each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from comparator.domain.labels import Frozen
from comparator.stats.figures import LEVEL, Estimate, Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 200


class Met(NamedTuple):
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


def bradley_terry(met: Sequence[Met], *, seed: int = 0) -> tuple[Ranked, ...] | NotConnected:
    """The candidates from best to worst, with bootstrap intervals over the pairs; NotConnected where none exists.

    Bradley and Terry (1952), Biometrika 39; a tie counts half for each. The estimate exists only if every candidate
    is tied to every other by chains of wins or ties in both directions (Ford 1957).
    """
    ids = sorted({id for pair in met for id in (pair.one, pair.two)})
    groups = _groups(ids, met)
    if len(groups) != 1:
        return NotConnected(groups=groups)
    import numpy as np

    cells = [
        (pair.one, pair.two, outcome, count)
        for pair in met
        for outcome, count in (("won", pair.won), ("lost", pair.lost), ("tied", pair.tied))
        if count
    ]
    counts = np.array([cell[3] for cell in cells], dtype=float)
    total = int(counts.sum())
    fitted = _against_others(ids, cells, counts)
    draws = np.random.default_rng(seed).multinomial(total, counts / total, size=RESAMPLES)
    spread = np.array([_against_others(ids, cells, draw.astype(float)) for draw in draws])
    low, high = np.quantile(spread, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    games = {id: sum(p.won + p.lost + p.tied for p in met if id in (p.one, p.two)) for id in ids}
    ranked = (
        Ranked(
            id=id,
            against_others=Estimate(
                value=fitted[at], interval=Interval(low=float(low[at]), high=float(high[at])), n=games[id]
            ),
        )
        for at, id in enumerate(ids)
    )
    return tuple(sorted(ranked, key=lambda each: (-each.against_others.value, each.id)))


def _against_others(
    ids: Sequence[str], cells: Sequence[tuple[str, str, str, int]], weights: NDArray[np.float64]
) -> list[float]:
    import evalica
    import pandas as pd

    winners = {"won": evalica.Winner.X, "lost": evalica.Winner.Y, "tied": evalica.Winner.Draw}
    scores = evalica.bradley_terry(
        [cell[0] for cell in cells],
        [cell[1] for cell in cells],
        [winners[cell[2]] for cell in cells],
        index=pd.Index(ids),
        weights=weights.tolist(),
    ).scores
    strength = [max(float(scores[id]), 1e-12) for id in ids]
    return [
        sum(own / (own + other) for at_other, other in enumerate(strength) if at_other != at) / (len(ids) - 1)
        for at, own in enumerate(strength)
    ]


def _groups(ids: Sequence[str], met: Sequence[Met]) -> tuple[tuple[str, ...], ...]:
    """The candidates that are linked in both directions, each group once."""
    beats: dict[str, set[str]] = {id: set() for id in ids}
    for pair in met:
        if pair.won or pair.tied:
            beats[pair.one].add(pair.two)
        if pair.lost or pair.tied:
            beats[pair.two].add(pair.one)
    reach = {id: _reached(id, beats) for id in ids}
    return tuple(sorted({tuple(o for o in ids if o in reach[id] and id in reach[o]) for id in ids}))


def _reached(start: str, beats: dict[str, set[str]]) -> set[str]:
    seen, waiting = {start}, [start]
    while waiting:
        for following in beats[waiting.pop()] - seen:
            seen.add(following)
            waiting.append(following)
    return seen
