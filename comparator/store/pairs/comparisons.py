"""Comparisons, without their key."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import Connection, or_, select, union

from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.store import tables
from comparator.store.core.revisions import changed
from comparator.store.core.sql import Stored, select_as, several, update
from comparator.store.core.unit import Unit
from comparator.store.facts.fact import Status

VALID = PerOutput[str](A="valid", B="valid")
_MARKED = frozenset({"void", "cut_off"})


class ComparisonSource(StrEnum):
    """How a comparison came about."""

    CLI = "cli"
    NEW = "new"
    IMPORT = "import"
    EXAMPLE = "example"


class Comparison(Stored, table=tables.comparison):
    """A task version and two views, under the labels A and B; nothing here leads to a run."""

    id: str
    project_id: str
    task_version_id: str
    title: str
    prompt: str
    expectations: tuple[str, ...]
    view_a: str
    view_b: str
    input_view: str | None
    reference_view: str | None
    source: ComparisonSource
    created_by: str | None
    drawn: bool
    """Which output is A was drawn by chance; else whoever set it up said so."""
    created_at: AwareDatetime
    may_reveal: bool
    """A passage in one of the outputs tells outright which run it is."""

    @property
    def wording(self) -> TaskText:
        """The task as judges and reviewers get it, redacted where that was decided."""
        return TaskText(prompt=self.prompt, expectations=self.expectations)

    @property
    def view_ids(self) -> tuple[str, ...]:
        """All views it shows, those of the task's files included."""
        every = (self.view_a, self.view_b, self.input_view, self.reference_view)
        return tuple(view for view in every if view is not None)


class Views(Frozen):
    """What judges and reviewers get of a comparison: wording and title after redaction, and the ids of the views."""

    title: str
    wording: TaskText
    view_a: str
    view_b: str
    input_view: str | None = None
    reference_view: str | None = None
    may_reveal: bool = False


_comparison = tables.comparison.c
_COMPARISON = select_as(tables.comparison, Comparison)


def add(
    unit: Unit,
    *,
    project_id: str,
    task_version_id: str,
    views: Views,
    source: ComparisonSource,
    created_by: str | None,
    drawn: bool,
    audit_probability: float = 0,
    audited: bool = False,
    states: PerOutput[str] = VALID,
) -> Comparison:
    """Store a comparison with the states of its two runs; `keys.write` writes its key in the same transaction."""
    comparison_id = unit.new_id()
    unit.add(
        tables.comparison,
        id=comparison_id,
        project_id=project_id,
        task_version_id=task_version_id,
        source=source.value,
        created_by=created_by,
        drawn=drawn,
        audit_probability=audit_probability,
        audited=audited,
        **_columns(views),
    )
    unit.add(
        tables.fact,
        comparison_id=comparison_id,
        project_id=project_id,
        status=(Status.VOID if "void" in (states.A, states.B) else Status.TO_JUDGE).value,
        final_reviews=0,
        open_reviews=0,
        **{
            f"state_{label.value.lower()}": state if state in _MARKED else None
            for label, state in states.items()
        },
    )
    changed(unit.connection, projects=[project_id])
    return get(unit.connection, comparison_id)


def replace_views(connection: Connection, comparison_id: str, views: Views) -> None:
    """Show a comparison that nobody has begun to review in another way; judgments of the old views stay known."""
    changed(connection, comparisons=[comparison_id])
    update(connection, tables.comparison, _comparison.id == comparison_id, **_columns(views))


def mark_may_reveal(connection: Connection, comparison_id: str) -> None:
    """Note that one of the outputs tells who made it."""
    changed(connection, comparisons=[comparison_id])
    update(connection, tables.comparison, _comparison.id == comparison_id, may_reveal=True)


def _columns(views: Views) -> dict[str, Any]:
    return {
        "title": views.title,
        "prompt": views.wording.prompt,
        "expectations": list(views.wording.expectations),
        "view_a": views.view_a,
        "view_b": views.view_b,
        "input_view": views.input_view,
        "reference_view": views.reference_view,
        "may_reveal": views.may_reveal,
    }


get = Comparison.get


def by_id(connection: Connection, comparison_ids: Sequence[str]) -> dict[str, Comparison]:
    """Those of the comparisons that there are, by id."""
    query = _COMPARISON.where(_comparison.id.in_(comparison_ids))
    return {found.id: found for found in several(connection, query, Comparison)}


def of_view(connection: Connection, view_id: str) -> tuple[Comparison, ...]:
    """The comparisons that show a view, to tell who may see its files."""
    comparison = tables.comparison.c
    query = _COMPARISON.where(
        or_(
            *(
                column == view_id
                for column in (
                    comparison.view_a,
                    comparison.view_b,
                    comparison.input_view,
                    comparison.reference_view,
                )
            )
        )
    )
    return several(connection, query, Comparison)


class Use(Frozen):
    """One place in which an output is shown."""

    project_id: str
    as_reference: bool


def uses(connection: Connection, id: str) -> frozenset[Use]:
    """Where this output, or the output that this file belongs to, is shown; nothing for an unknown id."""
    view_file, comparison = tables.view_file.c, tables.comparison.c
    view_id = connection.execute(select(view_file.view_id).where(view_file.id == id)).scalar() or id
    # Two look-ups by index; an "or" over both columns would read the whole table.
    sides = union(
        select(comparison.project_id).where(comparison.view_a == view_id),
        select(comparison.project_id).where(comparison.view_b == view_id),
    )
    found = {
        Use(project_id=project_id, as_reference=False) for project_id in connection.execute(sides).scalars()
    }
    if found:
        return frozenset(found)
    of_task_files = (
        select(comparison.project_id, (comparison.reference_view == view_id).label("as_reference"))
        .where(or_(comparison.input_view == view_id, comparison.reference_view == view_id))
        .distinct()
    )
    return frozenset(
        Use(project_id=row.project_id, as_reference=bool(row.as_reference))
        for row in connection.execute(of_task_files)
    )
