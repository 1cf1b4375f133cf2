"""Records the SQL that an engine executes, so that a test can show which tables a path never touches."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa


class SqlRecord:
    """The statements executed while recording."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    @property
    def text(self) -> str:
        """All statements, one after the other."""
        return "\n".join(self.statements)

    def mentions(self, *names: str) -> set[str]:
        """Those of the names that occur as a word in any statement."""
        return {name for name in names if re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", self.text)}


@contextmanager
def recorded(engine: sa.Engine) -> Iterator[SqlRecord]:
    """Record every statement on this engine, from any thread."""
    record = SqlRecord()

    def note(
        _connection: Any, _cursor: Any, statement: str, _parameters: Any, _context: Any, _many: bool
    ) -> None:
        record.statements.append(statement)

    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield record
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)
