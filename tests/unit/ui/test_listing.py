"""What the browser sends from a list is taken only if it names a row that is shown and something that row offers."""

from datetime import UTC, datetime

import pytest

from comparator.ui.components.listing import Action, ListRow, RowAction, chosen_in

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
