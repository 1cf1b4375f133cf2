"""In Firefox, which draws a tab in one process, the sheet goes on and a page that would freeze it is never drawn."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from comparator.store.reviewing import reviews
from comparator.workflow.services import Services
from tests.attack.marionette import Firefox
from tests.browser.hostile.test_stalled_pane import SAVED, THERE, app, comparison_id, services
from tests.browser.servers.real_app import App

__all__ = ["app", "comparison_id", "services"]

pytestmark = [pytest.mark.soak, pytest.mark.timeout(600)]
SHOWN = """
const roots = (root) => [...root.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean);
const all = (root) => [...root.querySelectorAll("iframe.front"), ...roots(root).flatMap(all)];
return all(document).map((frame) => frame.dataset.mode);
"""


@pytest.fixture
def fox(tmp_path: Path) -> Iterator[Firefox]:
    with Firefox(tmp_path) as fox:
        yield fox


def there(fox: Firefox, selector: str) -> list[float] | None:
    """The middle of the first element, in shadow trees too."""
    box: list[float] | None = fox.runs(f"return ({THERE})({selector!r})")
    return box


def score(fox: Firefox, side: str, step: int) -> None:
    """Press a score, and wait until the server has it."""
    steps = f".scores td.you.{side} [role=radio]:nth-of-type({step})"
    # Where no model judged, the scores are a second step.
    fox.waits(f"return ({THERE})('[data-toggle=scores]')")
    if folded := there(fox, "[data-toggle=scores][aria-expanded=false]"):
        fox.clicks(*folded)
    fox.waits(f"return ({THERE})({steps!r})")
    place = there(fox, steps)
    assert place is not None
    fox.clicks(*place)
    fox.waits(f"return ({THERE})({steps + '[aria-checked=true]'!r})")
    fox.waits(f"return ({THERE})({SAVED!r})")


def test_scores_are_saved_and_pictures_of_both_pages_come_first_in_firefox(
    fox: Firefox, app: App, services: Services, comparison_id: str
) -> None:
    fox.opens(f"{app.url}/review?c={comparison_id}")
    score(fox, "A", 1)
    score(fox, "B", 3)

    longest, deadline = 0.0, time.monotonic() + 180
    while fox.runs(SHOWN) != ["picture", "picture"]:
        assert time.monotonic() < deadline, fox.runs(SHOWN)
        start = time.monotonic()
        fox.runs("return 1")
        longest = max(longest, time.monotonic() - start)
        time.sleep(0.2)
    score(fox, "A", 2)

    # The tab never waited for what lies in its panes.
    assert longest < 2
    with services.database.read() as connection:
        (review,) = reviews.of_comparison(connection, comparison_id)
        assert len(reviews.changes(connection, review.id)) == 3
