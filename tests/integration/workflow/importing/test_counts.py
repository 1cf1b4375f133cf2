"""Imports end to end: counts, adding only what is new, superseding, marks, labels, and the same counts in a dry run."""

import io
import json
import os
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from comparator.domain.blinding.redaction import PatternDecision
from comparator.domain.errors import Conflict, InputError
from comparator.domain.labels import LabelKind
from comparator.interop.imported import Format
from comparator.interop.skill_creator.workspace import read_workspace
from comparator.outputs.snapshot import Upload
from comparator.store import tables
from comparator.store.pairs import comparison_list, keys, labels, runs
from comparator.store.pairs.comparison_list import ListFilter
from comparator.store.pairs.runs import Run, RunState
from comparator.store.people import projects
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.planned import ImportReport
from comparator.workflow.importing.run import dry_run, import_path, summary
from comparator.workflow.importing.store import Imported
from comparator.workflow.people.people import local_person
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import read_output
from comparator.workflow.submit.uploads import place_of_folder
from tests.worlds.files.import_files import PROMPTS, WITH, WITHOUT, flat_run, folder_eval, workspace, write
from tests.worlds.process import invoke


def quiet(_: str) -> None:
    """Nobody looks on."""


def done(services: Services, path: Path, **more: object) -> Imported:
    return import_path(services, ImportRequest.model_validate({"path": path, **more}), on_step=quiet)


def stored_runs(services: Services) -> list[Run]:
    with services.database.read() as connection:
        rows = connection.execute(sa.select(tables.run.c.id)).scalars().all()
        return [runs.get(connection, id) for id in rows]


def test_a_workspace_is_imported_once_and_then_only_what_is_new(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)

    first = done(services, root).report
    steps: list[str] = []
    again = import_path(services, ImportRequest(path=root), on_step=steps.append).report
    anew = {"with_skill": {"list.md": "x"}, "without_skill": {"list.md": "y"}}
    folder_eval(root / "iteration-3", "packing", id=1, outputs=anew)
    later = done(services, root).report

    assert (first.runs, first.found, first.new, first.already, first.sets) == (8, 4, 4, 0, 0)
    assert (again.new, again.already) == (0, 4)
    assert not [step for step in steps if step.startswith(("Storing", "Setting up"))]
    assert (later.runs, later.new, later.already) == (10, 1, 4)
    with services.database.read() as connection:
        project = next(p for p in projects.all_projects(connection) if p.name == "hill-walker")
        assert comparison_list.page(connection, ListFilter(project.id)).total == 5
        candidates = runs.candidates(connection, project.id)
    assert {(c.name, c.iteration, c.model) for c in candidates} == {
        (name, iteration, model)
        for name in ("with_skill", "without_skill")
        for iteration, model in (("1", "m-1"), ("2", "m-1"), ("3", None))
    }


def test_an_import_that_was_in_the_way_begins_again(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[object] = []
    ensure_runs_of = runs.ensure_runs_of

    def once(*held: Any, **more: Any) -> Any:
        stored = ensure_runs_of(*held, **more)
        if not ended:
            ended.append(stored)
            raise Conflict("The database is busy with another writer. Try again.")
        return stored

    monkeypatch.setattr(runs, "ensure_runs_of", once)

    report = done(services, workspace(tmp_path)).report

    assert ended
    assert (report.new, len(stored_runs(services))) == (4, 8)


def test_a_dry_run_says_the_same_and_leaves_nothing(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    (root / "iteration-2/rivers/with_skill/grading.json").write_text("{")
    request = ImportRequest(path=root)

    tried = dry_run(services, request, on_step=quiet)
    with services.database.read() as connection:
        assert not projects.all_projects(connection)
        assert not connection.execute(sa.select(tables.blob)).all()
    real = import_path(services, request, on_step=quiet).report

    assert tried == real
    assert real.left_out
    assert dry_run(services, request, on_step=quiet).already == 4


def test_new_bytes_at_an_old_address_supersede_the_old_ones(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    done(services, root)
    write(root / "iteration-1/packing/with_skill/outputs/list.md", WITH + "more")
    grading = {"expectations": [{"text": "It names a map", "passed": True, "evidence": ""}]}
    for side in ("with_skill", "without_skill"):
        write(root / f"iteration-1/packing/{side}/grading.json", grading)

    tried = dry_run(services, ImportRequest(path=root), on_step=quiet)
    report = done(services, root).report

    assert tried == report
    assert (report.new, report.already, report.audit.superseded) == (1, 3, 1)
    text = "\n".join(summary(report, done=True))
    assert "1 output replaces an earlier one. Pairs with the earlier outputs are removed" in text
    assert done(services, root).report.audit.superseded == 0
    with services.database.read() as connection:
        r = tables.run.c
        here = r.origin.like("%iteration-1/packing/with_skill/outputs")
        rows = connection.execute(sa.select(r.state, r.superseded_by).where(here)).all()
    assert sorted(row.state for row in rows) == ["superseded", "valid"]
    assert sum(row.superseded_by is not None for row in rows) == 1


def uploaded(services: Services, root: Path, folder: Path) -> Path:
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w") as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return place_of_folder(services, [Upload("mine.zip", into.getvalue())]).path


def test_an_upload_takes_nothing_of_others(services: Services, tmp_path: Path) -> None:
    theirs, mine = tmp_path / "theirs", tmp_path / "mine"
    for root, name in ((theirs, "theirs"), (mine, "mine")):
        side = {"with_skill": {"a.md": WITH + name}, "without_skill": {"a.md": WITHOUT + name}}
        folder_eval(root / "iteration-1", "packing", id=1, outputs=side)
    other = uploaded(services, theirs, theirs)
    theirs_from_mine = str(other.relative_to(other.parents[1]))
    given = [".", "iteration-1/packing/eval_metadata.json", other.parent.name, theirs_from_mine]
    evals = [{"id": 1, "prompt": "Pack", "files": given}]
    write(mine / "evals.json", {"evals": evals})

    place = uploaded(services, mine, mine)

    assert place.parents[1] == other.parents[1]
    with_inputs = {path for run in read_workspace(place).runs for path in run.inputs}
    assert with_inputs == {place / "iteration-1/packing/eval_metadata.json"}


def test_what_is_refused_inside_an_output_is_told_once_with_why(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    place = root / "iteration-1/packing/with_skill/outputs"
    (place / "passwd").symlink_to("/etc/passwd")
    os.mkfifo(place / "pipe")
    os.mknod(place / "socket", stat.S_IFSOCK | 0o600)
    write(root / "evals.json", {"evals": [{"id": 1, "prompt": PROMPTS[1], "files": ["given"]}]})
    write(root / "given/in.csv", "a,b")
    os.mkfifo(root / "given/pipe")
    request = ImportRequest(path=root)

    tried = dry_run(services, request, on_step=quiet)
    done = import_path(services, request, on_step=quiet).report

    assert done == tried
    assert done.runs == 8
    assert [(left.file, left.reason) for left in done.left_out] == [
        (str(root / "given/pipe"), "it is a device, socket or pipe"),
        (str(place / "passwd"), "it is a link"),
        (str(place / "pipe"), "it is a device, socket or pipe"),
        (str(place / "socket"), "it is a device, socket or pipe"),
        ("inputs of eval-1: pipe", "it is a device, socket or pipe"),
    ]


def test_void_and_cut_off_runs_are_kept_and_counted_by_side(services: Services, tmp_path: Path) -> None:
    home = tmp_path / "iteration-1"
    flat_run(home / "with_skill", 1, output_tokens=4096, skill_files=["evals/evals.json"])
    flat_run(home / "with_skill", 2, output_tokens=300, skill_loaded=False)
    flat_run(home / "without_skill", 1, output_tokens=1024, output=WITHOUT)
    flat_run(home / "without_skill", 2, output_tokens=1500, output="")
    flat_run(home / "with_skill", 3, error="timed out")
    flat_run(home / "without_skill", 3)

    report = done(services, tmp_path).report

    places = {str(run.origin).rsplit("/iteration-", 1)[-1]: run.state for run in stored_runs(services)}
    assert places == {
        "1/with_skill/eval-1-output.md": RunState.CUT_OFF,
        "1/with_skill/eval-2-output.md": RunState.VOID,
        "1/without_skill/eval-1-output.md": RunState.VALID,
        "1/without_skill/eval-2-output.md": RunState.VOID,
        "1/with_skill/eval-3-output.md": RunState.VOID,
        "1/without_skill/eval-3-output.md": RunState.VALID,
    }
    audit = report.audit
    assert report.new == 3
    assert audit.void.sides == {"with_skill": 2, "without_skill": 1}
    assert audit.cut_off.sides == {"with_skill": 1}
    assert audit.contaminated.sides == {"with_skill": 1}
    assert audit.evidence_not_found.checked == 6
    assert audit.evidence_not_found.sides == {"without_skill": 2}


def test_one_sided_evals_reports_duplicates_and_drift_are_counted(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    write(root / "iteration-1/packing/with_skill/outputs/extra.csv", "a,b\n")
    write(root / "iteration-1/packing/with_skill/outputs/transcript.md", "I used the hill-walker skill.")
    write(root / "iteration-1/rivers/without_skill/outputs/list.md", f"{WITH}1")
    folder_eval(root / "iteration-2", "lonely", id=1, outputs={"with_skill": {"list.md": WITH}})
    metadata = root / "iteration-2/rivers/eval_metadata.json"
    write(metadata, {**json.loads(metadata.read_text()), "prompt": "Name four rivers."})

    audit = done(services, root).report.audit

    assert audit.one_sided.sides == {"with_skill": 1}
    assert audit.other_files.sides == {"with_skill": 1}
    assert audit.set_aside.sides == {"with_skill": 1}
    assert audit.duplicates.sides == {"without_skill": 1}
    assert (audit.drift.prompts, audit.drift.expectations) == (1, 0)


def test_the_ways_of_pairing(services: Services, tmp_path: Path) -> None:
    for side in ("x_with_skill", "x_without_skill", "y_with_skill", "y_without_skill"):
        flat_run(tmp_path / "iteration-1" / side, 1, output=f"{WITH}{side[0]}{len(side)}")

    def report_for(**more: object) -> ImportReport:
        request = ImportRequest.model_validate({"path": tmp_path, "project": "p", **more})
        return dry_run(services, request, on_step=quiet)

    assert (report_for().found, report_for().new, report_for().sets) == (2, 2, 1)
    assert report_for(compare=("x_with_skill", "y_with_skill")).new == 1
    with pytest.raises(InputError, match="There are: 1/x_with_skill"):
        report_for(compare=("x_with_skill", "z"))
    with pytest.raises(InputError, match="There is no iteration 4"):
        report_for(iterations="4..9")


def test_labels_come_in_with_their_author_for_a_and_b_and_once(services: Services, tmp_path: Path) -> None:
    rows = [
        {"input": f"Add {n}", "output_1": f"good {n}", "output_2": f"bad {n}", "label": 1 + (n % 2)}
        for n in range(12)
    ]
    path = write(tmp_path / "set.json", rows)
    imported = done(services, path)
    done(services, path)

    assert imported.report.format is Format.LLMBAR
    goods = {
        read_output(services, (Upload("answer.md", f"{'bad' if n % 2 else 'good'} {n}".encode()),)).digest
        for n in range(12)
    }
    drawn = set()
    with services.database.read() as connection:
        for id in imported.comparisons:
            (label,) = labels.of_comparison(connection, id)
            key = keys.read(connection, id)
            assert label.winner is not None
            winner = key.run_a if label.winner.value == "A" else key.run_b
            snapshot = runs.get(connection, winner).snapshot_id
            digest = connection.execute(
                sa.select(tables.snapshot.c.digest).where(tables.snapshot.c.id == snapshot)
            ).scalar()
            assert digest in goods
            assert (label.kind.value, label.author, label.source) == ("gold", "LLMBar", "llmbar")
            drawn.add(label.winner.value)
    assert drawn == {"A", "B"}


def test_a_persons_feedback_is_an_unblinded_label_on_the_pair(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    reviews = [
        {"run_id": "packing-with_skill", "feedback": "No water bottle."},
        {"run_id": "gone-with_skill", "feedback": "x"},
        {"run_id": "rivers-with_skill", "feedback": ""},
    ]
    write(root / "iteration-1/feedback.json", {"reviews": reviews})

    imported = done(services, root)

    with services.database.read() as connection:
        ((id, label),) = [
            (id, label)
            for id in imported.comparisons
            for label in labels.of_comparison(connection, id)
            if label.kind is LabelKind.HUMAN
        ]
        key = keys.read(connection, id)
        with_skill = {
            letter
            for letter, run in (("A", key.run_a), ("B", key.run_b))
            if "/with_skill/" in str(runs.get(connection, run).origin)
        }
    assert (label.kind.value, label.winner, label.blind) == ("human", None, False)
    assert label.value["feedback"] == "No water bottle."
    assert {label.value["first"]} == with_skill
    assert [left.reason for left in imported.report.left_out] == ["it is on a run that was not found"]


def test_no_candidate_reaches_a_sheet(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    write(
        root / "iteration-1/packing/with_skill/outputs/list.md",
        "Made with_skill by hill-walker, see SKILL.md. " + WITH,
    )
    imported = done(services, root, project="Weekends")
    person = local_person(services).id

    for id in imported.comparisons:
        sheet = read_sheet(services.by(person), id).model_dump_json()
        for word in ("with_skill", "without_skill", "hill-walker", "SKILL.md", "m-1", str(tmp_path)):
            assert word not in sheet
    by_pattern = {leak.pattern: leak for leak in imported.report.audit.leaks}
    assert by_pattern["hill-walker"].sides == {"with_skill": 1}
    assert by_pattern["hill-walker"].decision.value == "redact"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere cannot be used: No such file or directory"),
        (["."], "No output was found"),
        ([".", "--format", "excel"], "'skill-creator'"),
        ([".", "--column", "prompt"], "prompt=question"),
        ([".", "--format", "csv"], "is read from a file"),
    ],
)
def test_what_cannot_be_imported_is_one_sentence_and_exit_code_2(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")

    result = invoke("import", *arguments)

    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_decisions_hold_for_the_whole_import_and_errors_in_them_are_listed(
    services: Services, tmp_path: Path
) -> None:
    root = workspace(tmp_path)
    write(root / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}Written with_skill.")
    typed = {"keep": {"with_skil"}, "redact": {"Written", "Acmee"}, "set_aside": {"It names boot"}}
    plain = dry_run(services, ImportRequest.model_validate({"path": root, **typed}), on_step=quiet)
    assert plain.audit.unmatched == ("Acmee", "It names boot", "with_skil")
    line = "Not found as written, so check the spelling: Acmee; It names boot; with_skil"
    assert line in summary(plain, done=False)
    pattern = "with_skill"

    imported = done(services, root, keep=frozenset({pattern}), set_aside=frozenset({"It names boots"}))

    audit = imported.report.audit
    assert audit.unmatched == ()
    assert {leak.decision for leak in audit.leaks if leak.pattern == pattern} == {PatternDecision.KEEP}
    assert audit.expectations_set_aside.count == imported.report.runs
    sheet = read_sheet(services.by(local_person(services).id), imported.comparisons[0])
    assert sheet.expectations == ()
