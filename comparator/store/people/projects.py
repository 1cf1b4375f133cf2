"""Projects with their settings, the themes of their reasons, and views of their history that somebody saved."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import or_, select

from comparator.domain.counted import listed
from comparator.domain.errors import InputError, NotFound
from comparator.domain.labels import Frozen
from comparator.domain.project import Guidance, ProjectSettings, ReviewMode
from comparator.domain.themes import Codebook
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.core.sql import Connection, Stored, Unit, changed, lock, one


class Project(Stored, table=tables.project):
    """A question and its settings."""

    id: str
    name: str
    settings: ProjectSettings
    created_at: AwareDatetime
    closed_at: AwareDatetime | None = None


_project = tables.project.c


def ensure_project(unit: Unit, name: str, *, mode: ReviewMode | None = None) -> Project:
    """The project of this name, created with the default settings and this mode if there is none."""
    settings = ProjectSettings() if mode is None else ProjectSettings(mode=mode)
    return unit.ensure(Project, {"name": name_as_kept(name)}, settings=settings)


def named(connection: Connection, name: str) -> Project | None:
    """The project of this name or id; None where there is none."""
    return Project.find(connection, or_(_project.name == name_as_kept(name), _project.id == name))


def project_named(database: Database, name: str) -> str:
    """The id of the project of this name or id; "" is the only one there is. Raises InputError with those there are."""
    with database.read() as connection:
        project, every = named(connection, name), all_projects(connection)
    if project is None and not name and len(every) == 1:
        (project,) = every
    if project is None:
        known = listed([project.name for project in every], most=10) or "none yet"
        raise InputError(
            f"There is no project {name!r}. There are: {known}."
            if name
            else f"Name one of the projects with --project: {known}."
        )
    return project.id


def name_as_kept(name: str) -> str:
    """A project's name as it is stored."""
    return " ".join(name.split())[:200]


get = Project.get


def all_projects(connection: Connection) -> tuple[Project, ...]:
    """All projects by name."""
    return Project.all(connection, by=[_project.name])


def set_closed(unit: Unit, project_id: str, at: datetime | None) -> None:
    """Close the project for review, or (None) open it again."""
    unit.update(tables.project, _project.id == project_id, closed_at=at)


def lock_open(connection: Connection, project_id: str) -> Project:
    """The project, its row locked so that no review in it changes before this transaction ends. Raises NotFound."""
    lock(connection, tables.project, project_id)
    return get(connection, project_id)


def locked(connection: Connection, project_id: str) -> Project:
    """The project; nobody closes it before this transaction ends. Raises NotFound."""
    query = Project.select(_project.id == project_id).with_for_update(read=True, key_share=True)
    return one(connection, query, Project, what="such project")


def save_settings(unit: Unit, project_id: str, settings: ProjectSettings) -> None:
    """Replace the project's settings; the event log keeps the ones before."""
    before = lock_open(unit, project_id).settings
    unit.update(tables.project, _project.id == project_id, settings=settings)
    changed(unit, projects=[project_id])
    both = {"before": before.model_dump(mode="json"), "after": settings.model_dump(mode="json")}
    unit.log("settings_changed", project_id, project_id, **both)


class SavedView(Frozen):
    """One view; `address` is what stands behind the question mark of the page's address."""

    name: str
    address: str


def saved_views(connection: Connection, project_id: str) -> tuple[SavedView, ...]:
    """The project's views by name."""
    return tuple(map(SavedView.model_validate, _column(connection, project_id, "saved_views") or ()))


def save_view(unit: Unit, project_id: str, name: str, *, address: str | None) -> None:
    """Keep a view under this name, in place of one that had it, or (None) forget that. Raises NotFound."""
    lock(unit, tables.project, project_id)
    views = [view for view in saved_views(unit, project_id) if view.name != name]
    if address is not None:
        views.append(SavedView(name=name, address=address))
    by_name = tuple(sorted(views, key=lambda view: (view.name.lower(), view.name)))
    unit.update(tables.project, _project.id == project_id, saved_views=by_name)


def codebook(connection: Connection, project_id: str) -> Codebook:
    """The codebook; an empty one before the first draft."""
    return Codebook.model_validate(_column(connection, project_id, "codebook") or {})


def codebook_to_change(connection: Connection, project_id: str) -> Codebook:
    """The codebook; nobody else changes it until the transaction ends. Raises NotFound."""
    lock(connection, tables.project, project_id)
    return codebook(connection, project_id)


def replace_codebook(unit: Unit, project_id: str, book: Codebook) -> None:
    """Keep this codebook in place of the one before."""
    unit.update(tables.project, _project.id == project_id, codebook=book)


class GuidanceVersion(Guidance):
    """One version of a project's guidance, which is never altered; `author` is a person's name or a model's."""

    author: str
    cost: Decimal | None
    """What a model's draft cost, in US dollars."""
    created_at: AwareDatetime
    created_by: str | None

    @property
    def guidance(self) -> Guidance:
        """What a judge gets of it."""
        return Guidance(number=self.number, text=self.text)


def guidance_versions(connection: Connection, project_id: str) -> tuple[GuidanceVersion, ...]:
    """All versions of a project, the newest first."""
    return tuple(map(GuidanceVersion.model_validate, _column(connection, project_id, "guidance") or ()))


def add_guidance(
    unit: Unit, project_id: str, text: str, *, author: str, cost: Decimal | None = None
) -> GuidanceVersion:
    """Store the project's next version."""
    lock(unit, tables.project, project_id)
    every = guidance_versions(unit, project_id)
    version = GuidanceVersion(
        number=len(every) + 1, text=text, author=author, cost=cost, created_at=unit.at, created_by=unit.who
    )
    unit.update(tables.project, _project.id == project_id, guidance=(version, *every))
    return version


def guidance_version(connection: Connection, project_id: str, number: int) -> GuidanceVersion:
    """The project's version of this number. Raises NotFound."""
    for version in guidance_versions(connection, project_id):
        if version.number == number:
            return version
    raise NotFound(f"There is no guidance version {number} in this project.")


def adopted_guidance(connection: Connection, project_id: str) -> GuidanceVersion | None:
    """The version that holds now; None where there is none."""
    number = get(connection, project_id).settings.guidance
    return None if number is None else guidance_version(connection, project_id, number)


def _column(connection: Connection, project_id: str, name: str) -> Any:
    return connection.execute(select(_project[name]).where(_project.id == project_id)).scalar()
