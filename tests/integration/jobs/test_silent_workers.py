"""When a worker counts as dead, and the money that it set aside on a machine that nobody can ask any more."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from comparator.domain.scoring.judgment import JudgeState
from comparator.store.bulk import leases
from comparator.store.bulk.leases import STALE_AFTER, LeaseKind
from comparator.store.core.sql import Unit, new_id
from comparator.store.judging import budgets
from comparator.workflow.judging import registry
from comparator.workflow.judging.asking import progress_of
from comparator.workflow.services import Services
from tests.worlds.histories.pairs import World

GONE, FRESH, BEATING = (f"container-{name}:1:x" for name in ("gone", "fresh", "beating"))
AWAY = budgets.AT_PROVIDER


@pytest.fixture
def set_aside(world: World, services: Services) -> None:
    """A dollar set aside by each; one of them is among the workers, and one is a provider."""
    with world.write() as unit:
        budgets.ensure_whole(unit, ceiling=Decimal(10))
        for worker in (GONE, BEATING, AWAY):
            budgets.reserve(unit, budgets.WHOLE, new_id(), Decimal(1), worker=worker)
        leases.join(unit, BEATING)


def whole(world: World) -> tuple[int, int]:
    """How many dollars are set aside, and how many spent."""
    with world.database.read() as connection:
        found = budgets.get(connection, budgets.WHOLE)
    return int(found.reserved), int(found.spent)


@pytest.mark.usefixtures("set_aside")
def test_what_a_machine_that_is_gone_had_set_aside_is_settled_and_nothing_of_the_living(
    world: World, services: Services
) -> None:
    assert whole(world) == (3, 0)

    with world.write() as unit:
        registry.join(unit, registry.new_worker_id(services))

    assert whole(world) == (2, 1)
    with world.database.read() as connection:
        left = {one.worker for one in budgets.get(connection, budgets.WHOLE).reservations.values()}
    assert left == {BEATING, AWAY}


@pytest.mark.parametrize(
    ("silent", "alive"), [(STALE_AFTER - timedelta(microseconds=1), True), (STALE_AFTER, False)]
)
def test_all_who_ask_agree_whether_a_worker_is_alive(
    world: World, services: Services, silent: timedelta, *, alive: bool
) -> None:
    id, now = world.compare().id, services.now()
    beat_at = now - silent
    later = replace(services, now=lambda: now)
    with world.database.write() as connection:
        leases.join(Unit(connection, at=beat_at), BEATING)
        leases.take(Unit(connection, at=beat_at), LeaseKind.PAIR, (id,), worker=BEATING)

    with world.database.write() as connection:
        counted = registry.number(later, connection)
        state = progress_of(connection, id, now=now).state
        taken_over = id in leases.take(Unit(connection, at=now), LeaseKind.PAIR, (id,), worker=FRESH)
        registry.release_dead_workers(Unit(connection, at=now), FRESH)
        entered = bool(leases.entered(connection))

    assert leases.is_alive(beat_at, at=now) is alive
    assert (counted, entered) == ((1, True) if alive else (0, False))
    assert (state is JudgeState.RUNNING) is alive
    assert taken_over is not alive
