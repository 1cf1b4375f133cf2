"""Where a person's review of a comparison stands: what judge and reviewer said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from comparator.domain.project import ReviewMode
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment, merge
from comparator.domain.scoring.review import UNTOUCHED, Blindness, Change, Part, ReviewEntry, Touch, fold
from comparator.store.core.database import Connection
from comparator.store.judging import passes, rubrics
from comparator.store.judging.passes import PassSet
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.pairs import comparisons, reveals
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.store.people.projects import Project
from comparator.store.reviewing import answers, finalisations, guesses, reviews
from comparator.store.reviewing.answers import AnswerKind, GivenAnswer
from comparator.store.reviewing.finalisations import Finalisation
from comparator.store.reviewing.guesses import Guess
from comparator.store.reviewing.reviews import Review, StoredChanges
from comparator.store.rollup import verdicts
from comparator.store.rollup.verdicts import OFFLINE_KIND, JudgedPasses, OfSeveral
from comparator.workflow.people.people import require
from comparator.workflow.review.claiming import locked_open_project


@dataclass(frozen=True)
class ReviewState:
    """Everything that a review rests on, as stored at one moment."""

    comparison: Comparison
    project: Project
    review: Review | None
    rubric: RubricVersion | None
    chosen: PassSet | None
    judgment: MergedJudgment | None
    changes: tuple[Change, ...]
    saved_at: datetime | None
    """When the last of them was stored."""
    events: tuple[Finalisation, ...]
    """The finalisations and reopenings of the review, oldest first."""
    revealed: bool
    mode: ReviewMode
    blindness: Blindness
    opened: bool
    """Whether the judge's values may be shown. While they may not, `judgment` is None, whatever is stored."""
    answers: tuple[GivenAnswer, ...]
    """What the reviewer said other than scores, and has not taken back."""
    guess: Guess | None
    form: str = ""
    """What the offline check found, in a few words; it gives no values."""
    several: OfSeveral | None = None
    """The judges one by one, where several were asked and `judgment` is what they come to."""

    @property
    def final(self) -> bool:
        """Whether the review is finalised and not reopened."""
        return bool(self.events) and self.events[-1].kind == "final"

    @property
    def own_reasoning(self) -> str | None:
        """The reasoning as the reviewer wrote it; None where they did not."""
        entry = self.touched.get(Part.REASONING.value, UNTOUCHED)
        return entry.value if entry.touch is Touch.CHANGED and isinstance(entry.value, str) else None

    @cached_property
    def touched(self) -> dict[str, ReviewEntry]:
        """The reviewer's touched values by address."""
        return fold(self.changes)


def review_state(connection: Connection, comparison_id: str, *, person_id: str) -> ReviewState:
    """Where the person's review stands; nothing here leads to a candidate. Raises NotFound."""
    comparison = _readable(connection, comparison_id, person_id=person_id)
    project = projects.get(connection, comparison.project_id)
    review = reviews.find(connection, comparison_id, person_id=person_id)
    return _read(connection, comparison, project, review, person_id=person_id)


def locked_state(connection: Connection, comparison_id: str, *, person_id: str) -> ReviewState:
    """The same for whoever changes it: before this transaction ends nobody else does, and nobody closes the project.

    Raises ReviewError where the project is closed.
    """
    comparison = _readable(connection, comparison_id, person_id=person_id)
    # Closing holds the project first, then reviews; in another order two would wait for each other.
    project = locked_open_project(connection, comparison.project_id)
    review = reviews.find_locked(connection, comparison_id, person_id=person_id)
    return _read(connection, comparison, project, review, person_id=person_id)


def blindness_of(comparison: Comparison, person_id: str) -> Blindness:
    """What the person knows of who made which by having set the pair up, or not."""
    if comparison.created_by != person_id:
        return Blindness.BLIND
    return Blindness.SIDES_HIDDEN if comparison.drawn else Blindness.KNOWN


def _readable(connection: Connection, comparison_id: str, *, person_id: str) -> Comparison:
    comparison = comparisons.get(connection, comparison_id)
    require(connection, person_id, Act.READ, project_id=comparison.project_id)
    return comparison


def _read(
    connection: Connection, comparison: Comparison, project: Project, review: Review | None, *, person_id: str
) -> ReviewState:
    comparison_id = comparison.id
    now = verdicts.judged(connection, comparison_id)
    chosen = _begun_with(connection, review, now)
    rubric_id = (review.rubric_id if review else None) or (chosen.rubric_id if chosen else None)
    rubric = now.rubric if now else None
    if rubric is None or rubric.id != rubric_id:
        rubric = (
            rubrics.get(connection, rubric_id)
            if rubric_id
            else rubrics.current(
                connection, project_id=comparison.project_id, task_version_id=comparison.task_version_id
            )
        )
    mode = review.mode if review else project.settings.mode
    revealed = reveals.of_comparison(connection, comparison_id) is not None
    answered = answers.of_comparison(connection, comparison_id, person_id=person_id)
    opened = not mode.blind or revealed or any(each.kind is AnswerKind.COMMITTED for each in answered)
    judgment, form = None, ""
    if opened and chosen is not None and chosen.judge_kind == OFFLINE_KIND:
        form = now.form.words if now is not None and now.form is not None else ""
    elif (
        opened
        and chosen is not None
        and chosen.complete
        and rubric is not None
        and chosen.rubric_id == rubric.id
    ):
        same = now is not None and now.chosen == chosen
        judgment = (
            now.judgment
            if now is not None and same
            else merge(rubric.rubric, passes.successful(connection, chosen.digest))
        )
    stored = reviews.stored_changes(connection, review.id) if review else StoredChanges()
    return ReviewState(
        comparison=comparison,
        project=project,
        review=review,
        rubric=rubric,
        chosen=chosen,
        judgment=judgment,
        form=form,
        several=now.by if now is not None and judgment is not None and judgment is now.judgment else None,
        changes=stored.changes,
        saved_at=stored.stored_at,
        events=finalisations.events(connection, review.id) if review else (),
        revealed=revealed,
        mode=mode,
        blindness=review.blindness if review else blindness_of(comparison, person_id),
        opened=opened,
        answers=answered,
        guess=guesses.find(connection, comparison_id, person_id=person_id),
    )


def _begun_with(connection: Connection, review: Review | None, now: JudgedPasses | None) -> PassSet | None:
    """The readings that the review was begun with, else those that count now."""
    if review is not None and (now is None or review.judgment_set != now.chosen.digest):
        known = passes.sets(connection, review.comparison_id)
        begun = next((each for each in known if each.digest == review.judgment_set), None)
        if begun is not None:
            return begun
    return now.chosen if now else None
