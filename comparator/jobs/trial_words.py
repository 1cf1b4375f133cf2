"""What came of a trial of guidance, in words."""

from __future__ import annotations

from comparator.domain.counted import counted
from comparator.domain.guidance import WEAK_BELOW
from comparator.jobs.guidance_trials import Trial
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.raters.proof import AgreementShare, ProofFigures
from comparator.store.judging.guidance import StoredSplit
from comparator.workflow.judging.paying import NO_PRICE, money

MINUS = "\N{MINUS SIGN}"


def verdict(trial: Trial) -> str:
    """In one sentence whether it passed.

    A trial without a result is under way.
    """
    result = trial.result
    if result is None:
        return "The trial is under way."
    if isinstance(result.figures, TooFew):
        read = counted(result.figures.n, "pair")
        return f"Not enough: {read} read by both judges; {result.figures.needed} are needed."
    if result.passes:
        return "Passed: it agrees with people more often, beyond chance."
    return "Not passed: it does not agree with people more often, beyond chance."


def trial_lines(trial: Trial, split: StoredSplit) -> tuple[str, ...]:
    """All figures of a trial, a line each; the first says whether it passed."""
    lines = [verdict(trial)]
    result = trial.result
    if result is None or isinstance(result.figures, TooFew):
        return tuple(lines)
    found = result.figures
    baseline = "without guidance" if trial.test.baseline is None else f"with version {trial.test.baseline}"
    lines.append(f"Agreement {baseline}: {_agreed(found.before)}; with this version: {_agreed(found.after)}.")
    lines.append(
        f"Difference {_points(found.after.share - found.before.share)} points, {found.level * 100:.3g}% interval "
        f"{_points(found.difference.low)} to {_points(found.difference.high)}; sign test over tasks "
        f"{found.better_tasks} : {found.worse_tasks}, {_chance(found.p)}."
    )
    lines.append(
        f"The constant guess “{found.constant_winner.value}” is right on {found.constant} of {found.n} "
        f"({found.constant / found.n:.0%}). {_kappas(found)}"
    )
    lines.append(
        f"{found.gained} became right, {found.lost} became wrong, {found.other} wrong in another way. Flips between "
        f"the orders: {result.flipped_before} before, {result.flipped_after} after."
    )
    cost = NO_PRICE if result.cost is None else money(result.cost)
    lines.append(
        f"{counted(found.n, 'pair')} of {counted(found.tasks, 'task')}, {found.missing} without a verdict; {cost}."
    )
    if found.proofs > 1:
        lines.append(f"This is the {_nth(found.proofs)} draft tried on these pairs, so the bar is higher.")
    if weak(found, split):
        lines.append(f"Weak: fewer than {WEAK_BELOW} corrections or pairs.")
    return tuple(lines)


def weak(found: ProofFigures, split: StoredSplit) -> bool:
    """Whether there were too few corrections or pairs for more than a hint."""
    return split.content.weak or found.n < WEAK_BELOW


def _agreed(agreed: AgreementShare) -> str:
    low, high = agreed.interval.low, agreed.interval.high
    return f"{agreed.right} of {agreed.n} ({agreed.share:.0%}, {low:.0%} to {high:.0%})"


def _kappas(found: ProofFigures) -> str:
    if isinstance(found.before.kappa, TooFew):
        return f"Kappa is shown from {found.before.kappa.needed} pairs on."
    return f"Kappa {_kappa(found.before)} before, {_kappa(found.after)} after."


def _kappa(agreed: AgreementShare) -> str:
    return (
        f"{agreed.kappa.value:.2f}".replace("-", MINUS) if isinstance(agreed.kappa, Estimate) else "undefined"
    )


def _points(share: float) -> str:
    """A difference of shares in percentage points, with its sign.

    >>> _points(0.125), _points(-0.04)
    ('+12', '−4')
    """
    return f"{round(share * 100):+d}".replace("-", MINUS)


def _chance(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _nth(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")
