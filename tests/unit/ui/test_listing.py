"""What the browser sends from a list is taken only if it names a row that is shown and something that row offers."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from comparator.ui.components.listing import Action, ListRow, RowAction, chosen_in
from tests.unit.ui.store_rule import violations

ROW = ListRow(
    id="one",
    href="review?c=one",
    title="Harvest",
    time=datetime(2026, 3, 1, tzinfo=UTC),
    actions=(Action(name="result", label="Result"),),
)


def test_what_a_row_offers_is_taken() -> None:
    assert chosen_in({"id": "one", "action": "result"}, [ROW]) == RowAction(action="result", id="one")


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "result",
        {},
        {"id": "two", "action": "result"},
        {"id": "one", "action": "provenance"},
        {"id": ["one"], "action": "result"},
        {"id": "one", "action": ["result"]},
    ],
)
def test_anything_else_is_not(sent: object) -> None:
    assert chosen_in(sent, [ROW]) is None


def test_pages_take_only_types_from_the_store(repository: Path) -> None:
    modules = [
        *repository.glob("comparator/ui/**/*.py"),
        *repository.glob("pages/*.py"),
        *repository.glob("app.py"),
    ]
    assert len(modules) > 50

    found = [
        line
        for path in modules
        for line in violations(path.read_text(encoding="utf-8"), name=str(path.relative_to(repository)))
    ]

    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    "planted",
    [
        "import comparator.store.pairs.tasks",
        "from comparator import store",
        "from comparator.store import tables",
        "from comparator.store.pairs import tasks",
        "from comparator.store.core.sql import new_id",
        "def later():\n    from comparator.store.facts.fact import counted as Counted",
        "with services.database.read() as connection:\n    pass",
        "with guard(), services.write(at=now) as unit:\n    pass",
        "file = services.blobs.open(sha256)",
    ],
)
def test_what_reaches_into_the_store_is_found(planted: str) -> None:
    assert len(violations(planted, name="planted.py")) == 1


@pytest.mark.parametrize(
    "allowed",
    [
        "from comparator.store.bulk.batches import LEASED, Batch, BatchState",
        "from comparator.store.core.database import Database",
        "from comparator.reporting.history.listing import history",
        "with st.spinner('Reading'):\n    pass",
        "data = upload.read()",
    ],
)
def test_what_pages_need_is_allowed(allowed: str) -> None:
    assert violations(allowed, name="allowed.py") == []
