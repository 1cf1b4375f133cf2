"""Gives judges the tools for pairs that do not fit into one request: the blinded copies behind the pair's views."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Label
from comparator.domain.pair.view import Family, PageEvidence
from comparator.store.pairs import outputs
from comparator.workflow.judging.load_pairs import LoadedPair
from comparator.workflow.page_pictures import seen_page
from comparator.workflow.services import Services

if TYPE_CHECKING:  # loaded by the first pair that is examined: they bring all readers of files with them
    from comparator.judges.tools.examination import Examination
    from comparator.judges.tools.material import Material
    from comparator.outputs.examine.opened import Opener
    from comparator.outputs.preview.child_process import Renderer

MOST_PAGES = 20
"""Web pages of a pair that are opened for tools because the views have no room for their pictures."""


class Examiner:
    """Opens files for all readings of a worker; they share what is open. Safe to use from several threads."""

    def __init__(self, services: Services) -> None:
        self._services, self._limits = services, services.settings.tool_limits
        self._lock = threading.Lock()
        self._renderer: Renderer | None = None
        self._opener: Opener | None = None

    def material(self, loaded: LoadedPair) -> Material:
        """What the tools work on. It waits for web pages whose pictures had no room."""
        from comparator.judges.tools.material import Material
        from comparator.outputs.examine.opened import StoredCopy

        views = loaded.comparison.view_ids
        with self._services.database.read() as connection:
            rows = [row for view in views for row in outputs.list_files(connection, view)]
        copies = {
            row.id: StoredCopy(
                blob=row.blob,
                media_type=row.media_type or "",
                size=row.copy_size or row.size,
                pages=row.pages,
            )
            for row in rows
            if row.blob is not None
        }
        return Material(loaded.pair, copies, self._open(), pages=self._pages(loaded))

    def examination(self, material: Material) -> Examination:
        """The tools for one reading; it knows nothing of others."""
        from comparator.judges.tools.examination import Examination

        return Examination(material, limits=self._limits)

    def close(self) -> None:
        """End the processes that read files."""
        if self._renderer is not None:
            self._renderer.close()

    def _open(self) -> Opener:
        from comparator.outputs.examine.opened import Opener
        from comparator.outputs.preview.child_process import Renderer

        with self._lock:
            if self._opener is None:
                self._renderer = Renderer(children=1)
                self._opener = Opener(self._services.blobs, self._renderer)
            return self._opener

    def _pages(self, loaded: LoadedPair) -> dict[str, PageEvidence]:
        """Pictures of web pages that the views lack; of both outputs alike, or of none."""
        lacking = [
            file.id
            for label in Label
            for file in loaded.pair.outputs[label].files
            if file.family is Family.HTML and (file.page is None or not file.page.pictures)
        ]
        if self._services.album is None or not lacking or len(lacking) > MOST_PAGES:
            return {}
        found: dict[str, PageEvidence] = {}
        for file_id in lacking:
            try:
                seen = seen_page(self._services, file_id)
            except ComparatorError:
                seen = None
            if seen is None or not seen.evidence.pictures:
                return {}
            found[file_id] = seen.evidence
        return found
