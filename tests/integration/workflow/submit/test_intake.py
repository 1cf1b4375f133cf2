"""What is handed in beside the outputs is looked through as they are, and says nothing of A and B."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.blinding.scan import Where
from comparator.domain.labels import PerOutput
from comparator.domain.pair.view import Family, PageEvidence
from comparator.outputs.isolated.process import Isolated
from comparator.outputs.isolated.results import Extraction
from comparator.outputs.pictures.camera import Album, PageFile
from comparator.outputs.snapshot.take import Upload
from comparator.outputs.view.reading import Readings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.pairs import comparisons as stored
from comparator.store.pairs import keys, outputs, runs
from comparator.workflow.exporting.comparison_json import usual_place
from comparator.workflow.importing.plan import plan_import
from comparator.workflow.importing.request import ImportRequest
from comparator.workflow.importing.run import KEPT, dry_run, import_path, judge_new
from comparator.workflow.importing.store import carry_out
from comparator.workflow.judge_paths import Done, judge_once
from comparator.workflow.judging.reader import ELSEWHERE
from comparator.workflow.judging.which_judges import asked_judges
from comparator.workflow.submit.intake import (
    families_of,
    find_leaks,
    place_of_upload,
    read_output,
    read_together,
    task_file_texts,
    texts_of,
)
from comparator.workflow.submit.set_up import submit
from comparator.workflow.submit.submission import Submission
from comparator.workflow.submit.views import PicturesAhead
from tests.worlds.files.import_files import write
from tests.worlds.files.outputs_office import docx
from tests.worlds.judging.judged_elsewhere import judge_elsewhere
from tests.worlds.workbench import TASK, Workbench


@pytest.fixture
def workbench(database: Database, blobs: BlobStore, tmp_path: Path) -> Workbench:
    return Workbench(database, blobs, tmp_path)


def count_parsed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What the reading child gets from now on, each time that it is asked."""
    parsed: list[bytes] = []
    extract = Isolated.extract

    def counted(child: Isolated, task: str, data: bytes, *, seconds: float | None = None) -> Extraction:
        parsed.append(data)
        return extract(child, task, data, seconds=seconds)

    monkeypatch.setattr(Isolated, "extract", counted)
    return parsed


def judged_from(workbench: Workbench, outputs: PerOutput[Path], **given: Any) -> Done:
    """Two paths, judged by the offline check."""
    asked = asked_judges(workbench.services, None, kind="offline")
    return asyncio.run(judge_once(workbench.services, asked, TASK, outputs, **given))


def test_each_file_of_a_snapshot_has_its_family_by_name_and_bytes(workbench: Workbench) -> None:
    workbench.file("output/b.md", "# Notes")
    workbench.file("output/a.json", "{}")

    found = families_of(workbench.services, read_output(workbench.services, workbench.folder / "output"))

    assert found == (Family.JSON, Family.MARKDOWN)


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


def test_the_command_line_parses_each_file_once(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {
        "zebrafinch-prompt/report.docx": "Written by zebrafinch-prompt.",
        "quetzal-prompt/report.docx": "Written by quetzal-prompt.",
        "inputs.docx": "The zebrafinch-prompt run went well.",
        "reference.docx": "420 kg",
    }
    files = {name: docx(text) for name, text in words.items()}
    a, b, inputs, reference = (workbench.file(name, data) for name, data in files.items())
    parsed = count_parsed(monkeypatch)
    done = judged_from(
        workbench,
        PerOutput[Path](A=a.parent, B=b.parent),
        candidates=("zebrafinch-prompt", "quetzal-prompt"),
        inputs=(inputs,),
        reference=reference,
        out=workbench.folder / "result.json",
    )

    assert done.redacted == ("quetzal-prompt", "zebrafinch-prompt")
    assert sorted(parsed) == sorted(files.values())


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


def three_documents(workbench: Workbench) -> tuple[ImportRequest, list[bytes]]:
    """An import of one task with an output of each of three candidates, and what these are."""
    home = workbench.folder / "hill-walker-workspace" / "iteration-1" / "rivers"
    write(home / "eval_metadata.json", {"eval_id": 1, "eval_name": "rivers", "prompt": "Name three rivers."})
    files = [docx(f"Rhine, Danube, Elbe {number}") for number in range(3)]
    for side, data in zip(("heron", "plover", "wader"), files, strict=True):
        workbench.file(f"hill-walker-workspace/iteration-1/rivers/{side}/outputs/list.docx", data)
    return ImportRequest(path=home.parent.parent), files


@pytest.mark.parametrize(
    ("kept", "by_set_up"),
    [(KEPT, 0), (0, 3), (None, 3)],
    ids=["handed on", "no room", "nothing is handed on"],
)
def test_an_import_parses_an_output_of_several_pairs_once_and_again_where_that_was_not_kept(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch, kept: int | None, by_set_up: int
) -> None:
    readings = None if kept is None else Readings(most=kept)
    request, files = three_documents(workbench)
    parsed = count_parsed(monkeypatch)

    planned = plan_import(workbench.services, request, readings=readings)
    to_plan = sorted(parsed)
    parsed.clear()
    made = carry_out(workbench.services, planned, person_id=workbench.person, readings=readings)

    assert to_plan == sorted(files)
    assert len(parsed) == by_set_up
    with workbench.services.database.read() as connection:
        told = {
            file.text.strip()
            for id in made.comparisons
            for view in stored.get(connection, id).view_ids
            for file in outputs.load_view(connection, view, blobs=workbench.services.blobs).files
        }
    assert len(made.comparisons) == 3
    assert told == {f"Rhine, Danube, Elbe {number}" for number in range(3)}


def test_leak_scan_pictures_taken_ahead_and_submit_read_a_page_once_between_them(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    album = NoBrowser(tmp_path / "album")
    services = replace(workbench.services, album=album)
    pages = [f"<!doctype html><title>Harvest</title><p>{weight} kg</p>" for weight in (420, 400)]
    sources = [workbench.file(f"{side}/page.html", page) for side, page in zip("ab", pages, strict=True)]
    snapshots = PerOutput[Path](A=sources[0], B=sources[1]).map(lambda path: read_output(services, path))
    submission = Submission(
        task=TASK,
        outputs=snapshots,
        candidates=PerOutput[str](A="heron", B="plover"),
        redactions=(),
        findings=(),
    )
    parsed, readings = count_parsed(monkeypatch), Readings(most=KEPT)

    texts_of(services, snapshots, prompt=TASK.prompt, readings=readings)
    by_scan = sorted(parsed)
    assert PicturesAhead(services).ask("first", submission, readings=readings)
    assert album.asked.wait(timeout=30)
    submit(services, submission, person_id=workbench.person, readings=readings)

    assert by_scan == sorted(page.encode() for page in pages)
    assert sorted(parsed) == by_scan


class NoBrowser(Album):
    """Has no picture, and notes that it was asked for one."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, chromium="off")
        self.asked = threading.Event()

    def evidence(self, page: str, files: Sequence[PageFile]) -> PageEvidence | None:
        self.asked.set()
        return super().evidence(page, files)


def test_what_is_imported_in_one_go_is_parsed_once(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    request, files = three_documents(workbench)
    parsed = count_parsed(monkeypatch)

    made = import_path(workbench.services, request, on_step=lambda _: None)

    assert len(made.comparisons) == 3
    assert sorted(parsed) == sorted(files)


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


def test_a_pair_that_another_process_judges_does_not_end_the_others(workbench: Workbench) -> None:
    taken, free = workbench.submitted(project="one"), workbench.submitted(project="two")
    judge_elsewhere(workbench.services, taken)

    judged = asyncio.run(judge_new(workbench.services, [taken, free], on_step=lambda _: None))

    assert (judged.complete, judged.failed, judged.problems) == (1, 1, (ELSEWHERE,))


def test_the_usual_place_of_a_result_is_told_only_to_who_set_the_pair_up(workbench: Workbench) -> None:
    done = judged_from(
        workbench,
        workbench.pair(),
        out=workbench.folder / "result.json",
    )

    assert usual_place(workbench.services, done.comparison_id, person_id=workbench.person) == str(
        workbench.folder / "result.json"
    )
    assert usual_place(workbench.services, done.comparison_id, person_id="somebody-else") == ""


def test_the_notes_on_very_many_files_are_told_by_their_number(workbench: Workbench) -> None:
    pair = workbench.pair()
    for number in range(30):
        (pair.A / f"empty-{number}.txt").write_bytes(b"")
    done = judged_from(
        workbench,
        pair,
        out=workbench.folder / "result.json",
    )

    assert sum("It is empty." in note for note in done.notes) == 20
    assert "10 more of this kind; the review page shows them beside their files." in done.notes


def test_of_an_upload_that_could_not_be_unpacked_nothing_is_taken_for_whole(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = Upload("runs.csv", b"prompt,output_a,output_b\n" * 50)
    write = Path.write_bytes

    def until_full(path: Path, data: bytes) -> int:
        write(path, data[:30])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", until_full)
        with pytest.raises(OSError, match="No space"):
            place_of_upload(workbench.services, upload)

    assert place_of_upload(workbench.services, upload).path.read_bytes() == upload.data
