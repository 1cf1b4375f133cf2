"""What judging a pair, a batch or an import's new pairs will cost about, before anybody pays for it."""

from collections.abc import Collection, Sequence
from decimal import Decimal

import sqlalchemy as sa

from comparator.domain.counted import counted
from comparator.domain.labels import Frozen, Order, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.judgment import JudgeIdentity
from comparator.domain.scoring.repetitions import first_round
from comparator.domain.scoring.several_judges import JudgeChoice
from comparator.domain.usage import CHARACTERS_A_TOKEN, Usage, added
from comparator.jobs.start_batches import judges_of, left_out, pairs_for
from comparator.judges.prices import BATCHED, cost_of
from comparator.store import tables
from comparator.store.bulk.batches import BatchRequest, Via
from comparator.store.core.sql import Connection, among
from comparator.store.facts.verdicts import OFFLINE_KIND
from comparator.store.judging import judgments
from comparator.store.pairs import comparisons
from comparator.workflow.importing.planned import Plan, PlannedPair
from comparator.workflow.judging.paying import cost_text
from comparator.workflow.judging.rubrics import rubric_in_force
from comparator.workflow.services import Services

INSTRUCTIONS = 3_500
"""Tokens of the judge's own instructions, rubric and answer format in one reading."""
ANSWER = 3_000
"""Tokens of one answer, the model's thinking included, of a model that has answered too rarely to tell."""
RECENT, FEWEST = 200, 10
"""Of so many readings in the database that were stored last, at least so many by a model say what it takes."""
ASKED_AGAIN = Decimal("0.05")
"""The share of readings that are asked about once more, because their scores and verdict disagree: 3 of 80 readings of
adversarial pairs, rounded up."""
RUBRIC = Usage(input_tokens=2_500, output_tokens=1_800)


class Estimate(Frozen):
    """What judging takes about: requests, tokens and US dollars; the cost is None where no price is known.

    Pictures and pages are not counted, and what a provider has cached may cost less. `void` pairs with an unusable
    output would wait for the judge too, and are left out. A judge that opens files with tools asks more often.
    """

    pairs: int
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal | None = Decimal(0)
    void: int = 0
    is_guess: bool = False
    """Whether the model has answered too rarely to know how long its answers are."""


def _estimate(
    connection: Connection,
    judge: JudgeIdentity,
    *,
    readings: int,
    rubrics: int,
    wording: int,
    outputs: int,
    **numbers: int,
) -> Estimate:
    """Of readings of pairs whose wording and outputs have so many characters in the mean; nothing offline."""
    if judge.kind == "offline":
        return Estimate.model_validate(numbers)
    once = INSTRUCTIONS + (wording + outputs) // CHARACTERS_A_TOKEN
    # Asked once more, everything goes in again, with the first answer.
    measured = _answer_of(connection, judge.model)
    answer = measured or ANSWER
    tokens_in = once + int((once + answer) * ASKED_AGAIN)
    reading = Usage(input_tokens=tokens_in, output_tokens=answer + int(answer * ASKED_AGAIN))
    rubric = RUBRIC + Usage(input_tokens=wording // CHARACTERS_A_TOKEN)
    costs = [cost_of(judge.model, usage) for usage in (rubric, reading)]
    return Estimate(
        calls=rubrics + readings,
        input_tokens=rubrics * rubric.input_tokens + readings * reading.input_tokens,
        output_tokens=rubrics * rubric.output_tokens + readings * reading.output_tokens,
        cost=None if costs[0] is None or costs[1] is None else rubrics * costs[0] + readings * costs[1],
        is_guess=measured is None,
        **numbers,
    )


def _answer_of(connection: Connection, model: str) -> int | None:
    """Tokens of one answer of the model, as its latest readings took; None after too few of them."""
    attempt, judgment = tables.attempt.c, tables.judgment.c
    latest = (
        sa.select(judgment.judge_model, attempt.output_tokens)
        .join_from(tables.attempt, tables.judgment, judgment.id == attempt.judgment_id)
        .where(attempt.succeeded, judgment.judge_kind != OFFLINE_KIND)
        .order_by(attempt.at.desc())
        .limit(RECENT)
        .subquery()
        .c
    )
    query = sa.select(sa.func.count(), sa.func.avg(latest.output_tokens)).where(latest.judge_model == model)
    readings, mean = connection.execute(query).one()
    return int(mean) if readings >= FEWEST else None


def estimate_of(services: Services, request: BatchRequest) -> Estimate:
    """What the batch would take about; what is read already is not asked again. Raises what `start` refuses."""
    estimates = [_of_one(services, request, choice) for choice in judges_of(services, request).members]
    return estimates[0].copy_with(
        calls=sum(one.calls for one in estimates),
        cost=added(one.cost for one in estimates),
    )


def _of_one(services: Services, request: BatchRequest, judge: JudgeChoice) -> Estimate:
    first = first_round(judge.repetitions)
    with services.database.read() as connection:
        ids = pairs_for(services.database, connection, request, judge)
        left = dict.fromkeys(ids, first * len(Order))
        done = judgments.counts(connection, ids, judge=judge, repetitions=first, trial=request.is_trial)
        for comparison in comparisons.by_id(connection, list(done)).values():
            if rubric := rubric_in_force(connection, comparison, judge):
                left[comparison.id] -= done[comparison.id].get(rubric.id, 0)
        unread = [id for id in ids if left[id]]
        wording, outputs, rubrics = _sizes(connection, unread, most=services.output_budget.characters)
        about = _estimate(
            connection,
            judge,
            readings=sum(left.values()),
            rubrics=rubrics,
            wording=wording,
            outputs=outputs,
            pairs=len(ids),
            void=left_out(connection, request),
        )
    if about.cost is None or request.via is not Via.BATCHES:
        return about
    return about.copy_with(cost=about.cost * BATCHED)


def in_words(about: Estimate) -> str:
    """What judging takes about, and what is left out."""
    cost = cost_text(about.cost) + (" at a first guess" if about.cost and about.is_guess else "")
    calls = f"about {counted(about.calls, 'request')}, {cost}" if about.calls else "no cost"
    left = f" Left out: {counted(about.void, 'pair')} with an unusable output." if about.void else ""
    return f"{counted(about.pairs, 'pair')}, {calls}.{left}"


def _sizes(connection: Connection, ids: Collection[str], *, most: int) -> tuple[int, int, int]:
    """The mean characters of these comparisons' wordings and outputs, and how many of their tasks have no rubric."""
    comparison, rubric = tables.comparison.c, tables.rubric.c
    views = [tables.view.alias(), tables.view.alias()]
    wording = sa.func.length(comparison.prompt) + sa.func.length(
        sa.type_coerce(comparison.expectations, sa.Text)
    )
    outputs = [sa.case((view.c.size > most, most), else_=view.c.size) for view in views]
    # By what the offline check put there no model goes, unless somebody locked it.
    usable = sa.or_(rubric.author_kind != OFFLINE_KIND, rubric.locked_at.is_not(None))
    written = sa.exists().where(rubric.task_version_id == comparison.task_version_id, usable)
    unwritten = sa.func.count(sa.distinct(sa.case((~written, comparison.task_version_id))))
    query = (
        sa.select(sa.func.avg(wording), sa.func.avg(outputs[0] + outputs[1]), unwritten)
        .join_from(tables.comparison, views[0], views[0].c.id == comparison.view_a)
        .join(views[1], views[1].c.id == comparison.view_b)
        .where(comparison.id.in_(among(connection, ids)))
    )
    a, b, rubrics = connection.execute(query).one()
    return int(a or 0), int(b or 0), rubrics


def new_pairs(plan: Plan, *, all_runs: bool) -> tuple[PlannedPair, ...]:
    """The new pairs that an import would have judged: with an unusable output only where all are asked for."""
    new = (pair for pair in plan.pairs if pair.known is None)
    return tuple(pair for pair in new if all_runs or not pair.is_void)


def estimate_import(services: Services, plan: Plan, judge: JudgeIdentity, *, all_runs: bool) -> Estimate:
    """What judging the pairs that are new takes about."""
    new = new_pairs(plan, all_runs=all_runs)
    void = len(new_pairs(plan, all_runs=True)) - len(new)
    return estimate_pairs(services, judge, [(pair.first.text, pair.characters) for pair in new], void=void)


def estimate_pairs(
    services: Services,
    judge: JudgeIdentity,
    pairs: Sequence[tuple[TaskText, PerOutput[int]]],
    *,
    void: int = 0,
) -> Estimate:
    """What judging pairs with so many characters takes about; a rubric is written once a task version."""
    number, most = max(len(pairs), 1), services.output_budget.characters
    with services.database.read() as connection:
        return _estimate(
            connection,
            judge,
            readings=len(pairs) * first_round(services.settings.repetitions) * len(Order),
            rubrics=len({task.digest for task, _ in pairs}),
            wording=sum(len(task.prompt) + sum(map(len, task.expectations)) for task, _ in pairs) // number,
            outputs=sum(min(size, most) for _, both in pairs for _, size in both.items()) // number,
            pairs=len(pairs),
            void=void,
        )
