"""Every task of the reading child can be called: its function is there, and its types can be checked."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import get_type_hints

import pytest

from comparator.outputs.child import main
from comparator.outputs.child.extraction import Extraction, ReadLimits
from comparator.outputs.child.frames import adapter, framed, value_of
from comparator.outputs.child.process import limits_for
from comparator.outputs.limits import Limits


@pytest.mark.parametrize("task", main.TASKS)
def test_what_a_task_takes_and_gives_can_be_checked(task: str) -> None:
    function = main._function(main.TASKS[task])
    types = get_type_hints(function)
    parameters = signature(function).parameters

    assert types.keys() == {*parameters, "return"}
    for parameter in parameters.values():
        assert parameter.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    wanted = {types[name] for name, each in parameters.items() if each.default is Parameter.empty}
    for kind in wanted | {types["return"]}:
        adapter(kind)


def test_limits_reach_a_task_under_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(data: bytes, most: ReadLimits) -> Extraction:
        return Extraction(text=data.decode(), pages=most.pages)

    monkeypatch.setattr("comparator.outputs.extract.text.read", read)

    (answer,) = main._loaded("text")(framed({"data": b"words"}), limits_for(Limits(pages=7)))

    assert value_of(answer, Extraction) == Extraction(text="words", pages=7)
