"""Removing outputs or a whole project for good, by hand or when their term is over; the audit log tells of it."""

from __future__ import annotations

import shutil
from datetime import timedelta

from comparator.domain.errors import Conflict, InputError
from comparator.domain.labels import Label
from comparator.domain.rights import Act
from comparator.store.bulk import batches
from comparator.store.bulk.batches import BatchState
from comparator.store.pairs import comparisons, outputs
from comparator.store.people import projects
from comparator.store.upkeep import purge
from comparator.store.upkeep.purge import Purged, expired
from comparator.workflow.people.people import require, require_recent_sign_in
from comparator.workflow.services import Services


def purge_output(services: Services, comparison_id: str, label: Label, *, reason: str) -> Purged:
    """Remove the files of a comparison's output A or B; scores and judgments stay, with what they quote.

    Raises RightsError, NotFound, and InputError without a reason.
    """
    require_recent_sign_in(services)
    stated = _stated_reason(reason)
    with services.write() as unit:
        require(unit, Act.PURGE, project_id=None)
        comparison = comparisons.get(unit, comparison_id)
        view_id = comparison.view_a if label is Label.A else comparison.view_b
        purged = purge.purge_output(unit, outputs.snapshot_of_view(unit, view_id), reason=stated)
    delete_bytes(services, purged)
    return purged


def purge_project(services: Services, project_id: str, *, reason: str) -> Purged:
    """Remove a project with everything in it.

    Raises RightsError, NotFound, InputError without a reason, and Conflict while a batch of it is under way.
    """
    require_recent_sign_in(services)
    stated = _stated_reason(reason)
    with services.write() as unit:
        require(unit, Act.PURGE, project_id=None)
        for batch in batches.listed(unit, project_id=project_id):
            if batch.state is BatchState.RUNNING:
                raise Conflict(
                    f"The batch {batch.name!r} of this project is running. Cancel it first: "
                    f"comparator batch cancel {batch.id[:8]}"
                )
        purged = purge.purge_project(unit, project_id, reason=stated)
    delete_bytes(services, purged)
    return purged


def _stated_reason(reason: str) -> str:
    if not reason.strip():
        raise InputError("Say why it is removed: the audit log keeps the reason.")
    return reason.strip()


def delete_bytes(services: Services, purged: Purged) -> None:
    """Remove the bytes of what was purged, and what was made from them."""
    # Only once it is committed: a transaction that fails must leave everything in its place.
    for digest in purged.blobs:
        services.blobs.delete(digest)
    # Previews, pictures and pages are made from the outputs, and made again where they are needed.
    for name in ("previews", "pictures", "office"):
        shutil.rmtree(services.settings.home / "cache" / name, ignore_errors=True)


def expired_outputs(services: Services) -> dict[str, tuple[str, ...]]:
    """The outputs (snapshots) that may go, by the name of their project; projects without a term are left out.

    Raises RightsError for who may not purge.
    """
    found: dict[str, tuple[str, ...]] = {}
    with services.read() as unit:
        require(unit, Act.PURGE, project_id=None)
        for project in projects.all_projects(unit):
            if (days := project.settings.keep_outputs_days) is not None:
                gone = expired(unit, project.id, before=unit.at - timedelta(days=days))
                found |= {project.name: gone} if gone else {}
    return found


def purge_expired(services: Services) -> int:
    """Remove the files of all outputs that may go, one transaction each; how many outputs. Raises RightsError."""
    require_recent_sign_in(services)
    done = 0
    for snapshots in expired_outputs(services).values():
        for snapshot_id in snapshots:
            with services.write() as unit:
                purged = purge.purge_output(unit, snapshot_id, reason="older than its project keeps outputs")
            delete_bytes(services, purged)
            done += 1
    return done
