"""`probe`: pairs that a good judge cannot miss are written as a labelled set to import."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from comparator.cli.frame import app, plain_errors, say
from comparator.cli.paths import check_name
from comparator.domain.counted import counted
from comparator.domain.errors import InputError


@app.command()
def probe(
    out: Annotated[Path, typer.Argument(help="Where to write the pairs, as JSON lines")] = Path(
        "probes.jsonl"
    ),
) -> None:
    """Write pairs that a good judge gets right: ties, planted defects, padding, flattery, injections."""
    with plain_errors():
        every = resources.files("comparator.judges").joinpath("probes.jsonl").read_text(encoding="utf-8")
        check_name(out)
        try:
            out.write_text(every, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{out} cannot be written: {error.strerror}.") from error
        say.print(f"{counted(every.count(chr(10)), 'pair')} with gold labels: {out}", markup=False)
        say.print(
            f"To judge them: comparator import {out} --judge now. The page Judge then shows the record.",
            markup=False,
        )
