"""On the wire a judge gets what is in the views and nothing else: every block of every request is decoded."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.labels import Order, PerOutput
from comparator.domain.pair.examination import ToolLimits
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import (
    BlindedPair,
    Block,
    DocumentBlock,
    Family,
    ImageBlock,
    OutputView,
    SetAside,
    TextBlock,
    ViewedFile,
)
from comparator.domain.scoring.judgment import Tools
from comparator.judges.model.judge import AnthropicJudge
from comparator.judges.model.sender import AnthropicOptions
from comparator.judges.tools.answering import TOOLS_BY_NAME
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.pairs import comparisons, outputs
from comparator.workflow.exporting.comparison_json import provenance_json, result_json
from comparator.workflow.review.sheet import readings_with_tools
from tests.loopback import acts, players
from tests.loopback.brain import blocks
from tests.loopback.pairs import pair, rubric
from tests.loopback.server import LoopbackServer
from tests.worlds.files.outputs_markers import MARK, every_family, found_in, mark
from tests.worlds.judging.judges import judge_at
from tests.worlds.workbench import Workbench

MARKER = re.compile(rb"Mark[A-Z][a-z]+\d")
"""Words that are planted in the views, and of which each must be found again; no other may be there."""


def output(number: int) -> OutputView:
    def file(name: str, family: Family, block: Block, *notes: str) -> ViewedFile:
        id = f"MarkId{number}{family.value}"
        return ViewedFile(id=id, name=name, family=family, size=10, blocks=(block,), notes=notes)

    text = TextBlock(text=f"Text MarkText{number} and more.")
    document = DocumentBlock(data=f"%PDF MarkPage{number}".encode())
    pixels, caption = f"\x89PNG MarkPixel{number}".encode(), f"MarkCaption{number}"
    image = ImageBlock(media_type="image/png", data=pixels, caption=caption)
    return OutputView(
        files=(
            file("report.html", Family.HTML, text),
            file(f"MarkName{number}.pdf", Family.PDF, document, f"MarkNote{number}"),
            file("photo.png", Family.IMAGE, image),
        ),
        set_aside=(SetAside(name=f"MarkAside{number}.md", size=5, reason="self-report"),),
        notes=(f"MarkView{number}",),
    )


@pytest.fixture
def blinded() -> BlindedPair:
    plain = pair(
        {"x.md": "x"},
        {"x.md": "x"},
        prompt="MarkPrompt1",
        expectations=("MarkExpectation1",),
        inputs={"in.txt": "MarkInput1"},
        reference={"ref.txt": "MarkReference1"},
    )
    return plain.model_copy(update={"outputs": PerOutput[OutputView](A=output(1), B=output(2))})


def marks(body: dict[str, Any]) -> set[str]:
    """Markers in every text and every binary part of a request, as sent and decoded."""
    texts = [str({k: v for k, v in body.items() if k not in ("system", "messages")}).encode()]
    for block in blocks(body):
        texts.append(block.get("text", "").encode())
        if "source" in block:
            texts.append(base64.b64decode(block["source"]["data"], validate=True))
    return {marker.decode() for text in texts for marker in MARKER.findall(text)}


async def test_both_orders_send_what_the_views_hold_and_nothing_else(blinded: BlindedPair) -> None:
    with LoopbackServer() as server:
        options = AnthropicOptions(base_url=server.base_url)
        around = {"ANTHROPIC_API_KEY": "MarkKey1-secret", "CANDIDATE": "MarkCandidate1"}
        judge = AnthropicJudge(options, environment=around)
        await judge.write_rubric(blinded.task, families=(Family.PDF,))
        for order in Order:
            await judge.read_pair(blinded, rubric(), order=order)
        server.then(acts.ONLY_PROSE)
        await judge.read_pair(blinded, rubric(), order=Order.A_FIRST)
        await judge.check()
        await judge.close()
    task = {"MarkPrompt1", "MarkExpectation1"}
    seen = {"MarkInput1", "MarkReference1"} | {
        f"Mark{part}{n}"
        for n in "12"
        for part in ("Text", "Name", "Page", "Note", "Pixel", "Caption", "View", "Aside")
    }
    first, *readings, repair = [marks(request.body) for request in server.messages]
    assert first == task, "the author of the rubric sees the wording only"
    assert readings == [task | seen] * 3
    assert repair == task | seen
    counted = [request for request in server.requests if request.path.endswith("count_tokens")]
    assert [marks(request.body) for request in counted] == [set()]


async def test_headers_and_addresses_say_nothing_of_the_comparison(blinded: BlindedPair) -> None:
    with LoopbackServer() as server:
        judge = AnthropicJudge(AnthropicOptions(base_url=server.base_url), environment={})
        for order in Order:
            await judge.read_pair(blinded, rubric(), order=order)
        await judge.close()
    allowed = {"host", "content-length"}
    one, two = ({k: v for k, v in r.headers.items() if k not in allowed} for r in server.messages)
    assert one == two, "no header tells the orders, let alone the candidates, apart"
    assert not MARKER.search(str(one).encode())
    assert {request.path for request in server.messages} == {"/v1/messages"}
    parts = {"model", "max_tokens", "system", "messages", "output_config", "stream"}
    assert set(server.messages[0].body) == parts


CANDIDATES = PerOutput[str](A=f"{mark('CandidateA')}-v31", B=f"{mark('CandidateB')}-v32")
TASK = TaskText(
    prompt=f"Fill the form, as the {CANDIDATES.A} prompt asks, and describe each file.",
    expectations=(f"Better than {CANDIDATES.B}", "Every field is filled"),
)


COMMENTS = {"HtmlComment", "HtmlPhp"}
"""What stands in comments of a page is its content; candidates' names are taken out of it as everywhere."""


def planted(workbench: Workbench) -> str:
    """A comparison of two folders with every family, each file carrying markers, and names in every other place."""
    for side, name in (("A", CANDIDATES.A), ("B", CANDIDATES.B)):
        for file, data in every_family().items():
            workbench.file(f"{name}/outputs/{file}", data)
        workbench.file(
            f"{name}/outputs/report.md", f"# Report {side}\n\nWritten by {name}, see {name}_notes.\n"
        )
        workbench.file(f"{name}/outputs/{name}_summary_table.csv", f"made,by\n1,{name}\n")
    folders = CANDIDATES.map(lambda name: workbench.folder / name / "outputs")
    return workbench.submitted(folders, task=TASK, candidates=CANDIDATES)


def sent_in(server: LoopbackServer) -> set[str]:
    """The places whose markers are in any request."""
    return found_in(b"\n".join(request.raw for request in server.requests))


def test_no_request_page_export_file_or_answer_of_a_tool_carries_a_name(
    database: Database, blobs: BlobStore, tmp_path: Path, model: LoopbackServer
) -> None:
    settings = Settings(
        home=tmp_path / "home",
        repetitions=1,
        tool_limits=ToolLimits(calls=1_000, bytes=100_000_000, context=10_000_000, tokens=100_000_000),
    )
    workbench = Workbench(database, blobs, tmp_path / mark("SourceFolder"), settings)
    comparison_id = planted(workbench)

    outcome = workbench.judged(comparison_id, judge_at(model, tools=Tools.NEVER))

    assert outcome.complete, outcome.problem
    assert len(model.messages) >= 3
    assert max(len(request.raw) for request in model.messages) > 20_000
    assert sent_in(model) <= COMMENTS
    for request in model.requests:
        headers = " ".join(f"{name}: {value}" for name, value in request.headers.items())
        assert MARK.lower() not in headers.lower()
    sheet = workbench.sheet(comparison_id)
    assert found_in(sheet.model_dump_json().encode()) == set()
    for export in (result_json, provenance_json):
        # The expectations come back as the caller worded them; all else is blind.
        exported = export(workbench.services, comparison_id).replace(TASK.expectations[0], "")
        assert found_in(exported.encode()) == set()
    with workbench.services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        views = comparison.view_a, comparison.view_b
        rows = [row for view in views for row in outputs.list_files(connection, view)]
    served = [workbench.services.blobs.get(row.blob) for row in rows if row.blob]
    assert len(served) > 20
    assert {place for data in served for place in found_in(data)} == COMMENTS

    with LoopbackServer(player=players.thorough) as server:
        outcome = workbench.judged(comparison_id, judge_at(server, tools=Tools.ALWAYS, model="with-tools"))

    assert outcome.complete, outcome.problem
    readings = readings_with_tools(workbench.services, comparison_id)
    assert {reading.order for reading in readings} == set(Order)
    for reading in readings:
        calls = reading.looked_at
        assert {call.tool for call in calls if not call.problem} == set(TOOLS_BY_NAME)
        assert len(calls) > 100
        assert not any(call.refused for call in calls)
    assert sent_in(server) <= COMMENTS
