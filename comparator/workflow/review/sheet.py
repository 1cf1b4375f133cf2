"""The review page's data: everything that a reviewer may see of a comparison, and nothing that leads to a candidate."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from pydantic import AwareDatetime, Field

from comparator.domain.labels import Frozen, Label, Order, PerOutput
from comparator.domain.pair.examination import ToolCall
from comparator.domain.pair.view import Family, SetAside, without_sides
from comparator.domain.project import GuessChoice, ReasonRule
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import JudgeState, MergedJudgment, Prose
from comparator.domain.scoring.repetitions import rule_in_words
from comparator.domain.scoring.review import Blindness, ReviewEntry
from comparator.domain.scoring.rubric import Rubric, form_in_words
from comparator.domain.scoring.several_judges import JointOutcome, Vote, vote_of
from comparator.domain.scoring.verdict import Verdict
from comparator.judges.stored import WRITTEN
from comparator.outputs.view.built import Original
from comparator.store.bulk import batch_items
from comparator.store.core.sql import Connection
from comparator.store.facts import fact, verdicts
from comparator.store.judging import judgments
from comparator.store.pairs import outputs, tasks
from comparator.store.reviewing.notes import Note
from comparator.store.reviewing.reviews import Finalisation
from comparator.workflow.judging.asking import Progress, progress_of
from comparator.workflow.people.people import allows
from comparator.workflow.review.review import guess_choices
from comparator.workflow.review.review_state import (
    ReviewState,
    blindness_of,
    current_verdict,
    lacking_before_opening,
    problems,
    review_state,
)
from comparator.workflow.services import Services


class JudgeSays(Frozen):
    """One of several judges of a pair: its vote over both orders, and what it took."""

    name: str
    model: str
    vote: Vote
    overall: PerOutput[Decimal] | None
    """None without a verdict."""
    cost: Decimal | None


class JudgeSummary(Frozen):
    """Who judged, how far it is, and what it took."""

    last_kind: str = ""
    """The kind of the judge that was asked last, whether or not it has read the pair; empty where none was."""
    kind: str = ""
    model: str = ""
    state: JudgeState
    form: str = ""
    """What the offline check found, in words; all it says."""
    example: bool = False
    """Whether its answers were written for an example, and no model was asked."""
    version: str = ""
    """The digest of everything that can change what it answers."""
    problem: str | None = None
    step: str | None = None
    rule: str = ""
    """How often it was to be read, in words; the rule was fixed before."""
    judges: tuple[JudgeSays, ...] = ()
    """Each of them, where several were asked; everything else is what they come to."""
    settled: JointOutcome | None = None
    """What several judges come to."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: Decimal | None = None
    seconds: float = 0.0
    prompt_digests: dict[str, str] = Field(default_factory=dict)
    """sha256 of each prompt that was sent, by its name."""
    view_digests: PerOutput[str] | None = None
    """sha256 of what the judge saw of each output."""


class SheetFile(outputs.FileRow):
    """One file as the reviewer's file list shows it."""

    label: Label | None
    """None for the task's input files and the reference answer."""
    role: str
    """`output`, `input` or `reference`."""


class Sheet(Frozen):
    """The review page's data."""

    comparison_id: str
    read_at: AwareDatetime
    """When reading it began: of two sheets the later one holds."""
    seen: int | None = None
    """How often the Office files of the outputs were turned into pages; None where no pages are made of them."""
    title: str
    prompt: str
    project_id: str
    project_name: str
    files: tuple[SheetFile, ...]
    set_aside: PerOutput[tuple[SetAside, ...]]
    """By output, for whoever knows which is whose already; empty for everybody else before the reveal."""
    aside_of_both: tuple[str, ...] = ()
    """Files of either output that are listed but not judged, each with its reason."""
    view_notes: PerOutput[tuple[str, ...]]
    rubric: Rubric
    rubric_version: int
    rubric_author: str
    rubric_is_coming: bool = False
    """Whether the judge is about to write it; until then `rubric` is the usual one."""
    expectations: tuple[str, ...]
    judge: JudgeSummary
    judgment: MergedJudgment | None
    """What the judge says, once that may be shown."""
    cited: PerOutput[dict[str, str]]
    """The ids of the files that the judge quotes, by their names."""
    own: dict[str, ReviewEntry]
    """The reviewer's touched values, by address."""
    prose: Prose
    """The words that hold now."""
    verdict: Verdict | None
    """What holds now, with the reviewer's values; None while a dimension has no criterion that counts."""
    missing: tuple[str, ...] = ()
    """Addresses of values that neither judge nor reviewer gave."""
    problems: tuple[str, ...] = ()
    """Plain sentences on what stands in the way of finalising."""
    reasons: ReasonRule = ReasonRule.OPTIONAL
    reason_codes: tuple[str, ...] = ()
    finalised: bool = False
    versions: tuple[Finalisation, ...] = ()
    saved: tuple[str, ...] = ()
    """Ids of the reviewer's stored changes, newest last."""
    saved_at: AwareDatetime | None = None
    undoable: bool = False
    opened: bool = True
    """Whether the judge's values are shown; while they are not, nothing in here comes from the judge."""
    blind: bool = False
    """The reviewer answers before the judge's values open."""
    saw_judge: bool = False
    """Whether the project lets people score before the judge's values open, and this person saw them before."""
    judge_is_new: bool = False
    """Whether this person sees the judge's values for the first time, and has said nothing yet."""
    preference: bool = False
    """Whether the one question on the pair is asked: which output is better."""
    before_opening: tuple[str, ...] = ()
    """Addresses that a blind review has to answer before the judge's values open."""
    answers: tuple[Note, ...] = ()
    """What the reviewer said of the pair other than scores, and has not taken back."""
    guess: tuple[GuessChoice, ...] | None = None
    """The choices of the question who made which output; None where it is not asked, or answered."""
    superseded: bool = False
    """A later import replaced one of the outputs."""
    may_reveal: bool = False
    """A passage in one of the outputs tells outright which run it is from."""
    void: bool = False
    """One of the runs is void; which one is not told."""
    cut_off: tuple[Label, ...] = ()
    """The outputs that were probably cut off before their end."""
    blindness: Blindness = Blindness.BLIND
    revealed: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the criteria."""
        return self.rubric.paths


NEUTRAL_PICTURES = (
    "Its pages and pictures are those that were judged, with neutral words; its content is the original."
)


class ReadingWithTools(Frozen):
    """One try at a reading, with what was opened; `problem` says why it has no answer."""

    order: Order
    repetition: int
    looked_at: tuple[ToolCall, ...]
    problem: str | None
    requests: int
    tokens: int
    """Of all requests, sent and received, those from a cache among them."""
    cached_tokens: int


def read_sheet(services: Services, comparison_id: str) -> Sheet:
    """The review page's data as it is stored now. Raises NotFound."""
    with services.read() as unit:
        state = review_state(unit, comparison_id)
        return sheet_of(state, files=tuple(_files(unit, state)))


def sheet_of(state: ReviewState, *, files: tuple[SheetFile, ...] = ()) -> Sheet:
    """The same of a state, in its transaction, with these files; there may be thousands."""
    connection, comparison, settings = state.unit, state.comparison, state.project.settings
    holds = current_verdict(state)
    sides_known = state.revealed or blindness_of(comparison, state.unit.person) is Blindness.KNOWN
    rows = outputs.get_views(connection, {comparison.view_a, comparison.view_b})
    views = PerOutput(A=rows[comparison.view_a], B=rows[comparison.view_b])
    runs = fact.run_states(connection, comparison.id)
    # The task as it was handed in once it is revealed, before that as judge and reviewer get it.
    wording = (
        tasks.get_version(connection, comparison.task_version_id).text
        if state.revealed
        else comparison.wording
    )
    judge = _judge(connection, state)
    return Sheet(
        comparison_id=comparison.id,
        read_at=state.unit.at,
        seen=views.A.pictured,
        title=comparison.title,
        prompt=wording.prompt,
        project_id=state.project.id,
        project_name=state.project.name,
        files=files,
        # Which side left what it says about itself would tell a reviewer whose it is.
        set_aside=views.map(lambda view: view.set_aside if sides_known else ()),
        aside_of_both=without_sides(entry for label in Label for entry in views[label].set_aside),
        view_notes=views.map(lambda view: view.notes),
        rubric=state.rubric.rubric,
        rubric_version=state.rubric.number,
        rubric_author=state.rubric.author,
        rubric_is_coming=not state.rubric.id
        and (judge.state is JudgeState.RUNNING or judge.step is not None),
        expectations=wording.expectations,
        judge=judge,
        judgment=state.judgment,
        cited=_cited(connection, state),
        own=state.touched,
        prose=holds.prose,
        verdict=holds.verdict,
        missing=holds.missing,
        problems=problems(state, holds),
        reasons=settings.reasons,
        reason_codes=settings.reason_codes,
        finalised=state.final,
        versions=tuple(event for event in state.events if event.kind == "final"),
        saved=tuple(change.id for change in state.changes),
        saved_at=state.changes[-1].at if state.changes else None,
        undoable=not state.final and bool(state.decisions),
        opened=state.opened,
        blind=state.mode.blind,
        saw_judge=state.saw_judge and settings.mode.blind and not state.mode.blind,
        judge_is_new=state.judgment is not None and state.review is None and not state.saw_judge,
        preference=state.mode.prefers,
        before_opening=lacking_before_opening(state),
        answers=state.answers,
        guess=guess_choices(state),
        superseded=runs.superseded,
        may_reveal=bool(comparison.may_reveal),
        void=runs.void,
        cut_off=runs.cut_off,
        blindness=state.blindness,
        revealed=state.revealed,
    )


def readings_with_tools(services: Services, comparison_id: str) -> tuple[ReadingWithTools, ...]:
    """The readings of the judgment that counts which had tools, oldest first."""
    with services.read() as connection:
        now = verdicts.judged(connection, comparison_id)
        digests = {readings.digest for readings in now.sets} if now else set()
        tries = judgments.tries(connection, comparison_id, judgments.Attempt) if digests else ()
    return tuple(
        ReadingWithTools(
            order=attempt.order,
            repetition=attempt.repetition,
            looked_at=attempt.looked_at,
            problem=None if attempt.succeeded else attempt.message,
            requests=len(attempt.calls),
            tokens=attempt.input_tokens
            + attempt.cached_tokens
            + attempt.cache_written_tokens
            + attempt.output_tokens,
            cached_tokens=attempt.cached_tokens,
        )
        for attempt in tries
        if attempt.set_digest in digests and attempt.looked_at is not None
    )


def _judge(connection: Connection, state: ReviewState) -> JudgeSummary:
    comparison_id, chosen = state.comparison.id, state.chosen
    batch = batch_items.last_asked(connection, comparison_id)
    far = progress_of(connection, comparison_id, now=state.unit.at, batch=batch)
    if not state.opened:
        # Whether there will be something to open, and nothing of what it says: no model, no effort. Why it failed is
        # for whoever may have it judged again.
        done = chosen is not None and chosen.complete and not far.in_progress
        step = "Judging" if far.in_progress else None
        judges = allows(state.unit, Act.JUDGE, state.project.id)
        return JudgeSummary(
            state=JudgeState.DONE if done else far.state,
            step=step,
            problem=far.problem if judges and not done else None,
        )
    if (state.judgment is not None or state.form) and not far.in_progress:
        far = Progress(state=JudgeState.DONE)
    elif far.state in (JudgeState.WAITING, JudgeState.DONE) and not far.in_progress:
        failed = [a.message for a in judgments.failures(connection, comparison_id) if a.message]
        if failed:
            far = Progress(state=JudgeState.FAILED, problem=" ".join(dict.fromkeys(failed)))
    efforts = judgments.tries(connection, comparison_id, judgments.Effort)
    chosen_sets = state.several.sets.values() if state.several else (chosen,) if chosen else ()
    sets = {readings.digest for readings in chosen_sets}
    mine = [effort for effort in efforts if not sets or effort.set_digest in sets]
    summary = JudgeSummary(
        last_kind=batch.judge.kind if batch else "",
        state=far.state,
        form=form_in_words(state.form),
        problem=far.problem,
        step=far.step,
        judges=tuple(_each_judge(state.several, mine)) if state.several else (),
        settled=state.several.opinion.settled if state.several else None,
        input_tokens=sum(effort.input_tokens + effort.cache_written_tokens for effort in mine),
        output_tokens=sum(effort.output_tokens for effort in mine),
        cached_tokens=sum(effort.cached_tokens for effort in mine),
        cost=judgments.total_cost(mine),
        seconds=sum(effort.seconds for effort in mine),
        prompt_digests={name: digest for effort in mine for name, digest in effort.prompts.items()},
        rule=rule_in_words(batch.judge.repetitions) if batch else "",
    )
    if chosen is None:
        return summary
    guided = (
        f"{summary.rule}; guidance version {chosen.guidance}" if batch and chosen.guidance else summary.rule
    )
    return summary.copy_with(
        kind=chosen.judge_kind,
        model=chosen.judge_model,
        example=chosen.judge_model in WRITTEN,
        version=chosen.judge_digest,
        rule=guided,
        view_digests=PerOutput(A=chosen.view_a_digest, B=chosen.view_b_digest),
    )


def _each_judge(several: verdicts.OfSeveral, efforts: Sequence[judgments.Effort]) -> Iterator[JudgeSays]:
    for member in several.judges.members:
        verdict = judgment.verdict if (judgment := several.judgments[member.name]) else None
        its = several.sets.get(member.name)
        yield JudgeSays(
            name=member.name,
            model=member.model,
            vote=vote_of(judgment),
            overall=verdict.overall if verdict else None,
            cost=judgments.total_cost(e for e in efforts if its is not None and e.set_digest == its.digest),
        )


def _cited(connection: Connection, state: ReviewState) -> PerOutput[dict[str, str]]:
    """The ids of the files that the judge quotes, by name."""
    comparison = state.comparison
    names: dict[str, set[str]] = {comparison.view_a: set(), comparison.view_b: set()}
    for reading in state.judgment.passes if state.judgment else ():
        for marks in reading.answer.criteria.values():
            names[comparison.view_a].update(quote.file for quote in marks.A.quotes)
            names[comparison.view_b].update(quote.file for quote in marks.B.quotes)
    return comparison.views.map(lambda view: outputs.ids_by_name(connection, view, names[view]))


def _files(connection: Connection, state: ReviewState) -> Iterator[SheetFile]:
    """All files of both outputs and of the task, in the order in which they stand on the page."""
    comparison = state.comparison
    views: list[tuple[str | None, Label | None, str]] = [
        (comparison.view_a, Label.A, "output"),
        (comparison.view_b, Label.B, "output"),
        (comparison.input_view, None, "input"),
    ]
    if state.project.settings.show_reference:
        views.append((comparison.reference_view, None, "reference"))
    # What stood in redacted files, by file; nothing before the reveal.
    stood: dict[str, Original] = {}
    for view in comparison.view_ids if state.revealed else ():
        stood.update(outputs.originals_of(connection, view))
    for view_id, label, role in views:
        for row in outputs.list_files(connection, view_id) if view_id else ():
            file = SheetFile(**dict(row), label=label, role=role)
            yield _original_file(file, stood[file.id]) if file.id in stood else file


def _original_file(file: SheetFile, original: Original) -> SheetFile:
    """The file under its own name, with a line where its pictures show other words than its content."""
    pictured = file.pages is not None or file.family is Family.HTML
    changed = bool(original.places) or original.blob is not None
    notes = (*file.notes, NEUTRAL_PICTURES) if pictured and changed else file.notes
    return file.copy_with(name=original.name, notes=notes)
