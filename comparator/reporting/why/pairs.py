"""What lies behind a result: the tasks that differ most, and the single pairs."""

from collections.abc import Mapping
from enum import StrEnum
from math import isnan
from typing import Annotated

import numpy as np
import pandas as pd
import sqlalchemy as sa
from pydantic import BeforeValidator, PlainSerializer

from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.figures import lines_of
from comparator.reporting.frames import Frame
from comparator.reporting.results.candidates import ranked_pairs
from comparator.reporting.scope import ResultFilter, VerdictKind
from comparator.reporting.theme_picture import theme_lines
from comparator.reporting.why.criteria import criteria_of, expectations_of, grades_of, id_of
from comparator.reporting.why.differ import differences, thirds
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import among
from comparator.store.facts import fact


class PairOutcome(StrEnum):
    """How a pair ended for candidate one."""

    WON = "won"
    TIED = "tied"
    LOST = "lost"


class Pair(Frozen):
    """A pair of a list; outcome and difference (in points) are candidate one's."""

    comparison_id: str
    title: str
    outcome: PairOutcome | None = None
    """None without a verdict, or where the list is of no two candidates."""
    difference: float | None = None
    """None for a verdict without scores."""
    kind: VerdictKind | None = None
    reasoning: str = ""
    """Of the verdict that holds; it speaks of A and B."""
    one_is: str = ""
    """Which of the two outputs candidate one made."""
    not_valid: str = ""
    """Why one of its runs does not count; empty where both do."""
    not_valid_in: str = ""
    """Which output that is: A, B or both."""
    iteration: str = ""
    graded: tuple[float, float] | None = None
    """The pass rates that imported graders gave candidate one's output and the other, 0 to 1."""


def _apart(value: object) -> object:
    return tuple(value.split(".")) if isinstance(value, str) else value


Ids = Annotated[tuple[str, ...], BeforeValidator(_apart), PlainSerializer(".".join, return_type=str)]
"""Ids, which an address holds with dots between them."""


class Slice(Frozen):
    """A part of the pairs: those that have a line with these values in a figure."""

    figure: str = ""
    """One of `_lines`, or of `figures.py`; empty for the counted pairs."""
    where: Mapping[str, str] = {}
    """The values by column, all of which a line must have."""
    comparisons: Ids = ()
    """Only these."""
    first_of: int = 0
    """With `comparisons`: of how many these are the first; 0 where they are all."""


WHOLE = Slice()


class Behind(Frozen):
    """What an address asks for: a part of the pairs of a result, or of the whole project."""

    result: ResultFilter | None = None
    """None is the whole project."""
    pooled: bool = False
    """Whether all iterations of the two count."""
    part: Slice = WHOLE

    @property
    def address(self) -> str:
        """In JSON; so many iterations would make it too long, they are found again when it is followed."""
        whole = self
        if self.result is not None and self.result.also:
            whole = self.copy_with(result=self.result.copy_with(also=()), pooled=True)
        return whole.model_dump_json(exclude_defaults=True)


RANKED = "ranked"
"""The figure of all candidates' pairs."""
POINTS = {PairOutcome.WON: 2, PairOutcome.TIED: 1, PairOutcome.LOST: 0}
_ENDED = {points: outcome for outcome, points in POINTS.items()}


def pairs(
    database: Database,
    project_id: str,
    of: ResultFilter | None,
    only: Slice = WHOLE,
    *,
    limit: int | None = 50,
) -> tuple[Pair, ...]:
    """Pairs of the result `of`, those that candidate one leads most first; without it of the project, by their ids.

    Raises BlindnessError, and KeyError for a figure that there is not.
    """
    with facts_of(database, project_id) as facts:
        first = _ids(facts, of, only)[:limit]
        titles = _titles(facts.connection, first)
        if of is None or only.figure == RANKED:
            return tuple(Pair(comparison_id=id, title=titles[id]) for id in first)
        own, candidates = facts.revealed(of).loc[first], facts.candidates
        lines = grades_of(facts, own).drop_duplicates("comparison_id")
        grades = {line.comparison_id: (line.one, line.two) for line in lines.itertuples()}
        reasons = fact.reasons(facts.connection, list(own.index))
    return tuple(
        Pair(
            comparison_id=row.comparison_id,
            title=titles[row.comparison_id],
            outcome=_ENDED.get(row.points),
            difference=None if isnan(row.overall) else int(row.overall) / 10,
            kind=row.kind,
            reasoning=reasons[row.comparison_id],
            one_is="A" if row.side > 0 else "B",
            iteration=" and ".join(dict.fromkeys(candidates[id].iteration or "" for id in row.both.split())),
            graded=grades.get(row.comparison_id),
            not_valid=row.not_valid if isinstance(row.not_valid, str) else "",
            not_valid_in=row.not_valid_in,
        )
        for row in own.itertuples()
    )


def number_of_pairs(database: Database, project_id: str, of: ResultFilter | None, only: Slice) -> int:
    """How many `pairs` lists without a limit. Raises as it does."""
    with facts_of(database, project_id) as facts:
        return len(_ids(facts, of, only))


def _ids(facts: Facts, of: ResultFilter | None, only: Slice) -> list[str]:
    """All pairs of a list in its order."""
    lines = lines_of(facts, only.figure) if of is None else _lines(facts, of, only)
    for name, value in only.where.items():
        lines = lines[lines[name].astype(str) == value]
    ids = set(lines.comparison_id) & set(only.comparisons) if only.comparisons else set(lines.comparison_id)
    if of is None or only.figure == RANKED:
        return sorted(ids)
    own = facts.revealed(of)
    own = own[own.index.isin(ids)].sort_values(
        ["overall", "comparison_id"], ascending=[False, True], na_position="last"
    )
    return list(own.index)


def _lines(facts: Facts, result_filter: ResultFilter, only: Slice) -> Frame:
    """The lines of a figure of this result, each with its `comparison_id`."""
    match only.figure:
        case "":
            return facts.counted(result_filter)
        case "audited":
            counted = facts.counted(result_filter)
            return counted[counted.audited]
        case "void":
            every = facts.within(facts.revealed(result_filter), result_filter.within)
            return every[~every.valid]
        case "criterion":
            lines = criteria_of(facts, facts.counted(result_filter))
            return lines.assign(lead=(np.sign(lines.value) + 1).map(_ENDED))
        case "expectation":
            lines = expectations_of(facts, facts.counted(result_filter))
            return lines.assign(expectation=lines.text.map(id_of))
        case "reason":
            own = facts.read("reasons", facts.counted(result_filter))
            return own.map(list).explode().rename_axis("comparison_id").reset_index()
        case "grader":
            lines = grades_of(facts, facts.counted(result_filter))
            return lines.assign(verdict=lines.points.map(_ENDED), graders=lines.graded.map(_ENDED))
        case "theme":
            lines = theme_lines(facts, facts.counted(result_filter))
            return lines.assign(speaks=lines.points.map(_ENDED))
        case "measure" | "third":
            counted = facts.counted(result_filter)
            own = differences(facts, counted, only.where["measure"])
            lines = counted.assign(measure=only.where["measure"])
            return (
                lines.assign(third=thirds(own))
                if only.figure == "third"
                else lines[(own.more > 0) & ~own.alike]
            )
        case str() if only.figure == RANKED:
            ranked = ranked_pairs(facts, result_filter)
            return pd.concat([ranked.assign(candidate=ranked[side]) for side in ("one", "two")])
        case _:
            return lines_of(facts, only.figure, result_filter)


def ids_by_outcome(database: Database, result_filter: ResultFilter) -> dict[PairOutcome, tuple[str, ...]]:
    """The ids of all counted pairs by how they ended for candidate one. Raises BlindnessError."""
    with facts_of(database, result_filter.project_id) as facts:
        points = facts.counted(result_filter).points.sort_index()
    return {outcome: tuple(points.index[points == value]) for outcome, value in POINTS.items()}


def _titles(connection: Connection, ids: list[str]) -> dict[str, str]:
    comparison = tables.comparison.c
    query = sa.select(comparison.id, comparison.title).where(comparison.id.in_(among(connection, ids)))
    return {row.id: row.title for row in connection.execute(query)}
