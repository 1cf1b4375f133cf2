"""What is done about a project's themes: a model drafts a codebook and assigns findings, a lead edits it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from math import ceil
from typing import cast

from pydantic import AwareDatetime

from comparator.domain.errors import ComparatorError, InputError
from comparator.domain.labels import Frozen
from comparator.domain.rights import Act
from comparator.domain.themes import Codebook, CodebookRow, Finding, Theme
from comparator.judges import prompts
from comparator.judges.protocol import Judge, JudgeIdentity, Model, Question
from comparator.judges.questions import Drafted, assign_question, codebook_in, draft_question
from comparator.store.core.database import Connection
from comparator.store.core.unit import Unit
from comparator.store.judging import inquiries
from comparator.store.judging.inquiries import Inquiry, InquiryKind, InquiryRequest, InquiryState, NewInquiry
from comparator.store.people import projects
from comparator.workflow.judging.registry import Membership
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services
from comparator.workflow.themes.model_questions import (
    InquiryAsker,
    QuestionCost,
    ask_only,
    cost_of_questions,
    require_model,
)

SAMPLE = 240
"""How many findings a codebook is drafted from."""
AT_ONCE = 25
"""How many findings one request assigns."""
INTERRUPTED = "The run was interrupted. Continue with the remaining findings."

FRAME = 60
"""Characters around each finding in a request."""

OnStep = Callable[[int, int], None]


class Collected(Frozen):
    """What a collection found: pairs, findings, and the characters of all of them."""

    pairs: int
    findings: int
    characters: int


class Collection(Frozen):
    """The newest collection, when it was made, and how many themes the codebook has."""

    found: Collected
    at: AwareDatetime
    themes: int


def collection_of(services: Services, project_id: str) -> Collection | None:
    """How far the project's findings are; None before they were collected."""
    with services.database.read() as connection:
        stored = collected(connection, project_id)
        if stored is None:
            return None
        themes = len(projects.codebook(connection, project_id).themes)
    return Collection(found=Collected.model_validate(stored.result), at=stored.created_at, themes=themes)


def as_model(judge: Judge) -> Model:
    """The judge as one that can be asked anything. Raises JudgeNotAllowed for the offline check."""
    require_model(judge.identity)
    # A judge of any other kind asks a model.
    return cast("Model", judge)


def collected(connection: Connection, project_id: str) -> Inquiry | None:
    """The newest collection of the project's findings; None before the first."""
    return next(iter(inquiries.of_project(connection, project_id, InquiryKind.COLLECT)), None)


def cost_of_draft(services: Services, project_id: str, *, model: str) -> QuestionCost:
    """What a draft costs about. Raises InputError before findings were collected."""
    with services.database.read() as connection:
        found = Collected.model_validate(_collection(connection, project_id).result)
    sampled = min(found.findings, SAMPLE)
    return cost_of_questions(
        model,
        requests=1,
        characters=len(prompts.text_of(prompts.THEME_DRAFT))
        + sampled * FRAME
        + found.characters * sampled // found.findings,
    )


def cost_of_assignment(services: Services, project_id: str, *, model: str) -> QuestionCost:
    """What an assignment costs about. Raises InputError before there are findings and a codebook."""
    with services.database.read() as connection:
        found = Collected.model_validate(_collection(connection, project_id).result)
        book = _codebook(connection, project_id)
    requests = ceil(found.findings / AT_ONCE)
    each = len(prompts.text_of(prompts.THEME_ASSIGN)) + len(codebook_in(book.themes))
    return cost_of_questions(
        model, requests=requests, characters=requests * each + found.findings * FRAME + found.characters
    )


async def draft(
    me: Membership,
    model: Model,
    project_id: str,
    *,
    seed: int = 0,
    person_id: str | None,
) -> Codebook:
    """Have the codebook written from a sample of the findings; what a person changed in an earlier one survives.

    Raises JudgeError, InputError before findings were collected, RightsError.
    """
    require_model(model.identity)
    texts = {prompts.THEME_DRAFT: prompts.text_of(prompts.THEME_DRAFT)}
    with me.services.by(person_id).write() as unit:
        authorise(
            unit,
            Act.JUDGE,
            "themes_drafted",
            project_id=project_id,
            detail={"model": model.identity.model, "seed": seed},
        )
        question = _draft(unit.connection, project_id, seed=seed)
        sampled = [each.id for each in _sample(unit.connection, project_id, seed=seed)]
        inquiry = inquiries.begin(
            unit,
            NewInquiry(
                project_id=project_id,
                kind=InquiryKind.DRAFT,
                model=model.identity.model,
                request=InquiryRequest(
                    seed=seed,
                    prompts=texts,
                    themes=projects.codebook(unit.connection, project_id).themes,
                    findings=tuple(sampled),
                ),
                created_by=person_id,
            ),
        )

    def keep(unit: Unit, drafted: Drafted) -> None:
        themes = tuple(Theme(id=unit.new_id(), name=name, test=test) for name, test in drafted)
        before = projects.codebook_to_change(unit.connection, project_id)
        projects.replace_codebook(unit.connection, project_id, before.drafted_again(themes))
        inquiries.end(
            unit,
            inquiry.id,
            state=InquiryState.DONE,
            result=[theme.model_dump(mode="json") for theme in themes],
        )

    await ask_only(me, model, question, inquiry, keep=keep)
    with me.services.database.read() as connection:
        return projects.codebook(connection, project_id)


def begin_assignment(
    services: Services, project_id: str, identity: JudgeIdentity, *, seed: int = 0
) -> Inquiry:
    """A new assignment of all collected findings; nothing is asked yet. Raises InputError, RightsError, JudgeError."""
    require_model(identity)
    texts = {prompts.THEME_ASSIGN: prompts.text_of(prompts.THEME_ASSIGN)}
    with services.write() as unit:
        authorise(
            unit,
            Act.JUDGE,
            "themes_assigned",
            project_id=project_id,
            detail={"model": identity.model, "seed": seed},
        )
        every = inquiries.findings_of(unit.connection, _collection(unit.connection, project_id).id)
        return inquiries.begin(
            unit,
            NewInquiry(
                project_id=project_id,
                kind=InquiryKind.ASSIGN,
                model=identity.model,
                request=InquiryRequest(
                    seed=seed, prompts=texts, themes=_codebook(unit.connection, project_id).themes
                ),
                created_by=services.who,
            ),
            findings=[each.id for each in every],
        )


async def assign(
    me: Membership,
    model: Model,
    inquiry_id: str,
    *,
    on_step: OnStep = lambda _done, _of: None,
) -> Inquiry:
    """Ask about the findings of the assignment that are left; each answer is kept as it comes.

    Raises the first JudgeError once all other requests have ended; asked again, it goes on.
    """
    require_model(model.identity)
    with me.services.database.read() as connection:
        inquiry = inquiries.get(connection, inquiry_id)
        left = inquiries.findings_of(connection, inquiry_id, waiting=True)
    parts, done = _parts(left, seed=inquiry.request.seed), 0
    failed: list[ComparatorError] = []
    on_step(0, len(left))
    async with InquiryAsker(me, model, inquiry_id=inquiry_id, prompts=inquiry.request.prompts) as asker:

        async def one(position: int, part: Sequence[Finding]) -> None:
            nonlocal done
            if failed:
                return
            try:
                await asker.ask(
                    assign_question(part, inquiry.request.themes),
                    position=position,
                    keep=lambda unit, stored: inquiries.assign(unit.connection, inquiry_id, stored),
                )
            except ComparatorError as error:
                failed.append(error)
                return
            done += len(part)
            on_step(done, len(left))

        # A few at a time are enough to fill the places of this process; the rest is not asked once one has failed.
        places = asyncio.Semaphore(max(1, me.services.settings.slots))

        async def in_turn(position: int, part: Sequence[Finding]) -> None:
            async with places:
                await one(position, part)

        await asyncio.gather(*(in_turn(position, part) for position, part in enumerate(parts)))

        def end(unit: Unit) -> Inquiry:
            problem = str(failed[0]) if failed else None
            state = InquiryState.FAILED if failed else InquiryState.DONE
            inquiries.end(unit, inquiry_id, state=state, problem=problem)
            return inquiries.get(unit.connection, inquiry_id)

        ended = await me.ledger.write(end)
    if failed:
        raise failed[0]
    return ended


def _collection(connection: Connection, project_id: str) -> Inquiry:
    found = collected(connection, project_id)
    if found is None:
        raise InputError("No findings are collected yet. Collect them first; that asks nothing of a model.")
    return found


def _codebook(connection: Connection, project_id: str) -> Codebook:
    book = projects.codebook(connection, project_id)
    if not book.themes:
        raise InputError("There is no codebook yet. Have one drafted first.")
    return book


def _draft(connection: Connection, project_id: str, *, seed: int) -> Question[Drafted]:
    book = projects.codebook(connection, project_id)
    kept = [theme for theme in book.themes if theme.id in book.kept]
    return draft_question(_sample(connection, project_id, seed=seed), kept=kept, removed=book.removed)


def _sample(connection: Connection, project_id: str, *, seed: int) -> list[Finding]:
    return _shuffled(inquiries.findings_of(connection, _collection(connection, project_id).id), seed)[:SAMPLE]


def _parts(every: Sequence[Finding], *, seed: int) -> list[list[Finding]]:
    """The findings as they are asked about, some at a time."""
    shuffled = _shuffled(every, seed)
    return [shuffled[start : start + AT_ONCE] for start in range(0, len(shuffled), AT_ONCE)]


def _shuffled(every: Sequence[Finding], seed: int) -> list[Finding]:
    """In an order that the seed draws, so that neither one pair's nor one side's findings come first."""
    found = list(every)
    random.Random(seed).shuffle(found)  # nothing secret hangs on it
    return found


def codebook_of(services: Services, project_id: str) -> Codebook:
    """The codebook of the project; an empty one before the first draft."""
    with services.database.read() as connection:
        return projects.codebook(connection, project_id)


def save_codebook(
    services: Services,
    project_id: str,
    rows: Sequence[CodebookRow],
    *,
    before: Codebook,
) -> Codebook:
    """Keep what a lead made of the codebook `before`; the themes of pairs follow.

    Raises RightsError, and InputError where the rows are none of a codebook or somebody else changed it meanwhile.
    """
    with services.write() as unit:
        authorise(
            unit,
            Act.CHANGE_SETTINGS,
            "codebook_edited",
            project_id=project_id,
            detail={"themes": [row.name for row in rows]},
        )
        if projects.codebook_to_change(unit.connection, project_id) != before:
            raise InputError("The codebook was changed meanwhile. Reload the page and edit it again.")
        book = before.edited(rows)
        projects.replace_codebook(unit.connection, project_id, book)
        return book
