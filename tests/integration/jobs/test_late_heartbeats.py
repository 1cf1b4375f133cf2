"""A sign of life stored after a pair's end does not take the pair for lost; two that need one rubric pay once."""

import asyncio
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.errors import JudgeNotAllowed
from comparator.domain.labels import PerOutput
from comparator.domain.scoring.judgment import JudgeState
from comparator.jobs.worker import Worker
from comparator.store.bulk import batch_items
from comparator.store.core.database import Connection
from comparator.workflow.judging import asking, pair_reader, registry
from comparator.workflow.judging.asking import progress_of
from comparator.workflow.judging.pair_reader import judge_comparison
from comparator.workflow.judging.read_pair import JudgingResult
from comparator.workflow.judging.registry import HeldPair, Membership
from comparator.workflow.judging.rubrics import LoadedPair, load
from comparator.workflow.services import Services
from tests.loopback.server import LoopbackServer
from tests.worlds.workbench import GOOD, POOR, Workbench

PATIENCE = 60.0


@pytest.fixture
def late_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pair ends while a sign of life waits to be stored."""
    changed, waiting = threading.Condition(), []
    show, finish = Membership._show_life, batch_items.let_go

    async def shown(self: Membership) -> None:
        life = asyncio.ensure_future(show(self))
        await asyncio.sleep(0)
        with changed:
            waiting.append(life)
            changed.notify_all()
        try:
            await life
        finally:
            waiting.remove(life)

    def finished(*arguments: Any, **named: Any) -> None:
        with changed:
            assert changed.wait_for(lambda: bool(waiting), timeout=PATIENCE)
        finish(*arguments, **named)

    monkeypatch.setattr(registry, "BEAT_SECONDS", 0.01)
    monkeypatch.setattr(Membership, "_show_life", shown)
    monkeypatch.setattr(batch_items, "let_go", finished)


async def judged_here(services: Services, comparison_id: str) -> JudgingResult:
    judge = services.judge()
    try:
        return await judge_comparison(services, judge, comparison_id)
    finally:
        await judge.close()


@pytest.mark.usefixtures("late_heartbeats")
def test_a_pair_that_is_read_here_is_not_lost_at_its_end(workbench: Workbench) -> None:
    outcome = asyncio.run(judged_here(workbench.services, workbench.submitted()))

    assert (outcome.complete, outcome.problem) == (True, None)


@pytest.mark.usefixtures("late_heartbeats")
def test_a_pair_that_cannot_be_read_here_tells_its_own_problem(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poor(*_: object, **__: object) -> None:
        raise JudgeNotAllowed("The budget is used up.")

    monkeypatch.setattr(pair_reader, "reservations_for", poor)

    outcome = workbench.judged(workbench.submitted())

    assert outcome.problem == "The budget is used up."


@pytest.mark.usefixtures("late_heartbeats")
def test_a_worker_takes_no_pair_for_lost_that_it_has_given_back(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[HeldPair] = []

    def hold(*given: Any) -> HeldPair:
        held.append(HeldPair(*given))
        return held[-1]

    monkeypatch.setattr(pair_reader, "HeldPair", hold)
    services, comparison_id = workbench.services, workbench.submitted()
    asking.ask(services, comparison_id, kind="offline")

    asyncio.run(Worker(services, idle_seconds=0.0).run())

    assert [pair.lost for pair in held] == [False]
    with services.database.read() as connection:
        assert progress_of(connection, comparison_id, now=services.now()).state is JudgeState.DONE


def test_a_rubric_that_another_wrote_since_the_last_look_is_not_paid_for_again(
    workbench: Workbench, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = replace(
        workbench.services,
        settings=workbench.services.settings.model_copy(
            update={"judge": "anthropic", "model": "claude-sonnet-5"}
        ),
    )
    good = workbench.file("more/one/report.md", f"{GOOD}\nMore.\n")
    poor = workbench.file("more/two/report.md", POOR)
    first = workbench.submitted()
    second = workbench.submitted(PerOutput[Path](A=good.parent, B=poor.parent))
    looks: list[LoadedPair] = []

    def looked(services_: Any, connection: Connection, *arguments: Any, **named: Any) -> Any:
        found = load(services_, connection, *arguments, **named)
        if not looks:
            looks.append(found)
            # Between this look and the lease that follows it, the other pair is read to its end.
            thread = threading.Thread(target=lambda: asyncio.run(judged_here(services, first)))
            thread.start()
            thread.join()
        return found

    monkeypatch.setattr(pair_reader, "load", looked)
    outcome = asyncio.run(judged_here(services, second))
    asked = sorted(request.order for request in model.messages)

    assert outcome.complete
    assert looks[0].rubric is None
    assert asked == ["", "AB", "AB", "BA", "BA"]
