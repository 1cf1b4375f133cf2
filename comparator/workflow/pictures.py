"""Web pages of a pair are opened before the pair is stored, so that judge and reviewer see the same pictures."""

from __future__ import annotations

from collections.abc import Sequence

from comparator.domain.blinding import Redaction
from comparator.domain.errors import InputError, NotFound
from comparator.domain.labels import PerOutput
from comparator.outputs.pictures.command import Commands
from comparator.outputs.pictures.evidence import pictured
from comparator.outputs.view import BuiltView
from comparator.store import outputs, projects
from comparator.store.database import Connection
from comparator.workflow.services import Services


def with_pictures(
    services: Services, pair: PerOutput[BuiltView], *, project: str, redactions: Sequence[Redaction]
) -> PerOutput[BuiltView]:
    """The pair with what a user sees of its pages; unchanged where no pictures are wanted or none can be taken."""
    if services.album is None:
        return pair
    return pictured(
        pair,
        blobs=services.blobs,
        open_page=services.album.evidence,
        commands=_commands(services, project),
        redactions=redactions,
        budget=services.budget,
    )


def digest_without_pages(services: Services, connection: Connection, view_id: str) -> str:
    """The digest that the stored view would have without pictures of its pages; empty where it was purged."""
    try:
        view = outputs.load_view(connection, view_id, blobs=services.blobs)
    except NotFound:
        return ""
    return view.without_pages().digest


def _commands(services: Services, project: str) -> Commands:
    name = " ".join(project.split())[:200]
    with services.database.read() as connection:
        found = next((p for p in projects.all_projects(connection) if p.name == name), None)
    try:
        return Commands.parse(found.settings.render_command if found else None)
    except InputError:
        # Settings are checked when they are saved; a line that no longer fits renders nothing.
        return Commands()
