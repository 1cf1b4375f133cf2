"""What comes in: one pair of paths, judged at once, or experiments that were run elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import TypedDict, Unpack

from comparator.api.opened import OnStep, opened, quiet, wait_for
from comparator.domain.errors import InputError
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import worded
from comparator.domain.scoring.judgment import Tools
from comparator.interop.imported import Format
from comparator.jobs.batches.start_batches import ceiling_of
from comparator.settings import JudgeKind, Settings
from comparator.workflow.importing import run
from comparator.workflow.importing.pairs import Pairing
from comparator.workflow.importing.planned import ImportReport
from comparator.workflow.importing.request import ImportRequest
from comparator.workflow.importing.store import Imported
from comparator.workflow.judge_paths import Done, judge_once
from comparator.workflow.judging.which_judges import asked_judges, known_project
from comparator.workflow.submit.submission import DEFAULT_PROJECT

Place = str | PathLike[str]


def compare(
    a: Place,
    b: Place,
    prompt: str,
    *,
    expectations: Sequence[str] = (),
    judge: JudgeKind | None = None,
    model: str | None = None,
    named: Sequence[str] = (),
    quorum: int | None = None,
    tools: Tools | None = None,
    inputs: Sequence[Place] = (),
    reference: Place | None = None,
    candidates: tuple[str | None, str | None] = (None, None),
    redact: Sequence[str] = (),
    keep: Sequence[str] = (),
    draw: bool = False,
    budget: Decimal | float | str | None = None,
    project: str = "",
    out: Place | None = None,
    replace: bool = True,
    settings: Settings | None = None,
    on_step: OnStep = quiet,
) -> Done:
    """Judge two outputs of one task, each a file or a folder; the comparison is stored and waits for a review.

    `a` and `b` are A and B as given; with `draw`, chance decides. `candidates` say who made which and stay sealed.

    Judge and model come from the settings unless given. `named` are judges of COMPARATOR_JUDGES, in place of both.
    `tools` says whether the judge opens files; by default the project or the settings say so.

    If several judges read the pair, by `named` or by the project's settings, the result is their joint verdict, and
    `judges` holds what each says. At least `quorum` of them must reach a verdict (a majority by default).

    No judge spends more than `budget`, in US dollars, whatever else the settings allow.

    With `out`, comparison.json is written there, and its provenance beside it. Without `replace`, the result of another
    comparison is never overwritten. Repeating the call pays for nothing twice.

    Raises InputError for what cannot be read, and SettingsError where no such judge is set up. Raises JudgeError where
    the judge gave no complete answer (the comparison is stored; call again to go on), or several judges came to no
    verdict.
    """
    if named and (judge or model):
        raise InputError("Give a judge by kind and model, or judges by name, not both.")
    ceiling = ceiling_of(None if budget is None else Decimal(str(budget)), None)
    with opened(settings) as services:
        asked = asked_judges(
            services,
            known_project(services, project or DEFAULT_PROJECT),
            kind=judge,
            model=model or None,
            names=tuple(named),
            quorum=quorum,
            tools=tools,
        )
        work = judge_once(
            services,
            asked,
            worded(prompt, expectations),
            PerOutput[Path](A=Path(a), B=Path(b)),
            candidates=candidates,
            inputs=tuple(map(Path, inputs)),
            reference=None if reference is None else Path(reference),
            redact=redact,
            keep=keep,
            draw=draw,
            budget=ceiling,
            project=project,
            out=None if out is None else Path(out),
            replace=replace,
            on_step=on_step,
        )
        return wait_for(work)


class ImportOptions(TypedDict, total=False):
    """What an import may be told; docs/import.md says what each option of the command line means."""

    format: Format | str | None
    project: str
    compare: tuple[str, str] | None
    pairs: Pairing | str
    baseline: str
    iterations: str
    workspace: str
    columns: Mapping[str, str]
    """Ours to theirs, for a table that calls its columns otherwise."""
    label_values: Mapping[str, str]
    """What the values of its label mean: A, B or tie."""
    keep: Collection[str]
    redact: Collection[str]
    set_aside: Collection[str]
    take_back: Collection[str]


def import_workspace(
    path: Place,
    *,
    settings: Settings | None = None,
    on_step: OnStep = quiet,
    **options: Unpack[ImportOptions],
) -> Imported:
    """Set up the pairs of a workspace folder, a results file, a preference set or a table; nothing is judged yet.

    What was imported before is left alone. The report says what was found, left out and may tell who made what, and
    the ids of the new comparisons come with it. Raises InputError where nothing can be imported.
    """
    request = ImportRequest.from_options(Path(path), options)
    with opened(settings) as services:
        return run.import_path(services, request, on_step=on_step)


def look_through(
    path: Place,
    *,
    settings: Settings | None = None,
    on_step: OnStep = quiet,
    **options: Unpack[ImportOptions],
) -> ImportReport:
    """What `import_workspace` would find and do with the same options; nothing is kept of it. Raises InputError."""
    request = ImportRequest.from_options(Path(path), options)
    with opened(settings) as services:
        return run.dry_run(services, request, on_step=on_step)
