"""How many pairs of an estimate would be read with tools, by what is stored of their views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from comparator.domain.errors import ComparatorError
from comparator.domain.pair.view import Family
from comparator.domain.scoring.judgment import Tools
from comparator.judges.tools.missing_content import UNSEEN, made_smaller, noted, noted_of_view
from comparator.judges.tools.needs_tools import needs_tools
from comparator.store import tables
from comparator.store.core.database import Connection
from comparator.store.pairs import comparisons
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.workflow.judging.load_pairs import blinded_pair
from comparator.workflow.services import Services

LOADED = 10
"""Pairs that an estimate loads at most because the notes on their files leave open whether all of them fits."""

_view, _view_file = tables.view.c, tables.view_file.c


class _Fit(StrEnum):
    """Whether a view fits into one request, by its notes."""

    FITS = "fits"
    OPEN = "open"
    NOT = "not"


def share_with_tools(
    services: Services, connection: Connection, ids: Sequence[str], *, project_id: str, mode: Tools
) -> float:
    """Which share of these comparisons of a project would be read with tools, from 0 to 1.

    The notes that are stored with views tell it of most. Of those that they leave open, such as web pages that may go
    on below their pictures, some are loaded and stand for the others.
    """
    if mode is not Tools.AUTO:
        return float(mode is Tools.ALWAYS)
    found = list(comparisons.by_id(connection, ids).values())
    if not found:
        return 0.0
    shown = projects.get(connection, project_id).settings.show_reference
    views = {one.id: _views(one, shows_reference=shown) for one in found}
    fits = _fits(connection, sorted({view for own in views.values() for view in own}))
    certain, open_ = 0, []
    for one in found:
        own = {fits[view] for view in views[one.id] if view in fits}
        if _Fit.NOT in own:
            certain += 1
        elif _Fit.OPEN in own:
            open_.append(one)
    return (certain + _share(services, connection, open_) * len(open_)) / len(found)


def _views(one: Comparison, *, shows_reference: bool) -> tuple[str, ...]:
    reference = (one.reference_view,) if shows_reference else ()
    return tuple(view for view in (one.view_a, one.view_b, one.input_view, *reference) if view is not None)


def _share(services: Services, connection: Connection, pairs: Sequence[Comparison]) -> float:
    """Which share of some of these pairs has to be read with tools, by their content."""
    needed = []
    for one in pairs[:: max(1, -(-len(pairs) // LOADED))]:
        try:
            needed.append(needs_tools(blinded_pair(services, connection, one), Tools.AUTO))
        except ComparatorError:
            # Its content was purged or is damaged: it will not be read at all.
            continue
    return sum(needed) / len(needed) if needed else 0.0


def _fits(connection: Connection, view_ids: Sequence[str]) -> Mapping[str, _Fit]:
    rows = connection.execute(sa.select(_view.id, _view.notes).where(_view.id.in_(view_ids)))
    fits = {row.id: _Fit.NOT if noted_of_view(row.notes) else _Fit.FITS for row in rows}
    for file in connection.execute(_files_with_notes([id for id, fit in fits.items() if fit is _Fit.FITS])):
        if noted(file.notes):
            fits[file.view_id] = _Fit.NOT
        elif fits[file.view_id] is _Fit.FITS and _leaves_open(file):
            fits[file.view_id] = _Fit.OPEN
    return fits


def _files_with_notes(view_ids: Sequence[str]) -> sa.Select[Any]:
    """Files of views that have notes, or of which notes do not tell everything."""
    return sa.select(
        _view_file.view_id, _view_file.family, _view_file.size, _view_file.media_type, _view_file.notes
    ).where(
        _view_file.view_id.in_(view_ids),
        sa.or_(
            sa.cast(_view_file.notes, sa.Text) != "[]",
            _view_file.family == Family.HTML.value,
            _view_file.media_type.is_(None),
            _view_file.media_type == "application/octet-stream",
        ),
    )


def _leaves_open(file: sa.Row[Any]) -> bool:
    family = Family(file.family)
    if family is Family.HTML or made_smaller(file.notes):
        return True
    # Without a rebuilt copy it may be that nothing of it could be read.
    bare = file.media_type in (None, "application/octet-stream")
    return bare and file.size > 0 and family not in UNSEEN
