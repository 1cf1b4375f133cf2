"""One pair: two paths in, a judged comparison out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from os import PathLike
from pathlib import Path

from comparator.api.opened import OnStep, opened, quiet, wait_for
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import worded
from comparator.domain.scoring.judgment import Tools
from comparator.jobs.gate import GatedSender, new_gate
from comparator.settings import JudgeKind, Settings
from comparator.workflow.judge_paths import Done, Request, judge_once
from comparator.workflow.judging.project_judge import judge_of_project

Place = str | PathLike[str]


def compare(
    a: Place,
    b: Place,
    prompt: str,
    *,
    expectations: Sequence[str] = (),
    judge: JudgeKind | None = None,
    model: str | None = None,
    tools: Tools | None = None,
    inputs: Sequence[Place] = (),
    reference: Place | None = None,
    candidates: tuple[str | None, str | None] = (None, None),
    redact: Sequence[str] = (),
    keep: Sequence[str] = (),
    draw: bool = False,
    project: str = "",
    out: Place | None = None,
    replace: bool = True,
    settings: Settings | None = None,
    on_step: OnStep = quiet,
) -> Done:
    """Judge two outputs of one task, each a file or a folder; the comparison is stored and waits for a review.

    `a` and `b` are A and B as given; with `draw`, chance decides. `candidates` say who made which and stay sealed.
    Judge and model come from the settings unless given; whether the judge opens files with `tools`, from the project
    or the settings. The same call again pays for nothing twice.
    With `out`, comparison.json is written there, and its provenance beside it; without `replace`, never over the
    result of another comparison.

    Raises InputError for what cannot be read, JudgeError where the judge gave no complete answer (the comparison is
    stored; call again to go on), SettingsError where no such judge is set up.
    """
    request = Request(
        task=worded(prompt, expectations),
        outputs=PerOutput[Path](A=Path(a), B=Path(b)),
        candidates=PerOutput[str | None](A=candidates[0], B=candidates[1]),
        inputs=tuple(map(Path, inputs)),
        reference=None if reference is None else Path(reference),
        redact=tuple(redact),
        keep=frozenset(keep),
        draw=draw,
        project=project,
        out=None if out is None else Path(out),
        replace=replace,
    )
    with opened(settings) as services:
        gate = new_gate()
        one = judge_of_project(
            services, project, judge, model or None, through=partial(GatedSender, gate), tools=tools
        )
        return wait_for(judge_once(services, request, judge=one, on_step=on_step, gate=gate))
