"""How sure each version of a judge is, against how often it is right, by blind reviews of one project."""

from __future__ import annotations

from collections import Counter

from comparator.domain.labels import Frozen
from comparator.reporting.tally import versions
from comparator.reporting.tally.refresh import current, read
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
    confidence; None until enough blind reviews tell. By what was counted so far: nobody waits for more."""
    with database.read() as connection:
        counted = read(connection, project_id, (versions.STATED,))[versions.STATED]
    counts: Counter[tuple[int, str]] = Counter()
    for (_, _, digest, confidence, same), number in counted.items():
        if digest == version:
            counts[int(confidence), same] += number
    found = calibrate(_stated(counts))
    return None if isinstance(found, TooFew) else found.probability(stated)


def calibrated(database: Database, project_id: str) -> tuple[Calibrated, ...]:
    """Every model's versions in the project, by model and age; says nothing of candidates."""
    found: dict[str, Counter[tuple[int, str]]] = {}
    with current(database) as connection:
        counted = read(connection, project_id, (versions.STATED,))[versions.STATED]
    for (_, _, digest, confidence, same), number in counted.items():
        found.setdefault(digest, Counter())[int(confidence), same] += number
    return tuple(
        Calibrated(version=each, calibration=calibrate(_stated(found.get(each.digest, Counter()))))
        for each in record(database, (project_id,))
        if each.judged
    )


def _stated(counts: Counter[tuple[int, str]]) -> tuple[ConfidenceCount, ...]:
    levels = sorted({confidence for confidence, _ in counts})
    return tuple(
        ConfidenceCount(level, counts[level, "same"], counts[level, "same"] + counts[level, "other"])
        for level in levels
    )
