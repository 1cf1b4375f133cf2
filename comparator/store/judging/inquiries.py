"""Stated reasons, what is asked of a model about them, the themes it assigned, and for which output each speaks."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from pydantic import AwareDatetime, Field
from sqlalchemy import ColumnElement, bindparam, exists

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
    maybe,
    select_as,
    several,
)

_inquiry, _theme_mark = tables.inquiry.c, tables.theme_mark.c


class InquiryKind(StrEnum):
    """What is asked."""

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


class Inquiry(Stored, table=tables.inquiry):
    """What is asked, of which model, by whom, and what came of it."""

    id: str
    project_id: str
    kind: InquiryKind
    model: str
    request: InquiryRequest
    created_by: str | None
    state: InquiryState
    result: Any
    problem: str | None
    created_at: AwareDatetime
    finished_at: AwareDatetime | None


def begin(
    unit: Unit,
    project_id: str,
    kind: InquiryKind,
    request: InquiryRequest,
    *,
    findings: Sequence[str],
    model: str = "",
) -> Inquiry:
    """A new inquiry over these findings (their ids), running."""
    inquiry_id = unit.new_id()
    unit.add(
        tables.inquiry,
        id=inquiry_id,
        project_id=project_id,
        kind=kind,
        state=InquiryState.RUNNING,
        model=model[:200],
        request=request,
        created_by=unit.who,
    )
    rows = [{"inquiry_id": inquiry_id, "finding_id": id, "themes": None} for id in findings]
    insert_many(unit, tables.theme_mark, rows)
    return get(unit, inquiry_id)


get = Inquiry.get


def newest(
    connection: Connection, project_id: str, kind: InquiryKind, *states: InquiryState
) -> Inquiry | None:
    """The newest of this kind, in one of these states if there are any; None where there is none."""
    these = (
        _inquiry.project_id == project_id,
        _inquiry.kind == kind,
        _inquiry.state.in_(states or InquiryState),
    )
    query = Inquiry.select(*these).order_by(_inquiry.created_at.desc(), _inquiry.id.desc())
    return maybe(connection, query.limit(1), Inquiry)


def end(
    unit: Unit, inquiry_id: str, *, state: InquiryState, result: Any = None, problem: str | None = None
) -> Inquiry:
    """Say what came of it."""
    unit.update(
        tables.inquiry,
        _inquiry.id == inquiry_id,
        state=state,
        result=result,
        problem=problem,
        finished_at=unit.at,
    )
    return get(unit, inquiry_id)


def assign(connection: Connection, themes: Mapping[str, Iterable[Assigned]], *, inquiry_id: str) -> None:
    """Keep the themes of these findings (by id); an empty list is "none of these"."""
    rows = [{"of": finding_id, "found": tuple(assigned)} for finding_id, assigned in sorted(themes.items())]
    if rows:
        this = (_theme_mark.inquiry_id == inquiry_id, _theme_mark.finding_id == bindparam("of"))
        marks = bindparam("found", type_=_theme_mark.themes.type)
        connection.execute(tables.theme_mark.update().where(*this).values(themes=marks), rows)


def number(connection: Connection, inquiry_id: str, *, waiting: bool = False) -> int:
    """How many findings it has, or how many of them are waiting."""
    return sql.number(connection, tables.theme_mark, *_marked(inquiry_id, waiting=waiting))


def _marked(inquiry_id: str, *, waiting: bool) -> tuple[ColumnElement[bool], ...]:
    left = (_theme_mark.themes.is_(None),) if waiting else ()
    return (_theme_mark.inquiry_id == inquiry_id, *left)


def assignment(connection: Connection, project_id: str) -> Inquiry | None:
    """The assignment that counts: the newest that is done, else the newest under way; None for none."""
    kind = InquiryKind.ASSIGN
    return newest(connection, project_id, kind, InquiryState.DONE) or newest(connection, project_id, kind)


_finding = tables.finding.c
_FINDING = select_as(tables.finding, Finding)


def keep_findings(unit: Unit, stated: Iterable[StatedReason], *, project_id: str) -> tuple[Finding, ...]:
    """Store those that are new; all of them, in an order that depends on them alone."""
    wanted = {(reason.comparison_id, reason.digest): reason for reason in stated}
    of = {"project_id": project_id}
    rows = [
        {**of, **reason.model_dump(mode="json"), "id": unit.new_id(), "digest": reason.digest}
        for reason in wanted.values()
    ]
    insert_new(unit, tables.finding, rows)
    query = _FINDING.where(_finding.comparison_id.in_(among(unit, sorted({id for id, _ in wanted}))))
    kept = [one for one in several(unit, query, Finding) if (one.comparison_id, one.digest) in wanted]
    return tuple(sorted(kept, key=_in_words))


def findings_of(connection: Connection, inquiry_id: str, *, waiting: bool = False) -> tuple[Finding, ...]:
    """The findings of an inquiry, only those `waiting` for themes if asked, in an order that depends on them alone."""
    of = exists().where(_theme_mark.finding_id == _finding.id, *_marked(inquiry_id, waiting=waiting))
    return tuple(sorted(several(connection, _FINDING.where(of), Finding), key=_in_words))


def findings_by_id(connection: Connection, ids: Collection[str]) -> dict[str, Finding]:
    """These findings."""
    query = _FINDING.where(_finding.id.in_(among(connection, ids)))
    return {finding.id: finding for finding in several(connection, query, Finding)}


def _in_words(finding: Finding) -> tuple[str, ...]:
    return (
        finding.comparison_id,
        finding.label,
        finding.source,
        finding.speaker,
        finding.place,
        finding.words,
    )
