"""What judging costs: milliseconds beyond the model's own time, and tokens and dollars a pair, on a loopback server."""

import asyncio
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from bench.figures import Figure, figure
from bench.generator import LINES
from comparator.domain.errors import JudgeError
from comparator.domain.labels import Order
from comparator.domain.pair.examination import ToolLimits
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.judgment import Tools
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.usage import Call
from comparator.judges.prices import cost_of_calls
from comparator.judges.protocol import PassReply, judge_pair
from comparator.judges.tools.examination import Examination
from comparator.judges.tools.material import Material
from comparator.judges.tools.missing_content import needs_tools
from comparator.outputs.preview.child_process import Renderer
from tests.loopback.bulk import model_server
from tests.loopback.overhead import measure as overhead
from tests.loopback.pairs import rubric as plain_rubric
from tests.loopback.players import Verdict, good
from tests.loopback.server import LoopbackServer
from tests.worlds.files.examined import Bench, Files
from tests.worlds.files.needles import Case, hidden_sheet, late_page, sixtieth_file, table_row
from tests.worlds.files.outputs import World
from tests.worlds.judging.judges import judge_at

PAIRS = 30
LATENCY = 0.2
"""Seconds that each answer takes."""
# Two outputs of 200 KB are half a megabyte of JSON in each of two requests.
LIMITS = {2_000: 50.0, 20_000: 50.0, 200_000: 100.0}
Asked = Sequence[tuple[str, dict[str, object]]]
Read = tuple[Material, Rubric, Asked]
"""A pair to be read, with the calls that a careful reader makes where it gets tools."""


def measure() -> Iterator[Figure]:
    """Milliseconds beyond the model's time by size of output; then tokens sent and dollars a pair."""
    with tempfile.TemporaryDirectory() as folder, model_server(Path(folder), latency=LATENCY) as model:
        for size, limit in LIMITS.items():
            took = asyncio.run(overhead(base_url=model.url, pairs=PAIRS, latency=LATENCY, size=size))
            name = f"judging beyond the model's time, outputs of {size // 1000} KB"
            yield figure(name, took["median_ms"], "ms", limit=limit)
    with tempfile.TemporaryDirectory() as folder, closing(Renderer(children=1)) as renderer:
        bench = Bench(World(Path(folder)), renderer)
        needles = _needles(bench, table_row, late_page, sixtieth_file, hidden_sheet)
        # Tokens that were sent for a pair before the form left the prompt and the second order waited for the cache;
        # the share of them that may be left; what a pair may cost where tables are read by their rows.
        for name, pairs, before, share, most_usd in (
            ("20 short pairs", _short(bench), 7_309, 0.75, None),
            ("6 examples", _examples(bench), 13_992, 1.0, None),
            ("8 needle pairs", needles, 530_767, 0.4, None),
            ("2 table pairs", _needles(bench, table_row), None, None, 0.25),
        ):
            read = [asyncio.run(_calls(*pair)) for pair in pairs]
            calls, n = tuple(call for pair in read for call in pair), len(read)
            sent = sum(call.usage.prompt_tokens for call in calls)
            yield figure(f"tokens sent for a pair, {name}", sent / n, "tokens", floor=before, times=share,
                         of="what was sent before")  # fmt: skip
            cost = float(cost_of_calls(calls) or 0) / n
            yield figure(f"cost of a pair, {name}", cost, "USD", limit=most_usd)


def _short(bench: Bench) -> Iterator[Read]:
    for one in map(json.loads, LINES.read_text(encoding="utf-8").splitlines()[:20]):
        a, b = ({one[f"file_{side}"]: one[f"output_{side}"]} for side in "ab")
        yield _read(bench, one, Rubric.model_validate(one["history"]["judgment"]["rubric"]), a, b, {})


def _examples(bench: Bench) -> Iterator[Read]:
    """The pairs that a first start brings."""
    for about in sorted(LINES.parents[1].glob("*/task.json")):
        task, folder = json.loads(about.read_text(encoding="utf-8")), about.parent
        a, b = (
            {str(file.relative_to(folder / side)): file.read_bytes() for file in (folder / side).rglob("*.*")}
            for side in "ab"
        )
        rubric = json.loads((folder / "judgment.json").read_text(encoding="utf-8"))["rubric"]
        inputs = {Path(name).name: (folder / name).read_bytes() for name in task["inputs"]}
        yield _read(bench, task, Rubric.model_validate(rubric), a, b, inputs)


def _read(bench: Bench, task: dict[str, Any], rubric: Rubric, a: Files, b: Files, inputs: Files) -> Read:
    material = bench.material(a, b, inputs=inputs)
    wording = TaskText(prompt=task["prompt"], expectations=tuple(task["expectations"]))
    material.pair = material.pair.model_copy(update={"task": wording})
    return material, rubric, ()


def _needles(bench: Bench, *kinds: Callable[[int], Case]) -> Iterator[Read]:
    for case in (kind(number) for number in (0, 1) for kind in kinds):
        material = bench.material(case.a, case.b, inputs=case.inputs, prompt=case.prompt)
        yield material, plain_rubric(), case.calls


async def _calls(material: Material, rubric: Rubric, model: Asked) -> list[Call]:
    calls: list[Call] = []

    async def stored(_order: Order, _repetition: int, outcome: PassReply | JudgeError) -> None:
        assert isinstance(outcome, PassReply), outcome
        calls.extend(outcome.calls)

    tools = needs_tools(material.pair, Tools.AUTO)
    with LoopbackServer(latency=0.05, player=good(model, lambda _: Verdict())) as server:
        judge = judge_at(server)
        await judge_pair(judge, material.pair, rubric, have=(), repetitions=1, on_done=stored,
                         tools_of=lambda *_: Examination(material, limits=ToolLimits()) if tools else None)  # fmt: skip
        await judge.close()
    return calls
