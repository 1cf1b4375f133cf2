"""Having a model suggest what to mend, from the evidence of an analysis; what rests on none is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import TypeAdapter

from comparator.domain.errors import InputError
from comparator.domain.rights import Act
from comparator.interop.write.analysis import Analysis, Priority, Suggestion
from comparator.interop.write.evidence import WrittenEvidence
from comparator.judges import prompts
from comparator.judges.protocol import Model, Owner
from comparator.judges.themes.suggestions import WireSuggestion, suggest_question
from comparator.store.core.unit import Unit
from comparator.store.themes import inquiries
from comparator.store.themes.inquiries import InquiryKind, InquiryState
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services
from comparator.workflow.themes.asking import (
    AskingCost,
    ask_only,
    cost_of_asking,
    newest_answer,
    require_model,
)

_SUGGESTIONS = TypeAdapter(tuple[Suggestion, ...])
_ORDER = (Priority.HIGH, Priority.MEDIUM, Priority.LOW)


def cost_of_suggestions(found: Analysis, *, model: str) -> AskingCost:
    """What asking costs about."""
    question = suggest_question([text for text, _, _ in _evidence(found)])
    return cost_of_asking(model, requests=1, characters=len(question.system) + len(question.content))


async def suggest(
    services: Services,
    model: Model,
    project_id: str,
    found: Analysis,
    *,
    of: Sequence[str],
    person_id: str | None,
    worker: str,
    saved: Callable[[Owner], None],
) -> tuple[Suggestion, ...]:
    """Suggestions for the loser of this analysis, kept for the two candidates `of` (their ids).

    Raises JudgeError, RightsError, and InputError where the loser trails in nothing.
    """
    require_model(model.identity)
    evidence = _evidence(found)
    if not evidence:
        raise InputError(
            "The loser trails in nothing that was scored, so there is no evidence to suggest from."
        )
    texts = {prompts.SUGGEST: prompts.text_of(prompts.SUGGEST)}
    with services.write() as unit:
        authorise(
            unit,
            Act.JUDGE,
            "suggestions_asked",
            person_id=person_id,
            project_id=project_id,
            detail={"model": model.identity.model},
        )
        inquiry = inquiries.begin(
            unit,
            InquiryKind.ANALYSE,
            project_id=project_id,
            model=model.identity.model,
            prompts=texts,
            person_id=person_id,
        )
    suggested: list[Suggestion] = []

    def keep(unit: Unit, said: tuple[WireSuggestion, ...]) -> None:
        suggested[:] = [_suggestion(each, evidence) for each in said]
        suggested.sort(key=lambda each: _ORDER.index(each.priority))
        answer = {"of": sorted(of), "suggestions": [each.model_dump(mode="json") for each in suggested]}
        inquiries.end(unit, inquiry.id, state=InquiryState.DONE, answer=answer)

    question = suggest_question([text for text, _, _ in evidence])
    await ask_only(services, model, question, inquiry, worker=worker, saved=saved, keep=keep)
    return tuple(suggested)


def suggested_for(
    services: Services, project_id: str, *, of: Sequence[str]
) -> tuple[str, tuple[Suggestion, ...]] | None:
    """The newest suggestions for these two candidates (their ids), with the model; None where none were made."""
    found = newest_answer(services, project_id, InquiryKind.ANALYSE, of=of)
    return None if found is None else (found.model, _SUGGESTIONS.validate_python(found.answer["suggestions"]))


def _evidence(found: Analysis) -> list[tuple[str, WrittenEvidence, Priority]]:
    """What a model may cite: what to mend with its effect, and what else the loser lacks; nobody is named."""
    mend = [
        (f"{each.suggestion} {each.expected_impact}{_quoted(each.evidence)}", each.evidence, each.priority)
        for each in found.suggestions
    ]
    lacks = [(f"{each.text}{_quoted(each)}", each, Priority.LOW) for each in found.weaknesses]
    names = [name for name in (found.winner_skill, found.loser_skill) if name]
    return [(_nameless(text, names), each, priority) for text, each, priority in (*mend, *lacks)]


def _nameless(text: str, names: Sequence[str]) -> str:
    for name, word in zip(names, ("the winner", "the loser"), strict=False):
        text = text.replace(name, word)
    return " ".join(text.split())


def _quoted(each: WrittenEvidence) -> str:
    return f" Quotes: {'; '.join(each.quotes)}" if each.quotes else ""


def _suggestion(
    said: WireSuggestion, evidence: Sequence[tuple[str, WrittenEvidence, Priority]]
) -> Suggestion:
    """The suggestion with the pairs and quotes of what it cites; its priority is the highest of these."""
    cited = [evidence[number - 1] for number in said.evidence if 1 <= number <= len(evidence)]
    return Suggestion(
        priority=min((priority for _, _, priority in cited), key=_ORDER.index),
        category=said.category,
        suggestion=said.suggestion,
        expected_impact=said.expected_impact,
        evidence=WrittenEvidence(
            text=said.suggestion,
            pairs=tuple(dict.fromkeys(pair for _, each, _ in cited for pair in each.pairs)),
            quotes=tuple(dict.fromkeys(quote for _, each, _ in cited for quote in each.quotes)),
            said=" and ".join(sorted({word for _, each, _ in cited for word in each.said.split(" and ")})),
            status="hypothesis",
        ),
    )
