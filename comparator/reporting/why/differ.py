"""How outputs of two candidates differ: how much more of what one has, and how often the side with more of it won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import ResultFilter, counted, require_revealed
from comparator.reporting.tally.sums import WonTiedLost
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.paired import Sums, win_rate
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.saved import checks

COUNTED = (
    *("characters", "words", "headings", "list_items", "tables"),
    *("code_blocks", "links", "pictures", "pages"),
)
"""What is counted in an output; columns of `view_measure`."""
OF_RUNS = {"tokens": 1.0, "seconds": 0.1, "cost": 1e-6}
"""What a run took, and what one of its stored whole numbers is worth."""
EXPECTATIONS = "expectations"
FILES, CHECK = "files:", "check:"
"""How many files of a family; how often a check found what it looks for."""
BINS = 15
MOST_FAMILIES = 8

Numbers = npt.NDArray[np.float64]


class Bin(Frozen):
    """Pairs in which candidate one has at least `low` and less than `high` more."""

    low: float
    high: float
    won: int
    tied: int
    lost: int


class Record(WonTiedLost):
    """Pairs won, tied and lost by the side with more, and its win rate."""

    rate: Estimate | TooFew


class Differs(Frozen):
    """One measure over the counted pairs of which both sides are known; differences are one minus two."""

    measure: str
    name: str
    pairs: int
    one: float
    two: float
    """The median of each candidate."""
    median: float
    more: Record
    """Of the side with more of it, in pairs in which both have not the same."""
    one_more: Record
    two_more: Record
    """The same where that side is candidate one's, and where it is candidate two's."""
    bins: tuple[Bin, ...]


class Differences(Frozen):
    """All measures in which something differs. `unmeasured` pairs have outputs that were not counted yet."""

    measures: tuple[Differs, ...]
    same: tuple[str, ...]
    """Measures in which no pair differs."""
    unmeasured: int
    pairs: int


class PairDifference(NamedTuple):
    """By how much candidate one has more in one pair, and its points; None where that is not known."""

    comparison_id: str
    task_id: str
    both: str
    """The ids of the two candidates."""
    points: int
    more: float | None


class MoreOfIt(NamedTuple):
    """In how many pairs each candidate has more of a measure, of those in which it is known of both."""

    one: int
    two: int
    pairs: int


def how_they_differ(database: Database, asked: ResultFilter) -> Differences:
    """Every measure over the counted pairs. Raises BlindnessError."""
    with current(database) as connection:
        require_revealed(connection, asked)
        rows = _rows(connection, asked)
        by_name = _by_name(rows)
        found = {name: _both(by_name, name) for name in (*COUNTED, EXPECTATIONS, *OF_RUNS)}
        found |= _families(rows)
        named = {check.id: check.name for check in checks.of_project(connection, asked.project_id)}
        for id in named:
            found[f"{CHECK}{id}"] = _checked(connection, rows, id)
    signs = np.array([row.sign for row in rows], dtype=np.int8)
    points = np.array([row.points for row in rows], dtype=np.int8)
    _, tasks = np.unique(np.array([row.task_id for row in rows], dtype=object), return_inverse=True)
    measures, same = [], []
    for measure, own in found.items():
        own[signs < 0] = own[signs < 0][:, ::-1]
        known = ~np.isnan(own).any(axis=1)
        if not known.any():
            continue
        name = named.get(measure.removeprefix(CHECK), measure)
        if (own[known, 0] == own[known, 1]).all():
            same.append(name)
        else:
            measures.append(_differs(measure, name, own[known], points[known], tasks[known]))
    return Differences(
        measures=tuple(measures),
        same=tuple(same),
        unmeasured=sum(row.m1_seen is None or row.m2_seen is None for row in rows),
        pairs=len(rows),
    )


def more_of_it(database: Database, asked: ResultFilter, measure: str) -> MoreOfIt:
    """Who has more of a measure in how many of the counted pairs. Raises BlindnessError."""
    with current(database) as connection:
        require_revealed(connection, asked)
        known = [each.more for each in differences(connection, asked, measure) if each.more is not None]
    return MoreOfIt(sum(more > 0 for more in known), sum(more < 0 for more in known), len(known))


def differences(connection: Connection, asked: ResultFilter, measure: str) -> list[PairDifference]:
    """By how much candidate one has more of a measure, in each counted pair."""
    rows = _rows(connection, asked, measure)
    if measure.startswith(CHECK):
        own = _checked(connection, rows, measure.removeprefix(CHECK))
    elif measure.startswith(FILES):
        family = measure.removeprefix(FILES)
        own = _files(rows, family)
    elif measure in (*COUNTED, EXPECTATIONS, *OF_RUNS):
        own = _both(_by_name(rows), measure)
    else:
        own = _numbers([(None, None)] * len(rows))
    more = (own[:, 0] - own[:, 1]) * [row.sign for row in rows]
    return [
        PairDifference(row.comparison_id, row.task_id, row.both, row.points, None if isnan(by) else by)
        for row, by in zip(rows, more.tolist(), strict=True)
    ]


def _rows(connection: Connection, asked: ResultFilter, measure: str = "") -> Sequence[Any]:
    """The counted pairs with what is known of both outputs, the smaller id's first; or only with one measure."""
    pairs, outcome = counted(asked), tables.outcome.c
    first, second = tables.view_measure.alias("first"), tables.view_measure.alias("second")
    told = {EXPECTATIONS: "passed", **{name: name for name in OF_RUNS}}

    def wanted(name: str) -> bool:
        return measure in ("", name) or (name == "families" and measure.startswith(FILES))

    query = sa.select(
        pairs.c.comparison_id,
        pairs.c.task_id,
        pairs.c.both,
        pairs.c.points,
        pairs.c.sign,
        outcome.view_one,
        outcome.view_two,
        *(
            outcome[f"{column}_{side}"]
            for name, column in told.items()
            if wanted(name)
            for side in ("one", "two")
        ),
        *(
            view.c[name].label(f"{name}_{side}")
            for side, view in (("one", first), ("two", second))
            for name in (*COUNTED, "families")
            if wanted(name)
        ),
        first.c.view_id.label("m1_seen"),
        second.c.view_id.label("m2_seen"),
    ).select_from(
        pairs.join(tables.outcome, outcome.comparison_id == pairs.c.comparison_id)
        .outerjoin(first, first.c.view_id == outcome.view_one)
        .outerjoin(second, second.c.view_id == outcome.view_two)
    )
    return connection.execute(query).all()


def _by_name(rows: Sequence[Any]) -> dict[str, Sequence[Any]]:
    """The rows, column by column."""
    return dict(zip(rows[0]._fields, zip(*rows, strict=True), strict=True)) if rows else {}


def _both(by_name: Mapping[str, Sequence[Any]], measure: str) -> Numbers:
    """A measure of both outputs of each pair; not a number where it is not known."""
    unit = 0.01 if measure == EXPECTATIONS else OF_RUNS.get(measure, 1.0)
    column = "passed" if measure == EXPECTATIONS else measure
    both = [by_name.get(f"{column}_{side}", ()) for side in ("one", "two")]
    return np.array(both, dtype=np.float64).T * unit


def _numbers(values: Sequence[Any]) -> Numbers:
    return np.array(values, dtype=np.float64).reshape(-1, 2)


def _families(rows: Sequence[Any]) -> dict[str, Numbers]:
    """How many files of each family, of those that most outputs have."""
    seen: dict[str, int] = {}
    for row in rows:
        for own in (row.families_one, row.families_two):
            for family in own or ():
                seen[family] = seen.get(family, 0) + 1
    most = sorted(seen, key=lambda family: (-seen[family], family))[:MOST_FAMILIES]
    return {f"{FILES}{family}": _files(rows, family) for family in sorted(most)}


def _files(rows: Sequence[Any], family: str) -> Numbers:
    return _numbers(
        [
            [None if own is None else own.get(family, 0) for own in (row.families_one, row.families_two)]
            for row in rows
        ]
    )


def _checked(connection: Connection, rows: Sequence[Any], check_id: str) -> Numbers:
    check_count = tables.check_count.c
    query = sa.select(check_count.view_id, check_count.found).where(check_count.check_id == check_id)
    found = {row.view_id: row.found for row in connection.execute(query)}
    return _numbers([(found.get(row.view_one), found.get(row.view_two)) for row in rows])


def _differs(
    measure: str, name: str, both: Numbers, points: npt.NDArray[np.int8], tasks: npt.NDArray[np.intp]
) -> Differs:
    more = both[:, 0] - both[:, 1]
    ahead, behind = more > 0, more < 0
    return Differs(
        measure=measure,
        name=name,
        pairs=len(more),
        one=float(np.median(both[:, 0])),
        two=float(np.median(both[:, 1])),
        median=float(np.median(more)),
        more=record_of(np.where(ahead, points, 2 - points), tasks, ahead | behind),
        one_more=record_of(points, tasks, ahead),
        two_more=record_of(2 - points, tasks, behind),
        bins=_bins(more, points),
    )


def record_of(points: npt.NDArray[Any], tasks: npt.NDArray[np.intp], which: npt.NDArray[np.bool_]) -> Record:
    """The record of a side with these points (2, 1 or 0) in some of the pairs; `tasks` says of which task each is."""
    own, of = points[which].astype(np.int64), tasks[which]
    n = np.bincount(of) if len(of) else np.zeros(0, dtype=np.int64)
    total = np.bincount(of, weights=own).astype(np.int64) if len(of) else n
    there = n > 0
    sums = Sums.added(zip(n[there].tolist(), total[there].tolist(), strict=True))
    tied = int((own == 1).sum())
    return Record(
        won=int((own == 2).sum()), tied=tied, lost=int((own == 0).sum()), rate=win_rate(sums, tied=tied)
    )


def _bins(more: Numbers, points: npt.NDArray[np.int8]) -> tuple[Bin, ...]:
    """Equal bins between the 1st and 99th percentile, with zero at an edge; the outermost hold what lies beyond."""
    low, high = float(np.percentile(more, 1, method="lower")), float(np.percentile(more, 99, method="higher"))
    low, high = min(low, 0.0), max(high, 0.0)
    whole = bool((more == np.floor(more)).all())
    width = max((high - low) / BINS, 1e-9)
    if whole:
        width = max(float(np.ceil(width)), 1.0)
    first, last = int(np.floor(low / width)), int(np.floor(high / width)) + 1
    place = np.clip(np.floor(more / width).astype(np.int64), first, last - 1)
    found = []
    for at in range(first, last):
        own = points[place == at]
        found.append(
            Bin(
                low=at * width,
                high=(at + 1) * width,
                won=int((own == 2).sum()),
                tied=int((own == 1).sum()),
                lost=int((own == 0).sum()),
            )
        )
    return tuple(found)
