"""Collecting findings: what judges and reviewers stated about the pairs of a project, in their exact words."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from comparator.domain.errors import InputError
from comparator.domain.labels import Label, Winner
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment, first_passes
from comparator.domain.scoring.review import Part, ReviewEntry, Target, Touch, fold
from comparator.domain.themes import FindingSource, Speaker, StatedReason
from comparator.store.core.database import Connection
from comparator.store.facts import verdicts
from comparator.store.judging import inquiries
from comparator.store.judging.inquiries import Inquiry, InquiryKind, InquiryRequest, InquiryState, NewInquiry
from comparator.store.pairs import reveals
from comparator.store.people import projects
from comparator.store.reviewing import reviews
from comparator.workflow.people.people import authorise, require
from comparator.workflow.projects.reveal import neutral_until_reveal
from comparator.workflow.services import Services

USUAL_PAIRS = 300
AT_ONCE = 50
LONGEST = 2_000
"""Characters of one finding, with the mark of what was cut off."""


def collect(
    services: Services,
    project_id: str,
    *,
    pairs: int = USUAL_PAIRS,
    seed: int = 0,
    on_step: Callable[[int, int], None] = lambda _done, _of: None,
) -> Inquiry:
    """Collect the findings of the project, of at most so many pairs, which `seed` draws; nothing is asked of a model.

    Before the reveal, names of candidates are taken out of them. Raises RightsError, and InputError where there are
    none.
    """
    stated: list[StatedReason] = []
    with services.read() as unit:
        require(unit, Act.JUDGE, project_id=project_id)
        chosen = _chosen(inquiries.pairs_with_findings(unit.connection, project_id), pairs=pairs, seed=seed)
    for start in range(0, len(chosen), AT_ONCE):
        with services.database.read() as connection:
            stated += _nameless(connection, project_id, chosen[start : start + AT_ONCE])
        on_step(min(start + AT_ONCE, len(chosen)), len(chosen))
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
        inquiry = inquiries.begin(
            unit,
            NewInquiry(
                project_id=project_id,
                kind=InquiryKind.COLLECT,
                request=InquiryRequest(seed=seed),
                created_by=services.who,
            ),
            findings=found,
        )
        inquiries.end(unit, inquiry.id, state=InquiryState.DONE, result=counts)
        return inquiries.get(unit.connection, inquiry.id)


def _chosen(every: Sequence[str], *, pairs: int, seed: int) -> list[str]:
    if len(every) <= pairs:
        return sorted(every)
    # The seed draws the pairs; nothing secret hangs on it.
    return sorted(random.Random(seed).sample(sorted(every), pairs))


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
    return list(dict.fromkeys(each.model_copy(update={"words": _cut(each.words)}) for each in told))


def _cut(words: str) -> str:
    """As much as is kept, with a mark where something is cut off."""
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


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
    if target.label is None or judgment is None:
        return Winner.TIE
    before = judgment.assessments[target.label]
    if target.part is Part.SCORE and isinstance(entry.value, Decimal):
        return _ahead(target.label, entry.value, before.scores.get(target.key or ""))
    if target.part is Part.EXPECTATION and isinstance(entry.value, bool):
        at = int(target.key or 0)
        met = before.expectations[at] if at < len(before.expectations) else None
        return _ahead(target.label, Decimal(entry.value), None if met is None else Decimal(met))
    return Winner.TIE
