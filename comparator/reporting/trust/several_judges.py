"""What several judges did on all pairs that they read together: their votes, lean and cost."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd

from comparator.domain.labels import Frozen
from comparator.domain.scoring.several_judges import Vote
from comparator.reporting.facts import facts_of
from comparator.reporting.frames import Frame, read_json
from comparator.reporting.trust.labelled import labelled
from comparator.stats.accuracy import share_of_readings
from comparator.stats.intervals import Estimate, TooFew
from comparator.store.core.database import Database
from comparator.store.tables.base import MONEY_PLACES


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
        pairs = facts.pairs[facts.pairs.valid & facts.pairs.judges.notna()]
        truths = {each.comparison_id: each.winner for each in labelled(facts)}
        rows = [
            _together(digest, own, own.index.to_series().map(truths), facts.tries)
            for digest, own in pairs.groupby("judge_digest")
        ]
    return tuple(sorted(rows, key=lambda each: (-each.pairs, each.digest)))


def _together(digest: str, pairs: Frame, truths: Frame, tries: Frame) -> JudgesTogether:
    names = ["name", "kind", "model", "digest", "vote", "first", "second"]
    judges = read_json(pairs.judges)
    each = [
        pd.DataFrame([judges[id][place] for id in judges.index], index=judges.index, columns=names)
        for place in range(len(judges.iat[0]))
    ]
    return JudgesTogether(
        digest=digest,
        judges=tuple(_among_others(own, truths, tries) for own in each),
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
