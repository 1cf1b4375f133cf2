"""Whether blinding holds: in some pairs the reviewer is asked, before anything is revealed, who made which output."""

from __future__ import annotations

import hashlib

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Frozen
from comparator.domain.project import GuessChoice
from comparator.domain.rights import Act
from comparator.domain.scoring.review import Blindness
from comparator.store.pairs import comparisons
from comparator.store.people import projects
from comparator.store.reviewing import guesses
from comparator.workflow.people.people import authorise
from comparator.workflow.review.review_state import ReviewState, review_state
from comparator.workflow.services import Services

SUREST = 3


class GuessQuestion(Frozen):
    """What a reviewer is asked. Without choices, it asks only whether something told them who made which."""

    choices: tuple[GuessChoice, ...]


def is_chosen(comparison_id: str, *, share: float) -> bool:
    """Whether this pair is among the `share` (0 to 1) that are asked about; the same for everybody and for ever.

    It follows from the random id alone, so that it tells nothing of the key.
    """
    digest = hashlib.sha256(f"guess:{comparison_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64 < share


def question(state: ReviewState) -> GuessQuestion | None:
    """The question that this reviewer has to answer before finalising; None where there is none (any more)."""
    settings = state.project.settings
    if state.blindness is not Blindness.BLIND or state.revealed or state.guess is not None:
        return None
    if not is_chosen(state.comparison.id, share=settings.ask_guess_share):
        return None
    # In an order that belongs to the pair, not to the candidates' numbers.
    shuffled = sorted(
        settings.guess_choices,
        key=lambda choice: hashlib.sha256(f"{state.comparison.id}:{choice.text}".encode()).digest(),
    )
    return GuessQuestion(choices=tuple(shuffled))


def is_due(services: Services, comparison_id: str, *, person_id: str) -> bool:
    """Whether this reviewer has a question to answer before finalising. Raises NotFound, RightsError."""
    with services.database.read() as connection:
        project_id = comparisons.get(connection, comparison_id).project_id
        share = projects.get(connection, project_id).settings.ask_guess_share
        # Most pairs are not asked about; of those nothing else needs to be read.
        if not is_chosen(comparison_id, share=share):
            return False
        return question(review_state(connection, comparison_id, person_id=person_id)) is not None


def guess(
    services: Services, comparison_id: str, *, person_id: str, candidate_a: int | None, sure: int | None
) -> None:
    """Keep what the person takes A's candidate for (its neutral number), and how sure they are, 1 to 3.

    Both are None for "no idea"; without choices only `sure` says that something told. A second guess changes nothing.
    Raises ReviewError for a guess that was not asked for.
    """
    with services.write() as unit:
        state = review_state(unit.connection, comparison_id, person_id=person_id)
        if state.guess is not None:
            return
        asked = question(state)
        if asked is None:
            raise ReviewError("This review does not ask who made which output. Continue with the review.")
        numbers = {choice.number for choice in asked.choices}
        if candidate_a is not None and candidate_a not in numbers:
            raise ReviewError("This candidate is not one of the choices. Choose again.")
        if sure is not None and not 1 <= sure <= SUREST:
            raise ReviewError(f"How sure you are must be a number from 1 to {SUREST}. Choose again.")
        guesses.add(unit, comparison_id, person_id=person_id, candidate_a=candidate_a, sure=sure)
        authorise(
            unit,
            Act.REVIEW,
            "candidates_guessed",
            person_id=person_id,
            project_id=state.project.id,
            subject_id=comparison_id,
        )
