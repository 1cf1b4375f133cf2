"""The record of each judge, version by version: agreement with people, both orders, confidence, and cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pandas as pd
import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.domain.scoring.review import How
from comparator.judges import stored
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.figures import against_the_judge
from comparator.reporting.frames import Frame
from comparator.stats.accuracy import Calibration, ConfidenceCount, calibrate
from comparator.stats.intervals import Estimate, TooFew, share
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.tables.base import MONEY_PLACES

TRUSTED_ABOVE = 2 / 3
"""A judge can be trusted that is right more often than this by its whole interval."""


class JudgeAgreement(Frozen):
    """How often final reviews, made in one way, named the winner of the judge's first readings."""

    how: How
    same: int
    n: int
    share: Estimate | TooFew


class VersionRecord(Frozen):
    """What one version of a judge has done: the same model, server, prompts, answer form and tools."""

    kind: str
    model: str
    digest: str
    number: int | None
    """1 for the model's oldest version; None for judges together, which `digest` tells apart."""
    since: AwareDatetime | None
    judged: int
    read_twice: int
    consistent: Estimate | TooFew
    """Pairs with the same winner in both orders, of those read in both."""
    flipped: int
    contradicted: int
    """Pairs with a first reading whose scores gave another winner than it named."""
    contradictions: Estimate | TooFew
    readings: int
    again: int
    """Pairs that were read more than once in an order."""
    tools: int
    """Pairs of which a reading opened files."""
    agreement: tuple[JudgeAgreement, ...]
    tries: int
    failed: int
    unpriced: int
    """Tries that used tokens at a price that is not known."""
    cost: tuple[tuple[str, Decimal], ...]
    """By currency, of all tries."""


class JudgeVersion(Frozen):
    """Which version of a model's judge it is: 1 for the oldest one in this database, and since when it is used."""

    number: int
    since: AwareDatetime


def records(database: Database, project_ids: Sequence[str]) -> dict[str, tuple[VersionRecord, ...]]:
    """By project each version of each model that judges there, by model and age; says nothing of candidates.

    The offline check is no judge. Judgments written for the examples are left out, because nobody can ask or measure
    the judge of a file.
    """
    known = versions(database)
    found = {}
    for project_id in project_ids:
        counted: dict[_Version, Counter[str]] = {}
        with facts_of(database, project_id) as facts:
            for version, counts in _counts(facts):
                counted.setdefault(version, Counter()).update(counts)
        rows = (
            _record(counts, version=version, known=known.get(version.digest))
            for version, counts in counted.items()
            if version.model != stored.MODEL and version.kind != "offline"
        )
        found[project_id] = tuple(
            sorted(rows, key=lambda each: (each.kind, each.model, each.number or 0, each.digest))
        )
    return found


class _Version(NamedTuple):
    kind: str
    model: str
    digest: str


def _counts(facts: Facts) -> Iterator[tuple[_Version, dict[str, int]]]:
    """What valid pairs add to the record of each version, and what all its tries took."""
    keys = ["judge_kind", "judge_model", "judge_digest"]
    pairs = facts.pairs[facts.pairs.valid & facts.pairs.judge_winner.notna()]
    marks: Frame = pd.DataFrame(
        {
            "judged": 1,
            "read_twice": pairs.position_consistent.notna(),
            "flipped": pairs.position_consistent.eq(False),
            "contradicted": pairs.self_consistent.eq(False),
            "readings": pairs.readings,
            "again": pairs.read_again.eq(True),
            "tools": pairs.used_tools.eq(True),
        },
        index=pairs.index,
    ).astype("int64")
    for key, own in marks.groupby([pairs[each] for each in keys]):
        yield _Version(*key), own.sum().to_dict()
    reviews = against_the_judge(facts, pairs)
    reviews = reviews[reviews.named.notna()]
    same = np.where(reviews.named == reviews.first_winner, "same", "other")
    for (*key, how, what), own in reviews.groupby([*(reviews[each] for each in keys), reviews.how, same]):
        yield _Version(*key), {f"{how}:{what}": len(own)}
    for (*key, currency), own in facts.tries.groupby(["kind", "model", "digest", "currency"]):
        took = own[["tries", "failed", "unpriced"]].sum().to_dict()
        yield _Version(*key), {**took, f"cost:{currency}": int(own.cost.sum())}


def versions(database: Database) -> dict[str, JudgeVersion]:
    """The versions of all judges by their digests."""
    judgment = tables.judgment.c
    at = sa.func.min(judgment.created_at).label("at")
    query = sa.select(judgment.judge_kind, judgment.judge_model, judgment.judge_digest, at)
    query = query.group_by(judgment.judge_digest, judgment.judge_kind, judgment.judge_model).order_by(
        at, judgment.judge_digest
    )
    numbers: Counter[tuple[str, str]] = Counter()
    found = {}
    with database.read() as connection:
        for row in connection.execute(query):
            numbers[row.judge_kind, row.judge_model] += 1
            found[row.judge_digest] = JudgeVersion(
                number=numbers[row.judge_kind, row.judge_model], since=row.at
            )
    return found


def _record(counts: Counter[str], *, version: _Version, known: JudgeVersion | None) -> VersionRecord:
    judged, twice = counts["judged"], counts["read_twice"]
    flipped, contradicted = counts["flipped"], counts["contradicted"]
    return VersionRecord(
        **version._asdict(),
        number=known.number if known else None,
        since=known.since if known else None,
        judged=judged,
        read_twice=twice,
        consistent=share(twice - flipped, twice),
        flipped=flipped,
        contradicted=contradicted,
        contradictions=share(contradicted, judged),
        readings=counts["readings"],
        again=counts["again"],
        tools=counts["tools"],
        agreement=tuple(
            JudgeAgreement(how=how, same=same, n=same + other, share=share(same, same + other))
            for how in How
            for same, other in ((counts[f"{how.value}:same"], counts[f"{how.value}:other"]),)
            if same + other
        ),
        tries=counts["tries"],
        failed=counts["failed"],
        unpriced=counts["unpriced"],
        cost=tuple(
            (what.removeprefix("cost:"), Decimal(int(units)).scaleb(-MONEY_PLACES))
            for what, units in sorted(counts.items())
            if what.startswith("cost:")
        ),
    )


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
        for each in records(database, (project_id,))[project_id]
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
