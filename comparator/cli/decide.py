"""`decide`: what a project's plan makes of two candidates, for scripts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from comparator.cli.frame import app, plain_errors, say
from comparator.domain.counted import counted
from comparator.reporting.scope import VERDICT_NAMES, Verdicts
from comparator.stats.figures import ENOUGH, DecisionOutcome, TooFew

if TYPE_CHECKING:
    from comparator.api import Decision

CODES = {DecisionOutcome.ADOPT: 0, DecisionOutcome.KEEP: 10, DecisionOutcome.CANNOT_TELL: 11}
EXIT_CODES = """\b
Exit codes: 0 adopt the candidate; 10 keep the baseline; 11 cannot tell yet;
1 a bug in this program; 2 wrong input, or not revealed yet."""


@app.command(epilog=EXIT_CODES)
def decide(
    candidate: Annotated[str, typer.Option(help="Candidate to decide on, by its name on the dashboards")],
    baseline: Annotated[str, typer.Option(help="Baseline that it would replace")],
    project: Annotated[str, typer.Option(help="The project; not needed where there is only one")] = "",
    iteration: Annotated[
        str, typer.Option(help="Number of the iteration, or all; by default the newest that both have")
    ] = "",
    verdicts: Annotated[Verdicts, typer.Option(help="Whose verdicts count")] = Verdicts.REVIEWED,
    all_runs: Annotated[
        bool, typer.Option("--all-runs", help="Count unusable and cut-off outputs too")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the decision as JSON")] = False,
) -> None:
    """Say adopt, keep, or cannot tell yet, by the plan that was fixed before the reveal."""
    with plain_errors():
        from comparator import api

        found = api.decide(
            candidate,
            baseline,
            project=project,
            iteration=iteration,
            verdicts=verdicts,
            all_runs=all_runs,
        )
    if as_json:
        print(json.dumps(answer(found, candidate=candidate, baseline=baseline), indent=2))
    say.print(_sentence(found, candidate=candidate, baseline=baseline))
    if not found.result.n and verdicts in (Verdicts.REVIEWED, Verdicts.BLIND):
        say.print("No reviewed pair counts here. --verdicts either counts the judge's verdicts too.")
    raise typer.Exit(CODES[found.decision.outcome])


def answer(found: Decision, *, candidate: str, baseline: str) -> dict[str, object]:
    """The decision as it is printed with --json: shares are 0 to 1, differences in points."""
    result, rate = found.result, found.result.win_rate
    known = None if isinstance(rate, TooFew) else rate
    return {
        "decision": found.decision.outcome.value,
        "candidate": candidate,
        "baseline": baseline,
        "verdicts": found.verdicts.value,
        "judge_and_people": found.opposed and found.opposed._asdict(),
        "threshold": found.decision.threshold,
        "more_reviews": found.decision.more,
        "pairs": result.n,
        "tasks": result.tasks,
        "won": result.won,
        "tied": result.tied,
        "lost": result.lost,
        "win_rate": known.value if known else None,
        "interval": [known.interval.low, known.interval.high] if known else None,
        "mean_difference": result.overall.mean,
        "project_reviews": found.reviews,
        "project_reviews_untouched": found.untouched,
        "plan": found.plan.model_dump(mode="json") if found.planned else None,
        "plan_kept": [each.model_dump() for each in found.kept],
        "excluded": [each.model_dump() for each in found.excluded],
    }


def _sentence(found: Decision, *, candidate: str, baseline: str) -> str:
    result, rate = found.result, found.result.win_rate
    record = (
        f"{candidate} won {result.won}, tied {result.tied} and lost {result.lost} of {result.n} against {baseline}, "
        f"by {VERDICT_NAMES[found.verdicts]}"
    )
    if not isinstance(rate, TooFew):
        ends = f"{rate.interval.low * 100:.0f} to {rate.interval.high * 100:.0f}"
        record += f": {rate.value * 100:.0f}% (95% interval {ends})"
    as_json = {
        DecisionOutcome.ADOPT: f"adopt {candidate}",
        DecisionOutcome.KEEP: f"keep {baseline}",
        DecisionOutcome.CANNOT_TELL: "cannot tell yet",
    }[found.decision.outcome]
    if (both := found.opposed) is not None:
        more = (
            f": people give {candidate} {both.people * 100:.0f}% of {counted(both.pairs, 'pair')}, the judge "
            f"{both.judge * 100:.0f}% of them"
        )
    elif isinstance(rate, TooFew) or rate.few:
        more = f"; a decision needs pairs in {ENOUGH} tasks ({result.tasks} so far)"
    elif found.decision.more:
        more = f", about {counted(found.decision.more, 'more pair')} would settle it if the rate stays"
    else:
        more = ""
    return f"{record}. Threshold {found.decision.threshold * 100:.0f}%: {as_json}{more}."
