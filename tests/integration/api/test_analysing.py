"""The analysis of two candidates: which pairs it reads."""

import pytest

from comparator.api import analysing
from comparator.api.analysing import analysis
from comparator.reporting.scope import Verdicts
from comparator.workflow.services import Services
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import World


@pytest.fixture
def losing(world: World) -> History:
    """The new candidate wins 3 pairs by much, ties 1 and loses 6, of which 3 narrowly."""
    history = History(world)
    for number, (new, old) in enumerate([(5, 1)] * 3 + [(3, 3)] + [(3, 4)] * 3 + [(1, 5)] * 3):
        history.task(f"Task {number}")
        history.pair(new, old)
    history.reveal()
    return history


def lost_ids(history: History) -> set[str]:
    return {each.id for each in history.made[4:]}


def test_the_pairs_that_the_loser_lost_are_read_from_either_side(
    services: Services, losing: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    for old_first in (False, True):
        names = (OLD, NEW) if old_first else (NEW, OLD)
        asked = losing.asked(Verdicts.JUDGE, old_first=old_first)
        found = analysis(services, asked, names)

        assert lost_ids(losing) == set(found.pairs)
        assert (found.winner, found.loser_skill) == (OLD, NEW)
        assert found.reasoning == f"{OLD} won 6 of 10 pairs against {NEW}, lost 3 and tied 1."

        monkeypatch.setattr(analysing, "MOST", 4)
        some = analysis(services, asked, names)
        assert set(some.pairs) < lost_ids(losing)
        assert some.reasoning.endswith(f" Of the 6 pairs that {NEW} lost, 4 were read, drawn by chance.")
        monkeypatch.undo()
