"""Having a model read transcripts and skills of revealed pairs: how each side followed its instructions, and worked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from comparator.domain.errors import InputError, NotFound
from comparator.domain.labels import Label, PerOutput
from comparator.domain.rights import Act
from comparator.interop.write.analysis import Analysis
from comparator.interop.write.findings import FollowedBy, FromTranscripts, WrittenEvidence
from comparator.judges import prompts
from comparator.judges.protocol import Model, Question
from comparator.judges.themes.transcripts import (
    SIDES,
    Side,
    TranscriptInsight,
    Worked,
    WorkedOn,
    transcripts_question,
)
from comparator.store.core.database import Connection
from comparator.store.core.unit import Unit
from comparator.store.pairs import comparisons, outputs, run_files, tasks
from comparator.store.pairs.run_files import FileRole
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

MOST_PAIRS = 3
"""Of how many pairs the transcripts are sent: of those that the winner won by most."""
FIRST, LAST = 8_000, 16_000
"""Characters that are sent of a longer transcript, from its beginning and its end."""
LONGEST_SKILL = 20_000
NONE_THERE = (
    "No pair of these two has a transcript on both sides. Import a workspace whose runs have a transcript.md again; "
    "what is missing is added."
)


class TranscriptMaterial(NamedTuple):
    """What is sent: the pairs by id, how both sides worked on each, the skills, and what was cut."""

    pairs: tuple[str, ...]
    worked: tuple[WorkedOn, ...]
    skills: Mapping[Side, str]
    cut: tuple[str, ...]

    def question(self) -> Question[Worked]:
        """What is asked about it."""
        return transcripts_question(self.worked, self.skills)


def material(services: Services, found: Analysis) -> TranscriptMaterial | None:
    """The transcripts and skills of the pairs of an analysis; None where no pair has both transcripts.

    Raises BlindnessError before the reveal.
    """
    pairs: list[str] = []
    worked: list[WorkedOn] = []
    skills: dict[Side, str] = {}
    cut: list[str] = []
    with services.database.read() as connection:
        every = run_files.of_pairs(connection, [pair_id for pair_id, _ in found.of_winner])
        for pair_id, label in found.of_winner:
            sides = _by_side(every[pair_id], label)
            if any(FileRole.TRANSCRIPT not in files for files in sides.values()):
                continue
            try:
                texts = {
                    side: _text(services, connection, files[FileRole.TRANSCRIPT])
                    for side, files in sides.items()
                }
            except NotFound:
                continue
            number = len(pairs) + 1
            for side, text in texts.items():
                texts[side], left_out = _shortened(text, FIRST, LAST)
                cut += [f"Pair {number}, the {side}'s transcript: {each}" for each in left_out]
            version = comparisons.get(connection, pair_id).task_version_id
            pairs.append(pair_id)
            worked.append(
                WorkedOn(task=tasks.get_version(connection, version).text.prompt, transcripts=texts)
            )
            for side, files in sides.items():
                if FileRole.SKILL in files and side not in skills:
                    skills[side], left_out = _shortened(
                        _text(services, connection, files[FileRole.SKILL]), LONGEST_SKILL, 0
                    )
                    cut += [f"The {side}'s skill: {each}" for each in left_out]
            if len(pairs) == MOST_PAIRS:
                break
    return TranscriptMaterial(tuple(pairs), tuple(worked), skills, tuple(cut)) if pairs else None


def cost_of_reading(given: TranscriptMaterial, *, model: str) -> QuestionCost:
    """What asking costs about."""
    question = given.question()
    return cost_of_questions(model, requests=1, characters=len(question.system) + len(question.content))


async def read_transcripts(
    me: Membership,
    model: Model,
    project_id: str,
    found: Analysis,
    *,
    of: Sequence[str],
    person_id: str | None,
) -> FromTranscripts:
    """What a model says of the transcripts, kept for `of`: the ids of two candidates.

    Raises JudgeError, RightsError, BlindnessError, and InputError where there are no transcripts.
    """
    require_model(model.identity)
    given = material(me.services, found)
    if given is None:
        raise InputError(NONE_THERE)
    texts = {prompts.TRANSCRIPTS: prompts.text_of(prompts.TRANSCRIPTS)}
    with me.services.write() as unit:
        authorise(
            unit,
            Act.JUDGE,
            "transcripts_read",
            person_id=person_id,
            project_id=project_id,
            detail={"model": model.identity.model, "pairs": len(given.pairs)},
        )
        inquiry = inquiries.begin(
            unit,
            NewInquiry(
                project_id=project_id,
                kind=InquiryKind.TRANSCRIPTS,
                model=model.identity.model,
                request=InquiryRequest(prompts=texts),
                created_by=person_id,
            ),
        )
    read: list[FromTranscripts] = []

    def keep(unit: Unit, worked: Worked) -> None:
        read[:] = [_from_transcripts(worked, given, winner=found.winner_skill, by=model.identity.model)]
        result = {"of": sorted(of), "read": read[0].model_dump(mode="json")}
        inquiries.end(unit, inquiry.id, state=InquiryState.DONE, result=result)

    await ask_only(me, model, given.question(), inquiry, keep=keep)
    return read[0]


def with_transcripts(services: Services, project_id: str, found: Analysis, *, of: Sequence[str]) -> Analysis:
    """The analysis with the newest that a model said of transcripts of its pairs, while the same candidate wins.

    What rests on other pairs is left out.
    """
    for each in answered(services, project_id, InquiryKind.TRANSCRIPTS, of=of):
        read = FromTranscripts.model_validate(each.result["read"])
        if read.winner == found.winner_skill and set(read.pairs) & set(found.pairs):
            return found.model_copy(update={"read": read.within(frozenset(found.pairs))})
    return found


def _by_side(files: PerOutput[dict[FileRole, str]], winner: Label) -> dict[Side, dict[FileRole, str]]:
    return {"winner": files[winner], "loser": files[winner.other]}


def _text(services: Services, connection: Connection, snapshot_id: str) -> str:
    """The text of what was kept. Raises NotFound where it was purged, StoreError where it is damaged."""
    artifacts = outputs.load_snapshot(connection, snapshot_id).artifacts
    return "\n".join(services.blobs.get(each.sha256).decode("utf-8", "replace") for each in artifacts)


def _shortened(text: str, first: int, last: int) -> tuple[str, Iterator[str]]:
    """The text within its limit, and which characters were left out."""
    if len(text) <= first + last:
        return text, iter(())
    end = len(text) - last
    left_out = f"characters {first + 1:,} to {end:,} of {len(text):,} were left out"
    return f"{text[:first]}\n[{left_out}]\n{text[end:]}", iter((left_out,))


def _from_transcripts(worked: Worked, given: TranscriptMaterial, *, winner: str, by: str) -> FromTranscripts:
    def evidence(entry: TranscriptInsight) -> WrittenEvidence:
        return WrittenEvidence(
            text=entry.text,
            pairs=tuple(dict.fromkeys(given.pairs[number - 1] for number, _ in entry.quotes)),
            quotes=tuple(dict.fromkeys(quote for _, quote in entry.quotes)),
            speakers="model",
            status=entry.status,
        )

    return FromTranscripts(
        winner=winner,
        by=by,
        pairs=given.pairs,
        skills=tuple(side for side in SIDES if side in given.skills),
        following={
            side: FollowedBy(
                score=each.score, about=evidence(each.about), issues=tuple(map(evidence, each.issues))
            )
            for side, each in worked.following.items()
            if each.score is not None and each.about is not None
        },
        patterns={side: evidence(each) for side, each in worked.patterns.items()},
        cut=given.cut,
        dropped=worked.dropped,
    )
