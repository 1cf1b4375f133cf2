"""What several judges did on all pairs that they read together: their votes, lean, cost, and effective number."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from itertools import combinations

from comparator.domain.labels import Frozen
from comparator.domain.scoring.several_judges import Vote
from comparator.reporting.tally.refresh import current, read
from comparator.reporting.tally.several_judges import EACH, TOGETHER, WRONG
from comparator.stats.figures import ENOUGH, Estimate, TooFew
from comparator.stats.raters.accuracy import share_of_readings
from comparator.stats.raters.several_judges import correlation, effective_votes
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
    """Several judges of a project, and what their votes are worth."""

    digest: str
    judges: tuple[JudgeAmongOthers, ...]
    pairs: int
    labelled: int
    """Pairs with a label or a blind review."""
    right: int
    """Labelled pairs on which their joint verdict is right."""
    votes: float | TooFew
    """The effective number of votes; TooFew below 20 labelled pairs."""


def judges_together(database: Database, project_id: str) -> tuple[JudgesTogether, ...]:
    """Each set of several judges that read pairs of the project, those with the most pairs first."""
    with current(database) as connection:
        numbers = read(connection, project_id, (TOGETHER, EACH, WRONG))
    of_all: dict[str, Counter[str]] = {}
    for (digest, what), number in numbers[TOGETHER].items():
        of_all.setdefault(digest, Counter())[what] = number
    of_each: dict[str, dict[int, tuple[str, str, Counter[str]]]] = {}
    for (digest, place, name, model, what), number in numbers[EACH].items():
        found = of_each.setdefault(digest, {}).setdefault(int(place), (name, model, Counter()))
        found[2][what] = number
    wrong: dict[str, Counter[tuple[int, int, str]]] = {}
    for (digest, one, other, which), number in numbers[WRONG].items():
        wrong.setdefault(digest, Counter())[int(one), int(other), which] = number
    rows = [
        JudgesTogether(
            digest=digest,
            judges=tuple(_among_others(*of_each[digest][place]) for place in sorted(of_each[digest])),
            pairs=counts["pairs"],
            labelled=counts["labelled"],
            right=counts["right"],
            votes=_votes(counts["labelled"], sorted(of_each[digest]), wrong.get(digest, Counter())),
        )
        for digest, counts in of_all.items()
    ]
    return tuple(sorted(rows, key=lambda each: (-each.pairs, each.digest)))


def _among_others(name: str, model: str, counts: Counter[str]) -> JudgeAmongOthers:
    return JudgeAmongOthers(
        name=name,
        model=model,
        votes={vote: counts[f"vote:{vote.value}"] for vote in Vote},
        first=counts["first"],
        second=counts["second"],
        to_first=share_of_readings(counts["first"], counts["first"] + counts["second"]),
        right=counts["right"],
        cost=Decimal(counts["cost"]).scaleb(-MONEY_PLACES),
        unpriced=counts["unpriced"],
    )


def _votes(n: int, places: list[int], wrong: Counter[tuple[int, int, str]]) -> float | TooFew:
    if n < ENOUGH:
        return TooFew(n=n)
    alikes = [
        correlation(
            n,
            one=wrong[one, other, "one"] + wrong[one, other, "both"],
            other=wrong[one, other, "other"] + wrong[one, other, "both"],
            both=wrong[one, other, "both"],
        )
        for one, other in combinations(places, 2)
    ]
    return effective_votes(len(places), alikes)
