"""A pair that does not fit into one request is read with tools, from the stored views to the stored record."""

import base64
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from comparator.domain.labels import Order, PerOutput
from comparator.domain.pair.examination import ToolLimits
from comparator.domain.scoring.several_judges import JudgeChoice
from comparator.judges.tools.examination import Examination
from comparator.settings import Settings
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.bulk.batches import Via
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.judging import judgments
from comparator.workflow.judging.rubrics import Examiner, LoadedPair, load
from comparator.workflow.review.sheet import readings_with_tools
from comparator.workflow.services import Services
from tests.integration.workflow.submit.test_office_pages import FixedPrinter
from tests.loopback import players
from tests.loopback.brain import Taste
from tests.loopback.players import Verdict, good
from tests.loopback.server import LoopbackServer
from tests.worlds.files import outputs_office
from tests.worlds.files.examined import same_again
from tests.worlds.files.office_documents import box, deck, document, par, png
from tests.worlds.files.outputs_office import saved
from tests.worlds.judging.judges import judge_at
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


def test_what_does_not_fit_is_opened_in_both_orders_and_each_call_is_kept(bench: Workbench) -> None:
    comparison_id = long_pair(bench)

    with LoopbackServer(
        player=good([("compare", {"file": "plan.md"})], lambda _: Verdict(Taste.A))
    ) as server:
        judged(bench, comparison_id, server)

    readings = readings_with_tools(bench.services, comparison_id)
    assert {reading.order for reading in readings} == set(Order)
    for reading in readings:
        (call,) = reading.looked_at
        assert (call.tool, call.arguments) == ("compare", {"file": "plan.md"})
        assert call.size > len(LATE)
        assert len(call.digest) == 64
    sheet: Any = bench.sheet(comparison_id)
    assert sheet.judgment.examined.calls == 2
    # The stored calls give the same bytes again.
    with closing(Examiner(bench.services)) as examiner:
        material = examiner.material(_loaded(bench.services, comparison_id))
        assert all(same_again(material, reading.looked_at) for reading in readings)


@pytest.mark.slow
def test_the_limits_of_the_setting_hold_for_each_reading_and_an_incomplete_one_is_kept_with_its_calls(
    database: Database, blobs: BlobStore, tmp_path: Path
) -> None:
    limits = ToolLimits(calls=3, money=None)
    bench = Workbench(
        database, blobs, tmp_path, Settings(home=tmp_path / "home", repetitions=1, tool_limits=limits)
    )
    ended, endless = long_pair(bench, "ended"), long_pair(bench, "endless")

    with LoopbackServer(player=players.greedy) as server:
        judged(bench, ended, server)
    with LoopbackServer(player=players.never_ending) as server:
        outcome = bench.judged(endless, judge_at(server))

    for reading in readings_with_tools(bench.services, ended):
        assert sum(not call.refused for call in reading.looked_at) == 3
    sheet: Any = bench.sheet(ended)
    assert sheet.judgment.examined.stopped == "the 3 calls of this reading are used"
    assert "incomplete" in (outcome.problem or "")
    assert "Raise COMPARATOR_TOOL_LIMITS" in (outcome.problem or "")
    with bench.services.database.read() as connection:
        kept = judgments.tries(connection, endless, judgments.Attempt)
    assert {attempt.error_kind for attempt in kept} == {"ReadingIncomplete"}
    assert all(attempt.answer is None and attempt.looked_at for attempt in kept)


def _loaded(services: Services, comparison_id: str) -> LoadedPair:
    item = LeasedItem(
        batch_id="", comparison_id=comparison_id, position=0, single=True, budget_id=None,
        judge=JudgeChoice(kind="anthropic", model="m", repetitions=1), via=Via.MESSAGES,
    )  # fmt: skip
    with services.database.read() as connection:
        return load(services, connection, item, services.judge("offline"))


def deck_with_pictures() -> bytes:
    """Two slides: the first one with two green pictures, the second one with a red box."""
    presentation = Presentation(
        BytesIO(deck([box(1, 1, fill="FFFFFF", words="First")], [box(1, 1, fill="FF0000")]))
    )
    for left in (4, 7):
        picture = BytesIO(png("green"))
        presentation.slides[0].shapes.add_picture(picture, Inches(left), Inches(4), Inches(2), Inches(2))
    return saved(presentation)


def seen(examination: Examination, name: str, page: int) -> tuple[str, set[object]]:
    """What is said of a page that is looked at, and its colours."""
    answered = examination.call("look", {"side": "A", "file": name, "page": page})
    assert not answered.is_error, answered
    text, picture = answered.content
    image = Image.open(BytesIO(base64.b64decode(picture["source"]["data"])))
    return text["text"], {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or []}


def test_a_slide_is_looked_at_as_it_prints_and_not_as_a_picture_in_the_deck(bench: Workbench) -> None:
    printer: Any = FixedPrinter(pages=2, pdf=outputs_office.pages("first", ""))
    bench.services = replace(bench.services, printer=printer)
    a = bench.file("one/a/d.pptx", deck_with_pictures())
    b = bench.file("one/b/other.docx", document(par("Short")))
    comparison_id = bench.pictured(bench.submitted(PerOutput[Path](A=a.parent, B=b.parent)))

    with closing(Examiner(bench.services)) as examiner:
        examination = examiner.examination(examiner.material(_loaded(bench.services, comparison_id)))
        first, second = (seen(examination, "d.pptx", page) for page in (1, 2))

    assert "page 1 of 2" in first[0]
    assert "page 2 of 2" in second[0]
    assert (0, 0, 0) in first[1]
    assert second[1] == {(255, 255, 255)}
