"""Sign-ins that go on in a browser, by the provider or an invitation; kept by a hash, so that no copy of the database
lets anybody in."""

from __future__ import annotations

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_one, maybe
from comparator.store.core.unit import Unit

_sign_in = tables.sign_in.c


class Session(Frozen):
    """One sign-in in one browser."""

    person_id: str
    invitation_id: str | None
    """The invitation that was exchanged for it; None for a provider's."""
    created_at: AwareDatetime
    expires_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    seen_at: AwareDatetime | None = None
    """When somebody was last at work in it."""


def find(connection: sa.Connection, token_hash: str) -> Session | None:
    """The session under this hash, also one that has ended; None where there never was one."""
    columns = [tables.sign_in.c[name] for name in Session.model_fields]
    return maybe(connection, sa.select(*columns).where(_sign_in.token_hash == token_hash), Session)


def begin(connection: sa.Connection, token_hash: str, session: Session) -> None:
    """Keep a new session; nothing happens where another request has done so already."""
    if find(connection, token_hash) is None:
        insert_one(connection, tables.sign_in, token_hash=token_hash, **session.model_dump())


def saw(unit: Unit, token_hash: str) -> None:
    """Note that somebody was at work in it."""
    unit.connection.execute(
        tables.sign_in.update()
        .where(_sign_in.token_hash == token_hash, _sign_in.ended_at.is_(None))
        .values(seen_at=unit.at)
    )


def end(unit: Unit, token_hash: str) -> None:
    """End the session."""
    unit.connection.execute(
        tables.sign_in.update()
        .where(_sign_in.token_hash == token_hash, _sign_in.ended_at.is_(None))
        .values(ended_at=unit.at)
    )
