"""Puts the review page's data together from what is stored; no table that leads to a candidate is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from comparator.domain.labels import Dimension, Label, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import without_sides
from comparator.domain.scoring.form import form_in_words
from comparator.domain.scoring.judgment import ExpectationMark, JudgeState, Mark, Pass, Quote
from comparator.domain.scoring.repetitions import rule_in_words
from comparator.domain.scoring.review import UNTOUCHED, Blindness, Part, Target
from comparator.domain.scoring.several_judges import vote_of
from comparator.domain.scoring.verdict import Verdict, not_assessed_in_words
from comparator.judges.stored import MODEL as EXAMPLE
from comparator.store.bulk import pair_batches
from comparator.store.core.database import Connection
from comparator.store.judging import judgments
from comparator.store.judging.judgments import Effort
from comparator.store.pairs import outputs, tasks
from comparator.store.pairs.outputs import ViewRow
from comparator.store.rollup import rollup
from comparator.store.rollup.verdicts import OfSeveral
from comparator.workflow.judging.progress import Progress, progress_since
from comparator.workflow.review.current_verdict import (
    current_verdict,
    judged_value,
    lacking_before_opening,
    problems,
)
from comparator.workflow.review.review import guess_choices
from comparator.workflow.review.review_state import ReviewState, review_state
from comparator.workflow.review.sheet import (
    CitedQuote,
    CriterionLine,
    ExpectationLine,
    FinalVersion,
    GivenLine,
    GuessChoiceLine,
    GuessLine,
    JudgeCheck,
    JudgeSays,
    JudgeScore,
    JudgeSummary,
    OwnValue,
    ProseFields,
    Rationale,
    Reasons,
    Sheet,
    SheetFile,
    SheetVerdict,
)
from comparator.workflow.review.sheet_files import FileIds, cited, files_shown
from comparator.workflow.services import Services


def read_sheet(services: Services, comparison_id: str, *, person_id: str) -> Sheet:
    """The review page's data as it is stored now. Raises NotFound."""
    with services.read() as unit:
        state = review_state(unit, comparison_id, person_id=person_id)
        files, ids = files_shown(unit.connection, state)
        return _sheet(unit.connection, state, now=unit.at, person_id=person_id, files=files, ids=ids)


def read_scores(services: Services, comparison_id: str, *, person_id: str) -> Sheet:
    """The same without its list of files, which may be thousands; only those that are cited are looked up."""
    with services.read() as unit:
        state = review_state(unit, comparison_id, person_id=person_id)
        return _scores(unit.connection, state, now=unit.at, person_id=person_id)


def scores_of(services: Services, state: ReviewState, *, person_id: str) -> Sheet:
    """The same for a review of which it is known how it stands."""
    now = services.now()
    with services.database.read() as connection:
        return _scores(connection, state, now=now, person_id=person_id)


def _scores(connection: Connection, state: ReviewState, *, now: datetime, person_id: str) -> Sheet:
    ids = cited(connection, state)
    return _sheet(connection, state, now=now, person_id=person_id, files=(), ids=ids)


def _sheet(
    connection: Connection,
    state: ReviewState,
    *,
    now: datetime,
    person_id: str,
    files: tuple[SheetFile, ...],
    ids: FileIds,
) -> Sheet:
    comparison = state.comparison
    holds = current_verdict(state)
    told = state.revealed or state.blindness is Blindness.KNOWN
    rows = outputs.get_views(connection, {comparison.view_a, comparison.view_b})
    views = PerOutput[ViewRow](A=rows[comparison.view_a], B=rows[comparison.view_b])
    runs = rollup.run_states(connection, comparison.id)
    return Sheet(
        comparison_id=comparison.id,
        read_at=now,
        seen=views.A.pictured,
        title=state.comparison.title,
        prompt=_wording(connection, state).prompt,
        tags=tasks.tags_of_version(connection, comparison.task_version_id),
        project_id=state.project.id,
        project_name=state.project.name,
        files=files,
        # Which side left what it says about itself would tell a reviewer whose it is.
        set_aside=views.map(lambda view: view.set_aside if told else ()),
        view_notes=views.map(lambda view: view.notes),
        rubric_version=state.rubric.number if state.rubric else None,
        rubric_author=state.rubric.author if state.rubric else None,
        criteria=tuple(_criteria(state, ids)),
        expectations=tuple(_expectations(state, _wording(connection, state))),
        prose=_prose(state, holds.prose.reasoning),
        own_winner=_own(state, Target(part=Part.WINNER)),
        judge=_judge(connection, state, now=now),
        judge_verdict=_verdict(state.judgment.verdict) if state.judgment and state.judgment.verdict else None,
        verdict=_verdict(holds.verdict) if holds.verdict else None,
        missing=holds.missing,
        problems=problems(state, holds),
        reasons=Reasons(state.project.settings.reasons.value),
        reason_codes=state.project.settings.reason_codes,
        finalised=state.final,
        versions=tuple(
            FinalVersion(
                number=v.number,
                at=v.at,
                winner=v.winner,
                decided_by=v.decided_by,
                changed=v.changed,
                unblinded=v.unblinded,
                not_assessed=not_assessed_in_words(len(v.verdict.left_out)) if v.verdict else "",
            )
            for v in state.events
            if v.kind == "final" and v.winner is not None and v.decided_by is not None
        ),
        saved=tuple(change.id for change in state.changes),
        saved_at=state.stored.stored_at,
        undoable=_undoable(state, person_id),
        aside_of_both=without_sides(each for label in Label for each in views[label].set_aside),
        opened=state.opened,
        blind=state.mode.blind,
        preference=_own(state, Target(part=Part.PREFERENCE)) if state.mode.prefers else None,
        before_opening=lacking_before_opening(state),
        answers=tuple(
            GivenLine(id=each.id, kind=each.kind.value, reason=each.text, at=each.at)
            for each in state.answers
        ),
        guess=_guess(state),
        superseded=runs.superseded,
        may_reveal=bool(comparison.may_reveal),
        void=runs.void,
        cut_off=runs.cut_off,
        blindness=state.blindness,
        revealed=state.revealed,
    )


def _wording(connection: Connection, state: ReviewState) -> TaskText:
    """The task as it was handed in once it is revealed, before that as judge and reviewer get it."""
    if not state.revealed:
        return state.comparison.wording
    return tasks.get_version(connection, state.comparison.task_version_id).text


def _guess(state: ReviewState) -> GuessLine | None:
    choices = guess_choices(state)
    if choices is None:
        return None
    return GuessLine(choices=tuple(GuessChoiceLine(number=c.number, text=c.text) for c in choices))


def _criteria(state: ReviewState, ids: FileIds) -> Iterator[CriterionLine]:
    if state.rubric is None:
        return
    passes = state.judgment.passes if state.judgment else ()
    rubric = state.rubric.rubric
    for path, criterion in rubric.lines():
        dimension, _, _ = path.partition(".")
        yield CriterionLine(
            path=path,
            dimension=Dimension(dimension),
            name=criterion.name,
            description=criterion.description,
            anchors=criterion.anchors,
            judge=PerOutput[JudgeScore](
                A=_score(state, path, Label.A, passes, ids), B=_score(state, path, Label.B, passes, ids)
            )
            if passes
            else None,
            own=_both(state, Part.SCORE, path),
        )


def _score(state: ReviewState, path: str, label: Label, passes: tuple[Pass, ...], ids: FileIds) -> JudgeScore:
    assert state.judgment is not None
    marks: list[tuple[Pass, Mark]] = [(p, p.answer.criteria[path][label]) for p in passes]
    return JudgeScore(
        score=state.judgment.assessments[label].scores.get(path),
        by_pass=tuple(
            Rationale(
                order=p.order,
                repetition=p.repetition,
                value=mark.score,
                text=mark.rationale,
                quotes=tuple(_quote(quote, label, ids) for quote in mark.quotes),
            )
            for p, mark in marks
        ),
    )


def _expectations(state: ReviewState, wording: TaskText) -> Iterator[ExpectationLine]:
    judgment = state.judgment
    for index, text in enumerate(wording.expectations):
        judge = None
        if judgment is not None:
            judge = PerOutput[JudgeCheck](A=_check(state, index, Label.A), B=_check(state, index, Label.B))
        yield ExpectationLine(
            index=index, text=text, judge=judge, own=_both(state, Part.EXPECTATION, str(index))
        )


def _check(state: ReviewState, index: int, label: Label) -> JudgeCheck:
    assert state.judgment is not None
    marks: list[tuple[Pass, ExpectationMark]] = [
        (p, p.answer.expectations[index][label]) for p in state.judgment.passes
    ]
    return JudgeCheck(
        passed=state.judgment.assessments[label].expectations[index],
        agree=state.judgment.expectations_agree[index][label],
        by_pass=tuple(
            Rationale(order=p.order, repetition=p.repetition, value=mark.passed, text=mark.evidence)
            for p, mark in marks
        ),
    )


def _quote(quote: Quote, label: Label, ids: FileIds) -> CitedQuote:
    return CitedQuote(
        file_id=ids.get((label, quote.file)),
        file=quote.file,
        text=quote.text,
        found=quote.found,
        start=quote.start,
        end=quote.end,
    )


def _both(state: ReviewState, part: Part, key: str | None) -> PerOutput[OwnValue]:
    return PerOutput[OwnValue](
        A=_own(state, Target(part=part, label=Label.A, key=key)),
        B=_own(state, Target(part=part, label=Label.B, key=key)),
    )


def _own(state: ReviewState, target: Target) -> OwnValue:
    entry = state.touched.get(str(target), UNTOUCHED)
    return OwnValue(
        touch=entry.touch,
        blind=entry.blind,
        shown=judged_value(state.judgment, target) if entry.value is None else entry.value,
        reason=entry.reason,
        code=entry.code,
    )


def _prose(state: ReviewState, reasoning: str) -> ProseFields:
    own = _own(state, Target(part=Part.REASONING))
    return ProseFields(
        # What the reviewer edits is what they wrote; as long as they wrote nothing, it is what would be exported.
        reasoning=own if state.own_reasoning is not None else own.model_copy(update={"shown": reasoning}),
        strengths=_both(state, Part.STRENGTHS, None),
        weaknesses=_both(state, Part.WEAKNESSES, None),
    )


def _rule(state: ReviewState, asked: pair_batches.LastBatch | None) -> str:
    """How often the judge reads, and by which guidance it went; empty where nobody asked it."""
    if asked is None:
        return ""
    rule, version = rule_in_words(asked.judge.repetitions), state.chosen.guidance if state.chosen else None
    return rule if version is None else f"{rule}; guidance version {version}"


def _judge(connection: Connection, state: ReviewState, *, now: datetime) -> JudgeSummary:
    comparison_id = state.comparison.id
    asked = pair_batches.last_asked(connection, comparison_id)
    far = progress_since(connection, comparison_id, asked, now=now)
    if not state.opened:
        return _closed_judge(state, far)
    efforts = judgments.efforts(connection, comparison_id)
    ours = _sets(state)
    mine = [a for a in efforts if not ours or a.set_digest in ours]
    judgment = state.judgment
    if (judgment is not None or state.form) and not far.in_progress:
        far = Progress(state=JudgeState.DONE)
    elif far.state in (JudgeState.WAITING, JudgeState.DONE) and not far.in_progress:
        failed = [a.message for a in judgments.failures(connection, comparison_id) if a.message]
        if failed:
            far = Progress(state=JudgeState.FAILED, problem=" ".join(dict.fromkeys(failed)))
    return JudgeSummary(
        kind=state.chosen.judge_kind if state.chosen else "",
        model=state.chosen.judge_model if state.chosen else "",
        state=far.state,
        form=form_in_words(state.form),
        example=state.chosen is not None and state.chosen.judge_model == EXAMPLE,
        version=state.chosen.judge_digest if state.chosen else "",
        problem=far.problem,
        step=far.step,
        position_consistent=judgment.position_consistent if judgment else None,
        self_consistent=judgment.self_consistent if judgment else None,
        readings=len(judgment.passes) if judgment else 0,
        rule=_rule(state, asked),
        judges=tuple(_each_judge(state.several, mine)) if state.several else (),
        settled=state.several.opinion.settled if state.several else None,
        examined=judgment.examined if judgment else None,
        stated_confidence=judgment.stated_confidence if judgment else None,
        quotes_found=judgment.quotes_found if judgment else 0,
        quotes_total=judgment.quotes_total if judgment else 0,
        addressed_judge=tuple(
            dict.fromkeys(text for p in judgment.passes for text in p.answer.addressed_judge)
        )
        if judgment
        else (),
        input_tokens=sum(a.input_tokens + a.cache_written_tokens for a in mine),
        output_tokens=sum(a.output_tokens for a in mine),
        cached_tokens=sum(a.cached_tokens for a in mine),
        cost=judgments.total_cost(mine),
        seconds=sum(a.seconds for a in mine),
        prompt_digests={name: digest for a in mine for name, digest in a.prompts.items()},
        view_digests=PerOutput[str](A=state.chosen.view_a_digest, B=state.chosen.view_b_digest)
        if state.chosen
        else None,
    )


def _sets(state: ReviewState) -> frozenset[str]:
    """The sets of readings that the judgment is made of."""
    if state.several is not None:
        return frozenset(each.digest for each in state.several.sets.values())
    return frozenset((state.chosen.digest,) if state.chosen else ())


def _each_judge(several: OfSeveral, efforts: Sequence[Effort]) -> Iterator[JudgeSays]:
    for each in several.judges.members:
        verdict = judgment.verdict if (judgment := several.judgments[each.name]) else None
        its = several.sets.get(each.name)
        yield JudgeSays(
            name=each.name,
            model=each.model,
            vote=vote_of(judgment),
            overall=verdict.overall if verdict else None,
            cost=judgments.total_cost(e for e in efforts if its is not None and e.set_digest == its.digest),
        )


def _closed_judge(state: ReviewState, far: Progress) -> JudgeSummary:
    """Whether there will be something to open, and nothing of what it says: no model, no effort, no error's words."""
    judged = state.chosen is not None and state.chosen.complete
    return JudgeSummary(
        kind="", model="", state=JudgeState.DONE if judged and not far.in_progress else far.state
    )


def _verdict(verdict: Verdict) -> SheetVerdict:
    return SheetVerdict(
        winner=verdict.winner,
        decided_by=verdict.decided_by,
        totals=verdict.totals,
        pass_rates=verdict.pass_rates,
        not_assessed=not_assessed_in_words(len(verdict.left_out)),
    )


def _undoable(state: ReviewState, person_id: str) -> bool:
    undone = {change.undoes for change in state.changes}
    return not state.final and any(
        change.author == person_id and change.undoes is None and change.id not in undone
        for change in state.changes
    )
