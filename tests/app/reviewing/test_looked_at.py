"""The review page shows what a judge with tools looked at."""

import asyncio
from pathlib import Path

import pandas as pd
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Order
from comparator.domain.pair.examination import Extent, FileAttention, LookedAt, ToolCall
from comparator.domain.scoring.judgment import Tools
from comparator.domain.scoring.repetitions import RULE
from comparator.ui.review import parts
from comparator.workflow.judging.pair_reader import judge_comparison
from comparator.workflow.review.sheet import ReadingWithTools
from comparator.workflow.services import Services
from tests.app.conftest import open_page, unjudged
from tests.loopback import players
from tests.loopback.server import LoopbackServer
from tests.worlds.judging.model_judge import judge_at

HOSTILE = "![x](http://192.0.2.1/a.png)"


def _reading(order: Order, problem: str | None = None) -> ReadingWithTools:
    call = ToolCall(
        tool="search", arguments={"text": HOSTILE}, size=1_234, tokens=411, seconds=0.02, digest="a" * 64
    )
    files = (
        FileAttention(place="A", file="plan.md", extent=Extent.WHOLLY, calls=1),
        FileAttention(place="B", file="plan.md", extent=Extent.NEVER),
    )
    return ReadingWithTools(
        order=order, repetition=0, looked_at=LookedAt(calls=(call,), files=files), problem=problem,
        requests=2, tokens=1_000, cached_tokens=600,
    )  # fmt: skip


def test_each_file_is_told_as_seen_wholly_in_part_or_never_and_each_call_with_its_hash() -> None:
    readings = (_reading(Order.A_FIRST), _reading(Order.B_FIRST, "It came to no verdict."))

    files = parts._files(readings)
    call = parts._call(1, readings[0].looked_at.calls[0])

    assert isinstance(files, pd.DataFrame)
    assert files["1. A first"].tolist() == ["wholly, 1 call", "never"]
    assert list(files.columns) == ["Of", "File", "1. A first", "2. B first, failed"]
    assert call["Asked for"] == f"text “{HOSTILE}”"
    assert (call["Tool"], call["Bytes"], call["Seconds"], call["sha256"]) == ("search", 1_234, 0.02, "a" * 12)
    assert "60% of them from a cache" in parts._caption(readings[0])
    assert "It came to no verdict." in parts._caption(readings[1])
    unknown = readings[0].model_copy(update={"tokens": 0, "cached_tokens": 0})
    assert parts._caption(unknown) == "A first: 1 call, 2 requests, 0 tokens."


def test_the_review_page_shows_the_calls_of_a_stored_reading_and_the_rule_it_was_read_by(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    comparison_id = unjudged(services, pair)

    async def judge() -> None:
        with LoopbackServer(player=players.careful) as server:
            one = judge_at(server, tools=Tools.ALWAYS)
            try:
                outcome = await judge_comparison(services, one, comparison_id, repetitions="auto")
            finally:
                await one.close()
        assert outcome.complete, outcome.problem

    asyncio.run(judge())

    open_page(app, "review", c=comparison_id)

    assert not app.exception
    (shown,) = [each for each in app.expander if each.label.startswith("What the judge looked at")]
    files, *calls = [frame.value for frame in shown.dataframe]
    assert "6 calls" in shown.label
    assert files["File"].tolist() == ["report.md", "report.md"]
    assert files["Of"].tolist() == ["A", "B"]
    assert set(files.columns[2:]) in ({"1. A first", "2. B first"}, {"1. B first", "2. A first"})
    assert [frame["Tool"].tolist() for frame in calls] == [["list", "compare", "search"]] * 2
    assert all(set(frame["Result"]) == {"answered"} for frame in calls)
    (about,) = [each for each in app.expander if each.label == "About the judgment"]
    assert f"readings: 2. Rule: {RULE}" in "\n".join(str(text.value) for text in about.text)
