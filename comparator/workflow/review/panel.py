"""Who reviews what, and what a lead rules where reviewers disagree."""

from decimal import Decimal
from typing import NamedTuple

from comparator.domain.errors import InputError, ReviewError
from comparator.domain.labels import Frozen, PerOutput, Winner
from comparator.domain.project import ReasonRule, ReviewOrder
from comparator.domain.rights import Act
from comparator.domain.scoring.result import decision_of, sentence_of
from comparator.domain.scoring.review import Blindness, fold
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.several_judges import median_of
from comparator.domain.scoring.verdict import Assessment, Verdict, settle
from comparator.outputs.view.pairing import pair_files
from comparator.store.core.sql import Connection
from comparator.store.judging import rubrics
from comparator.store.pairs import comparisons, outputs, reveals
from comparator.store.people import people, projects
from comparator.store.reviewing import queue, reviews
from comparator.store.reviewing.reviews import Adjudication, Finalisation, Review
from comparator.workflow.people.people import authorise, may, require
from comparator.workflow.review.review_state import UNSCORED, blindness_of
from comparator.workflow.services import Services

TRIES = 20
"""Others may take the same pair at the same moment."""
MOST_FILES = 300
"""Outputs of more files are not looked at: their list alone would take longer than what is gained."""


def assign(services: Services, project_id: str, *, to: str, count: int) -> tuple[str, ...]:
    """Give the next `count` pairs that still need a review to this person; the ids of those that there were.

    Raises InputError where the person may not review here, RightsError.
    """
    with services.write() as unit:
        require(unit, Act.RUN_PANEL, project_id)
        if not people.grants(unit, to, project_id=project_id).allows(Act.REVIEW):
            raise InputError("This person may not review here. Give them the role of a reviewer first.")
        # Somebody else may have been given one of them since it was found; the pair is locked from here on.
        ids = tuple(
            comparison_id
            for comparison_id in queue.assignable(unit, project_id, person_id=to, limit=count)
            if queue.is_free(unit, comparison_id, person_id=to)
        )
        for comparison_id in ids:
            queue.assign(unit, comparison_id, person_id=to, by=services.who)
        if ids:
            authorise(unit, Act.RUN_PANEL, "assigned", project_id, to, comparisons=list(ids))
    return ids


def take_back(services: Services, project_id: str, *, of: str) -> int:
    """End what this person holds in the project, assigned or claimed; how many pairs. Drafts stay theirs."""
    with services.write() as unit:
        claimed = queue.in_force(unit, project_id, person_id=of)
        for claim in claimed:
            queue.release(unit, claim.comparison_id, person_id=of)
        ids = [claim.comparison_id for claim in claimed]
        authorise(unit, Act.RUN_PANEL, "taken_back", project_id, of, comparisons=ids)
    return len(claimed)


class Scope(Frozen):
    """Among which pairs the next one is: all, those of a project, or those of a batch."""

    project_id: str | None = None
    batch_id: str | None = None


ALL = Scope()


def take_next(services: Services, scope: Scope = ALL, *, after: str | None = None) -> str | None:
    """The comparison that this person reviews next, by the order that the project sets, now reserved for them.

    None when nothing is left, or where the person may not review. `after` is the one just left.
    """
    for _ in range(TRIES):
        following = next_in_line(services, scope, after=after)
        if following is None:
            return None
        comparison = following.comparison
        with services.write() as unit:
            if not queue.is_free(unit, comparison.id, person_id=services.person):
                continue
            if queue.claim(unit, comparison.id, person_id=services.person):
                authorise(unit, Act.REVIEW, "claimed", comparison.project_id, comparison.id)
        return comparison.id
    return None


class NextPair(NamedTuple):
    """The pair that would be taken next, and why it is that one."""

    comparison: comparisons.Comparison
    why: queue.WhyNext


def next_in_line(services: Services, scope: Scope, *, after: str | None = None) -> NextPair | None:
    """The comparison that would be taken next, reserved for nobody; None when nothing is left."""
    with services.read() as unit:
        order = ReviewOrder.AS_IMPORTED
        if scope.project_id is not None:
            order = projects.get(unit, scope.project_id).settings.order
        following = queue.next_to_review(
            unit, person_id=services.person, order=order, after=after, **scope.model_dump()
        )
        return following and NextPair(comparisons.get(unit, following.comparison_id), following.why)


def first_files(
    services: Services, comparison_id: str, scope: Scope
) -> PerOutput[outputs.FileRow | None] | None:
    """The files that the pair after this one opens with; None where nothing is left that they may see."""
    next_pair = next_in_line(services, scope, after=comparison_id)
    # The project that a page is open on may be one that the person may not see any more.
    if next_pair is None or not may(services, Act.READ, project_id=next_pair.comparison.project_id):
        return None
    following = next_pair.comparison
    with services.read() as connection:
        a, b = (
            outputs.list_files(connection, view_id, most=MOST_FILES + 1)
            for view_id in (following.view_a, following.view_b)
        )
    if max(len(a), len(b)) > MOST_FILES:
        return None
    pairs = pair_files(a, b)
    first = next((pair for pair in pairs if not pair.identical), pairs[0] if pairs else None)
    return PerOutput(A=first.a, B=first.b) if first else None


SCORES = frozenset(Decimal(half) / 2 for half in range(2, 11))


class SideBySide(Frozen):
    """One final review as the lead sees it beside the others."""

    person: str
    verdict: Verdict
    reasoning: str
    reasons: dict[str, str]
    """Why the reviewer gave a value, by its address."""


class Case(Frozen):
    """A pair with all its final reviews, and the values that a ruling starts from."""

    comparison_id: str
    rubric: Rubric
    expectations: tuple[str, ...]
    reviews: tuple[SideBySide, ...]
    start: PerOutput[Assessment]
    """The median of each score and the majority on each expectation; or the ruling that holds."""
    rulings: tuple[Adjudication, ...]
    reason_required: bool


def read_case(services: Services, comparison_id: str) -> Case:
    """The pair with all its final reviews. Raises RightsError, and ReviewError where there is nothing to settle, or
    while the person's own review of it is open: they are not to be swayed."""
    with services.read() as unit:
        comparison = comparisons.get(unit, comparison_id)
        require(unit, Act.RUN_PANEL, comparison.project_id)
        rubric, finals = _finals(unit, comparison_id, services.person)
        rulings = reviews.rulings_of(unit, comparison_id)
        verdicts = [final.verdict for _, final, same in finals if same and final.verdict is not None]
        return Case(
            comparison_id=comparison_id,
            rubric=rubric.rubric,
            expectations=comparison.expectations,
            reviews=tuple(
                SideBySide(
                    person=people.get(unit, review.person_id).name,
                    verdict=final.verdict,
                    reasoning=final.prose.reasoning if final.prose else "",
                    reasons={
                        address: sentence
                        for address, entry in fold(reviews.changes(unit, review.id)).items()
                        if (sentence := sentence_of(entry))
                    },
                )
                for review, final, _ in finals
                if final.verdict is not None
            ),
            start=rulings[-1].verdict.assessments if rulings else median_of(rubric.rubric, verdicts),
            rulings=rulings,
            reason_required=_reason_required(unit, comparison.project_id),
        )


def adjudicate(
    services: Services,
    comparison_id: str,
    *,
    assessments: PerOutput[Assessment],
    winner: Winner | None,
    reason: str,
) -> Verdict:
    """Settle the pair by these values, and by this winner where one is set outright; the verdict that holds now.

    A criterion without a score and an expectation that is None are not assessed, and do not count. Raises RightsError,
    and ReviewError where a reason that the project requires is missing, a dimension has no score for both outputs, or
    the pair has no final review.
    """
    reason = reason.strip()
    with services.write() as unit:
        comparison = comparisons.get(unit, comparison_id)
        if not reason and _reason_required(unit, comparison.project_id):
            raise ReviewError("This project requires a reason. It becomes the reasoning of the result.")
        rubric, finals = _finals(unit, comparison_id, services.person)
        both = assessments.map(
            lambda assessment: _check_ruling(rubric.rubric, assessment, len(comparison.expectations))
        )
        verdict = settle(rubric.rubric, both, set_by_reviewer=winner)
        if verdict is None:
            raise ReviewError(UNSCORED)
        agreeing = [f.prose for _, f, _ in finals if f.winner is verdict.winner and f.prose is not None]
        any_words = [f.prose for _, f, _ in finals if f.prose is not None]
        prose = (agreeing or any_words)[-1].copy_with(
            reasoning=reason or decision_of(verdict), argues_for=verdict.winner
        )
        revealed = reveals.of_comparison(unit, comparison_id) is not None
        reviews.adjudicate(
            unit,
            comparison_id,
            verdict=verdict,
            rubric_id=rubric.id,
            prose=prose,
            reason=reason,
            blindness=Blindness.KNOWN if revealed else blindness_of(comparison, services.person),
        )
        authorise(unit, Act.RUN_PANEL, "adjudicated", comparison.project_id, comparison_id)
    return verdict


def _reason_required(connection: Connection, project_id: str) -> bool:
    return projects.get(connection, project_id).settings.reasons is ReasonRule.REQUIRED


def _finals(
    connection: Connection, comparison_id: str, person_id: str
) -> tuple[rubrics.RubricVersion, list[tuple[Review, Finalisation, bool]]]:
    """The reviews that are final now, oldest first, and the rubric of the first of them."""
    final_reviews: list[tuple[Review, Finalisation]] = []
    for review in reviews.of_comparison(connection, comparison_id):
        last = reviews.last_event(connection, review.id)
        if last is not None and last.kind == "final":
            final_reviews.append((review, last))
        elif review.person_id == person_id and reviews.changes(connection, review.id):
            raise ReviewError("Your own review of this pair is open. Finalise it before you see the others'.")
    # In the order in which verdicts are counted.
    final_reviews.sort(key=lambda entry: (entry[1].at, entry[0].id))
    rubric_id = next((review.rubric_id for review, _ in final_reviews if review.rubric_id is not None), None)
    if rubric_id is None:
        raise ReviewError("There is no final review of this pair yet, so there is nothing to settle.")
    return rubrics.get(connection, rubric_id), [
        (review, final, review.rubric_id == rubric_id) for review, final in final_reviews
    ]


def _check_ruling(rubric: Rubric, given: Assessment, number: int) -> Assessment:
    wrong = [line.name for path, line in rubric.lines() if given.scores.get(path, Decimal(1)) not in SCORES]
    if wrong or len(given.expectations) != number:
        names = ", ".join(wrong) or "the expectations"
        raise ReviewError(f"A value is not a half step from 1 to 5: {names}. Correct it, or leave it empty.")
    scores = {path: given.scores[path] for path in rubric.paths if path in given.scores}
    return given.copy_with(scores=scores)
