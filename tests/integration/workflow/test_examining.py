"""A pair that does not fit into one request is read with tools, from the stored views to the stored record."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from comparator.domain.labels import Order, PerOutput
from comparator.domain.pair.examination import Extent
from comparator.domain.scoring.judgment import Tools
from comparator.judges.tools.examination import replay
from comparator.outputs.pictures.album import Album
from comparator.outputs.pictures.camera import Camera
from comparator.settings import Settings
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.bulk.batches import JudgeChoice, Via
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.judging import judgments
from comparator.store.pairs import comparison_list, comparisons
from comparator.workflow.judging.examining import Examiner
from comparator.workflow.judging.load_pairs import LoadedPair, load
from comparator.workflow.judging.project_judge import manner_for
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review.looked_at import readings_with_tools
from comparator.workflow.review.read_sheet import read_sheet
from comparator.workflow.services import Services
from tests.loopback.brain import Taste
from tests.loopback.players import Asked, Verdict, good, results_of
from tests.loopback.server import LoopbackServer
from tests.worlds.asking import judge_at
from tests.worlds.workbench import Workbench

LINES = [f"Step {n}: check part {n % 89} of the cluster and note the result." for n in range(1, 5_000)]
LATE = "Step 2500: after all, roll back to the old version"


@pytest.fixture
def bench(database: Database, blobs: BlobStore, tmp_path: Path) -> Workbench:
    return Workbench(database, blobs, tmp_path, Settings(home=tmp_path / "home", repetitions=1))


def long_pair(bench: Workbench, name: str = "plan") -> str:
    """The id of a comparison of two plans, of which B takes its decision back where no request reaches."""
    worse = [*LINES[:2_499], LATE, *LINES[2_500:]]
    a = bench.file(f"{name}/a/plan.md", "\n".join([name, *LINES]))
    b = bench.file(f"{name}/b/plan.md", "\n".join([name, *worse]))
    return bench.submitted(PerOutput[Path](A=a.parent, B=b.parent))


def judged(bench: Workbench, comparison_id: str, server: LoopbackServer, **options: object) -> None:
    outcome = bench.judged(comparison_id, judge_at(server, **options))
    assert outcome.problem is None


def _good() -> LoopbackServer:
    return LoopbackServer(player=good([("compare", {"file": "plan.md"})], lambda _: Verdict(Taste.A)))


def test_what_does_not_fit_is_opened_in_both_orders_and_each_call_is_kept(bench: Workbench) -> None:
    comparison_id = long_pair(bench)

    with _good() as server:
        judged(bench, comparison_id, server)

    readings = readings_with_tools(bench.services, comparison_id)
    assert {reading.order for reading in readings} == set(Order)
    for reading in readings:
        (call,) = reading.looked_at.calls
        assert (call.tool, call.arguments) == ("compare", {"file": "plan.md"})
        assert call.size > len(LATE)
        assert len(call.digest) == 64
        assert [(f.place, f.extent) for f in reading.looked_at.files] == [
            ("A", Extent.IN_PART), ("B", Extent.IN_PART),
        ]  # fmt: skip
    sheet = read_sheet(bench.services, comparison_id, person_id=bench.person)
    assert sheet.judge.examined is not None
    assert sheet.judge.examined.calls == 2


def test_the_stored_calls_give_the_same_bytes_again(bench: Workbench) -> None:
    comparison_id = long_pair(bench)
    with _good() as server:
        judged(bench, comparison_id, server)

    services = bench.services
    loaded = _loaded(services, comparison_id)
    examiner = Examiner(services)
    try:
        material = examiner.material(loaded)
        for reading in readings_with_tools(services, comparison_id):
            assert [each.same for each in replay(material, reading.looked_at.calls)] == [True]
    finally:
        examiner.close()


def _loaded(services: Services, comparison_id: str) -> LoadedPair:
    item = LeasedItem(
        batch_id="", comparison_id=comparison_id, position=0, priority=0, tries=0, single=True, budget_id=None,
        judge=JudgeChoice(kind="anthropic", model="m", repetitions=1), via=Via.MESSAGES,
    )  # fmt: skip
    with services.database.read() as connection:
        (loaded,), _ = load(services, connection, [item], judge_of=lambda _: services.judge("offline"))
    return loaded


def test_what_fits_is_read_in_one_request_as_before(bench: Workbench) -> None:
    comparison_id = bench.submitted()

    with _good() as server:
        judged(bench, comparison_id, server)
        requests = [each.body for each in server.messages]

    assert not any("tools" in body for body in requests)
    assert readings_with_tools(bench.services, comparison_id) == ()


@pytest.mark.parametrize(
    ("mode", "offered"), [("always", True), pytest.param("never", False, marks=pytest.mark.slow)]
)
def test_a_run_may_always_or_never_use_tools(bench: Workbench, mode: str, offered: bool) -> None:
    short, long = bench.submitted(), long_pair(bench)

    for comparison_id in (short, long):
        with _good() as server:
            judged(bench, comparison_id, server, tools=mode)
            readings = [each.body for each in server.messages if each.order]
        assert {"tools" in body for body in readings} == {offered}


def test_a_project_says_whether_its_judges_use_tools(bench: Workbench) -> None:
    services, comparison_id = bench.services, bench.submitted()
    with services.database.read() as connection:
        project_id = comparisons.get(connection, comparison_id).project_id
        assert manner_for(services, connection, project_id).tools is Tools.AUTO

    change_settings(services, project_id, person_id=bench.person, tools="never")

    with services.database.read() as connection:
        assert manner_for(services, connection, project_id).tools is Tools.NEVER


@pytest.mark.slow
def test_uneven_attention_is_a_mark_on_the_pair_and_an_incomplete_reading_is_kept_with_its_calls(
    bench: Workbench,
) -> None:
    def one_sided(body: dict[str, Any]) -> Any:
        if len(results_of(body)) < 2:
            return [
                Asked("read", {"side": "A", "file": "plan.md", "first": 900 + 300 * len(results_of(body))})
            ]
        return Verdict(Taste.A)

    uneven, endless = long_pair(bench, "uneven"), long_pair(bench, "endless")
    with LoopbackServer(player=one_sided) as server:
        judged(bench, uneven, server)
    with LoopbackServer(player=lambda _: [Asked("list", {})]) as server:
        outcome = bench.judged(endless, judge_at(server))

    with bench.services.database.read() as connection:
        assert comparison_list.line(connection, uneven).uneven_attention is True
        kept = judgments.attempts(connection, endless)
    assert "incomplete" in (outcome.problem or "")
    assert {each.error_kind for each in kept} == {"ReadingIncomplete"}
    assert all(each.answer is None and each.looked_at and each.looked_at.calls for each in kept)


@pytest.mark.slow
def test_web_pages_whose_pictures_had_no_room_are_opened_for_the_tools_on_both_sides_or_on_neither(
    bench: Workbench, chromium_path: str, tmp_path: Path
) -> None:
    page = "<!doctype html><title>Farm</title><h1 style='color:{}'>Harvest</h1><p>420 kg</p>"
    a = bench.file("pages/a/index.html", page.format("red"))
    b = bench.file("pages/b/index.html", page.format("blue"))
    comparison_id = bench.submitted(PerOutput[Path](A=a.parent, B=b.parent))

    def pictures(services: Services) -> list[bytes]:
        examiner = Examiner(services)
        try:
            pages = [held.page for held in examiner.material(_loaded(bench.services, comparison_id)).files()]
        finally:
            examiner.close()
        return [page.pictures[0].tiles[0].data for page in pages if page is not None and page.pictures]

    album = Album(tmp_path / "album", camera=Camera(chromium_path))

    assert pictures(bench.services) == []
    opened = [Image.open(BytesIO(data)) for data in pictures(replace(bench.services, album=album))]
    assert len(opened) == 2
    assert all(each.width > 300 for each in opened)
    assert opened[0].tobytes() != opened[1].tobytes()
