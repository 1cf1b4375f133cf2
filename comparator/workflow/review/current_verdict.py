"""The verdict that a person's review comes to now, and what still stands in the way of finalising it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from comparator.domain.labels import Dimension, Label, PerOutput, Winner
from comparator.domain.project import ReasonRule
from comparator.domain.scoring.judgment import MergedJudgment, Prose
from comparator.domain.scoring.review import Part, Preference, ReviewEntry, Target, Touch, Value, effective
from comparator.domain.scoring.rubric import Rubric, path_of
from comparator.domain.scoring.verdict import DecidedBy, Verdict, settle, winner_with_one_sided
from comparator.judges.offline.judge import OPENING
from comparator.workflow.review.review_state import ReviewState

MOST_NAMED = 6
"""How many values without an assessment are named one by one."""
LEAVING_OUT = "Leaving it out changes the winner from {} to {}."


class CurrentVerdict(NamedTuple):
    """What holds now: the verdict with its words, and the addresses of values that are not assessed."""

    verdict: Verdict | None
    prose: Prose
    missing: tuple[str, ...]
    otherwise: Winner | None
    """The winner if values that only one output has counted, where that is another one."""
    reasoned_for: Winner | None = None
    """Who was ahead when the person wrote the reasoning, where somebody else is now."""


def current_verdict(state: ReviewState) -> CurrentVerdict:
    """The verdict that the reviewer's values and, beneath them, the judge's give."""
    verdict, missing, otherwise = _verdict(state)
    prose = _prose(state.touched, state.judgment)
    preferred = preference(state)
    if preferred is not None and not state.wrote_reasoning:
        prose = _reasoned(prose, preferred, state.touched[Part.PREFERENCE.value])
    reasoned_for = None
    if state.wrote_reasoning:
        # Written while values were missing, it is for whatever they came to.
        argued = _winner_when_written(state) or (verdict.winner if verdict else prose.argues_for)
        prose = prose.model_copy(update={"argues_for": argued})
        reasoned_for = argued if verdict and verdict.winner is not argued else None
    return CurrentVerdict(verdict, prose, missing, otherwise, reasoned_for)


def preference(state: ReviewState) -> Preference | None:
    """The reviewer's answer to the one question; None where it is not asked or not answered."""
    entry = state.touched.get(Part.PREFERENCE.value)
    if not state.mode.prefers or entry is None or entry.value is None:
        return None
    return Preference(str(entry.value))


def lacking_before_opening(state: ReviewState) -> tuple[str, ...]:
    """What a blind review still needs before the judge's values open: its addresses; empty once they may."""
    if state.opened or state.rubric is None:
        return ()
    if state.mode.prefers:
        return () if preference(state) else (Part.PREFERENCE.value,)
    addresses = (f"score:{label.value}:{path}" for path in state.rubric.rubric.paths for label in Label)
    return tuple(address for address in addresses if address not in state.touched)


def _reasoned(prose: Prose, preferred: Preference, entry: ReviewEntry) -> Prose:
    """With a reason of their own, or against the judge, the reviewer's sentence is the reasoning."""
    why = "; ".join(part for part in (entry.code, entry.reason.strip()) if part)
    if not why and prose.argues_for is preferred.winner and prose.reasoning.strip():
        return prose
    sentence = f"{preferred.sentence}: {why}" if why else preferred.sentence
    sentence = sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
    return prose.model_copy(update={"reasoning": sentence, "argues_for": preferred.winner})


def _winner_when_written(state: ReviewState) -> Winner | None:
    """The winner as it stood when the person last wrote the reasoning; None where there was none yet."""
    address = Part.REASONING.value
    last = max(i for i, change in enumerate(state.changes) if str(change.target) == address)
    verdict, _, _ = _verdict(replace(state, changes=state.changes[: last + 1]))
    return verdict.winner if verdict else None


def _verdict(state: ReviewState) -> tuple[Verdict | None, tuple[str, ...], Winner | None]:
    touched, judgment = state.touched, state.judgment
    if state.rubric is None:
        return None, ("rubric",), None
    judged = judgment.assessments if judgment else None
    both, missing = effective(
        state.rubric.rubric, len(state.comparison.expectations), judge=judged, state=touched
    )
    own_winner = touched.get(Part.WINNER.value)
    preferred = preference(state)
    outright = Winner(str(own_winner.value)) if own_winner and own_winner.value else None
    verdict = settle(
        state.rubric.rubric,
        both,
        preferred_in_both_orders=judgment.preferred_in_both_orders if judgment and both == judged else None,
        set_by_reviewer=preferred.winner if outright is None and preferred else outright,
    )
    if verdict is None or verdict.decided_by is DecidedBy.REVIEWER:
        return verdict, missing, None
    by_votes = judgment.verdict if judgment and both == judged else None
    if by_votes is not None and by_votes.decided_by is DecidedBy.VOTES:
        return by_votes, missing, None
    otherwise = winner_with_one_sided(state.rubric.rubric, both) if missing else None
    # A tie may still be broken by the judge's preference.
    same = otherwise in (None, verdict.winner) or verdict.decided_by is DecidedBy.BOTH_ORDERS
    return verdict, missing, None if same else otherwise


def problems(state: ReviewState, now: CurrentVerdict) -> tuple[str, ...]:
    """What stands in the way of finalising, in plain sentences."""
    found: list[str] = []
    if state.rubric is None:
        return ("There is no rubric yet. Have the comparison judged first.",)
    if state.mode.prefers and preference(state) is None:
        found.append("Say which output is better, and why.")
    if now.missing and not state.opened and not state.mode.prefers:
        found.append(
            f"Score each criterion, then open the judge's scores; or give all {len(now.missing)} missing values "
            "yourself."
        )
    elif now.verdict is None and state.opened:
        found.append(
            f"{_unscored(state.rubric.rubric, now.missing)} Score at least one criterion of it for A and B."
        )
    if state.project.settings.reasons is not ReasonRule.OFF:
        lacking = [
            a for a, e in state.touched.items() if e.touch is Touch.CHANGED and _lacks_reason(state, a, e)
        ]
        if lacking:
            names = ", ".join(describe(state, address) for address in lacking[:4])
            found.append(f"A changed value needs a reason here: {names}{' …' if len(lacking) > 4 else ''}.")
    if now.verdict is None:
        return tuple(found)
    if not now.prose.reasoning.strip():
        found.append("Write in the reasoning why the winner was chosen.")
    elif now.reasoned_for is not None:
        ahead = "it was a tie" if now.reasoned_for is Winner.TIE else f"{now.reasoned_for.value} was ahead"
        found.append(f"Your reasoning was written when {ahead}. Still right?")
    elif now.prose.argues_for is not now.verdict.winner:
        found.append(
            f"The winner is {now.verdict.winner.in_sentence} now, but the reasoning argues for "
            f"{now.prose.argues_for.in_sentence}. Edit the reasoning."
        )
    elif state.offline and not state.wrote_reasoning and preference(state) is None:
        found.append(
            "The reasoning is still the offline check's, which judges nothing. Write in your words why."
        )
    elif state.offline and OPENING in now.prose.reasoning and preference(state) is None:
        found.append(
            "The reasoning still holds the offline check's words, which judge nothing. "
            "Take them out, and say in your words why."
        )
    return tuple(found)


def not_assessed(state: ReviewState, now: CurrentVerdict) -> str:
    """What nobody assessed, in a sentence; empty where every value is given."""
    if not now.missing:
        return ""
    sides: dict[str, list[str]] = {}
    for address in now.missing:
        target = Target.parse(address)
        label = target.label.value if target.label else ""
        name = describe(state, address).removesuffix(f" ({label})")
        sides.setdefault(name, []).append(label)
    names = [name if len(labels) == len(Label) else f"{name} ({labels[0]})" for name, labels in sides.items()]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"Not assessed: {', '.join(names[:MOST_NAMED])}{more}."


def _unscored(rubric: Rubric, missing: tuple[str, ...]) -> str:
    """Which dimension has no criterion with a score for both outputs."""
    paths = {str(Target.parse(address).key) for address in missing if address.startswith(Part.SCORE.value)}
    empty = [d.value for d in Dimension if paths >= {path_of(d, criterion.key) for criterion in rubric.of(d)}]
    return f"Nothing of the {' or the '.join(empty)} is assessed yet."


def describe(state: ReviewState, address: str) -> str:
    """A value's name for a person, such as `Accuracy (A)`."""
    target = Target.parse(address)
    side = f" ({target.label.value})" if target.label else ""
    if target.part is Part.SCORE and state.rubric is not None:
        names = {path: line.name for path, line in state.rubric.rubric.lines()}
        return f"{names.get(str(target.key), str(target.key))}{side}"
    if target.part is Part.EXPECTATION:
        return f"expectation {int(str(target.key)) + 1}{side}"
    if target.part is Part.PREFERENCE:
        return "which output is better"
    return f"{target.part.value}{side}"


def changed_count(state: ReviewState) -> int:
    """How many scores and expectations the reviewer has otherwise than the judge."""
    counted = (Part.SCORE, Part.EXPECTATION)

    def differs(target: Target, entry: ReviewEntry) -> bool:
        # A score that was given blind may be the judge's by itself.
        return target.part in counted and entry.value != judged_value(state.judgment, target)

    return sum(
        entry.touch is Touch.CHANGED and differs(Target.parse(address), entry)
        for address, entry in state.touched.items()
    )


def judged_value(judgment: MergedJudgment | None, target: Target) -> Value:
    """The judge's value at an address; None where there is no judgment (and for the winner, which rules decide)."""
    if judgment is None:
        return None
    prose = judgment.prose
    reads: dict[Part, Callable[[Label, str], Value]] = {
        Part.SCORE: lambda label, key: judgment.assessments[label].scores.get(key),
        Part.EXPECTATION: lambda label, key: _at(judgment.assessments[label].expectations, key),
        Part.STRENGTHS: lambda label, _: prose.strengths[label],
        Part.WEAKNESSES: lambda label, _: prose.weaknesses[label],
        Part.REASONING: lambda *_: prose.reasoning,
        Part.WINNER: lambda *_: None,
        Part.PREFERENCE: lambda *_: None,
    }
    return reads[target.part](target.label or Label.A, target.key or "")


def _at(values: tuple[bool | None, ...], key: str) -> bool | None:
    return values[int(key)] if key.isdecimal() and int(key) < len(values) else None


def _prose(state: dict[str, ReviewEntry], judgment: MergedJudgment | None) -> Prose:
    def lines(part: Part, label: Label) -> tuple[str, ...]:
        entry = state.get(f"{part.value}:{label.value}")
        if entry is not None and isinstance(entry.value, tuple):
            return entry.value
        value = judged_value(judgment, Target(part=part, label=label))
        return value if isinstance(value, tuple) else ()

    own = state.get(Part.REASONING.value)
    reasoning = own.value if own is not None and isinstance(own.value, str) else None
    return Prose(
        reasoning=reasoning or (judgment.prose.reasoning if judgment else ""),
        strengths=PerOutput[tuple[str, ...]](
            A=lines(Part.STRENGTHS, Label.A), B=lines(Part.STRENGTHS, Label.B)
        ),
        weaknesses=PerOutput[tuple[str, ...]](
            A=lines(Part.WEAKNESSES, Label.A), B=lines(Part.WEAKNESSES, Label.B)
        ),
        argues_for=judgment.prose.argues_for if judgment else Winner.TIE,
    )


def _lacks_reason(state: ReviewState, address: str, entry: ReviewEntry) -> bool:
    """A winner set outright always needs a reason; a score only as the project says, and none that was given blind."""
    if entry.reason.strip() or entry.code:
        return False
    part = Target.parse(address).part
    if part is Part.WINNER or (part is Part.PREFERENCE and state.mode.prefers):
        return True
    required = state.project.settings.reasons is ReasonRule.REQUIRED
    return required and part in (Part.SCORE, Part.EXPECTATION) and not entry.blind
