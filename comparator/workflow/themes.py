"""A project's themes: reasons are collected, a model drafts a codebook and assigns them, a lead edits it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from decimal import Decimal
from functools import partial
from math import ceil
from typing import Any, TypeVar

from pydantic import AwareDatetime

from comparator.domain.errors import ComparatorError, InputError, JudgeError, JudgeNotAllowed
from comparator.domain.labels import Frozen, Label, Winner
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment, first_passes
from comparator.domain.scoring.review import Part, ReviewEntry, Target, Touch, fold
from comparator.domain.themes import (
    Codebook,
    CodebookRow,
    Finding,
    FindingSource,
    Speaker,
    StatedReason,
    Theme,
)
from comparator.domain.usage import CHARACTERS_A_TOKEN, Usage
from comparator.judges import prompts
from comparator.judges.choose import is_configured, with_environment
from comparator.judges.model.sender import ANSWER_TOKENS
from comparator.judges.prices import cost_of
from comparator.judges.protocol import Judge, JudgeIdentity, Model, Question, QuestionResult
from comparator.judges.questions import Drafted, assign_question, codebook_in, draft_question
from comparator.store.core.sql import Connection, Unit
from comparator.store.facts import verdicts
from comparator.store.judging import inquiries, judgments
from comparator.store.judging.inquiries import Inquiry, InquiryKind, InquiryRequest, InquiryState, NewInquiry
from comparator.store.pairs import reveals
from comparator.store.people import projects
from comparator.store.reviewing import reviews
from comparator.workflow.judging.paying import paid_alone, try_of
from comparator.workflow.judging.registry import Membership
from comparator.workflow.people.people import authorise, require
from comparator.workflow.projects.reveal import neutral_until_reveal
from comparator.workflow.review.review_state import judged_value
from comparator.workflow.services import Services

T = TypeVar("T")
OnProgress = Callable[[int, int], None]
USUAL_PAIRS = 300
PAIRS_AT_ONCE = 50
LONGEST = 2_000
"""Characters of one finding, with the mark of what was cut off."""


def collect(
    services: Services,
    project_id: str,
    *,
    pairs: int = USUAL_PAIRS,
    on_step: OnProgress = lambda _done, _of: None,
) -> Inquiry:
    """Collect the findings of the project, of at most so many pairs, which chance draws; nothing is asked of a model.

    Before the reveal, names of candidates are taken out of them. Raises RightsError, and InputError where there are
    none.
    """
    stated: list[StatedReason] = []
    with services.read() as unit:
        require(unit, Act.JUDGE, project_id=project_id)
        every = sorted(inquiries.pairs_with_findings(unit, project_id))
    # The same ones each time; nothing secret hangs on it.
    chosen = every if len(every) <= pairs else sorted(random.Random(0).sample(every, pairs))
    for start in range(0, len(chosen), PAIRS_AT_ONCE):
        with services.read() as connection:
            stated += _nameless(connection, project_id, chosen[start : start + PAIRS_AT_ONCE])
        on_step(min(start + PAIRS_AT_ONCE, len(chosen)), len(chosen))
    if not stated:
        raise InputError(
            "No reason has been stated yet: no model has read a pair of this project, and no reviewer gave a reason. "
            "Have pairs judged by a model, or review some."
        )
    counts = {
        "pairs": len({each.comparison_id for each in stated}),
        "findings": len(stated),
        "characters": sum(len(each.words) for each in stated),
    }
    with services.write() as unit:
        authorise(unit, Act.JUDGE, "findings_collected", project_id=project_id, detail=counts)
        found = inquiries.keep_findings(unit, stated, project_id=project_id)
        new = NewInquiry(project_id=project_id, kind=InquiryKind.COLLECT, created_by=services.who)
        inquiry = inquiries.begin(unit, new, findings=found)
        inquiries.end(unit, inquiry.id, state=InquiryState.DONE, result=counts)
        return inquiries.get(unit, inquiry.id)


def _nameless(connection: Connection, project_id: str, ids: Sequence[str]) -> list[StatedReason]:
    """The findings of these pairs, without names of candidates where a pair is not revealed."""
    project = projects.get(connection, project_id)
    told: list[StatedReason] = []
    hidden: list[StatedReason] = []
    for id in ids:
        stated = told if reveals.of_comparison(connection, id) is not None else hidden
        stated += [each for each in _of_pair(connection, id) if each.words]
    if hidden:
        _, *words = neutral_until_reveal(
            connection, project, *(each.words for each in hidden), revealed=False
        )
        told += [
            each.model_copy(update={"words": neutral}) for each, neutral in zip(hidden, words, strict=True)
        ]
    # Cut once no name is left: of half a name nothing would be found.
    short = (
        (each, said if len(said := each.words) <= LONGEST else f"{said[: LONGEST - 1]}…") for each in told
    )
    return list(dict.fromkeys(each.model_copy(update={"words": said}) for each, said in short))


def _of_pair(connection: Connection, comparison_id: str) -> Iterator[StatedReason]:
    """What the first reading of each order stated, and final reviews: their reasons, and lists that they wrote anew."""

    def one(
        label: Label,
        source: FindingSource,
        words: str,
        speaks_for: Winner,
        *,
        speaker: Speaker = Speaker.JUDGE,
        place: str = "",
    ) -> StatedReason:
        return StatedReason(
            comparison_id=comparison_id,
            label=label,
            source=source,
            speaker=speaker,
            place=place[:200],
            words=words.strip(),
            speaks_for=speaks_for,
        )

    now = verdicts.judged(connection, comparison_id)
    judgment = now.judgment if now else None
    for each in first_passes(judgment.passes) if judgment else ():
        answer = each.answer
        for label in Label:
            for line in answer.strengths[label]:
                yield one(label, FindingSource.STRENGTH, line, Winner(label.value))
            for line in answer.weaknesses[label]:
                yield one(label, FindingSource.WEAKNESS, line, Winner(label.other.value))
        for path, marks in answer.criteria.items():
            for label, mark in marks.items():
                ahead = _ahead(label, mark.score, marks[label.other].score)
                yield one(label, FindingSource.RATIONALE, mark.rationale, ahead, place=path)
    for review in reviews.of_comparison(connection, comparison_id):
        if not reviews.is_final(connection, review.id):
            continue
        for address, entry in fold(reviews.changes(connection, review.id)).items():
            target = Target.parse(address)
            if target.part in (Part.STRENGTHS, Part.WEAKNESSES) and target.label is not None:
                strength = target.part is Part.STRENGTHS
                source = FindingSource.STRENGTH if strength else FindingSource.WEAKNESS
                side = Winner((target.label if strength else target.label.other).value)
                if entry.touch is Touch.CHANGED and isinstance(entry.value, tuple):
                    for line in entry.value:
                        yield one(target.label, source, line, side, speaker=Speaker.REVIEWER)
            else:
                # A reason about the winner is about the one that it names, or A.
                label = target.label or (Label.B if entry.value == Winner.B.value else Label.A)
                speaks = _changed_for(target, entry, judgment)
                yield one(
                    label, FindingSource.REASON, entry.reason, speaks, speaker=Speaker.REVIEWER, place=address
                )


def _ahead(label: Label, own: Decimal | int | None, other: Decimal | int | None) -> Winner:
    """For whom a rationale speaks: for the output that is ahead on the criterion."""
    if own is None or other is None or own == other:
        return Winner.TIE
    return Winner((label if own > other else label.other).value)


def _changed_for(target: Target, entry: ReviewEntry, judgment: MergedJudgment | None) -> Winner:
    """For whom a reviewer's reason speaks: the output whose value it raised, or the winner that it set."""
    if target.part is Part.WINNER:
        return Winner(str(entry.value)) if entry.value in set(Winner) else Winner.TIE
    before = judged_value(judgment, target)
    if target.label and isinstance(entry.value, Decimal | bool) and isinstance(before, Decimal | bool):
        return _ahead(target.label, entry.value, before)
    return Winner.TIE


SAMPLE = 240
"""How many findings a codebook is drafted from."""
AT_ONCE = 25
"""How many findings one request assigns."""
FRAME = 60
"""Characters around each finding in a request."""
INTERRUPTED = "The run was interrupted. Continue with the remaining findings."
NEEDS_A_MODEL = (
    "Themes need a model, and none is set up. Set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL, or look at the subjects "
    "that the findings mention, which needs none."
)


class Collection(Frozen):
    """The newest collection: pairs, findings and their characters, when it was made, and how many themes there are."""

    pairs: int
    findings: int
    characters: int
    at: AwareDatetime
    themes: int


class QuestionCost(Frozen):
    """What questions cost about: requests, tokens, and US dollars; None where no price is known."""

    requests: int
    tokens: int
    cost: Decimal | None


def model_to_ask(services: Services) -> str | None:
    """The model that the settings choose; None where there is none, and the offline check would judge."""
    settings, options = services.settings, with_environment(services.options(), services.environment)
    if settings.judge == "offline" or not is_configured(options, services.environment):
        return None
    return options.model


def collected(connection: Connection, project_id: str) -> Inquiry | None:
    """The newest collection of the project's findings; None before the first."""
    return next(iter(inquiries.of_project(connection, project_id, InquiryKind.COLLECT)), None)


def collection_of(services: Services, project_id: str) -> Collection | None:
    """How far the project's findings are; None before they were collected."""
    with services.read() as connection:
        stored = collected(connection, project_id)
        themes = len(projects.codebook(connection, project_id).themes)
    if stored is None:
        return None
    return Collection.model_validate({**stored.result, "at": stored.created_at, "themes": themes})


def cost_of_draft(found: Collection, *, model: str) -> QuestionCost:
    """What a draft from these findings costs about."""
    sampled = min(found.findings, SAMPLE)
    characters = sampled * FRAME + found.characters * sampled // found.findings
    return _cost(model, 1, len(prompts.text_of(prompts.THEME_DRAFT)) + characters)


def cost_of_assignment(found: Collection, book: Codebook, *, model: str) -> QuestionCost:
    """What it costs about to assign these findings to the themes of this codebook."""
    requests = ceil(found.findings / AT_ONCE)
    each = len(prompts.text_of(prompts.THEME_ASSIGN)) + len(codebook_in(book.themes))
    return _cost(model, requests, requests * each + found.findings * FRAME + found.characters)


def _cost(model: str, requests: int, characters: int) -> QuestionCost:
    usage = Usage(input_tokens=characters // CHARACTERS_A_TOKEN, output_tokens=ANSWER_TOKENS * requests)
    return QuestionCost(requests=requests, tokens=usage.tokens, cost=cost_of(model, usage))


async def draft(me: Membership, judge: Judge, project_id: str, *, person_id: str | None) -> Codebook:
    """Have the codebook written from a sample of the findings; what a person changed in an earlier one survives.

    Raises JudgeError, InputError before findings were collected, RightsError.
    """
    with me.services.by(person_id).write() as unit:
        book = projects.codebook(unit, project_id)
        sample = _shuffled(_findings(unit, project_id))[:SAMPLE]
        request = InquiryRequest(themes=book.themes, findings=tuple(each.id for each in sample))
        inquiry = _begin(unit, project_id, InquiryKind.DRAFT, judge.identity, request)
    kept = [theme for theme in book.themes if theme.id in book.kept]

    def keep(unit: Unit, drafted: Drafted) -> None:
        themes = tuple(Theme(id=unit.new_id(), name=name, test=test) for name, test in drafted)
        before = projects.codebook_to_change(unit, project_id)
        projects.replace_codebook(unit, project_id, before.drafted_again(themes))
        result = [theme.model_dump(mode="json") for theme in themes]
        inquiries.end(unit, inquiry.id, state=InquiryState.DONE, result=result)

    async with _failing_with(me, inquiry):
        await _ask(me, judge, inquiry, draft_question(sample, kept=kept, removed=book.removed), keep)
    return codebook_of(me.services, project_id)


def begin_assignment(services: Services, project_id: str, identity: JudgeIdentity) -> Inquiry:
    """A new assignment of all collected findings; nothing is asked yet. Raises InputError, RightsError, JudgeError."""
    with services.write() as unit:
        book = projects.codebook(unit, project_id)
        every = _findings(unit, project_id)
        inquiry = _begin(
            unit, project_id, InquiryKind.ASSIGN, identity, InquiryRequest(themes=book.themes), every
        )
        if not book.themes:
            raise InputError("There is no codebook yet. Have one drafted first.")
        return inquiry


async def assign(
    me: Membership,
    judge: Judge,
    inquiry_id: str,
    *,
    on_step: OnProgress = lambda _done, _of: None,
) -> Inquiry:
    """Ask about the findings of the assignment that are left; each answer is kept as it comes.

    Raises the first JudgeError once all other requests have ended; asked again, it goes on.
    """
    with me.services.read() as connection:
        inquiry = inquiries.get(connection, inquiry_id)
        left = _shuffled(inquiries.findings_of(connection, inquiry_id, waiting=True))
    done, failed = 0, list[ComparatorError]()
    # A few at a time are enough to fill the places of this process; the rest is not asked once one has failed.
    places = asyncio.Semaphore(max(1, me.services.settings.slots))
    on_step(0, len(left))

    def keep(unit: Unit, assigned: Any) -> None:
        inquiries.assign(unit, inquiry_id, assigned)

    async def one(start: int) -> None:
        nonlocal done
        part = left[start : start + AT_ONCE]
        async with places:
            if failed:
                return
            try:
                question = assign_question(part, inquiry.request.themes)
                await _ask(me, judge, inquiry, question, keep, position=start // AT_ONCE)
            except ComparatorError as error:
                failed.append(error)
                return
        done += len(part)
        on_step(done, len(left))

    def end(unit: Unit) -> Inquiry:
        inquiries.end(unit, inquiry_id, state=InquiryState.DONE)
        return inquiries.get(unit, inquiry_id)

    async with _failing_with(me, inquiry):
        await asyncio.gather(*map(one, range(0, len(left), AT_ONCE)))
        if failed:
            raise failed[0]
        return await me.ledger.write(end)


async def _ask(
    me: Membership,
    judge: Judge,
    inquiry: Inquiry,
    question: Question[T],
    keep: Callable[[Unit, T], None],
    *,
    position: int = 0,
) -> None:
    """Ask a question of an inquiry, and keep the answer in the transaction that counts what it cost.

    What a failed one cost is kept and counted too. Raises JudgeError, JudgeNotAllowed for a judge that asks no model.
    """
    if not isinstance(judge, Model):
        raise JudgeNotAllowed(NEEDS_A_MODEL)
    model = judge

    def kept(unit: Unit, came: QuestionResult[T] | JudgeError) -> None:
        failed = came if isinstance(came, JudgeError) else None
        tried = try_of(came.calls, inquiry.request.prompts, failed)
        judgments.keep_other_try(unit, tried, inquiry_id=inquiry.id, model=model.identity.model)
        if not isinstance(came, JudgeError):
            keep(unit, came.value)

    await paid_alone(
        me, model, lambda owner: model.ask(question, on_behalf_of=owner), position=position, keep=kept
    )


@asynccontextmanager
async def _failing_with(me: Membership, inquiry: Inquiry) -> AsyncIterator[None]:
    """Note that the inquiry has failed where the block raises."""
    try:
        yield
    except ComparatorError as error:
        end = partial(inquiries.end, inquiry_id=inquiry.id, state=InquiryState.FAILED, problem=str(error))
        await me.ledger.write(end)
        raise


def _begin(
    unit: Unit,
    project_id: str,
    kind: InquiryKind,
    identity: JudgeIdentity,
    request: InquiryRequest,
    findings: Sequence[Finding] = (),
) -> Inquiry:
    if identity.kind == "offline":
        raise JudgeNotAllowed(NEEDS_A_MODEL)
    prompt, event = {
        InquiryKind.DRAFT: (prompts.THEME_DRAFT, "themes_drafted"),
        InquiryKind.ASSIGN: (prompts.THEME_ASSIGN, "themes_assigned"),
    }[kind]
    authorise(unit, Act.JUDGE, event, project_id=project_id, detail={"model": identity.model})
    new = NewInquiry(
        project_id=project_id,
        kind=kind,
        model=identity.model,
        request=request.model_copy(update={"prompts": {prompt: prompts.text_of(prompt)}}),
        created_by=unit.who,
    )
    return inquiries.begin(unit, new, findings=[each.id for each in findings])


def _findings(connection: Connection, project_id: str) -> tuple[Finding, ...]:
    found = collected(connection, project_id)
    if found is None:
        raise InputError("No findings are collected yet. Collect them first; that asks nothing of a model.")
    return inquiries.findings_of(connection, found.id)


def _shuffled(every: Sequence[Finding]) -> list[Finding]:
    """In an order of chance, the same each time, so that neither one pair's nor one side's findings come first."""
    # Nothing secret hangs on it.
    return random.Random(0).sample(every, len(every))


def codebook_of(services: Services, project_id: str) -> Codebook:
    """The codebook of the project; an empty one before the first draft."""
    with services.read() as connection:
        return projects.codebook(connection, project_id)


def save_codebook(
    services: Services, project_id: str, rows: Sequence[CodebookRow], *, before: Codebook
) -> Codebook:
    """Keep what a lead made of the codebook `before`; the themes of pairs follow.

    Raises RightsError, and InputError where the rows are none of a codebook or somebody else changed it meanwhile.
    """
    with services.write() as unit:
        names = {"themes": [row.name for row in rows]}
        authorise(unit, Act.CHANGE_SETTINGS, "codebook_edited", project_id=project_id, detail=names)
        if projects.codebook_to_change(unit, project_id) != before:
            raise InputError("The codebook was changed meanwhile. Reload the page and edit it again.")
        book = before.edited(rows)
        projects.replace_codebook(unit, project_id, book)
        return book
