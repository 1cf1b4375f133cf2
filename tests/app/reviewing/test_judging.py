"""What the pages offer for a pair that no judge reads: never begun, left behind, or failed."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.project import ReviewMode
from comparator.domain.rights import Role
from comparator.domain.scoring.judgment import JudgeState
from comparator.reporting.history.listing import all_projects
from comparator.store.bulk import batch_items, batches
from comparator.store.bulk.batches import ItemState
from comparator.store.bulk.leases import STALE_AFTER
from comparator.store.facts import fact
from comparator.store.people import people
from comparator.ui.frame import session
from comparator.web.review.commands import Command, CommandName, Reply, carry_out
from comparator.workflow.judging.asking import INTERRUPTED, progress_of
from comparator.workflow.people.people import give_role
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.app.conftest import listed, open_page, unjudged
from tests.worlds.judging.judged_elsewhere import ELSEWHERE, judge_elsewhere
from tests.worlds.process import wait_until


@pytest.fixture
def waiting(services: Services, pair: tuple[Path, Path]) -> str:
    """A comparison that nobody has begun to judge."""
    return unjudged(services, pair)


def ended(services: Services, comparison_id: str, problem: str) -> None:
    """A worker had the pair and ended with this problem."""
    batch_id = judge_elsewhere(services, comparison_id)
    with services.write() as unit:
        batch_items.let_go(
            unit,
            batch_id,
            comparison_id,
            worker=ELSEWHERE,
            state=ItemState.CANCELLED if problem == INTERRUPTED else ItemState.FAILED,
            problem=problem,
        )
        batches.close_finished(unit, [batch_id])
        fact.refresh(unit, comparison_id)


def press(comparison_id: str, name: CommandName) -> Reply:
    command = Command(id=f"{name}", name=name)
    return carry_out(session.as_me(), comparison_id, command, scope=None)


def told(comparison_id: str, name: CommandName) -> str:
    return press(comparison_id, name).note


class IdleWorker:
    """A worker that takes nothing."""

    def wake(self) -> None: ...


def test_a_pair_that_waits_for_the_judge_is_stopped_from_its_review(
    waiting: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("comparator.web.review.commands.app_worker", lambda services: IdleWorker())
    assert told(waiting, CommandName.STOP) == "The judge is not working on this pair."
    told(waiting, CommandName.RETRY)

    assert told(waiting, CommandName.STOP).startswith("Stopped.")

    with services.database.read() as connection:
        found = progress_of(connection, waiting, now=services.now())
    assert (found.state, found.in_progress) == (JudgeState.WAITING, False)


def test_a_pair_whose_judge_died_is_judged_by_the_next_worker(
    app: AppTest, waiting: str, services: Services
) -> None:
    judge_elsewhere(services, waiting, old=STALE_AFTER * 2)

    open_page(app, "review", c=waiting)

    wait_until(lambda: session.progress(waiting).state is JudgeState.DONE)


def test_trying_again_on_the_review_page_asks_the_judge_that_was_asked_before(
    app: AppTest, waiting: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended(services, waiting, "The network was down.")
    # The judge of the settings cannot even be reached.
    monkeypatch.setitem(services.settings.__dict__, "judge", "anthropic")

    reply = press(waiting, CommandName.RETRY)

    assert reply.note.startswith("Judging has started")
    wait_until(lambda: session.progress(waiting).state is JudgeState.DONE)


def test_the_head_of_a_pair_that_no_judge_was_asked_about_says_so(app: AppTest, waiting: str) -> None:
    open_page(app, "review", c=waiting)

    assert any("no judge" in each.value for each in app.caption)
    assert not any("judge first" in each.value for each in app.caption)


def test_the_queue_says_why_the_judge_failed(app: AppTest, waiting: str, services: Services) -> None:
    ended(services, waiting, "The model declined to judge this pair.")

    open_page(app, "queue")

    (row,) = listed(app)["rows"]
    assert (row["problem"], row["starts"]) == ("The model declined to judge this pair.", None)


def test_a_blind_review_says_why_the_judge_failed_only_to_whoever_may_have_the_pair_judged_again(
    waiting: str, services: Services
) -> None:
    ended(services, waiting, "The model declined to judge this pair.")
    (project,) = all_projects(services.database)
    change_settings(session.as_me(), project.id, mode=ReviewMode.BLIND_FIRST)
    with services.write() as unit:
        rhea = people.ensure_person(unit, "oidc:rhea", name="Rhea").id
    give_role(session.as_me(), rhea, Role.REVIEWER, project_id=project.id)

    lead, reviewer = (read_sheet(services.by(who), waiting) for who in (session.me().id, rhea))

    assert not lead.opened
    assert lead.judge.state is reviewer.judge.state is JudgeState.FAILED
    assert lead.judge.problem == "The model declined to judge this pair."
    assert "declined" not in reviewer.model_dump_json()
