"""A project's guidance: its versions, the splits that they were learnt from, their proofs, and which one holds."""

from __future__ import annotations

import hashlib
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.guidance import Guidance, Sentence, Split, text_of
from comparator.domain.labels import Frozen
from comparator.stats.figures import TooFew
from comparator.stats.raters.proof import ProofFigures
from comparator.store import tables
from comparator.store.core.sql import insert_one, lock, maybe, one, several
from comparator.store.core.unit import Unit
from comparator.store.tables.base import MONEY_PLACES

_guidance_split, _guidance, _guidance_proof, _guidance_adoption = (
    tables.guidance_split.c,
    tables.guidance.c,
    tables.guidance_proof.c,
    tables.guidance_adoption.c,
)


class StoredSplit(Frozen):
    """A split as it was frozen; `digest` is that of its content."""

    id: str
    project_id: str
    number: int
    digest: str
    content: Split
    created_at: AwareDatetime
    created_by: str | None


class Version(Frozen):
    """One version of a project's guidance; it is never altered."""

    id: str
    project_id: str
    split_id: str
    number: int
    sentences: tuple[Sentence, ...]
    digest: str
    author_kind: Literal["model", "person"]
    author: str
    cost: Decimal | None
    created_at: AwareDatetime
    created_by: str | None

    @property
    def guidance(self) -> Guidance:
        """What a judge gets of it."""
        return Guidance(number=self.number, text=text_of(self.sentences))


class WrittenBy(Frozen):
    """Who wrote a version, a person or a model by its name, and what that cost in US dollars; None where unknown."""

    kind: Literal["model", "person"]
    name: str
    cost: Decimal | None = None


class Arm(Frozen):
    """One of the two judges of a proof, by its identity."""

    kind: str
    model: str
    digest: str


class Arms(Frozen):
    """The judge without the guidance, and with it."""

    before: Arm
    after: Arm


class ProofResult(Frozen):
    """What came of a proof, and what it cost in US dollars; None where a price is not known."""

    figures: ProofFigures | TooFew
    flipped_before: int
    """Pairs whose two orders named different winners; `flipped_after` with the guidance."""
    flipped_after: int
    cost: Decimal | None

    @property
    def passes(self) -> bool:
        """Whether the guidance may be adopted."""
        return isinstance(self.figures, ProofFigures) and self.figures.passes


class Proof(Frozen):
    """A test of a version on the held-out half; `result` once both batches have ended."""

    id: str
    project_id: str
    guidance_id: str
    baseline: int | None
    judges: Arms
    before_batch: str | None
    after_batch: str | None
    result: ProofResult | None
    created_at: AwareDatetime
    created_by: str | None


class Adoption(Frozen):
    """From then on this version holds, or (None) none."""

    number: int
    guidance_id: str | None
    at: AwareDatetime
    person_id: str | None


def add_split(unit: Unit, project_id: str, split: Split, *, person_id: str | None) -> StoredSplit:
    """Freeze a split as the project's next one."""
    lock(unit.connection, tables.project, project_id, what="such project")
    id = unit.new_id()
    insert_one(
        unit.connection,
        tables.guidance_split,
        id=id,
        project_id=project_id,
        number=_next(unit.connection, tables.guidance_split, project_id),
        digest=split.digest,
        content=split,
        created_at=unit.at,
        created_by=person_id,
    )
    return get_split(unit.connection, id)


def get_split(connection: sa.Connection, split_id: str) -> StoredSplit:
    """The split. Raises NotFound."""
    query = sa.select(tables.guidance_split).where(_guidance_split.id == split_id)
    return one(connection, query, StoredSplit, what="such split of corrections")


def newest_split(connection: sa.Connection, project_id: str) -> StoredSplit | None:
    """The project's newest split; None before anything was drafted."""
    query = sa.select(tables.guidance_split).where(_guidance_split.project_id == project_id)
    return maybe(connection, query.order_by(_guidance_split.number.desc()).limit(1), StoredSplit)


def add(
    unit: Unit,
    split: StoredSplit,
    sentences: tuple[Sentence, ...],
    *,
    by: WrittenBy,
    person_id: str | None,
) -> Version:
    """Store a draft as the project's next version; what it cost counts already."""
    lock(unit.connection, tables.project, split.project_id, what="such project")
    id = unit.new_id()
    insert_one(
        unit.connection,
        tables.guidance,
        id=id,
        project_id=split.project_id,
        split_id=split.id,
        number=_next(unit.connection, tables.guidance, split.project_id),
        sentences=sentences,
        digest=hashlib.sha256(text_of(sentences).encode("utf-8", "replace")).hexdigest(),
        author_kind=by.kind,
        author=by.name,
        cost=None if by.cost is None else by.cost.quantize(Decimal(1).scaleb(-MONEY_PLACES)),
        created_at=unit.at,
        created_by=person_id,
    )
    return get(unit.connection, id)


def get(connection: sa.Connection, guidance_id: str) -> Version:
    """The version. Raises NotFound."""
    query = sa.select(tables.guidance).where(_guidance.id == guidance_id)
    return one(connection, query, Version, what="such guidance")


def numbered(connection: sa.Connection, project_id: str, number: int) -> Version:
    """The project's version of this number. Raises NotFound."""
    query = sa.select(tables.guidance).where(_guidance.project_id == project_id, _guidance.number == number)
    return one(connection, query, Version, what=f"guidance version {number} in this project")


def versions(connection: sa.Connection, project_id: str) -> tuple[Version, ...]:
    """All versions of a project, the newest first."""
    query = sa.select(tables.guidance).where(_guidance.project_id == project_id)
    return several(connection, query.order_by(_guidance.number.desc()), Version)


def adopt(unit: Unit, project_id: str, guidance_id: str | None, *, person_id: str | None) -> None:
    """Put a version in force from now on, or (None) none."""
    lock(unit.connection, tables.project, project_id, what="such project")
    insert_one(
        unit.connection,
        tables.guidance_adoption,
        id=unit.new_id(),
        project_id=project_id,
        number=_next(unit.connection, tables.guidance_adoption, project_id),
        guidance_id=guidance_id,
        at=unit.at,
        person_id=person_id,
    )


def adoptions(connection: sa.Connection, project_id: str) -> tuple[Adoption, ...]:
    """What was adopted in turn, the newest first."""
    query = sa.select(
        _guidance_adoption.number,
        _guidance_adoption.guidance_id,
        _guidance_adoption.at,
        _guidance_adoption.person_id,
    ).where(_guidance_adoption.project_id == project_id)
    return several(connection, query.order_by(_guidance_adoption.number.desc()), Adoption)


def adopted(connection: sa.Connection, project_id: str) -> Version | None:
    """The version that holds now; None where there is none."""
    query = (
        sa.select(_guidance_adoption.guidance_id)
        .where(_guidance_adoption.project_id == project_id)
        .order_by(_guidance_adoption.number.desc())
        .limit(1)
    )
    found = connection.execute(query).scalar()
    return None if found is None else get(connection, found)


def add_proof(
    unit: Unit,
    version: Version,
    judges: Arms,
    *,
    baseline: int | None,
    batches: tuple[str | None, str | None],
    person_id: str | None,
) -> Proof:
    """Store a test that is under way, with the batches that read the held-out pairs without and with the guidance."""
    id = unit.new_id()
    insert_one(
        unit.connection,
        tables.guidance_proof,
        id=id,
        project_id=version.project_id,
        guidance_id=version.id,
        baseline=baseline,
        judges=judges,
        before_batch=batches[0],
        after_batch=batches[1],
        created_at=unit.at,
        created_by=person_id,
    )
    return get_proof(unit.connection, id)


def get_proof(connection: sa.Connection, proof_id: str) -> Proof:
    """The proof. Raises NotFound."""
    return one(
        connection,
        sa.select(tables.guidance_proof).where(_guidance_proof.id == proof_id),
        Proof,
        what="such proof",
    )


def proofs(connection: sa.Connection, project_id: str) -> tuple[Proof, ...]:
    """All proofs of a project's versions, the newest first."""
    query = sa.select(tables.guidance_proof).where(_guidance_proof.project_id == project_id)
    return several(connection, query.order_by(_guidance_proof.created_at.desc(), _guidance_proof.id), Proof)


def tested(connection: sa.Connection, split_id: str, *, until: datetime) -> int:
    """How many different drafts had been put to the test on a split's held-out pairs by then."""
    query = (
        sa.select(sa.func.count(sa.distinct(_guidance.digest)))
        .join_from(tables.guidance_proof, tables.guidance, _guidance.id == _guidance_proof.guidance_id)
        .where(_guidance.split_id == split_id, _guidance_proof.created_at <= until)
    )
    return int(connection.execute(query).scalar_one())


def close_proof(connection: sa.Connection, proof_id: str, result: ProofResult) -> None:
    """Keep what came of a proof; the first result stays."""
    connection.execute(
        tables.guidance_proof.update()
        .where(_guidance_proof.id == proof_id, _guidance_proof.result.is_(None))
        .values(result=result)
    )


def _next(connection: sa.Connection, table: sa.Table, project_id: str) -> int:
    query: sa.Select[Any] = sa.select(sa.func.coalesce(sa.func.max(table.c.number), 0))
    return int(connection.execute(query.where(table.c.project_id == project_id)).scalar_one()) + 1
