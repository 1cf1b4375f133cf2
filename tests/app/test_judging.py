"""What the pages offer for a pair that no judge reads: never begun, left behind, or failed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from comparator.domain.judgment import JudgeState
from comparator.store.bulk import progress
from comparator.ui.frame import session
from comparator.ui.review.acts import carry_out
from comparator.web.saving.events import Command, CommandName, SheetEvents
from comparator.workflow.judging.leases import INTERRUPTED, STALE_AFTER, finish
from comparator.workflow.services import Services
from tests.app.conftest import figures, listed, open_page, said, unjudged, wait_until


@pytest.fixture
def waiting(services: Services, pair: tuple[Path, Path]) -> str:
    """A comparison that nobody has begun to judge."""
    return unjudged(services, pair)


def left_behind(services: Services, comparison_id: str, *, queued: bool, old: timedelta) -> str:
    """A judge of another process is at it, with its last sign of life this long ago; its worker id."""
    with services.database.write() as connection:
        assert progress.begin(
            connection,
            comparison_id,
            worker="elsewhere:1:x",
            judge=services.judge("offline").identity,
            stale_after=STALE_AFTER,
            at=services.now() - old,
            queued=queued,
        )
    return "elsewhere:1:x"


def test_a_pair_that_was_never_begun_is_begun_from_the_page_that_follows_the_judge(
    app: AppTest, waiting: str
) -> None:
    open_page(app, "new", c=waiting)
    assert "The judge has not started." in said(app)

    app.button(key="judging_retry").click().run()

    wait_until(lambda: session.desk().progress(waiting).state is JudgeState.DONE)


def test_a_pair_in_the_queue_of_another_process_is_waited_for(
    app: AppTest, waiting: str, services: Services
) -> None:
    left_behind(services, waiting, queued=True, old=timedelta(0))

    open_page(app, "new", c=waiting)

    assert not [button for button in app.button if button.key == "judging_retry"]
    assert not app.error


def test_a_pair_whose_judge_died_can_be_tried_again(app: AppTest, waiting: str, services: Services) -> None:
    left_behind(services, waiting, queued=True, old=STALE_AFTER * 2)

    open_page(app, "new", c=waiting)
    assert "interrupted" in said(app)
    app.button(key="judging_retry").click().run()

    wait_until(lambda: session.desk().progress(waiting).state is JudgeState.DONE)


@pytest.mark.parametrize(("interrupted", "label"), [(False, "Judge"), (True, "Try again")])
def test_the_queue_offers_to_judge_what_no_judge_reads(
    app: AppTest, waiting: str, services: Services, interrupted: bool, label: str
) -> None:
    if interrupted:
        worker = left_behind(services, waiting, queued=False, old=timedelta(0))
        finish(services, waiting, worker=worker, problem=INTERRUPTED, interrupted=True)

    open_page(app, "queue")

    (row,) = listed(app)["rows"]
    assert [action["label"] for action in row["actions"]] == [label]


def test_the_queue_counts_a_queued_pair_as_being_judged_and_offers_nothing(
    app: AppTest, waiting: str, services: Services
) -> None:
    left_behind(services, waiting, queued=True, old=timedelta(0))

    open_page(app, "queue")

    assert figures(app)["To judge"] == "1"
    (row,) = listed(app)["rows"]
    assert (row["status"]["text"], row["actions"]) == ("judging", [])


def test_trying_again_on_the_review_page_asks_the_judge_that_was_asked_before(
    app: AppTest, waiting: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = left_behind(services, waiting, queued=False, old=timedelta(0))
    finish(services, waiting, worker=worker, problem="The network was down.")
    # The judge of the settings cannot even be reached.
    monkeypatch.setitem(services.settings.__dict__, "judge", "anthropic")

    reply = carry_out(waiting, SheetEvents(command=Command(id="once", name=CommandName.RETRY)))

    assert reply.note.startswith("Judging has started")
    wait_until(lambda: session.desk().progress(waiting).state is JudgeState.DONE)


def test_clearing_the_pages_caches_stops_no_judging(home: Path) -> None:
    desk, services = session.desk(), session.services()

    st.cache_resource.clear()
    st.cache_data.clear()

    assert session.desk() is desk
    assert session.services() is services
    assert desk._thread.is_alive()
