"""Settling a pair on which reviewers disagree: all reviews side by side, and the lead's ruling with its reason."""

from __future__ import annotations

from decimal import Decimal

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Frozen, PerOutput, Winner
from comparator.domain.project import ReasonRule
from comparator.domain.rights import Act
from comparator.domain.scoring.result import decision_of, sentence_of
from comparator.domain.scoring.review import Blindness, fold
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.several_judges import median_of
from comparator.domain.scoring.verdict import Assessment, Verdict, settle
from comparator.store.core.database import Connection
from comparator.store.judging import rubrics
from comparator.store.pairs import comparisons, reveals
from comparator.store.people import people, projects
from comparator.store.reviewing import finalisations, reviews
from comparator.store.reviewing.finalisations import Adjudication, Finalisation
from comparator.store.reviewing.reviews import Review
from comparator.workflow.people.people import authorise, require
from comparator.workflow.review.review_state import blindness_of
from comparator.workflow.services import Services

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
        comparison = comparisons.get(unit.connection, comparison_id)
        require(unit, Act.RUN_PANEL, project_id=comparison.project_id)
        rubric, finals = _finals(unit.connection, comparison_id, services.person)
        rulings = finalisations.of_comparison(unit.connection, comparison_id)
        verdicts = [final.verdict for _, final, same in finals if same and final.verdict is not None]
        return Case(
            comparison_id=comparison_id,
            rubric=rubric,
            expectations=comparison.expectations,
            reviews=tuple(_side_by_side(unit.connection, review, final) for review, final, _ in finals),
            start=rulings[-1].verdict.assessments if rulings else median_of(rubric, verdicts),
            rulings=rulings,
            reason_required=_reason_required(unit.connection, comparison.project_id),
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
        comparison = comparisons.get(unit.connection, comparison_id)
        if not reason and _reason_required(unit.connection, comparison.project_id):
            raise ReviewError("This project requires a reason. It becomes the reasoning of the result.")
        rubric, finals = _finals(unit.connection, comparison_id, services.person)
        both = assessments.map(lambda each: _checked(rubric, each, len(comparison.expectations)))
        verdict = settle(rubric, both, set_by_reviewer=winner)
        if verdict is None:
            raise ReviewError(
                "Score at least one criterion of the content and one of the structure for A and B."
            )
        agreeing = [f.prose for _, f, _ in finals if f.winner is verdict.winner and f.prose is not None]
        any_words = [f.prose for _, f, _ in finals if f.prose is not None]
        prose = (agreeing or any_words)[-1].model_copy(
            update={"reasoning": reason or decision_of(verdict), "argues_for": verdict.winner}
        )
        revealed = reveals.of_comparison(unit.connection, comparison_id) is not None
        finalisations.adjudicate(
            unit,
            comparison_id,
            verdict=verdict,
            prose=prose,
            reason=reason,
            blindness=Blindness.KNOWN if revealed else blindness_of(comparison, services.person),
        )
        authorise(
            unit,
            Act.RUN_PANEL,
            "adjudicated",
            project_id=comparison.project_id,
            subject_id=comparison_id,
        )
    return verdict


def _reason_required(connection: Connection, project_id: str) -> bool:
    return projects.get(connection, project_id).settings.reasons is ReasonRule.REQUIRED


def _finals(
    connection: Connection, comparison_id: str, person_id: str
) -> tuple[Rubric, list[tuple[Review, Finalisation, bool]]]:
    """The reviews that are final now, oldest first, and the rubric of the first of them."""
    found: list[tuple[Review, Finalisation]] = []
    for review in reviews.of_comparison(connection, comparison_id):
        last = next(reversed(finalisations.events(connection, review.id)), None)
        if last is not None and last.kind == "final":
            found.append((review, last))
        elif review.person_id == person_id and reviews.changes(connection, review.id):
            raise ReviewError("Your own review of this pair is open. Finalise it before you see the others'.")
    # In the order in which verdicts are counted.
    found.sort(key=lambda each: (each[1].at, each[0].id))
    rubric_id = next((review.rubric_id for review, _ in found if review.rubric_id is not None), None)
    if rubric_id is None:
        raise ReviewError("There is no final review of this pair yet, so there is nothing to settle.")
    return rubrics.get(connection, rubric_id).rubric, [
        (review, final, review.rubric_id == rubric_id) for review, final in found
    ]


def _side_by_side(connection: Connection, review: Review, final: Finalisation) -> SideBySide:
    assert final.verdict is not None
    reasons = {
        address: sentence_of(entry) for address, entry in fold(reviews.changes(connection, review.id)).items()
    }
    return SideBySide(
        person=people.get(connection, review.person_id).name,
        verdict=final.verdict,
        reasoning=final.prose.reasoning if final.prose else "",
        reasons={address: text for address, text in reasons.items() if text},
    )


def _checked(rubric: Rubric, given: Assessment, number: int) -> Assessment:
    wrong = [line.name for path, line in rubric.lines() if given.scores.get(path, Decimal(1)) not in SCORES]
    if wrong or len(given.expectations) != number:
        names = ", ".join(wrong) or "the expectations"
        raise ReviewError(f"A value is not a half step from 1 to 5: {names}. Correct it, or leave it empty.")
    scores = {path: given.scores[path] for path in rubric.paths if path in given.scores}
    return given.model_copy(update={"scores": scores})
