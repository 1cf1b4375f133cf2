"""Having a model suggest what to fix, from the evidence of an analysis; what rests on none is left out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import TypeAdapter

from comparator.domain.errors import InputError
from comparator.domain.rights import Act
from comparator.interop.write.analysis import Analysis, Priority, Suggestion
from comparator.interop.write.findings import WrittenEvidence
from comparator.judges import prompts
from comparator.judges.protocol import Model
from comparator.judges.themes.questions import WireSuggestion, suggest_question
from comparator.store.core.unit import Unit
from comparator.store.themes import inquiries
from comparator.store.themes.inquiries import InquiryKind, InquiryRequest, InquiryState, NewInquiry
from comparator.workflow.judging.registry import Membership
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services
from comparator.workflow.themes.model_questions import (
    QuestionCost,
    answered,
    ask_only,
    cost_of_questions,
    require_model,
)

_SUGGESTIONS = TypeAdapter(tuple[Suggestion, ...])
_ORDER = (Priority.HIGH, Priority.MEDIUM, Priority.LOW)


class Suggested(NamedTuple):
    """What a model suggested for an analysis."""

    by: str
    suggestions: tuple[Suggestion, ...]


class _Piece(NamedTuple):
    """A piece of evidence as a model reads it, the lost pairs that fixing it would flip, and how urgent that is."""

    text: str
    evidence: WrittenEvidence
    priority: Priority
    flips: tuple[str, ...] = ()


def cost_of_suggestions(found: Analysis, *, model: str) -> QuestionCost:
    """What asking costs about."""
    question = suggest_question([each.text for each in _evidence(found)])
    return cost_of_questions(model, requests=1, characters=len(question.system) + len(question.content))


async def suggest(
    me: Membership,
    model: Model,
    project_id: str,
    found: Analysis,
    *,
    of: Sequence[str],
    person_id: str | None,
) -> tuple[Suggestion, ...]:
    """Suggestions for the loser of this analysis, kept for it and the two candidates `of` (their ids).

    Those come first that would flip most lost pairs.
    Raises JudgeError, RightsError, and InputError where the loser trails in nothing.
    """
    require_model(model.identity)
    evidence = _evidence(found)
    if not evidence:
        raise InputError(
            "The loser trails in nothing that was scored, so there is no evidence to suggest from."
        )
    texts = {prompts.SUGGEST: prompts.text_of(prompts.SUGGEST)}
    with me.services.write() as unit:
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
            NewInquiry(
                project_id=project_id,
                kind=InquiryKind.ANALYSE,
                model=model.identity.model,
                request=InquiryRequest(prompts=texts),
                created_by=person_id,
            ),
        )
    suggested: list[Suggestion] = []

    def keep(unit: Unit, suggestions: tuple[WireSuggestion, ...]) -> None:
        suggested[:] = [_suggestion(each, evidence) for each in suggestions]
        suggested.sort(key=lambda each: (-len(each.flips), -each.evidence.n, _ORDER.index(each.priority)))
        result = {
            "of": sorted(of),
            "about": _about(found),
            "suggestions": [each.model_dump(mode="json") for each in suggested],
        }
        inquiries.end(unit, inquiry.id, state=InquiryState.DONE, result=result)

    question = suggest_question([each.text for each in evidence])
    await ask_only(me, model, question, inquiry, keep=keep)
    return tuple(suggested)


def suggested_for(
    services: Services, project_id: str, found: Analysis, *, of: Sequence[str]
) -> Suggested | None:
    """The newest suggestions for this winner over these very pairs; None where none were made."""
    every = answered(services, project_id, InquiryKind.ANALYSE, of=of)
    newest = next((each for each in every if each.result.get("about") == _about(found)), None)
    if newest is None:
        return None
    return Suggested(newest.model, _SUGGESTIONS.validate_python(newest.result["suggestions"]))


def suggested_for_others(services: Services, project_id: str, found: Analysis, *, of: Sequence[str]) -> bool:
    """Whether a model suggested something for the two candidates, but never for this winner over these pairs."""
    every = answered(services, project_id, InquiryKind.ANALYSE, of=of)
    return bool(every) and all(each.result.get("about") != _about(found) for each in every)


def _about(found: Analysis) -> str:
    """Which pairs an analysis is of, and who won over them: the same for the same of both, whatever they are called."""
    sides = sorted((pair_id, label.value) for pair_id, label in found.of_winner)
    return hashlib.sha256(json.dumps([found.pairs_read.of, sides]).encode()).hexdigest()


def _evidence(found: Analysis) -> list[_Piece]:
    """What a model may cite: what to fix with its effect, and what else the loser lacks; nobody is named."""
    names = [name for name in (found.winner_skill, found.loser_skill) if name]
    fix = [
        _Piece(
            _nameless(f"{each.suggestion} {each.expected_impact}{_quoted(each.evidence)}", names),
            each.evidence,
            each.priority,
            each.flips,
        )
        for each in found.suggestions
    ]
    lacks = [
        _Piece(_nameless(f"{each.text}{_quoted(each)}", names), each, Priority.LOW)
        for each in found.weaknesses
    ]
    return [*fix, *lacks]


def _nameless(text: str, names: Sequence[str]) -> str:
    for name, word in zip(names, ("the winner", "the loser"), strict=False):
        text = text.replace(name, word)
    return " ".join(text.split())


def _quoted(each: WrittenEvidence) -> str:
    return f" Quotes: {'; '.join(each.quotes)}" if each.quotes else ""


def _suggestion(wire: WireSuggestion, evidence: Sequence[_Piece]) -> Suggestion:
    """The suggestion with pairs, quotes and flips of all that it cites; its priority is the highest of these."""
    cited = [evidence[number - 1] for number in wire.evidence if 1 <= number <= len(evidence)]
    return Suggestion(
        priority=min((each.priority for each in cited), key=_ORDER.index),
        category=wire.category,
        suggestion=wire.suggestion,
        expected_impact=wire.expected_impact,
        evidence=WrittenEvidence(
            text=wire.suggestion,
            pairs=tuple(dict.fromkeys(pair for each in cited for pair in each.evidence.pairs)),
            quotes=tuple(dict.fromkeys(quote for each in cited for quote in each.evidence.quotes)),
            speakers=" and ".join(
                sorted({word for each in cited for word in each.evidence.speakers.split(" and ")})
            ),
            status="hypothesis",
        ),
        flips=tuple(dict.fromkeys(pair for each in cited for pair in each.flips)),
    )
