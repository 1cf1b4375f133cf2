"""The review page shows what a judge with tools looked at."""

from __future__ import annotations

import pandas as pd
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Order
from comparator.domain.pair.examination import Extent, FileAttention, LookedAt, ToolCall
from comparator.ui.review import looked_at
from comparator.workflow.review.looked_at import ReadingWithTools

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

    files = looked_at._files(readings)
    call = looked_at._call(1, readings[0].looked_at.calls[0])

    assert isinstance(files, pd.DataFrame)
    assert files["1. A first"].tolist() == ["wholly, 1 call", "never"]
    assert list(files.columns) == ["Of", "File", "1. A first", "2. B first, failed"]
    assert (call["Tool"], call["Bytes"], call["Seconds"], call["sha256"]) == ("search", 1_234, 0.02, "a" * 12)
    assert "60% of them from a cache" in looked_at._told(readings[0])
    assert "It came to no verdict." in looked_at._told(readings[1])


def test_a_judge_without_tools_has_no_such_part() -> None:
    def page() -> None:
        from types import SimpleNamespace
        from typing import Any

        from comparator.ui.review.looked_at import what_the_judge_looked_at

        sheet: Any = SimpleNamespace(judge=SimpleNamespace(examined=None))
        what_the_judge_looked_at(sheet)

    shown = AppTest.from_function(page).run()

    assert not shown.exception
    assert not shown.expander
