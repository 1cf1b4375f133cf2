"""A rubric that is written before there is a comparison: what was shown is what is used, and it is paid for once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import pytest

from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import Family
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.usage import Call, Usage
from comparator.judges.prices import cost_of_calls
from comparator.judges.protocol import JudgeIdentity, Owner, RubricReply
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.judging import budgets, rubrics
from comparator.store.pairs import comparisons
from comparator.workflow.judging.registry import Membership
from comparator.workflow.judging.rubrics import draft_rubric, store_drafted
from tests.loopback.pairs import rubric
from tests.worlds.judging.judges import SlowJudge
from tests.worlds.workbench import TASK, Workbench

MODEL = "claude-sonnet-5-5"


@dataclass(eq=False)
class PaidJudge(SlowJudge):
    """Writes a rubric of its own for money."""

    written: Rubric = field(default_factory=lambda: rubric(content=("weight", "fields")))

    @property
    def identity(self) -> JudgeIdentity:
        return self.inner.identity.model_copy(update={"kind": "anthropic", "model": MODEL})

    async def write_rubric(
        self, task: TaskText, *, families: tuple[Family, ...], on_behalf_of: Owner | None = None
    ) -> RubricReply:
        usage = Usage(input_tokens=100_000, output_tokens=10_000)
        if on_behalf_of is not None and on_behalf_of.reserve is not None:
            # As every sender of requests does.
            await on_behalf_of.reserve(on_behalf_of, usage.input_tokens, usage.output_tokens)
        return RubricReply(rubric=self.written, calls=(Call(model=MODEL, raw="{}", usage=usage),))


@pytest.fixture
def workbench(database: Database, blobs: BlobStore, tmp_path: Path) -> Workbench:
    return Workbench(database, blobs, tmp_path, Settings(home=tmp_path / "home", budget=Decimal("0.5")))


def drafted(workbench: Workbench, judge: PaidJudge) -> RubricReply:
    async def draft() -> RubricReply:
        async with Membership(workbench.services, single_run=True) as here:
            return await draft_rubric(here, judge, TASK, redactions=(), families=(Family.MARKDOWN,))

    return asyncio.run(draft())


def spent(workbench: Workbench) -> Decimal:
    with workbench.services.database.read() as connection:
        return budgets.get(connection, budgets.WHOLE).spent


def test_a_draft_counts_at_once_and_not_again_when_it_is_used(workbench: Workbench) -> None:
    judge = PaidJudge()
    reply = drafted(workbench, judge)
    cost = cost_of_calls(reply.calls)
    assert cost
    assert spent(workbench) == cost

    store_drafted(workbench.services, judge, workbench.submitted(), reply)

    assert spent(workbench) == cost


def test_the_rubric_that_was_shown_is_used_though_another_holds_by_now(workbench: Workbench) -> None:
    judge = PaidJudge()
    reply = drafted(workbench, judge)
    id = workbench.submitted()
    other = rubric(content=("something", "else"))
    store_drafted(workbench.services, judge, id, RubricReply(rubric=other, calls=()))

    store_drafted(workbench.services, judge, id, reply)

    with workbench.services.database.read() as connection:
        comparison = comparisons.get(connection, id)
        version = rubrics.current(
            connection, project_id=comparison.project_id, task_version_id=comparison.task_version_id
        )
    assert version is not None
    assert version.rubric == reply.rubric
