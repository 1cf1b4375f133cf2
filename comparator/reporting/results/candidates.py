"""Which candidates met, how far their pairs are, their order, and what they are called: neutrally before the reveal."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import pandas as pd
import sqlalchemy as sa

from comparator.domain.counted import natural
from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, count_outcomes, facts_of
from comparator.reporting.frames import Frame
from comparator.reporting.scope import ResultFilter, Runs
from comparator.stats.ranking import HeadToHead, NotConnected, Ranked, bradley_terry
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.core.sql import number
from comparator.store.facts.fact import MEASURED
from comparator.store.pairs.reveals import distinct_names


class Names(NamedTuple):
    """What the two candidates are called; `one` is the one that is told of."""

    one: str
    two: str


class NamedCandidate(Frozen):
    """A candidate as it may be called now; before the reveal only its number is known."""

    id: str
    number: int
    name: str
    plain: str = ""
    """The name without the iteration that tells it from others of this name."""
    iteration: str | None = None
    skill: str | None = None
    """The hash of its skill."""
    at: datetime | None = None
    """When it was first imported."""
    revealed: bool = False


class Meeting(Frozen):
    """Two candidates and their pairs; the names are "candidate 1" and the like until the first reveal of their set."""

    one: str
    two: str
    one_name: str
    two_name: str
    pairs: int
    judged: int
    reviewed: int
    unrevealed: int
    open_reviews: int
    iteration: str | None = None
    """The one that both are from; None before the reveal too."""
    at: datetime | None = None
    """When the newer of both was first imported; None before the reveal."""
    plain: tuple[str, str] | None = None
    """Both names without what tells them from others of that name; None before the reveal."""

    @property
    def revealed(self) -> int:
        """The pairs whose result may be told."""
        return self.pairs - self.unrevealed


class ProjectState(Frozen):
    """How far a project is. Reviewers are shown results only when nothing in it is unrevealed."""

    comparisons: int
    judged: int
    reviewed: int
    unrevealed: int
    open_reviews: int
    measured: int
    """Pairs that a judge read only to be measured: their verdicts are kept apart."""
    meetings: tuple[Meeting, ...]
    repeated: tuple[Meeting, ...] = ()
    """Two runs of one candidate compared: they try the judge; they are no result."""

    @property
    def open(self) -> bool:
        """Whether a comparison in it is still blind."""
        return self.unrevealed > 0

    @property
    def revealed_meetings(self) -> tuple[Meeting, ...]:
        """The meetings of which something is revealed."""
        return tuple(met for met in self.meetings if met.revealed)


def project_state(database: Database, project_id: str) -> ProjectState:
    """How far the project is, and which candidates met in it, those with most pairs first."""
    with facts_of(database, project_id) as facts:
        pairs = facts.pairs
        marks: Frame = pd.DataFrame(
            {
                "pairs": 1,
                "judged": pairs.judge_winner.notna(),
                "reviewed": pairs.final_reviews > 0,
                "unrevealed": ~pairs.revealed,
                "open_reviews": pairs.open_reviews > 0,
            },
            index=pairs.index,
        ).astype("int64")
        every = _meetings(facts, marks.groupby(pairs.both).sum())
        here = tables.fact.c.project_id == project_id
        measured = number(facts.connection, tables.fact, MEASURED, here)
    whole = {name: int(number) for name, number in marks.sum().items()}
    return ProjectState(
        comparisons=whole.pop("pairs"),
        **whole,
        measured=measured,
        meetings=tuple(met for met in every if met.one != met.two),
        repeated=tuple(met for met in every if met.one == met.two),
    )


def newest(database: Database, meetings: Sequence[Meeting]) -> Meeting:
    """The one of the newest iteration, else of the candidate that was imported last; also among blind ones.

    Neither is handed on: before a reveal a meeting has no iteration. Raises ValueError where there are none.
    """
    candidate = tables.candidate.c
    wanted = sorted({id for met in meetings for id in (met.one, met.two)})
    query = sa.select(candidate.id, candidate.iteration, candidate.created_at).where(candidate.id.in_(wanted))
    with database.read() as connection:
        rows = {row.id: row for row in connection.execute(query)}

    def key(met: Meeting) -> tuple[Any, ...]:
        one, two = rows[met.one], rows[met.two]
        both = one.iteration if one.iteration == two.iteration else None
        return natural(both or ""), max(one.created_at, two.created_at), met.pairs

    return max(meetings, key=key)


def names(facts: Facts, *ids: str) -> dict[str, NamedCandidate]:
    """All revealed candidates of the project, and these, as they may be called; before a reveal no name is read."""
    revealed = [facts.candidates[id] for id in sorted(revealed_ids(facts))]
    called = distinct_names(revealed)
    candidate = tables.candidate.c
    query = sa.select(candidate.id, candidate.neutral_number).where(
        candidate.project_id == facts.project_id, candidate.id.in_(ids)
    )
    return {
        id: NamedCandidate(id=id, number=number, name=f"candidate {number}")
        for id, number in facts.connection.execute(query)
    } | {
        candidate.id: NamedCandidate(
            id=candidate.id,
            number=candidate.neutral_number,
            name=called[candidate.id],
            plain=candidate.name,
            iteration=candidate.iteration,
            skill=candidate.skill_hash,
            at=candidate.created_at,
            revealed=True,
        )
        for candidate in revealed
    }


def names_of(facts: Facts, *, one: str, two: str) -> Names:
    """The current names of two candidates that met."""
    called = names(facts, one, two)
    return Names(called[one].name, called[two].name)


def revealed_ids(facts: Facts) -> set[str]:
    """The candidates of whose pairs at least one is revealed."""
    pairs = facts.pairs[facts.pairs.revealed]
    return {*pairs.one, *pairs.two}


def stem(name: str) -> str:
    """A name without its digits, which versions of one candidate share.

    >>> stem("v31") == stem("v32")
    True
    """
    return re.sub(r"\d+", "", name)


def _meetings(facts: Facts, met: Frame) -> tuple[Meeting, ...]:
    called = names(facts, *(id for both in met.index for id in both.split()))
    meetings = []
    for both, *numbers in met.itertuples():
        counts = dict(zip(met.columns, numbers, strict=True))
        any_revealed = counts["unrevealed"] < counts["pairs"]
        # Named in the order of their drawn numbers, so that the order tells nothing.
        first, second = sorted((called[id] for id in both.split()), key=lambda candidate: candidate.number)
        meetings.append(
            Meeting(
                one=first.id,
                two=second.id,
                one_name=first.name if any_revealed else f"candidate {first.number}",
                two_name=second.name if any_revealed else f"candidate {second.number}",
                **counts,
                **(_revealed_facts(first, second) if any_revealed else {}),
            )
        )
    return tuple(
        sorted(meetings, key=lambda met: (-met.pairs, called[met.one].number, called[met.two].number))
    )


def _revealed_facts(first: NamedCandidate, second: NamedCandidate) -> dict[str, Any]:
    return {
        "iteration": first.iteration if first.iteration == second.iteration else None,
        "at": max((candidate.at for candidate in (first, second) if candidate.at), default=None),
        "plain": (first.plain, second.plain),
    }


class Ranking(Frozen):
    """The revealed candidates from best to worst; none where groups of them never met."""

    order: tuple[Ranked, ...]
    met: tuple[HeadToHead, ...]
    called: dict[str, str]


def ranking(database: Database, result_filter: ResultFilter) -> Ranking | None:
    """All revealed pairs of the project, counted as `result_filter` counts its two; None where fewer than three met."""
    with facts_of(database, result_filter.project_id) as facts:
        pairs = ranked_pairs(facts, result_filter)
        ids = {*pairs.one, *pairs.two}
        if len(ids) < 3:
            return None
        called = names(facts)
    met = tuple(
        HeadToHead(one, two, **count_outcomes(own.points))
        for both, own in sorted(pairs.groupby("both"))
        for one, two in (both.split(),)
    )
    order = bradley_terry(met)
    return Ranking(
        order=() if isinstance(order, NotConnected) else order,
        met=met,
        called={id: called[id].name for id in ids},
    )


def ranked_pairs(facts: Facts, result_filter: ResultFilter) -> Frame:
    """The pairs that a ranking counts."""
    pairs = facts.pairs[facts.pairs.revealed & (facts.pairs.one != facts.pairs.two)]
    pairs = facts.within(pairs, result_filter.within)
    pairs = pairs[pairs.kind.isin(result_filter.kinds)]
    return pairs[pairs.valid] if result_filter.runs is Runs.VALID else pairs
