"""The Python interface is stable: scripts of others call it by these names and arguments."""

from __future__ import annotations

import inspect

import pytest

from comparator import api
from comparator.api.comparing import ImportOptions

SIGNATURES = {
    "compare": "(a, b, prompt, *, expectations, judge, model, named, quorum, tools, inputs, reference, candidates, "
    "redact, keep, draw, budget, project, out, replace, settings, on_step)",
    "import_workspace": "(path, *, settings, on_step, options)",
    "look_through": "(path, *, settings, on_step, options)",
    "batch": "(project, *, comparisons, name, judge, model, named, quorum, via, priority, labelled, sample, "
    "budget, budget_tokens, settings)",
    "judge_records": "(project, *, settings)",
    "work": "(*, idle_seconds, settings)",
    "results": "(project, *, settings)",
    "show": "(comparison, *, settings)",
    "import_review": "(comparison, result, *, reason, finalise, settings)",
    "reveal": "(project, *, candidates, note, settings)",
    "decide": "(candidate, baseline, *, project, iteration, verdicts, all_runs, settings)",
    "export": "(format, *, project, comparisons, search, tag, reviewed, candidate, scores, why, out, settings)",
}
OPTIONS = [
    "format", "project", "compare", "pairs", "baseline", "iterations", "workspace", "columns", "label_values", "keep",
    "redact", "set_aside", "take_back",
]  # fmt: skip
TYPES = {
    "Decision", "BatchReport", "Comparison", "ImportReport", "Imported", "LabelledRecord",
    "Revealed",
    "Shown",
}  # fmt: skip
RETURNED = {
    "compare": "Done",
    "import_workspace": "Imported",
    "look_through": "ImportReport",
    "batch": "BatchReport",
    "judge_records": "tuple[LabelledRecord, ...]",
    "work": "tuple[BatchReport, ...]",
    "results": "pd.DataFrame",
    "show": "Shown",
    "import_review": "int",
    "reveal": "Revealed",
    "export": "Written",
    "decide": "Decision",
}


def plain(name: str) -> str:
    """The arguments by name; those after the star are given by name only."""
    parts: list[str] = []
    for parameter in inspect.signature(getattr(api, name)).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        parts.append(parameter.name)
    return f"({', '.join(parts)})"


def test_the_options_of_an_import_keep_their_names() -> None:
    assert list(ImportOptions.__annotations__) == OPTIONS


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_a_function_keeps_its_arguments_and_says_what_it_returns(name: str) -> None:
    function = getattr(api, name)

    assert plain(name) == SIGNATURES[name]
    assert inspect.signature(function).return_annotation == RETURNED[name]
    assert "Raises" in (function.__doc__ or "") or name == "work"
    by_name = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    assert all(p.default is not p.empty for p in by_name), "whoever calls it today gives none of them"


def test_nothing_else_is_promised() -> None:
    assert set(api.__all__) == set(SIGNATURES) | TYPES
