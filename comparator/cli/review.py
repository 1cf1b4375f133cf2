"""`review import`: a review that was made elsewhere comes in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from comparator.cli.frame import app, plain_errors, say
from comparator.cli.paths import read_text
from comparator.cli.projects import AsJson
from comparator.domain.counted import counted
from comparator.domain.scoring.result import ComparisonResult

review_commands = typer.Typer(help="Reviews: import one that was made elsewhere.", no_args_is_help=True)
app.add_typer(review_commands, name="review")


@review_commands.command("import")
def import_review(
    comparison: Annotated[str, typer.Argument(metavar="ID", help="Id of the comparison")],
    file: Annotated[Path, typer.Argument(help="A comparison.json with the reviewer's values, or -")],
    reason: Annotated[str, typer.Option(help="Why values differ from the judge's")] = "",
    finalise: Annotated[bool, typer.Option("--finalise", help="Settle the review with these values")] = False,
    as_json: AsJson = False,
) -> None:
    """Take over a review made elsewhere: a comparison.json that you corrected becomes your review.

    The same file again changes nothing.
    """
    with plain_errors():
        from comparator import api

        result = ComparisonResult.from_json(read_text(file, "review"))
        changed = api.import_review(comparison, result, reason=reason, finalise=finalise)
    if as_json:
        print(json.dumps({"comparison": comparison, "values": changed, "finalised": finalise}))
    say.print(
        f"Stored: {counted(changed, 'value')}. "
        + ("The review is finalised." if finalise else "The review is open: --finalise settles it.")
    )
