"""What chance gives: two runs of one candidate compared, and which wins lie within that."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of
from comparator.reporting.frames import Frame
from comparator.reporting.scope import ResultFilter, Runs
from comparator.stats.figures import TooFew
from comparator.stats.noise import NoiseFloor, noise_floor
from comparator.store.core.database import Database


class Noise(Frozen):
    """The noise floor by the counted kinds of verdict, and how the result of two candidates stands against it."""

    floor: NoiseFloor | TooFew
    within: int
    """Pairs won or lost by no more than the floor's usual lead."""
    of_project: bool
    """Whether the whole project was asked, because the parts asked for have too few revealed pairs of this kind."""


def noise(database: Database, asked: ResultFilter) -> Noise:
    """The noise floor and the pairs within it. Raises BlindnessError while nothing of the two is revealed."""
    with facts_of(database, asked.project_id) as facts:
        pairs = facts.counted(asked)
        twice = facts.pairs[(facts.pairs.one == facts.pairs.two) & facts.pairs.kind.isin(asked.kinds)]
        if asked.runs is Runs.VALID:
            twice = twice[twice.valid]
        floor = _floor(facts.within(twice[twice.revealed], asked.within) if asked.within else twice)
    of_project = isinstance(floor, TooFew) and bool(asked.within)
    if of_project:
        floor = _floor(twice)
    close = pairs.overall.abs() <= (floor.most if isinstance(floor, NoiseFloor) else 0)
    decided = pairs.points != 1
    return Noise(
        floor=floor,
        within=int((decided & close).sum()),
        of_project=of_project,
    )


def _floor(pairs: Frame) -> NoiseFloor | TooFew:
    leads = pairs.overall.abs().fillna(0).astype("int64").value_counts()
    return noise_floor(
        {int(lead): int(number) for lead, number in leads.items()}, decided=int((pairs.points != 1).sum())
    )
