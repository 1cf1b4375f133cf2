"""`theme`: why one candidate wins, in named reasons: collecting findings, drafting, assigning, editing."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from comparator.cli.frame import app, me, opened, progress, project_named, say
from comparator.cli.projects import AsJson, Name, print_table
from comparator.cli.terminal import json_text
from comparator.domain.counted import counted
from comparator.domain.errors import InputError

if TYPE_CHECKING:
    from comparator.domain.themes import Codebook
    from comparator.jobs.drafting import Saved
    from comparator.judges.protocol import Judge
    from comparator.workflow.services import Services
    from comparator.workflow.themes.model_questions import QuestionCost

theme_commands = typer.Typer(help="Themes of the reasons: why one candidate wins.", no_args_is_help=True)
app.add_typer(theme_commands, name="theme")
Seed = Annotated[
    int, typer.Option(help="Seed for the order of the findings; the same seed asks in the same order", min=0)
]
Findings = Annotated[list[str], typer.Option(help="Id of a finding; repeat. theme findings lists them")]
Yes = Annotated[
    bool, typer.Option("--yes", help="Ask the model. Without this option, only the cost is shown")
]


@theme_commands.command("collect")
def collect_findings(
    project: Name,
    pairs: Annotated[int, typer.Option(help="Read at most so many pairs", min=1)] = 300,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Collect what judges and reviewers stated, in their exact words; asks nothing of a model."""
    with opened() as services, progress() as tell:
        from comparator.workflow.themes.collect import collect

        found = collect(
            services,
            project_named(services, project),
            person_id=me(services),
            pairs=pairs,
            seed=seed,
            on_step=lambda done, of: tell(f"{done} of {of} pairs"),
        ).answer
    if as_json:
        print(json.dumps(found))
        return
    print(f"{counted(found['findings'], 'finding')} of {counted(found['pairs'], 'pair')} collected.")


@theme_commands.command("draft")
def draft_codebook(project: Name, seed: Seed = 0, yes: Yes = False, as_json: AsJson = False) -> None:
    """Have a model draft the codebook; what a lead changed in an earlier one stays."""
    with opened() as services:
        from comparator.workflow.themes import inquire
        from comparator.workflow.themes.model_questions import chosen_model

        project_id, person_id = project_named(services, project), me(services)
        cost = inquire.cost_of_draft(services, project_id, model=chosen_model(services))
        if not agreed(cost, yes, as_json=as_json):
            return

        async def write(judge: Judge, worker: str, saved: Saved) -> Codebook:
            return await inquire.draft(
                services,
                inquire.as_model(judge),
                project_id,
                seed=seed,
                person_id=person_id,
                worker=worker,
                saved=saved,
            )

        book = ask_model(services, write)
    _print_book(book, as_json=as_json)


@theme_commands.command("assign")
def assign_findings(
    project: Name,
    seed: Seed = 0,
    go_on: Annotated[
        bool, typer.Option("--continue", help="Go on with the last assignment instead of beginning another")
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Have a model assign the findings to the themes; another run is compared with the one before."""
    with opened() as services:
        from comparator.reporting.themes.quality import quality
        from comparator.workflow.themes import inquire
        from comparator.workflow.themes.model_questions import chosen_model

        project_id, person_id = project_named(services, project), me(services)
        cost = inquire.cost_of_assignment(services, project_id, model=chosen_model(services))
        found = quality(services.database, project_id)
        unfinished = found.unfinished if found is not None else None
        if go_on and unfinished is None:
            raise InputError("No assignment waits to go on. Begin one: leave --continue out.")
        if not agreed(cost, yes, as_json=as_json):
            return
        if go_on and unfinished is not None:
            inquiry_id = unfinished.id
        else:
            inquiry_id = inquire.begin_assignment(
                services, project_id, services.judge_identity(), seed=seed, person_id=person_id
            ).id
        with progress() as tell:

            async def write(judge: Judge, worker: str, saved: Saved) -> object:
                return await inquire.assign(
                    services,
                    inquire.as_model(judge),
                    inquiry_id,
                    worker=worker,
                    saved=saved,
                    on_step=lambda done, of: tell(f"{done} of {of} findings"),
                )

            ask_model(services, write)
        _print_quality(services, project_id, as_json=as_json)


@theme_commands.command("show")
def show_themes(project: Name, as_json: AsJson = False) -> None:
    """Show the codebook and how far the assignment can be trusted."""
    with opened() as services:
        from comparator.workflow.themes import edit

        project_id = project_named(services, project)
        book = edit.state(services, project_id).book
        if as_json:
            print(json.dumps({**_book(book), "assignment": _quality(services, project_id)}, indent=2))
            return
        _print_book(book, as_json=False)
        _print_quality(services, project_id, as_json=False)


@theme_commands.command("subjects")
def show_subjects(project: Name, as_json: AsJson = False) -> None:
    """Group the collected findings by their words, without a model: subjects, not reasons."""
    with opened() as services:
        from comparator.reporting.themes.subjects import subjects

        found = subjects(services.database, project_named(services, project))
    if as_json:
        rows = [
            {
                "words": each.words,
                "pairs": each.pairs,
                "findings": each.findings,
                "example": each.example.words,
            }
            for each in found
        ]
        print(json.dumps(rows, indent=2))
        return
    print_table(
        ("Subjects mentioned", "Pairs", "Findings"),
        [[", ".join(each.words), each.pairs, each.findings] for each in found],
    )


@theme_commands.command("rename")
def rename_theme(
    project: Name,
    theme: Annotated[str, typer.Argument(help="Name of the theme")],
    name: Annotated[str, typer.Option(help="Its new name")] = "",
    test: Annotated[str, typer.Option(help="Its new test, one sentence")] = "",
) -> None:
    """Give a theme another name or test."""
    with opened() as services:
        from comparator.workflow.themes import edit

        project_id = project_named(services, project)
        before = next(
            each for each in _themes(services, project_id) if each.id == _id(services, project_id, theme)
        )
        book = edit.rename(
            services,
            project_id,
            before.id,
            name=name or before.name,
            test=test or before.test,
            person_id=me(services),
        )
    _print_book(book, as_json=False)


@theme_commands.command("merge")
def merge_themes(
    project: Name,
    theme: Annotated[str, typer.Argument(help="Name of the theme to merge")],
    into: Annotated[str, typer.Option(help="Name of the theme to merge it into")],
) -> None:
    """Let a theme go into another one."""
    with opened() as services:
        from comparator.workflow.themes import edit

        project_id = project_named(services, project)
        one, two = _id(services, project_id, theme), _id(services, project_id, into)
        book = edit.merge(services, project_id, one, into=two, person_id=me(services))
    _print_book(book, as_json=False)


@theme_commands.command("findings")
def show_findings(
    project: Name, theme: Annotated[str, typer.Argument(help="Name of the theme")], as_json: AsJson = False
) -> None:
    """List the findings of a theme with their ids, which split and move take."""
    with opened() as services:
        from comparator.workflow.themes import edit

        project_id = project_named(services, project)
        found = edit.of_theme(services, project_id, _id(services, project_id, theme))
    if as_json:
        print(json.dumps([{"id": each.id, "words": each.words} for each in found]))
        return
    print_table(("Finding", "Words"), [[each.id, each.words] for each in found])


@theme_commands.command("split")
def split_theme(
    project: Name,
    theme: Annotated[str, typer.Argument(help="Name of the theme that is split")],
    name: Annotated[str, typer.Option(help="Name of the new theme")],
    test: Annotated[str, typer.Option(help="Its test, one sentence")],
    finding: Findings,
) -> None:
    """Put some findings of a theme into a new one."""
    with opened() as services:
        from comparator.workflow.themes import edit

        project_id = project_named(services, project)
        book = edit.split(
            services,
            project_id,
            _id(services, project_id, theme),
            name=name,
            test=test,
            findings=_findings(services, project_id, theme, finding),
            person_id=me(services),
        )
    _print_book(book, as_json=False)


@theme_commands.command("move")
def move_findings(
    project: Name,
    theme: Annotated[str, typer.Argument(help="Name of the theme to move them from")],
    finding: Findings,
    into: Annotated[str, typer.Option(help="Name of another theme; without it: none of these")] = "",
) -> None:
    """Put some findings of a theme into another one, or into none."""
    with opened() as services:
        from comparator.workflow.themes import edit

        project_id = project_named(services, project)
        book = edit.move(
            services,
            project_id,
            _id(services, project_id, theme),
            into=_id(services, project_id, into) if into else None,
            findings=_findings(services, project_id, theme, finding),
            person_id=me(services),
        )
    _print_book(book, as_json=False)


@theme_commands.command("delete")
def delete_theme(project: Name, theme: Annotated[str, typer.Argument(help="Name of the theme")]) -> None:
    """Take a theme out of the codebook; a new draft does not bring it back."""
    with opened() as services:
        from comparator.workflow.themes import edit

        project_id = project_named(services, project)
        book = edit.delete(services, project_id, _id(services, project_id, theme), person_id=me(services))
    _print_book(book, as_json=False)


@theme_commands.command("undo")
def undo_change(project: Name) -> None:
    """Take the last change of the codebook back."""
    with opened() as services:
        from comparator.workflow.themes import edit

        book = edit.undo(services, project_named(services, project), person_id=me(services))
    _print_book(book, as_json=False)


def ask_model(services: Services, write: Any) -> Any:
    """What `write` returns, given the judge and a worker's id. Raises JudgeError."""
    from comparator.jobs.drafting import with_judge

    return asyncio.run(with_judge(services, write))


def agreed(cost: QuestionCost, yes: bool, *, as_json: bool = False) -> bool:
    """Tell the cost; whether to go on."""
    from comparator.workflow.judging.paying.budgets import NO_PRICE, money

    tokens = cost.input_tokens + cost.output_tokens
    about = NO_PRICE if cost.cost is None else f"about {money(cost.cost)}"
    say.print(f"{counted(cost.requests, 'request')}, about {tokens:,} tokens, {about}.")
    if not yes:
        if as_json:
            print(json_text(cost))
        say.print("Nothing was asked. --yes asks the model.")
    return yes


def _themes(services: Services, project_id: str) -> Any:
    from comparator.workflow.themes import edit

    return edit.state(services, project_id).book.themes


def _id(services: Services, project_id: str, name: str) -> str:
    known: dict[str, str] = {each.name: each.id for each in _themes(services, project_id)}
    if name not in known:
        raise InputError(f"There is no theme {name[:80]!r}. Themes: {'; '.join(known) or 'none yet'}.")
    return known[name]


def _findings(services: Services, project_id: str, theme: str, ids: list[str]) -> list[str]:
    """The ids, all of which are of the theme. Raises InputError."""
    from comparator.workflow.themes import edit

    known = {each.id for each in edit.of_theme(services, project_id, _id(services, project_id, theme))}
    strange = next((id for id in ids if id not in known), None)
    if strange is not None:
        raise InputError(f"{strange[:80]!r} is not a finding of {theme!r}. List them with: theme findings.")
    return ids


def _book(book: Codebook) -> dict[str, Any]:
    return {"themes": [each.model_dump(mode="json") for each in book.themes]}


def _print_book(book: Codebook, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(_book(book), indent=2))
        return
    for each in book.themes:
        print(f"{each.name}: {each.test}")


def _quality(services: Services, project_id: str) -> dict[str, Any] | None:
    from comparator.reporting.themes.quality import quality
    from comparator.stats.figures import Estimate

    found = quality(services.database, project_id)
    if found is None:
        return None

    def kappa(each: Any) -> dict[str, Any] | None:
        if each is None:
            return None
        value = each.kappa.value if isinstance(each.kappa, Estimate) else None
        return {"findings": each.findings, "kappa": value}

    return {
        "model": found.assignment.model,
        "seed": found.assignment.seed,
        "waiting": found.waiting,
        "none_of_these": found.uncovered,
        "people": kappa(found.people),
        "second_run": kappa(found.second),
        "verified_by_people": found.verified,
    }


def _print_quality(services: Services, project_id: str, *, as_json: bool) -> None:
    found = _quality(services, project_id)
    if as_json:
        print(json.dumps(found, indent=2))
        return
    if found is None:
        print("Nothing is assigned yet.")
        return
    print(f"Assigned by {found['model']}; {counted(found['waiting'], 'finding')} left.")
    print(f"None of these: {found['none_of_these']:.0%} of the findings.")
    print("Verified by people." if found["verified_by_people"] else "Not verified by people.")
