"""Where a person's review of a comparison stands: what judge and reviewer said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from comparator.domain.errors import ReviewError
from comparator.domain.project import ReviewMode
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment, merge
from comparator.domain.scoring.review import Blindness, Change, ReviewEntry, fold
from comparator.store.core.unit import Unit
from comparator.store.facts import verdicts
from comparator.store.facts.verdicts import OFFLINE_KIND, JudgedPasses, OfSeveral
from comparator.store.judging import passes, rubrics
from comparator.store.judging.passes import PassSet
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.pairs import comparisons, reveals
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.store.people.projects import Project
from comparator.store.reviewing import finalisations, notes, reviews
from comparator.store.reviewing.finalisations import Finalisation
from comparator.store.reviewing.notes import ANSWERS, Note, NoteKind
from comparator.store.reviewing.reviews import Review, StoredChanges
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services


@dataclass(frozen=True)
class ReviewState:
    """One person at one comparison, in one transaction: everything that their review rests on."""

    unit: Unit
    comparison: Comparison
    project: Project
    review: Review | None
    rubric: RubricVersion | None
    chosen: PassSet | None
    judgment: MergedJudgment | None
    """None as well while the judge's values may not be shown, whatever is stored."""
    form: str
    """What the offline check found, in a few words; it gives no values."""
    several: OfSeveral | None
    """The judges one by one, where several were asked and `judgment` is what they come to."""
    stored: StoredChanges
    events: tuple[Finalisation, ...]
    """The finalisations and reopenings of the review, oldest first."""
    notes: tuple[Note, ...]
    """What the reviewer said other than scores, and has not taken back."""
    revealed: bool
    mode: ReviewMode
    blindness: Blindness
    opened: bool
    """Whether the judge's values may be shown."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """The reviewer's changes in the order in which they were stored."""
        return self.stored.changes

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

    def log(self, kind: str, detail: Mapping[str, Any] | None = None) -> None:
        """Note in the audit log what the person did. Raises RightsError where they may not review here."""
        authorise(
            self.unit,
            Act.REVIEW,
            kind,
            project_id=self.project.id,
            subject_id=self.comparison.id,
            detail=detail,
        )


@contextmanager
def reviewing(services: Services, comparison_id: str) -> Iterator[ReviewState]:
    """The person's review for whoever alters it: until the end nobody else does, and nobody closes the project."""
    with services.write() as unit:
        yield review_state(unit, comparison_id, locked=True)


def review_state(unit: Unit, comparison_id: str, *, locked: bool = False) -> ReviewState:
    """Where the person's review stands; nothing here leads to a candidate. Raises NotFound, RightsError."""
    connection = unit.connection
    comparison = comparisons.get(connection, comparison_id)
    require(unit, Act.READ, project_id=comparison.project_id)
    # Closing holds the project first, then reviews; in another order two would wait for each other.
    project = (projects.locked if locked else projects.get)(connection, comparison.project_id)
    review = reviews.find(connection, comparison_id, person_id=unit.person, locked=locked)
    now = verdicts.judged(connection, comparison_id)
    chosen = _begun_with(unit, review, now)
    rubric_id = (review.rubric_id if review else None) or (chosen.rubric_id if chosen else None)
    rubric = now.rubric if now else None
    if rubric_id is None:
        rubric = rubrics.current(
            connection, project_id=comparison.project_id, task_version_id=comparison.task_version_id
        )
    elif rubric is None or rubric.id != rubric_id:
        rubric = rubrics.get(connection, rubric_id)
    mode = review.mode if review else project.settings.mode
    revealed = reveals.of_comparison(connection, comparison_id) is not None
    said = notes.standing(connection, comparison_id, person_id=unit.person)
    opened = not mode.blind or revealed or any(note.kind is NoteKind.COMMITTED for note in said)
    judgment, form = None, ""
    if opened and chosen is not None and chosen.judge_kind == OFFLINE_KIND:
        form = now.form.words if now is not None and now.form is not None else ""
    elif opened and chosen and chosen.complete and rubric and chosen.rubric_id == rubric.id:
        same = now is not None and now.chosen == chosen
        judgment = (
            now.judgment
            if now is not None and same
            else merge(rubric.rubric, passes.successful(connection, chosen.digest))
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
        stored=reviews.stored_changes(connection, review.id) if review else StoredChanges(),
        events=finalisations.events(connection, review.id) if review else (),
        notes=said,
        revealed=revealed,
        mode=mode,
        blindness=review.blindness if review else blindness_of(comparison, unit.person),
        opened=opened,
    )


def blindness_of(comparison: Comparison, person_id: str) -> Blindness:
    """What the person knows of who made which by having set the pair up, or not."""
    if comparison.created_by != person_id:
        return Blindness.BLIND
    return Blindness.SIDES_HIDDEN if comparison.drawn else Blindness.KNOWN


def _begun_with(unit: Unit, review: Review | None, now: JudgedPasses | None) -> PassSet | None:
    """The readings that the review was begun with, else those that count now."""
    if review is not None and (now is None or review.judgment_set != now.chosen.digest):
        known = passes.sets(unit.connection, review.comparison_id)
        begun = next((each for each in known if each.digest == review.judgment_set), None)
        if begun is not None:
            return begun
    return now.chosen if now else None
