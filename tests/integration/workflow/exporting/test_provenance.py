"""The provenance names the version of the guidance that a judgment was made with."""

import json
from typing import Any

from comparator.workflow.exporting.comparison_json import provenance_json
from comparator.workflow.services import Services
from tests.worlds.histories.pairs import JudgeId, World

GUIDED = JudgeId(digest="2" * 64, guidance=3)


def provenance(services: Services, comparison_id: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(provenance_json(services, comparison_id))
    return found


def test_the_provenance_names_the_guidance_of_the_judgment_that_holds(
    world: World, services: Services
) -> None:
    comparison = world.compare()
    world.judge(comparison, judge=JudgeId(digest="1" * 64, guidance=2))
    world.judge(comparison, judge=GUIDED)

    found = provenance(services, comparison.id)

    assert found["guidance"] == [3]
    assert [each.get("guidance") for each in found["attempts"]] == [2, 2, 3, 3]
