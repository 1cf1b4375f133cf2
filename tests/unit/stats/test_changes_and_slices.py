"""Steps, turning points and parts that stand out: against scipy and statsmodels, and on histories without any."""

import random
from collections.abc import Callable, Mapping, Sequence

import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests

from comparator.stats.differences import Ended, benjamini_hochberg, chance, fell, levels, mann_whitney, rose


def test_benjamini_and_hochberg_name_what_statsmodels_names() -> None:
    rng = random.Random(1)
    for _ in range(200):
        chances = [rng.random() ** 3 for _ in range(20)]
        expected = multipletests(chances, alpha=0.05, method="fdr_bh")[0]
        assert list(benjamini_hochberg(chances)) == list(expected)


def test_a_step_has_the_t_test_of_scipy_times_the_places_tried() -> None:
    rng = random.Random(2)
    shares = [rng.gauss(0.45, 0.04) for _ in range(19)] + [rng.gauss(0.7, 0.04) for _ in range(13)]

    first, second = levels([None, *shares], pairs=1000)

    assert ((first.at, first.end), (second.at, second.end)) == ((0, 20), (20, 33))
    p = min(float(scipy_stats.ttest_ind(shares[:at], shares[at:]).pvalue) for at in range(2, 31))
    assert second.p == pytest.approx(p * 29)


def test_a_rise_and_a_later_fall_are_two_steps() -> None:
    rng = random.Random(8)
    planted = [0.45] * 18 + [0.72] * 8 + [0.56] * 6

    steps = levels([rng.gauss(share, 0.03) for share in planted], pairs=1000)

    assert [level.at for level in steps] == [0, 18, 26]


def test_a_known_change_ends_a_level_only_if_the_rate_differs_there_and_needs_no_search() -> None:
    rng = random.Random(8)
    shares = [rng.gauss(share, 0.06) for share in [0.5] * 13 + [0.82] * 3 + [0.7] * 16]

    steps = levels(shares, pairs=1000, cuts=[5, 16])

    assert [(level.at, level.end) for level in steps] == [(0, 13), (13, 16), (16, 32)]
    p = float(scipy_stats.ttest_ind(shares[13:16], shares[16:]).pvalue)
    assert steps[2].p == pytest.approx(p)
    assert [level.at for level in levels(shares, pairs=1000)] == [0, 13]
    assert levels([None, None], pairs=1, cuts=[1]) == ()


@pytest.mark.parametrize("pairs", [10, 40])
def test_a_rise_shortly_before_a_known_change_is_told_at_its_own_place(pairs: int) -> None:
    rng = random.Random(7)
    chances = [0.4] * 13 + [0.8] * 19
    histories = [[sum(rng.random() < p for _ in range(pairs)) / pairs for p in chances] for _ in range(100)]

    places = [[level.at for level in levels(shares, pairs=pairs, cuts=[16])] for shares in histories]

    assert sum(16 in own for own in places) <= 5
    assert sum(13 in own for own in places) >= (70 if pairs == 10 else 90)


@pytest.mark.parametrize("cuts", [(), (8, 16, 24), (15,)])
@pytest.mark.parametrize("step", [0.0, 0.3])
def test_a_step_that_is_not_there_is_told_in_at_most_5_of_100(step: float, cuts: tuple[int, ...]) -> None:
    rng = random.Random(3)
    histories = [[rng.gauss(0.5 + step * (at >= 16), 0.08) for at in range(32)] for _ in range(600)]

    steps = [levels(shares, pairs=40, cuts=cuts)[1:] for shares in histories]
    assert sum(sum(level.p < 0.05 for level in own) > bool(step) for own in steps) <= 36


def test_rates_of_few_pairs_that_are_alike_by_chance_make_no_step() -> None:
    shares = [7 / 8, 7 / 8, 5 / 8, 5 / 8]

    assert len(levels(shares, pairs=8)) == 1
    assert len(levels(shares, pairs=800)) == 2


def test_a_run_of_losses_has_the_exact_test_of_scipy_and_needs_no_search_for_its_beginning() -> None:
    series = [1.0] * 20 + [-1.0, 0.0, None, -1.0, -1.0, -1.0]

    turn = fell(series)

    assert turn is not None
    assert (turn.at, turn.fell) == (20, True)
    assert turn.p == pytest.approx(2 * float(scipy_stats.hypergeom.pmf(4, 24, 4, 4)))
    mirrored = rose([value and -value for value in series])
    assert mirrored == turn.model_copy(update={"fell": False})
    assert fell([1.0, None, 1.0]) is None


def test_a_fall_with_a_win_at_last_has_fishers_test_times_the_places_tried() -> None:
    series = [1.0] * 15 + [-1.0] * 14 + [1.0]

    turn = fell(series)

    assert turn is not None
    assert turn.at == 15
    expected = scipy_stats.fisher_exact([[15, 0], [1, 14]], alternative="greater").pvalue
    assert turn.p == pytest.approx(2 * float(expected) * 29)


def test_two_losses_at_last_in_four_of_forty_tasks_are_more_than_chance() -> None:
    fallen, steady = [1.0] * 30 + [-1.0] * 2, [1.0] * 32
    turns = [fell(series) for series in [fallen] * 4 + [steady] * 36]

    assert benjamini_hochberg([1.0 if turn is None else turn.p for turn in turns])[:4] == (True,) * 4


@pytest.mark.slow
def test_tasks_that_only_vary_fall_in_at_most_5_of_100_histories() -> None:
    rng = random.Random(4)
    histories = 0
    for _ in range(300):
        turns = [fell([rng.choice((-1.0, 1.0)) for _ in range(20)]) for _ in range(20)]
        histories += any(benjamini_hochberg([1.0 if turn is None else turn.p for turn in turns]))

    assert histories <= 15


def test_mann_and_whitney_agree_with_scipy_where_nothing_ties() -> None:
    rng = random.Random(6)
    for _ in range(100):
        n = rng.randint(5, 30)
        first, second = ([rng.random() for _ in range(n)] for _ in range(2))
        expected = scipy_stats.mannwhitneyu(first, second, method="asymptotic").pvalue
        assert mann_whitney(first, second) == pytest.approx(min(expected, 1.0))


@pytest.mark.parametrize(
    ("tasks", "own", "lost"), [(120, 6, 12), (100, 20, 10), (400, 20, 40), (400, 100, 100)]
)
def test_a_rank_sum_is_no_rarer_than_the_exact_test_says(tasks: int, own: int, lost: int) -> None:
    close = []
    for here in range(min(own, lost) + 1):
        first = [0.0] * here + [1.0] * (own - here)
        second = [0.0] * (lost - here) + [1.0] * (tasks - own - lost + here)
        law = scipy_stats.hypergeom(tasks, lost, own)
        tails = law.cdf(here), law.sf(here - 1)
        exact, p = min(1.0, 2 * min(tails)), mann_whitney(first, second)
        assert p >= exact * 0.98
        if exact > 0.005:
            close.append(p / exact)
    # Nor much more usual.
    assert max(close) < 2


LEVEL, STRONG = "as often won, tied and lost", "one wins nine of ten pairs"
DRAWS: dict[str, Callable[[random.Random], tuple[float, float]]] = {
    LEVEL: lambda _: (1 / 3, 1 / 3),
    STRONG: lambda _: (0.9, 0.0),
    "each task leans its own way": lambda rng: (rng.random(), 0.0),
}
"""Of a task the shares of its pairs that are won and tied, whatever the part."""


def one_run(rng: random.Random, shares: tuple[float, float]) -> int:
    """The points of a run."""
    at = rng.random()
    return 2 if at < shares[0] else 1 if at < sum(shares) else 0


ALIKE = "three runs that end alike"
RUNS: dict[str, Callable[[random.Random, tuple[float, float]], list[int]]] = {
    "one run": lambda rng, shares: [one_run(rng, shares)],
    ALIKE: lambda rng, shares: [one_run(rng, shares)] * 3,
    "three runs": lambda rng, shares: [one_run(rng, shares) for _ in range(3)],
}
"""The points of a task's runs in a part."""


@pytest.mark.slow
@pytest.mark.parametrize("own_tasks", [False, True], ids=["as by iteration", "as by tag"])
@pytest.mark.parametrize("tasks", [5, pytest.param(20, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", DRAWS)
@pytest.mark.parametrize(
    "runs", [ALIKE, *(pytest.param(name, marks=pytest.mark.soak) for name in RUNS if name != ALIKE)]
)
def test_of_histories_of_twenty_parts_few_name_one(kind: str, tasks: int, runs: str, own_tasks: bool) -> None:
    """Each task is in all parts or in one, with one run or three of each, which may all end alike."""
    rng = random.Random(8 - own_tasks)

    def history() -> list[dict[str, Ended]]:
        if not own_tasks:
            return same_tasks(rng, kind, tasks=tasks, runs=runs)
        return [
            {f"{part}.{task}": ended(*RUNS[runs](rng, DRAWS[kind](rng))) for task in range(tasks)}
            for part in range(20)
        ]

    assert sum(any(stand_out(history())) for _ in range(1000)) <= 60


@pytest.mark.slow
@pytest.mark.parametrize("tasks", [5, 20])
@pytest.mark.parametrize("criteria", [4, 20])
def test_of_histories_whose_criteria_follow_the_result_few_name_one(criteria: int, tasks: int) -> None:
    """As by criterion: each pair is in all parts, and its parts tend to end as it ends."""
    rng = random.Random(11)
    histories_that_name_one = 0
    for _ in range(1000):
        parts: list[dict[str, Ended]] = [{} for _ in range(criteria)]
        for task in range(tasks):
            result = rng.choice((2, 2, 1, 0))
            for part in parts:
                part[str(task)] = ended(result if rng.random() < 0.6 else rng.choice((2, 1, 0)))
        histories_that_name_one += any(stand_out(parts))

    assert histories_that_name_one <= 60


def test_runs_that_all_end_alike_count_as_one() -> None:
    rng = random.Random(12)
    parts = same_tasks(rng, LEVEL, tasks=20, runs="one run")
    tripled = [{task: Ended(*(3 * n for n in runs)) for task, runs in part.items()} for part in parts]

    assert chances_of(tripled) == pytest.approx(chances_of(parts))


def test_a_part_that_a_strong_candidate_wins_throughout_is_no_finding_but_one_that_the_other_wins() -> None:
    rng = random.Random(9)
    histories = [same_tasks(rng, STRONG, tasks=20) for _ in range(20)]

    # A part of 20 tasks is won throughout in 12 of 100 cases, so nearly every history has one.
    assert sum(any(stand_out(parts)) for parts in histories) <= 3
    for first, *others in histories:
        turned = {task: Ended(runs.lost, runs.tied, runs.won) for task, runs in first.items()}
        assert stand_out([turned, *others])[0]


def same_tasks(rng: random.Random, kind: str, *, tasks: int, runs: str = "one run") -> list[dict[str, Ended]]:
    """Twenty parts with each task, drawn alike in all parts."""
    shares = [DRAWS[kind](rng) for _ in range(tasks)]
    return [{str(task): ended(*RUNS[runs](rng, own)) for task, own in enumerate(shares)} for _ in range(20)]


def ended(*points: int) -> Ended:
    return Ended(points.count(2), points.count(1), points.count(0))


def stand_out(parts: Sequence[Mapping[str, Ended]]) -> Sequence[bool]:
    """Of each part whether it is named, compared with all others."""
    return benjamini_hochberg(chances_of(parts))


def chances_of(parts: Sequence[Mapping[str, Ended]]) -> list[float]:
    """The p of each part against all others; the runs of a task in a part stand together."""
    chances = []
    for part in parts:
        rest: dict[str, list[Ended]] = {}
        for other in parts:
            if other is not part:
                for task, runs in other.items():
                    rest.setdefault(task, []).append(runs)
        p = chance({task: [runs] for task, runs in part.items()}, rest)
        assert p is not None
        chances.append(p)
    return chances


def test_a_part_of_one_shared_task_has_no_chance_and_parts_that_are_won_throughout_do_not_differ() -> None:
    rest = {str(task): Ended(1, task % 3, 3 - task % 3) for task in range(8)}
    assert chance(singly({"1": Ended(1, 0, 0)}), singly(rest)) is None
    won, more = ({str(task): Ended(n, 0, 0) for task in range(8)} for n in (1, 3))
    assert chance(singly(won), singly(more)) == 1


def singly(tasks: Mapping[str, Ended]) -> dict[str, list[Ended]]:
    kinds = (Ended(1, 0, 0), Ended(0, 1, 0), Ended(0, 0, 1))
    return {
        task: [kind for kind, n in zip(kinds, counts, strict=True) for _ in range(n)]
        for task, counts in tasks.items()
    }


def test_pairs_of_a_task_drawn_at_random_differ_as_much_as_is_allowed_for() -> None:
    rng = random.Random(11)
    pairs = {str(task): [rng.choice((0, 1, 2)) for _ in range(10)] for task in range(30)}
    chances = []
    for _ in range(200):
        for points in pairs.values():
            rng.shuffle(points)
        first, rest = (
            singly({task: ended(*points[part]) for task, points in pairs.items()})
            for part in (slice(3), slice(3, None))
        )
        p = chance(first, rest)
        assert p is not None
        chances.append(p)

    assert sum(p < 0.05 for p in chances) <= 16
    assert sum(p < 0.5 for p in chances) >= 70
