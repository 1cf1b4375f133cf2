"""`guidance`: notes to a project's judge are learnt from corrections, tested on held-out pairs, adopted."""

from __future__ import annotations

import asyncio
import json
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
    from comparator.store.judging.guidance import StoredSplit
    from comparator.workflow.services import Services

commands = typer.Typer(
    help="Notes to the judge: learnt from corrections, tested on held-out pairs, adopted.",
    no_args_is_help=True,
)
app.add_typer(commands, name="guidance")
ProjectName = Annotated[str, typer.Argument(help="The project's name")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on standard output")]


@commands.command("show")
def guidance_show(project: ProjectName, as_json: AsJson = False) -> None:
    """All versions with what they rest on and their tests, the newest first."""
    with opened() as services:
        from comparator.jobs.prove_guidance import keep_result
        from comparator.workflow.guidance.adopting import guided
        from comparator.workflow.guidance.proof_words import proof_lines

        project_id, person_id = project_named(services, project), me(services)
        for proof in guided(services, project_id, person_id=person_id).proofs:
            keep_result(services, proof, person_id=person_id)
        state = guided(services, project_id, person_id=person_id)
        if as_json:
            print(json_text(state))
            return
        if state.split is None:
            say.print("No guidance yet. comparator guidance split PROJECT begins.")
            return
        print(_of_split(state.split))
        for version in state.versions:
            holds = ", adopted" if state.adopted is not None and version.id == state.adopted.id else ""
            print(f"Version {version.number} by {version.author}{holds}")
            for sentence in version.sentences:
                rests = f" [{', '.join(map(str, sentence.rests_on))}]" if sentence.rests_on else ""
                print(f"  - {sentence.text}{rests}")
            for proof in state.proofs_of(version):
                for line in proof_lines(proof, state.split):
                    print(f"  {line}")


@commands.command("split")
def guidance_split(project: ProjectName, as_json: AsJson = False) -> None:
    """Split the corrections by task: half to learn from, half held out for tests. It is kept for good."""
    with opened() as services:
        from comparator.workflow.guidance.splitting import freeze

        split = freeze(services, project_named(services, project), person_id=me(services))
        if as_json:
            print(json_text(split))
            return
        print(_of_split(split))


@commands.command("corrections")
def guidance_corrections(project: ProjectName, as_json: AsJson = False) -> None:
    """What is learnt from, with the numbers that notes refer to. What is held out is not shown."""
    with opened() as services:
        split = _split(services, project)
        if as_json:
            print(json.dumps([each.model_dump(mode="json") for each in split.content.corrections]))
            return
        for each in split.content.corrections:
            print(f"{each.number}. {each.task}: {each.in_words}")


@commands.command("write")
def guidance_write(
    project: ProjectName,
    text: Annotated[str, typer.Argument(help="The notes, one a line: @FILE, or - for standard input")],
) -> None:
    """Keep notes that you wrote as the next version; “[3, 7]” at a line's end names the corrections it rests on."""
    with opened() as services:
        from comparator.workflow.guidance.writing import write_by_hand
        from comparator.workflow.people.people import local_person

        path = Path(text.removeprefix("@"))
        if text != "-" and not text.startswith("@"):
            raise InputError(f"To have the notes read from a file, write @{text}.")
        person = local_person(services)
        version = write_by_hand(
            services,
            _split(services, project),
            read_text(path, "file with the notes"),
            author=person.name,
            person_id=person.id,
        )
        say.print(
            f"Version {version.number} is kept. comparator guidance prove PROJECT {version.number} tests it."
        )


@commands.command("draft")
def guidance_draft(
    project: ProjectName,
    kind: JudgeOption = None,
    model: Annotated[str, typer.Option(help="Model that drafts")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what it would take, and send nothing")
    ] = False,
) -> None:
    """Have a model draft the next version from the corrections that are learnt from: one request."""
    with opened() as services:
        from comparator.jobs.drafting import with_judge
        from comparator.workflow.guidance import writing
        from comparator.workflow.judging.paying.budgets import NO_PRICE
        from comparator.workflow.judging.paying.budgets import money as money_in_words

        split = _split(services, project)
        judge = services.judge(kind, model or None)
        about = writing.draft_cost(services, split, judge)
        asyncio.run(judge.close())
        cost = NO_PRICE if about.cost is None else money_in_words(about.cost)
        say.print(f"{counted(about.requests, 'request')}, about {about.input_tokens:,} tokens in, {cost}")
        if dry_run:
            return
        reply = asyncio.run(
            with_judge(
                services,
                lambda one, worker, _: writing.draft(services, split, one, worker=worker),
                kind,
                model or None,
            )
        )
        version = writing.keep_draft(
            services, split, reply, model=judge.identity.model, person_id=me(services)
        )
        say.print(
            f"Version {version.number} is kept. comparator guidance show PROJECT shows it, comparator guidance prove "
            f"PROJECT {version.number} tests it."
        )


@commands.command("prove")
def guidance_prove(
    project: ProjectName,
    number: Annotated[int, typer.Argument(help="The version to test")],
    kind: JudgeOption = None,
    model: Annotated[str, typer.Option(help="Model of the judge")] = "",
    budget: Annotated[str, typer.Option(help="Limit in US dollars for each of the two readings")] = "",
    budget_tokens: Annotated[int | None, typer.Option(help="Limit in tokens for each")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what it would take, and send nothing")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Have the held-out pairs read without the guidance and with it, in the background, and compare both to people."""
    with opened() as services:
        from comparator.jobs import prove_guidance
        from comparator.workflow.judging.paying.budgets import NO_PRICE
        from comparator.workflow.judging.paying.budgets import money as money_in_words

        request = prove_guidance.ProofRequest(
            project_id=project_named(services, project),
            number=number,
            kind=kind,
            model=model or None,
            money=money(budget),
            tokens=budget_tokens,
        )
        about = prove_guidance.estimate(services, request)
        cost = NO_PRICE if about.cost is None else money_in_words(about.cost)
        weak = " Weak: fewer than 50." if about.weak else ""
        say.print(
            f"{counted(about.pairs, 'held-out pair')}, about {counted(about.requests, 'request')}, {cost}.{weak}"
        )
        if dry_run:
            if as_json:
                print(json_text(about))
            return
        proof = prove_guidance.prove(services, request, person_id=me(services))
        if as_json:
            print(json_text(proof))
        say.print(
            "The test waits for a worker: comparator worker, or the app. comparator guidance show tells the result."
        )


@commands.command("adopt")
def guidance_adopt(
    project: ProjectName,
    number: Annotated[
        int | None, typer.Argument(help="The version; without it, none applies any more")
    ] = None,
) -> None:
    """Have the project's judges go by a version that passed its test, or by none."""
    with opened() as services:
        from comparator.workflow.guidance.adopting import adopt

        adopt(services, project_named(services, project), number, person_id=me(services))
        say.print(
            "No guidance applies any more."
            if number is None
            else f"Guidance version {number} applies from now on."
        )


def _split(services: Services, project: str) -> StoredSplit:
    from comparator.workflow.guidance.splitting import newest

    return newest(services, project_named(services, project), person_id=me(services))


def _of_split(split: StoredSplit) -> str:
    content = split.content
    weak = " Weak: fewer than 50." if content.weak else ""
    return (
        f"Split {split.number} ({split.digest[:12]}): {counted(len(content.corrections), 'correction')} of "
        f"{counted(len(content.learn), 'task')} to learn from; {counted(len(content.held_out), 'pair')} judged blind, "
        f"of {counted(len(content.test), 'task')}, held out.{weak}"
    )
