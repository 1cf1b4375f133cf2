"""Loads the example pairs once, judged by the offline baseline, so that a first start has something to review."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from pydantic import Field, ValidationError

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.task import TaskText
from comparator.store import comparisons, projects
from comparator.store.comparisons import Source
from comparator.workflow.intake import find_leaks, read_output, read_together
from comparator.workflow.judge import judge_comparison
from comparator.workflow.services import Services
from comparator.workflow.submit import Submission, decide, submit

PROJECT = "Examples"


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


def examples_loaded(services: Services) -> bool:
    """Whether the examples' project holds anything already."""
    with services.database.read() as connection:
        found = next((p for p in projects.all_projects(connection) if p.name == PROJECT), None)
        return found is not None and comparisons.page(connection, project_id=found.id, limit=1).total > 0


def load_examples(services: Services, folder: Path) -> int:
    """Submit and judge every example below `folder`; how many. Raises InputError for a damaged one."""
    known = [_submit(services, file) for file in sorted(folder.glob("*/task.json"))]
    asyncio.run(_judge(services, known))
    return len(known)


async def _judge(services: Services, comparison_ids: list[str]) -> None:
    judge = services.judge("offline")
    for comparison_id in comparison_ids:
        await judge_comparison(services, judge, comparison_id)
    await judge.close()


def _submit(services: Services, file: Path) -> str:
    try:
        example = Example.model_validate(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise InputError(f"The example {file} cannot be read: {error}") from error
    home = file.parent
    task = TaskText(prompt=example.prompt, expectations=example.expectations)
    sources = PerOutput[Path](A=home / example.outputs.a, B=home / example.outputs.b)
    outputs = sources.map(lambda source: read_output(services, source))
    candidates = PerOutput[str](A=example.candidates.a, B=example.candidates.b)
    findings = find_leaks(services, outputs, task=task, candidates=candidates)
    submitted = submit(
        services,
        Submission(
            task=task,
            outputs=outputs,
            candidates=candidates,
            inputs=read_together(services, [home / path for path in example.inputs]),
            reference=read_output(services, home / example.reference) if example.reference else None,
            redactions=decide(findings),
            findings=findings,
            project=PROJECT,
            key=example.key,
            title=example.title,
            tags=example.tags,
            source=Source.EXAMPLE,
        ),
        person_id=None,
    )
    return submitted.comparison_id
