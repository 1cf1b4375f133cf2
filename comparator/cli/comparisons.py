"""`list` and `show`: the history in a terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from comparator.cli.frame import app, me, opened, plain_errors, project_named, say
from comparator.cli.projects import AsJson, print_table
from comparator.domain.labels import Label, Winner
from comparator.domain.scoring.rubric import form_in_words
from comparator.store.facts.fact import Status
from comparator.store.pairs.comparison_list import ListOrder

if TYPE_CHECKING:
    from comparator.reporting.history.listing import HistoryRow

HIDDEN = "hidden until you have scored it"


@app.command("list")
def list_comparisons(
    project: Annotated[str, typer.Option(help="Only this project's")] = "",
    status: Annotated[Status | None, typer.Option(help="Only those with this status")] = None,
    winner: Annotated[Winner | None, typer.Option(help="Only those with this winner")] = None,
    search: Annotated[str, typer.Option(help="Only those with these words in title or task")] = "",
    tag: Annotated[str, typer.Option(help="Only those of tasks with this tag")] = "",
    order: Annotated[ListOrder, typer.Option(help="Sort order")] = ListOrder.NEWEST,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many at most")] = 50,
    as_json: AsJson = False,
) -> None:
    """List comparisons, as the History page does; candidates are named once revealed."""
    with opened() as services:
        from comparator.reporting.history.conditions import HistoryFilter
        from comparator.reporting.history.listing import history

        page = history(
            services.database,
            HistoryFilter(
                project_id=project_named(services, project) if project else None,
                status=status,
                winner=winner,
                text=search,
                tag=tag or None,
                order=order,
                reader=me(services),
            ),
            limit=limit,
        )
    rows = [_row(each) for each in page.rows]
    if as_json:
        print(json.dumps({"total": page.total, "comparisons": rows}, indent=2))
        return
    shown = ("id", "title", "status", "winner", "a", "b")
    for row in rows:
        # What the offline check found stands where a winner would.
        row["winner"] = row["winner"] or (f"form: {row['form']}" if row["form"] else None)
    print_table(
        ("Id", "Title", "Status", "Winner", "A", "B"), [[row[name] for name in shown] for row in rows]
    )
    if page.total > len(rows):
        say.print(f"{len(rows)} of {page.total}; --limit shows more.")


@app.command("show")
def show_comparison(
    comparison: Annotated[str, typer.Argument(metavar="ID", help="Id of the comparison")],
    as_json: AsJson = False,
) -> None:
    """Show a comparison's verdict with what led to it, as comparison.json and its provenance hold it."""
    with plain_errors():
        from comparator import api

        shown = api.show(comparison)
    result = shown.result
    if as_json:
        told = json.loads(result.to_json()) if result else None
        print(json.dumps({"result": told, "provenance": shown.provenance}, indent=2))
        return
    scored = None if shown.form else result
    if shown.form:
        print(f"Offline check: {form_in_words(shown.form)}.")
    elif scored is None:
        print(f"{shown.winner.value}  (no scores)")
    else:
        print(f"{scored.winner.value}  {scored.rubric.A.overall_score} : {scored.rubric.B.overall_score}")
    print(shown.prose.reasoning)
    for label in Label:
        print(f"\nOutput {label.value}" + (f": {scored.output_quality[label].score}" if scored else ""))
        for sign, lines in (("+", shown.prose.strengths[label]), ("-", shown.prose.weaknesses[label])):
            for line in lines:
                print(f"  {sign} {line}")


def _row(row: HistoryRow) -> dict[str, Any]:
    from comparator.api.exporting import row_of

    cells = row_of(row)
    name = cells.pop("winner_name")
    if row.covered:
        cells["winner"] = HIDDEN
    elif name:
        cells["winner"] = f"{cells['winner']} ({name})"
    named = {"A": cells.pop("candidate_a"), "B": cells.pop("candidate_b")}
    return {**cells, "candidates": None if row.made_by is None else named}
