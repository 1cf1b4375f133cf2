"""What is handed in beside the outputs is looked through as they are, and says nothing of A and B."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from comparator.domain.blinding.scan import Where
from comparator.domain.labels import PerOutput
from comparator.store.pairs import comparisons as stored
from comparator.store.pairs import keys, outputs, runs
from comparator.workflow.importing.request import ImportRequest
from comparator.workflow.importing.run import dry_run
from comparator.workflow.judge_paths import Done, judge_once
from comparator.workflow.judging.which_judges import asked_judges
from comparator.workflow.submit.intake import (
    find_leaks,
    read_output,
    read_together,
    task_file_texts,
    texts_of,
)
from tests.worlds.files.import_files import write
from tests.worlds.workbench import TASK, Workbench


def judged_from(workbench: Workbench, outputs: PerOutput[Path], **given: Any) -> Done:
    """Two paths, judged by the offline check."""
    asked = asked_judges(workbench.services, None, kind="offline")
    return asyncio.run(judge_once(workbench.services, asked, TASK, outputs, **given))


def test_a_name_that_stands_only_in_an_input_or_the_reference_is_found(workbench: Workbench) -> None:
    workbench.file("inputs/notes.md", "The zebrafinch-prompt run went well.")
    reference = workbench.file("answer-quetzal-prompt.md", "420 kg")
    names = PerOutput[str](A="zebrafinch-prompt", B="quetzal-prompt")

    outputs = workbench.pair().map(lambda path: read_output(workbench.services, path))
    findings = find_leaks(
        outputs,
        texts_of(workbench.services, outputs, prompt=TASK.prompt),
        task=TASK,
        candidates=names,
        task_files=task_file_texts(
            workbench.services,
            inputs=read_together(workbench.services, [workbench.folder / "inputs"]),
            reference=read_output(workbench.services, reference),
        ),
    )

    assert {(f.pattern, f.where) for f in findings if f.whole} == {
        ("zebrafinch-prompt", Where.INPUT),
        ("quetzal-prompt", Where.REFERENCE),
    }


def test_the_command_line_redacts_a_name_in_an_input_file(workbench: Workbench) -> None:
    notes = workbench.file("notes.md", "The zebrafinch-prompt run went well.")
    done = judged_from(
        workbench,
        workbench.pair(),
        candidates=("zebrafinch-prompt", "quetzal-prompt"),
        inputs=(notes,),
        out=workbench.folder / "comparison.json",
    )

    assert done.redacted == ("zebrafinch-prompt",)
    with workbench.services.database.read() as connection:
        comparison = stored.get(connection, done.comparison_id)
        assert comparison.input_view is not None
        seen = outputs.load_view(connection, comparison.input_view, blobs=workbench.services.blobs)
        places = {d.place for d in keys.read(connection, done.comparison_id).leak_decisions}
    assert "zebrafinch" not in seen.model_dump_json()
    assert places == {"input"}


def test_an_import_looks_through_the_input_files_too(workbench: Workbench) -> None:
    root = workbench.folder / "hill-walker-workspace"
    request = write(root / "files" / "request.md", "As the with_skill run of moonraker-9 showed.")
    evals = {"skill_name": "moonraker-9", "evals": [
        {"id": 1, "prompt": "Name three rivers.", "files": ["files/request.md"]}]}  # fmt: skip
    write(root / "evals.json", evals)
    for side in ("with_skill", "without_skill"):
        home = root / "iteration-1" / "rivers"
        write(home / "eval_metadata.json", {"eval_id": 1, "eval_name": "rivers", "prompt": "Name three rivers.",
                                            "files": [str(request)]})  # fmt: skip
        write(home / side / "outputs" / "list.md", f"Rhine, Danube, Elbe {side}")

    report = dry_run(workbench.services, ImportRequest(path=root), on_step=lambda _: None)

    assert Where.INPUT in {place for leak in report.audit.leaks for place in leak.places}


def test_which_run_of_one_candidate_counts_as_the_second_does_not_follow_a_and_b(
    workbench: Workbench,
) -> None:
    seen = []
    for project in ("one", "two"):
        pair = workbench.pair() if project == "one" else workbench.pair().mirrored
        id = workbench.submitted(pair, candidates=PerOutput[str](A="same", B="same"), project=project)
        with workbench.services.database.read() as connection:
            key = keys.read(connection, id)
            a, b = runs.get(connection, key.run_a), runs.get(connection, key.run_b)
        seen.append((a.repetition, b.repetition))

    assert sorted(seen) == [(1, 2), (2, 1)]
