"""Pages ask reporting, workflow and jobs for what is stored, by the rule in store_rule.py, and the rule bites."""

from pathlib import Path

import pytest

from tests.unit.ui.store_rule import violations


def test_pages_take_only_types_from_the_store(repository: Path) -> None:
    modules = [
        *repository.glob("comparator/ui/**/*.py"),
        *repository.glob("pages/*.py"),
        *repository.glob("app.py"),
    ]
    assert len(modules) > 100

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
