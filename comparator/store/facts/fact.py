"""The row of facts of each comparison: its status and both verdicts, derived from what judges and people said."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import CompoundSelect, Connection, and_, case, exists, func, or_, select, union

from comparator.domain.labels import Label, PerOutput
from comparator.domain.project import ProjectSettings
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.several_judges import judges_agree
from comparator.domain.scoring.verdict import VerdictSource
from comparator.store import tables
from comparator.store.core.revisions import changed
from comparator.store.core.sql import among
from comparator.store.core.unit import Unit
from comparator.store.facts import columns, queries, verdicts
from comparator.store.facts.review_facts import review_facts


class Status(StrEnum):
    """Where a comparison stands."""

    TO_JUDGE = "to_judge"
    JUDGING = "judging"
    FAILED = "failed"
    TO_REVIEW = "to_review"
    DRAFT = "draft"
    FINALISED = "finalised"
    SUPERSEDED = "superseded"
    """A later import replaced one of its runs, and nobody has begun a review of it: it waits for nobody."""
    VOID = "void"
    """One of its runs is void and it has too few final reviews: it waits for those who ask for all runs."""


AT_REST = (Status.SUPERSEDED, Status.VOID)
"""What waits for nobody unless it is asked for."""
_run_pair, _run = tables.run_pair.c, tables.run.c
_fact = tables.fact.c
UNREAD = and_(_fact.final_reviews == 0, _fact.open_reviews == 0)
"""Of a row of `fact`: nobody has begun a review."""

UNREAD_BY_JUDGE = and_(_fact.judge_winner.is_(None), _fact.form.is_(None))
"""Of a row of `fact`: it has neither a judge's verdict nor the offline check's finding."""

_comparison = tables.comparison.alias("revealed_one").c
REVEALED = exists().where(_comparison.id == _fact.comparison_id, _comparison.reveal_id.is_not(None))
"""Of a row of `fact`: its comparison is revealed."""

VALID = PerOutput[str](A="valid", B="valid")


@dataclass(frozen=True)
class RunStates:
    """Which of a comparison's runs do not count."""

    superseded: bool = False
    """A later import replaced one of them; which one is not told."""
    each: PerOutput[str] = VALID
    """`valid`, `void` or `cut_off`."""

    @property
    def void(self) -> bool:
        """Whether one of them is void."""
        return "void" in (self.each.A, self.each.B)

    @property
    def cut_off(self) -> tuple[Label, ...]:
        """The outputs that were probably cut off before their end."""
        return tuple(label for label, state in self.each.items() if state == "cut_off")


WITH_VOID = or_(func.coalesce(_fact.state_a, "") == "void", func.coalesce(_fact.state_b, "") == "void")
"""Of a row of `fact`: one of the runs is void."""


def refresh(unit: Unit, comparison_id: str) -> None:
    """Derive the comparison's row anew, in the transaction of what changed it."""
    these = {"comparison": comparison_id}
    # Two writers take turns, so that the later one sees what both did.
    unit.execute(queries.LOCK_ROW, these)
    changed(unit.connection, comparisons=[comparison_id])
    unit.execute(queries.UPDATE, {**derive(unit.connection, comparison_id), "touched_at": unit.at, **these})


def lock(connection: Connection, run_ids: Collection[str]) -> None:
    """Hold the rows of these runs' comparisons until the end of the transaction.

    In one order, so that two who change several comparisons do not wait for each other.
    """
    theirs = _fact.comparison_id.in_(of_runs(connection, run_ids))
    connection.execute(
        select(_fact.comparison_id).where(theirs).order_by(_fact.comparison_id).with_for_update()
    )


def set_aside(unit: Unit, run_ids: Collection[str]) -> None:
    """These runs were superseded: their pairs wait for nobody, but where somebody has begun a review."""
    gone = unit.execute(
        tables.fact.update()
        .where(_fact.comparison_id.in_(of_runs(unit.connection, run_ids)))
        .values(
            superseded=True,
            status=case((UNREAD, Status.SUPERSEDED.value), else_=_fact.status),
            touched_at=unit.at,
        )
        .returning(_fact.comparison_id)
    )
    changed(unit.connection, comparisons=gone.scalars())


def take_in_again(unit: Unit, run_ids: Collection[str]) -> None:
    """These runs are no longer superseded: their pairs wait again, but for those whose other run is."""
    superseded = select(_run.id).where(_run.state == Status.SUPERSEDED)
    still = _run_pair.run_low.in_(superseded) | _run_pair.run_high.in_(superseded)
    theirs = _run_pair.comparison_id.in_(of_runs(unit.connection, run_ids))
    found = select(_run_pair.comparison_id).where(theirs, ~still).order_by(_run_pair.comparison_id)
    for comparison_id in unit.scalars(found):
        unit.update(tables.fact, _fact.comparison_id == comparison_id, superseded=None)
        refresh(unit, comparison_id)


def void_among(connection: Connection, comparison_ids: Sequence[str]) -> frozenset[str]:
    """Those of the comparisons of which a run is void."""
    these = _fact.comparison_id.in_(among(connection, comparison_ids))
    return frozenset(connection.execute(select(_fact.comparison_id).where(these, WITH_VOID)).scalars())


def cut_off_among(connection: Connection, comparison_ids: Sequence[str]) -> int:
    """How many of the comparisons have a run that was probably cut off."""
    these = _fact.comparison_id.in_(among(connection, comparison_ids))
    cut = or_(*(func.coalesce(c, "") == "cut_off" for c in (_fact.state_a, _fact.state_b)))
    return int(
        connection.execute(select(func.count()).select_from(tables.fact).where(these, cut)).scalar_one()
    )


def run_states(connection: Connection, comparison_id: str) -> RunStates:
    """Whether each run of the comparison counts."""
    row = connection.execute(queries.RUN_STATES, {"comparison": comparison_id}).one_or_none()
    if row is None:
        return RunStates()
    each = PerOutput[str](A=row.state_a or "valid", B=row.state_b or "valid")
    return RunStates(superseded=bool(row.superseded), each=each)


def of_runs(connection: Connection, run_ids: Collection[str]) -> CompoundSelect[Any]:
    """The ids of the comparisons with one of these runs."""
    these = among(connection, run_ids)
    # Not one condition with "or": on PostgreSQL that reads the whole table.
    return union(
        *(
            select(_run_pair.comparison_id).where(side.in_(these))
            for side in (_run_pair.run_low, _run_pair.run_high)
        )
    )


def derive(connection: Connection, comparison_id: str) -> dict[str, Any]:
    """The row's values, from nothing but what was inserted (and who is at work)."""
    running, problem = _work(connection, comparison_id)
    now = verdicts.judged(connection, comparison_id)
    chosen, judgment = (now.chosen, now.judgment) if now else (None, None)
    form = now.form if now else None
    read = judgment is not None or form is not None
    if chosen is not None and not read and problem is None:
        problem = _last_problem(connection, chosen.digest)
    final, open_reviews = final_and_open(connection, comparison_id)
    runs = run_states(connection, comparison_id)
    finals = verdicts.final_reviews(connection, comparison_id) if final else ()
    effective = verdicts.effective_verdict_with(connection, comparison_id, finals, lambda: now)
    first = columns.first_assessments(now)
    people = review_facts(
        connection,
        comparison_id,
        first,
        may_reveal=bool(connection.execute(queries.MAY_REVEAL, {"comparison": comparison_id}).scalar()),
    )
    if effective.source is VerdictSource.ADJUDICATION:
        ruling = connection.execute(queries.RULING, {"comparison": comparison_id}).one()
        people["blindness"] = Blindness.least(
            Blindness(each) for each in (people["blindness"], ruling.blindness) if each
        ).value
    status = _status(
        running=running,
        judged=read,
        failed=problem is not None,
        open_reviews=open_reviews,
        enough=final >= _reviews_needed(connection, comparison_id),
        superseded=not final and not open_reviews and runs.superseded,
        void=runs.void,
    )
    return {
        "status": status.value,
        "judge_kind": chosen.judge_kind if chosen else None,
        "judge_model": chosen.judge_model if chosen else None,
        **columns.judge_columns(judgment),
        "judges_agree": judges_agree(now.by.opinion) if now and now.by else None,
        "judge_cost": _cost(connection, comparison_id),
        "problem": None if read else problem,
        "form": form.words if form else None,
        "verdict_source": effective.source.value if effective.source else None,
        # The offline check has no winner and no scores to count by; `form` says what it found.
        **columns.verdict_columns(None if effective.source is VerdictSource.OFFLINE else effective.verdict),
        "final_reviews": final,
        "open_reviews": open_reviews,
        **columns.reading_columns(now, first),
        **people,
        **columns.value_columns(effective, first),
    }


def _status(
    *,
    running: bool,
    judged: bool,
    failed: bool,
    open_reviews: int,
    enough: bool,
    superseded: bool,
    void: bool,
) -> Status:
    if superseded:
        return Status.SUPERSEDED
    if enough:
        return Status.FINALISED
    if void:
        return Status.VOID
    if open_reviews:
        return Status.DRAFT
    if running:
        return Status.JUDGING
    if judged:
        return Status.TO_REVIEW
    return Status.FAILED if failed else Status.TO_JUDGE


def final_and_open(connection: Connection, comparison_id: str) -> tuple[int, int]:
    """The number of final reviews, and of reviews with unfinished work."""
    rows = connection.execute(queries.REVIEWS, {"comparison": comparison_id}).all()
    final = sum(row.kind == "final" for row in rows)
    return final, sum(row.kind == "reopened" or (row.kind is None and row.begun) for row in rows)


def _reviews_needed(connection: Connection, comparison_id: str) -> int:
    settings = connection.execute(queries.SETTINGS, {"comparison": comparison_id}).scalar_one()
    return ProjectSettings.model_validate(settings).reviews_needed


def _work(connection: Connection, comparison_id: str) -> tuple[bool, str | None]:
    """Whether a judge reads it or is about to by itself; else why the last one ended without success."""
    these = {"comparison": comparison_id}
    if connection.execute(queries.BEING_JUDGED, these).scalar_one():
        return True, None
    return False, connection.execute(queries.ENDED_WITH, these).scalar()


def _last_problem(connection: Connection, set_digest: str) -> str | None:
    """The message of the last try of a judgment without an answer; None if all that was tried succeeded."""
    return connection.execute(queries.LAST_PROBLEM, {"set": set_digest}).scalar()


def _cost(connection: Connection, comparison_id: str) -> Decimal | None:
    """What all readings cost that used tokens; None where one of them has no known price."""
    row = connection.execute(queries.COST, {"comparison": comparison_id}).one()
    return row.cost if row.priced == row.tries else None


class Counted(NamedTuple):
    """So many comparisons of a project have this status; `reviewed` says that they have a final review."""

    project_id: str
    status: str
    reviewed: bool
    judge_model: str | None
    number: int


def counted(
    connection: Connection, *, project_id: str | None = None, among: Collection[str] | None = None
) -> tuple[Counted, ...]:
    """The numbers of a project, of some of them, or of all; an index holds all that is read."""
    keys = (_fact.project_id, _fact.status, _fact.final_reviews > 0, _fact.judge_model)
    query = select(*keys, func.count()).group_by(*keys)
    if project_id is not None:
        query = query.where(_fact.project_id == project_id)
    if among is not None:
        query = query.where(_fact.project_id.in_(sorted(among)))
    return tuple(Counted(*row) for row in connection.execute(query))
