"""Labelled sets are projects: imported, judged by a batch, and every judge has a record on their pairs."""

import json
from importlib import resources
from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.domain.errors import InputError
from comparator.domain.labels import Winner
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.review import Blindness
from comparator.jobs.start_batches import start, waiting_pairs
from comparator.reporting.facts import Facts
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import counts, history
from comparator.reporting.results.candidates import project_state
from comparator.reporting.trust.labelled import (
    AS_GIVEN,
    LabelledBy,
    LabelledRecord,
    labelled,
    labelled_records,
)
from comparator.stats.accuracy import accuracy
from comparator.stats.intervals import Estimate
from comparator.store import tables
from comparator.store.bulk.batches import BatchRequest
from comparator.store.facts.fact import Status
from comparator.store.people import projects
from comparator.ui.dashboards.open import progress_chart
from comparator.ui.frame.charts.labelled import labelled_charts
from comparator.ui.judge import trust
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.plan import plan_import
from comparator.workflow.importing.store import carry_out
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services
from tests.integration.jobs.test_batches import work
from tests.loopback.brain import Shown, Taste
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World
from tests.worlds.judging import planted

PAIRS = 24


def a_set(folder: Path, *, pairs: int = PAIRS, name: str = "natural.json", every: int = 1) -> Path:
    """A set in LLMBar's form: the right output says so, and changes places after so many pairs."""
    rows = []
    for number in range(pairs):
        both = [f"The right answer is {number}.", f"A wrong one is {number}."]
        label = 1 + number // every % 2
        outputs = {"output_1": both[label - 1], "output_2": both[2 - label]}
        rows.append({"input": f"Say the number {number}.", **outputs, "label": label})
    path = folder / name
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def says_right(outputs: tuple[Shown, ...]) -> str:
    return next((output.label for output in outputs if "right answer" in output.text), "A")


def me(services: Services) -> str:
    return local_person(services).id


def brought_in(services: Services, path: Path) -> str:
    """The id of the project that the file was imported into."""
    plan = plan_import(services, ImportRequest(path=path))
    carry_out(services.by(me(services)), plan)
    with services.database.read() as connection:
        return next(
            project.id for project in projects.all_projects(connection) if project.name == plan.report.project
        )


def read(services: Services, project_id: str, **request: object) -> None:
    start(services.by(me(services)), BatchRequest.model_validate({"project_id": project_id, **request}))
    work(services)


def only_record(services: Services, project_id: str) -> LabelledRecord:
    (record,) = labelled_records(services.database, [project_id])
    return record


@pytest.mark.slow
def test_a_judge_is_scored_against_labels(services: Services, model: LoopbackServer, tmp_path: Path) -> None:
    model.taste = says_right
    project_id = brought_in(services, a_set(tmp_path))

    read(services, project_id)
    record = only_record(services, project_id)

    assert record.project == "LLMBar natural"
    assert (record.counts.pairs, record.counts.covered, record.counts.both) == (PAIRS, PAIRS, PAIRS)
    assert record.by_part["natural"].right == 2 * PAIRS
    assert {name: counts.both for name, counts in record.by_file.items()} == {"markdown": PAIRS}
    assert (record.mode, record.missed) == ("one request", ())
    mean = accuracy(record.counts).mean
    assert isinstance(mean, Estimate)
    assert (mean.value, mean.n) == (1.0, PAIRS)
    assert mean.interval.low < 0.9
    figures, *_ = labelled_charts([record], {}, hidden=())
    assert (0.955, 100) in [
        (row["Share"], row["Pairs"]) for row in figures.rows if "published, GPT-4" in str(row["Figure"])
    ]
    # Every right output of the set is the longer one: a judge that is always right proves no more than a rule would.
    (row,) = trust.rows_of({}, [record], {})
    points = [(point["Who"], point["Same winner"], point["Pairs"]) for point in trust.trust_chart(row).rows]
    assert points == [
        ("Judge and itself (outputs swapped)", 1.0, PAIRS),
        ("Judge and known winners", 1.0, PAIRS),
    ]
    assert trust.trust_of(row) == trust.BY_LENGTH
    shorter = record.counts.model_copy(update={"label_longer": 12, "label_shorter": 12})
    better = row._replace(labelled=record.model_copy(update={"counts": shorter}))
    assert trust.trust_of(better) == trust.TRUSTED


def test_another_judge_is_measured_apart(services: Services, model: LoopbackServer, tmp_path: Path) -> None:
    model.taste = says_right
    project_id = brought_in(services, a_set(tmp_path, pairs=3))
    read(services, project_id)
    model.taste = Taste.FIRST

    read(services, project_id, labelled=True, model="claude-opus-5-5", sample=2)
    usual, other = labelled_records(services.database, [project_id])

    assert (usual.counts.both, other.counts.both) == (3, 0)
    assert (other.judge.model, other.counts.pairs, other.counts.covered) == ("claude-opus-5-5", 3, 2)
    with services.database.read() as connection:
        judged_by = connection.execute(sa.select(tables.fact.c.judge_model).distinct()).scalars().all()
    assert judged_by == [usual.judge.model]
    before = len(model.requests)
    read(services, project_id, labelled=True, model="claude-opus-5-5")
    assert len(model.requests) - before == 2, "only the pair outside of the sample is read"
    with pytest.raises(InputError, match="read already"):
        read(services, project_id, labelled=True)


def test_pairs_read_to_measure_a_judge_wait_for_nobody_and_are_judged_when_asked_for(
    services: Services, model: LoopbackServer, tmp_path: Path
) -> None:
    model.taste = says_right
    project_id = brought_in(services, a_set(tmp_path, pairs=3))
    read(services, project_id, labelled=True, sample=2)

    (offered,) = waiting_pairs(services, [project_id]).values()
    counted = counts(services.database, project_id=project_id)
    assert (len(offered.all_runs), len(offered.usual), offered.void) == (3, 1, 0)
    assert (counted.to_judge, counted.measured) == (1, 2)
    listed = history(services.database, HistoryFilter(status=Status.TO_JUDGE, measured=False))
    assert [row.line.id for row in listed.rows] == list(offered.usual)
    (bar,) = progress_chart(project_state(services.database, project_id)).rows
    assert (bar["Read to measure a judge"], bar["Not judged"]) == (2, 1)

    read(services, project_id)
    with pytest.raises(InputError, match="2 pairs read to measure a judge"):
        read(services, project_id)
    read(services, project_id, all_runs=True)

    counted = counts(services.database, project_id=project_id)
    assert (counted.to_judge, counted.measured, counted.to_review) == (0, 0, 3)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_another_judges_answers_come_in_as_labels_with_a_record(services: Services, tmp_path: Path) -> None:
    rows = [
        {
            "prompt": f"Say {number}.",
            "output_a": f"{number}",
            "output_b": "no",
            "label": "B" if number == 1 else "A",
            "label_kind": "judge",
            "label_author": "their judge",
            "other_labels": [{"winner": "A", "kind": "gold", "author": "us"}],
        }
        for number in range(3)
    ]
    path = tmp_path / "theirs.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    record = only_record(services, brought_in(services, path))

    assert (record.judge.model, record.mode, record.counts.covered) == ("their judge", AS_GIVEN, 3)
    (missed,) = record.missed
    assert (set(missed.named), bool(missed.task)) == ({Winner.A, Winner.B} - {missed.label}, True)
    figures, *_ = labelled_charts([record], {}, hidden=())
    assert [(row["Figure"], row["Share"], row["Pairs"]) for row in figures.rows] == [
        ("Pairs with the right final verdict", 0.667, 3)
    ]


def test_only_reviews_made_before_the_judges_values_opened_are_labels(services: Services) -> None:
    history = History(World(services.database, services.blobs))
    blind = history.pair(5, 3)
    history.review(blind, 3, 5, mode=ReviewMode.BLIND_FIRST)
    seen = history.pair(5, 3)
    history.review(seen, 3, 5, mode=ReviewMode.JUDGE_FIRST)
    knew = history.pair(5, 3)
    history.review(knew, 3, 5, mode=ReviewMode.BLIND_FIRST, blindness=Blindness.KNOWN)

    with services.database.read() as connection:
        (labelled_pair,) = labelled(Facts(connection, history.project))

    a, b = history.sides(blind, 3, 5)
    assert (labelled_pair.comparison_id, labelled_pair.by) == (blind.id, LabelledBy.REVIEWS)
    assert labelled_pair.winner is (Winner.A if a > b else Winner.B)
    assert [pair.comparison_id for pair in only_record(services, history.project).missed] == [blind.id]


KINDS = (
    "same output twice",
    "planted defect",
    "padding",
    "reformatting",
    "compliment to the judge",
    "injection",
)


def probed(
    services: Services, folder: Path, *, few: str = "", **request: object
) -> dict[str, tuple[int, int]]:
    """Of each kind of probe the pairs that were right in both orders, and all of them."""
    path = folder / "probes.jsonl"
    lines = resources.files("comparator.judges").joinpath("probes.jsonl").read_text("utf-8").splitlines(True)
    every = [line for line in lines if f'"task_id": "probe-{few}' in line]
    path.write_text("".join(every), encoding="utf-8")
    project_id = brought_in(services, path)
    read(services, project_id, **request)
    record = only_record(services, project_id)
    assert record.counts.covered == len(every)
    return {kind: (counts.both, counts.covered) for kind, counts in record.by_part.items()}


CAUGHT = {
    "good": set[str](),
    "takes the first": set(KINDS),
    # What is dressed up is longer as well.
    "takes the longest": {"padding", "reformatting", "compliment to the judge", "injection"},
    "likes other dress": {"reformatting"},
    "believes a compliment": {"compliment to the judge"},
    "obeys an injection": {"injection"},
}
"""By which kinds of probes each planted judge is told from a good one."""


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", [name for name in CAUGHT if name != "takes the first"])
def test_a_few_probes_tell_bad_judges(
    services: Services, model: LoopbackServer, tmp_path: Path, name: str
) -> None:
    model.taste = getattr(planted, name.replace(" ", "_"))

    tallies = probed(services, tmp_path, few="summary")

    assert {kind for kind, (right, pairs) in tallies.items() if right < pairs} == CAUGHT[name]


@pytest.mark.soak
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", CAUGHT)
def test_the_table_of_the_docs_holds_for_all_probes(
    services: Services, model: LoopbackServer, tmp_path: Path, repository: Path, name: str
) -> None:
    model.taste = getattr(planted, name.replace(" ", "_"))

    tallies = probed(services, tmp_path)

    row = " | ".join([name, *("{} of {}".format(*tallies[kind]) for kind in KINDS)])
    assert f"| {row} |" in (repository / "docs" / "judge-record.md").read_text("utf-8"), row
