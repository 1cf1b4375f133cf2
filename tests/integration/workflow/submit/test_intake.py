"""What is handed in beside the outputs is looked through as they are, and says nothing of A and B."""

from pathlib import Path

import pytest

from comparator import api
from comparator.api.opened import opened
from comparator.domain.blinding.scan import Where
from comparator.domain.errors import InputError
from comparator.domain.labels import PerOutput
from comparator.settings import Settings
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparison_list, comparisons, keys, outputs, runs
from comparator.store.pairs import comparisons as stored
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import dry_run
from comparator.workflow.judging.rubrics import blinded_pair
from comparator.workflow.submit.set_up import take_back
from tests.worlds.files.import_files import write
from tests.worlds.workbench import TASK, Workbench


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


def test_which_run_of_one_candidate_is_the_second_does_not_follow_a_and_b(workbench: Workbench) -> None:
    seen = []
    for project in ("one", "two"):
        pair = workbench.pair() if project == "one" else workbench.pair().mirrored
        id = workbench.submitted(pair, candidates=PerOutput[str](A="same", B="same"), project=project)
        with workbench.services.database.read() as connection:
            key = keys.read(connection, id)
            a, b = runs.get(connection, key.run_a), runs.get(connection, key.run_b)
        seen.append((a.repetition, b.repetition))

    assert sorted(seen) == [(1, 2), (2, 1)]


def judged_text(workbench: Workbench, comparison_id: str, name: str) -> str:
    with workbench.services.database.read() as connection:
        pair = blinded_pair(workbench.services, connection, comparisons.get(connection, comparison_id))
    return "\n".join(file.text for file in pair.outputs.A.files if file.name == name)


def set_aside(workbench: Workbench, comparison_id: str) -> tuple[str, ...]:
    return workbench.sheet(comparison_id).aside_of_both


def test_a_file_is_judged_after_all_without_its_name_until_the_review_begins(workbench: Workbench) -> None:
    pair = workbench.pair()
    about_itself = "The subagent zebrafinch-prompt ran for 12 turns and found 3 rows."
    workbench.file("with_skill/outputs/summary.md", about_itself)
    workbench.file("with_skill/outputs/metrics.json", '{"turns": 12}')
    id = workbench.submitted(pair)
    (metrics, summary) = sorted(set_aside(workbench, id))
    assert judged_text(workbench, id, "summary.md") == ""
    assert workbench.judged(id).complete
    with pytest.raises(InputError, match="This file is not set aside here"):
        take_back(workbench.me, id, ("report.md",))

    take_back(workbench.me, id, (summary,))

    assert set_aside(workbench, id) == (metrics,)
    text = judged_text(workbench, id, "summary.md")
    assert "ran for 12 turns" in text
    assert "zebrafinch" not in text
    # The pair waits for its judge again.
    with workbench.services.database.read() as connection:
        assert comparison_list.line(connection, id).status == Status.TO_JUDGE
    assert workbench.judged(id).complete
    workbench.send(id, "winner", "B")
    with pytest.raises(InputError, match="its review has begun"):
        take_back(workbench.me, id, (metrics,))
