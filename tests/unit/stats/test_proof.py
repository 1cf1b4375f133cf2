"""Guidance passes only where it brings the judge nearer to people than chance would."""

import random

import pytest

from comparator.domain.labels import Winner
from comparator.stats.intervals import Interval, TooFew
from comparator.stats.proof import JudgedTwice, ProofFigures, figures, paired_interval, sign_p

A, B, TIE = Winner.A, Winner.B, Winner.TIE


def pairs(n: int, *, before: float, after: float, seed: int, of_task: int = 1) -> list[JudgedTwice]:
    """Held-out pairs that each judge has right with its chance, one independent of the other."""
    chance = random.Random(seed)

    def said(truth: Winner, right: float) -> Winner:
        return truth if chance.random() < right else (B if truth is A else A)

    truths = [chance.choice((A, B)) for _ in range(n)]
    return [
        JudgedTwice(f"t{at // of_task}", truth, said(truth, before), said(truth, after))
        for at, truth in enumerate(truths)
    ]


def passing(runs: int, n: int, *, before: float, after: float, of_task: int = 1, proofs: int = 1) -> float:
    found = [
        figures(pairs(n, before=before, after=after, seed=seed, of_task=of_task), proofs=proofs)
        for seed in range(runs)
    ]
    return sum(isinstance(each, ProofFigures) and each.passes for each in found) / runs


def test_fewer_than_ten_pairs_prove_nothing() -> None:
    assert figures(pairs(9, before=0, after=1, seed=1)) == TooFew(n=9, needed=10)


def test_the_figures_are_those_of_a_table_by_hand() -> None:
    said = [
        *[JudgedTwice(f"a{n}", A, A, A) for n in range(6)],
        *[JudgedTwice(f"b{n}", A, B, A) for n in range(8)],
        *[JudgedTwice(f"c{n}", B, B, A) for n in range(1)],
        *[JudgedTwice(f"d{n}", B, TIE, A) for n in range(3)],
        JudgedTwice("e", A, None, A),
    ]

    found = figures(said)

    assert isinstance(found, ProofFigures)
    assert (found.n, found.before, found.after, found.constant) == (18, 7, 14, 14)
    assert (found.better, found.worse) == (8, 1)
    assert found.p == pytest.approx(sign_p(8, 1)) == pytest.approx(0.0390625)
    assert found.passes


def test_what_passes_alone_does_not_pass_as_the_second_draft_on_the_same_pairs() -> None:
    said = [JudgedTwice(f"b{n}", A, B, A) for n in range(8)] + [JudgedTwice("c", B, B, A)]
    said += [JudgedTwice(f"a{n}", A, A, A) for n in range(6)]

    alone, second = (figures(said, proofs=proofs) for proofs in (1, 2))

    assert isinstance(alone, ProofFigures)
    assert isinstance(second, ProofFigures)
    assert alone.p == second.p == pytest.approx(0.0390625)
    assert (alone.passes, second.passes) == (True, False)
    assert second.difference.low < alone.difference.low


def test_newcombes_interval_is_that_of_his_paper() -> None:
    # Newcombe 1998, table III, method 10: e = 36, f = 12, g = 2, h = 0 of 50 gives 0.0569 to 0.3404.
    found = paired_interval(36, lost=2, gained=12, n=50)

    assert [found.low, found.high] == pytest.approx([0.0569, 0.3404], abs=1e-4)
    assert paired_interval(0, lost=0, gained=0, n=20).low < 0
    assert isinstance(found, Interval)


@pytest.mark.slow
def test_what_people_say_at_random_does_not_let_guidance_pass() -> None:
    # Corrections that were shuffled teach nothing: both judges are right by chance.
    assert passing(400, 40, before=0.5, after=0.5) <= 0.05
    assert passing(400, 40, before=0.7, after=0.7) <= 0.05


@pytest.mark.slow
def test_pairs_of_one_task_do_not_count_as_independent() -> None:
    assert passing(300, 60, before=0.5, after=0.5, of_task=6) <= 0.05


@pytest.mark.slow
def test_the_best_of_many_drafts_has_to_clear_a_higher_bar() -> None:
    def best_of(drafts: int, seed: int) -> bool:
        return any(
            isinstance(found, ProofFigures) and found.passes
            for draft in range(drafts)
            for found in (
                figures(pairs(40, before=0.5, after=0.5, seed=seed * 100 + draft), proofs=draft + 1),
            )
        )

    assert sum(best_of(5, seed) for seed in range(150)) / 150 <= 0.08


def test_real_progress_passes() -> None:
    assert passing(200, 50, before=0.55, after=0.9) >= 0.9


def test_a_judge_that_is_no_better_than_the_constant_guess_does_not_pass() -> None:
    said = [JudgedTwice(f"t{n}", A, B, A) for n in range(12)]
    said += [JudgedTwice(f"u{n}", A, B, B) for n in range(20)]

    found = figures(said)

    assert isinstance(found, ProofFigures)
    assert found.p < 0.01
    assert not found.passes
