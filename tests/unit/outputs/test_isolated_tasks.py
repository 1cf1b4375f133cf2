"""Every task of an isolated process can be called: its function is there, and its types can be checked."""

from __future__ import annotations

from importlib import import_module
from inspect import Parameter, signature
from typing import Any, get_type_hints

import pytest

from comparator.outputs.isolated import main
from comparator.outputs.isolated.messages import adapter
from comparator.outputs.isolated.process import Isolated
from comparator.outputs.isolated.results import Extraction
from comparator.outputs.limits import Limits


@pytest.mark.parametrize("task", main.TASKS)
def test_what_a_task_takes_and_gives_can_be_checked(task: str) -> None:
    module, _, name = main.TASKS[task].partition(":")
    function = getattr(import_module(f"comparator.outputs.{module}"), name)
    types = get_type_hints(function)
    parameters = signature(function).parameters

    assert types.keys() == {*parameters, "return"}
    for parameter in parameters.values():
        assert parameter.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    for name, each in parameters.items():
        if each.default is Parameter.empty:
            adapter(types[name])


def test_limits_reach_a_task_under_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(data: bytes, most: Limits) -> Extraction:
        return Extraction(text=data.decode(), pages=most.pages)

    monkeypatch.setattr("comparator.outputs.extract.markup.read_text", read)
    limits = Limits(pages=7).model_dump()

    answers = list(main.answered("text", seconds=10, limits=limits, payload={"data": b"words"}))

    assert answers == [("begun", None), ("item", Extraction(text="words", pages=7)), ("done", None)]


@pytest.mark.parametrize(
    "payload", [{"dota": b"words"}, {}, {"data": b"words", "more": 1}, {"data": {"no": "bytes"}}]
)
def test_a_payload_that_a_task_does_not_take_is_our_fault_and_no_damaged_file(
    payload: dict[str, Any],
) -> None:
    with Isolated() as process:
        with pytest.raises(TypeError, match="text: "):
            process.call("text", Extraction, **payload)
        assert process.extract("text", b"words").text == "words"
