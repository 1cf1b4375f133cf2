"""Stated reasons, what is asked of a model about them, the themes it assigned, and for which output each speaks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from pydantic import AwareDatetime, Field
from sqlalchemy import ColumnElement, bindparam, exists, false, func, or_, select

from comparator.domain.labels import Frozen
from comparator.domain.themes import Assigned, Finding, StatedReason, Theme
from comparator.store import tables
from comparator.store.core import sql
from comparator.store.core.sql import (
    Connection,
    Stored,
    Unit,
    among,
    insert_many,
    insert_new,
    scalars,
    select_as,
    several,
)

_inquiry, _theme_mark = tables.inquiry.c, tables.theme_mark.c


class InquiryKind(StrEnum):
    """What is asked."""

    COLLECT = "collect"
    """Nothing of a model: which findings there are."""
    DRAFT = "draft"
    ASSIGN = "assign"


class InquiryState(StrEnum):
    """How far it is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class InquiryRequest(Frozen, extra="ignore"):
    """What a model is asked with; a stored one may say more."""

    prompts: dict[str, str] = Field(default_factory=dict)
    """Each prompt's text by its name."""
    themes: tuple[Theme, ...] = ()
    findings: tuple[str, ...] = ()
    """The ids of the findings that a draft is written from."""


class NewInquiry(Frozen):
    """What is asked, of which model, and by whom."""

    project_id: str
    kind: InquiryKind
    model: str = ""
    request: InquiryRequest = InquiryRequest()
    created_by: str | None


class Inquiry(NewInquiry, Stored, table=tables.inquiry):
    """One inquiry."""

    id: str
    state: InquiryState
    result: Any
    problem: str | None
    created_at: AwareDatetime
    finished_at: AwareDatetime | None


def begin(unit: Unit, new: NewInquiry, *, findings: Sequence[str] = ()) -> Inquiry:
    """A new inquiry over these findings (their ids), running."""
    inquiry_id = unit.new_id()
    given = new.model_dump(mode="json") | {"model": new.model[:200]}
    unit.add(tables.inquiry, id=inquiry_id, state=InquiryState.RUNNING, **given)
    rows = [{"inquiry_id": inquiry_id, "finding_id": id, "themes": None} for id in findings]
    insert_many(unit, tables.theme_mark, rows)
    return get(unit, inquiry_id)


get = Inquiry.get


def of_project(connection: Connection, project_id: str, kind: InquiryKind) -> tuple[Inquiry, ...]:
    """All of this kind, the newest first."""
    these = (_inquiry.project_id == project_id, _inquiry.kind == kind)
    return Inquiry.all(connection, *these, by=[_inquiry.created_at.desc(), _inquiry.id.desc()])


def end(
    unit: Unit, inquiry_id: str, *, state: InquiryState, result: Any = None, problem: str | None = None
) -> None:
    """Say what came of it."""
    came = {"state": state, "result": result, "problem": problem, "finished_at": unit.at}
    unit.update(tables.inquiry, _inquiry.id == inquiry_id, **came)


def assign(connection: Connection, inquiry_id: str, themes: Mapping[str, Iterable[Assigned]]) -> None:
    """Keep the themes of these findings (by id); an empty list is "none of these"."""
    rows = [{"of": finding_id, "found": tuple(assigned)} for finding_id, assigned in sorted(themes.items())]
    if rows:
        this = (_theme_mark.inquiry_id == inquiry_id, _theme_mark.finding_id == bindparam("of"))
        found = bindparam("found", type_=_theme_mark.themes.type)
        connection.execute(tables.theme_mark.update().where(*this).values(themes=found), rows)


def number(connection: Connection, inquiry_id: str, *, waiting: bool = False) -> int:
    """How many findings it has, or how many of them are waiting."""
    return sql.number(connection, tables.theme_mark, *_marked(inquiry_id, waiting=waiting))


def _marked(inquiry_id: str, *, waiting: bool) -> tuple[ColumnElement[bool], ...]:
    left = (_theme_mark.themes.is_(None),) if waiting else ()
    return (_theme_mark.inquiry_id == inquiry_id, *left)


def assignment(connection: Connection, project_id: str) -> Inquiry | None:
    """The assignment that counts: the newest that is done, else the newest under way; None for none."""
    every = of_project(connection, project_id, InquiryKind.ASSIGN)
    return next((each for each in every if each.state is InquiryState.DONE), every[0] if every else None)


def unfinished(connection: Connection, project_id: str) -> Inquiry | None:
    """The newest assignment where it is not done; None where it is."""
    every = of_project(connection, project_id, InquiryKind.ASSIGN)
    return every[0] if every and every[0].state is not InquiryState.DONE else None


_finding = tables.finding.c
_FINDING = select_as(tables.finding, Finding)


def pairs_with_findings(connection: Connection, project_id: str) -> tuple[str, ...]:
    """The pairs of valid runs in which a model or a reviewer may have stated a reason."""
    fact = tables.fact.c
    query = select(fact.comparison_id).where(
        fact.project_id == project_id,
        or_(fact.judge_winner.is_not(None), fact.final_reviews > 0),
        fact.state_a.is_(None),
        fact.state_b.is_(None),
        func.coalesce(fact.superseded, false()) == false(),
    )
    return scalars(connection, query.order_by(fact.comparison_id))


def keep_findings(unit: Unit, found: Sequence[StatedReason], *, project_id: str) -> tuple[str, ...]:
    """Store those that are new; the ids of all of them."""
    wanted = {(each.comparison_id, each.digest): each for each in found}
    of = {"project_id": project_id}
    rows = [
        {**of, **each.model_dump(mode="json"), "id": unit.new_id(), "digest": each.digest}
        for each in wanted.values()
    ]
    insert_new(unit, tables.finding, rows)
    query = select(_finding.id, _finding.comparison_id, _finding.digest).where(
        _finding.comparison_id.in_(among(unit, sorted({id for id, _ in wanted})))
    )
    return tuple(row.id for row in unit.execute(query) if (row.comparison_id, row.digest) in wanted)


def findings_of(connection: Connection, inquiry_id: str, *, waiting: bool = False) -> tuple[Finding, ...]:
    """The findings of an inquiry, only those `waiting` for themes if asked, in an order that depends on them alone."""
    of = exists().where(_theme_mark.finding_id == _finding.id, *_marked(inquiry_id, waiting=waiting))
    return tuple(sorted(several(connection, _FINDING.where(of), Finding), key=_in_words))


def findings_by_id(connection: Connection, ids: Collection[str]) -> dict[str, Finding]:
    """These findings."""
    query = _FINDING.where(_finding.id.in_(among(connection, ids)))
    return {each.id: each for each in several(connection, query, Finding)}


def _in_words(each: Finding) -> tuple[str, ...]:
    return (each.comparison_id, each.label, each.source, each.speaker, each.place, each.words)
