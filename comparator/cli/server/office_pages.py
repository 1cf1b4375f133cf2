"""`pages`: the Office files of pairs become pages, in the background or here and now."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from comparator.cli.frame import app, me, opened, progress, project_named, say
from comparator.cli.terminal import json_text
from comparator.domain.counted import counted
from comparator.domain.errors import InputError


@app.command()
def pages(
    project: Annotated[str, typer.Argument(help="The project's name; needed for --again and --stop")] = "",
    again: Annotated[
        bool,
        typer.Option("--again", help="Make the pages again, with the LibreOffice and fonts installed now"),
    ] = False,
    stop: Annotated[
        bool, typer.Option("--stop", help="Cancel the pages that wait: those pairs are judged by their text")
    ] = False,
    comparison: Annotated[list[str], typer.Option(help="With --again: id of a comparison; repeat")] = [],  # noqa: B006  # typer copies
    count: Annotated[
        bool, typer.Option("--count", help="Show how many pairs wait, and change nothing")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on standard output")] = False,
) -> None:
    """Turn the Office files of all pairs that wait into pages; Ctrl+C stops, and what is made stays."""
    if again and stop:
        raise InputError("--again and --stop exclude each other. Give one of them.")
    if (again or stop) and not project:
        raise InputError("Name the project: comparator pages PROJECT --again, or --stop.")
    with opened() as services:
        from comparator.workflow.judging import office_pages

        chosen = project_named(services, project) if project else None
        if stop and chosen:
            stopped = office_pages.stop(services, project_id=chosen, person_id=me(services))
            say.print(f"No pages are made of {counted(stopped, 'pair')}. They are shown and judged by text.")
        elif again and chosen:
            begun = office_pages.make_again(
                services, project_id=chosen, comparison_ids=comparison, person_id=me(services)
            )
            say.print(f"New pages are to be made of {counted(begun, 'pair')}.")
        if not (stop or count):
            with progress() as step:
                asyncio.run(
                    office_pages.make_all(
                        services, on_step=lambda now: step(f"Pages: {now.made:,} of {now.total:,} pairs")
                    )
                )
        found = office_pages.progress(services, project_id=chosen)
        say.print(f"Pairs with Office files: {found.made:,} have pages, {found.waiting:,} wait, "
                  f"{found.text:,} are shown by their text.")  # fmt: skip
        if as_json:
            print(json_text(found))
