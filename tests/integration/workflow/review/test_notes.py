"""Ticks, evidence, comments and search, as a reviewer's page asks for them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from comparator.domain.errors import InputError, ReviewError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.project import ProjectSettings
from comparator.domain.scoring.review import Target
from comparator.outputs.limits import OutputBudget
from comparator.store.reviewing import queue
from comparator.workflow.exporting.comparison_json import provenance_json
from comparator.workflow.projects.reveal import close_project
from comparator.workflow.projects.settings import add_check, change_settings, checks_of
from comparator.workflow.review.notes import Passage, attach, comment, read_notes, withdraw
from comparator.workflow.review.review import record, reopen
from comparator.workflow.review.search import Searcher
from comparator.workflow.services import Services
from tests.worlds.files import outputs_office
from tests.worlds.histories.pairs import World
from tests.worlds.workbench import Workbench, noted

FIRST, SECOND = "a" * 20, "b" * 20


def files_of(workbench: Workbench, comparison_id: str) -> dict[Label | None, str]:
    return {file.label: file.id for file in workbench.sheet(comparison_id).files}


def test_evidence_is_stored_once_and_can_be_withdrawn(workbench: Workbench, judged: str) -> None:
    services, files = workbench.services, files_of(workbench, judged)
    path = workbench.sheet(judged).paths[0]
    score = Target.parse(f"score:A:{path}")
    passage = Passage(file_id=files[Label.A], text="The total weight is 420 kg.", start=18, end=45)

    for _ in range(2):
        noted(services, judged, workbench.person, attach, passage, score, id=FIRST)
    noted(services, judged, workbench.person, attach, passage, Target.parse("expectation:A:0"), id=SECOND)
    notes = read_notes(workbench.me, judged)
    assert [(piece.target, piece.text) for piece in notes.evidence] == [
        (str(score), passage.text),
        ("expectation:A:0", passage.text),
    ]

    for _ in range(2):
        noted(services, judged, workbench.person, withdraw, SECOND)
    (piece,) = json.loads(provenance_json(services, judged))["notes"]
    assert (piece["text"], piece["file_id"], piece["start"]) == (passage.text, files[Label.A], 18)


def test_comments_of_others_are_told_once_ones_own_review_is_final(workbench: Workbench, judged: str) -> None:
    services, files, other = workbench.services, files_of(workbench, judged), workbench.someone("Other")
    about = Passage(file_id=files[Label.B], text="about 400 or so")

    for _ in range(2):
        noted(services, judged, other, comment, " Vague. ", id=FIRST, about=about)
    noted(services, judged, workbench.person, comment, "On the whole pair.", id=SECOND)

    def seen() -> list[tuple[str, str]]:
        notes = read_notes(workbench.me, judged)
        return [(notes.authors[c.person_id], c.text) for c in notes.comments]

    assert [text for _, text in seen()] == ["On the whole pair."]
    workbench.final(judged)
    assert [text for _, text in seen()] == ["Vague.", "On the whole pair."]
    reopen(workbench.me, judged)
    comments = json.loads(provenance_json(services, judged))["notes"]
    assert [(c["text"], c.get("selection")) for c in comments] == [
        ("Vague.", "about 400 or so"),
        ("On the whole pair.", None),
    ]
    for text in ("", "x" * 9_000):
        with pytest.raises(ReviewError):
            noted(services, judged, other, comment, text, id="d" * 20)


def test_comments_of_others_stay_untold_while_the_pair_is_open(workbench: Workbench, judged: str) -> None:
    services, other = workbench.services, workbench.someone("Other")
    noted(services, judged, other, comment, "Vague.", id=FIRST)
    project = workbench.sheet(judged).project_id

    def visible_comments() -> int:
        return len(read_notes(workbench.me, judged).comments)

    def settings(**update: object) -> None:
        rules = ProjectSettings().model_copy(update=update)
        change_settings(workbench.me, project, **dict(rules))

    settings(reviews_needed=2)
    workbench.final(judged)
    assert visible_comments() == 0  # one more review is needed
    settings(share_to_all=1.0)
    assert visible_comments() == 0  # everybody is given this pair
    settings()
    assert visible_comments() == 1
    with services.write() as unit:
        queue.claim(unit, judged, person_id=other)
    assert visible_comments() == 0  # somebody else holds it
    with services.write() as unit:
        queue.release(unit, judged, person_id=other)
    record(services.by(other), judged, [workbench.change("reasoning", "Mine.")])
    assert visible_comments() == 0  # somebody else is at it
    workbench.final(judged, by=other)
    assert visible_comments() == 1
    settings(reviews_needed=5)
    close_project(workbench.me, project)
    assert visible_comments() == 1


def test_words_are_looked_up_in_all_files_whatever_their_white_space_and_markup(workbench: Workbench) -> None:
    workbench.file(
        "a/deep/report.html", "<p>The <b>grand</b>\n total: 420&nbsp;kg</p><script>secret total</script>"
    )
    workbench.file("a/notes.txt", "Total total TOTAL\n" + "x" * 50)
    workbench.file("b/notes.txt", "nothing of it")
    workbench.file("b/picture.bin", bytes(range(256)))
    comparison_id = workbench.submitted(PerOutput[Path](A=workbench.folder / "a", B=workbench.folder / "b"))
    names = {file.id: file.name for file in workbench.sheet(comparison_id).files}
    searcher = Searcher(workbench.services)

    def hits(text: str) -> dict[str, int]:
        return {names[hit.file_id]: hit.count for hit in searcher.search(comparison_id, text).hits}

    assert hits("total") == {"deep/report.html": 1, "notes.txt": 3}
    assert hits("GRAND  total: 420 kg") == {"deep/report.html": 1}
    assert hits("secret") == hits("  ") == {}
    answer = searcher.search(comparison_id, "total")
    assert (answer.left, [names[i] for i in answer.unread]) == (0, ["picture.bin"])
    late = Searcher(workbench.services).search(comparison_id, "total", seconds=-1)
    assert late.left == 4


def test_a_pdf_that_is_cut_for_the_judge_is_searched_to_its_last_page(workbench: Workbench) -> None:
    workbench.services = replace(workbench.services, output_budget=OutputBudget(characters=400))
    workbench.file(
        "a/book.pdf", outputs_office.pages(*(f"Field {number} gave wheat" for number in range(40)))
    )
    workbench.file("b/notes.txt", "nothing of it")
    comparison_id = workbench.submitted(PerOutput[Path](A=workbench.folder / "a", B=workbench.folder / "b"))

    (hit,) = Searcher(workbench.services).search(comparison_id, "field 20 gave").hits
    assert hit.count == 1
    # However short the time, what was read once is not read again.
    slow = Searcher(workbench.services)
    slow.search(comparison_id, "wheat", seconds=0.01)
    again = slow.search(comparison_id, "wheat", seconds=60)
    assert ([hit.count for hit in again.hits], again.left) == ([40], 0)


def test_a_pattern_that_cannot_be_read_is_refused(services: Services, world: World) -> None:
    project = world.project.id
    with pytest.raises(InputError, match="follows RE2"):
        add_check(services, project, name="Ahead", pattern="a(?=b)", is_regex=True, match_case=True)

    assert checks_of(services, project) == ()
