"""From two folders to a reviewed result: what is stored, what is refused, and what never vanishes."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest

from comparator.domain.errors import BlindnessError, Conflict, InputError, ReviewError
from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.project import ReasonRule
from comparator.domain.scoring.judgment import JudgeState
from comparator.domain.scoring.result import ComparisonResult
from comparator.domain.scoring.review import Change, ChangeKind, Touch, inverse_of_last
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.judges.model.judge import AnthropicJudge
from comparator.judges.model.options import AnthropicOptions
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.unit import Unit
from comparator.store.pairs import comparison_list, comparisons, keys, outputs
from comparator.store.people import people, projects
from comparator.workflow.exporting.comparison_json import provenance_json, result_json, write_files
from comparator.workflow.judging.rubrics import redact_rubric, store_own
from comparator.workflow.projects.reveal import reveal, revealed_names
from comparator.workflow.review import review
from comparator.workflow.review.read_sheet import read_scores, read_sheet
from comparator.workflow.review.review import finalise, record, reopen, undo
from comparator.workflow.review.sheet import Sheet
from comparator.workflow.submit.intake import redactions_for
from tests.loopback.server import LoopbackServer
from tests.sqlrecord import recorded
from tests.unit.domain.make import rubric
from tests.worlds.workbench import GOOD, Workbench


@pytest.fixture
def desk(database: Database, blobs: BlobStore, tmp_path: Path) -> Workbench:
    return Workbench(database, blobs, tmp_path / "work")


@pytest.fixture
def judged(desk: Workbench) -> str:
    comparison_id = desk.submitted()
    assert desk.judged(comparison_id).complete
    return comparison_id


def sheet_of(desk: Workbench, comparison_id: str) -> Sheet:
    return read_sheet(desk.services, comparison_id, person_id=desk.person)


def send(
    desk: Workbench, comparison_id: str, address: str, value: object = None, *, reason: str = ""
) -> None:
    change = desk.change(address, value, reason=reason)
    record(desk.services, comparison_id, [change], person_id=desk.person)


def final(desk: Workbench, comparison_id: str) -> None:
    """Finalise with a reasoning of one's own, as a baseline's needs."""
    send(desk, comparison_id, "reasoning", "Looked at both.")
    finalise(desk.services, comparison_id, person_id=desk.person)


def first_score(sheet: Sheet, label: str = "A") -> str:
    return f"score:{label}:{sheet.criteria[0].path}"


def test_a_judged_pair_shows_judge_and_reviewer_side_by_side(desk: Workbench, judged: str) -> None:
    sheet = sheet_of(desk, judged)

    assert sheet.judge.state is JudgeState.DONE
    assert sheet.judge_verdict is not None
    assert sheet.verdict is not None
    assert sheet.verdict.winner is sheet.judge_verdict.winner is Winner.A
    assert all(line.own.A.touch is Touch.UNTOUCHED for line in sheet.criteria)
    assert [line.text for line in sheet.expectations] == [
        "The report gives the total weight of 420 kg",
        "The report has a table",
    ]
    assert {file.label for file in sheet.files} == {"A", "B"}


def test_the_scores_are_read_without_the_list_of_files_and_their_quotes_lead_to_files_all_the_same(
    desk: Workbench, database: Database
) -> None:
    judged = desk.submitted()
    with LoopbackServer() as server:
        options = AnthropicOptions(base_url=server.base_url, retries=0)
        desk.judged(judged, AnthropicJudge(options, environment={"ANTHROPIC_API_KEY": "sk-test"}))
    sheet = sheet_of(desk, judged)
    with recorded(database.engine) as record_of_sql:
        scores = read_scores(desk.services, judged, person_id=desk.person)

    assert scores == sheet.model_copy(update={"files": (), "read_at": scores.read_at})
    passes = [each for line in scores.criteria if line.judge for each in line.judge.A.by_pass]
    assert {quote.file_id for each in passes for quote in each.quotes} & {file.id for file in sheet.files}
    asked = [statement for statement in record_of_sql.statements if "FROM view_file" in statement]
    assert asked
    assert all("view_file.name IN" in statement for statement in asked)


def test_nothing_on_the_sheet_names_a_candidate_or_a_path(desk: Workbench, judged: str) -> None:
    shown = sheet_of(desk, judged).model_dump_json()

    assert "zebrafinch" not in shown
    assert "quetzal" not in shown
    assert "with_skill" not in shown
    assert str(desk.folder) not in shown


def test_the_judge_and_review_paths_never_read_what_leads_to_a_candidate(
    desk: Workbench, database: Database
) -> None:
    comparison_id = desk.submitted()
    with recorded(database.engine) as record_of_sql:
        desk.judged(comparison_id)
        sheet = sheet_of(desk, comparison_id)
        send(desk, comparison_id, first_score(sheet), 2)
        undo(desk.services, comparison_id, person_id=desk.person)
        send(desk, comparison_id, "reasoning", "A names the weight, B does not.")
        finalise(desk.services, comparison_id, person_id=desk.person)
        reopen(desk.services, comparison_id, person_id=desk.person)
        sheet_of(desk, comparison_id)

    assert record_of_sql.statements
    telling = (
        "ab_key",
        "run_pair",
        "run",
        "candidate",
        "view_source",
        "snapshot",
        "artifact",
        "leak_decision",
    )
    assert record_of_sql.mentions(*telling) == set()


def test_totals_and_winner_follow_the_reviewers_scores(desk: Workbench, judged: str) -> None:
    sheet = sheet_of(desk, judged)
    for line in sheet.criteria:
        send(desk, judged, f"score:A:{line.path}", 1)
        send(desk, judged, f"score:B:{line.path}", 5)

    after = sheet_of(desk, judged)

    assert after.verdict is not None
    assert after.judge_verdict == sheet.judge_verdict
    assert (after.verdict.winner, after.verdict.decided_by) == (Winner.B, DecidedBy.RUBRIC)
    assert after.verdict.totals.B.overall_score == Decimal("10.0")
    assert any("reasoning argues for A" in problem for problem in after.problems)


def test_a_value_set_to_the_judges_own_is_a_confirmation(desk: Workbench, judged: str) -> None:
    sheet = sheet_of(desk, judged)
    judge = sheet.criteria[0].judge
    assert judge is not None

    send(desk, judged, first_score(sheet), str(judge.A.score))

    assert sheet_of(desk, judged).criteria[0].own.A.touch is Touch.CONFIRMED


def test_a_confirmation_takes_the_judges_value_whatever_was_sent(desk: Workbench, judged: str) -> None:
    sheet = sheet_of(desk, judged)
    judge = sheet.criteria[0].judge
    assert judge is not None
    change = desk.change(first_score(sheet), 1, kind=ChangeKind.CONFIRM)

    record(desk.services, judged, [change], person_id=desk.person)

    own = sheet_of(desk, judged).criteria[0].own.A
    assert (own.touch, own.shown) == (Touch.CONFIRMED, judge.A.score)


def test_sending_a_change_twice_stores_it_once(desk: Workbench, judged: str) -> None:
    change = desk.change(first_score(sheet_of(desk, judged)), 2)
    for _ in range(3):
        record(desk.services, judged, [change], person_id=desk.person)

    assert sheet_of(desk, judged).saved == (change.id,)


def test_one_change_that_does_not_fit_stores_none_of_its_batch(desk: Workbench, judged: str) -> None:
    good = desk.change(first_score(sheet_of(desk, judged)), 2)
    bad = desk.change("score:A:content.invented", 2)

    with pytest.raises(ReviewError, match="invented"):
        record(desk.services, judged, [good, bad], person_id=desk.person)

    assert sheet_of(desk, judged).saved == ()


def test_a_review_does_not_grow_without_an_end(
    desk: Workbench, judged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = first_score(sheet_of(desk, judged))
    sent = [desk.change(target, value) for value in (2, 3, 4)]
    monkeypatch.setattr(review, "MOST_CHANGES", 2)
    unfit: dict[str, str] = {}
    record(desk.services, judged, sent, person_id=desk.person, unfit=unfit)
    again = dict[str, str]()
    record(desk.services, judged, sent, person_id=desk.person, unfit=again)
    monkeypatch.setattr(review, "MOST_CHANGES", 100)
    monkeypatch.setattr(review, "MOST_CHARACTERS", 10)

    with pytest.raises(ReviewError, match="so many changes"):
        record(desk.services, judged, [desk.change(target, 5, reason="eleven more")], person_id=desk.person)

    assert unfit == again == {sent[2].id: review.TOO_MUCH}
    assert sheet_of(desk, judged).saved == (sent[0].id, sent[1].id)


def test_undo_reaches_back_to_the_start_and_keeps_every_change(
    desk: Workbench, judged: str, database: Database
) -> None:
    address = first_score(sheet_of(desk, judged))
    send(desk, judged, address, 2, reason="too lenient")
    send(desk, judged, address, 3)
    while undo(desk.services, judged, person_id=desk.person):
        pass

    sheet = sheet_of(desk, judged)
    assert sheet.criteria[0].own.A.touch is Touch.UNTOUCHED
    assert not sheet.undoable
    assert len(sheet.saved) == 4


def test_two_undos_at_the_same_moment_take_back_two_changes(
    desk: Workbench, judged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("First.", "Second."):
        send(desk, judged, "reasoning", text)
    both = threading.Barrier(2)

    def after_both_have_read(
        changes: tuple[Change, ...], *, id: str, author: str, at: datetime
    ) -> Change | None:
        # Where one waits for the other's end, as it should, they never meet here.
        with suppress(threading.BrokenBarrierError):
            both.wait(0.2)
        return inverse_of_last(changes, id=id, author=author, at=at)

    monkeypatch.setattr(review, "inverse_of_last", after_both_have_read)
    with ThreadPoolExecutor(2) as pool:
        done = pool.map(lambda id: undo(desk.services, judged, person_id=desk.person, id=id), ("one", "two"))

    assert list(done) == [True, True]
    assert not undo(desk.services, judged, person_id=desk.person)


def test_a_final_review_is_exported_and_every_version_stays(desk: Workbench, judged: str) -> None:
    address = first_score(sheet_of(desk, judged))
    send(desk, judged, address, 2, reason="wrong total")
    send(desk, judged, "reasoning", "Looked at both.")
    first = finalise(desk.services, judged, person_id=desk.person)
    with pytest.raises(ReviewError, match="Reopen"):
        send(desk, judged, address, 4)
    reopen(desk.services, judged, person_id=desk.person)
    send(desk, judged, address, 4)
    second = finalise(desk.services, judged, person_id=desk.person)

    exported = ComparisonResult.from_json(result_json(desk.services, judged))
    provenance = json.loads(provenance_json(desk.services, judged))

    criterion = sheet_of(desk, judged).criteria[0].path.split(".")[1]
    assert exported.rubric.A.content[criterion] == 4
    assert (first.number, second.number) == (1, 2)
    versions = provenance["reviews"][0]["versions"]
    assert [v["kind"] for v in versions] == ["final", "reopened", "final"]
    assert provenance["judge_original"]["winner"] == "A"
    assert [c["reason"] for c in provenance["reviews"][0]["changes"]] == ["wrong total", "", ""]
    assert provenance["key"] is None
    assert "zebrafinch" not in json.dumps(provenance)


def test_the_exported_file_is_what_was_finalised_and_nothing_more(
    desk: Workbench, judged: str, tmp_path: Path
) -> None:
    final(desk, judged)

    path, beside = write_files(desk.services, judged, target=tmp_path)

    data = json.loads(path.read_text())
    assert list(data) == ["winner", "reasoning", "rubric", "output_quality", "expectation_results"]
    assert beside.name == "comparison.provenance.json"
    assert path.read_text() == result_json(desk.services, judged)


def test_a_result_of_another_comparison_is_not_written_over_unasked(
    desk: Workbench, judged: str, tmp_path: Path
) -> None:
    final(desk, judged)
    taken = tmp_path / "comparison.json"
    taken.write_text("{}", "utf-8")

    with pytest.raises(InputError, match="not a result of this comparison"):
        write_files(desk.services, judged, target=tmp_path, replace=False)

    assert taken.read_text("utf-8") == "{}"
    path, _ = write_files(desk.services, judged, target=tmp_path / "mine.json", replace=False)
    assert write_files(desk.services, judged, target=path, replace=False)[0] == path


def test_finalising_with_a_winner_that_the_prose_does_not_argue_for_asks_for_an_edit(
    desk: Workbench, judged: str
) -> None:
    send(desk, judged, "winner", "B", reason="usable as it is")
    with pytest.raises(ReviewError, match="Edit the reasoning"):
        finalise(desk.services, judged, person_id=desk.person)

    send(desk, judged, "reasoning", "B can be used as it is.")
    final = finalise(desk.services, judged, person_id=desk.person)

    assert (final.winner, final.decided_by) == (Winner.B, DecidedBy.REVIEWER)


def test_required_reasons_are_asked_for_by_name(desk: Workbench, judged: str, database: Database) -> None:
    sheet = sheet_of(desk, judged)
    with database.write() as connection:
        settings = projects.get(connection, sheet.project_id).settings
        projects.save_settings(
            Unit(connection, at=desk.services.now(), new_id=desk.services.new_id),
            sheet.project_id,
            settings.model_copy(update={"reasons": ReasonRule.REQUIRED}),
            person_id=None,
        )
    send(desk, judged, first_score(sheet), 2)
    with pytest.raises(ReviewError, match=sheet.criteria[0].name):
        finalise(desk.services, judged, person_id=desk.person)

    send(desk, judged, first_score(sheet), 2, reason="the total is wrong")
    final(desk, judged)


def test_a_review_is_finalised_once_until_it_is_opened_again(desk: Workbench, judged: str) -> None:
    final(desk, judged)
    with pytest.raises(Conflict, match="finalised already"):
        finalise(desk.services, judged, person_id=desk.person)


def test_a_baselines_reasoning_is_not_passed_on_as_a_reviewers(desk: Workbench, judged: str) -> None:
    with pytest.raises(ReviewError, match="offline check's"):
        finalise(desk.services, judged, person_id=desk.person)
    baselines = sheet_of(desk, judged).prose.reasoning.shown
    send(desk, judged, "reasoning", f"{baselines} A, I would say.")
    with pytest.raises(ReviewError, match="still holds the offline check's words"):
        finalise(desk.services, judged, person_id=desk.person)

    final(desk, judged)

    exported = ComparisonResult.from_json(result_json(desk.services, judged))
    assert exported.reasoning == "Looked at both."


def test_a_lone_comparison_is_revealed_after_its_review_and_changes_then_are_marked(
    desk: Workbench, judged: str
) -> None:
    with pytest.raises(BlindnessError, match="Finalise"):
        reveal(desk.services, judged, person_id=desk.person)
    with pytest.raises(BlindnessError, match="not revealed"):
        revealed_names(desk.services, judged)
    final(desk, judged)

    names = reveal(desk.services, judged, person_id=desk.person)

    assert (names.A, names.B) == ("zebrafinch-prompt", "quetzal-prompt")
    provenance = json.loads(provenance_json(desk.services, judged))
    assert provenance["key"]["A"]["name"] == "zebrafinch-prompt"
    reopen(desk.services, judged, person_id=desk.person)
    send(desk, judged, first_score(sheet_of(desk, judged)), 1)
    send(desk, judged, "reasoning", "Looked again.")
    finalise(desk.services, judged, person_id=desk.person)
    assert sheet_of(desk, judged).versions[-1].unblinded


def test_two_candidates_of_one_name_are_revealed_with_what_tells_them_apart(
    desk: Workbench, judged: str
) -> None:
    final(desk, judged)
    candidate = tables.candidate.c
    with desk.services.database.write() as connection:
        for name, model in (("zebrafinch-prompt", "sonnet"), ("quetzal-prompt", "opus")):
            connection.execute(
                tables.candidate.update()
                .where(candidate.name == name)
                .values(name="with_skill", iteration="10", model=model)
            )

    names = reveal(desk.services, judged, person_id=desk.person)

    assert (names.A, names.B) == ("with_skill (10, sonnet)", "with_skill (10, opus)")


def test_a_set_with_an_open_review_is_not_revealed(desk: Workbench, judged: str) -> None:
    desk.file("v1/report.md", "# One\n\n1 kg\n")
    desk.file("v2/report.md", "# Two\n\n2 kg\n")
    other = desk.submitted(PerOutput[Path](A=desk.folder / "v1", B=desk.folder / "v2"))
    desk.judged(other)
    send(desk, other, first_score(sheet_of(desk, other)), 2)
    final(desk, judged)

    with pytest.raises(BlindnessError, match="1 of 2"):
        reveal(desk.services, judged, person_id=desk.person)


def test_submitting_the_same_pair_again_finds_the_comparison(desk: Workbench, judged: str) -> None:
    assert desk.submitted() == judged


def test_the_same_pair_the_other_way_round_is_refused_with_what_to_do(desk: Workbench, judged: str) -> None:
    with pytest.raises(InputError, match="other way round"):
        desk.submitted(
            desk.pair().mirrored, candidates=PerOutput[str](A="quetzal-prompt", B="zebrafinch-prompt")
        )


def test_drawing_decides_by_the_coin_and_the_key_says_how(desk: Workbench, database: Database) -> None:
    services = desk.services
    object.__setattr__(services, "coin", lambda: True)
    comparison_id = desk.submitted(draw=True)
    with database.read() as connection:
        assert keys.read(connection, comparison_id).drawn
    sheet = sheet_of(desk, comparison_id)
    sizes = {file.label: file.size for file in sheet.files}
    assert sizes[Label.A] < sizes[Label.B]


def test_without_a_judgment_the_reviewer_can_still_not_export_nothing(desk: Workbench) -> None:
    comparison_id = desk.submitted()
    with pytest.raises(InputError, match="no verdict"):
        result_json(desk.services, comparison_id)
    assert sheet_of(desk, comparison_id).judge.state is JudgeState.WAITING


def test_a_reasoning_written_before_the_winner_flipped_is_asked_for_again(
    desk: Workbench, judged: str
) -> None:
    send(desk, judged, "reasoning", "A is clearly better.")
    for line in sheet_of(desk, judged).criteria:
        send(desk, judged, f"score:A:{line.path}", 1)
        send(desk, judged, f"score:B:{line.path}", 5)
    with pytest.raises(ReviewError, match=r"Your reasoning was written when A was ahead\. Still right\?"):
        finalise(desk.services, judged, person_id=desk.person)

    # The same words again are a person's answer that they still hold.
    send(desk, judged, "reasoning", "A is clearly better.")
    assert sheet_of(desk, judged).reasoned_for is None
    finalise(desk.services, judged, person_id=desk.person)


def test_finalising_what_another_window_changed_meanwhile_is_refused(desk: Workbench, judged: str) -> None:
    send(desk, judged, "reasoning", "Looked at both.")
    seen = len(sheet_of(desk, judged).saved)
    send(desk, judged, first_score(sheet_of(desk, judged)), 1)

    with pytest.raises(Conflict, match="another window"):
        finalise(desk.services, judged, person_id=desk.person, seen=seen)


def test_a_change_sent_again_after_the_judgment_came_is_still_the_same(desk: Workbench) -> None:
    comparison_id = desk.submitted()
    desk.judged(comparison_id)
    judge = sheet_of(desk, comparison_id).criteria[0].judge
    assert judge is not None
    change = desk.change(first_score(sheet_of(desk, comparison_id)), str(judge.A.score))
    record(desk.services, comparison_id, [change], person_id=desk.person)

    standing = record(desk.services, comparison_id, [change], person_id=desk.person)

    assert [each.id for each in standing.changes] == [change.id]


def test_reviews_of_two_people_settle_together_and_disagreement_is_not_exported(
    desk: Workbench, judged: str
) -> None:
    services = desk.services
    with services.database.write() as connection:
        other = people.ensure_person(
            Unit(connection, at=services.now(), new_id=services.new_id), "local:other", name="other"
        ).id
    final(desk, judged)
    change = desk.change("winner", "B", reason="usable at once")
    words = desk.change("reasoning", "B can be used at once.")
    record(services, judged, [change, words], person_id=other)
    finalise(services, judged, person_id=other)

    with pytest.raises(InputError, match="disagree"):
        result_json(services, judged)
    with services.database.read() as connection:
        line = comparison_list.line(connection, judged)
    assert (line.winner, line.verdict_source) == (None, VerdictSource.PANEL)


def test_a_newer_judgment_is_exported_though_a_draft_rests_on_an_older_one(
    desk: Workbench, judged: str
) -> None:
    send(desk, judged, first_score(sheet_of(desk, judged)), 1)
    with LoopbackServer() as server:
        options = AnthropicOptions(base_url=server.base_url, retries=0)
        desk.judged(judged, AnthropicJudge(options, environment={"ANTHROPIC_API_KEY": "sk-test"}))

    provenance = json.loads(provenance_json(desk.services, judged))
    assert provenance["verdict_source"] == "judge"
    assert provenance["judge_original"] == json.loads(result_json(desk.services, judged))


def told(desk: Workbench, comparison_id: str) -> str:
    with desk.services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        view = outputs.load_view(connection, comparison.view_a, blobs=desk.services.blobs)
    return view.model_dump_json()


def test_a_pair_handed_in_again_with_other_decisions_is_shown_as_decided_now(desk: Workbench) -> None:
    pair = desk.pair()
    desk.file("with_skill/outputs/report.md", GOOD + "\nWritten by zebrafinch-prompt.\n")
    kept = desk.submitted(pair, keep=frozenset({"zebrafinch-prompt"}))
    assert "zebrafinch" in told(desk, kept)
    desk.judged(kept)

    again = desk.submitted(pair)

    assert again == kept
    assert "zebrafinch" not in told(desk, kept)
    assert sheet_of(desk, kept).judge_verdict is None


def test_other_decisions_after_a_review_has_begun_are_refused(desk: Workbench) -> None:
    pair = desk.pair()
    desk.file("with_skill/outputs/report.md", GOOD + "\nWritten by zebrafinch-prompt.\n")
    kept = desk.submitted(pair, keep=frozenset({"zebrafinch-prompt"}))
    desk.judged(kept)
    send(desk, kept, first_score(sheet_of(desk, kept)), 1)

    with pytest.raises(InputError, match="review has begun"):
        desk.submitted(pair)


def test_a_rubric_that_names_a_candidate_is_shown_to_nobody(desk: Workbench) -> None:
    first = desk.submitted()
    line = rubric().content[0].model_copy(update={"description": "As the zebrafinch-prompt asks"})
    telling = rubric().model_copy(update={"content": (line, *rubric().content[1:])})
    store_own(desk.services, first, telling, person_id=desk.person, author="me", locked=True, shared=True)
    desk.file("v1/report.md", "# One\n\n1 kg\n")
    desk.file("v2/report.md", "# Two\n\n2 kg\n")

    with pytest.raises(BlindnessError, match="zebrafinch-prompt"):
        desk.submitted(PerOutput[Path](A=desk.folder / "v1", B=desk.folder / "v2"))


def test_what_a_rubric_says_of_a_candidate_is_redacted_before_it_is_stored() -> None:
    names = PerOutput[str](A="zebrafinch-prompt", B="quetzal-prompt")
    line = rubric().content[0].model_copy(update={"description": "As the zebrafinch-prompt asks"})
    telling = rubric().model_copy(update={"content": (line, *rubric().content[1:])})

    stored = redact_rubric(telling, redactions_for(telling, candidates=names, redactions=()))

    assert "zebrafinch" not in stored.model_dump_json()


def test_confirming_the_rest_in_a_stale_window_keeps_what_was_answered_meanwhile(
    desk: Workbench, judged: str
) -> None:
    address = first_score(sheet_of(desk, judged))
    send(desk, judged, address, 2)

    with pytest.raises(ReviewError, match="stays"):
        record(
            desk.services,
            judged,
            [desk.change(address, kind=ChangeKind.CONFIRM_REST)],
            person_id=desk.person,
        )

    assert sheet_of(desk, judged).criteria[0].own.A.shown == 2


def test_which_side_left_notes_about_itself_is_told_to_nobody_who_is_blind(desk: Workbench) -> None:
    pair = desk.pair()
    desk.file("with_skill/outputs/transcript.md", "I used a tool.\n")
    comparison_id = desk.submitted(pair)
    desk.judged(comparison_id)
    with desk.services.database.write() as connection:
        other = people.ensure_person(
            Unit(connection, at=desk.services.now(), new_id=desk.services.new_id), "local:other", name="Other"
        )
    stranger = read_sheet(desk.services, comparison_id, person_id=other.id)

    assert stranger.something_aside
    assert "transcript" not in stranger.model_dump_json()
    assert "transcript" not in provenance_json(desk.services, comparison_id)
    assert "transcript" in sheet_of(desk, comparison_id).model_dump_json()
