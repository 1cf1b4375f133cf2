"""What a model is asked to draft a project's guidance from, and the way back from its answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from comparator.domain.guidance import LONGEST, MOST_SENTENCES, Correction, Guidance, Sentence, text_of
from comparator.judges import prompts
from comparator.judges.model.answer_form import Rationale, Wire
from comparator.judges.model.answers import Unusable, validated
from comparator.judges.prompts import fenced
from comparator.judges.protocol import Question

LONGEST_REASON = 600
"""Characters of a reason or a rationale that go into the request."""


class WireNote(Wire):
    """One note to the judge."""

    text: Annotated[Rationale, Field(max_length=1000)] = Field(
        description="One sentence, two at most: what to look at, and how to score it."
    )
    rests_on: list[int] = Field(
        max_length=1000, description="The numbers of all corrections that it rests on; at least one."
    )


class WireGuidance(Wire):
    """Notes to the judge."""

    notes: list[WireNote] = Field(
        max_length=MOST_SENTENCES,
        description="Usually three to eight; empty if the corrections have nothing in common.",
    )


def guidance_question(
    corrections: Sequence[Correction], present: Guidance | None
) -> Question[tuple[Sentence, ...]]:
    """What a model drafts notes from: corrections and present notes; of the outputs only what was said of them."""
    listed = "\n".join(map(_lines, corrections))
    notes = present.text if present is not None else "There are none."
    content = prompts.filled(
        prompts.GUIDANCE_CORRECTIONS,
        present=fenced("notes", notes, avoid=(listed,)),
        corrections=fenced("corrections", listed, avoid=(notes,)),
    )
    return Question(
        prompts.text_of(prompts.GUIDANCE_DRAFT),
        content,
        WireGuidance,
        lambda text: read_draft(text, corrections),
    )


def read_draft(text: str, corrections: Sequence[Correction]) -> tuple[Sentence, ...]:
    """The notes that rest on corrections that there are. Raises Unusable with what is wrong."""
    wire = validated(WireGuidance, text)
    known = {each.number for each in corrections}
    strange = sorted({number for note in wire.notes for number in note.rests_on} - known)
    problems = [f"- rests_on: there is no correction {', '.join(map(str, strange[:12]))}"] if strange else []
    problems += [
        f"- notes.{at}: it rests on no correction" for at, note in enumerate(wire.notes) if not note.rests_on
    ]
    notes = tuple(
        Sentence(text=" ".join(note.text.split()), rests_on=tuple(sorted(set(note.rests_on))))
        for note in wire.notes
    )
    if len(text_of(notes)) > LONGEST:
        problems.append(f"- notes: {len(text_of(notes)):,} characters together; {LONGEST:,} are allowed")
    if problems:
        raise Unusable("\n".join(problems))
    return notes


def _lines(correction: Correction) -> str:
    lines = [f"{correction.number}. Task “{correction.task[:200]}”: {_short(correction.in_words)}"]
    if correction.why_judge:
        lines.append(f"   The judge's rationale: {_short(correction.why_judge)}")
    return "\n".join(lines)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]} …"
