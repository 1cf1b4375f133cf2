"""Checks: a pattern takes linear time whatever it is, and one that cannot be read is refused."""

import pytest

from comparator.domain.errors import InputError
from comparator.outputs.examine.lines import Pattern, count_in
from comparator.store.pairs.checks import Check
from comparator.workflow.projects.checks import add_check, check_some, checks_of, outputs_left
from comparator.workflow.services import Services
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World

HARD = ("a" * 79 + "!\n") * 2_500
"""As much as a judge is given of an output, on which nested patterns take longest."""


@pytest.fixture
def project(world: World) -> str:
    return Experiment(world, iterations=1, tasks_of=2, reviewed=False).build().project


def added(services: Services, project: str, name: str, pattern: str) -> Check:
    return add_check(services, project, name=name, pattern=pattern, is_regex=True, match_case=True)


def test_each_check_looks_at_every_output_once(services: Services, project: str) -> None:
    added(services, project, "Nested", "(a+)+$")
    added(services, project, "Runs", r"Run \d")
    assert outputs_left(services, project) == 4

    while check_some(services, project):
        pass

    assert outputs_left(services, project) == 0


def test_a_pattern_that_cannot_be_read_is_refused(services: Services, project: str) -> None:
    with pytest.raises(InputError, match="follows RE2"):
        added(services, project, "Looking ahead", "a(?=b)")

    assert checks_of(services, project) == ()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+b", "(.*a){20}b", "(?:a?){50}a{50}", ".*.*.*.*.*="])
def test_no_pattern_goes_on_without_end(pattern: str) -> None:
    assert count_in([HARD], Pattern(pattern, regex=True, match_case=False)) in (0, 1, 2_500)
