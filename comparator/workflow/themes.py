"""A project's themes: a model drafts a codebook from stated reasons and assigns them to it, and a lead edits it."""

import asyncio
import random
from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from typing import TypeVar

from comparator.domain.counted import counted
from comparator.domain.errors import ComparatorError, InputError, JudgeError, JudgeNotAllowed
from comparator.domain.labels import Frozen
from comparator.domain.rights import Act
from comparator.domain.themes import (
    Codebook,
    CodebookRow,
    Finding,
    StatedReason,
    Theme,
)
from comparator.domain.usage import CHARACTERS_A_TOKEN, Usage
from comparator.judges.choose import is_configured
from comparator.judges.model.sender import ANSWER_TOKENS
from comparator.judges.prices import cost_of
from comparator.judges.prompts import Prompt
from comparator.judges.protocol import Judge, Model, Question, QuestionResult
from comparator.judges.questions import Drafted, assign_question, codebook_in, draft_question
from comparator.store.core.sql import Connection, Unit
from comparator.store.judging import inquiries, judgments
from comparator.store.judging.inquiries import Inquiry, InquiryKind, InquiryRequest, InquiryState
from comparator.store.pairs import reveals
from comparator.store.people import projects
from comparator.store.reviewing.reasons import pairs_with_reasons, stated_in
from comparator.workflow.judging.paying import ask_and_pay, cost_text, try_of
from comparator.workflow.judging.registry import Membership
from comparator.workflow.people.people import authorise, require
from comparator.workflow.projects.reveal import neutral_until_reveal
from comparator.workflow.services import Services

T = TypeVar("T")
OnProgress = Callable[[int, int], None]
MOST_PAIRS = 300
"""Pairs beyond this are not all read; chance draws some."""
READ_FOR_COST = 20
"""Pairs from which the cost of reading all of them is estimated."""
LONGEST = 2_000
"""Characters of one finding, with the mark of what was cut off."""


def _reasons(connection: Connection, project_id: str, ids: Sequence[str]) -> list[StatedReason]:
    """What was stated about these pairs, each reason once; without names of candidates where a pair is not revealed."""
    project = projects.get(connection, project_id)
    stated: dict[bool, list[StatedReason]] = {True: [], False: []}
    for id in ids:
        revealed = reveals.of_comparison(connection, id) is not None
        stated[revealed] += (reason for reason in stated_in(connection, id) if reason.words)
    # A dictionary keeps the order.
    once: dict[StatedReason, None] = {}
    for revealed, reasons in stated.items():
        texts = (reason.words for reason in reasons)
        _, *neutral = neutral_until_reveal(connection, project, *texts, revealed=revealed)
        for reason, words in zip(reasons, neutral, strict=True):
            # Cut once no name is left: of half a name nothing would be found.
            short = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
            once[reason.copy_with(words=short)] = None
    return list(once)


def _drawn(connection: Connection, project_id: str) -> list[str]:
    """The pairs whose reasons are read, drawn by chance where there are many."""
    ids = sorted(pairs_with_reasons(connection, project_id))
    return ids if len(ids) <= MOST_PAIRS else sorted(_shuffled(ids)[:MOST_PAIRS])


def collect(services: Services, project_id: str) -> tuple[Finding, ...]:
    """Store what was stated about the project's pairs, or about those that are drawn, and give all of it.

    Before the reveal, names of candidates are taken out. Raises RightsError, and InputError where nothing was stated.
    """
    with services.read() as connection:
        require(connection, Act.JUDGE, project_id)
        stated = _reasons(connection, project_id, _drawn(connection, project_id))
    if not stated:
        raise InputError(
            "No reason has been stated yet: no model has read a pair of this project, and no reviewer gave a reason. "
            "Have pairs judged by a model, or review some."
        )
    with services.write() as unit:
        return inquiries.keep_findings(unit, stated, project_id=project_id)


SAMPLE = 240
"""How many findings a codebook is drafted from."""
AT_ONCE = 25
"""How many findings one request assigns."""
FRAME = 60
"""Characters around each finding in a request."""
INTERRUPTED = "The run was interrupted. Continue with the remaining findings."
NEEDS_A_MODEL = (
    "Themes need a model: set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL. Without one, the tab Why shows what the reasons "
    "mention."
)


class Reasons(Frozen):
    """About how many reasons a model would read, with their characters, and the codebook by now."""

    findings: int
    characters: int
    book: Codebook

    def draft_cost(self, model: str) -> str:
        """What a draft from these findings costs about, in a sentence."""
        sampled = min(self.findings, SAMPLE)
        characters = sampled * FRAME + self.characters * sampled // self.findings
        return _cost(model, 1, len(Prompt.THEME_DRAFT.text) + characters)

    def assignment_cost(self, model: str) -> str:
        """What it costs about to assign these findings to the themes, in a sentence."""
        requests = ceil(self.findings / AT_ONCE)
        frame = len(Prompt.THEME_ASSIGN.text) + len(codebook_in(self.book.themes))
        return _cost(model, requests, requests * frame + self.findings * FRAME + self.characters)


def _cost(model: str, requests: int, characters: int) -> str:
    usage = Usage(input_tokens=characters // CHARACTERS_A_TOKEN, output_tokens=ANSWER_TOKENS * requests)
    cost = cost_text(cost_of(model, usage))
    return f"{counted(requests, 'request')} to {model}, about {usage.tokens:,} tokens, {cost}."


def model_to_ask(services: Services) -> str | None:
    """The model that the settings choose; None where there is none, and the offline check would judge."""
    options = services.options()
    if services.settings.judge == "offline" or not is_configured(options, services.environment):
        return None
    return options.model


def reasons_of(services: Services, project_id: str) -> Reasons | None:
    """What themes would be made of, estimated from a few pairs; None where nothing was stated in those."""
    with services.read() as connection:
        ids = _drawn(connection, project_id)
        some = _shuffled(ids)[:READ_FOR_COST]
        stated = _reasons(connection, project_id, some)
        book = projects.codebook(connection, project_id)
    if not stated:
        return None
    characters = sum(len(reason.words) for reason in stated)
    return Reasons(
        findings=len(stated) * len(ids) // len(some),
        characters=characters * len(ids) // len(some),
        book=book,
    )


def _require_model(judge: Judge) -> Model:
    if not isinstance(judge, Model):
        raise JudgeNotAllowed(NEEDS_A_MODEL)
    return judge


async def draft(me: Membership, judge: Judge, project_id: str, *, person_id: str | None) -> Codebook:
    """Have the codebook written from a sample of the findings; what a person changed in an earlier one survives.

    Raises JudgeError, InputError where nothing was stated, RightsError.
    """
    model = _require_model(judge)
    services = me.services.by(person_id)
    sample = _shuffled(collect(services, project_id))[:SAMPLE]
    with services.write() as unit:
        book = projects.codebook(unit, project_id)
        request = InquiryRequest(themes=book.themes, findings=tuple(finding.id for finding in sample))
        inquiry = _begin(unit, project_id, InquiryKind.DRAFT, model, request)
    kept = [theme for theme in book.themes if theme.id in book.kept]

    def keep(unit: Unit, drafted: Drafted) -> None:
        themes = tuple(Theme(id=unit.new_id(), name=name, test=test) for name, test in drafted)
        before = projects.codebook_to_change(unit, project_id)
        projects.replace_codebook(unit, project_id, before.drafted_again(themes))
        result = [theme.model_dump(mode="json") for theme in themes]
        inquiries.end(unit, inquiry.id, state=InquiryState.DONE, result=result)

    await _ask(me, model, inquiry, draft_question(sample, kept=kept, removed=book.removed), keep)
    return codebook_of(me.services, project_id)


async def assign(
    me: Membership,
    judge: Judge,
    project_id: str,
    *,
    person_id: str | None,
    stopped: str | None = None,
    on_step: OnProgress = lambda _done, _of: None,
) -> Inquiry:
    """Ask for the themes of all findings, or of what a `stopped` assignment left; each answer is kept as it comes.

    Raises InputError where there are no findings or themes, RightsError, and the first JudgeError once all other
    requests have ended.
    """
    model = _require_model(judge)
    services = me.services.by(person_id)
    findings = () if stopped else collect(services, project_id)
    with services.write() as unit:
        if stopped:
            require(unit, Act.JUDGE, project_id)
            inquiry = inquiries.get(unit, stopped)
        else:
            themes = projects.codebook(unit, project_id).themes
            if not themes:
                raise InputError("There is no codebook yet. Have one drafted first.")
            request = InquiryRequest(themes=themes)
            inquiry = _begin(unit, project_id, InquiryKind.ASSIGN, model, request, findings)
        left = _shuffled(inquiries.findings_of(unit, inquiry.id, waiting=True))
    done, failed = 0, list[ComparatorError]()
    # A few at a time are enough to fill the places of this process; the rest is not asked once one has failed.
    places = asyncio.Semaphore(max(1, me.services.settings.slots))
    on_step(0, len(left))

    async def one(start: int) -> None:
        nonlocal done
        part = left[start : start + AT_ONCE]
        keep = partial(inquiries.assign, inquiry_id=inquiry.id)
        async with places:
            if failed:
                return
            try:
                question = assign_question(part, inquiry.request.themes)
                await _ask(me, model, inquiry, question, keep, position=start // AT_ONCE)
            except ComparatorError as error:
                failed.append(error)
                return
        done += len(part)
        on_step(done, len(left))

    await asyncio.gather(*map(one, range(0, len(left), AT_ONCE)))
    if failed:
        raise failed[0]
    return await me.ledger.write(partial(inquiries.end, inquiry_id=inquiry.id, state=InquiryState.DONE))


async def _ask(
    me: Membership,
    model: Model,
    inquiry: Inquiry,
    question: Question[T],
    keep: Callable[[Unit, T], None],
    *,
    position: int = 0,
) -> None:
    """Ask a question of an inquiry, and keep the answer in the transaction that counts what it cost.

    What a failed one cost is kept and counted too, and the inquiry has failed. Raises JudgeError.
    """

    def kept(unit: Unit, came: QuestionResult[T] | JudgeError) -> None:
        failed = came if isinstance(came, JudgeError) else None
        tried = try_of(came.calls, inquiry.request.prompts, failed)
        judgments.keep_other_try(unit, tried, inquiry_id=inquiry.id, model=model.identity.model)
        if isinstance(came, JudgeError):
            inquiries.end(unit, inquiry.id, state=InquiryState.FAILED, problem=str(came))
        else:
            keep(unit, came.value)

    await ask_and_pay(
        me, model, lambda owner: model.ask(question, on_behalf_of=owner), position=position, keep=kept
    )


def _begin(
    unit: Unit,
    project_id: str,
    kind: InquiryKind,
    model: Model,
    request: InquiryRequest,
    findings: Sequence[Finding] = (),
) -> Inquiry:
    prompt, event = {
        InquiryKind.DRAFT: (Prompt.THEME_DRAFT, "themes_drafted"),
        InquiryKind.ASSIGN: (Prompt.THEME_ASSIGN, "themes_assigned"),
    }[kind]
    name = model.identity.model
    authorise(unit, Act.JUDGE, event, project_id, model=name)
    return inquiries.begin(
        unit,
        project_id,
        kind,
        request.copy_with(prompts={prompt: prompt.text}),
        model=name,
        findings=[finding.id for finding in findings],
    )


def _shuffled(these: Sequence[T]) -> list[T]:
    """In an order of chance, the same each time: neither one pair's nor one side's findings come first."""
    # Nothing secret hangs on it.
    return random.Random(0).sample(these, len(these))


def codebook_of(services: Services, project_id: str) -> Codebook:
    """The codebook of the project; an empty one before the first draft."""
    with services.read() as connection:
        return projects.codebook(connection, project_id)


def save_codebook(
    services: Services, project_id: str, rows: Sequence[CodebookRow], *, before: Codebook
) -> None:
    """Keep what a lead made of the codebook `before`; the themes of pairs follow.

    Raises RightsError, and InputError where the rows are none of a codebook or somebody else changed it meanwhile.
    """
    with services.write() as unit:
        names = [row.name for row in rows]
        authorise(unit, Act.CHANGE_SETTINGS, "codebook_edited", project_id, themes=names)
        if projects.codebook_to_change(unit, project_id) != before:
            raise InputError("The codebook was changed meanwhile. Reload the page and edit it again.")
        projects.replace_codebook(unit, project_id, before.edited(rows))
