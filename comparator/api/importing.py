"""Experiments that were run elsewhere come in."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from comparator.api.opened import OnStep, opened, quiet
from comparator.settings import Settings
from comparator.workflow.importing import run
from comparator.workflow.importing.planned import ImportReport
from comparator.workflow.importing.request import ImportOptions
from comparator.workflow.importing.store import Imported


def import_workspace(
    path: str | PathLike[str],
    options: ImportOptions | None = None,
    *,
    settings: Settings | None = None,
    on_step: OnStep = quiet,
) -> Imported:
    """Set up the pairs of a workspace folder, a results file, a preference set or a table; nothing is judged yet.

    What was imported before is left alone. The report says what was found, left out and may tell who made what, and
    the ids of the new comparisons come with it. Raises InputError where nothing can be imported.
    """
    request = (options or ImportOptions()).request(Path(path))
    with opened(settings) as services:
        return run.import_path(services, request, on_step=on_step)


def look_through(
    path: str | PathLike[str],
    options: ImportOptions | None = None,
    *,
    settings: Settings | None = None,
    on_step: OnStep = quiet,
) -> ImportReport:
    """What `import_workspace` would find and do with the same options; nothing is kept of it. Raises InputError."""
    request = (options or ImportOptions()).request(Path(path))
    with opened(settings) as services:
        return run.dry_run(services, request, on_step=on_step)
