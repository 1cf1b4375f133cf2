"""Which projects an output belongs to, and as what: for the check of who may see it. Nothing leads to a candidate."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.store import tables


class Use(Frozen):
    """One place in which an output is shown."""

    project_id: str
    as_reference: bool


def uses(connection: sa.Connection, id: str) -> frozenset[Use]:
    """Where this output, or the output that this file belongs to, is shown; nothing for an unknown id."""
    f, c = tables.view_file.c, tables.comparison.c
    view_id = connection.execute(sa.select(f.view_id).where(f.id == id)).scalar() or id
    # Two look-ups by index; an "or" over both columns would read the whole table.
    sides = sa.union(
        sa.select(c.project_id).where(c.view_a == view_id), sa.select(c.project_id).where(c.view_b == view_id)
    )
    found = {
        Use(project_id=project_id, as_reference=False) for project_id in connection.execute(sides).scalars()
    }
    if found:
        return frozenset(found)
    beside = (
        sa.select(c.project_id, (c.reference_view == view_id).label("as_reference"))
        .where(sa.or_(c.input_view == view_id, c.reference_view == view_id))
        .distinct()
    )
    return frozenset(
        Use(project_id=row.project_id, as_reference=bool(row.as_reference))
        for row in connection.execute(beside)
    )
