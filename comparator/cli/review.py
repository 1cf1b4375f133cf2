"""`review`: read a review, and take one over that was made elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from comparator.cli.frame import app, me, opened, say
from comparator.cli.paths import read_text
from comparator.cli.projects import AsJson
from comparator.domain.counted import counted
from comparator.domain.scoring.result import ComparisonResult

review_commands = typer.Typer(help="Reviews: read them, and import one made elsewhere.", no_args_is_help=True)
app.add_typer(review_commands, name="review")
Id = Annotated[str, typer.Argument(metavar="ID", help="Id of the comparison")]


@review_commands.command("show")
def show(comparison: Id, as_json: AsJson = False) -> None:
    """Show who reviewed a comparison: every change with its reason, and every finalised version."""
    with opened() as services:
        from comparator.workflow.exporting.comparison_json import provenance_json

        found: list[dict[str, Any]] = json.loads(
            provenance_json(services, comparison, person_id=me(services))
        )["reviews"]
    if as_json:
        print(json.dumps(found, indent=2))
        return
    for each in found:
        print(f"{each['reviewer']}: {counted(len(each['changes']), 'change')}, {_ended(each['versions'])}")
        for change in each["changes"]:
            target = ":".join(str(part) for part in change["target"].values() if part is not None)
            why = f"  ({change['reason']})" if change["reason"] else ""
            print(f"  {target} {change['kind']} {_line(change['value'])}{why}")
    if not found:
        say.print("Nobody has reviewed it yet.")


@review_commands.command("import")
def import_review(
    comparison: Id,
    file: Annotated[Path, typer.Argument(help="A comparison.json with the reviewer's values, or -")],
    reason: Annotated[str, typer.Option(help="Why values differ from the judge's")] = "",
    finalise: Annotated[bool, typer.Option("--finalise", help="Settle the review with these values")] = False,
    leave_out: Annotated[
        str | None, typer.Option(help="With --finalise: leave out what nobody assessed, for this reason")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Take over a review made elsewhere: a comparison.json that you corrected becomes your review.

    The same file again changes nothing.
    """
    with opened() as services:
        from comparator.workflow.review import review
        from comparator.workflow.review.review_elsewhere import take_over

        result = ComparisonResult.from_json(read_text(file, "review"))
        person = me(services)
        changed = take_over(services, comparison, result, person_id=person, reason=reason)
        if finalise:
            review.finalise(services, comparison, person_id=person, leave_out=leave_out)
    if as_json:
        print(json.dumps({"comparison": comparison, "values": changed, "finalised": finalise}))
    say.print(
        f"Stored: {counted(changed, 'value')}. "
        + ("The review is finalised." if finalise else "The review is open: --finalise settles it.")
    )


def _ended(versions: list[dict[str, Any]]) -> str:
    return f"{counted(len(versions), 'finalised version')}" if versions else "not finalised"


def _line(value: object) -> str:
    text = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 100 else f"{text[:99]}…"
