"""Statements of an analysis, each with its pairs, the words that were said, and whose they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from comparator.domain.counted import counted
from comparator.domain.labels import Label
from comparator.interop.exported import Exported, Remark
from comparator.interop.write.evidence import WrittenEvidence
from comparator.interop.write.fixes import Fix

QUOTES = 3


def led(fix: Fix, lost: int, *, of_loser: bool) -> WrittenEvidence:
    """In how many of these pairs one side leads by a criterion, or alone meets an expectation."""
    of = f"in {len(fix.trailed)} of {counted(lost, 'pair')} that it {'lost' if of_loser else 'won'}"
    if fix.dimension is None:
        text = f"{'Does not meet' if of_loser else 'Meets'} “{fix.name}” {of}"
    else:
        where = "Behind" if of_loser else "Ahead"
        text = f"{where} on {fix.name} {of}, by {fix.behind:.1f} points on average"
    return trailed(text, fix, of_loser=of_loser)


def trailed(text: str, fix: Fix, *, of_loser: bool) -> WrittenEvidence:
    """A statement on what the loser trails by, with words on the side it is about, else on the other."""
    remarks = [each.own if of_loser else each.other for each in fix.trailed]
    if not words_of(remarks):
        remarks = [each.other if of_loser else each.own for each in fix.trailed]
    return WrittenEvidence(
        text=text,
        pairs=tuple(each.pair.id for each in fix.trailed),
        quotes=words_of(remarks),
        speakers=_speakers(remarks),
    )


def words_of(remarks: Iterable[Remark]) -> tuple[str, ...]:
    """What was said, word by word, at most three: quotes of the outputs, else the rationale, else the reason."""
    said = (each.quotes or (each.rationale or each.reason,) for each in remarks)
    return tuple(dict.fromkeys(words for each in said for words in each if words))[:QUOTES]


def is_said(fix: Fix) -> bool:
    """Whether anybody said a word about it, in one of its pairs, of one side or the other."""
    return bool(words_of(remark for each in fix.trailed for remark in (each.own, each.other)))


def reasons(lost: Sequence[tuple[Exported, Label]]) -> Iterator[WrittenEvidence]:
    """What reviewers gave as reasons for changing values of the loser, word by word."""
    found: dict[str, list[str]] = {}
    for pair, label in lost:
        for remark in pair.of(label):
            if remark.reason:
                found.setdefault(remark.reason, []).append(pair.id)
    for reason, ids in sorted(found.items(), key=lambda each: (-len(set(each[1])), each[0])):
        yield WrittenEvidence(
            text=reason, pairs=tuple(dict.fromkeys(ids)), quotes=(reason,), speakers="reviewer"
        )


def stated(pair: Exported, line: str, judged: Sequence[str]) -> WrittenEvidence:
    """A line of the verdict: the judge's if it stands in its own list, also where a person's verdict holds."""
    speaker = "judge" if line in judged or not pair.source.by_people else "reviewer"
    return WrittenEvidence(text=line, pairs=(pair.id,), quotes=(line,), speakers=speaker)


def remarked(pair: Exported, text: str, remark: Remark, other: Remark) -> WrittenEvidence:
    """A statement on one value of a pair, with the words on it, else those on the other side."""
    words = remark.rationale or remark.reason
    of = remark if words_of([remark]) else other
    return WrittenEvidence(
        text=f"{text}. {words}" if words else text,
        pairs=(pair.id,),
        quotes=words_of([of]),
        speakers=_speakers([of]),
    )


def _by_person(remark: Remark) -> bool:
    """Whether a person gave the value, or the words where the judge gave none; a rationale is the judge's."""
    return remark.changed or bool(remark.reason and not remark.rationale)


def _speakers(remarks: Sequence[Remark]) -> str:
    by_judge = any(each.rationale or not each.changed for each in remarks)
    by_person = any(_by_person(each) for each in remarks)
    return "judge and reviewer" if by_judge and by_person else "reviewer" if by_person else "judge"


def criterion_of(remark: Remark) -> str:
    """The name of a criterion; the wording of an expectation in quotation marks."""
    return f"“{remark.name}”" if remark.is_expectation else remark.name


def against(own: Remark, other: Remark) -> str:
    """One side's value beside the other's, in words."""
    if own.is_expectation:
        return "met, by the other not" if own.final else "not met, by the other met"
    return f"{own.final} against {other.final}"
