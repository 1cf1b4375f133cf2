"""Batches: the queue offers what waits with its cost; the page Batches follows, pauses, resumes and cancels."""

import asyncio
import json
from decimal import Decimal

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from comparator.domain.labels import Order
from comparator.domain.usage import Usage
from comparator.jobs import manage_batches, start_batches
from comparator.jobs.worker import Worker
from comparator.store import tables
from comparator.store.bulk.batches import BatchRequest, BatchState
from comparator.ui.frame import session
from comparator.workflow.projects.reveal import reveal
from comparator.workflow.review.panel import Scope, take_next
from comparator.workflow.services import Services
from tests.app.conftest import finalised, open_page, said, written
from tests.app.conftest import listed as list_on_page
from tests.loopback.bulk import seed
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import answer


def offered(app: AppTest) -> Button:
    """The button that starts a batch."""
    (button,) = (each for each in app.button if (each.key or "").startswith("batches_start_"))
    return button


def listed(app: AppTest) -> str:
    """What the rows say."""
    return "\n".join((written(app), *(bar.proto.text for bar in app.get("progress"))))


def test_a_batch_is_started_paused_resumed_and_followed_to_its_end(app: AppTest, services: Services) -> None:
    made = seed(services, pairs=3, project="Harvest [reports](x)")
    open_page(app, "batches")
    assert "3 pairs, no cost" in said(app)
    assert offered(app).label == "Judge 3 pairs"
    open_page(app, "queue")
    assert "3 pairs, no cost" in said(app)

    offered(app).click().run()
    open_page(app, "batches")
    (report,) = manage_batches.reports(services)
    assert (report.counts.waiting, report.batch.state) == (3, BatchState.RUNNING)
    assert "0 of 3 checked for form" in listed(app)
    assert "No worker is running yet. The app starts one within seconds" in said(app)

    app.button(key=f"batch_pause_{report.batch.id}").click().run()
    assert manage_batches.report(services, report.batch.id).batch.state is BatchState.PAUSED
    resume = app.button(key=f"batch_resume_{report.batch.id}")
    assert resume.proto.type == "primary"
    resume.click().run()

    asyncio.run(Worker(services, idle_seconds=0.0).run())
    app.run()

    assert "3 of 3 checked for form" in listed(app)
    assert "No worker runs" not in said(app)
    # Results are hidden: what leads on is to review, then to reveal, and only then the dashboards.
    result = f"batch_result_{report.batch.id}"
    assert app.button(key=result).label == "Start reviewing"
    app.button(key=result).click().run()
    assert app.query_params["c"] in made.comparison_ids
    open_page(app, "batches")
    for id in made.comparison_ids:
        finalised(services, id)
    app.run()
    assert "3 reviewed" in listed(app)
    assert app.button(key=result).label == "Reveal"
    reveal(services.by(session.me().id), made.comparison_ids[0])
    app.run()
    assert app.button(key=result).label == "Open dashboards"
    app.button(key=result).click().run()
    assert [each.value for each in app.title] == ["Dashboards"]
    assert app.session_state["project"] == report.batch.project_id
    assert not app.exception


def test_a_batch_folds_out_its_own_pairs_and_why_some_failed(app: AppTest, services: Services) -> None:
    seed(services, pairs=1, project="Winter")
    made = seed(services, pairs=2, project="Autumn")
    request = BatchRequest(project_id=made.project_id, judge="offline")
    batch = start_batches.start(services, request)
    item = tables.batch_item.c
    with services.write() as unit:
        failed = (item.batch_id == batch.id, item.position == 1)
        unit.update(tables.batch_item, *failed, state="failed", problem="The server does not answer.")
        unit.update(tables.fact, tables.fact.c.comparison_id == made.comparison_ids[1], status="failed")

    open_page(app, "batches")
    assert "The server does not answer." not in listed(app)
    app.session_state[f"batch_pairs_{batch.id}"] = True
    app.run()

    assert "The server does not answer." in listed(app)
    # Who comes back from a pair finds it open.
    open_page(app, "queue")
    open_page(app, "batches")
    assert "The server does not answer." in listed(app)
    # The failed one first.
    assert [row["id"] for row in list_on_page(app)["rows"]] == list(reversed(made.comparison_ids))


def test_failed_pairs_are_offered_again_with_their_only_project(app: AppTest, services: Services) -> None:
    seed(services, pairs=2, project="Autumn")
    with services.write() as unit:
        unit.update(tables.fact, status="failed")

    open_page(app, "batches")

    (retry,) = app.get("popover")
    assert retry.proto.popover.label == "Retry 2 failed pairs of Autumn"


def test_judgments_that_came_with_the_pairs_are_a_row_without_cost(app: AppTest, history: History) -> None:
    pair = history.unjudged()
    for order in Order:
        history.world.attempt(pair, order, answer(5, 3), took=(Usage(), Decimal(0)))

    open_page(app, "batches", project=history.project)

    assert "claude-sonnet-5-5 · created" in listed(app)
    assert "1 pair, already judged" in listed(app)
    assert "no cost here" in listed(app)


def test_the_budget_of_a_paused_batch_is_raised_where_it_goes_on(app: AppTest, services: Services) -> None:
    made = seed(services, pairs=1)
    request = BatchRequest(project_id=made.project_id, judge="offline", budget=Decimal(1))
    batch = start_batches.start(services, request)
    manage_batches.move(services, batch.id, BatchState.PAUSED)
    open_page(app, "batches")

    app.number_input(key=f"batch_budget_{batch.id}").set_value(9.5)
    app.button(key=f"batch_resume_{batch.id}").click().run()

    report = manage_batches.report(services, batch.id)
    assert report.batch.state is BatchState.RUNNING
    assert report.budget is not None
    assert report.budget.ceiling == Decimal("9.5")
    assert not app.exception


def test_a_batch_may_read_some_of_the_pairs_and_the_next_one_the_others(
    app: AppTest, services: Services
) -> None:
    seed(services, pairs=3, project="Autumn")
    open_page(app, "queue")
    app.number_input(key="batches_sample_3").set_value(2).run()
    assert offered(app).label == "Judge 2 pairs"

    offered(app).click().run()

    (report,) = manage_batches.reports(services)
    assert report.counts.waiting == 2
    assert app.number_input(key="batches_sample_1").value is None
    assert offered(app).label == "Judge 1 pair"


def test_a_finished_check_of_form_keeps_its_row_beside_a_model_s_batch(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = seed(services, pairs=3, project="Autumn")
    start_batches.start(services, BatchRequest(project_id=made.project_id, judge="offline"))
    asyncio.run(Worker(services, idle_seconds=0.0).run())
    (check,) = manage_batches.reports(services)
    of_a_model = check.batch.judge.copy_with(kind="anthropic", model="some-model")
    batch = check.batch.copy_with(id="of-a-model", judge=of_a_model)
    monkeypatch.setattr(manage_batches, "reports", lambda *_, **__: [check, check.copy_with(batch=batch)])

    open_page(app, "batches")

    assert "3 of 3 judged" in listed(app)
    assert "3 of 3 checked for form" in listed(app)


def test_the_pairs_of_a_batch_follow_each_other(app: AppTest, services: Services) -> None:
    made = seed(services, pairs=3, project="Autumn")
    *others, last = made.comparison_ids
    _, batch = (
        start_batches.start(services, BatchRequest(project_id=made.project_id, comparisons=tuple(ids)))
        for ids in (others, (last,))
    )
    asyncio.run(Worker(services, idle_seconds=0.0).run())
    open_page(app, "batches")

    app.button(key=f"batch_result_{batch.id}").click().run()

    assert app.query_params["c"] == last
    (sent,) = (json.loads(one.proto.json) for one in app.get("bidi_component") if "scope" in one.proto.json)
    scope = Scope.model_validate(sent["scope"])
    assert take_next(services.by(session.me().id), scope, after=last) is None
    assert take_next(services.by(session.me().id), after=last)


def test_an_offer_that_was_taken_up_elsewhere_starts_nothing_else(app: AppTest, services: Services) -> None:
    chosen = seed(services, pairs=3, project="Autumn")
    other = seed(services, pairs=1, project="Winter")
    open_page(app, "queue")
    assert offered(app).label == "Judge 3 pairs"
    start_batches.start(services, BatchRequest(project_id=chosen.project_id))

    offered(app).click().run()

    assert [each.batch.project_id for each in manage_batches.reports(services)] == [chosen.project_id]
    assert offered(app).label == "Judge 1 pair"

    offered(app).click().run()
    started = {each.batch.project_id for each in manage_batches.reports(services)}
    assert started == {chosen.project_id, other.project_id}
