"""A pair to review."""

import pytest

from tests.worlds.workbench import Workbench


@pytest.fixture
def judged(workbench: Workbench) -> str:
    """A judged comparison."""
    comparison_id = workbench.submitted()
    assert workbench.judged(comparison_id).complete
    return comparison_id
