"""What a reviewer does with files beside scoring: ticks, evidence of their own, and comments."""

import re
from collections.abc import Sequence

from pydantic import Field

from comparator.domain.errors import Conflict, NotFound, ReviewError
from comparator.domain.labels import Frozen, Label
from comparator.domain.rights import Act
from comparator.domain.scoring.review import Part, Target
from comparator.store.core.sql import Unit
from comparator.store.pairs import comparison_list, comparisons, outputs
from comparator.store.people import people, projects
from comparator.store.reviewing import notes, queue, reviews
from comparator.store.reviewing.notes import Note, NoteKind
from comparator.workflow.people.people import authorise, require_for
from comparator.workflow.review.review_state import ReviewState
from comparator.workflow.review.sheet import Sheet
from comparator.workflow.services import Services

LONGEST_PASSAGE = 4_000
LONGEST_COMMENT = 8_000
_ID = re.compile(r"[a-z2-7]{20}")


class Passage(Frozen):
    """A part of a file that a reviewer marked; without text the file as a whole."""

    file_id: str
    text: str = ""
    start: int | None = None
    end: int | None = None


class Notes(Frozen):
    """A person's ticks and evidence in one comparison, and the comments that they may see."""

    looked: frozenset[str] = frozenset()
    evidence: tuple[Note, ...] = ()
    comments: tuple[Note, ...] = ()
    authors: dict[str, str] = Field(default_factory=dict)
    """The names of those who commented, by id."""
    closed: bool = False
    """Whether the review is finalised, so that evidence stays as it is."""


def read_notes(services: Services, comparison_id: str) -> Notes:
    """The person's notes. Others' comments are told once nobody can be swayed by them any more.

    That is when the project is closed; or before, when one's own review is final and the pair open for nobody else,
    who could be told of them. Raises NotFound.
    """
    with services.read() as unit:
        require_for(unit, Act.READ, comparison_id=comparison_id)
        review = reviews.find(unit, comparison_id, person_id=services.person)
        final = review is not None and reviews.is_final(unit, review.id)
        shows_all = _is_over(unit, comparison_id, final=final)
        every = notes.standing(unit, comparison_id)
        own = tuple(note for note in every if note.person_id == services.person)
        comments = tuple(n for n in (every if shows_all else own) if n.kind is NoteKind.COMMENT)
        authors = {note.person_id for note in comments}
        return Notes(
            looked=notes.looked_at(own),
            evidence=tuple(note for note in own if note.kind is NoteKind.EVIDENCE),
            comments=comments,
            authors={author: people.get(unit, author).name for author in authors},
            closed=final,
        )


def _is_over(unit: Unit, id: str, *, final: bool) -> bool:
    """Whether the review of a comparison has ended, as far as this person may know."""
    project = projects.get(unit, comparisons.get(unit, id).project_id)
    if project.closed_at is not None:
        return True
    if not final or project.settings.is_for_all(id):
        return False
    line = comparison_list.line(unit, id)
    if line.open_reviews or line.final_reviews < project.settings.reviews_needed:
        return False
    claimed = queue.in_force(unit, project.id)
    return all(claim.comparison_id != id or claim.person_id == unit.person for claim in claimed)


def look(state: ReviewState, file_ids: Sequence[str]) -> None:
    """Note files as looked at. Raises NotFound for files of another comparison."""
    _sides(state, file_ids)
    state.note(NoteKind.SEEN, files=tuple(file_ids))
    state.log("files_seen", ids=list(file_ids))


def mark_judge_seen(services: Services, sheet: Sheet) -> None:
    """Note that whoever gets this sheet cannot score before the judge's values any more, even if they may review only
    later."""
    if sheet.judge_is_new:
        with services.write() as unit:
            notes.add(unit, sheet.comparison_id, NoteKind.SEEN, person_id=unit.person, saw_judge=True)
            authorise(unit, Act.READ, "files_seen", sheet.project_id, sheet.comparison_id)


def attach(state: ReviewState, passage: Passage, target: Target, *, id: str) -> None:
    """Hold a passage against a criterion or an expectation of the output that it stands in; sending twice stores once.

    Raises ReviewError where it does not fit, or the review is finalised.
    """
    if _is_stored(state, id):
        return
    if state.final:
        raise ReviewError("This review is finalised. Reopen it to attach evidence.")
    paths = state.rubric.rubric.paths
    numbers = [str(number) for number in range(len(state.comparison.expectations))]
    if not (
        (target.part is Part.SCORE and target.key in paths)
        or (target.part is Part.EXPECTATION and target.key in numbers)
    ):
        raise ReviewError("Evidence belongs to a criterion or an expectation of this comparison.")
    if _sides(state, [passage.file_id])[passage.file_id] is not target.label:
        raise ReviewError("Evidence for one output cannot come from the other. Choose a passage of its own.")
    if not passage.text.strip() or len(passage.text) > LONGEST_PASSAGE:
        raise ReviewError(f"Evidence is a passage of 1 to {LONGEST_PASSAGE} characters. Select less.")
    state.note(NoteKind.EVIDENCE, id=id, target=str(target), **passage.model_dump())
    state.log("evidence_attached", ids=[id])


def withdraw(state: ReviewState, evidence_id: str) -> None:
    """Take one's own evidence back. Raises NotFound, or ReviewError where the review is finalised."""
    piece = notes.find(state.unit, evidence_id, kind=NoteKind.EVIDENCE)
    if piece is None or (piece.comparison_id, piece.person_id) != (state.comparison.id, state.unit.person):
        raise NotFound("There is no such evidence of yours.")
    if state.final:
        raise ReviewError("This review is finalised. Reopen it to take evidence back.")
    notes.withdraw(state.unit, piece)
    state.log("evidence_withdrawn", ids=[evidence_id])


def comment(state: ReviewState, text: str, *, id: str, about: Passage | None = None) -> None:
    """Keep a comment on a file, a passage or the whole comparison; sending twice stores once.

    Raises ReviewError for an empty or overlong one, NotFound where it is about something that is not there.
    """
    text = text.strip()
    if not text or len(text) > LONGEST_COMMENT:
        raise ReviewError(f"A comment has 1 to {LONGEST_COMMENT} characters.")
    if about is not None and len(about.text) > LONGEST_PASSAGE:
        raise ReviewError(f"A passage has at most {LONGEST_PASSAGE} characters. Select less.")
    if _is_stored(state, id):
        return
    if about is not None:
        _sides(state, [about.file_id])
    passage = about.model_dump(exclude={"text"}) | {"selection": about.text} if about else {}
    state.note(NoteKind.COMMENT, id=id, text=text, **passage)
    state.log("comment_added", ids=[id])


def _sides(state: ReviewState, file_ids: Sequence[str]) -> dict[str, Label | None]:
    """Which output each file stands in, None for the task's own. Raises NotFound for a file of no view of this one."""
    comparison = state.comparison
    labels = {comparison.view_a: Label.A, comparison.view_b: Label.B}
    views = {*labels, comparison.input_view, comparison.reference_view}
    labels_by_id: dict[str, Label | None] = {}
    for file_id in file_ids:
        row = outputs.file(state.unit, file_id)
        if row.view_id not in views:
            raise NotFound("There is no such file in this comparison.")
        labels_by_id[file_id] = labels.get(row.view_id)
    return labels_by_id


def _is_stored(state: ReviewState, id: str) -> bool:
    """Whether the person's note of this id is there. Raises ReviewError for no usable id, Conflict for another's."""
    if not _ID.fullmatch(id):
        raise ReviewError("A note came without a usable id. Reload the page.")
    known = notes.find(state.unit, id)
    if known is not None and (known.comparison_id, known.person_id) != (
        state.comparison.id,
        state.unit.person,
    ):
        raise Conflict("This note was stored before by somebody else. Write it again.")
    return known is not None
