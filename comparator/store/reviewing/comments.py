"""Comments on a file, a passage or a whole comparison, and replies to them; only ever added."""

from __future__ import annotations

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_new, maybe, several


class Comment(Frozen):
    """What a person wrote; `selection` is the passage of the file that it is about, empty for the whole file."""

    id: str
    comparison_id: str
    person_id: str
    file_id: str | None = None
    selection: str = ""
    start: int | None = None
    end: int | None = None
    text: str
    replies_to: str | None = None
    at: AwareDatetime


class SignedComment(Comment):
    """A comment with its author's name."""

    author: str


_comment = tables.comment.c
_COMMENT = tuple(_comment[name] for name in Comment.model_fields)


def add(connection: sa.Connection, comment: Comment) -> bool:
    """Keep a comment; whether it is new. Its id is made by the sender, so that sending twice stores once."""
    return insert_new(connection, tables.comment, comment.model_dump())


def find(connection: sa.Connection, comment_id: str) -> Comment | None:
    """The comment under this id; None where there is none."""
    return maybe(connection, sa.select(*_COMMENT).where(_comment.id == comment_id), Comment)


def of_comparison(connection: sa.Connection, comparison_id: str) -> tuple[SignedComment, ...]:
    """All comments with their authors, oldest first."""
    person = tables.person.c
    query = (
        sa.select(*_COMMENT, person.name.label("author"))
        .join_from(tables.comment, tables.person, person.id == _comment.person_id)
        .where(_comment.comparison_id == comparison_id)
    )
    return several(connection, query.order_by(_comment.at, _comment.id), SignedComment)
