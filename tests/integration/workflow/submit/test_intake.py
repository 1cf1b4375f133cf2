"""What is handed in beside the outputs is looked through as they are, and says nothing of A and B."""

from pathlib import Path

from comparator import api
from comparator.api.opened import opened
from comparator.domain.blinding.scan import Where
from comparator.domain.labels import PerOutput
from comparator.outputs.view.build import texts_to_scan
from comparator.settings import Settings
from comparator.store.pairs import comparisons as stored
from comparator.store.pairs import keys, outputs, runs
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import dry_run
from comparator.workflow.submit.intake import (
    find_leaks,
    open_reader,
    read_output,
    read_together,
    task_texts_to_scan,
)
from tests.worlds.files.import_files import write
from tests.worlds.workbench import TASK, Workbench


def test_a_name_that_stands_only_in_an_input_or_the_reference_is_found(workbench: Workbench) -> None:
    workbench.file("inputs/notes.md", "The zebrafinch-prompt run went well.")
    reference = workbench.file("answer-quetzal-prompt.md", "420 kg")
    names = PerOutput[str](A="zebrafinch-prompt", B="quetzal-prompt")

    outputs = workbench.pair().map(lambda path: read_output(workbench.services, path))
    with open_reader(workbench.services) as reader:
        findings = find_leaks(
            outputs,
            texts_to_scan(outputs, reader, taken_back=frozenset(), prompt=TASK.prompt),
            task=TASK,
            candidates=names,
            task_files=task_texts_to_scan(
                reader,
                inputs=read_together(workbench.services, [workbench.folder / "inputs"]),
                reference=read_output(workbench.services, reference),
            ),
        )

    assert {(f.pattern, f.where) for f in findings if f.whole} == {
        ("zebrafinch-prompt", Where.INPUT),
        ("quetzal-prompt", Where.REFERENCE),
    }


def test_a_pair_of_paths_has_a_name_in_an_input_file_redacted(workbench: Workbench, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", judge="offline")
    done = api.compare(
        workbench.pair().A,
        workbench.pair().B,
        TASK.prompt,
        candidates=("zebrafinch-prompt", "quetzal-prompt"),
        inputs=(workbench.file("notes.md", "The zebrafinch-prompt run went well."),),
        out=workbench.folder / "comparison.json",
        settings=settings,
    )

    assert done.redacted == ("zebrafinch-prompt",)
    with opened(settings) as services, services.database.read() as connection:
        comparison = stored.get(connection, done.comparison_id)
        assert comparison.input_view is not None
        seen = outputs.load_view(connection, comparison.input_view, blobs=services.blobs)
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
