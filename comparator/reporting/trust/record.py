"""The record of each judge, version by version: agreement with people, both orders, contradictions, and cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.judges import stored
from comparator.reporting.tally.refresh import current, read
from comparator.reporting.tally.scope import How
from comparator.reporting.tally.versions import FIGURE
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.shares import share
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.tables.base import MONEY_PLACES


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


def record(database: Database, project_ids: Sequence[str]) -> tuple[VersionRecord, ...]:
    """Each version of each judge over these projects together, by model and age; says nothing of candidates.

    The judgments that the examples bring along are left out: nobody can ask or measure the judge of a file.
    """
    found: dict[tuple[str, str, str], Counter[str]] = {}
    with current(database) as connection:
        for project_id in project_ids:
            numbers = read(connection, project_id, (FIGURE,))[FIGURE]
            for (kind, model, digest, what), number in numbers.items():
                if model != stored.MODEL:
                    found.setdefault((kind, model, digest), Counter())[what] += number
        known = _versions(connection) if found else {}
    rows = (
        _version(counts, kind=kind, model=model, digest=digest, version=known.get(digest))
        for (kind, model, digest), counts in found.items()
    )
    return tuple(sorted(rows, key=lambda each: (each.kind, each.model, each.number or 0, each.digest)))


def versions(database: Database) -> dict[str, JudgeVersion]:
    """The versions of all judges by their digests."""
    with database.read() as connection:
        return _versions(connection)


def _version(
    counts: Mapping[str, int], *, kind: str, model: str, digest: str, version: JudgeVersion | None
) -> VersionRecord:
    judged, twice = counts.get("judged", 0), counts.get("read_twice", 0)
    flipped, contradicted = counts.get("flipped", 0), counts.get("contradicted", 0)
    return VersionRecord(
        kind=kind,
        model=model,
        digest=digest,
        number=version.number if version else None,
        since=version.since if version else None,
        judged=judged,
        read_twice=twice,
        consistent=share(twice - flipped, twice),
        flipped=flipped,
        contradicted=contradicted,
        contradictions=share(contradicted, judged),
        readings=counts.get("readings", 0),
        again=counts.get("again", 0),
        tools=counts.get("tools", 0),
        agreement=tuple(
            JudgeAgreement(how=how, same=same, n=same + other, share=share(same, same + other))
            for how in How
            for same, other in ((counts.get(f"{how.value}:same", 0), counts.get(f"{how.value}:other", 0)),)
            if same + other
        ),
        tries=counts.get("tries", 0),
        failed=counts.get("failed", 0),
        unpriced=counts.get("unpriced", 0),
        cost=tuple(
            (what.removeprefix("cost:"), Decimal(units).scaleb(-MONEY_PLACES))
            for what, units in sorted(counts.items())
            if what.startswith("cost:")
        ),
    )


def _versions(connection: Connection) -> dict[str, JudgeVersion]:
    judgment = tables.judgment.c
    at = sa.func.min(judgment.created_at).label("at")
    query = sa.select(judgment.judge_kind, judgment.judge_model, judgment.judge_digest, at)
    query = query.group_by(judgment.judge_digest, judgment.judge_kind, judgment.judge_model).order_by(
        at, judgment.judge_digest
    )
    numbers: Counter[tuple[str, str]] = Counter()
    found = {}
    for row in connection.execute(query):
        numbers[row.judge_kind, row.judge_model] += 1
        found[row.judge_digest] = JudgeVersion(number=numbers[row.judge_kind, row.judge_model], since=row.at)
    return found
