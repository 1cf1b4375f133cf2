"""`guidance`: notes to a project's judge are drafted from corrections, tried on held-out pairs, and adopted."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from comparator.cli.frame import JudgeOption, app, me, opened, project_named, say
from comparator.cli.judging.batch import money
from comparator.cli.paths import read_text
from comparator.cli.terminal import json_text
from comparator.domain.counted import counted
from comparator.domain.errors import InputError

if TYPE_CHECKING:
    from decimal import Decimal

    from comparator.store.judging.guidance import StoredSplit, Version
    from comparator.workflow.services import Services

commands = typer.Typer(
    help="Notes to the judge: drafted from corrections, tried on held-out pairs, adopted.",
    no_args_is_help=True,
)
app.add_typer(commands, name="guidance")
ProjectName = Annotated[str, typer.Argument(help="The project's name")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on standard output")]
ModelOption = Annotated[str, typer.Option(help="Model of the judge")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what it would take, and send nothing")]


@commands.command("show")
def guidance_show(project: ProjectName, as_json: AsJson = False) -> None:
    """The corrections that are learnt from, and all versions with their trials, the newest first."""
    with opened() as services:
        from comparator.jobs.guidance_trials import guided
        from comparator.jobs.trial_words import trial_lines

        state = guided(services, project_named(services, project), person_id=me(services))
        if as_json:
            print(json_text(state))
            return
        if state.split is None:
            say.print("No guidance yet. comparator guidance draft PROJECT begins.")
            return
        print(_of_split(state.split))
        for each in state.split.content.corrections:
            print(f"{each.number}. {each.task}: {each.in_words}")
        for version in state.versions:
            holds = ", adopted" if state.adopted is not None and version.id == state.adopted.id else ""
            print(f"Version {version.number} by {version.author}{holds}")
            for sentence in version.sentences:
                rests = f" [{', '.join(map(str, sentence.rests_on))}]" if sentence.rests_on else ""
                print(f"  - {sentence.text}{rests}")
            for trial in state.trials_of(version):
                for line in trial_lines(trial, state.split):
                    print(f"  {line}")


@commands.command("draft")
def guidance_draft(
    project: ProjectName,
    notes: Annotated[
        str,
        typer.Argument(
            help="Notes that you wrote, one a line, in place of a model's: @FILE, or - for standard input. “[3, 7]” at "
            "a line's end names the corrections that it rests on"
        ),
    ] = "",
    kind: JudgeOption = None,
    model: ModelOption = "",
    split_again: Annotated[
        bool, typer.Option("--split-again", help="Split all corrections so far anew before drafting")
    ] = False,
    dry_run: DryRun = False,
) -> None:
    """Keep the next version: drafted by a model in one request, or written by you.

    The first draft splits the corrections by task: half to learn from, half held out. The split is kept for good.
    """
    with opened() as services:
        from comparator.workflow.guidance.splitting import freeze, newest

        find = freeze if split_again else newest
        split = find(services, project_named(services, project), person_id=me(services))
        say.print(_of_split(split))
        version = (
            _written(services, split, notes) if notes else _drafted(services, split, kind, model, dry_run)
        )
        if version is not None:
            say.print(
                f"Version {version.number} is kept. comparator guidance try PROJECT {version.number} tries it."
            )


def _written(services: Services, split: StoredSplit, notes: str) -> Version:
    from comparator.workflow.guidance.writing import write_by_hand
    from comparator.workflow.people.people import local_person

    if notes != "-" and not notes.startswith("@"):
        raise InputError(f"To have the notes read from a file, write @{notes}.")
    text = read_text(Path(notes.removeprefix("@")), "file with the notes")
    person = local_person(services)
    return write_by_hand(services, split, text, author=person.name, person_id=person.id)


def _drafted(
    services: Services, split: StoredSplit, kind: JudgeOption, model: str, dry_run: bool
) -> Version | None:
    from comparator.jobs.drafting import with_judge
    from comparator.workflow.guidance import writing

    judge = services.judge(kind, model or None)
    about = writing.draft_cost(services, split, judge)
    asyncio.run(judge.close())
    say.print(
        f"{counted(about.requests, 'request')}, about {about.input_tokens:,} tokens in, {_in_words(about.cost)}"
    )
    if dry_run:
        return None
    reply = asyncio.run(
        with_judge(
            services,
            lambda one, worker, _: writing.draft(services, split, one, worker=worker),
            kind,
            model or None,
        )
    )
    return writing.keep_draft(services, split, reply, model=judge.identity.model, person_id=me(services))


@commands.command("try")
def guidance_try(
    project: ProjectName,
    number: Annotated[int, typer.Argument(help="The version to try")],
    kind: JudgeOption = None,
    model: ModelOption = "",
    budget: Annotated[str, typer.Option(help="Limit in US dollars for each of the two readings")] = "",
    budget_tokens: Annotated[int | None, typer.Option(help="Limit in tokens for each")] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Have the held-out pairs read without the guidance and with it, in the background, and compare both to people."""
    with opened() as services:
        from comparator.jobs import guidance_trials as trials

        request = trials.TrialRequest(
            project_id=project_named(services, project),
            number=number,
            kind=kind,
            model=model or None,
            money=money(budget),
            tokens=budget_tokens,
        )
        about = trials.estimate(services, request)
        weak = " Weak: fewer than 50." if about.weak else ""
        say.print(
            f"{counted(about.pairs, 'held-out pair')}, about {counted(about.requests, 'request')}, "
            f"{_in_words(about.cost)}.{weak}"
        )
        if as_json:
            print(json_text(about))
        if dry_run:
            return
        trials.begin(services, request, person_id=me(services))
        say.print(
            "The trial waits for a worker: comparator worker, or the app. comparator guidance show tells the result."
        )


@commands.command("adopt")
def guidance_adopt(
    project: ProjectName,
    number: Annotated[
        int | None, typer.Argument(help="The version; without it, none applies any more")
    ] = None,
) -> None:
    """Have the project's judges go by a version that passed its trial, or by none."""
    with opened() as services:
        from comparator.jobs.guidance_trials import adopt

        adopt(services, project_named(services, project), number, person_id=me(services))
        say.print(
            "No guidance applies any more."
            if number is None
            else f"Guidance version {number} applies from now on."
        )


def _in_words(cost: Decimal | None) -> str:
    from comparator.workflow.judging.paying import budgets

    return budgets.NO_PRICE if cost is None else budgets.money(cost)


def _of_split(split: StoredSplit) -> str:
    content = split.content
    weak = " Weak: fewer than 50." if content.weak else ""
    return (
        f"Split {split.number} ({split.digest[:12]}): {counted(len(content.corrections), 'correction')} of "
        f"{counted(len(content.learn), 'task')} to learn from; {counted(len(content.held_out), 'pair')} judged blind, "
        f"of {counted(len(content.test), 'task')}, held out.{weak}"
    )
