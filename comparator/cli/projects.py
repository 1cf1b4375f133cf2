"""`projects`, `reveal` and `decide`: list projects, name who made what, and apply a plan to two candidates."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table

from comparator.cli.frame import AsJson, ProjectName, app, json_text, opened, say
from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.reporting.scope import VERDICT_NAMES, Verdicts
from comparator.stats.intervals import ENOUGH, DecisionOutcome, TooFew
from comparator.store.people.projects import project_named

if TYPE_CHECKING:
    from comparator.api import Decision
    from comparator.store.people.projects import Project
    from comparator.workflow.services import Services

projects_commands = typer.Typer(
    help="Projects: list them, and change the settings of one.", no_args_is_help=True
)
app.add_typer(projects_commands, name="projects")


@projects_commands.command("list")
def list_projects(as_json: AsJson = False) -> None:
    """List the projects with what waits in each."""
    with opened() as services:
        from comparator.reporting.history.listing import all_projects

        projects = [_overview(services, project) for project in all_projects(services.database)]
    if as_json:
        print(json.dumps(projects, indent=2))
        return
    fields = ("name", "to_judge", "to_review", "done", "closed")
    print_table(
        ("Project", "To judge", "To review", "Done", "Closed"),
        [[project[name] for name in fields] for project in projects],
    )


@projects_commands.command("set")
def change(
    name: ProjectName,
    values: list[str],
) -> None:
    """Change settings of a project; values that are no plain text are JSON.

    Args:
        values: SETTING=VALUE, such as mode=blind_first or reviews_needed=2
    """
    with opened() as services:
        from comparator.workflow.projects.settings import change_settings, project_settings

        project_id = project_named(services.database, name)
        # Those that are left out of the stored settings while they are not set among them.
        known = type(project_settings(services, project_id)).model_fields
        changes: dict[str, Any] = {}
        for assignment in values:
            setting, equals, value = assignment.partition("=")
            if not equals or setting not in known:
                raise InputError(f"{assignment!r} is no SETTING=VALUE. Settings: {', '.join(sorted(known))}.")
            changes[setting] = _value(value)
        change_settings(services, project_id, **changes)
        say.print(f"Changed in {name}: {', '.join(changes)}.")


@app.command()
def reveal(
    project: ProjectName,
    *,
    candidates: tuple[str, str] | None = None,
    note: str = "",
    as_json: AsJson = False,
) -> None:
    """Say who made what, for good: refused while a review of one of the pairs is open.

    Args:
        candidates: Only the pairs of these two; by default all that the project has
        note: Why now; kept with the reveal
    """
    from comparator import api
    from comparator.api.deciding import some_pairs

    done = api.reveal(project, candidates=candidates, note=note)
    if as_json:
        print(json.dumps({"revealed": done.comparisons, "candidates": done.candidates}))
    say.print(f"Revealed: {counted(done.comparisons, 'comparison')}.")
    for line in some_pairs(done.candidates, most=9):
        say.print(f"  {line}")


def print_table(heads: tuple[str, ...], rows: list[list[Any]]) -> None:
    """A table on standard output, as wide as its content."""
    table = Table(*heads, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(_short(value) for value in row))
    Console(color_system=None, highlight=False, markup=False, soft_wrap=True).print(table)


def _overview(services: Services, project: Project) -> dict[str, Any]:
    from comparator.reporting.history.listing import counts

    return {
        "name": project.name,
        "id": project.id,
        "created": project.created_at.isoformat(),
        "closed": project.closed_at.isoformat() if project.closed_at else None,
        "mode": project.settings.mode,
        **counts(services.database, project_id=project.id).model_dump(),
    }


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _short(value: object) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value)


CODES = {DecisionOutcome.ADOPT: 0, DecisionOutcome.KEEP: 10, DecisionOutcome.CANNOT_TELL: 11}
DECISION_EXIT_CODES = """\b
Exit codes: 0 adopt the candidate; 10 keep the baseline; 11 cannot tell yet;
1 a bug in this program; 2 wrong input, or not revealed yet."""


@app.command(epilog=DECISION_EXIT_CODES)
def decide(
    *,
    candidate: str,
    baseline: str,
    project: str = "",
    iteration: str = "",
    verdicts: Verdicts = Verdicts.REVIEWED,
    all_runs: bool = False,
    as_json: AsJson = False,
) -> None:
    """Say adopt, keep, or cannot tell yet, by the plan that was fixed before the reveal.

    Args:
        candidate: Candidate to decide on, by its name on the dashboards
        baseline: Baseline that it would replace
        project: The project; not needed where there is only one
        iteration: Name or number of the iteration, or all; by default the newest that both have
        verdicts: Whose verdicts count
        all_runs: Count unusable and cut-off outputs too
    """
    from comparator import api

    advice = api.decide(
        candidate,
        baseline,
        project=project,
        iteration=iteration,
        verdicts=verdicts,
        all_runs=all_runs,
    )
    if as_json:
        print(json_text(answer(advice, candidate=candidate, baseline=baseline), indent=2))
    say.print(_sentence(advice, candidate=candidate, baseline=baseline))
    if advice.length and advice.may_be_length:
        say.print(
            f"Warning: the lead may be length alone. The longer output wins {advice.length.more.share:.0%} of "
            f"{counted(advice.length.more.n, 'pair')}; see How they differ on the dashboards."
        )
    if not advice.result.n and verdicts in (Verdicts.REVIEWED, Verdicts.BLIND):
        say.print("No reviewed pair counts here. --verdicts either counts the judge's verdicts too.")
    raise typer.Exit(CODES[advice.decision.outcome])


def answer(advice: Decision, *, candidate: str, baseline: str) -> dict[str, object]:
    """The decision as it is printed with --json: shares are 0 to 1, differences in points."""
    result, rate = advice.result, advice.result.rate
    known = None if isinstance(rate, TooFew) else rate
    return {
        "decision": advice.decision.outcome,
        "candidate": candidate,
        "baseline": baseline,
        "verdicts": advice.verdicts,
        "judge_and_people": advice.opposed and advice.opposed._asdict(),
        "threshold": advice.decision.threshold,
        "more_reviews": advice.decision.more,
        "pairs": result.n,
        "tasks": result.tasks,
        "won": result.won,
        "tied": result.tied,
        "lost": result.lost,
        "win_rate": known.value if known else None,
        "interval": [known.interval.low, known.interval.high] if known else None,
        "mean_difference": result.overall.mean,
        "lead_may_be_length": advice.may_be_length,
        "project_reviews": advice.reviews,
        "project_reviews_untouched": advice.untouched,
        "plan": advice.plan if advice.planned else None,
        "plan_kept": advice.kept,
        "excluded": advice.excluded,
    }


def _sentence(advice: Decision, *, candidate: str, baseline: str) -> str:
    result, rate = advice.result, advice.result.rate
    record = (
        f"{candidate} won {result.won}, tied {result.tied} and lost {result.lost} of {result.n} against {baseline}, "
        f"by {VERDICT_NAMES[advice.verdicts]}"
    )
    if not isinstance(rate, TooFew):
        ends = f"{rate.interval.low * 100:.0f} to {rate.interval.high * 100:.0f}"
        record += f": {rate.value * 100:.0f}% (95% interval {ends})"
    decision = {
        DecisionOutcome.ADOPT: f"adopt {candidate}",
        DecisionOutcome.KEEP: f"keep {baseline}",
        DecisionOutcome.CANNOT_TELL: "cannot tell yet",
    }[advice.decision.outcome]
    if (both := advice.opposed) is not None:
        next_step = (
            f": people give {candidate} {both.people * 100:.0f}% of {counted(both.pairs, 'pair')}, the judge "
            f"{both.judge * 100:.0f}% of them"
        )
    elif isinstance(rate, TooFew) or rate.few:
        next_step = f"; a decision needs pairs in {ENOUGH} tasks ({result.tasks} so far)"
    elif advice.decision.more:
        next_step = f", about {counted(advice.decision.more, 'more pair')} would settle it if the rate stays"
    else:
        next_step = ""
    return f"{record}. Threshold {advice.decision.threshold * 100:.0f}%: {decision}{next_step}."
