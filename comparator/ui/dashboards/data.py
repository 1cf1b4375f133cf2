"""Everything that the dashboards of two candidates show, read for the chosen part of the page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from comparator.domain.scoring.review import How
from comparator.reporting.results.candidates import Names
from comparator.reporting.results.decision import Advice, Excluded, advice, excluded
from comparator.reporting.results.noise import Noise, noise
from comparator.reporting.results.over_iterations import History, over_iterations
from comparator.reporting.results.prediction_powered import AllPairs, all_pairs
from comparator.reporting.results.ranking import Field, field
from comparator.reporting.results.result import Outcomes, Result, result
from comparator.reporting.scope import ResultFilter, Runs
from comparator.reporting.trust.judge import Agreement, agreement
from comparator.reporting.why.pairs import TaskDifference, strongest, weakest
from comparator.store.core.database import Database


@dataclass(frozen=True)
class Headline:
    """What the top line rests on; `names` and `asked` are told from the side of the new candidate.

    What stands below the answer is read on first use, so that the answer does not wait for it.
    """

    database: Database
    asked: ResultFilter
    names: Names
    advice: Advice
    history: History | None = None
    """All iterations of the two; None where there is only one."""

    @cached_property
    def excluded(self) -> tuple[Excluded, ...]:
        """The pairs of the two that are not counted."""
        return excluded(self.database, self.asked, self.result)

    @cached_property
    def noise(self) -> Noise:
        """What chance gives in the parts asked for."""
        return noise(self.database, self.asked)

    @cached_property
    def agreement(self) -> tuple[Agreement, ...]:
        """The judge against reviewers."""
        asked = self.asked
        return agreement(self.database, asked.project_id, of=asked).by_how

    @property
    def latest(self) -> bool:
        """Whether this is the newest that is known of the two: only then it says what to do."""
        return self.history is None or self.history.latest

    @property
    def result(self) -> Result:
        """The result as the headline tells it."""
        return self.advice.result


class Details(NamedTuple):
    """What the charts of the result rest on."""

    other_runs: Result
    """The same, with all runs where the page counts valid ones, and the other way round."""
    ahead: tuple[TaskDifference, ...]
    behind: tuple[TaskDifference, ...]
    all_pairs: AllPairs


def headline(
    database: Database, asked: ResultFilter, names: Names, *, known: tuple[Outcomes, ...] = ()
) -> Headline:
    """Read what the top line needs. Raises BlindnessError while nothing of the two is revealed.

    `known` are the outcomes of these pairs, where the filters have read them.
    """
    return Headline(
        database=database,
        asked=asked,
        names=names,
        advice=advice(database, asked, known=known),
        history=over_iterations(database, asked),
    )


def details(database: Database, asked: ResultFilter) -> Details:
    """Read what the charts of the result need. Raises BlindnessError."""
    other = Runs.ALL if asked.runs is Runs.VALID else Runs.VALID
    return Details(
        other_runs=result(database, asked.model_copy(update={"runs": other})),
        ahead=strongest(database, asked),
        behind=weakest(database, asked),
        all_pairs=all_pairs(database, asked),
    )


def all_candidates(database: Database, asked: ResultFilter) -> Field:
    """Read ranking and trends, counted as the result is."""
    return field(
        database,
        asked.project_id,
        verdicts=asked.verdicts,
        runs=asked.runs,
        within=asked.within,
    )


def best_agreement(found: tuple[Agreement, ...]) -> Agreement | None:
    """The agreement that says most of the judge: of reviewers who scored first, else who saw its scores."""
    by_how = {each.how: each for each in found}
    return next((by_how[how] for how in (How.BLIND_FIRST, How.JUDGE_FIRST) if how in by_how), None)
