"""The record of each judge, version by version, and what several did that read the same pairs together."""

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pandas as pd
import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.domain.scoring.review import How
from comparator.domain.scoring.several_judges import Vote
from comparator.judges import stored
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.figures import WINNERS, against_the_judge, crossed
from comparator.reporting.frames import Frame
from comparator.reporting.trust.judge import Agreement
from comparator.reporting.trust.labelled import labelled
from comparator.stats.accuracy import Calibration, ConfidenceCount, calibrate, share_of_readings
from comparator.stats.intervals import Estimate, TooFew
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.tables.base import MONEY_PLACES

TRUSTED_ABOVE = 2 / 3
"""A judge can be trusted that is right more often than this by its whole interval."""


class VersionRecord(Frozen):
    """What one version of a judge has done: the same model, server, prompts, answer form and tools."""

    kind: str
    model: str
    digest: str
    number: int | None
    """1 for the model's oldest version; None for judges together, which `digest` tells apart."""
    since: AwareDatetime | None
    judged: int
    """Pairs that it judged, with those of an unusable output: they were paid for too. No other figure has these."""
    read_twice: int
    flipped: int
    """Pairs with another winner in each order, of those read in both."""
    contradicted: int
    """Pairs with a first reading whose scores gave another winner than it named."""
    readings: int
    again: int
    """Pairs that were read more than once in an order."""
    tools: int
    """Pairs of which a reading opened files."""
    agreement: tuple[Agreement, ...]
    tries: int
    failed: int
    unpriced: int
    """Tries that used tokens at a price that is not known."""
    cost: Decimal
    """US dollars, of all tries."""


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
    by_project = {}
    for project_id in project_ids:
        with facts_of(database, project_id) as facts:
            by_project[project_id] = _records(facts, known)
    return by_project


def _records(facts: Facts, known: Mapping[str, JudgeVersion]) -> tuple[VersionRecord, ...]:
    """What valid pairs add to the record of each version, and what all its tries took."""
    judged = facts.pairs[facts.pairs.judge_winner.notna()]
    pairs = judged[judged.valid]
    reviews, tries = against_the_judge(facts, pairs), facts.tries
    here = pd.concat(
        [
            judged[["judge_kind", "judge_model", "judge_digest"]].set_axis(
                ["kind", "model", "digest"], axis=1
            ),
            tries[["kind", "model", "digest"]],
        ]
    ).drop_duplicates()
    rows = [
        _record(
            *(pairs[pairs.judge_digest == digest], reviews[reviews.judge_digest == digest]),
            tries[tries.digest == digest],
            judged=int((judged.judge_digest == digest).sum()),
            version=known.get(digest),
            kind=kind,
            model=model,
            digest=digest,
        )
        for kind, model, digest in here.itertuples(index=False)
        if model != stored.MODEL and kind != "offline"
    ]
    return tuple(
        sorted(rows, key=lambda version: (version.kind, version.model, version.number or 0, version.digest))
    )


def versions(database: Database) -> dict[str, JudgeVersion]:
    """The versions of all judges by their digests."""
    judgment = tables.judgment.c
    at = sa.func.min(judgment.created_at).label("at")
    query = sa.select(judgment.judge_kind, judgment.judge_model, judgment.judge_digest, at)
    query = query.group_by(judgment.judge_digest, judgment.judge_kind, judgment.judge_model).order_by(
        at, judgment.judge_digest
    )
    numbers: Counter[tuple[str, str]] = Counter()
    judge_versions = {}
    with database.read() as connection:
        for row in connection.execute(query):
            numbers[row.judge_kind, row.judge_model] += 1
            judge_versions[row.judge_digest] = JudgeVersion(
                number=numbers[row.judge_kind, row.judge_model], since=row.at
            )
    return judge_versions


def _record(
    pairs: Frame, reviews: Frame, tries: Frame, *, version: JudgeVersion | None, **judge: Any
) -> VersionRecord:
    twice = int(pairs.position_consistent.notna().sum())
    flipped = int(pairs.position_consistent.eq(False).sum())
    contradicted = int(pairs.self_consistent.eq(False).sum())
    by_how = dict(list(reviews.groupby("how")))
    return VersionRecord(
        **judge,
        number=version.number if version else None,
        since=version.since if version else None,
        read_twice=twice,
        flipped=flipped,
        contradicted=contradicted,
        readings=int(pairs.readings.sum()),
        again=int(pairs.read_again.eq(True).sum()),
        tools=int(pairs.used_tools.eq(True).sum()),
        agreement=tuple(
            Agreement(how=how, counts=crossed(own.first_winner, own.named, WINNERS))
            for how in How
            if (own := by_how.get(how)) is not None
        ),
        tries=int(tries.tries.sum()),
        failed=int(tries.failed.sum()),
        unpriced=int(tries.unpriced.sum()),
        cost=Decimal(int(tries.cost.sum())).scaleb(-MONEY_PLACES),
    )


def probability(database: Database, project_id: str, *, version: str, stated: int) -> float | None:
    """The chance, 0 to 1, that people name the winner of this version of a judge (its digest) where it stated this
    confidence; None until enough blind reviews tell."""
    with facts_of(database, project_id) as facts:
        calibration = calibrate(_stated(facts).get(version, ()))
    return None if isinstance(calibration, TooFew) else calibration.probability(stated)


def calibrated(database: Database, project_id: str) -> dict[str, Calibration | TooFew]:
    """What the stated confidence of each version is worth in the project, by its digest; says nothing of candidates."""
    with facts_of(database, project_id) as facts:
        return {digest: calibrate(stated) for digest, stated in _stated(facts).items()}


def _stated(facts: Facts) -> dict[str, list[ConfidenceCount]]:
    """By version, how often blind reviews of valid pairs named its winner at each stated confidence."""
    reviews = against_the_judge(facts, facts.pairs[facts.pairs.valid])
    reviews = reviews[(reviews.how == How.BLIND_FIRST) & reviews.stated_confidence.notna()]
    counts: dict[str, list[ConfidenceCount]] = {}
    for (digest, level), own in reviews.groupby(["judge_digest", "stated_confidence"]):
        counts.setdefault(digest, []).append(ConfidenceCount(int(level), int(own.same.sum()), len(own)))
    return counts


class JudgeAmongOthers(Frozen):
    """One of several judges, on all pairs that they were asked about together."""

    name: str
    model: str
    votes: dict[Vote, int]
    first: int
    """First readings that named the output shown first; `second` the other one."""
    second: int
    to_first: Estimate | TooFew
    """The share of `first`: half is unbiased. Both readings of a pair count as one observation."""
    right: int
    """Of the labelled pairs."""
    cost: Decimal
    """Of all tries whose price is known, in US dollars."""
    unpriced: int
    """Tries that used tokens at a price that is not known."""


class JudgesTogether(Frozen):
    """Several judges of a project, and how often they are right together."""

    digest: str
    judges: tuple[JudgeAmongOthers, ...]
    pairs: int
    labelled: int
    """Pairs with a label or a blind review."""
    right: int
    """Labelled pairs on which their joint verdict is right."""


def judges_together(database: Database, project_id: str) -> tuple[JudgesTogether, ...]:
    """Each set of several judges that read pairs of the project, those with the most pairs first."""
    with facts_of(database, project_id) as facts:
        judges = facts.read("judges", facts.pairs[facts.pairs.valid])
        pairs = facts.pairs.loc[judges.index]
        truths = {truth.comparison_id: truth.winner for truth in labelled(facts)}
        rows = [
            _together(digest, own, judges[own.index], own.index.to_series().map(truths), facts.tries)
            for digest, own in pairs.groupby("judge_digest")
        ]
    return tuple(sorted(rows, key=lambda row: (-row.pairs, row.digest)))


def _together(digest: str, pairs: Frame, judges: Frame, truths: Frame, tries: Frame) -> JudgesTogether:
    names = ["name", "kind", "model", "digest", "vote", "first", "second"]
    frames = [
        pd.DataFrame([judges[id][place] for id in judges.index], index=judges.index, columns=names)
        for place in range(len(judges.iat[0]))
    ]
    return JudgesTogether(
        digest=digest,
        judges=tuple(_among_others(own, truths, tries) for own in frames),
        pairs=len(pairs),
        labelled=int(truths.notna().sum()),
        right=int((pairs.judge_winner == truths).sum()),
    )


def _among_others(own: Frame, truths: Frame, tries: Frame) -> JudgeAmongOthers:
    first, second = int(own["first"].sum()), int(own.second.sum())
    judge = own.iloc[0]
    theirs = tries[
        tries.comparison_id.isin(own.index)
        & (tries.kind == judge.kind)
        & (tries.model == judge.model)
        & (tries.digest == judge.digest)
    ]
    return JudgeAmongOthers(
        name=judge["name"],
        model=judge.model,
        votes={vote: int((own.vote == vote.value).sum()) for vote in Vote},
        first=first,
        second=second,
        to_first=share_of_readings(first, first + second),
        right=int((own.vote == truths).sum()),
        cost=Decimal(int(theirs.cost.sum())).scaleb(-MONEY_PLACES),
        unpriced=int(theirs.unpriced.sum()),
    )
