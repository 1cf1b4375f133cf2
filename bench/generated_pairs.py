"""The rows of one generated comparison, with what it adds to the rollups."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from bench.generated_ground import START, Ground, Ids
from bench.generated_judgments import RUBRIC, Judged, Review, review_of
from comparator.domain.labels import Label, Order
from comparator.reporting.tally.counting import Adds
from comparator.reporting.tally.facts import Facts, Try
from comparator.reporting.tally.keeping import rows_of

REVIEWED = 0.1
MODEL = "claude-sonnet-5-5"
DIGEST = "d" * 64


def put_comparison(
    rows: dict[str, list[dict[str, Any]]],
    tally: Adds,
    ground: Ground,
    pool: Sequence[Judged],
    rng: random.Random,
    ids: Ids,
    number: int,
    task: int,
    first: int,
    second: int,
    rubric_id: str,
) -> None:
    """The rows of one comparison, judged in both orders, every tenth reviewed; `tally` grows by what it adds."""
    a, b = (first, second) if rng.random() < 0.5 else (second, first)
    comparison_id, at = ids(), START + timedelta(minutes=number)
    judged = rng.choice(pool)
    review = review_of(judged, rng, at) if rng.random() < REVIEWED else None
    verdict = review.verdict if review else judged.verdict
    run_a, run_b = ground.runs[task, a], ground.runs[task, b]
    low, high = sorted((run_a, run_b))
    version = ground.versions[task]

    def put(table: str, **values: Any) -> None:
        rows.setdefault(table, []).append(values)

    put(
        "comparison",
        id=comparison_id,
        project_id=ground.project_id,
        task_version_id=version,
        title=f"Task {task + 1}",
        prompt="Do it well.",
        expectations=["has a date"],
        view_a=ground.views[task, a][0],
        view_b=ground.views[task, b][0],
        input_view=None,
        reference_view=None,
        source="import",
        created_by=ground.person_id,
        created_at=at,
    )
    put(
        "ab_key",
        comparison_id=comparison_id,
        run_a=run_a,
        run_b=run_b,
        drawn=True,
        set_up_by=None,
        out_path=None,
        created_at=at,
    )
    put("run_pair", comparison_id=comparison_id, task_version_id=version, run_low=low, run_high=high)
    put("reveal_comparison", comparison_id=comparison_id, reveal_id=ground.reveal_id)
    # The first review of a comparison is what people were drawn for.
    put(
        "draw",
        comparison_id=comparison_id,
        project_id=ground.project_id,
        probability=REVIEWED,
        chosen=review is not None,
        at=at,
    )
    whole = f"{number:064x}"
    tries = []
    for order, answer in zip(Order, judged.answers, strict=True):
        judgment_id = ids()
        put(
            "judgment",
            id=judgment_id,
            comparison_id=comparison_id,
            rubric_id=rubric_id,
            view_a_digest=ground.views[task, a][1],
            view_b_digest=ground.views[task, b][1],
            judge_kind="anthropic",
            judge_model=MODEL,
            judge_digest=DIGEST,
            set_digest=whole,
            order=order.value,
            repetition=0,
            created_at=at,
        )
        put(
            "attempt",
            id=ids(),
            judgment_id=judgment_id,
            succeeded=True,
            answer=answer,
            at=at,
            error_kind=None,
            message=None,
            calls=[],
            prompts={},
            input_tokens=2400,
            output_tokens=600,
            cached_tokens=0,
            cache_written_tokens=0,
            seconds=7.5,
            cost=Decimal("0.0162"),
            currency="USD",
        )
        tries.append(Try("anthropic", MODEL, DIGEST, "USD", True, 2400, 600, 7.5, 16_200_000_000))
    if review:
        _put_review(put, review, comparison_id, rubric_id, whole, ground.person_id, ids)
    totals, rates = verdict.totals, verdict.pass_rates
    assert rates is not None
    own = judged.verdict.totals
    put(
        "rollup",
        comparison_id=comparison_id,
        project_id=ground.project_id,
        created_at=at,
        status="finalised" if review else "to_review",
        judge_kind="anthropic",
        judge_model=MODEL,
        judge_winner=judged.verdict.winner.value,
        judge_decided_by=judged.verdict.decided_by.value,
        judge_overall_a=own.A.overall_score,
        judge_overall_b=own.B.overall_score,
        position_consistent=judged.consistent,
        self_consistent=judged.self_consistent,
        left_out=len(verdict.left_out),
        stated_confidence=judged.confidence,
        quotes_found=judged.quotes[0],
        quotes_total=judged.quotes[1],
        judge_cost=Decimal("0.0324"),
        problem=None,
        verdict_source="review" if review else "judge",
        winner=verdict.winner.value,
        decided_by=verdict.decided_by.value,
        overall_a=totals.A.overall_score,
        overall_b=totals.B.overall_score,
        content_a=totals.A.content_score,
        content_b=totals.B.content_score,
        structure_a=totals.A.structure_score,
        structure_b=totals.B.structure_score,
        pass_rate_a=rates.A,
        pass_rate_b=rates.B,
        final_reviews=1 if review else 0,
        open_reviews=0,
        touched_at=at,
    )
    facts = Facts(
        comparison_id=comparison_id,
        project_id=ground.project_id,
        task_id=ground.tasks[task],
        candidate_a=ground.candidates[a],
        candidate_b=ground.candidates[b],
        number_a=a + 1,
        revealed=True,
        valid=True,
        status="finalised" if review else "to_review",
        judge_kind="anthropic",
        judge_model=MODEL,
        judge_winner=judged.verdict.winner.value,
        first_winner=judged.verdict.winner.value,
        position_consistent=judged.consistent,
        self_consistent=judged.self_consistent,
        stated_confidence=judged.confidence,
        quotes=judged.quotes,
        source="review" if review else "judge",
        winner=verdict.winner.value,
        decided_by=verdict.decided_by.value,
        overall=_tenths(totals.A.overall_score, totals.B.overall_score),
        content=_tenths(totals.A.content_score, totals.B.content_score),
        structure=_tenths(totals.A.structure_score, totals.B.structure_score),
        passed=(int(rates.A * 100), int(rates.B * 100)),
        final_reviews=1 if review else 0,
        open_reviews=0,
        audited=review is not None,
        characters=(900 + 60 * a, 900 + 60 * b),
        marks=(4 + a, 4 + b),
        shared_rubric=True,
        rubric_id=rubric_id,
        judge_digest=DIGEST,
        all_readings=len(Order),
        rubric=RUBRIC,
        judged=judged.assessments,
        effective=review.verdict.assessments if review else judged.assessments,
        readings=judged.passes,
        reviews=(review.fact,) if review else (),
        tries=tuple(tries),
        version_id=version,
        judged_by=MODEL,
        created_at=at,
        views=(ground.views[task, a][0], ground.views[task, b][0]),
        tokens=(1100 + 10 * a, 1100 + 10 * b),
        seconds=(4.0 + a, 4.0 + b),
    )
    outcome, added = rows_of(facts)
    rows.setdefault("outcome", []).append(outcome)
    tally.update(added)


def _put_review(
    put: Any,
    review: Review,
    comparison_id: str,
    rubric_id: str,
    whole: str,
    person_id: str,
    ids: Ids,
) -> None:
    review_id, fact, given = ids(), review.fact, review.verdict.assessments
    put(
        "review",
        id=review_id,
        comparison_id=comparison_id,
        person_id=person_id,
        mode=fact.mode,
        rubric_id=rubric_id,
        judgment_set=whole,
        knows=False,
        opened_at=fact.times[0],
    )
    for seq, each in enumerate(fact.changes, 1):
        _, label, path = each.target.split(":")
        put(
            "change",
            review_id=review_id,
            id=ids(),
            seq=seq,
            target=each.target,
            kind=each.kind,
            value=str(given[Label(label)].scores[path]),
            reason="",
            code="",
            author=person_id,
            at=fact.times[seq],
            stored_at=fact.times[seq],
            undoes=None,
            blind=each.blind,
            unblinded=False,
        )
    put(
        "finalisation",
        id=ids(),
        review_id=review_id,
        seq=1,
        kind="final",
        number=1,
        last_change=len(fact.changes),
        person_id=person_id,
        at=fact.times[-1],
        winner=review.verdict.winner.value,
        decided_by=review.verdict.decided_by.value,
        verdict=review.verdict.model_dump(mode="json"),
        prose={
            "reasoning": "The one is clearer.",
            "strengths": {"A": [], "B": []},
            "weaknesses": {"A": [], "B": []},
            "argues_for": review.verdict.winner.value,
        },
        result=json.dumps({}),
        changed=sum(each.kind == "set" for each in fact.changes),
        unblinded=False,
    )


def _tenths(a: Decimal, b: Decimal) -> tuple[int, int]:
    return int(a * 10), int(b * 10)
