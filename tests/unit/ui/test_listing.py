"""What the browser sends from a list is taken only if it names a row that is shown and something that row offers."""

import re
from datetime import UTC, datetime
from pathlib import Path

from comparator.ui.components.listing import Action, ListRow, RowAction, chosen_in

ROW = ListRow(
    id="one",
    href="review?c=one",
    title="Harvest",
    time=datetime(2026, 3, 1, tzinfo=UTC),
    actions=(Action(name="result", label="Result"),),
)


def test_what_a_row_offers_is_taken_and_anything_else_is_not() -> None:
    for sent in (
        *(None, "result", {}, {"id": "two", "action": "result"}, {"id": "one", "action": "provenance"}),
        *({"id": ["one"], "action": "result"}, {"id": "one", "action": ["result"]}),
    ):
        assert chosen_in({"id": "one", "action": "result"}, [ROW]) == RowAction(action="result", id="one")
        assert chosen_in(sent, [ROW]) is None


WHOLE = re.compile(r"^\s*(?:import comparator\.store|from comparator import [^\n]*\bstore\b)", re.MULTILINE)
NAMES = re.compile(r"^\s*from comparator\.store[\w.]* import (\([^)]*\)|[^\n]*)", re.MULTILINE)
OPENS = re.compile(r"\bservices\.write\(|\bdatabase\.(?:read|write)\(|\.blobs\.open\b")


def violations(source: str) -> list[str]:
    """Where a page imports more of the store than types, enums and constants by name, or opens something of it."""
    names = [name.split()[0] for block in NAMES.findall(source) for name in block.strip("(), \n").split(",")]
    functions = [name for name in names if not name[0].isupper()]
    return [*WHOLE.findall(source), *OPENS.findall(source), *functions]


def test_pages_take_only_types_from_the_store(repository: Path) -> None:
    modules = [
        *repository.glob("comparator/ui/**/*.py"),
        *repository.glob("pages/*.py"),
        repository / "app.py",
    ]
    assert len(modules) > 50

    assert {path.name: lines for path in modules if (lines := violations(path.read_text("utf-8")))} == {}
