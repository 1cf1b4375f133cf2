"""`judges`: which judges have a name, and how each judge did on the labelled pairs of a project."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from comparator.cli.frame import app, opened, project_named, say
from comparator.cli.terminal import json_text, results

if TYPE_CHECKING:
    from comparator.reporting.trust.labelled_record import LabelledRecord
    from comparator.workflow.services import Services


@app.command()
def judges(
    project: Annotated[
        str, typer.Argument(help="A project with labelled pairs: how each judge did on them")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on standard output")] = False,
) -> None:
    """List the named judges; with a project, each judge's record on its labelled pairs, beside published figures."""
    with opened() as services:
        if not project:
            _list(services, as_json=as_json)
            return
        from comparator.reporting.trust.labelled_record import labelled_records

        found = labelled_records(services.database, [project_named(services, project)])
        if as_json:
            print(json_text(found))
            return
        if not found:
            say.print("No judge has read labelled pairs here: comparator batch start PROJECT --labelled.")
            return
        for record in found:
            results().print(_table(record))
        _print_published(found[0].project)


def _list(services: Services, *, as_json: bool) -> None:
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


def _table(record: LabelledRecord) -> Table:
    from comparator.judges.protocol import judge_called
    from comparator.reporting.trust.record_words import lines_of, parts_of, right_in_both

    who = judge_called(record.judge.kind, record.judge.model)
    title = f"{record.project}: {who}, {record.mode} {record.judge.digest[:8]}".rstrip()
    table = Table("figure", "value", title=title, title_justify="left")
    for name, value in lines_of(record):
        table.add_row(name, value)
    for what, name, counts in parts_of(record):
        table.add_row(f"right in both orders, {what} {name}", right_in_both(counts))
    return table


def _print_published(project: str) -> None:
    from comparator.reporting.trust.published import figures_on

    for each in figures_on(project):
        say.print(each.in_words, markup=False)
