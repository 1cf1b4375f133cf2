"""Loads the example pairs once, so that a first start has something to review.

The offline check judges them; some come with a judgment in the form of a model's, which needs no key.
"""

import asyncio
import contextlib
import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, ValidationError

from comparator.domain.errors import Conflict, InputError
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.project import ReviewMode
from comparator.judges.stored import StoredJudge
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparison_list, tasks
from comparator.store.pairs.comparison_list import ListFilter
from comparator.store.pairs.comparisons import ComparisonSource
from comparator.store.people import projects
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import import_path
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


class _Pair(Frozen):
    a: str
    b: str


class Example(Frozen):
    """The content of an example's task.json; paths are relative to its folder."""

    key: str
    title: str
    prompt: str
    expectations: tuple[str, ...]
    tags: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    reference: str | None = None
    candidates: _Pair
    outputs: _Pair = Field(default_factory=lambda: _Pair(a="a", b="b"))


def examples_left(services: Services, folder: Path) -> bool:
    """Whether an example below `folder` is not there yet, or not judged. Raises InputError for a damaged one."""
    keys, unjudged = _present(services)
    return bool(unjudged) or any(_read(file).key not in keys for file in _files(folder))


def load_examples(services: Services, folder: Path) -> None:
    """Submit and judge what is left of the examples below `folder`. Raises InputError for a damaged one.

    A start that was broken off goes on where it stopped. What was purged, its task aside, does not come back.
    """
    keys, unjudged = _present(services)
    if not keys:
        _ask_nothing(services)
        lines = folder / "demo" / "comparisons.jsonl"
        if lines.is_file():
            request = ImportRequest(path=lines, project=DEMO, mode=ReviewMode.BLIND_FIRST)
            import_path(services, request, on_step=lambda _: None)
    judgments = {_read(file).key: file.with_name(JUDGMENT) for file in _files(folder)}
    todo = {id: judgments.get(key) for id, key in unjudged.items()}
    for file in _files(folder):
        example = _read(file)
        if example.key not in keys:
            todo[_submit(services, example, home=file.parent)] = judgments[example.key]
    asyncio.run(_judge(services, todo))


def _ask_nothing(services: Services) -> None:
    """Examples are for looking around: nobody is asked there who made which output."""
    at = services.now()
    with services.write(at=at) as unit:
        project = projects.ensure_project(unit, PROJECT)
        settings = project.settings.copy_with(ask_guess_share=0.0)
        projects.save_settings(unit, project.id, settings)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/task.json"))


def _read(file: Path) -> Example:
    try:
        return Example.model_validate(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise InputError(f"The example {file} cannot be read: {error}") from error


def _present(services: Services) -> tuple[frozenset[str], dict[str, str]]:
    """The keys of the examples that were submitted, and the keys, by id, of those that no judge has read."""
    with services.read() as connection:
        if (project := projects.named(connection, PROJECT)) is None:
            return frozenset(), {}
        waiting = comparison_list.page(
            connection, ListFilter(project.id, (Status.TO_JUDGE, Status.FAILED)), limit=MOST
        )
        unjudged = {
            line.id: line.task_key for line in waiting.lines if line.source is ComparisonSource.EXAMPLE
        }
        return tasks.keys_in(connection, project.id), unjudged


async def _judge(services: Services, todo: Mapping[str, Path | None]) -> None:
    offline = services.judge("offline")
    try:
        for comparison_id, stored in todo.items():
            # Another app on the same database may be quicker.
            with contextlib.suppress(Conflict):
                if stored is not None and stored.is_file():
                    outcome = await judge_comparison(
                        services, StoredJudge(stored), comparison_id, repetitions=1
                    )
                    if outcome.complete:
                        continue
                await judge_comparison(services, offline, comparison_id)
    finally:
        await offline.close()


def _submit(services: Services, example: Example, *, home: Path) -> str:
    with open_reader(services) as reader:
        submission = with_findings(
            reader,
            Submission(
                task=TaskText(prompt=example.prompt, expectations=example.expectations),
                outputs=PerOutput(
                    A=read_output(services, home / example.outputs.a),
                    B=read_output(services, home / example.outputs.b),
                ),
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
