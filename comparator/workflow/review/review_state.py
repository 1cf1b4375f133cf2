"""Where a person's review of a comparison stands: what judge and reviewer said, what it comes to, and what it lacks."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.project import ReasonRule, ReviewMode
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment, Prose, merge
from comparator.domain.scoring.result import decision_of, sentence_of, with_the_judges
from comparator.domain.scoring.review import (
    UNTOUCHED,
    Blindness,
    Change,
    Part,
    Preference,
    ReviewEntry,
    Target,
    Touch,
    effective,
    fold,
    judged_value,
)
from comparator.domain.scoring.rubric import USUAL
from comparator.domain.scoring.verdict import DecidedBy, Verdict, settle
from comparator.store.core.sql import Unit
from comparator.store.facts import verdicts
from comparator.store.judging import judgments, rubrics
from comparator.store.pairs import comparisons, reveals
from comparator.store.people import projects
from comparator.store.reviewing import notes, reviews
from comparator.store.reviewing.notes import ANSWERS, Note, NoteKind
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services

UNSCORED = "Score at least one criterion of the content and one of the structure for A and B."


@dataclass(frozen=True)
class ReviewState:
    """One person at one comparison, in one transaction: everything that their review rests on."""

    unit: Unit
    comparison: comparisons.Comparison
    project: projects.Project
    review: reviews.Review | None
    rubric: rubrics.RubricVersion
    """Where nothing has written one yet, the usual criteria, without an id until a review begins."""
    chosen: judgments.PassSet | None
    judgment: MergedJudgment | None
    """None as well while the judge's values may not be shown, whatever is stored."""
    form: str
    """What the offline check found, in a few words; it gives no values."""
    several: verdicts.OfSeveral | None
    """The judges one by one, where several were asked and `judgment` is what they come to."""
    changes: tuple[Change, ...]
    """The reviewer's changes in the order in which they were stored."""
    events: tuple[reviews.Finalisation, ...]
    """The finalisations and reopenings of the review, oldest first."""
    notes: tuple[Note, ...]
    """What the reviewer said other than scores, and has not taken back."""
    revealed: bool
    mode: ReviewMode
    blindness: Blindness
    opened: bool
    """Whether the judge's values may be shown."""

    @property
    def final(self) -> bool:
        """Whether the review is finalised and not reopened."""
        return bool(self.events) and self.events[-1].kind == "final"

    @property
    def answers(self) -> tuple[Note, ...]:
        """The answers of which the reviewer may take each back."""
        return tuple(note for note in self.notes if note.kind in ANSWERS)

    @property
    def guessed(self) -> bool:
        """Whether the reviewer said who made which output."""
        return any(note.kind is NoteKind.GUESS for note in self.notes)

    @property
    def saw_judge(self) -> bool:
        """Whether the reviewer was sent the judge's values."""
        return any(note.saw_judge for note in self.notes)

    @property
    def decisions(self) -> tuple[Change, ...]:
        """The changes that stand: none that was taken back, and none that took one back."""
        undone = {change.undoes for change in self.changes}
        return tuple(change for change in self.changes if change.undoes is None and change.id not in undone)

    @cached_property
    def touched(self) -> dict[str, ReviewEntry]:
        """The reviewer's touched values by address."""
        return fold(self.changes)

    def require_open(self) -> None:
        """Raise ReviewError where the project is closed."""
        if self.project.closed_at is not None:
            raise ReviewError(
                "This project is closed and revealed; nothing more is reviewed in it. Its lead can open it again."
            )

    def note(self, kind: NoteKind, **content: Any) -> None:
        """Keep a note of the reviewer on the pair; `content` has the fields of its kind."""
        notes.add(self.unit, self.comparison.id, kind, person_id=self.unit.person, **content)

    def log(self, kind: str, **detail: Any) -> None:
        """Note in the audit log what the person did. Raises RightsError where they may not review here."""
        authorise(self.unit, Act.REVIEW, kind, self.project.id, self.comparison.id, **detail)


@contextmanager
def reviewing(services: Services, comparison_id: str) -> Iterator[ReviewState]:
    """The person's review for whoever alters it: until the end nobody else does, and nobody closes the project."""
    with services.write() as unit:
        yield review_state(unit, comparison_id, locked=True)


def review_state(unit: Unit, comparison_id: str, *, locked: bool = False) -> ReviewState:
    """Where the person's review stands; nothing here leads to a candidate. Raises NotFound, RightsError."""
    comparison = comparisons.get(unit, comparison_id)
    require(unit, Act.READ, comparison.project_id)
    # Closing holds the project first, then reviews; in another order two would wait for each other.
    project = (projects.locked if locked else projects.get)(unit, comparison.project_id)
    review = reviews.find(unit, comparison_id, person_id=unit.person, locked=locked)
    now = verdicts.judged(unit, comparison_id)
    chosen = _first_readings(unit, review, now)
    rubric_id = (review.rubric_id if review else None) or (chosen.rubric_id if chosen else None)
    rubric = now.rubric if now else None
    if rubric_id is None:
        rubric = rubrics.current(
            unit, project_id=comparison.project_id, task_version_id=comparison.task_version_id
        )
    elif rubric is None or rubric.id != rubric_id:
        rubric = rubrics.get(unit, rubric_id)
    rubric = rubric or _default_rubric(comparison)
    revealed = reveals.of_comparison(unit, comparison_id) is not None
    standing_notes = notes.standing(unit, comparison_id, person_id=unit.person)
    mode = review.mode if review else project.settings.mode
    if review is None and any(note.saw_judge for note in standing_notes):
        # Whoever has seen the judge's values cannot score before them any more.
        mode = ReviewMode.of(blind=False, prefers=mode.prefers)
    opened = not mode.blind or revealed or any(note.kind is NoteKind.COMMITTED for note in standing_notes)
    judgment, form = None, ""
    if opened and chosen is not None and chosen.judge_kind == verdicts.OFFLINE_KIND:
        form = now.form.words if now is not None and now.form is not None else ""
    elif opened and chosen and chosen.complete and chosen.rubric_id == rubric.id:
        same = now is not None and now.chosen == chosen
        judgment = (
            now.judgment
            if now is not None and same
            else merge(rubric.rubric, judgments.successful(unit, chosen.digest))
        )
    return ReviewState(
        unit=unit,
        comparison=comparison,
        project=project,
        review=review,
        rubric=rubric,
        chosen=chosen,
        judgment=judgment,
        form=form,
        several=now.by if now is not None and judgment is not None and judgment is now.judgment else None,
        changes=reviews.changes(unit, review.id) if review else (),
        events=reviews.events(unit, review.id) if review else (),
        notes=standing_notes,
        revealed=revealed,
        mode=mode,
        blindness=review.blindness if review else blindness_of(comparison, unit.person),
        opened=opened,
    )


def blindness_of(comparison: comparisons.Comparison, person_id: str) -> Blindness:
    """What the person knows of who made which by having set the pair up, or not."""
    if comparison.created_by != person_id:
        return Blindness.BLIND
    return Blindness.SIDES_HIDDEN if comparison.drawn else Blindness.KNOWN


def _first_readings(
    unit: Unit, review: reviews.Review | None, now: verdicts.JudgedPasses | None
) -> judgments.PassSet | None:
    """The readings that the review was begun with, else those that count now."""
    if review is not None and (now is None or review.judgment_set != now.chosen.digest):
        known = judgments.sets(unit, review.comparison_id)
        begun = next((readings for readings in known if readings.digest == review.judgment_set), None)
        if begun is not None:
            return begun
    return now.chosen if now else None


class CurrentVerdict(NamedTuple):
    """What holds now: the verdict with its words, and the addresses of values that are not assessed."""

    verdict: Verdict | None
    prose: Prose
    missing: tuple[str, ...]


def current_verdict(state: ReviewState) -> CurrentVerdict:
    """The verdict that the reviewer's values and, beneath them, the judge's give."""
    verdict, missing = _verdict(state)
    reasoning = state.touched.get(Part.REASONING.value, UNTOUCHED)
    own = reasoning.value if reasoning.touch is Touch.CHANGED and isinstance(reasoning.value, str) else None
    lines: dict[Part, dict[str, tuple[str, ...]]] = {Part.STRENGTHS: {}, Part.WEAKNESSES: {}}
    for part, by_label in lines.items():
        for label in Label:
            entry = state.touched.get(f"{part.value}:{label.value}", UNTOUCHED)
            values = (entry.value, judged_value(state.judgment, Target(part=part, label=label)))
            by_label[label.value] = next((value for value in values if isinstance(value, tuple)), ())
    prose = Prose(
        reasoning=(own or "") if verdict is None else _reasoning(state, verdict, own),
        strengths=PerOutput[tuple[str, ...]](**lines[Part.STRENGTHS]),
        weaknesses=PerOutput[tuple[str, ...]](**lines[Part.WEAKNESSES]),
        argues_for=verdict.winner if verdict else Winner.TIE,
    )
    return CurrentVerdict(verdict, prose, missing)


class Choice(NamedTuple):
    """How the reviewer said outright which output is better."""

    entry: ReviewEntry
    winner: Winner
    sentence: str
    """Their answer in words, where they were asked that one question."""


def _choice(state: ReviewState) -> Choice | None:
    winner = state.touched.get(Part.WINNER.value)
    if winner is not None and winner.value is not None:
        return Choice(winner, Winner(str(winner.value)), "")
    entry = state.touched.get(Part.PREFERENCE.value) if state.mode.prefers else None
    if entry is None or entry.value is None:
        return None
    preferred = Preference(str(entry.value))
    return Choice(entry, preferred.winner, f"{preferred.sentence}.")


def _default_rubric(comparison: comparisons.Comparison) -> rubrics.RubricVersion:
    return rubrics.RubricVersion(
        id="",
        project_id=comparison.project_id,
        task_version_id=comparison.task_version_id,
        number=1,
        author_kind="offline",
        author="the specification",
        created_at=comparison.created_at,
        locked_at=None,
        rubric=USUAL,
    )


def lacking_before_opening(state: ReviewState) -> tuple[str, ...]:
    """What a blind review still needs before the judge's values open: its addresses; empty once they may."""
    if state.opened or _choice(state) is not None:
        return ()
    if state.mode.prefers:
        return (Part.PREFERENCE.value,)
    addresses = (f"score:{label.value}:{path}" for path in state.rubric.rubric.paths for label in Label)
    return tuple(address for address in addresses if address not in state.touched)


def _verdict(state: ReviewState) -> tuple[Verdict | None, tuple[str, ...]]:
    touched, judgment = state.touched, state.judgment
    judged = judgment.assessments if judgment else None
    both, missing = effective(
        state.rubric.rubric, len(state.comparison.expectations), judge=judged, state=touched
    )
    choice = _choice(state)
    verdict = settle(
        state.rubric.rubric,
        both,
        preferred_in_both_orders=judgment.preferred_in_both_orders if judgment and both == judged else None,
        set_by_reviewer=choice.winner if choice else None,
    )
    if verdict is None or verdict.decided_by is DecidedBy.REVIEWER:
        return verdict, missing
    by_votes = judgment.verdict if judgment and both == judged else None
    if by_votes is not None and by_votes.decided_by is DecidedBy.VOTES:
        return by_votes, missing
    return verdict, missing


def _reasoning(state: ReviewState, verdict: Verdict, own: str | None) -> str:
    """The reviewer's own text, else their sentence on the winner, else the judge's where it argues for the winner."""
    choice = _choice(state)
    sentence = sentence_of(choice.entry) if choice else ""
    decision = (choice.sentence if choice else "") or decision_of(verdict)
    if own is not None:
        address = Part.REASONING.value
        decisions = state.decisions
        last = max(i for i, change in enumerate(decisions) if str(change.target) == address)
        before = _verdict(replace(state, changes=decisions[: last + 1]))[0]
        flipped = before is not None and before.winner is not verdict.winner
        return f"{decision}\n\n{own}" if flipped else own
    # The offline check argues for nobody.
    judges = state.judgment.prose if state.judgment else None
    if judges is None:
        return sentence or decision
    if judges.argues_for is verdict.winner:
        return sentence or judges.reasoning
    return with_the_judges(sentence or decision, judges=judges.reasoning, argues_for=judges.argues_for)


def problems(state: ReviewState, now: CurrentVerdict) -> tuple[str, ...]:
    """What stands in the way of finalising, in plain sentences."""
    sentences: list[str] = []
    if lacking_before_opening(state) and not state.mode.prefers:
        sentences.append("Say which output is better, or score each criterion.")
    elif (state.mode.prefers and _choice(state) is None) or not (
        state.judgment is not None or any(entry.touch.is_opinion for entry in state.touched.values())
    ):
        sentences.append("Say which output is better.")
    elif now.verdict is None and state.opened:
        sentences.append(UNSCORED)
    if state.project.settings.reasons is ReasonRule.REQUIRED:
        lacking = [describe(state, a) for a, e in state.touched.items() if _lacks_reason(a, e)]
        if lacking:
            sentences.append(f"This project requires a reason. Give one for: {', '.join(lacking)}.")
    return tuple(sentences)


def describe(state: ReviewState, address: str) -> str:
    """A value's name for a person, such as `Accuracy (A)`."""
    target = Target.parse(address)
    side = f" ({target.label.value})" if target.label else ""
    if target.part is Part.SCORE:
        names = {path: line.name for path, line in state.rubric.rubric.lines()}
        return f"{names.get(str(target.key), str(target.key))}{side}"
    if target.part is Part.EXPECTATION:
        return f"expectation {int(str(target.key)) + 1}{side}"
    if target.part is Part.PREFERENCE:
        return "which output is better"
    return f"{target.part.value}{side}"


def changed_count(state: ReviewState) -> int:
    """How many scores and expectations the reviewer has otherwise than the judge."""
    # A score that was given blind may be the judge's by itself.
    return sum(
        entry.touch is Touch.CHANGED
        and target.part in (Part.SCORE, Part.EXPECTATION)
        and entry.value != judged_value(state.judgment, target)
        for target, entry in ((Target.parse(address), entry) for address, entry in state.touched.items())
    )


def _lacks_reason(address: str, entry: ReviewEntry) -> bool:
    """Whether a value has no reason where they are required: whatever was changed, set outright, or not judged.

    A score that was given blind changes nothing of the judge's.
    """
    if entry.reason.strip() or entry.code:
        return False
    part = Target.parse(address).part
    if part in (Part.SCORE, Part.EXPECTATION):
        return entry.touch is Touch.CANNOT_JUDGE or (entry.touch is Touch.CHANGED and not entry.blind)
    return part in (Part.WINNER, Part.PREFERENCE) and entry.touch is Touch.CHANGED
