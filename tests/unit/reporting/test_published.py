"""What others published stands beside each set that can be read, with where it was published."""

from __future__ import annotations

import pytest

from comparator.reporting.trust.published import figures_on, published
from comparator.workflow.importing.request import SETS


@pytest.mark.parametrize("name", SETS.values())
def test_every_set_that_can_be_read_has_figures_of_others_with_their_source(name: str) -> None:
    found = figures_on(f"{name} some file")

    assert found
    for each in found:
        assert each.source.startswith("https://") or "https://" in each.source
        figures = [
            value for value in (each.mean, each.both, each.consistent, each.verdict) if value is not None
        ]
        assert figures
        assert all(0 < value < 1 for value in figures)


def test_figures_of_a_part_stand_beside_that_part_only() -> None:
    parts = {each.part for each in published() if each.set == "LLMBar" and each.part}

    assert parts == {"Natural", "Neighbor", "GPTInst", "GPTOut", "Manual"}
    for part in parts:
        assert {each.part for each in figures_on(f"LLMBar {part.lower()}")} == {part, ""}
    assert {each.part for each in figures_on("LLMBar of ours")} == {""}
    assert figures_on("Our own") == ()
