"""What an analysis and a fix list tell: where a candidate trails, what would flip, and whose words say so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from comparator.domain.counted import counted
from comparator.domain.labels import Dimension, Frozen, Label
from comparator.domain.scoring.result import ComparisonResult
from comparator.domain.scoring.rubric import dimension_score, pass_rate
from comparator.domain.scoring.verdict import DecidedBy
from comparator.interop.exported import Exported, Remark


class Trailed(NamedTuple):
    """One pair that a candidate lost, trailing in something: its remark, the other's, and whether fixing it flips."""

    pair: Exported
    label: Label
    own: Remark
    other: Remark
    flips: bool


class Fix(NamedTuple):
    """A criterion or expectation in which it trails, with every lost pair in which it does."""

    name: str
    dimension: Dimension | None
    trailed: tuple[Trailed, ...]

    @property
    def flipped(self) -> tuple[Trailed, ...]:
        """The pairs that it would no longer lose, had it been level there."""
        return tuple(each for each in self.trailed if each.flips)

    @property
    def tasks(self) -> int:
        """In how many tasks it trails."""
        return len({each.pair.task_key or each.pair.title for each in self.trailed})

    @property
    def behind(self) -> Decimal:
        """By how many points it trails on average; 0 for an expectation."""
        if self.dimension is None:
            return Decimal(0)
        gaps = [(each.other.final or Decimal(0)) - (each.own.final or Decimal(0)) for each in self.trailed]
        return sum(gaps, Decimal(0)) / len(gaps)


def fixes(lost: Iterable[tuple[Exported, Label]]) -> tuple[Fix, ...]:
    """What to fix, that first which would flip most of these lost pairs, then that which trails in most."""
    found: dict[tuple[Dimension | None, str], list[Trailed]] = {}
    for pair, label in lost:
        for own, other in trailing(pair, label):
            key = (own.dimension, own.name)
            each = Trailed(pair, label, own, other, flips(pair, label, own, other))
            found.setdefault(key, []).append(each)
    every = [Fix(name, dimension, tuple(trailed)) for (dimension, name), trailed in found.items()]
    return tuple(
        sorted(every, key=lambda each: (-len(each.flipped), -len(each.trailed), -each.behind, each.name))
    )


def trailing(pair: Exported, label: Label) -> Iterator[tuple[Remark, Remark]]:
    """Where one output has fewer points than the other, or only the other meets an expectation: both remarks."""
    others = {(each.dimension, each.key): each for each in pair.of(label.other)}
    for own in pair.of(label):
        other = others.get((own.dimension, own.key))
        if other is None or own.final is None or other.final is None:
            continue
        if own.final < other.final:
            yield own, other


def flips(pair: Exported, label: Label, own: Remark, other: Remark) -> bool:
    """Whether the output would no longer lose, had it been level there and everything else as it is."""
    if pair.result is None or pair.loser is not label or pair.decided_by is DecidedBy.REVIEWER:
        # A winner that a reviewer set outright follows from no value.
        return False
    overall = pair.result.rubric[label].overall_score
    if own.dimension is not None:
        overall = _overall(pair.result, label, own, other)
    theirs = pair.result.rubric[label.other].overall_score
    if overall != theirs:
        return overall > theirs
    rates = _rates(pair.result, label, own)
    return rates is None or rates[0] >= rates[1]


def _overall(result: ComparisonResult, label: Label, own: Remark, other: Remark) -> Decimal:
    scores = result.rubric[label]
    total = Decimal(0)
    for dimension in Dimension:
        values = dict(getattr(scores, dimension.value))
        if dimension is own.dimension and own.key in values:
            values[own.key] = getattr(result.rubric[label.other], dimension.value)[other.key]
            total += dimension_score(list(values.values()))
        else:
            total += getattr(scores, f"{dimension.value}_score")
    return total


def _rates(result: ComparisonResult, label: Label, own: Remark) -> tuple[Decimal, Decimal] | None:
    results = result.expectation_results
    if results is None:
        return None
    met = [
        each.passed or (own.dimension is None and each.text == own.name) for each in results[label].details
    ]
    return pass_rate(met), results[label.other].pass_rate


class WrittenEvidence(Frozen):
    """An entry with what it rests on: pairs (their ids), quotes, whose words, and how many pairs."""

    text: str
    pairs: tuple[str, ...]
    quotes: tuple[str, ...]
    speakers: str
    """`judge`, `reviewer`, or `judge and reviewer`."""
    status: str = "observed"
    """Or `hypothesis`: what has not been tried."""

    @property
    def n(self) -> int:
        """How many pairs."""
        return len(self.pairs)

    def as_json(self) -> dict[str, Any]:
        """All of it but the text."""
        return {
            "pairs": list(self.pairs),
            "quotes": list(self.quotes),
            "said": self.speakers,
            "n": self.n,
            "status": self.status,
        }


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
