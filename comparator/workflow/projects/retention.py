"""Outputs are kept as long as their project says; scores and verdicts stay."""

from __future__ import annotations

from datetime import timedelta

from comparator.domain.rights import Act
from comparator.store.people import projects
from comparator.store.upkeep import purge
from comparator.store.upkeep.retention import expired
from comparator.workflow.people.people import require
from comparator.workflow.people.recent_sign_in import require_recent_sign_in
from comparator.workflow.projects.purging import delete_bytes
from comparator.workflow.services import Services


def expired_outputs(services: Services, *, person_id: str | None) -> dict[str, tuple[str, ...]]:
    """The outputs (snapshots) that may go, by the name of their project; projects without a term are left out.

    Raises RightsError for who may not purge.
    """
    found: dict[str, tuple[str, ...]] = {}
    with services.read() as unit:
        require(unit.connection, person_id, Act.PURGE, project_id=None)
        for project in projects.all_projects(unit.connection):
            if (days := project.settings.keep_outputs_days) is not None:
                gone = expired(unit.connection, project.id, before=unit.at - timedelta(days=days))
                found |= {project.name: gone} if gone else {}
    return found


def purge_expired(services: Services, *, person_id: str | None) -> int:
    """Remove the files of all outputs that may go, one transaction each; how many outputs. Raises RightsError."""
    require_recent_sign_in(services)
    done = 0
    for snapshots in expired_outputs(services, person_id=person_id).values():
        for snapshot_id in snapshots:
            with services.write() as unit:
                purged = purge.purge_output(
                    unit, snapshot_id, person_id=person_id, reason="older than its project keeps outputs"
                )
            delete_bytes(services, purged)
            done += 1
    return done
