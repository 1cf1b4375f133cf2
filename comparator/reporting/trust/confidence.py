"""How sure each version of a judge is, against how often it is right, by blind reviews of one project."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.domain.scoring.review import How
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.figures import against_the_judge
from comparator.reporting.trust.record import VersionRecord, record
from comparator.stats.figures import TooFew
from comparator.stats.raters.calibration import Calibration, ConfidenceCount, calibrate
from comparator.store.core.database import Database


class Calibrated(Frozen):
    """One version of a judge, and what its stated confidence is worth in this project."""

    version: VersionRecord
    calibration: Calibration | TooFew


def probability(database: Database, project_id: str, *, version: str, stated: int) -> float | None:
    """The chance, 0 to 1, that people name the winner of this version of a judge (its digest) where it stated this
    confidence; None until enough blind reviews tell."""
    with facts_of(database, project_id) as facts:
        found = calibrate(_stated(facts).get(version, ()))
    return None if isinstance(found, TooFew) else found.probability(stated)


def calibrated(database: Database, project_id: str) -> tuple[Calibrated, ...]:
    """Every model's versions in the project, by model and age; says nothing of candidates."""
    with facts_of(database, project_id) as facts:
        found = _stated(facts)
    return tuple(
        Calibrated(version=each, calibration=calibrate(found.get(each.digest, ())))
        for each in record(database, (project_id,))
        if each.judged
    )


def _stated(facts: Facts) -> dict[str, tuple[ConfidenceCount, ...]]:
    """By version, how often blind reviews of valid pairs named its winner at each stated confidence."""
    reviews = against_the_judge(facts, facts.pairs[facts.pairs.valid])
    reviews = reviews[
        reviews.named.notna() & (reviews.how == How.BLIND_FIRST) & reviews.stated_confidence.notna()
    ]
    found: dict[str, list[ConfidenceCount]] = {}
    for (digest, level), own in reviews.groupby(["judge_digest", "stated_confidence"]):
        same = int((own.named == own.first_winner).sum())
        found.setdefault(digest, []).append(ConfidenceCount(int(level), same, len(own)))
    return {digest: tuple(levels) for digest, levels in found.items()}
