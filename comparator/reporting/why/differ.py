"""How outputs of two candidates differ: how much more of what one has, and how often the side with more of it won."""

from collections import Counter
from math import hypot

import pandas as pd
import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, facts_of, kept, rated
from comparator.reporting.frames import Frame, frame_of
from comparator.reporting.scope import Rated, ResultFilter
from comparator.stats.intervals import EVEN, Estimate, Interval
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.pairs import checks

COUNTED = (
    *("characters", "words", "headings", "list_items", "tables"),
    *("code_blocks", "links", "pictures", "pages"),
)
"""What is counted in an output; columns of `view_measure`."""
OF_RUNS = {"tokens": 1.0, "seconds": 0.1, "cost": 1e-6}
"""What a run took, and what one of its stored whole numbers is worth."""
FILES, CHECK = "files:", "check:"
"""How many files of a family; how often a check found what it looks for."""
CONFOUNDED, ALIKE = 0.9, 0.1
MOSTLY = 0.75
"""From this share of wins on, the side with more of something is said to win."""
MOST_FAMILIES = 8
THIRDS = 3
ENOUGH_TO_WARN = 10
"""Reviews or pairs that a warning rests on at least."""


class AtRatio(Rated):
    """Candidate one's record in the pairs in which one side has so many times as much, from the least to the most."""

    least: float
    most: float


class Differs(Frozen):
    """One measure over the counted pairs of which both sides are known; differences are one minus two."""

    measure: str
    name: str
    pairs: int
    one: float
    two: float
    """The median of each candidate."""
    median: float
    more: Rated
    """Of the side with more of it, in pairs whose two sides are not alike."""
    one_more: Rated
    two_more: Rated
    """Of candidate one, where it has more of it, and where candidate two has."""
    alike: Rated
    """Of candidate one, in the other pairs: the two differ by at most a tenth of the larger."""
    by_ratio: tuple[AtRatio, ...]
    """Where one candidate has more of it in every one of many pairs: thirds of these, by how many times as much."""

    @property
    def wins(self) -> bool:
        """Whether the side with more of it wins far more than half of the pairs, beyond chance."""
        rate = self.more.rate
        return isinstance(rate, Estimate) and rate.value >= MOSTLY and EVEN not in rate.interval

    @property
    def warns(self) -> bool:
        """Whether enough pairs differ in it, and the side with more wins or is nearly always the same candidate's."""
        return self.more.n >= ENOUGH_TO_WARN and bool(self.wins or self.belongs_to)

    def tells_more(self, share: float) -> bool:
        """Whether the side with more of it wins, beyond chance, more often than the better candidate does."""
        rate = self.more.rate
        return isinstance(rate, Estimate) and rate.interval.low > EVEN and rate.value > share

    @property
    def balanced(self) -> Estimate | None:
        """Candidate one's rate if each had more of it as often: the mean of both rates, taken as independent."""
        one, two = self.one_more.rate, self.two_more.rate
        if not isinstance(one, Estimate) or not isinstance(two, Estimate):
            return None
        value = (one.value + two.value) / 2
        half = hypot(*(rate.interval.high - rate.interval.low for rate in (one, two))) / 4
        return Estimate(
            value=value,
            interval=Interval(low=max(value - half, 0.0), high=min(value + half, 1.0)),
            n=one.n + two.n,
            few=one.few or two.few,
        )

    @property
    def without(self) -> Estimate | None:
        """Candidate one's rate without what this measure adds: where the two are alike, else `balanced`."""
        return self.alike.rate if isinstance(self.alike.rate, Estimate) else self.balanced

    @property
    def grows(self) -> bool | None:
        """Whether the candidate that always has more wins more often the more it has; None where nobody can tell."""
        if not self.by_ratio:
            return None
        share, first, last = self.by_ratio[0].share or 0.0, self.by_ratio[0].rate, self.by_ratio[-1].rate
        if not isinstance(last, Estimate):
            return None
        of_one = self.belongs_to == 1
        if share != (1 if of_one else 0):
            return last.interval.low > share if of_one else last.interval.high < share
        # All are won where it has least: that cannot grow, only fall.
        if not isinstance(first, Estimate):
            return None
        ahead, behind = (first, last) if of_one else (last, first)
        return False if behind.interval.high < ahead.interval.low else None

    @property
    def belongs_to(self) -> int:
        """1 or 2 where that candidate has more in so large a share of the pairs that differ that the measure and the
        candidate cannot be told apart; else 0."""
        one, n = self.one_more.n, self.more.n
        return 0 if not n or 1 - CONFOUNDED < one / n < CONFOUNDED else 1 if one * 2 > n else 2


class Differences(Frozen):
    """All measures in which something differs."""

    measures: tuple[Differs, ...]
    same: tuple[str, ...]
    """Measures in which no pair differs."""


def may_be_length(share: float | None, length: Differs | None) -> bool:
    """Whether the lead may come from length alone, by candidate one's share of wins.

    The leader's output is the longer in most pairs, the longer one wins or is nearly always the leader's, and at equal
    length, or were each the longer as often, the lead is gone, reversed or not known; nor is it the same however much
    longer it is.
    """
    if length is None or share is None or share == EVEN or not length.warns or length.grows is False:
        return False
    ahead, rate = share > EVEN, length.without
    longer = length.one_more if ahead else length.two_more
    kept = rate is not None and EVEN not in rate.interval and (rate.value > EVEN) == ahead
    return longer.n * 2 > length.more.n and not kept


@kept
def how_they_differ(database: Database, result_filter: ResultFilter) -> Differences:
    """Every measure over the counted pairs. Raises BlindnessError."""
    with facts_of(database, result_filter.project_id) as facts:
        pairs = facts.counted(result_filter)
        named = {
            check.id: check.name for check in checks.of_project(facts.connection, result_filter.project_id)
        }
        families = _families(facts, pairs)
        names = (
            *COUNTED,
            *OF_RUNS,
            *(f"{FILES}{family}" for family in families),
            *(f"{CHECK}{id}" for id in named),
        )
        frames = {name: differences(facts, pairs, name) for name in names}
    measures, same = [], []
    for measure, own in frames.items():
        own = own.dropna(subset=["more"])
        if own.empty:
            continue
        name = named.get(measure.removeprefix(CHECK), measure)
        if (own.more == 0).all():
            same.append(name)
        else:
            measures.append(_differs(measure, name, own, pairs))
    return Differences(measures=tuple(measures), same=tuple(same))


def lengths_differ(database: Database, result_filter: ResultFilter) -> Differs | None:
    """The length of the outputs alone; None where no pair is known to differ in it. Raises BlindnessError."""
    with facts_of(database, result_filter.project_id) as facts:
        pairs = facts.counted(result_filter)
    # These two columns are at hand; what else was counted takes a while to read.
    own = _sides(pairs, pairs.characters_a.astype(float), pairs.characters_b.astype(float)).dropna()
    return _differs("characters", "characters", own, pairs) if own.more.any() else None


def differences(facts: Facts, pairs: Frame, measure: str) -> Frame:
    """A measure of both outputs of each pair (`one`, `two`), by how much candidate one has more of it (not a number
    where it is not known), and whether they are `alike`."""
    if measure in OF_RUNS:
        a, b = (run.map(facts.runs[measure]) * OF_RUNS[measure] for run in (pairs.run_a, pairs.run_b))
    else:
        known = _of_views(facts, measure)
        a, b = pairs.view_a.map(known).astype(float), pairs.view_b.map(known).astype(float)
    return _sides(pairs, a, b)


def _sides(pairs: Frame, a: Frame, b: Frame) -> Frame:
    a_is_one = pairs.side > 0
    one, two = a.where(a_is_one, b), b.where(a_is_one, a)
    more = one - two
    alike = more.abs() <= ALIKE * one.where(one > two, two)
    return pd.DataFrame({"one": one, "two": two, "more": more, "alike": alike})


def _of_views(facts: Facts, measure: str) -> Frame:
    """What is counted in each output, by its view."""
    if measure.startswith(CHECK):
        check_count = tables.check_count.c
        query = sa.select(check_count.view_id, check_count.found).where(
            check_count.check_id == measure.removeprefix(CHECK)
        )
        return frame_of(facts.connection, query).set_index("view_id").found
    if measure.startswith(FILES):
        family = measure.removeprefix(FILES)
        return facts.measures.families.dropna().map(lambda own: own.get(family, 0))
    if measure in COUNTED:
        return facts.measures[measure]
    return pd.Series(dtype=float)


def _families(facts: Facts, pairs: Frame) -> list[str]:
    """The families of files that most outputs have."""
    families = facts.measures.families
    seen = Counter(
        family
        for view in (pairs.view_a, pairs.view_b)
        for own in view.map(families).dropna()
        for family in own
    )
    return sorted(sorted(seen, key=lambda family: (-seen[family], family))[:MOST_FAMILIES])


def ratios(own: Frame) -> Frame:
    """How many times as much the side with more of it has as the other, of differences in which both have some."""
    return own[["one", "two"]].max(axis=1) / own[["one", "two"]].min(axis=1)


def thirds(own: Frame) -> Frame:
    """In which third of these pairs each is by that ratio: "1" where it is least, to "3"."""
    places = pd.qcut(ratios(own).dropna().rank(method="first"), THIRDS, labels=False) + 1
    return places.astype(int).astype(str)


def _differs(measure: str, name: str, own: Frame, pairs: Frame) -> Differs:
    points, apart = pairs.points[own.index], ~own.alike
    one_more, two_more, alike = (
        points[apart & (own.more > 0)],
        points[apart & (own.more < 0)],
        points[own.alike],
    )

    def rate(points: Frame) -> Rated:
        return rated(points, pairs.task_id[points.index])

    by_ratio: list[AtRatio] = []
    enough = len(own) >= THIRDS * ENOUGH_TO_WARN and (own[["one", "two"]] > 0).all(axis=None)
    if enough and alike.empty and (one_more.empty or two_more.empty):
        for _, third in ratios(own).groupby(thirds(own)):
            record = rate(points[third.index])
            by_ratio.append(AtRatio(**dict(record), least=float(third.min()), most=float(third.max())))
    return Differs(
        measure=measure,
        name=name,
        pairs=len(own),
        one=float(own.one.median()),
        two=float(own.two.median()),
        median=float(own.more.median()),
        more=rate(pd.concat([one_more, 2 - two_more])),
        one_more=rate(one_more),
        two_more=rate(two_more),
        alike=rate(alike),
        by_ratio=tuple(by_ratio),
    )
