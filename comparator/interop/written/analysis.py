"""analysis.json, as the skill-creator's analyzer writes it: why one candidate won, and what the other would fix."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import shorten
from typing import Any, Literal, NamedTuple, TextIO

from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.labels import Dimension, Frozen, Label, PerOutput, Winner
from comparator.interop.exported import Exported, Remark, Written
from comparator.interop.written.fix_list import Fix, Gap, Lost, fixes

OURS = "blind_comparator"
"""The one key that the analyzer's format does not have."""
VERSION = 2
NOT_REVEALED = "not revealed"
NOT_READ = "Transcripts and skills are not read: comparisons are blind and rest on the outputs alone."
RULE = "high: fixing it would flip lost pairs of at least two tasks; medium: of one task; low: of none"
QUOTES, LONGEST = 3, 160
"""Quotes of an entry, and the characters of what a suggestion says was said."""


class Evidence(Frozen):
    """An entry with what it rests on: pairs (their ids), quotes, and whose words they are."""

    text: str
    pairs: tuple[str, ...]
    quotes: tuple[str, ...]
    said: str
    """`judge`, `reviewer`, or `judge and reviewer`."""
    status: str = "observed"


class Suggestion(Evidence):
    """What the loser might fix, how urgent it is by RULE, and the lost pairs (their ids) that it would flip."""

    priority: Literal["high", "medium", "low"]
    category: str
    expected_impact: str
    about: str = ""
    """The criterion with its dimension, or the expectation."""
    flips: tuple[str, ...] = ()
    status: str = "hypothesis"
    """It has not been tried."""


class Record(NamedTuple):
    """What two candidates, by their names, come to: how many pairs the first one won, tied and lost."""

    one: str
    two: str
    won: int
    tied: int
    lost: int

    @property
    def pairs(self) -> int:
        """All of them."""
        return self.won + self.tied + self.lost

    @property
    def leader(self) -> str:
        """Who won more; TIE for neither."""
        return Winner.TIE if self.won == self.lost else self.one if self.won > self.lost else self.two

    @property
    def in_words(self) -> str:
        """The whole in a sentence, seen from who won more."""
        first, second, won, lost = self.one, self.two, self.won, self.lost
        if won < lost:
            first, second, won, lost = second, first, lost, won
        return f"{first} won {won} of {counted(self.pairs, 'pair')} against {second}, lost {lost} and tied {self.tied}."


class Analysis(Frozen):
    """All of it; `winner` is A or B for a pair, the candidate's name for a set, and TIE where nobody won more.

    The loser is the candidate to fix. Where that one won more, it is the loser in the pairs that it lost.
    """

    winner: str
    winner_skill: str
    loser_skill: str
    """The two candidates' names."""
    reasoning: str
    strengths: tuple[Evidence, ...]
    weaknesses: tuple[Evidence, ...]
    suggestions: tuple[Suggestion, ...]
    pairs: tuple[str, ...]
    """The lost pairs that were read."""

    def text(self) -> str:
        """The file's text."""
        return json.dumps(self.document(), ensure_ascii=False, indent=2) + "\n"

    def document(self) -> dict[str, Any]:
        """The file's content: the format's keys, then ours."""
        entries: dict[str, Sequence[Evidence]] = {
            "winner_strengths": self.strengths,
            "loser_weaknesses": self.weaknesses,
            "improvement_suggestions": self.suggestions,
        }
        return {
            "comparison_summary": {
                "winner": self.winner,
                "winner_skill": self.winner_skill,
                "loser_skill": self.loser_skill,
                "comparator_reasoning": self.reasoning,
            },
            "winner_strengths": [entry.text for entry in self.strengths],
            "loser_weaknesses": [entry.text for entry in self.weaknesses],
            "improvement_suggestions": [
                {
                    "priority": entry.priority,
                    "category": entry.category,
                    "suggestion": entry.text,
                    "expected_impact": entry.expected_impact,
                }
                for entry in self.suggestions
            ],
            OURS: {
                "version": VERSION,
                "pairs": list(self.pairs),
                "evidence": {name: list(map(_basis_of, own)) for name, own in entries.items()},
                "priority_rule": RULE,
                "absent": dict.fromkeys(("instruction_following", "transcript_insights"), NOT_READ),
            },
        }


def _basis_of(entry: Evidence) -> dict[str, Any]:
    """What an entry rests on, and what it would flip."""
    of_format = {"text", "about", "priority", "category", "expected_impact"}
    return {**entry.model_dump(mode="json", exclude=of_format), "n": len(entry.pairs)}


def write_analysis(pairs: Iterable[Exported], out: TextIO) -> Written:
    """The analysis of one revealed pair, or of a set of two candidates. Raises InputError where there are not two, and
    for a pair that is tied."""
    every = tuple(pairs)
    used = [pair for pair in every if pair.candidates is not None]
    # Two runs of one candidate do not say who wins.
    of_two = [
        pair for pair in used if pair.makers and pair.makers.A.candidate_id != pair.makers.B.candidate_id
    ]
    named = _named(of_two or used)
    one, two = sorted({name for _, names in named for _, name in names.items()})
    winners = Counter(names[pair.loser.other] for pair, names in named if pair.loser)
    if len(named) == 1 and not winners:
        raise InputError("The two outputs are tied: neither is a winner to learn from. Choose another pair.")
    record = Record(one, two, winners[one], len(named) - winners.total(), winners[two])
    loser = one if record.leader == two else two
    lost = [(pair, pair.loser) for pair, names in named if pair.loser and names[pair.loser] == loser]
    out.write(analysis_of(record, lost, loser=loser).text())
    left = {NOT_REVEALED: len(every) - len(used)} if len(every) > len(used) else {}
    return Written(Counter(pair.source for pair in used), left)


def _named(pairs: Sequence[Exported]) -> list[tuple[Exported, PerOutput[str]]]:
    """The pairs with names that tell the two candidates apart over all of them."""
    if not pairs:
        raise InputError("An analysis reveals who made what, and none of these comparisons is revealed.")
    for of in ("candidate", "name"):
        named = [
            (pair, pair.makers.map(lambda maker: str(getattr(maker, of))))  # noqa: B023  used at once
            for pair in pairs
            if pair.makers is not None
        ]
        if len({name for _, names in named for _, name in names.items()}) == 2:
            return named
    raise InputError(
        "An analysis is of two candidates; these comparisons have others too. Choose the comparisons of two."
    )


def analysis_of(record: Record, lost: Sequence[Lost], *, loser: str) -> Analysis:
    """The analysis of two candidates, of which `loser` is to be fixed, by pairs that it lost.

    The suggestions are the entries of the fix list. Strengths and weaknesses that nobody said a word about are left
    out.
    """
    to_fix = fixes(lost)
    explained = [
        fix for fix in to_fix if words_of(remark for gap in fix.gaps for remark in (gap.own, gap.other))
    ]
    strengths, weaknesses = (
        tuple(_evidence(_lead(fix, len(lost), of_loser=loses), fix.gaps, of_loser=loses) for fix in explained)
        for loses in (False, True)
    )
    reasoning, winner = record.in_words, record.leader
    if record.pairs == 1 and lost:
        ((pair, label),) = lost
        reasoning, winner = pair.prose.reasoning, label.other
        strengths = (*_lines(pair, pair.prose.strengths, label.other, "strengths"), *strengths)
        weaknesses = (*_lines(pair, pair.prose.weaknesses, label, "weaknesses"), *weaknesses)
    return Analysis(
        winner=winner,
        winner_skill=record.two if loser == record.one else record.one,
        loser_skill=loser,
        reasoning=reasoning,
        strengths=strengths,
        weaknesses=(*weaknesses, *_reasons(lost)),
        suggestions=tuple(_suggestion(fix, len(lost)) for fix in to_fix),
        pairs=tuple(pair.id for pair, _ in lost),
    )


def _lead(fix: Fix, lost: int, *, of_loser: bool) -> str:
    """In how many of these pairs one side leads by a criterion, or alone meets an expectation."""
    of = f"in {len(fix.gaps)} of {counted(lost, 'pair')} that it {'lost' if of_loser else 'won'}"
    if fix.dimension is None:
        return f"{'Does not meet' if of_loser else 'Meets'} “{fix.name}” {of}"
    return f"{'Behind' if of_loser else 'Ahead'} on {fix.name} {of}, by {fix.behind:.1f} points on average"


def _evidence(text: str, gaps: Sequence[Gap], *, of_loser: bool) -> Evidence:
    """A statement on what the loser trails by, with words on the side it is about, else on the other."""
    sides = [[gap.own for gap in gaps], [gap.other for gap in gaps]]
    about, other = sides if of_loser else sides[::-1]
    remarks = about if words_of(about) else other
    # A rationale is the judge's, and so is a value that nobody changed; a person's words stand where it gave none.
    by_judge = any(remark.rationale or not remark.changed for remark in remarks)
    by_person = any(remark.changed or (remark.reason and not remark.rationale) for remark in remarks)
    return Evidence(
        text=text,
        pairs=tuple(gap.pair.id for gap in gaps),
        quotes=words_of(remarks),
        said="judge and reviewer" if by_judge and by_person else "reviewer" if by_person else "judge",
    )


def words_of(remarks: Iterable[Remark]) -> tuple[str, ...]:
    """What was said, word by word, at most three: quotes of the outputs, else the rationale, else the reason."""
    wordings = (remark.quotes or (remark.rationale or remark.reason,) for remark in remarks)
    return tuple(dict.fromkeys(words for wording in wordings for words in wording if words))[:QUOTES]


def _lines(pair: Exported, lines: PerOutput[tuple[str, ...]], label: Label, name: str) -> Iterator[Evidence]:
    """The lines of one side's list; the judge's are those of its own list, also where a person's verdict holds."""
    judged = getattr(pair.judge.output_quality[label], name) if pair.judge else ()
    for line in lines[label]:
        speaker = "judge" if line in judged or not pair.source.by_people else "reviewer"
        yield Evidence(text=line, pairs=(pair.id,), quotes=(line,), said=speaker)


def _reasons(lost: Sequence[Lost]) -> Iterator[Evidence]:
    """What reviewers gave as reasons for changing values of the loser, word by word."""
    pairs_by_reason: dict[str, dict[str, None]] = {}
    for pair, label in lost:
        for remark in pair.of(label):
            if remark.reason:
                pairs_by_reason.setdefault(remark.reason, {})[pair.id] = None
    for reason, ids in sorted(pairs_by_reason.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        yield Evidence(text=reason, pairs=tuple(ids), quotes=(reason,), said="reviewer")


def _suggestion(fix: Fix, lost: int) -> Suggestion:
    flipped = fix.flipped
    tasks = {gap.pair.task_key or gap.pair.title for gap in flipped}
    priorities: tuple[Literal["low", "medium", "high"], ...] = ("low", "medium", "high")
    text = f"Raise {fix.name}" if fix.dimension else f"Meet the expectation “{fix.name}”"
    remarks = Counter(gap.own.reason or gap.own.rationale for gap in fix.gaps)
    del remarks[""]
    for words, times in remarks.most_common(1):
        said = shorten(words.rstrip("."), LONGEST, placeholder=" …")
        text += f": “{said}” ({times:,} of {counted(len(fix.gaps), 'pair')})"
    impact = "Would flip no lost pair by itself."
    if flipped:
        impact = f"Level there, {len(flipped)} of {counted(lost, 'lost pair')} would no longer be lost."
    return Suggestion(
        text=f"{text}.",
        **_evidence(text, fix.gaps, of_loser=True).model_dump(exclude={"text", "status"}),
        priority=priorities[min(len(tasks), 2)],
        about=f"{fix.name} ({fix.dimension})" if fix.dimension else fix.name,
        category="structure" if fix.dimension is Dimension.STRUCTURE else "instructions",
        expected_impact=impact,
        flips=tuple(gap.pair.id for gap in flipped),
    )
