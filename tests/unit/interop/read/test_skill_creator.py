"""Workspaces deviate from their documentation: runs are discovered wherever they lie, and nothing is lost unseen."""

from pathlib import Path

from comparator.interop.skill_creator.workspace import read_workspace
from tests.worlds.files.import_files import PROMPTS, WITH, WITHOUT, flat_run, workspace, write


def test_repetitions_a_runs_folder_and_a_side_nested_in_itself(tmp_path: Path) -> None:
    home = tmp_path / "iteration-1"
    write(home / "runs/eval-1-packing/eval_metadata.json", {"eval_id": 1, "prompt": PROMPTS[1]})
    write(home / "runs/eval-1-packing/with_skill/run-1/outputs/a.md", WITH)
    write(home / "runs/eval-1-packing/with_skill/run-2/outputs/a.md", WITH + "2")
    write(home / "runs/eval-1-packing/without_skill/without_skill/outputs/a.md", WITHOUT)

    runs = sorted(
        (r.iteration, r.task_key, r.configuration, r.repetition) for r in read_workspace(tmp_path).runs
    )
    assert [run[2:] for run in runs] == [("with_skill", 1), ("with_skill", 2), ("without_skill", 1)]
    assert {run[:2] for run in runs} == {("1", "eval-1")}


def test_the_flat_layout_with_model_and_skill_as_factors(tmp_path: Path) -> None:
    for side in ("x_with_skill", "x_without_skill", "y_with_skill", "y_without_skill"):
        flat_run(tmp_path / "iteration-4" / side, 1, model=side[0], output_tokens=20, time_seconds=3)

    findings = read_workspace(tmp_path)
    assert [(run.factors, run.model, run.output_tokens, run.seconds) for run in findings.runs] == [
        ((f"{with_or_not}_skill", model), model, 20, 3.0)
        for model in "xy"
        for with_or_not in ("with", "without")
    ]
    assert findings.runs[0].expectations == ("It is useful",)


def test_a_linked_file_outside_of_the_skill_is_no_input(tmp_path: Path) -> None:
    root = tmp_path / "walker-workspace"
    secret = write(tmp_path / "secret.txt", "private")
    evals = [{"id": 1, "prompt": PROMPTS[1], "files": ["evals/in.txt", "../secret.txt", str(secret)]}]
    write(tmp_path / "walker/evals/evals.json", {"evals": evals})
    (tmp_path / "walker/evals/in.txt").symlink_to(secret)
    write(root / "iteration-1/eval-1/with_skill/outputs/a.md", WITH)

    assert [run.inputs for run in read_workspace(root).runs] == [()]


def test_evals_json_in_a_workspace_names_only_files_that_came_with_it(tmp_path: Path) -> None:
    root = tmp_path / "downloaded"
    write(tmp_path / ".ssh/id_rsa", "private")
    write(root / "data/in.txt", "theirs")
    evals = [
        {"id": 1, "prompt": PROMPTS[1], "files": [".", "data/..", ".ssh/id_rsa", "downloaded", "data/in.txt"]}
    ]
    for folder in (root, root / "evals", tmp_path):
        write(folder / "evals.json", {"evals": evals})
        write(root / "iteration-1/eval-1/with_skill/outputs/a.md", WITH)

        (run,) = read_workspace(root).runs

        assert [path.relative_to(root) for path in run.inputs] == (
            [Path("data/in.txt")] * (folder != tmp_path)
        )
        (folder / "evals.json").unlink()


def test_small_files_that_are_links_out_of_the_workspace_are_not_read(tmp_path: Path) -> None:
    root = tmp_path / "walker-workspace"
    home = root / "iteration-1/eval-1"
    secret = write(tmp_path / "secret.json", {"eval_id": 1, "prompt": "private", "expectations": ["private"]})
    transcript = write(tmp_path / "secret.md", "## Eval Prompt\n\nprivate\n")
    write(home / "with_skill/outputs/a.md", WITH)
    write(tmp_path / "elsewhere/outputs/a.md", WITH)
    (home / "without_skill").mkdir()
    (home / "without_skill/outputs").symlink_to(tmp_path / "elsewhere/outputs")
    for name in ("eval_metadata.json", "config.json", "with_skill/grading.json", "with_skill/timing.json"):
        (home / name).symlink_to(secret)
    (home / "with_skill/transcript.md").symlink_to(transcript)

    assert not read_workspace(root).runs

    (home / "eval_metadata.json").unlink()
    write(home / "real.json", {"eval_id": 1, "prompt": PROMPTS[1]})
    (home / "eval_metadata.json").symlink_to(home / "real.json")
    findings = read_workspace(root)
    assert [(run.configuration, run.prompt, run.expectations) for run in findings.runs] == [
        ("with_skill", PROMPTS[1], ())
    ]


def test_prompts_come_from_evals_json_by_name_and_from_a_transcript(tmp_path: Path) -> None:
    root = tmp_path / "walker-workspace"
    packing = {"id": 7, "name": "packing", "prompt": PROMPTS[1], "expected_output": "boots"}
    packing["files"] = ["evals/in.csv"]
    write(tmp_path / "walker/evals/evals.json", {"skill_name": "walker", "evals": [packing]})
    write(tmp_path / "walker/evals/in.csv", "a,b\n")
    write(root / "iteration-1/eval-packing/with_skill/outputs/a.md", WITH)
    write(root / "iteration-1/other/with_skill/outputs/a.md", WITH)
    transcript = f"# T\n\n## Eval Prompt\n\n{PROMPTS[2]}\n\n## Steps\n"
    write(root / "iteration-1/other/with_skill/transcript.md", transcript)
    write(root / "iteration-1/third/with_skill/outputs/a.md", WITH)

    findings = read_workspace(root)
    by_key = {run.task_key: run for run in findings.runs}
    assert set(by_key) == {"eval-7", "other"}
    assert by_key["eval-7"].reference == "boots"
    assert [path.name for path in by_key["eval-7"].inputs] == ["in.csv"]
    assert by_key["other"].prompt == PROMPTS[2]
    assert [(left.reason, "third" in left.file) for left in findings.left_out] == [
        ("no prompt was found for it; write it as prompt in eval_metadata.json beside it", True)
    ]


def test_broken_small_files_are_told_and_cost_no_run(tmp_path: Path) -> None:
    root = workspace(tmp_path)
    write(root / "iteration-1/packing/with_skill/grading.json", '{"expectations": [')
    write(root / "iteration-1/packing/with_skill/timing.json", "[3]")
    write(root / "iteration-1/rivers/with_skill/timing.json", b'\xef\xbb\xbf{"total_tokens": "many"}')
    grading = '{"expectations": [{"text": "It names boots", "passed": "yes"}, 3, "plain"]}'
    write(root / "iteration-2/rivers/with_skill/grading.json", grading.encode("utf-16"))
    evals = [{"id": 1, "prompt": 3}, "x", {"prompt": "y"}, {"id": 1, "prompt": "again"}]
    write(root / "evals.json", {"evals": evals})

    findings = read_workspace(root)
    assert len(findings.runs) == 8
    reasons = sorted(left.reason.split(":")[0] for left in findings.left_out)
    assert reasons == [
        *("1 of its 3 expectations cannot be read", "another eval has the id 1; the first one counts"),
        *("it has neither id nor name", "it holds a list where an object is expected"),
        *("it is a text, not an object", "it is not JSON", "its prompt is a number, not text"),
    ]
    changed = next(r for r in findings.runs if r.address.endswith("iteration-2/rivers/with_skill/outputs"))
    assert changed.expectations == ("It names boots", "plain")
