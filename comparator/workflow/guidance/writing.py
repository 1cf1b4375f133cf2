"""Drafts of guidance: written by hand, or by a model from the half of the corrections that is learnt from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from pydantic import ValidationError

from comparator.domain.blinding.name_search import NameSearch, is_common
from comparator.domain.errors import InputError
from comparator.domain.guidance import LONGEST, MOST_SENTENCES, Sentence, text_of
from comparator.domain.labels import Frozen
from comparator.domain.rights import Act
from comparator.domain.usage import CHARACTERS_A_TOKEN, Usage
from comparator.judges.model.guidance_request import guidance_question
from comparator.judges.model.sender import ANSWER_TOKENS
from comparator.judges.prices import cost_of, cost_of_calls
from comparator.judges.protocol import Judge, Model, Owner, QuestionResult
from comparator.store.core.database import Connection
from comparator.store.judging import guidance
from comparator.store.judging.guidance import StoredSplit, Version, WrittenBy
from comparator.store.pairs import runs
from comparator.workflow.judging.paying import paid_alone
from comparator.workflow.judging.registry import Membership
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services

GuidanceReply = QuestionResult[tuple[Sentence, ...]]
"""What a model drafted, with the requests that it took."""

_RESTS_ON = re.compile(r"\s*\[([\d,\s]+)\]\s*$")


class DraftCost(Frozen):
    """What drafting takes about: one request, its tokens, and US dollars; None where no price is known."""

    requests: int
    input_tokens: int
    cost: Decimal | None


def sentences_in(text: str) -> tuple[Sentence, ...]:
    """The notes in a text, one a line; "[3, 7]" at the end of a line names the corrections that it rests on.

    Raises InputError where there are none, too many, or one is too long.

    >>> sentences_in("- Padding is no merit. [2, 1]")
    (Sentence(text='Padding is no merit.', rests_on=(1, 2)),)
    """
    found: list[Sentence] = []
    for line in text.splitlines():
        note = line.strip().removeprefix("-").strip()
        named = _RESTS_ON.search(note)
        numbers = {int(n) for n in re.findall(r"\d+", named[1])} if named else set()
        note = _RESTS_ON.sub("", note)
        if note:
            try:
                found.append(Sentence(text=note, rests_on=tuple(sorted(numbers))))
            except ValidationError:
                raise InputError(
                    f"A note has {len(note):,} characters; 1,000 are allowed. Split it into several lines."
                ) from None
    if not found:
        raise InputError("The guidance is empty. Write one note a line.")
    if len(found) > MOST_SENTENCES or len(text_of(found)) > LONGEST:
        raise InputError(
            f"The guidance has {len(found)} notes and {len(text_of(found)):,} characters; {MOST_SENTENCES} notes and "
            f"{LONGEST:,} characters are allowed. Keep what matters most."
        )
    return tuple(found)


def write_by_hand(
    services: Services, split: StoredSplit, text: str, *, author: str, person_id: str | None
) -> Version:
    """Keep guidance that a person wrote as the project's next version; it holds only once it is adopted.

    Raises RightsError, and InputError where it names a candidate or a correction that is not learnt from.
    """
    by = WrittenBy(kind="person", name=author)
    return _keep(services, split, sentences_in(text), by=by, person_id=person_id)


def keep_draft(
    services: Services, split: StoredSplit, reply: GuidanceReply, *, model: str, person_id: str | None
) -> Version:
    """Keep what a model drafted as the project's next version; what it cost counts already.

    Raises RightsError, and InputError where the corrections have nothing in common or a note names a candidate.
    """
    if not reply.value:
        raise InputError(
            f"{model} found nothing that the corrections have in common. Write guidance by hand, or review more pairs."
        )
    by = WrittenBy(kind="model", name=model, cost=cost_of_calls(reply.calls))
    return _keep(services, split, reply.value, by=by, person_id=person_id)


def draft_cost(services: Services, split: StoredSplit, judge: Judge) -> DraftCost:
    """What a model's draft takes about, before anybody pays for it."""
    with services.database.read() as connection:
        adopted = guidance.adopted(connection, split.project_id)
    question = guidance_question(split.content.corrections, adopted.guidance if adopted else None)
    tokens = (len(question.system) + len(question.content)) // CHARACTERS_A_TOKEN
    usage = Usage(input_tokens=tokens, output_tokens=ANSWER_TOKENS)
    return DraftCost(requests=1, input_tokens=tokens, cost=cost_of(judge.identity.model, usage))


async def draft(me: Membership, split: StoredSplit, judge: Judge) -> GuidanceReply:
    """Guidance by the judge's model from what is learnt from, not stored yet; its cost counts in the budget at once.

    Raises InputError for a judge that writes none, JudgeError; what a failed try cost counts too.
    """
    if not isinstance(judge, Model):
        raise InputError("The offline check drafts no guidance. Write it by hand, or choose a model.")
    with me.services.database.read() as connection:
        adopted = guidance.adopted(connection, split.project_id)

    question = guidance_question(split.content.corrections, adopted.guidance if adopted else None)

    async def write(owner: Owner) -> GuidanceReply:
        return await judge.ask(question, on_behalf_of=owner)

    return await paid_alone(me, judge, write)


def _keep(
    services: Services,
    split: StoredSplit,
    sentences: tuple[Sentence, ...],
    *,
    by: WrittenBy,
    person_id: str | None,
) -> Version:
    with services.write() as unit:
        _check(unit.connection, split, sentences)
        stored = guidance.add(unit, split, sentences, by=by, person_id=person_id)
        authorise(
            unit,
            Act.CHANGE_SETTINGS,
            "guidance_written",
            person_id=person_id,
            project_id=split.project_id,
            subject_id=stored.id,
            detail={"number": stored.number, "author": by.kind},
        )
    return stored


def _check(connection: Connection, split: StoredSplit, sentences: Sequence[Sentence]) -> None:
    known = {each.number for each in split.content.corrections}
    if strange := sorted({number for each in sentences for number in each.rests_on} - known):
        raise InputError(
            f"There is no correction {strange[0]} among those that are learnt from (1 to {len(known)}). "
            "Name others, or none."
        )
    names = [each.name for each in runs.candidates(connection, split.project_id) if not is_common(each.name)]
    if any(not hit.glued for hit in NameSearch(names).hits(text_of(sentences))):
        raise InputError(
            "A note names one of the candidates, so the judge would know whom it judges. Say what is meant without "
            "the name."
        )
