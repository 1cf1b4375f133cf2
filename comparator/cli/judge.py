"""`judge`, `schema` and `probe`: one pair without a browser, and pairs that measure a judge."""

import contextlib
import json
import os
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from comparator.cli.batch import money
from comparator.cli.frame import (
    EXIT_CODES,
    STANDARD,
    AsJson,
    OptionsOf,
    app,
    input_file,
    progress,
    read_text,
    say,
)
from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.scoring.result import ComparisonResult
from comparator.store.bulk.batches import JudgesAsked


@app.command(epilog=EXIT_CODES)
def judge(
    *,
    a: Path,
    b: Path,
    prompt: str,
    expectation: list[str] = [],  # noqa: B006  # typer copies
    expectations: Path | None = None,
    input: list[Path] = [],  # noqa: A002,B006  # the option's name
    candidate_a: str | None = None,
    candidate_b: str | None = None,
    redact: list[str] = [],  # noqa: B006  # typer copies
    draw: bool = False,
    budget: str = "",
    keys_here: bool = False,
    out: str = "",
    as_json: AsJson = False,
    **judges: Annotated[Any, OptionsOf(JudgesAsked, without=("quorum",))],
) -> None:
    """Judge two outputs of one task; write comparison.json and, beside it, its provenance.

    Args:
        a: Output A: a file or a folder, or - for standard input
        b: Output B: a file or a folder, or - for standard input
        prompt: What was asked: the text, @FILE, or - for standard input
        expectation: An expectation; repeat for more
        expectations: File with one expectation a line, a JSON list of texts or objects with a text, or
            eval_metadata.json; - for standard input
        input: An input file or folder of the task, or -; repeat
        candidate_a: Candidate that made A (kept sealed)
        candidate_b: Candidate that made B (kept sealed)
        redact: A word to neutralise wherever it occurs; repeat
        draw: Assign A and B at random
        budget: Limit in US dollars, for each judge
        keys_here: Take the judge's keys, and nothing else, from this folder's .env
        out: File to write, a folder (ending in /), or - for standard output
    """
    from comparator import api
    from comparator.bootstrap import take_keys_here
    from comparator.workflow.exporting.comparison_json import DEFAULT_NAME

    if sum(str(source) == str(STANDARD) for source in (a, b, prompt, expectations, *input)) > 1:
        raise InputError(
            "Standard input can be read only once. Use - for one input, and files for the others."
        )
    if keys_here:
        take_keys_here()
    target = _target(out or DEFAULT_NAME)
    with progress() as step, contextlib.ExitStack() as stack:
        read_a, read_b, *inputs = (stack.enter_context(input_file(path)) for path in (a, b, *input))
        done = api.compare(
            read_a,
            read_b,
            _prompt(prompt),
            expectations=(*expectation, *_expectations(expectations)),
            inputs=inputs,
            candidates=(candidate_a, candidate_b),
            redact=redact,
            draw=draw,
            budget=money(budget),
            out=target,
            replace=out.endswith(".json"),
            on_step=step,
            **judges,
        )
    if as_json or target is None:
        print(done.result.to_json(), end="")
    for line in done.summary():
        say.print(line)


@app.command()
def schema() -> None:
    """Print the JSON Schema of comparison.json."""
    print(json.dumps(ComparisonResult.json_schema(), indent=2))


def _target(out: str) -> Path | None:
    """Where to write; None for standard output. A folder that ends in a slash is created, any other must be there."""
    path = Path(out)
    if path == STANDARD:
        return None
    if out.endswith("/"):
        path.mkdir(parents=True, exist_ok=True)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(
            f"{path} cannot be written: its folder is missing or you may not write to it. Choose another place."
        )
    return path


def _prompt(text: str) -> str:
    if text == str(STANDARD):
        return read_text(STANDARD, "prompt")
    if text.startswith("@"):
        return read_text(Path(text[1:]), "file with the prompt")
    with contextlib.suppress(OSError, ValueError):  # No name of a file: then it is the prompt itself.
        if Path(text).is_file():
            raise InputError(
                f"--prompt {text} is the name of a file. To have the file read, write --prompt @{text}."
            )
    return text


def _expectations(path: Path | None) -> tuple[str, ...]:
    """One a line, or JSON: a list of texts or of objects with a `text`, or an object that holds such a list."""
    if path is None:
        return ()
    from comparator.interop.gradings import texts_of, unread
    from comparator.interop.text import UnreadableImport, parse_json

    text = read_text(path, "file with the expectations")
    if not text.lstrip().startswith(("[", "{")):
        return tuple(line.strip() for line in text.splitlines() if line.strip())
    try:
        value = parse_json(text)
    except UnreadableImport as error:
        raise InputError(f"{path} starts like JSON but {error}. Fix it.") from error
    document = value if isinstance(value, dict) else {"expectations": value}
    problems = list(unread(document))
    texts = texts_of(document)
    if isinstance(value, dict) and not texts:
        problems.append("it has no list called expectations or assertions")
    if problems:
        raise InputError(f"{path} cannot be used: {'; '.join(problems)}. Fix it.")
    return texts


@app.command()
def probe(
    out: Path = Path("probes.jsonl"),
) -> None:
    """Write pairs that a good judge gets right: ties, planted defects, padding, flattery, injections.

    Args:
        out: Where to write the pairs, as JSON lines
    """
    every = resources.files("comparator.judges").joinpath("probes.jsonl").read_text(encoding="utf-8")
    out.write_text(every, encoding="utf-8")
    say.print(f"{counted(every.count(chr(10)), 'pair')} with gold labels: {out}", markup=False)
    say.print(
        f"To judge them: comparator import {out} --judge now. The page Judge then shows the record.",
        markup=False,
    )
