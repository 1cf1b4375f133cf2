"""analysis.json, as the skill-creator's analyzer writes it: why one candidate won, and what the other would fix."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import Any, NamedTuple, TextIO

from pydantic import Field

from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.labels import Dimension, Frozen, Label, Winner
from comparator.interop.exported import Exported, Written
from comparator.interop.write.findings import (
    Fix,
    WrittenEvidence,
    against,
    criterion_of,
    fixes,
    is_said,
    led,
    reasons,
    remarked,
    stated,
    trailed,
    trailing,
    words_of,
)

OURS = "blind_comparator"
"""The one key that the format does not have."""
VERSION = 1
NOT_REVEALED = "not revealed"
NOT_READ = "Transcripts and skills are not read: comparisons are blind and rest on the outputs alone."
RULE = (
    "high: fixing it would flip at least one lost pair whose lead is beyond the noise floor, and it occurs in at "
    "least two tasks; medium: it would flip a lost pair, or occurs in at least two tasks; low: anything else"
)


class Priority(StrEnum):
    """How urgent a suggestion is, by the rule that is printed with it."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Suggestion(Frozen):
    """What the loser might fix."""

    priority: Priority
    category: str
    suggestion: str
    expected_impact: str
    evidence: WrittenEvidence
    flips: tuple[str, ...] = ()
    """The lost pairs (their ids) that it would flip: those of the evidence that it rests on."""


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

    @property
    def all(self) -> bool:
        """Whether nothing was left unread."""
        return self.pairs == self.of


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
    floor: float | None
    """The noise floor in points; None where it is not known."""
    unsaid: int = 0
    """Criteria and expectations that are left out, as nobody said a word about the loser's trailing there."""
    paths: Mapping[str, str] = Field(default_factory=dict)
    """The path of a candidate's skill by its name, where the import of its runs named one."""
    of_winner: tuple[tuple[str, Label], ...] = ()
    """The pairs with the label of the winner's output, those that it won by most first."""

    def text(self) -> str:
        """The file's text."""
        return json.dumps(self.document(), ensure_ascii=False, indent=2) + "\n"

    def document(self) -> dict[str, Any]:
        """The file's content: the format's keys, then ours."""
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
                    "priority": each.priority.value,
                    "category": each.category,
                    "suggestion": each.suggestion,
                    "expected_impact": each.expected_impact,
                }
                for each in self.suggestions
            ],
            OURS: {
                "version": VERSION,
                "pairs": list(self.pairs),
                "pairs_read": self.pairs_read.model_dump(),
                "evidence": {
                    "winner_strengths": [each.as_json() for each in self.strengths],
                    "loser_weaknesses": [each.as_json() for each in self.weaknesses],
                    "improvement_suggestions": [
                        {**each.evidence.as_json(), "flips": list(each.flips)} for each in self.suggestions
                    ],
                },
                **({"left_out_without_words": self.unsaid} if self.unsaid else {}),
                "priority_rule": RULE,
                **({} if self.floor is None else {"noise_floor": self.floor}),
                "absent": dict.fromkeys(("instruction_following", "transcript_insights"), NOT_READ),
            },
        }


def write_analysis(
    pairs: Iterable[Exported],
    out: TextIO,
    *,
    analysed: Callable[[Sequence[Exported]], Analysis] = lambda used: analysis_of(used),
) -> Written:
    """The analysis of one pair, or of a set of two candidates, as `analysed` makes it of the revealed pairs.

    Raises InputError where there are not two.
    """
    every = tuple(pairs)
    used = [pair for pair in every if pair.candidates is not None]
    out.write(analysed(used).text())
    left = {NOT_REVEALED: len(every) - len(used)} if len(every) > len(used) else {}
    return Written(Counter(pair.source for pair in used), left)


def analysis_of(
    pairs: Sequence[Exported], *, floor: float | None = None, outcomes: CountedOutcomes | None = None
) -> Analysis:
    """The analysis of these revealed pairs; `outcomes` say who won, where these are not all that count.

    Raises InputError for none, for a tied pair, and for more candidates.
    """
    if not pairs:
        raise InputError("An analysis reveals who made what, and none of these comparisons is revealed.")
    if len(pairs) == 1 and (outcomes is None or (outcomes.pairs == 1 and not outcomes.fix)):
        return _of_pair(pairs[0], floor)
    return _of_set(pairs, floor, outcomes)


def _of_pair(pair: Exported, floor: float | None) -> Analysis:
    loser = pair.loser
    if loser is None or pair.candidates is None:
        raise InputError("The two outputs are tied: neither is a winner to learn from. Choose another pair.")
    winner = loser.other
    judged = pair.judge.output_quality if pair.judge else None
    trails = list(trailing(pair, loser))
    ahead = [each for each in trails if words_of(each)]
    strengths = [
        stated(pair, line, judged[winner].strengths if judged else ())
        for line in pair.prose.strengths[winner]
    ]
    strengths += [
        remarked(pair, f"{criterion_of(mine)}: {against(theirs, mine)}", theirs, mine)
        for mine, theirs in ahead
    ]
    weaknesses = [
        stated(pair, line, judged[loser].weaknesses if judged else ())
        for line in pair.prose.weaknesses[loser]
    ]
    weaknesses += [
        remarked(pair, f"{criterion_of(mine)}: {against(mine, theirs)}", mine, theirs)
        for mine, theirs in ahead
    ]
    return Analysis(
        winner=winner.value,
        winner_skill=pair.candidates[winner],
        loser_skill=pair.candidates[loser],
        reasoning=pair.prose.reasoning,
        strengths=tuple(strengths),
        weaknesses=tuple(weaknesses),
        suggestions=tuple(_suggestion(fix, 1, floor) for fix in fixes([(pair, loser)]) if is_said(fix)),
        pairs=(pair.id,),
        pairs_read=PairsRead(pairs=1, of=1, lost=1, of_lost=1),
        floor=floor,
        unsaid=len(trails) - len(ahead),
        paths=_paths([pair], [(None, (pair.candidates.A, pair.candidates.B))]),
        of_winner=((pair.id, winner),),
    )


def _of_set(pairs: Sequence[Exported], floor: float | None, outcomes: CountedOutcomes | None) -> Analysis:
    named = _named(pairs)
    one, two = sorted({name for _, both in named for name in both})
    wins = Counter(each[0] for each in named if each[0] is not None)
    every = len(pairs)
    if outcomes is not None:
        first = _first_of(pairs, named, outcomes.ones)
        wins = Counter({first: outcomes.won, two if first == one else one: outcomes.lost})
        every = outcomes.pairs
    tied = every - wins.total()
    winner, loser = (one, two) if wins[one] >= wins[two] else (two, one)
    record = f"{winner} won {wins[winner]} of {counted(every, 'pair')} against {loser}, lost {wins[loser]}"
    reasoning = f"{record} and tied {tied}."
    even = wins[one] == wins[two]
    most = Winner.TIE.value if even else winner
    if outcomes is not None and outcomes.fix and _first_of(pairs, named, outcomes.fix) == winner:
        winner, loser = loser, winner
    lost = [
        (pair, pair.loser)
        for pair, (won, _) in zip(pairs, named, strict=True)
        if won == winner and pair.loser is not None
    ]
    every_fix = fixes(lost)
    found = [fix for fix in every_fix if is_said(fix)]
    return Analysis(
        winner=most,
        winner_skill=winner,
        loser_skill=loser,
        reasoning=reasoning,
        strengths=tuple(led(each, len(lost), of_loser=False) for each in found),
        weaknesses=(*(led(each, len(lost), of_loser=True) for each in found), *reasons(lost)),
        suggestions=tuple(_suggestion(each, len(lost), floor) for each in found),
        pairs=tuple(pair.id for pair in pairs),
        pairs_read=PairsRead(pairs=len(pairs), of=every, lost=len(lost), of_lost=wins[winner]),
        floor=floor,
        unsaid=len(every_fix) - len(found),
        paths=_paths(pairs, named),
        of_winner=tuple(_of_winner(pairs, named, winner)),
    )


def _paths(pairs: Sequence[Exported], named: Sequence[tuple[str | None, tuple[str, str]]]) -> dict[str, str]:
    """The path of each candidate's skill, where all its runs that name one name the same, and no other candidate's."""
    found: dict[str, set[str]] = {}
    for pair, (_, both) in zip(pairs, named, strict=True):
        for label, name in zip(Label, both, strict=True):
            if pair.made is not None and (path := pair.made[label].skill_path):
                found.setdefault(name, set()).add(path)
    own = {name: path for name, (path, *others) in found.items() if not others}
    # Two iterations of one skill often name one path. It would not say which of them won.
    shared = {path for path, number in Counter(chain.from_iterable(found.values())).items() if number > 1}
    return {name: path for name, path in own.items() if path not in shared}


def _first_of(
    pairs: Sequence[Exported],
    named: Sequence[tuple[str | None, tuple[str, str]]],
    ones: Collection[str],
) -> str:
    """The name of the candidate that has these ids."""
    for pair, (_, both) in zip(pairs, named, strict=True):
        for label, name in zip(Label, both, strict=True):
            if pair.made is not None and pair.made[label].candidate_id in ones:
                return name
    raise InputError("These comparisons are of other candidates. Choose the comparisons of the two.")


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


def _suggestion(fix: Fix, lost: int, floor: float | None) -> Suggestion:
    flipped = fix.flipped
    beyond = [each for each in flipped if floor is not None and abs(float(each.pair.margin)) > floor]
    if beyond and fix.tasks >= 2:
        priority = Priority.HIGH
    elif flipped or fix.tasks >= 2:
        priority = Priority.MEDIUM
    else:
        priority = Priority.LOW
    if fix.dimension is None:
        text, category = f"Meet the expectation “{fix.name}”.", "instructions"
    else:
        text = f"Raise {fix.name}: it trails by {fix.behind:.1f} points on average."
        category = "structure" if fix.dimension is Dimension.STRUCTURE else "instructions"
    return Suggestion(
        priority=priority,
        category=category,
        suggestion=text,
        expected_impact=(
            f"Level there, {len(flipped)} of {counted(lost, 'lost pair')} would no longer be lost."
            if flipped
            else "Would flip no lost pair by itself."
        ),
        evidence=trailed(text, fix, of_loser=True).model_copy(update={"status": "hypothesis"}),
        flips=tuple(each.pair.id for each in flipped),
    )
