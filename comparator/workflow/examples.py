"""Loads the example pairs once, so that a first start has something to review.

They come with a judgment as it is recorded in exported lines, which needs no key; without one the offline check judges.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from comparator.domain.errors import Conflict, InputError
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.interop.imported import RecordedJudgment
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparison_list, tasks
from comparator.store.pairs.comparisons import ComparisonSource
from comparator.store.people import projects
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import import_path
from comparator.workflow.importing.store import judge_as_recorded
from comparator.workflow.judging.pair_reader import judge_comparison
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import (
    Submission,
    open_reader,
    read_output,
    read_together,
    with_findings,
)
from comparator.workflow.submit.set_up import submit_read

PROJECT = "Examples"
DEMO = "Demo: a skill over six iterations"
"""A finished experiment, so that a first start has results to look at."""
JUDGMENT = "judgment.json"
MOST = 500
"""More comparisons than a project of examples holds."""


M = TypeVar("M", bound=Frozen)


class _Makers(Frozen):
    a: str
    b: str


class Example(Frozen):
    """The content of an example's task.json, beside which its outputs lie; paths are relative to its folder."""

    key: str
    title: str
    prompt: str
    expectations: tuple[str, ...]
    tags: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    reference: str | None = None
    candidates: _Makers


def load_examples(services: Services, folder: Path, *, say: Callable[[str], None] = lambda _: None) -> None:
    """Submit and judge what is left of the examples below `folder`. Raises InputError for a damaged one.

    A start that was broken off goes on where it stopped. What was purged, its task aside, does not come back.
    """
    keys, unjudged = _present(services)
    files = sorted(folder.glob("*/task.json"))
    examples = {example.key: (example, file.parent) for file in files for example in [_from(file, Example)]}
    if not unjudged and examples.keys() <= keys:
        return
    say("Loading the examples (first start only)")
    if not keys:
        # They are for looking around: nobody is asked there who made which output.
        with services.write() as unit:
            project = projects.ensure_project(unit, PROJECT)
            projects.save_settings(unit, project.id, project.settings.copy_with(ask_guess_share=0.0))
        lines = folder / "demo" / "comparisons.jsonl"
        if lines.is_file():
            request = ImportRequest(path=lines, project=DEMO)
            import_path(services, request, on_step=lambda _: None)
    todo = {id: examples[key][1] if key in examples else None for id, key in unjudged.items()}
    todo |= {
        _submit(services, example, home=home): home
        for key, (example, home) in examples.items()
        if key not in keys
    }
    asyncio.run(_judge(services, todo))


def _from(file: Path, kind: type[M]) -> M:
    try:
        return kind.model_validate_json(file.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"The example {file} cannot be read: {error}") from error


def _present(services: Services) -> tuple[frozenset[str], dict[str, str]]:
    """The keys of the examples that were submitted, and the keys, by id, of those that no judge has read."""
    with services.read() as connection:
        if (project := projects.named(connection, PROJECT)) is None:
            return frozenset(), {}
        waiting = comparison_list.page(
            connection, comparison_list.ListFilter(project.id, (Status.TO_JUDGE, Status.FAILED)), limit=MOST
        )
        unjudged = {
            line.id: line.task_key for line in waiting.lines if line.source is ComparisonSource.EXAMPLE
        }
        return tasks.keys_in(connection, project.id), unjudged


async def _judge(services: Services, todo: Mapping[str, Path | None]) -> None:
    """Judge these pairs, by the judgment in their folder where there is one."""
    for comparison_id, home in todo.items():
        # Another app on the same database may be quicker.
        with contextlib.suppress(Conflict):
            if home is not None and (stored := home / JUDGMENT).is_file():
                await judge_as_recorded(services, comparison_id, _from(stored, RecordedJudgment))
            else:
                await judge_comparison(services, services.judge("offline"), comparison_id)


def _submit(services: Services, example: Example, *, home: Path) -> str:
    with open_reader(services) as reader:
        submission = with_findings(
            reader,
            Submission(
                task=TaskText(prompt=example.prompt, expectations=example.expectations),
                outputs=PerOutput(A=read_output(services, home / "a"), B=read_output(services, home / "b")),
                candidates=PerOutput(A=example.candidates.a, B=example.candidates.b),
                inputs=read_together(services, [home / path for path in example.inputs]),
                reference=read_output(services, home / example.reference) if example.reference else None,
                project=PROJECT,
                key=example.key,
                title=example.title,
                tags=example.tags,
                source=ComparisonSource.EXAMPLE,
                # A stored judgment speaks of A and B as they lie in the folder.
                draw=not (home / JUDGMENT).is_file(),
            ),
        )
        return submit_read(services, submission, reader).comparison_id
