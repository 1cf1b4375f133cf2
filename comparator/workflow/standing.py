"""Where a person's review of a comparison stands: what judge and reviewer said, and the verdict that holds now."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from comparator.domain.judgment import MergedJudgment, Prose, merge
from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.review import UNTOUCHED, Change, Entry, Part, Target, Touch, Value, effective, fold
from comparator.domain.verdict import Verdict, settle
from comparator.store import comparisons, judging, projects, reveals, reviews, rubrics
from comparator.store.comparisons import Comparison
from comparator.store.database import Connection
from comparator.store.passes import PassSet
from comparator.store.projects import Project, ReasonRule
from comparator.store.reviews import Review
from comparator.store.rubrics import RubricVersion
from comparator.store.verdicts import BASELINE_KIND


class Standing(NamedTuple):
    """Everything that a review rests on, as stored at one moment."""

    comparison: Comparison
    project: Project
    review: Review | None
    rubric: RubricVersion | None
    chosen: PassSet | None
    judgment: MergedJudgment | None
    changes: tuple[Change, ...]
    final: bool
    revealed: bool

    @property
    def baseline(self) -> bool:
        """Whether the judge's side is the offline baseline's."""
        return self.chosen is not None and self.chosen.judge_kind == BASELINE_KIND

    @property
    def wrote_reasoning(self) -> bool:
        """Whether the reasoning is in the reviewer's own words."""
        return self.state.get(Part.REASONING.value, UNTOUCHED).touch is Touch.CHANGED

    @property
    def state(self) -> dict[str, Entry]:
        """The reviewer's touched values by address."""
        return fold(self.changes)


class Held(NamedTuple):
    """What holds now: the verdict with its words, or what is still missing for one."""

    verdict: Verdict | None
    prose: Prose
    missing: tuple[str, ...]


def stand(connection: Connection, comparison_id: str, *, person_id: str) -> Standing:
    """Where the person's review stands; nothing here leads to a candidate. Raises NotFound."""
    comparison = comparisons.get(connection, comparison_id)
    project = projects.get(connection, comparison.project_id)
    review = reviews.find(connection, comparison_id, person_id=person_id)
    known = judging.sets(connection, comparison_id)
    chosen = next((s for s in known if review and s.digest == review.judgment_set), None)
    chosen = chosen or judging.current_set(connection, comparison_id)
    rubric_id = (review.rubric_id if review else None) or (chosen.rubric_id if chosen else None)
    rubric = (
        rubrics.get(connection, rubric_id)
        if rubric_id
        else rubrics.current(
            connection, project_id=comparison.project_id, task_version_id=comparison.task_version_id
        )
    )
    judgment = None
    if chosen is not None and chosen.complete and rubric is not None and chosen.rubric_id == rubric.id:
        passes = judging.successful_passes(connection, comparison_id, set_digest=chosen.digest)
        judgment = merge(rubric.rubric, passes)
    return Standing(
        comparison=comparison,
        project=project,
        review=review,
        rubric=rubric,
        chosen=chosen,
        judgment=judgment,
        changes=reviews.changes(connection, review.id) if review else (),
        final=review is not None and reviews.is_final(connection, review.id),
        revealed=reveals.of_comparison(connection, comparison_id) is not None,
    )


def held(standing: Standing) -> Held:
    """The verdict that the reviewer's values and, beneath them, the judge's give."""
    verdict, missing = _verdict(standing)
    prose = _prose(standing.state, standing.judgment)
    if standing.wrote_reasoning:
        # Written while values were missing, it argues for whatever they came to.
        argued = _winner_when_written(standing) or (verdict.winner if verdict else prose.argues_for)
        prose = prose.model_copy(update={"argues_for": argued})
    return Held(verdict=verdict, prose=prose, missing=missing)


def _winner_when_written(standing: Standing) -> Winner | None:
    """The winner as it stood when the person last wrote the reasoning; None where there was none yet."""
    address = Part.REASONING.value
    last = max(i for i, change in enumerate(standing.changes) if str(change.target) == address)
    verdict, _ = _verdict(standing._replace(changes=standing.changes[: last + 1]))
    return verdict.winner if verdict else None


def _verdict(standing: Standing) -> tuple[Verdict | None, tuple[str, ...]]:
    state, judgment = standing.state, standing.judgment
    if standing.rubric is None:
        return None, ("rubric",)
    judged = judgment.verdict.assessments if judgment else None
    both, missing = effective(
        standing.rubric.rubric, len(standing.comparison.expectations), judge=judged, state=state
    )
    if both is None:
        return None, missing
    own_winner = state.get(Part.WINNER.value)
    verdict = settle(
        standing.rubric.rubric,
        both,
        preferred_in_both_orders=judgment.preferred_in_both_orders if judgment and both == judged else None,
        set_by_reviewer=Winner(str(own_winner.value)) if own_winner and own_winner.value else None,
    )
    return verdict, ()


def problems(standing: Standing, now: Held) -> tuple[str, ...]:
    """What stands in the way of finalising, in plain sentences."""
    found: list[str] = []
    state = standing.state
    if standing.rubric is None:
        return ("There is no rubric yet. Have the comparison judged first.",)
    if now.missing:
        found.append(f"{len(now.missing)} values have neither a score of yours nor the judge's. Score them.")
    if standing.project.settings.reasons is ReasonRule.REQUIRED:
        lacking = [
            a
            for a, e in state.items()
            if e.touch is Touch.CHANGED and _wants_reason(a) and not (e.reason or e.code)
        ]
        if lacking:
            names = ", ".join(describe(standing, address) for address in lacking[:4])
            found.append(f"A changed value needs a reason here: {names}{' …' if len(lacking) > 4 else ''}.")
    if now.verdict is None:
        return tuple(found)
    if not now.prose.reasoning.strip():
        found.append("Write in the reasoning why the winner was chosen.")
    elif now.prose.argues_for is not now.verdict.winner:
        found.append(
            f"The winner is {_named(now.verdict.winner)} now, but the reasoning argues for "
            f"{_named(now.prose.argues_for)}. Edit the reasoning."
        )
    elif standing.baseline and not standing.wrote_reasoning:
        found.append("The reasoning is still the baseline's, which judges nothing. Write in your words why.")
    return tuple(found)


def describe(standing: Standing, address: str) -> str:
    """A value's name for a person, such as `Accuracy (A)`."""
    target = Target.parse(address)
    side = f" ({target.label.value})" if target.label else ""
    if target.part is Part.SCORE and standing.rubric is not None:
        names = {path: line.name for path, line in standing.rubric.rubric.lines()}
        return f"{names.get(str(target.key), str(target.key))}{side}"
    if target.part is Part.EXPECTATION:
        return f"expectation {int(str(target.key)) + 1}{side}"
    return f"{target.part.value}{side}"


def changed_count(standing: Standing) -> int:
    """How many scores and expectations the reviewer changed against the judge."""
    counted = (Part.SCORE, Part.EXPECTATION)
    return sum(
        entry.touch is Touch.CHANGED and Target.parse(address).part in counted
        for address, entry in standing.state.items()
    )


def judged_value(judgment: MergedJudgment | None, target: Target) -> Value:
    """The judge's value at an address; None where there is no judgment (and for the winner, which rules decide)."""
    if judgment is None:
        return None
    prose, verdict = judgment.prose, judgment.verdict
    reads: dict[Part, Callable[[Label, str], Value]] = {
        Part.SCORE: lambda label, key: verdict.assessments[label].scores.get(key),
        Part.EXPECTATION: lambda label, key: _at(verdict.assessments[label].expectations, key),
        Part.STRENGTHS: lambda label, _: prose.strengths[label],
        Part.WEAKNESSES: lambda label, _: prose.weaknesses[label],
        Part.REASONING: lambda *_: prose.reasoning,
        Part.WINNER: lambda *_: None,
    }
    return reads[target.part](target.label or Label.A, target.key or "")


def _at(values: tuple[bool, ...], key: str) -> bool | None:
    return values[int(key)] if key.isdecimal() and int(key) < len(values) else None


def _prose(state: dict[str, Entry], judgment: MergedJudgment | None) -> Prose:
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


def _wants_reason(address: str) -> bool:
    return Target.parse(address).part in (Part.SCORE, Part.EXPECTATION, Part.WINNER)


def _named(winner: Winner) -> str:
    return "a tie" if winner is Winner.TIE else winner.value
