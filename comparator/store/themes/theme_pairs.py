"""For which output each theme speaks in each pair: derived from the newest assignment and the codebook that holds."""

from __future__ import annotations

from collections import defaultdict

import sqlalchemy as sa

from comparator.domain.labels import Winner
from comparator.domain.themes import speaks
from comparator.store import tables
from comparator.store.core.sql import insert_many
from comparator.store.themes import codebooks, inquiries
from comparator.store.themes.inquiries import Inquiry, InquiryKind, InquiryState

NONE, ALL = "", "*"
"""In place of a theme: the findings that belong to none, and all that were assigned."""
POINTS = {Winner.A: 2, Winner.TIE: 1, Winner.B: 0}


def assignment(connection: sa.Connection, project_id: str) -> Inquiry | None:
    """The assignment that counts: the newest that is done, else the newest under way; None for none."""
    every = inquiries.of_project(connection, project_id, InquiryKind.ASSIGN)
    return next((each for each in every if each.state is InquiryState.DONE), every[0] if every else None)


def unfinished(connection: sa.Connection, project_id: str) -> Inquiry | None:
    """The newest assignment where it is not done; None where it is."""
    newest = next(iter(inquiries.of_project(connection, project_id, InquiryKind.ASSIGN)), None)
    return None if newest is None or newest.state is InquiryState.DONE else newest


def derive(connection: sa.Connection, project_id: str) -> None:
    """Derive the project's rows anew."""
    pair, finding = tables.theme_pair, tables.finding.c
    connection.execute(pair.delete().where(pair.c.project_id == project_id))
    newest = assignment(connection, project_id)
    if newest is None:
        return
    book, marks = codebooks.codebook(connection, project_id), tables.theme_mark.c
    winners: dict[tuple[str, str], list[Winner]] = defaultdict(list)
    query = (
        sa.select(finding.id, finding.comparison_id, finding.speaks_for, marks.themes)
        .join_from(tables.theme_mark, tables.finding, finding.id == marks.finding_id)
        .where(marks.inquiry_id == newest.id, marks.themes.is_not(None))
    )
    for row in connection.execute(query):
        themes = book.themes_of(each["theme"] for each in row.themes)
        for theme in (*(themes or (NONE,)), ALL):
            winners[theme, row.comparison_id].append(Winner(row.speaks_for))
    insert_many(
        connection,
        pair,
        [
            {
                "project_id": project_id,
                "theme_id": theme,
                "comparison_id": comparison_id,
                "points": POINTS[speaks(each)],
                "findings": len(each),
            }
            for (theme, comparison_id), each in sorted(winners.items())
        ],
    )
