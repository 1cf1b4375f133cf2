"""How far a panel is: each reviewer's progress and pace, their agreement, and the pairs to settle."""

from collections.abc import Mapping
from datetime import datetime

import pandas as pd
import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.domain.rights import Role
from comparator.reporting.frames import Frame, frame_of
from comparator.reporting.queue import minutes_of
from comparator.stats.agreement import PanelAgreement, VotePattern, panel_agreement
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import Unit
from comparator.store.people import people, projects
from comparator.store.reviewing import queue, reviews

ORDER = ("A", "TIE", "B")
"""A tie stands between the two."""
QUICK = 0.25
QUICKEST = 10 / 60


class PersonProgress(Frozen):
    """One reviewer's work in the project."""

    person_id: str
    name: str
    done: int
    open: int
    """Reviews begun and not finalised."""
    assigned: int
    claimed: int
    """Pairs that they hold now."""
    minutes: float | None
    """Median minutes of work on a pair, long pauses cut."""
    quick: int
    """Reviews quicker than a quarter of the panel's median, or than ten seconds."""
    untouched: int
    """Reviews finalised without touching a value."""
    compared: int
    """Final reviews by others of pairs that this person has finalised too."""
    same: int
    """Those of them that name the same winner."""


class PanelProgress(Frozen):
    """How far the panel is."""

    pairs: int
    reviews: int
    """Final reviews."""
    wanted: int
    """Final reviews that the plan asks for, those of pairs that go to everybody included."""
    minutes: float | None
    overlap: PanelAgreement
    disputed: int
    """Pairs whose reviewers disagree on the winner and on which nobody ruled."""
    people: tuple[PersonProgress, ...]


class Contested(Frozen):
    """A pair with several final reviews."""

    comparison_id: str
    title: str
    reviews: int
    disputed: bool
    """They disagree on the winner and nobody ruled yet."""
    ruled: bool


_review, _finalisation, _comparison, _fact = (
    tables.review.c,
    tables.finalisation.c,
    tables.comparison.c,
    tables.fact.c,
)


def panel_progress(database: Database, project_id: str, *, at: datetime) -> PanelProgress:
    """How far the project's panel is; `at` is now. Whether it may be shown is for the caller to ask."""
    with database.read() as connection:
        project = projects.get(connection, project_id)
        final = _final(connection, project_id)
        own = sa.select(_review.id).join(tables.comparison, _comparison.id == _review.comparison_id)
        worked = minutes_of(connection, own.where(_comparison.project_id == project_id))
        names = _reviewers(connection, project_id)
        panel = len(names)
        opened = [review.person_id for review in reviews.open_ones(connection, project_id)]
        claims_now = queue.in_force(Unit(connection, at=at), project_id)
        known = {*final.person_id} | set(opened) | {claim.person_id for claim in claims_now}
        for person_id in known - names.keys():
            names[person_id] = people.get(connection, person_id).name
        query = sa.select(_comparison.id).where(_comparison.project_id == project_id)
        ids = tuple(connection.execute(query).scalars())
        disputed = sum(pair.disputed for pair in _contested(connection, project_id))
    final["minutes"] = final.id.map(worked).astype(float)
    usual = float(final.minutes.median()) if len(final) else None
    final["quick"] = final.minutes < max(QUICK * (usual or 0.0), QUICKEST)
    met = final.merge(final, on="comparison_id")
    met = met[met.id_x != met.id_y]
    met["same"] = met.winner_x == met.winner_y
    needed = project.settings.reviews_needed
    return PanelProgress(
        pairs=len(ids),
        reviews=len(final),
        wanted=sum(max(needed, panel) if project.settings.is_for_all(id) else needed for id in ids),
        minutes=usual,
        overlap=panel_agreement(_patterns(final)),
        disputed=disputed,
        people=tuple(
            PersonProgress(
                person_id=person_id,
                name=name,
                done=len(mine := final[final.person_id == person_id]),
                open=opened.count(person_id),
                assigned=sum(h.person_id == person_id and h.expires_at is None for h in claims_now),
                claimed=sum(h.person_id == person_id and h.expires_at is not None for h in claims_now),
                minutes=float(mine.minutes.median()) if len(mine) else None,
                quick=int(mine.quick.sum()),
                untouched=int((mine.last_change == 0).sum()),
                compared=len(others := met.same[met.person_id_x == person_id]),
                same=int(others.sum()),
            )
            for person_id, name in sorted(names.items(), key=lambda item: (item[1].lower(), item[0]))
        ),
    )


def reviewers(database: Database, project_id: str) -> Mapping[str, str]:
    """Everybody who is given this project's pairs to review, by id with their name."""
    with database.read() as connection:
        return _reviewers(connection, project_id)


def contested_pairs(database: Database, project_id: str) -> tuple[Contested, ...]:
    """The pairs with several final reviews; those that wait for a ruling first."""
    with database.read() as connection:
        pairs = _contested(connection, project_id)
    return tuple(sorted(pairs, key=lambda pair: (not pair.disputed, pair.ruled)))


def _final(connection: Connection, project_id: str) -> Frame:
    """The newest finalisation of each review that is final; the winner is empty where it names none."""
    query = (
        sa.select(
            _review.id,
            _review.person_id,
            _review.comparison_id,
            _finalisation.winner,
            _finalisation.last_change,
        )
        .select_from(
            tables.review.join(tables.comparison, _comparison.id == _review.comparison_id).join(
                tables.finalisation, _finalisation.review_id == _review.id
            )
        )
        .where(_comparison.project_id == project_id, reviews.not_reopened())
        .order_by(_finalisation.at, _review.id)
    )
    return frame_of(connection, query).fillna({"winner": ""})


def _reviewers(connection: Connection, project_id: str) -> dict[str, str]:
    given = (*people.members(connection, project_id=project_id), *people.members(connection, project_id=None))
    return {assignment.person_id: assignment.name for assignment in given if assignment.role is Role.REVIEWER}


def _patterns(final: Frame) -> list[VotePattern]:
    """How many pairs have so many votes for each winner."""
    votes = pd.crosstab(final.comparison_id, final.winner).reindex(columns=list(ORDER), fill_value=0)
    cases = votes.value_counts().sort_index().reset_index()
    return [VotePattern(votes=tuple(given), cases=number) for *given, number in cases.itertuples(index=False)]


def _contested(connection: Connection, project_id: str) -> list[Contested]:
    ruled = sa.exists().where(tables.adjudication.c.comparison_id == _fact.comparison_id)
    query = (
        sa.select(
            _fact.comparison_id,
            _comparison.title,
            _fact.final_reviews,
            _fact.winner,
            ruled.label("ruled"),
        )
        .join_from(tables.fact, tables.comparison, _comparison.id == _fact.comparison_id)
        .where(_fact.project_id == project_id, sa.or_(_fact.final_reviews > 1, ruled))
        .order_by(_comparison.created_at, _fact.comparison_id)
    )
    return [
        Contested(
            comparison_id=row.comparison_id,
            title=row.title,
            reviews=row.final_reviews,
            disputed=row.winner is None and not row.ruled,
            ruled=bool(row.ruled),
        )
        for row in connection.execute(query)
    ]
