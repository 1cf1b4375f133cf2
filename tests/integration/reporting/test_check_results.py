"""What checks found is told by comparison, for both outputs, and only by checks that have looked."""

from __future__ import annotations

from comparator.domain.labels import PerOutput
from comparator.reporting.history.check_results import check_results
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import history
from comparator.settings import Settings
from comparator.workflow.projects.checks import add_check, check_some
from comparator.workflow.services import Services
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World


def test_each_check_that_has_looked_tells_how_often_it_found_it_in_both_outputs(world: World) -> None:
    past = History(world)
    pair = past.pair(5, 3)
    services = Services(settings=Settings(), database=world.database, blobs=world.blobs)

    def check(name: str, pattern: str) -> None:
        add_check(
            services,
            past.project,
            name=name,
            pattern=pattern,
            is_regex=True,
            match_case=True,
            person_id=None,
        )

    check("Nothing", "zebrafinch")
    check("Lines", r"(?m)^.+$")
    while check_some(services, past.project):
        pass
    check("Has not looked", "a")
    rows = history(world.database, HistoryFilter()).rows

    found = check_results(world.database, rows)

    assert list(found) == [pair.id]
    assert [each.name for each in found[pair.id]] == ["Lines", "Nothing"]
    lines, nothing = (each.found for each in found[pair.id])
    assert nothing == PerOutput[int | None](A=0, B=0)
    assert lines.A
    assert lines.B
    assert check_results(world.database, ()) == {}
