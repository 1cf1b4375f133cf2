"""`judges`: which named judges there are, second opinions from them, and what they would be worth together."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from comparator.cli.frame import app, me, opened, project_named, say
from comparator.cli.judging.batch import money
from comparator.cli.terminal import json_text
from comparator.domain.counted import counted
from comparator.stats.figures import TooFew

commands = typer.Typer(
    help="Named judges: list them, ask for second opinions, compare them.", no_args_is_help=True
)
app.add_typer(commands, name="judges")
ProjectName = Annotated[str, typer.Argument(help="The project's name")]
Names = Annotated[list[str], typer.Option("--judge", help="Name of a judge; repeat. Without it: all of them")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on standard output")]


@commands.command("list")
def judges_list(as_json: AsJson = False) -> None:
    """The judges of COMPARATOR_JUDGES."""
    with opened() as services:
        known = services.named_judges()
        if as_json:
            print(json.dumps([one.model_dump(mode="json") for one in known.values()], indent=2))
            return
        if not known:
            say.print("No judge has a name. COMPARATOR_JUDGES is the path of a TOML file with them.")
        for name, one in known.items():
            server = one.server or one.provider.value
            often = "as set" if one.repetitions is None else str(one.repetitions)
            tools = "as the project says" if one.tools is None else one.tools.value
            print(f"{name}: {one.model} at {server}, tools {tools}, repetitions {often}")


@commands.command("ask")
def judges_ask(
    project: ProjectName,
    judge: Names = [],  # noqa: B006  # typer copies
    budget: Annotated[str, typer.Option(help="Limit in US dollars for each judge")] = "",
    budget_tokens: Annotated[int | None, typer.Option(help="Limit in tokens for each judge")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what it would take, and send nothing")
    ] = False,
) -> None:
    """Have judges read the pairs with a label or a blind review, in the background."""
    with opened() as services:
        from comparator.jobs import ask_judges
        from comparator.workflow.judging.paying.budgets import NO_PRICE
        from comparator.workflow.judging.paying.budgets import money as money_in_words

        project_id, names = project_named(services, project), judge or list(services.named_judges())
        for name, about in zip(names, ask_judges.estimate(services, project_id, names), strict=True):
            cost = NO_PRICE if about.cost is None else money_in_words(about.cost)
            say.print(
                f"{name}: {counted(about.comparisons, 'pair')}, about {counted(about.calls, 'request')}, {cost}",
                markup=False,
            )
        if not dry_run:
            ask_judges.ask(
                services,
                project_id,
                names,
                money=money(budget),
                tokens=budget_tokens,
                person_id=me(services),
            )
            say.print("The judges wait for a worker: comparator worker, or the app.")


@commands.command("compare")
def judges_compare(
    project: ProjectName,
    judge: Names = [],  # noqa: B006  # typer copies
    quorum: Annotated[
        int, typer.Option(min=0, help="How many judges must reach a verdict; by default most")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """What each judge, and all together, say of the labelled pairs."""
    with opened() as services:
        from comparator.domain.scoring.several_judges import default_quorum
        from comparator.jobs import ask_judges
        from comparator.workflow.judging.paying.budgets import NO_PRICE
        from comparator.workflow.judging.paying.budgets import money as money_in_words

        names = judge or list(services.named_judges())
        found = ask_judges.opinions(
            services,
            project_named(services, project),
            names,
            quorum=quorum or default_quorum(len(names)),
            person_id=me(services),
        )
        if as_json:
            print(json_text(found))
            return
        for one in found.judges:
            cost = NO_PRICE if one.cost is None else money_in_words(one.cost)
            lean = one.first + one.second
            print(
                f"{one.name}: right on {one.right} of {found.n}, {one.flipped} flipped, "
                f"{one.first} of {lean} readings for the output shown first, {cost}"
            )
        if isinstance(found.worth, TooFew):
            say.print(
                f"{counted(found.worth.n, 'labelled pair')} read; {found.worth.needed} are needed to compare."
            )
            return
        worth = found.worth
        print(
            f"Judge panel: right on {worth.panel_right} of {worth.n}. The effective number of votes of its "
            f"{len(worth.members)} judges is {worth.votes:.1f}. It {'beats' if worth.beats_best else 'does not beat'} "
            f"its best judge, {worth.members[0].name} with {worth.members[0].right}, beyond chance."
        )
