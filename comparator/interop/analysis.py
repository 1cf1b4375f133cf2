"""analysis.json, as the skill-creator's analyzer writes it: why one candidate won, and what the other would fix."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple, TextIO

from pydantic import Field

from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.labels import Dimension, Frozen, Label, PerOutput, Winner
from comparator.interop.exported import Exported, Written
from comparator.interop.fix_list import Fix, Gap, WrittenEvidence, evidence, fixes, gaps_of, is_said

OURS = "blind_comparator"
"""The one key that the format does not have."""
VERSION = 1
NOT_REVEALED = "not revealed"
NOT_READ = "Transcripts and skills are not read: comparisons are blind and rest on the outputs alone."
RULE = (
    "high: fixing it would flip a lost pair, and it occurs in at least two tasks; medium: one of the two; low: "
    "neither"
)


class Suggestion(WrittenEvidence):
    """What the loser might fix, and how urgent it is by the rule that is printed with it."""

    priority: Literal["high", "medium", "low"]
    category: str
    expected_impact: str
    flips: tuple[str, ...] = ()
    """The lost pairs (their ids) that it would flip: those of the evidence that it rests on."""

    def as_json(self) -> dict[str, Any]:
        """What it rests on, with what it would flip."""
        return {**super().as_json(), "flips": list(self.flips)}


class CountedOutcomes(NamedTuple):
    """What all counted pairs of two candidates come to, of which not every one need be read."""

    ones: Collection[str]
    """The ids of the first candidate: one an iteration."""
    won: int
    tied: int
    lost: int
    fix: Collection[str] = ()
    """The ids of the candidate that is to be fixed; where there are none, it is the one that lost more."""

    @property
    def pairs(self) -> int:
        """All of them."""
        return self.won + self.tied + self.lost


class PairsRead(Frozen):
    """How many of the counted pairs were read, and of those that the loser lost."""

    pairs: int
    of: int
    lost: int
    of_lost: int


class Analysis(Frozen):
    """All of it; `winner` is A or B for a pair, the candidate's name for a set, and TIE where nobody won more.

    The loser is the candidate to fix. Where that one won more, it is the loser in the pairs that it lost.
    """

    winner: str
    winner_skill: str
    loser_skill: str
    """The two candidates' names."""
    reasoning: str
    strengths: tuple[WrittenEvidence, ...]
    weaknesses: tuple[WrittenEvidence, ...]
    suggestions: tuple[Suggestion, ...]
    pairs: tuple[str, ...]
    pairs_read: PairsRead
    unsaid: int = 0
    """Criteria and expectations that are left out, as nobody said a word about the loser's trailing there."""
    paths: Mapping[str, str] = Field(default_factory=dict)
    """The path of a candidate's skill by its name, where the import of its runs named one."""
    winner_ids: frozenset[str] = frozenset()
    """The ids of the candidate that goes by the winner's name."""

    def text(self) -> str:
        """The file's text."""
        return json.dumps(self.document(), ensure_ascii=False, indent=2) + "\n"

    def document(self) -> dict[str, Any]:
        """The file's content: the format's keys, then ours."""
        entries: dict[str, Sequence[WrittenEvidence]] = {
            "winner_strengths": self.strengths,
            "loser_weaknesses": self.weaknesses,
            "improvement_suggestions": self.suggestions,
        }
        return {
            "comparison_summary": {
                "winner": self.winner,
                "winner_skill": self.paths.get(self.winner_skill, self.winner_skill),
                "loser_skill": self.paths.get(self.loser_skill, self.loser_skill),
                "comparator_reasoning": self.reasoning,
            },
            "winner_strengths": [each.text for each in self.strengths],
            "loser_weaknesses": [each.text for each in self.weaknesses],
            "improvement_suggestions": [
                {
                    "priority": each.priority,
                    "category": each.category,
                    "suggestion": each.text,
                    "expected_impact": each.expected_impact,
                }
                for each in self.suggestions
            ],
            OURS: {
                "version": VERSION,
                "pairs": list(self.pairs),
                "pairs_read": self.pairs_read.model_dump(),
                "evidence": {name: [each.as_json() for each in own] for name, own in entries.items()},
                **({"left_out_without_words": self.unsaid} if self.unsaid else {}),
                "priority_rule": RULE,
                "absent": dict.fromkeys(("instruction_following", "transcript_insights"), NOT_READ),
            },
        }


def write_analysis(pairs: Iterable[Exported], out: TextIO) -> Written:
    """The analysis of one revealed pair, or of a set of two candidates. Raises InputError where there are not two."""
    every = tuple(pairs)
    used = [pair for pair in every if pair.candidates is not None]
    # Two runs of one candidate do not say who wins.
    of_two = [pair for pair in used if pair.made and pair.made.A.candidate_id != pair.made.B.candidate_id]
    out.write(analysis_of(of_two or used).text())
    left = {NOT_REVEALED: len(every) - len(used)} if len(every) > len(used) else {}
    return Written(Counter(pair.source for pair in used), left)


def analysis_of(pairs: Sequence[Exported], *, outcomes: CountedOutcomes | None = None) -> Analysis:
    """The analysis of these revealed pairs; `outcomes` say who won, where these are not all that count.

    Raises InputError for none, for a tied pair, and for more candidates.
    """
    if not pairs:
        raise InputError("An analysis reveals who made what, and none of these comparisons is revealed.")
    if len(pairs) == 1 and (outcomes is None or (outcomes.pairs == 1 and not outcomes.fix)):
        return _of_pair(pairs[0])
    return _of_set(pairs, outcomes)


def _of_pair(pair: Exported) -> Analysis:
    loser = pair.loser
    if loser is None or pair.candidates is None:
        raise InputError("The two outputs are tied: neither is a winner to learn from. Choose another pair.")
    winner = loser.other
    gaps = list(gaps_of(pair, loser))
    said = [each for each in gaps if is_said([each])]
    entries: dict[Label, tuple[WrittenEvidence, ...]] = {}
    for label, lines, name in (
        (winner, pair.prose.strengths, "strengths"),
        (loser, pair.prose.weaknesses, "weaknesses"),
    ):
        judged = getattr(pair.judge.output_quality[label], name) if pair.judge else ()
        entries[label] = (
            *(
                WrittenEvidence(
                    text=line,
                    pairs=(pair.id,),
                    quotes=(line,),
                    # The judge's if it stands in its own list, also where a person's verdict holds.
                    speakers="judge" if line in judged or not pair.source.by_people else "reviewer",
                )
                for line in lines[label]
            ),
            *(evidence(_in_words(each, label), [each], of_loser=label is loser) for each in said),
        )
    return Analysis(
        winner=winner.value,
        winner_skill=pair.candidates[winner],
        loser_skill=pair.candidates[loser],
        reasoning=pair.prose.reasoning,
        strengths=entries[winner],
        weaknesses=entries[loser],
        suggestions=tuple(_suggestion(fix, 1) for fix in fixes([(pair, loser)]) if is_said(fix.gaps)),
        pairs=(pair.id,),
        pairs_read=PairsRead(pairs=1, of=1, lost=1, of_lost=1),
        unsaid=len(gaps) - len(said),
        paths=_paths([_Named(pair, pair.candidates)]),
    )


def _in_words(gap: Gap, label: Label) -> str:
    """One side's value of a gap beside the other's, and what was said of it."""
    own, other = (gap.own, gap.other) if label is gap.label else (gap.other, gap.own)
    if own.is_expectation:
        values = "met, by the other not" if own.final else "not met, by the other met"
        text = f"“{own.name}”: {values}"
    else:
        text = f"{own.name}: {own.final} against {other.final}"
    words = own.rationale or own.reason
    return f"{text}. {words}" if words else text


class _Named(NamedTuple):
    """A revealed pair with what its two candidates are called."""

    pair: Exported
    names: PerOutput[str]

    @property
    def winner(self) -> str | None:
        return self.names[self.pair.loser.other] if self.pair.loser else None


def _of_set(pairs: Sequence[Exported], outcomes: CountedOutcomes | None) -> Analysis:
    named = _named(pairs)
    one, two = sorted({name for each in named for _, name in each.names.items()})
    wins = Counter(each.winner for each in named if each.winner is not None)
    every = len(pairs)
    if outcomes is not None:
        first = _first_of(named, outcomes.ones)
        wins = Counter({first: outcomes.won, two if first == one else one: outcomes.lost})
        every = outcomes.pairs
    winner, loser = (one, two) if wins[one] >= wins[two] else (two, one)
    record = f"{winner} won {wins[winner]} of {counted(every, 'pair')} against {loser}, lost {wins[loser]}"
    reasoning = f"{record} and tied {every - wins.total()}."
    most = Winner.TIE.value if wins[one] == wins[two] else winner
    if outcomes is not None and outcomes.fix and _first_of(named, outcomes.fix) == winner:
        winner, loser = loser, winner
    lost = [(each.pair, each.pair.loser) for each in named if each.pair.loser and each.winner == winner]
    every_fix = fixes(lost)
    said = [fix for fix in every_fix if is_said(fix.gaps)]
    strengths, weaknesses = (
        tuple(evidence(_led(fix, len(lost), of_loser=loses), fix.gaps, of_loser=loses) for fix in said)
        for loses in (False, True)
    )
    return Analysis(
        winner=most,
        winner_skill=winner,
        loser_skill=loser,
        reasoning=reasoning,
        strengths=strengths,
        weaknesses=(*weaknesses, *_reasons(lost)),
        suggestions=tuple(_suggestion(each, len(lost)) for each in said),
        pairs=tuple(pair.id for pair in pairs),
        pairs_read=PairsRead(pairs=len(pairs), of=every, lost=len(lost), of_lost=wins[winner]),
        unsaid=len(every_fix) - len(said),
        paths=_paths(named),
        winner_ids=frozenset(
            made.candidate_id
            for pair, names in named
            if pair.made
            for label, made in pair.made.items()
            if names[label] == winner
        ),
    )


def _led(fix: Fix, lost: int, *, of_loser: bool) -> str:
    """In how many of these pairs one side leads by a criterion, or alone meets an expectation."""
    of = f"in {len(fix.gaps)} of {counted(lost, 'pair')} that it {'lost' if of_loser else 'won'}"
    if fix.dimension is None:
        return f"{'Does not meet' if of_loser else 'Meets'} “{fix.name}” {of}"
    return f"{'Behind' if of_loser else 'Ahead'} on {fix.name} {of}, by {fix.behind:.1f} points on average"


def _reasons(lost: Sequence[tuple[Exported, Label]]) -> Iterator[WrittenEvidence]:
    """What reviewers gave as reasons for changing values of the loser, word by word."""
    found: dict[str, dict[str, None]] = {}
    for pair, label in lost:
        for remark in pair.of(label):
            if remark.reason:
                found.setdefault(remark.reason, {})[pair.id] = None
    for reason, ids in sorted(found.items(), key=lambda each: (-len(each[1]), each[0])):
        yield WrittenEvidence(text=reason, pairs=tuple(ids), quotes=(reason,), speakers="reviewer")


def _paths(named: Sequence[_Named]) -> dict[str, str]:
    """The path of each candidate's skill, where all its runs that name one name the same, and no other candidate's."""
    found: dict[str, set[str]] = {}
    for pair, names in named:
        for label, name in names.items():
            if pair.made is not None and (path := pair.made[label].skill_path):
                found.setdefault(name, set()).add(path)
    # Two iterations of one skill often name one path. It would not say which of them won.
    uses = Counter(chain.from_iterable(found.values()))
    return {name: path for name, (path, *others) in found.items() if not others and uses[path] == 1}


def _first_of(named: Sequence[_Named], ids: Collection[str]) -> str:
    """The name of the candidate that has one of these ids."""
    for pair, names in named:
        for label, name in names.items():
            if pair.made is not None and pair.made[label].candidate_id in ids:
                return name
    raise InputError("These comparisons are of other candidates. Choose the comparisons of the two.")


def _named(pairs: Sequence[Exported]) -> list[_Named]:
    """The pairs with names that tell the two candidates apart over all of them."""
    for of in ("candidate", "name"):
        named = [
            _Named(pair, pair.made.map(lambda made: str(getattr(made, of))))  # noqa: B023  used at once
            for pair in pairs
            if pair.made is not None
        ]
        if len({name for each in named for _, name in each.names.items()}) == 2:
            return named
    raise InputError(
        "An analysis is of two candidates; these comparisons have others too. Choose the comparisons of two."
    )


def _suggestion(fix: Fix, lost: int) -> Suggestion:
    flipped = fix.flipped
    often = fix.tasks >= 2
    priority: Literal["high", "medium", "low"] = "low"
    if flipped or often:
        priority = "high" if flipped and often else "medium"
    if fix.dimension is None:
        text = f"Meet the expectation “{fix.name}”."
    else:
        text = f"Raise {fix.name}: it trails by {fix.behind:.1f} points on average."
    impact = "Would flip no lost pair by itself."
    if flipped:
        impact = f"Level there, {len(flipped)} of {counted(lost, 'lost pair')} would no longer be lost."
    return Suggestion(
        **vars(evidence(text, fix.gaps, of_loser=True, status="hypothesis")),
        priority=priority,
        category="structure" if fix.dimension is Dimension.STRUCTURE else "instructions",
        expected_impact=impact,
        flips=tuple(each.pair.id for each in flipped),
    )
