"""What judges and people said of a revealed pair, for the line that carries it; importing/history.py takes it in."""

from __future__ import annotations

from comparator.domain.scoring.review import Blindness
from comparator.interop.history import PairHistory, RecordedJudgment, RecordedReview
from comparator.store.core.database import Connection
from comparator.store.facts.verdicts import JudgedPasses
from comparator.store.judging import passes
from comparator.store.pairs import reveals
from comparator.store.people import people
from comparator.store.reviewing import adjudications, finalisations, reviews


def history_of(connection: Connection, comparison_id: str, now: JudgedPasses | None) -> PairHistory:
    """What was said of a revealed pair; of several judges it holds their joint judgment's newest readings alone."""
    judgment = None
    if now is not None and now.rubric is not None and now.chosen.complete:
        judgment = RecordedJudgment(
            at=now.chosen.started_at,
            kind="offline" if now.form else "anthropic",
            model=now.chosen.judge_model,
            digest=now.chosen.judge_digest,
            rubric=now.rubric.rubric,
            passes=passes.successful(connection, now.chosen.digest),
        )
    revealed = reveals.of_comparison(connection, comparison_id)
    every = reviews.of_comparison(connection, comparison_id)
    return PairHistory(
        judgment=judgment,
        reviews=tuple(_recorded(connection, review) for review in every),
        revealed=revealed.at if revealed else None,
        whole=bool(judgment or every) and not adjudications.of_comparison(connection, comparison_id),
    )


def _recorded(connection: Connection, review: reviews.Review) -> RecordedReview:
    name = people.get(connection, review.person_id).name
    events = finalisations.events(connection, review.id)
    return RecordedReview(
        reviewer=name,
        began=review.opened_at,
        finalised=events[-1].at if events and events[-1].kind == "final" else None,
        knew=review.blindness is Blindness.KNOWN,
        changes=tuple(
            change.model_copy(update={"author": name}) for change in reviews.changes(connection, review.id)
        ),
    )
