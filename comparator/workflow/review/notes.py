"""What a reviewer does with files beside scoring: ticks, pairs by hand, evidence of their own, and comments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from comparator.domain.errors import Conflict, NotFound, ReviewError
from comparator.domain.labels import Frozen, Label
from comparator.domain.rights import Act
from comparator.domain.scoring.review import Part, Target
from comparator.store.core.database import Connection
from comparator.store.core.unit import Unit
from comparator.store.pairs import comparisons, outputs
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.store.reviewing import claims, comments, evidence, file_pairs, files_seen, reviews
from comparator.store.reviewing.comments import Comment, SignedComment
from comparator.store.reviewing.evidence import Evidence
from comparator.store.rollup import rollup
from comparator.workflow.people.people import authorise, require_for
from comparator.workflow.review.review import open_for
from comparator.workflow.review.review_state import ReviewState, review_state
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
    evidence: tuple[Evidence, ...] = ()
    comments: tuple[SignedComment, ...] = ()
    closed: bool = False
    """Whether the review is finalised, so that evidence stays as it is."""


def read_notes(services: Services, comparison_id: str, *, person_id: str) -> Notes:
    """The person's notes. Others' comments are told once nobody can be swayed by them any more.

    That is when the project is closed; or before, when one's own review is final and the pair open for nobody else,
    who could be told of them. Raises NotFound.
    """
    with services.read() as unit:
        require_for(unit.connection, person_id, Act.READ, comparison_id=comparison_id)
        review = reviews.find(unit.connection, comparison_id, person_id=person_id)
        final = review is not None and reviews.is_final(unit.connection, review.id)
        shows_all = _is_over(unit, comparison_id, person_id=person_id, final=final)
        every = comments.of_comparison(unit.connection, comparison_id)
        return Notes(
            looked=files_seen.of_review(unit.connection, review.id) if review else frozenset(),
            evidence=evidence.of_review(unit.connection, review.id) if review else (),
            comments=tuple(c for c in every if shows_all or c.person_id == person_id),
            closed=final,
        )


def _is_over(unit: Unit, comparison_id: str, *, person_id: str, final: bool) -> bool:
    """Whether the review of a comparison has ended, as far as this person may know."""
    comparison = comparisons.get(unit.connection, comparison_id)
    project = projects.get(unit.connection, comparison.project_id)
    if project.closed_at is not None:
        return True
    if not final or project.settings.is_for_all(comparison_id):
        return False
    finals, others_open = rollup.final_and_open(unit.connection, comparison_id)
    if others_open or finals < project.settings.reviews_needed:
        return False
    claimed = claims.in_force(unit, project.id)
    return all(each.comparison_id != comparison_id or each.person_id == person_id for each in claimed)


def hand_pairs(services: Services, comparison_id: str) -> tuple[tuple[str | None, str | None], ...]:
    """Files that a person put side by side or (with None) took apart, by their ids: one of A, one of B."""
    with services.database.read() as connection:
        pairs = file_pairs.of_comparison(connection, comparison_id)
    return tuple((pair.file_a, pair.file_b) for pair in pairs)


def look(
    services: Services, comparison_id: str, file_ids: Sequence[str], *, person_id: str, seen: bool = True
) -> None:
    """Tick files as looked at, or with `seen` False take the ticks away. Raises NotFound for files of another one."""
    with services.write() as unit:
        state = review_state(unit.connection, comparison_id, person_id=person_id)
        _of_comparison(unit.connection, state.comparison, file_ids)
        review = open_for(unit, state, person_id)
        if seen:
            files_seen.tick(unit, review.id, file_ids)
        else:
            files_seen.untick(unit.connection, review.id, file_ids)
        kind = "files_ticked" if seen else "files_unticked"
        _log(unit, state.comparison, kind, file_ids, person_id=person_id)


def pair_by_hand(services: Services, comparison_id: str, file_a: str, file_b: str, *, person_id: str) -> None:
    """Put a file of A beside one of B, for everybody who reviews this comparison."""
    _pair_by_hand(services, comparison_id, [(file_a, file_b)], "files_paired", person_id=person_id)


def take_apart(services: Services, comparison_id: str, file_a: str, file_b: str, *, person_id: str) -> None:
    """Let two files that stand side by side stand alone."""
    _pair_by_hand(
        services, comparison_id, [(file_a, None), (None, file_b)], "files_taken_apart", person_id=person_id
    )


def pair_by_itself(
    services: Services, comparison_id: str, file_ids: Sequence[str], *, person_id: str
) -> None:
    """Forget what was paired by hand of these files, so that they are paired as at first."""
    with services.write() as unit:
        comparison = comparisons.get(unit.connection, comparison_id)
        _of_comparison(unit.connection, comparison, file_ids)
        known = file_pairs.of_comparison(unit.connection, comparison_id)
        # Both halves of what was taken apart, and both files of a pair, go back together.
        moments = {(pair.person_id, pair.at) for pair in known if {pair.file_a, pair.file_b} & set(file_ids)}
        partners = [
            file
            for pair in known
            if (pair.person_id, pair.at) in moments
            for file in (pair.file_a, pair.file_b)
            if file is not None
        ]
        file_pairs.release(unit.connection, comparison_id, partners)
        _log(unit, comparison, "files_paired_by_itself", partners, person_id=person_id)


def attach(
    services: Services, comparison_id: str, passage: Passage, target: Target, *, person_id: str, id: str
) -> None:
    """Hold a passage against a criterion or an expectation of the output that it stands in; sending twice stores once.

    Raises ReviewError where it does not fit, or the review is finalised.
    """
    with services.write() as unit:
        state = review_state(unit.connection, comparison_id, person_id=person_id)
        known = evidence.find(unit.connection, _checked_id(id))
        if known is not None:
            if state.review is None or known.review_id != state.review.id:
                raise Conflict("This evidence was stored before by somebody else. Attach it again.")
            return
        if state.final:
            raise ReviewError("This review is finalised. Reopen it to attach evidence.")
        _check_target(state, target)
        label = _of_comparison(unit.connection, state.comparison, [passage.file_id])[passage.file_id]
        if label is not target.label:
            raise ReviewError(
                "Evidence for one output cannot stand in the other. Choose a passage of its own."
            )
        if not passage.text.strip() or len(passage.text) > LONGEST_PASSAGE:
            raise ReviewError(f"Evidence is a passage of 1 to {LONGEST_PASSAGE} characters. Select less.")
        review = open_for(unit, state, person_id)
        evidence.add(
            unit.connection,
            Evidence(
                id=id,
                review_id=review.id,
                person_id=person_id,
                target=str(target),
                at=unit.at,
                **passage.model_dump(),
            ),
        )
        _log(unit, state.comparison, "evidence_attached", [id], person_id=person_id)


def withdraw(services: Services, comparison_id: str, evidence_id: str, *, person_id: str) -> None:
    """Take one's own evidence back. Raises NotFound, or ReviewError where the review is finalised."""
    with services.write() as unit:
        state = review_state(unit.connection, comparison_id, person_id=person_id)
        piece = evidence.find(unit.connection, evidence_id)
        if piece is None or state.review is None or piece.review_id != state.review.id:
            raise NotFound("There is no such evidence of yours.")
        if state.final:
            raise ReviewError("This review is finalised. Reopen it to take evidence back.")
        evidence.withdraw(unit, piece)
        ids = [evidence_id]
        _log(unit, state.comparison, "evidence_withdrawn", ids, person_id=person_id)


def comment(
    services: Services,
    comparison_id: str,
    text: str,
    *,
    person_id: str,
    id: str,
    about: Passage | None = None,
    replies_to: str | None = None,
) -> None:
    """Keep a comment on a file, a passage or the whole comparison; sending twice stores once.

    Raises ReviewError for an empty or overlong one, NotFound where it is about something that is not there.
    """
    text = text.strip()
    if not text or len(text) > LONGEST_COMMENT:
        raise ReviewError(f"A comment has 1 to {LONGEST_COMMENT} characters.")
    if about is not None and len(about.text) > LONGEST_PASSAGE:
        raise ReviewError(f"A passage has at most {LONGEST_PASSAGE} characters. Select less.")
    with services.write() as unit:
        comparison = comparisons.get(unit.connection, comparison_id)
        known = comments.find(unit.connection, _checked_id(id))
        if known is not None:
            if (known.comparison_id, known.person_id) != (comparison_id, person_id):
                raise Conflict("This comment was stored before by somebody else. Write it again.")
            return
        if about is not None:
            _of_comparison(unit.connection, comparison, [about.file_id])
        if replies_to is not None:
            answered = comments.find(unit.connection, replies_to)
            if answered is None or answered.comparison_id != comparison_id:
                raise NotFound("The comment that this replies to is not there.")
        comments.add(
            unit.connection,
            Comment(
                id=id,
                comparison_id=comparison_id,
                person_id=person_id,
                file_id=about.file_id if about else None,
                selection=about.text if about else "",
                start=about.start if about else None,
                end=about.end if about else None,
                text=text,
                replies_to=replies_to,
                at=unit.at,
            ),
        )
        _log(unit, comparison, "comment_added", [id], person_id=person_id)


def _pair_by_hand(
    services: Services,
    comparison_id: str,
    pairs: Sequence[tuple[str | None, str | None]],
    kind: str,
    *,
    person_id: str,
) -> None:
    files = [file for pair in pairs for file in pair if file is not None]
    with services.write() as unit:
        comparison = comparisons.get(unit.connection, comparison_id)
        sides = _of_comparison(unit.connection, comparison, files)
        if any((a and sides[a] is not Label.A) or (b and sides[b] is not Label.B) for a, b in pairs):
            raise ReviewError("A pair is one file of output A and one of output B.")
        file_pairs.keep(unit, comparison_id, pairs, person_id=person_id)
        _log(unit, comparison, kind, files, person_id=person_id)


def _of_comparison(
    connection: Connection, comparison: Comparison, file_ids: Sequence[str]
) -> dict[str, Label | None]:
    """Which output each file stands in, None for the task's own. Raises NotFound for a file of no view of this one."""
    labels = {comparison.view_a: Label.A, comparison.view_b: Label.B}
    views = {*labels, comparison.input_view, comparison.reference_view}
    found: dict[str, Label | None] = {}
    for file_id in file_ids:
        row = outputs.file(connection, file_id)
        if row.view_id not in views:
            raise NotFound("There is no such file in this comparison.")
        found[file_id] = labels.get(row.view_id)
    return found


def _check_target(state: ReviewState, target: Target) -> None:
    known = False
    if target.part is Part.SCORE:
        known = state.rubric is not None and target.key in state.rubric.rubric.paths
    elif target.part is Part.EXPECTATION:
        known = str(target.key) in map(str, range(len(state.comparison.expectations)))
    if not known:
        raise ReviewError("Evidence belongs to a criterion or an expectation of this comparison.")


def _checked_id(id: str) -> str:
    if not _ID.fullmatch(id):
        raise ReviewError("A note came without a usable id. Reload the page.")
    return id


def _log(unit: Unit, comparison: Comparison, kind: str, ids: Sequence[str], *, person_id: str) -> None:
    authorise(
        unit,
        Act.REVIEW,
        kind,
        person_id=person_id,
        project_id=comparison.project_id,
        subject_id=comparison.id,
        detail={"ids": list(ids)},
    )
