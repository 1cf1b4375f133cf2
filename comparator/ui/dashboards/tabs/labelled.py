"""How each judge did on the labelled pairs of the project, which says nothing of candidates."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.reporting.trust.labelled_record import hidden_from, labelled_records
from comparator.reporting.trust.record import versions
from comparator.ui.frame import session
from comparator.ui.frame.charts.box import Box
from comparator.ui.frame.charts.labelled import first_figure, labelled_boxes
from comparator.ui.frame.charts.theme import ColourTheme


def record_boxes(project_id: str, *, theme: ColourTheme) -> Iterator[Box]:
    """The charts of all judges that read labelled pairs of the project; none where nobody has."""
    database = session.services().database
    found = labelled_records(database, [project_id])
    if found:
        yield from labelled_boxes(
            found,
            versions(database),
            figure=first_figure(found),
            hidden=hidden_from(database, found, session.me().id),
            theme=theme,
        )
