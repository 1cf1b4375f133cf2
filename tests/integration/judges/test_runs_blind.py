"""Real judge runs over HTTP: whatever names a candidate, nothing of it is in any request, however it is packed."""

from pathlib import Path

import pytest

from comparator.domain.labels import PerOutput
from comparator.domain.pair.examination import ToolLimits
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.judgment import Tools
from comparator.judges.model.judge import AnthropicJudge
from comparator.judges.model.sender import AnthropicOptions
from comparator.judges.tools.arguments import TOOLS
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.pairs import comparisons, outputs
from comparator.workflow.exporting.comparison_json import provenance_json, result_json
from comparator.workflow.review.sheet import readings_with_tools
from tests.loopback import players
from tests.loopback.server import LoopbackServer
from tests.worlds.files.outputs_markers import MARK, every_family, found_in, mark
from tests.worlds.workbench import Workbench

CANDIDATES = PerOutput[str](A=f"{mark('CandidateA')}-v31", B=f"{mark('CandidateB')}-v32")
TASK = TaskText(
    prompt=f"Fill the form, as the {CANDIDATES.A} prompt asks, and describe each file.",
    expectations=(f"Better than {CANDIDATES.B}", "Every field is filled"),
)


COMMENTS = {"HtmlComment", "HtmlPhp"}
"""What stands in comments of a page is its content; candidates' names are taken out of it as everywhere."""


@pytest.fixture
def workbench(database: Database, blobs: BlobStore, tmp_path: Path) -> Workbench:
    return Workbench(database, blobs, tmp_path / mark("SourceFolder"))


def judge_at(server: LoopbackServer, *, tools: Tools = Tools.AUTO) -> AnthropicJudge:
    return AnthropicJudge(
        AnthropicOptions(base_url=server.base_url, retries=0, tools=tools),
        environment={"ANTHROPIC_API_KEY": "sk-planted"},
    )


def planted(workbench: Workbench) -> str:
    """A comparison of two folders with every family, each file carrying markers, and names in every other place."""
    for side, name in (("A", CANDIDATES.A), ("B", CANDIDATES.B)):
        for file, data in every_family().items():
            workbench.file(f"{name}/outputs/{file}", data)
        workbench.file(
            f"{name}/outputs/report.md", f"# Report {side}\n\nWritten by {name}, see {name}_notes.\n"
        )
        workbench.file(f"{name}/outputs/{name}_summary_table.csv", f"made,by\n1,{name}\n")
    folders = PerOutput[Path](
        A=workbench.folder / CANDIDATES.A / "outputs", B=workbench.folder / CANDIDATES.B / "outputs"
    )
    return workbench.submitted(folders, task=TASK, candidates=CANDIDATES)


def test_no_request_carries_a_name_in_any_layer(workbench: Workbench, model: LoopbackServer) -> None:
    comparison_id = planted(workbench)

    outcome = workbench.judged(comparison_id, judge_at(model, tools=Tools.NEVER))

    assert outcome.complete, outcome.problem
    assert len(model.messages) >= 3
    sizes = [len(request.raw) for request in model.messages]
    assert max(sizes) > 20_000
    for request in model.requests:
        assert found_in(request.raw) <= COMMENTS
        headers = " ".join(f"{name}: {value}" for name, value in request.headers.items())
        assert MARK.lower() not in headers.lower()


def test_no_answer_of_a_tool_carries_a_name_in_any_layer(
    database: Database, blobs: BlobStore, tmp_path: Path
) -> None:
    settings = Settings(
        home=tmp_path / "home",
        repetitions=1,
        tool_limits=ToolLimits(calls=1_000, bytes=100_000_000, context=10_000_000, tokens=100_000_000),
    )
    workbench = Workbench(database, blobs, tmp_path / mark("SourceFolder"), settings)
    comparison_id = planted(workbench)

    with LoopbackServer(player=players.thorough) as server:
        outcome = workbench.judged(comparison_id, judge_at(server, tools=Tools.ALWAYS))

    assert outcome.complete, outcome.problem
    for reading in readings_with_tools(workbench.services, comparison_id):
        calls = reading.looked_at.calls
        assert {call.tool for call in calls if not call.problem} == set(TOOLS)
        assert len(calls) > 100
        assert not any(call.refused for call in calls)
    assert [found_in(request.raw) - COMMENTS for request in server.messages] == [set()] * len(server.messages)


def test_no_page_data_export_or_served_file_carries_a_name_before_the_reveal(
    workbench: Workbench, model: LoopbackServer
) -> None:
    comparison_id = planted(workbench)
    workbench.judged(comparison_id, judge_at(model, tools=Tools.NEVER))

    sheet = workbench.sheet(comparison_id)
    assert found_in(sheet.model_dump_json().encode()) == set()
    exported = result_json(workbench.services, comparison_id)
    # The expectations come back as the caller worded them; all else is blind.
    without = exported.replace(TASK.expectations[0], "")
    assert found_in(without.encode()) == set()
    provenance = provenance_json(workbench.services, comparison_id)
    assert found_in(provenance.replace(TASK.expectations[0], "").encode()) == set()
    with workbench.services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        served = [
            workbench.services.blobs.get(row.blob)
            for view in (comparison.view_a, comparison.view_b)
            for row in outputs.list_files(connection, view)
            if row.blob
        ]
    assert len(served) > 20
    assert {place for data in served for place in found_in(data)} == COMMENTS
