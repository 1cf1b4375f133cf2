"""The row of facts of each comparison: its status and both verdicts, derived from what judges and people said."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import CompoundSelect, and_, case, exists, func, or_, select, true, union

from comparator.domain.labels import Label, PerOutput
from comparator.domain.project import ProjectSettings
from comparator.domain.scoring.judgment import (
    ByPosition,
    assess,
    first_passes,
    named_by_position,
    verdict_of_all,
)
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.several_judges import JudgeChoice, judges_agree
from comparator.domain.scoring.verdict import Assessment, VerdictSource
from comparator.store import tables
from comparator.store.core.sql import Connection, Unit, among, changed, kept, scalars
from comparator.store.facts import verdicts
from comparator.store.facts.review_facts import halves, review_facts
from comparator.store.facts.verdicts import OFFLINE_KIND, EffectiveVerdict, JudgedPasses, OfSeveral

MET: dict[tuple[bool | None, bool | None], str] = {
    (True, True): "b",
    (False, False): "n",
    (True, False): "A",
    (False, True): "B",
}
"""An expectation that both outputs meet, neither, only A, only B."""
NOT_ASSESSED = "-"
_SAID = ("position_consistent", "self_consistent", "stated_confidence", "quotes_found", "quotes_total")


def judge_columns(now: JudgedPasses, first: PerOutput[Assessment] | None) -> dict[str, Any]:
    """Which judge read the pair, and what its answers come to once they are complete."""
    chosen, judgment = now.chosen, now.judgment
    columns: dict[str, Any] = {"judge_kind": chosen.judge_kind, "judge_model": chosen.judge_model}
    if now.form:
        columns["form"] = now.form.words
    if judgment is not None:
        columns |= {name: getattr(judgment, name) for name in _SAID}
        if (verdict := judgment.verdict) is not None:
            columns["judge_winner"] = verdict.winner
            if verdict.totals:
                columns["judge_overall_a"] = verdict.totals.A.overall_score
                columns["judge_overall_b"] = verdict.totals.B.overall_score
    return columns | (_readings(now, first) if now.by or chosen.complete else {})


def verdict_columns(effective: EffectiveVerdict, first: PerOutput[Assessment] | None) -> dict[str, Any]:
    """The verdict that holds, with its scores: A's lead by criterion in half points, and who meets each expectation.

    The offline check has no winner and no scores to count by; `form` says what it found.
    """
    verdict, source = effective.verdict, effective.source
    columns: dict[str, Any] = {"verdict_source": source}
    if verdict is None or source is VerdictSource.OFFLINE:
        return columns
    columns |= {
        "winner": verdict.winner,
        "decided_by": verdict.decided_by,
        "left_out": len(verdict.left_out),
        "criteria": {},
        "reasoning": effective.prose.reasoning if effective.prose else "",
    }
    for label in Label:
        side = label.value.lower()
        if verdict.totals:
            totals = verdict.totals[label]
            for part in ("overall", "content", "structure"):
                columns[f"{part}_{side}"] = getattr(totals, f"{part}_score")
        if verdict.pass_rates:
            columns[f"pass_rate_{side}"] = verdict.pass_rates[label]
    values = first if source is VerdictSource.JUDGE else verdict.assessments
    if values is not None:
        a, b = values.map(halves).A, values.map(halves).B
        letters = zip(values.A.expectations, values.B.expectations, strict=True)
        columns["criteria"] = {path: score - b[path] for path, score in a.items() if path in b}
        columns["met"] = "".join(MET.get(both, NOT_ASSESSED) for both in letters) or None
    return columns


def first_assessments(now: JudgedPasses | None) -> PerOutput[Assessment] | None:
    """What the first readings of each order say together, or several judges jointly; None before that.

    A pair that was read again was unsure: figures of the judge look at first readings.
    """
    if now is None or now.judgment is None:
        return None
    first = first_passes(now.judgment.passes)
    if now.by is not None or len(first) == len(now.judgment.passes):
        return now.judgment.assessments
    return assess(now.judgment.rubric, first)


def _readings(now: JudgedPasses, first: PerOutput[Assessment] | None) -> dict[str, Any]:
    chosen, judgment = now.chosen, now.judgment
    columns: dict[str, Any] = {
        "rubric_id": chosen.rubric_id,
        "shared_rubric": now.rubric is not None and now.rubric.shared,
    }
    if not now.form and chosen.judge_kind != OFFLINE_KIND:
        columns["judge_digest"] = chosen.judge_digest
    settled = judgment.verdict if judgment else None
    if now.by is not None:
        columns["judges_agree"] = judges_agree(now.by.opinion)
        columns |= {"readings": 0, "judges": [_judge(now.by, member) for member in now.by.judges.members]}
    elif judgment is not None:
        firsts = first_passes(judgment.passes)
        for order, winner in judgment.first_winners.items():
            columns[f"winner_{order.name.lower()}"] = winner
        columns["readings"] = len(judgment.passes)
        columns["read_again"] = again = len(judgment.passes) > len(firsts)
        columns["used_tools"] = any(used.calls for reading in firsts if (used := reading.answer.examined))
        if again and first is not None:
            settled = verdict_of_all(judgment.rubric, firsts) or settled
    return columns | {"first_winner": settled.winner if settled else None}


def _judge(by: OfSeveral, member: JudgeChoice) -> list[Any]:
    judgment = by.judgments[member.name]
    leans = named_by_position(judgment) if judgment else ByPosition(0, 0)
    vote = by.opinion.votes[member.name].value
    return [member.name, member.kind, member.model, member.digest, vote, leans.first, leans.second]


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
    NOT_REVIEWED = "not_reviewed"
    """It was revealed before anybody began a review: nobody is asked for one that would not be blind."""


AT_REST = (Status.SUPERSEDED, Status.VOID, Status.NOT_REVIEWED)
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

_batch, _item = tables.batch.c, tables.batch_item.c
MEASURED = and_(
    _fact.status == Status.TO_JUDGE,
    exists().where(
        _item.comparison_id == _fact.comparison_id,
        _item.state == "done",
        _batch.id == _item.batch_id,
        _batch.trial == true(),
    ),
)
"""Of a row of `fact`: it was read only to measure a judge. It has no verdict of its own, and waits for nobody."""

VALID = PerOutput(A="valid", B="valid")


@dataclass(frozen=True)
class RunStates:
    """Which of a comparison's runs do not count."""

    superseded: bool = False
    """A later import replaced one of them; which one is not told."""
    sides: PerOutput[str] = VALID
    """`valid`, `void` or `cut_off`."""

    @property
    def void(self) -> bool:
        """Whether one of them is void.

        >>> RunStates(sides=PerOutput(A="valid", B="void")).void
        True
        """
        return "void" in (self.sides.A, self.sides.B)

    @property
    def cut_off(self) -> tuple[Label, ...]:
        """The outputs that were probably cut off before their end."""
        return tuple(label for label, state in self.sides.items() if state == "cut_off")


WITH_VOID = or_(*(func.coalesce(column, "") == "void" for column in (_fact.state_a, _fact.state_b)))
"""Of a row of `fact`: one of the runs is void."""


def refresh(unit: Unit, comparison_id: str) -> None:
    """Derive the comparison's row anew, in the transaction of what changed it; nothing where it is gone."""
    these = {"comparison": comparison_id}
    # Two writers take turns, so that the later one sees what both did.
    if unit.execute(verdicts.LOCK_ROW, these).first() is None:
        return
    changed(unit, comparisons=[comparison_id])
    unit.execute(verdicts.UPDATE, {**derive(unit, comparison_id), "touched_at": unit.at, **these})


def lock(connection: Connection, run_ids: Collection[str]) -> None:
    """Hold the rows of these runs' comparisons until the end of the transaction.

    In one order, so that two who change several comparisons do not wait for each other.
    """
    query = select(_fact.comparison_id).where(_fact.comparison_id.in_(of_runs(connection, run_ids)))
    connection.execute(query.order_by(_fact.comparison_id).with_for_update())


def set_aside(unit: Unit, run_ids: Collection[str]) -> None:
    """These runs were superseded: their pairs wait for nobody, but where somebody has begun a review."""
    gone = (
        tables.fact.update()
        .where(_fact.comparison_id.in_(of_runs(unit, run_ids)))
        .values(
            superseded=True,
            status=case((UNREAD, Status.SUPERSEDED.value), else_=_fact.status),
            touched_at=unit.at,
        )
    )
    changed(unit, comparisons=scalars(unit, gone.returning(_fact.comparison_id)))


def take_in_again(unit: Unit, run_ids: Collection[str]) -> None:
    """These runs are no longer superseded: their pairs wait again, but for those whose other run is."""
    superseded = select(_run.id).where(_run.state == Status.SUPERSEDED)
    still = _run_pair.run_low.in_(superseded) | _run_pair.run_high.in_(superseded)
    theirs = _run_pair.comparison_id.in_(of_runs(unit, run_ids))
    query = select(_run_pair.comparison_id).where(theirs, ~still).order_by(_run_pair.comparison_id)
    for comparison_id in scalars(unit, query):
        unit.update(tables.fact, _fact.comparison_id == comparison_id, superseded=None)
        refresh(unit, comparison_id)


def not_to_judge(connection: Connection, comparison_ids: Sequence[str], *, void_too: bool) -> frozenset[str]:
    """Those of the comparisons of which a run is superseded, or (unless `void_too`) void."""
    these = _fact.comparison_id.in_(among(connection, comparison_ids))
    superseded = _fact.superseded.is_(True)
    out = superseded if void_too else or_(superseded, WITH_VOID)
    return frozenset(scalars(connection, select(_fact.comparison_id).where(these, out)))


def run_states(connection: Connection, comparison_id: str) -> RunStates:
    """Whether each run of the comparison counts."""
    row = connection.execute(verdicts.PAIR, {"comparison": comparison_id}).one_or_none()
    return RunStates() if row is None else _run_states(row)


def _run_states(row: Any) -> RunStates:
    states = PerOutput(A=row.state_a or "valid", B=row.state_b or "valid")
    return RunStates(superseded=bool(row.superseded), sides=states)


def of_runs(connection: Connection, run_ids: Collection[str]) -> CompoundSelect[Any]:
    """The ids of the comparisons with one of these runs."""
    these = among(connection, run_ids)
    # Not one condition with "or": on PostgreSQL that reads the whole table.
    sides = (_run_pair.run_low, _run_pair.run_high)
    return union(*(select(_run_pair.comparison_id).where(side.in_(these)) for side in sides))


_NOT_DERIVED = {"comparison_id", "project_id", "created_at", "touched_at", "superseded", "state_a", "state_b"}
_EMPTY = dict.fromkeys(name for name in _fact.keys() if name not in _NOT_DERIVED)  # noqa: SIM118  # columns, no dict


def derive(connection: Connection, comparison_id: str) -> dict[str, Any]:
    """The row's values, from nothing but what was inserted (and who is at work)."""
    these = {"comparison": comparison_id}
    pair = connection.execute(verdicts.PAIR, these).one()
    reviews = connection.execute(verdicts.REVIEWS, these).all()
    final = sum(row.kind == "final" for row in reviews)
    begun = sum(row.kind == "reopened" or (row.kind is None and row.begun) for row in reviews)
    now = verdicts.judged(connection, comparison_id)
    first = first_assessments(now)
    effective = verdicts.effective_verdict(connection, comparison_id, now, verdicts.finals(reviews))
    people = review_facts(connection, reviews, first, may_reveal=bool(pair.may_reveal))
    if effective.source is VerdictSource.ADJUDICATION:
        ruling = connection.execute(verdicts.RULING, these).one()
        known = (Blindness(value) for value in (people["blindness"], ruling.blindness) if value)
        people["blindness"] = Blindness.least(known)
    # Whether a judge reads it or is about to by itself; else why the last one ended without success.
    running, problem = bool(connection.execute(verdicts.BEING_JUDGED, these).scalar()), None
    if not running:
        problem = connection.execute(verdicts.ENDED_WITH, these).scalar()
    read = now is not None and (now.judgment is not None or now.form is not None)
    if now is not None and not read and problem is None:
        problem = connection.execute(verdicts.LAST_PROBLEM, {"set": now.chosen.digest}).scalar()
    runs, needed = _run_states(pair), ProjectSettings.model_validate(pair.settings).reviews_needed
    holds = {
        Status.SUPERSEDED: runs.superseded and not final and not begun,
        Status.FINALISED: final >= needed,
        Status.VOID: runs.void,
        Status.DRAFT: begun,
        Status.JUDGING: running,
        Status.NOT_REVIEWED: read and pair.reveal_id is not None,
        Status.TO_REVIEW: read,
        Status.FAILED: problem is not None,
        Status.TO_JUDGE: True,
    }
    return {
        **_EMPTY,
        "status": next(status for status, so in holds.items() if so),
        **(judge_columns(now, first) if now else {}),
        "problem": None if read else problem,
        **verdict_columns(effective, first),
        "final_reviews": final,
        "open_reviews": begun,
        **people,
    }


def reasons(connection: Connection, comparison_ids: Sequence[str]) -> dict[str, str]:
    """By comparison the reasoning of the verdict that holds; it speaks of A and B, and is empty without a verdict."""
    query = select(_fact.comparison_id, _fact.reasoning)
    rows = connection.execute(query.where(_fact.comparison_id.in_(among(connection, comparison_ids))))
    return {row.comparison_id: row.reasoning or "" for row in rows}


class Counted(NamedTuple):
    """So many comparisons of a project have this status; `reviewed` says that they have a final review."""

    project_id: str
    status: str
    reviewed: bool
    judge_model: str | None
    number: int


def counted(connection: Connection, projects: Collection[str] | None = None) -> tuple[Counted, ...]:
    """The numbers of some projects, or of all; an index holds all that is read."""
    keys = (_fact.project_id, _fact.status, _fact.final_reviews > 0, _fact.judge_model)
    query = select(*keys, func.count()).group_by(*keys)
    if projects is not None:
        query = query.where(_fact.project_id.in_(projects))

    def read() -> tuple[Counted, ...]:
        return tuple(Counted(*row) for row in connection.execute(query))

    return kept(connection, "counted", projects, read, size=10_000)
