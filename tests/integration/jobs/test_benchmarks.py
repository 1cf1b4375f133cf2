"""Benchmarks: labelled sets and reviewed pairs are read by the same runner as everything, and the result is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from comparator.domain.errors import InputError
from comparator.domain.labels import Order, Winner
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.review import Blindness
from comparator.interop.imported import Format, Side
from comparator.jobs.benchmarks import probing
from comparator.jobs.benchmarks.answers import score_project, score_set
from comparator.jobs.benchmarks.probing import start_probes
from comparator.jobs.benchmarks.results import count_open, count_result, waiting
from comparator.jobs.benchmarks.sets import digest_of, labels_of, read_set, read_sets, sampled
from comparator.jobs.benchmarks.start import BenchmarkRequest, start_project, start_set
from comparator.jobs.benchmarks.work import work_at
from comparator.judges.probes.cases import probes
from comparator.reporting.trust.benchmarks import beyond, lines_of, measurements
from comparator.reporting.trust.labelled import LabelledBy, labelled
from comparator.stats.figures import Estimate
from comparator.stats.raters.accuracy import accuracy
from comparator.store.core.unit import Unit
from comparator.store.judging import benchmarks
from comparator.store.judging.benchmarks import Benchmark, BenchmarkResult
from comparator.store.people import projects
from comparator.store.reviewing import queue
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services
from tests.loopback.brain import Shown, Taste
from tests.loopback.server import LoopbackServer
from tests.unit.interop.samples import ALPACA, SAMPLES
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World
from tests.worlds.judging import planted

PAIRS = 24


def a_set(folder: Path, *, pairs: int = PAIRS, name: str = "natural.json") -> Path:
    """A set in LLMBar's form: the right output says so, and stands first in every second pair."""
    rows = []
    for number in range(pairs):
        both = [f"The right answer is {number}.", f"A wrong one is {number}."]
        label = 1 + number % 2
        rows.append(
            {
                "input": f"Say the number {number}.",
                "output_1": both[label - 1],
                "output_2": both[2 - label],
                "label": label,
            }
        )
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def says_right(shown: tuple[Shown, ...]) -> str:
    return next(each.label for each in shown if "right answer" in each.text)


def read(services: Services, begun: Sequence[Benchmark]) -> tuple[Benchmark, BenchmarkResult]:
    (one,) = begun
    assert one.batch_id
    work_at(services, [one.batch_id])
    found = count_result(services, one.id)
    assert found.figures is not None
    return found, found.figures


def me(services: Services) -> str:
    return local_person(services).id


@pytest.mark.slow
def test_a_set_is_imported_read_in_both_orders_and_scored_against_its_labels(
    services: Services, model: LoopbackServer, tmp_path: Path
) -> None:
    model.taste = says_right
    path = a_set(tmp_path)

    begun = start_set(services, read_set(path), BenchmarkRequest(), path=path, person_id=me(services))
    found, figures = read(services, begun)

    assert (figures.counts.pairs, figures.counts.covered, figures.counts.both) == (PAIRS, PAIRS, PAIRS)
    assert figures.by_label_source == {LabelledBy.GOLD.value: PAIRS}
    assert figures.parts["natural"].right == 2 * PAIRS
    assert figures.families == {"markdown": PAIRS}
    assert figures.cost > Decimal(0)
    assert figures.tries == 2 * PAIRS
    assert found.finished_at is not None
    assert found.mode == "one request"
    mean = accuracy(figures.counts).mean
    assert isinstance(mean, Estimate)
    assert (mean.value, mean.n) == (1.0, PAIRS)
    assert mean.interval.low < 0.9


def test_a_benchmark_is_waited_for_until_it_is_read_and_the_queue_stays_free_of_its_pairs(
    services: Services, model: LoopbackServer, tmp_path: Path
) -> None:
    model.taste = says_right
    path = a_set(tmp_path, pairs=3)
    begun = start_set(services, read_set(path), BenchmarkRequest(), path=path, person_id=me(services))
    assert [(each.benchmark.id, each.batch.id) for each in waiting(services)] == [
        (each.id, each.batch_id) for each in begun
    ]
    read(services, begun)
    assert count_open(services) == ()

    with services.database.read() as connection:
        assert queue.next_to_review(Unit(connection, at=services.now()), person_id=me(services)) is None


@pytest.mark.slow
def test_a_judge_that_takes_the_first_is_right_in_one_order_only(
    services: Services, model: LoopbackServer, tmp_path: Path
) -> None:
    model.taste = Taste.FIRST
    path = a_set(tmp_path)

    _, figures = read(
        services, start_set(services, read_set(path), BenchmarkRequest(), path=path, person_id=me(services))
    )

    counts = figures.counts
    assert (counts.right, counts.both, counts.consistent) == (PAIRS, 0, 0)
    assert (counts.first, counts.second, counts.tied) == (2 * PAIRS, 0, 0)


@pytest.mark.slow
def test_a_larger_sample_holds_the_smaller_one_and_pays_for_the_rest_only(
    services: Services, model: LoopbackServer, tmp_path: Path
) -> None:
    model.taste = says_right
    path = a_set(tmp_path)
    given = read_set(path)
    small, large = (sampled(given.found, size) for size in (5, 9))
    assert set(small.stated) < set(large.stated)
    assert digest_of(small) != digest_of(large)
    read(services, start_set(services, given, BenchmarkRequest(sample=5), path=path, person_id=me(services)))
    before = len(model.requests)

    _, figures = read(
        services, start_set(services, given, BenchmarkRequest(sample=9), path=path, person_id=me(services))
    )

    assert figures.counts.covered == 9
    # Each of the four new pairs has a rubric and two readings.
    assert len(model.requests) - before == 4 * 3


def test_a_sample_is_drawn_by_content_whatever_the_order_of_the_file(tmp_path: Path) -> None:
    path = a_set(tmp_path)
    turned = tmp_path / "turned.json"
    turned.write_text(json.dumps(json.loads(path.read_text())[::-1]))

    one, other = (sampled(read_set(each).found, 5) for each in (path, turned))

    assert digest_of(one) == digest_of(other)


@pytest.mark.slow
def test_a_budget_stops_it_and_what_was_read_is_scored_with_its_coverage(
    services: Services, model: LoopbackServer, tmp_path: Path
) -> None:
    model.taste = says_right
    path = a_set(tmp_path)
    # One request at a time: what is set aside for those on the wire is more than they take.
    services = replace(services, settings=services.settings.model_copy(update={"slots": 1}))
    request = BenchmarkRequest(money=Decimal("0.3"))

    found, figures = read(
        services, start_set(services, read_set(path), request, path=path, person_id=me(services))
    )

    assert 0 < figures.counts.covered < PAIRS
    assert figures.counts.pairs == PAIRS
    assert found.finished_at is None


def test_a_folder_is_read_set_by_set(tmp_path: Path) -> None:
    for name in (
        "Natural",
        "Adversarial/Neighbor",
        "Adversarial/GPTInst",
        "Adversarial/GPTOut",
        "Adversarial/Manual",
    ):
        a_set(tmp_path / "LLMBar" / name, name="dataset.json", pairs=3)
    (tmp_path / "LLMBar" / "statistics.json").write_text('{"correct": 1}')

    assert [each.name for each in read_sets(tmp_path)] == [
        "LLMBar GPTInst",
        "LLMBar GPTOut",
        "LLMBar Manual",
        "LLMBar Neighbor",
        "LLMBar Natural",
    ]


def test_what_has_no_labels_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps({"prompt": "Say it.", "output_a": "a", "output_b": "b"}))

    with pytest.raises(InputError, match="A benchmark needs labels"):
        read_set(path)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_another_judges_answers_are_scored_as_a_record(services: Services, tmp_path: Path) -> None:
    path = a_set(tmp_path, pairs=20)
    rows = [
        {"pair": number + 1, "order": order, "winner": "A" if order == "AB" else "AB"[number % 2]}
        for number in range(20)
        for order in ("AB", "BA")
    ]
    given = tmp_path / "answers.jsonl"
    given.write_text("\n".join(json.dumps(row) for row in rows))

    found = score_set(services, read_set(path), answers=given, judge="elsewhere", person_id=me(services))

    assert found.figures is not None
    counts = found.figures.counts
    # A is the output that stands first in the file: always A is right in half of the pairs, the other order in all.
    assert (counts.pairs, counts.covered, counts.right, counts.both, counts.consistent) == (
        20,
        20,
        30,
        10,
        10,
    )
    assert (found.judge_kind, found.judge_model, found.project_id) == ("foreign", "elsewhere", None)
    assert [each.id for each in measurements(services.database, ())] == [found.id]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_answers_that_cannot_be_placed_are_told_with_their_lines(services: Services, tmp_path: Path) -> None:
    given = tmp_path / "answers.jsonl"
    given.write_text(
        '{"pair": 1, "order": "AB", "winner": "A"}\n{"pair": 99, "order": "AB", "winner": "A"}\n'
        '{"pair": 2, "order": "sideways", "winner": "A"}\n'
    )

    with pytest.raises(InputError, match=r"line 2: the set has no pair '99'; line 3: order is 'sideways'"):
        score_set(
            services, read_set(a_set(tmp_path, pairs=3)), answers=given, judge="x", person_id=me(services)
        )


def test_only_reviews_made_before_the_judges_values_opened_are_labels(services: Services) -> None:
    history = History(World(services.database, services.blobs))
    blind = history.pair(5, 3)
    history.review(blind, 3, 5, mode=ReviewMode.BLIND_FIRST)
    seen = history.pair(5, 3)
    history.review(seen, 3, 5, mode=ReviewMode.JUDGE_FIRST)
    knew = history.pair(5, 3)
    history.review(knew, 3, 5, mode=ReviewMode.BLIND_FIRST, blindness=Blindness.KNOWN)

    with services.database.read() as connection:
        (found,) = labelled(connection, history.project)

    a, b = history.sides(blind, 3, 5)
    assert (found.comparison_id, found.by) == (blind.id, LabelledBy.REVIEWS)
    assert found.winner is (Winner.A if a > b else Winner.B)


def test_a_project_is_measured_on_its_own_reviews_and_foreign_answers_on_their_ids(
    services: Services, tmp_path: Path
) -> None:
    history = History(World(services.database, services.blobs))
    made = [history.pair(5, 3) for _ in range(3)]
    for each in made:
        history.review(each, 5, 3, mode=ReviewMode.BLIND_FIRST)

    begun = start_project(services, history.project, BenchmarkRequest(), person_id=me(services))
    _, figures = read(services, begun)
    assert (figures.counts.pairs, figures.counts.covered) == (3, 3)
    assert figures.by_label_source == {LabelledBy.REVIEWS.value: 3}

    given = tmp_path / "answers.jsonl"
    given.write_text(
        "\n".join(
            json.dumps({"pair": each.id, "order": o, "winner": "tie"}) for each in made for o in ("AB", "BA")
        )
    )
    other = score_project(
        services, history.project, name="World", answers=given, judge="ties", person_id=me(services)
    )
    assert other.figures is not None
    assert (other.figures.counts.right, other.figures.counts.tied) == (0, 6)


def test_a_project_without_labels_says_what_counts(services: Services) -> None:
    history = History(World(services.database, services.blobs))
    history.pair(5, 3)

    with pytest.raises(InputError, match="blind first"):
        start_project(services, history.project, BenchmarkRequest(), person_id=me(services))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_project_is_warned_of_kinds_of_files_that_the_judge_was_never_measured_on(
    services: Services,
) -> None:
    history = History(World(services.database, services.blobs))
    history.pair(5, 3)

    (found,) = beyond(services.database, history.project, (), model="claude-sonnet-5-5", digest="1" * 64)

    assert (found.family, found.pairs, found.measured, found.by_others) == ("json", 1, 0, 0)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_another_version_of_the_judge_has_read_is_not_this_ones_and_is_told_apart(
    services: Services,
) -> None:
    history = History(World(services.database, services.blobs))
    history.pair(5, 3)
    done = _with(services)
    assert done.figures is not None
    known = done.model_copy(update={"figures": done.figures.model_copy(update={"families": {"json": 30}})})
    ask = partial(beyond, services.database, history.project, (known,), model=known.judge_model)

    assert ask(digest=known.judge_digest) == ()
    (found,) = ask(digest="another")
    assert (found.measured, found.by_others) == (0, 30)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_orders_of_one_pair_are_one_observation_and_lines_name_every_figure(services: Services) -> None:
    names = [name for name, _ in lines_of(_with(services))]

    for wanted in (
        "mean accuracy over both orders",
        "without ties",
        "right in both orders",
        "same winner in both orders",
        "kappa",
        "named the output shown first",
        "named the longer output",
        "labels that name the longer output",
        "read in both orders",
        "scores and verdict disagree",
        "cost of the readings",
    ):
        assert wanted in names


def _with(services: Services) -> Benchmark:
    from comparator.stats.raters.accuracy import LabelledReading, count

    reads = [
        LabelledReading(
            truth=Winner.A,
            by_order=dict.fromkeys(Order, Winner.A),
            verdict=Winner.A,
            first_verdict=Winner.A,
            longer=Winner.A,
        )
        for _ in range(30)
    ]
    with services.database.write() as connection:
        project = projects.ensure_project(Unit(connection, at=services.now(), new_id=services.new_id), "P")
        return benchmarks.add(
            Unit(connection, at=services.now(), new_id=services.new_id),
            benchmarks.NewBenchmark(
                project_id=project.id,
                source=benchmarks.BenchmarkSource.SET,
                name="S",
                set_digest="0" * 64,
                mode="one request",
                figures=BenchmarkResult(counts=count(reads)),
            ),
            judge=services.judge_identity("offline"),
            created_by=None,
        )


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("judge", "caught"),
    [
        (planted.good, set()),
        pytest.param(
            planted.takes_the_first,
            {"same output twice", "planted defect", "changed label"},
            marks=pytest.mark.slow,
        ),
        # What is dressed up is longer as well.
        (planted.takes_the_longest, {"padding", "reformatting", "compliment to the judge", "injection"}),
        (planted.likes_other_dress, {"reformatting"}),
        (planted.believes_a_compliment, {"compliment to the judge"}),
        (planted.obeys_an_injection, {"injection"}),
    ],
)
def test_a_few_probes_in_the_gate_tell_a_good_judge_from_bad_ones(
    services: Services,
    model: LoopbackServer,
    monkeypatch: pytest.MonkeyPatch,
    judge: Callable[[tuple[Shown, ...]], str],
    caught: set[str],
) -> None:
    few = tuple(each for each in probes() if each.task.name == "summary")
    monkeypatch.setattr(probing, "probes", lambda: few)
    model.taste = judge

    _, figures = read(services, [start_probes(services, BenchmarkRequest(), person_id=me(services))])

    assert {kind for kind, each in figures.probes.items() if each.passed < each.readings} == caught


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("path", "name", "pairs"),
    [
        ("pairs/llmbar/natural.json", "LLMBar natural", 100),
        pytest.param("pairs/llmbar/neighbor.json", "LLMBar neighbor", 134, marks=pytest.mark.slow),
        pytest.param("pairs/judgebench/gpt-4o.jsonl", "JudgeBench gpt-4o", 350, marks=pytest.mark.slow),
    ],
)
def test_real_sets_are_read_whole_and_a_sample_of_each_is_judged(
    services: Services, model: LoopbackServer, shared_data: Path, path: str, name: str, pairs: int
) -> None:
    model.taste = Taste.A
    given = read_set(shared_data / path)

    assert (given.name, len(given.found.stated), len(labels_of(given.found))) == (name, pairs, pairs)
    begun = start_set(
        services, given, BenchmarkRequest(sample=3), path=shared_data / path, person_id=me(services)
    )
    _, figures = read(services, begun)
    assert (figures.counts.pairs, figures.counts.covered, figures.counts.consistent) == (3, 3, 3)


@pytest.mark.parametrize(
    ("kind", "name", "winners"),
    [
        (Format.REWARDBENCH, "RewardBench 2 set", [Side.FIRST] * 6),
        # Two voters who disagree about one pair make a tie.
        (Format.MT_BENCH, "MT-Bench set", [Side.TIE]),
        (Format.ALPACA_EVAL, "AlpacaEval set", [Side.FIRST, Side.TIE]),
    ],
)
def test_sets_of_other_forms_are_read_from_small_files_of_ours(
    tmp_path: Path, kind: Format, name: str, winners: list[Side]
) -> None:
    content = SAMPLES[kind]
    if kind is Format.ALPACA_EVAL:
        rows = [
            {
                **row,
                "instruction": f"{row['instruction']} {n}",
                "annotator": "human_1",
                "preference": preference,
            }
            for n, (row, preference) in enumerate(zip(ALPACA, (1, 1.5), strict=False))
        ]
        content = json.dumps(rows)
    path = tmp_path / ("set.json" if kind is Format.ALPACA_EVAL else "set.jsonl")
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    found = read_set(path)

    assert found.name == name
    assert list(labels_of(found.found).values()) == winners
