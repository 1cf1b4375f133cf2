"""Examples with a stored judgment show rationale, quotes and both orders without a key."""

import json
import shutil
from pathlib import Path

import pytest

from comparator.bootstrap import open_services
from comparator.domain.errors import InputError
from comparator.judges.stored import MODEL, StoredJudge
from comparator.settings import Settings
from comparator.store.facts.fact import Status
from comparator.store.judging import judgments
from comparator.store.pairs import comparison_list
from comparator.workflow.examples import load_examples
from comparator.workflow.people.people import local_person
from comparator.workflow.review.sheet import read_sheet

EXAMPLES = Path(__file__).parents[4] / "examples"
QUOTES = {
    "booking-form": 14,
    "duration-package": 18,
    "incident-report": 18,
    "invoice-extraction": 18,
    "repair-cafe-page": 14,
    "workshop-budget": 12,
}
JUDGED = sorted(QUOTES)


@pytest.mark.slow
def test_the_examples_have_rationale_quotes_and_both_orders(tmp_path: Path) -> None:
    assert sorted(path.parent.name for path in EXAMPLES.glob("*/task.json")) == JUDGED
    services = open_services(Settings(home=tmp_path / "home"))
    for name in JUDGED:
        shutil.copytree(EXAMPLES / name, tmp_path / "some" / name)

    load_examples(services, tmp_path / "some")

    with services.database.read() as connection:
        lines = {line.task_key: line for line in comparison_list.page(connection).lines}
        tries = {name: judgments.tries(connection, lines[name].id, judgments.Attempt) for name in JUDGED}
    me = local_person(services).id
    marked = {key: read_sheet(services.by(me), line.id).judge.example for key, line in lines.items()}
    services.close()
    assert marked == dict.fromkeys(JUDGED, True)
    assert {line.status for line in lines.values()} == {Status.TO_REVIEW}
    for name in JUDGED:
        line = lines[name]
        assert line.judge_model == MODEL
        assert (line.quotes_found, line.quotes_total) == (QUOTES[name], QUOTES[name])
        first, second = (each.answer for each in tries[name])
        assert first is not None
        assert second is not None
        assert first.criteria != second.criteria, "the two orders differ somewhere"
        for answer in (first, second):
            assert answer.reasoning.startswith("Example judgment, written for this project.")
            assert all(mark.rationale for both in answer.criteria.values() for mark in (both.A, both.B))
    assert [name for name in JUDGED if not lines[name].position_consistent] == ["repair-cafe-page"]


@pytest.mark.parametrize(
    ("change", "told"), [({"readings": {}}, "has no answer in the order"), ({"rubric": {}}, "cannot be read")]
)
def test_a_damaged_judgment_is_told_by_its_file(change: dict[str, object], told: str, tmp_path: Path) -> None:
    stored = json.loads((EXAMPLES / JUDGED[0] / "judgment.json").read_text())
    (tmp_path / "judgment.json").write_text(json.dumps(stored | change))

    with pytest.raises(InputError, match=told):
        StoredJudge(tmp_path / "judgment.json")
