"""Checks that take too long: they are refused or ended, and named."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

import pytest

from comparator.domain.errors import InputError
from comparator.outputs.examine.lines import count_in
from comparator.settings import Settings
from comparator.store.pairs.checks import Check
from comparator.workflow.projects import checks
from comparator.workflow.projects.checks import add_check, check_some, checks_of, left_to_check
from comparator.workflow.services import Services
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World


@pytest.fixture
def project(world: World) -> str:
    return Experiment(world, iterations=1, tasks_of=2, reviewed=False).build().project


@pytest.fixture
def services(world: World) -> Services:
    return Services(settings=Settings(), database=world.database, blobs=world.blobs)


def added(services: Services, project: str, name: str, pattern: str) -> Check:
    return add_check(services, project, name=name, pattern=pattern, is_regex=True, match_case=True)


def seconds_go_by(monkeypatch: pytest.MonkeyPatch, clock: Callable[[], float]) -> None:
    """Let the clock of checks be this one."""
    monkeypatch.setattr(checks, "count_in", partial(count_in, clock=clock))


def test_a_check_that_reaches_its_limit_is_ended_and_named_and_others_go_on(
    services: Services, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    added(services, project, "Endless", "(a+)+$")
    outputs = left_to_check(services, project)
    with monkeypatch.context() as slow:
        # Each look at the clock finds it a second later.
        seconds_go_by(slow, count().__next__)
        assert check_some(services, project)
    added(services, project, "Runs", r"Run \d")

    while check_some(services, project):
        pass

    told = {each.name: each.problem for each in checks_of(services, project)}
    assert told == {
        "Endless": "“(a+)+$” took longer than 0.5 s on one output, so the check was ended.",
        "Runs": None,
    }
    assert outputs == 4
    assert left_to_check(services, project) == 0


def test_a_pattern_that_takes_too_long_on_a_hard_text_is_refused_and_named(
    services: Services, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds_go_by(monkeypatch, count().__next__)

    with pytest.raises(InputError, match=r"“\(a\+\)\+\$” takes longer than 0\.5 s on a text of"):
        added(services, project, "Endless", "(a+)+$")

    assert checks_of(services, project) == ()
