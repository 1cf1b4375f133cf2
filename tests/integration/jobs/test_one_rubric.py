"""Two pairs that need one rubric pay for it once."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.labels import PerOutput
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Connection, Database
from comparator.workflow.judging import reader
from comparator.workflow.judging.read_pair import JudgingResult
from comparator.workflow.judging.reader import judge_comparison
from comparator.workflow.judging.rubrics import LoadedPair, load
from comparator.workflow.services import Services
from tests.loopback.server import LoopbackServer
from tests.worlds.workbench import GOOD, POOR
from tests.worlds.workbench import Workbench as Bench

PATIENCE = 60.0


@pytest.fixture
def bench(database: Database, blobs: BlobStore, tmp_path: Path) -> Bench:
    return Bench(database, blobs, tmp_path)


async def judged_here(services: Services, comparison_id: str) -> JudgingResult:
    judge = services.judge()
    try:
        return await judge_comparison(services, judge, comparison_id)
    finally:
        await judge.close()


def test_a_rubric_that_another_wrote_since_the_last_look_is_not_paid_for_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = replace(
        bench.services,
        settings=bench.services.settings.model_copy(
            update={"judge": "anthropic", "model": "claude-sonnet-5"}
        ),
    )
    good, poor = bench.file("more/one/report.md", f"{GOOD}\nMore.\n"), bench.file("more/two/report.md", POOR)
    first = bench.submitted()
    second = bench.submitted(PerOutput[Path](A=good.parent, B=poor.parent))
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

    monkeypatch.setattr(reader, "load", looked)
    with LoopbackServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.base_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "any-key")
        outcome = asyncio.run(judged_here(services, second))
        asked = sorted(request.order for request in server.messages)

    assert outcome.complete
    assert looks[0].rubric is None
    assert asked == ["", "AB", "AB", "BA", "BA"]
