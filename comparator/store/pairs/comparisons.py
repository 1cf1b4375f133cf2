"""Comparisons, without their key."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from pydantic import AwareDatetime

from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, changed
from comparator.store.facts.fact import VALID, Status
from comparator.store.pairs.outputs import showing


class ComparisonSource(StrEnum):
    """How a comparison came about."""

    CLI = "cli"
    NEW = "new"
    IMPORT = "import"
    EXAMPLE = "example"


class Views(Frozen):
    """What judges and reviewers get of a comparison: wording and title after redaction, and the ids of the views."""

    title: str
    prompt: str
    expectations: tuple[str, ...]
    view_a: str
    view_b: str
    input_view: str | None = None
    reference_view: str | None = None
    may_reveal: bool = False
    """A passage in one of the outputs tells outright which run it is."""

    @property
    def wording(self) -> TaskText:
        """The task as judges and reviewers get it, redacted where that was decided."""
        return TaskText(prompt=self.prompt, expectations=self.expectations)

    @property
    def views(self) -> PerOutput[str]:
        """The ids of the views of both outputs."""
        return PerOutput(A=self.view_a, B=self.view_b)

    @property
    def view_ids(self) -> tuple[str, ...]:
        """All views it shows, those of the task's files included."""
        every = (self.view_a, self.view_b, self.input_view, self.reference_view)
        return tuple(view for view in every if view is not None)


class Comparison(Views, Stored, table=tables.comparison):
    """A task version and two views, under the labels A and B; nothing here leads to a run."""

    id: str
    project_id: str
    task_version_id: str
    source: ComparisonSource
    created_by: str | None
    drawn: bool
    """Which output is A was drawn by chance; else whoever set it up said so."""
    created_at: AwareDatetime


_comparison = tables.comparison.c


def add(
    unit: Unit, *, project_id: str, views: Views, states: PerOutput[str] = VALID, **columns: Any
) -> Comparison:
    """Store a comparison with the states of its two runs; `keys.write` writes its key in the same transaction."""
    comparison_id, of = unit.new_id(), {"project_id": project_id}
    unit.add(tables.comparison, id=comparison_id, **of, **dict(views), **columns)
    a, b = (state if state in ("void", "cut_off") else None for state in (states.A, states.B))
    unit.add(
        tables.fact,
        comparison_id=comparison_id,
        **of,
        status=Status.VOID if "void" in (a, b) else Status.TO_JUDGE,
        final_reviews=0,
        open_reviews=0,
        state_a=a,
        state_b=b,
    )
    changed(unit, projects=[project_id])
    return get(unit, comparison_id)


def change(unit: Unit, comparison_id: str, **columns: Any) -> None:
    """Show a comparison that nobody has begun to review in another way, or note that an output tells who made it.

    Judgments of views of before stay known.
    """
    changed(unit, comparisons=[comparison_id])
    unit.update(tables.comparison, _comparison.id == comparison_id, **columns)


get = Comparison.get


def by_id(connection: Connection, comparison_ids: Sequence[str]) -> dict[str, Comparison]:
    """Those of the comparisons that there are, by id."""
    return {
        comparison.id: comparison
        for comparison in Comparison.all(connection, _comparison.id.in_(comparison_ids))
    }


def of_view(connection: Connection, view_id: str) -> tuple[Comparison, ...]:
    """The comparisons that show a view, to tell who may see its files."""
    return Comparison.all(connection, _comparison.id.in_(showing(view_id)))
