"""Stated confidence is calibrated for each version of a judge and each project by itself."""

from __future__ import annotations

import pytest

from comparator.reporting.tally import refresh, versions
from comparator.reporting.trust.confidence import probability
from comparator.store.core.ids import new_id
from comparator.store.core.unit import Unit
from comparator.store.people import projects
from tests.worlds.histories.pairs import World


def count(world: World, project_id: str, *, version: str, same: int, other: int) -> None:
    """Blind reviews that named the winner of this version, or another one, where it stated 80%."""
    said = {"same": same, "other": other}
    with world.database.write() as connection:
        refresh.add(
            connection,
            project_id,
            {(versions.STATED, "", f"anthropic|m|{version}|80|{what}"): n for what, n in said.items()},
        )


def test_neither_another_version_nor_another_project_has_a_part_in_it(world: World) -> None:
    refresh.bring_up(world.database)
    with world.database.write() as connection:
        elsewhere = projects.ensure_project(Unit(connection, at=world.now(), new_id=new_id), "Elsewhere").id
    here = world.project.id
    count(world, here, version="good", same=54, other=6)
    count(world, here, version="poor", same=18, other=42)
    count(world, here, version="new", same=49, other=0)
    count(world, elsewhere, version="good", same=30, other=30)

    def said(version: str, project_id: str = here) -> float | None:
        return probability(world.database, project_id, version=version, stated=80)

    assert said("good") == pytest.approx(0.9, abs=0.02)
    assert said("poor") == pytest.approx(0.3, abs=0.02)
    assert said("good", elsewhere) == pytest.approx(0.5, abs=0.02)
    # One review short of what it takes, whatever other versions have.
    assert said("new") is None
