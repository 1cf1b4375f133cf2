"""Judging in bulk from the command line: started, followed, done by a worker of its own, retried."""

import json
import os
import sys
from decimal import Decimal
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from comparator.cli.batch import _line
from comparator.domain.scoring.several_judges import JudgeChoice
from comparator.jobs import manage_batches, start_batches
from comparator.store.bulk.batches import BatchCounts, BatchRequest, BatchState
from comparator.store.bulk.forecast import Cost
from comparator.store.core.database import Database
from comparator.ui.batch_list import spent
from comparator.workflow.services import Services
from tests.loopback.acts import Status
from tests.loopback.bulk import seed, services_on
from tests.loopback.server import LoopbackServer
from tests.worlds.process import run

PAIRS = 3


@pytest.fixture
def services(database: Database, tmp_path: Path) -> Services:
    return services_on(database, tmp_path, slots=6)


def comparator(services: Services, database_url: str, folder: Path, *command: str) -> CompletedProcess[str]:
    """The program as its users start it."""
    environment = {
        **os.environ,
        "COMPARATOR_HOME": str(services.settings.home),
        "COMPARATOR_DATABASE_URL": database_url,
        "COMPARATOR_BLOB_URL": str(folder / "b"),
    }
    return run(sys.executable, "-m", "comparator", *command, cwd=folder, env=environment)


@pytest.mark.slow
def test_a_batch_is_started_followed_and_its_failures_retried(
    services: Services, database_url: str, tmp_path: Path, model: LoopbackServer
) -> None:
    seed(services, pairs=PAIRS, project="Seasons")

    def say(*command: str) -> CompletedProcess[str]:
        return comparator(services, database_url, tmp_path, *command)

    def watched() -> tuple[int, dict[str, int]]:
        done = say("batch", "watch", "--json")
        (batch,) = json.loads(done.stdout)
        assert batch["workers"] == 0
        return done.returncode, {name: batch[name] for name in ("waiting", "done", "failed")}

    assert say("batch", "watch").stderr.startswith("There is no batch to follow.")
    assert say("batch", "start", "Seasons").returncode == 0
    assert watched() == (0, {"waiting": PAIRS, "done": 0, "failed": 0})

    refused = Status(400, "invalid_request_error", "prompt is too long")
    model.then(*[refused] * 2)
    assert say("worker", "--until-idle=0").returncode == 0
    code, tally = watched()
    assert (code, tally["waiting"], tally["done"] + tally["failed"]) == (3, 0, PAIRS)
    assert tally["failed"] > 0

    (batch,) = json.loads(say("batch", "watch", "--json").stdout)
    assert say("batch", "retry", batch["id"]).returncode == 0
    assert say("worker", "--until-idle=0").returncode == 0
    assert watched() == (0, {"waiting": 0, "done": PAIRS, "failed": 0})
    followed = say("batch", "watch", batch["id"])
    assert followed.returncode == 0
    assert f"{PAIRS} of {PAIRS} done" in followed.stdout + followed.stderr


@pytest.mark.parametrize(
    ("model", "state", "told"),
    [
        ("claude-haiku-5-5", BatchState.RUNNING, "nothing paid yet"),
        ("claude-haiku-5-5", BatchState.PAUSED, "nothing paid yet"),
        ("claude-haiku-5-5", BatchState.DONE, "nothing paid"),
        ("claude-haiku-5-5", BatchState.CANCELLED, "nothing paid"),
        ("nobody-knows", BatchState.RUNNING, "cost unknown"),
    ],
)
def test_where_nothing_was_paid_page_and_terminal_say_so(
    services: Services, model: str, state: BatchState, told: str
) -> None:
    made = seed(services, pairs=1)
    batch = start_batches.start(services, BatchRequest(project_id=made.project_id, judge="offline"))
    judge = JudgeChoice(kind="anthropic", model=model, repetitions=1)
    moved = manage_batches.report(services, batch.id).model_copy(
        update={"batch": batch.model_copy(update={"state": state, "judge": judge})}
    )

    assert spent(moved) == [told]
    assert f", {told}" in _line(moved)


def test_a_running_batch_says_what_it_will_have_cost(services: Services) -> None:
    made = seed(services, pairs=1)
    batch = start_batches.start(services, BatchRequest(project_id=made.project_id, judge="offline"))
    judge = JudgeChoice(kind="anthropic", model="claude-haiku-5-5", repetitions=1)
    begun = manage_batches.report(services, batch.id).model_copy(
        update={
            "batch": batch.model_copy(update={"judge": judge}),
            "counts": BatchCounts(done=2, waiting=5, running=1, failed=1),
            "cost": Cost(Decimal(3), (Decimal("11.5"), Decimal("12.5"))),
        }
    )

    assert spent(begun) == ["3.00 USD so far", "11.50 to 12.50 USD at the end"]
