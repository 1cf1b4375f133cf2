"""What was set aside is judged after all at a click: searched for names, shown, and judged anew."""

import pytest
import sqlalchemy as sa

from comparator.domain.errors import InputError
from comparator.store import tables
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparisons
from comparator.workflow.judging.rubrics import blinded_pair
from comparator.workflow.review.review import record
from comparator.workflow.submit.set_up import take_back
from tests.worlds.workbench import Workbench

ABOUT_ITSELF = "The subagent zebrafinch-prompt ran for 12 turns and found 3 rows."


def set_up(workbench: Workbench) -> str:
    pair = workbench.pair()
    workbench.file("with_skill/outputs/summary.md", ABOUT_ITSELF)
    workbench.file("with_skill/outputs/metrics.json", '{"turns": 12}')
    return workbench.submitted(pair)


def judged_text(workbench: Workbench, comparison_id: str, name: str) -> str:
    with workbench.services.database.read() as connection:
        pair = blinded_pair(workbench.services, connection, comparisons.get(connection, comparison_id))
    return "\n".join(file.text for file in pair.outputs.A.files if file.name == name)


def status(workbench: Workbench, comparison_id: str) -> Status:
    with workbench.services.database.read() as connection:
        row = connection.execute(
            sa.select(tables.fact).where(tables.fact.c.comparison_id == comparison_id)
        ).one()
    return Status(row.status)


def set_aside(workbench: Workbench, comparison_id: str) -> tuple[str, ...]:
    return workbench.sheet(comparison_id).aside_of_both


def test_a_file_is_judged_after_all_without_the_name_in_it(workbench: Workbench) -> None:
    id = set_up(workbench)
    (metrics, summary) = sorted(set_aside(workbench, id))
    assert judged_text(workbench, id, "summary.md") == ""

    take_back(workbench.me, id, (summary,))

    assert set_aside(workbench, id) == (metrics,)
    text = judged_text(workbench, id, "summary.md")
    assert "ran for 12 turns" in text
    assert "zebrafinch" not in text

    take_back(workbench.me, id, (metrics,))
    assert set_aside(workbench, id) == ()
    assert judged_text(workbench, id, "summary.md") == text


def test_the_pair_waits_for_its_judge_again(workbench: Workbench) -> None:
    id = set_up(workbench)
    assert workbench.judged(id).complete
    assert status(workbench, id) == Status.TO_REVIEW

    take_back(workbench.me, id, set_aside(workbench, id))

    assert status(workbench, id) == Status.TO_JUDGE
    assert workbench.judged(id).complete


def test_what_is_not_set_aside_or_comes_too_late_is_refused(workbench: Workbench) -> None:
    id = set_up(workbench)
    with pytest.raises(InputError, match="This file is not set aside here"):
        take_back(workbench.me, id, ("report.md",))

    assert workbench.judged(id).complete
    change = workbench.change("winner", "B")
    record(workbench.me, id, (change,))
    with pytest.raises(InputError, match="its review has begun"):
        take_back(workbench.me, id, set_aside(workbench, id))
