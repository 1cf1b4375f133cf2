"""analysis.json, as the skill-creator's analyzer writes it: why one candidate won, and what the other would mend."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, TextIO

from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.labels import Dimension, Frozen, Label, Winner
from comparator.interop.exported import Exported, Remark, Written
from comparator.interop.write.evidence import NOT_READ, FromTranscripts, WrittenEvidence
from comparator.interop.write.mends import Mend, mends, trailing

OURS = "blind_comparator"
"""The one key that the format does not have."""
VERSION = 1
TIED, NOT_REVEALED = "tied", "not revealed"
QUOTES = 3
PARTS_READ = ("instruction_following", "transcript_insights")
"""The parts of the format that need transcripts."""
RULE = (
    "high: mending it would flip at least one lost pair whose lead is beyond the noise floor, and it occurs in at "
    "least two tasks; medium: it would flip a lost pair, or occurs in at least two tasks; low: anything else"
)


class Priority(StrEnum):
    """How urgent a suggestion is, by the rule that is printed with it."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Suggestion(Frozen):
    """What the loser might mend."""

    priority: Priority
    category: str
    suggestion: str
    expected_impact: str
    evidence: WrittenEvidence


class Analysis(Frozen):
    """All of it; `winner` is A or B for a pair, the candidate's name for a set, and TIE where nobody won more."""

    winner: str
    winner_skill: str
    loser_skill: str
    reasoning: str
    strengths: tuple[WrittenEvidence, ...]
    weaknesses: tuple[WrittenEvidence, ...]
    suggestions: tuple[Suggestion, ...]
    pairs: tuple[str, ...]
    floor: float | None
    """The noise floor in points; None where it is not known."""
    by: str = "templates"
    """Who wrote the suggestions: a model's name, or `templates`."""
    of_winner: tuple[tuple[str, Label], ...] = ()
    """The pairs with the label of the winner's output, those that it won by most first."""
    read: FromTranscripts | None = None

    def text(self) -> str:
        """The file's text."""
        return json.dumps(self.document(), ensure_ascii=False, indent=2) + "\n"

    def document(self) -> dict[str, Any]:
        """The file's content: the format's keys, then ours."""
        read = self.read
        return {
            "comparison_summary": {
                "winner": self.winner,
                "winner_skill": self.winner_skill,
                "loser_skill": self.loser_skill,
                "comparator_reasoning": self.reasoning,
            },
            "winner_strengths": [each.text for each in self.strengths],
            "loser_weaknesses": [each.text for each in self.weaknesses],
            **(read.following_told() if read else {}),
            "improvement_suggestions": [
                {
                    "priority": each.priority.value,
                    "category": each.category,
                    "suggestion": each.suggestion,
                    "expected_impact": each.expected_impact,
                }
                for each in self.suggestions
            ],
            **(read.patterns_told() if read else {}),
            OURS: {
                "version": VERSION,
                "pairs": list(self.pairs),
                "evidence": {
                    "winner_strengths": [each.told() for each in self.strengths],
                    "loser_weaknesses": [each.told() for each in self.weaknesses],
                    "improvement_suggestions": [each.evidence.told() for each in self.suggestions],
                    **(read.evidence_told() if read else {}),
                },
                "suggestions_by": self.by,
                "priority_rule": RULE,
                "noise_floor": self.floor,
                **({"transcripts": read.reading_told()} if read else {}),
                "absent": dict(read.absent()) if read else dict.fromkeys(PARTS_READ, NOT_READ),
            },
        }


def write_analysis(
    pairs: Iterable[Exported], out: TextIO, *, completed: Callable[[Analysis], Analysis] = lambda found: found
) -> Written:
    """The analysis of one pair, or of a set of two candidates, once it is `completed` by what a model said of it.

    Raises InputError where there are not two.
    """
    every = tuple(pairs)
    used = [pair for pair in every if pair.candidates is not None]
    out.write(completed(analysis_of(used)).text())
    left = {NOT_REVEALED: len(every) - len(used)} if len(every) > len(used) else {}
    return Written(Counter(pair.source for pair in used), left)


def analysis_of(
    pairs: Sequence[Exported], *, floor: float | None = None, themes: Sequence[WrittenEvidence] = ()
) -> Analysis:
    """The analysis of these revealed pairs. Raises InputError for none, for a tied pair, and for more candidates."""
    if not pairs:
        raise InputError("An analysis tells who made what, and none of these comparisons is revealed.")
    if len(pairs) == 1:
        return _of_pair(pairs[0], floor)
    return _of_set(pairs, floor, themes)


def _of_pair(pair: Exported, floor: float | None) -> Analysis:
    loser = pair.loser
    if loser is None or pair.candidates is None:
        raise InputError("The two outputs are tied: neither is a winner to learn from. Choose another pair.")
    winner = loser.other
    whose = "reviewer" if pair.source.by_people else "judge"
    quality = pair.result.output_quality
    ahead = list(trailing(pair, loser))
    strengths = [_stated(pair, line, whose) for line in quality[winner].strengths]
    strengths += [
        _remarked(pair, f"{_name(mine)}: {_against(theirs, mine)}", theirs) for mine, theirs in ahead
    ]
    weaknesses = [_stated(pair, line, whose) for line in quality[loser].weaknesses]
    weaknesses += [
        _remarked(pair, f"{_name(mine)}: {_against(mine, theirs)}", mine) for mine, theirs in ahead
    ]
    return Analysis(
        winner=winner.value,
        winner_skill=pair.candidates[winner],
        loser_skill=pair.candidates[loser],
        reasoning=pair.result.reasoning,
        strengths=tuple(strengths),
        weaknesses=tuple(weaknesses),
        suggestions=tuple(_suggestion(mend, 1, floor) for mend in mends([(pair, loser)])),
        pairs=(pair.id,),
        floor=floor,
        of_winner=((pair.id, winner),),
    )


def _of_set(pairs: Sequence[Exported], floor: float | None, themes: Sequence[WrittenEvidence]) -> Analysis:
    named = _named(pairs)
    wins = Counter(each[0] for each in named if each[0] is not None)
    one, two = sorted({name for _, both in named for name in both})
    tied = len(pairs) - wins.total()
    winner, loser = (one, two) if wins[one] >= wins[two] else (two, one)
    record = (
        f"{winner} won {wins[winner]} of {counted(len(pairs), 'pair')} against {loser}, lost {wins[loser]}"
    )
    reasoning = f"{record} and tied {tied}."
    lost = [
        (pair, pair.loser)
        for pair, (won, _) in zip(pairs, named, strict=True)
        if won == winner and pair.loser is not None
    ]
    found = mends(lost)
    even = wins[one] == wins[two]
    return Analysis(
        winner=Winner.TIE.value if even else winner,
        winner_skill=winner,
        loser_skill=loser,
        reasoning=reasoning,
        strengths=(*(_led(each, len(lost), of_loser=False) for each in found), *themes),
        weaknesses=(*(_led(each, len(lost), of_loser=True) for each in found), *_reasons(lost)),
        suggestions=tuple(_suggestion(each, len(lost), floor) for each in found),
        pairs=tuple(pair.id for pair in pairs),
        floor=floor,
        of_winner=tuple(_of_winner(pairs, named, winner)),
    )


def _of_winner(
    pairs: Sequence[Exported], named: Sequence[tuple[str | None, tuple[str, str]]], winner: str
) -> Iterator[tuple[str, Label]]:
    """Each pair with the label of this candidate's output, those that it won by most first."""
    sides = [
        (won != winner, -abs(pair.margin), pair.id, Label.A if both[0] == winner else Label.B)
        for pair, (won, both) in zip(pairs, named, strict=True)
    ]
    for _, _, pair_id, label in sorted(sides, key=lambda each: each[:3]):
        yield pair_id, label


def _named(pairs: Sequence[Exported]) -> list[tuple[str | None, tuple[str, str]]]:
    """Who won each pair, and its two candidates, by names that tell the two apart over all pairs."""
    for of in ("candidate", "name"):
        found: list[tuple[str | None, tuple[str, str]]] = []
        for pair in pairs:
            assert pair.made is not None
            both = {label: str(getattr(pair.made[label], of)) for label in Label}
            won = None if pair.loser is None else both[pair.loser.other]
            found.append((won, (both[Label.A], both[Label.B])))
        if len({name for _, both in found for name in both}) == 2:
            return found
    raise InputError(
        "An analysis is of two candidates; these comparisons have others too. Choose the comparisons of two."
    )


def _suggestion(mend: Mend, lost: int, floor: float | None) -> Suggestion:
    flipped = mend.flipped
    beyond = [each for each in flipped if floor is not None and abs(float(each.pair.margin)) > floor]
    if beyond and mend.tasks >= 2:
        priority = Priority.HIGH
    elif flipped or mend.tasks >= 2:
        priority = Priority.MEDIUM
    else:
        priority = Priority.LOW
    if mend.dimension is None:
        text, category = f"Meet the expectation “{mend.name}”.", "instructions"
    else:
        text = f"Raise {mend.name}: it trails by {mend.behind:.1f} points on average."
        category = "structure" if mend.dimension is Dimension.STRUCTURE else "instructions"
    return Suggestion(
        priority=priority,
        category=category,
        suggestion=text,
        expected_impact=(
            f"Level there, {len(flipped)} of {counted(lost, 'lost pair')} would no longer be lost."
            if flipped
            else "Would flip no lost pair by itself."
        ),
        evidence=_evidence(text, mend, of_loser=True).model_copy(update={"status": "hypothesis"}),
    )


def _led(mend: Mend, lost: int, *, of_loser: bool) -> WrittenEvidence:
    of = f"in {len(mend.trailed)} of {counted(lost, 'pair')} that it {'lost' if of_loser else 'won'}"
    if mend.dimension is None:
        text = f"{'Does not meet' if of_loser else 'Meets'} “{mend.name}” {of}"
    else:
        where = "Behind" if of_loser else "Ahead"
        text = f"{where} on {mend.name} {of}, by {mend.behind:.1f} points on average"
    return _evidence(text, mend, of_loser=of_loser)


def _evidence(text: str, mend: Mend, *, of_loser: bool) -> WrittenEvidence:
    remarks = [each.own if of_loser else each.other for each in mend.trailed]
    return WrittenEvidence(
        text=text,
        pairs=tuple(each.pair.id for each in mend.trailed),
        quotes=tuple(dict.fromkeys(quote for each in remarks for quote in each.quotes))[:QUOTES],
        said=_said(remarks),
    )


def _reasons(lost: Sequence[tuple[Exported, Label]]) -> Iterator[WrittenEvidence]:
    """What reviewers gave as reasons for changing values of the loser, word by word."""
    found: dict[str, list[str]] = {}
    for pair, label in lost:
        for remark in pair.of(label):
            if remark.reason:
                found.setdefault(remark.reason, []).append(pair.id)
    for reason, ids in sorted(found.items(), key=lambda each: (-len(set(each[1])), each[0])):
        yield WrittenEvidence(text=reason, pairs=tuple(dict.fromkeys(ids)), quotes=(reason,), said="reviewer")


def _stated(pair: Exported, line: str, whose: str) -> WrittenEvidence:
    return WrittenEvidence(text=line, pairs=(pair.id,), quotes=(line,), said=whose)


def _remarked(pair: Exported, text: str, remark: Remark) -> WrittenEvidence:
    words = remark.rationale or remark.reason
    return WrittenEvidence(
        text=f"{text}. {words}" if words else text,
        pairs=(pair.id,),
        quotes=tuple(remark.quotes[:QUOTES]),
        said=_said([remark]),
    )


def _said(remarks: Sequence[Remark]) -> str:
    changed = {remark.changed for remark in remarks}
    return "judge and reviewer" if len(changed) == 2 else "reviewer" if changed == {True} else "judge"


def _name(remark: Remark) -> str:
    return f"“{remark.name}”" if remark.is_expectation else remark.name


def _against(own: Remark, other: Remark) -> str:
    if own.is_expectation:
        return "met, by the other not" if own.final else "not met, by the other met"
    return f"{own.final} against {other.final}"
