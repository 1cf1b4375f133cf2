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
    stated: list[StatedReason] = []
    hidden: list[StatedReason] = []
    for id in ids:
        into = stated if reveals.of_comparison(connection, id) is not None else hidden
        into += _of_pair(connection, id)
    if hidden:
        _, *words = neutral_until_reveal(
            connection, project, *(each.words for each in hidden), revealed=False
        )
        stated += [
            each.model_copy(update={"words": neutral}) for each, neutral in zip(hidden, words, strict=True)
        ]
    # Cut once no name is left: of half a name nothing would be found.
    return list(dict.fromkeys(each.model_copy(update={"words": _cut(each.words)}) for each in stated))


def _cut(words: str) -> str:
    """As much as is kept, with a mark where something is cut off."""
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


def _of_pair(connection: Connection, comparison_id: str) -> Iterator[StatedReason]:
    now = verdicts.judged(connection, comparison_id)
    judgment = now.judgment if now else None
    if judgment is not None:
        yield from _by_judge(comparison_id, judgment)
    for review in reviews.of_comparison(connection, comparison_id):
        if reviews.is_final(connection, review.id):
            state = fold(reviews.changes(connection, review.id))
            yield from _by_reviewer(comparison_id, state, judgment)


def _by_judge(comparison_id: str, judgment: MergedJudgment) -> Iterator[StatedReason]:
    """What the first reading of each order stated."""
    for each in first_passes(judgment.passes):
        answer = each.answer
        for label in Label:
            for source, lines in (
                (FindingSource.STRENGTH, answer.strengths),
                (FindingSource.WEAKNESS, answer.weaknesses),
            ):
                yield from _listed(comparison_id, label, source, lines[label], speaker=Speaker.JUDGE)
        for path, marks in answer.criteria.items():
            for label, mark in marks.items():
                other = marks[label.other].score
                speaks = _ahead(label, mark.score, other)
                yield from _one(
                    comparison_id, label, FindingSource.RATIONALE, mark.rationale, speaker=Speaker.JUDGE, place=path,
                    speaks_for=speaks,
                )  # fmt: skip


def _by_reviewer(
    comparison_id: str, state: dict[str, ReviewEntry], judgment: MergedJudgment | None
) -> Iterator[StatedReason]:
    """What a final review states: reasons for changes, and lists that the reviewer wrote anew."""
    for address, entry in state.items():
        target = Target.parse(address)
        if target.part in (Part.STRENGTHS, Part.WEAKNESSES) and target.label is not None:
            source = FindingSource.STRENGTH if target.part is Part.STRENGTHS else FindingSource.WEAKNESS
            if entry.touch is Touch.CHANGED and isinstance(entry.value, tuple):
                yield from _listed(comparison_id, target.label, source, entry.value, speaker=Speaker.REVIEWER)
        elif entry.reason.strip():
            label = target.label or _named(entry)
            speaks = _changed_for(target, entry, judgment)
            yield from _one(
                comparison_id, label, FindingSource.REASON, entry.reason, speaker=Speaker.REVIEWER, place=address,
                speaks_for=speaks,
            )  # fmt: skip


def _listed(
    comparison_id: str, label: Label, source: FindingSource, lines: Sequence[str], *, speaker: Speaker
) -> Iterator[StatedReason]:
    side = label if source is FindingSource.STRENGTH else label.other
    for line in lines:
        yield from _one(comparison_id, label, source, line, speaker=speaker, speaks_for=Winner(side.value))


def _one(
    comparison_id: str,
    label: Label,
    source: FindingSource,
    words: str,
    *,
    speaker: Speaker,
    place: str = "",
    speaks_for: Winner,
) -> Iterator[StatedReason]:
    if words.strip():
        yield StatedReason(
            comparison_id=comparison_id,
            label=label,
            source=source,
            speaker=speaker,
            place=place[:200],
            words=words.strip(),
            speaks_for=speaks_for,
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


def _named(entry: ReviewEntry) -> Label:
    """The output that a reason about the winner is about; A where it names neither."""
    return Label.B if entry.value == Winner.B.value else Label.A
