"""From two folders to a reviewed result: what is stored, what is refused, and what never vanishes."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.errors import BlindnessError, Conflict, InputError, ReviewError
from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.project import ReasonRule
from comparator.domain.scoring.result import ComparisonResult
from comparator.domain.scoring.review import Change, ChangeKind, inverse_of_last
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.judges.offline import OfflineJudge
from comparator.store.core.database import Database
from comparator.store.pairs import comparison_list, comparisons
from comparator.workflow.exporting.comparison_json import provenance_json, result_json, write_files
from comparator.workflow.judging.rubrics import redact_rubric, store_own
from comparator.workflow.projects.reveal import reveal, revealed_names
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review import review
from comparator.workflow.review.review import finalise, record, reopen, undo
from comparator.workflow.review.sheet import Sheet, read_sheet
from comparator.workflow.submit.intake import redactions_for
from tests.loopback.pairs import rubric
from tests.loopback.server import LoopbackServer
from tests.worlds.databases import on_both
from tests.worlds.judging.judges import judge_at
from tests.worlds.workbench import Workbench


def first_score(sheet: Sheet, label: str = "A") -> str:
    return f"score:{label}:{sheet.paths[0]}"


def test_an_opinion_on_a_pair_that_nothing_read_stands_when_a_judge_reads_it(workbench: Workbench) -> None:
    comparison_id = workbench.submitted()

    workbench.send(comparison_id, "winner", "B")
    final = finalise(workbench.me, comparison_id)

    assert final.verdict is not None
    assert final.verdict.winner is Winner.B
    own = workbench.sheet(comparison_id).rubric
    workbench.judged(comparison_id)
    assert workbench.sheet(comparison_id).rubric == own


def test_totals_and_winner_follow_the_reviewers_scores(workbench: Workbench, judged: str) -> None:
    sheet = workbench.sheet(judged)
    for path in sheet.paths:
        workbench.send(judged, f"score:A:{path}", 1)
        workbench.send(judged, f"score:B:{path}", 5)

    after: Any = workbench.sheet(judged)

    assert after.judgment == sheet.judgment
    assert (after.verdict.winner, after.verdict.decided_by) == (Winner.B, DecidedBy.RUBRIC)
    assert after.verdict.totals.B.overall_score == Decimal("10.0")
    assert str(after.prose.reasoning).startswith("Output B is better (decided by the scores).\n\nThe judge ")
    assert after.problems == ()


def test_one_change_that_does_not_fit_stores_none_of_its_batch(workbench: Workbench, judged: str) -> None:
    good = workbench.change(first_score(workbench.sheet(judged)), 2)
    bad = workbench.change("score:A:content.invented", 2)

    with pytest.raises(ReviewError, match="invented"):
        record(workbench.me, judged, [good, bad])

    assert workbench.sheet(judged).saved == ()


def test_one_undo_takes_back_all_that_one_key_confirmed(workbench: Workbench, judged: str) -> None:
    services, paths = workbench.me, workbench.sheet(judged).paths
    workbench.send(judged, first_score(workbench.sheet(judged)), 2)
    presses = [[f"score:A:{path}" for path in paths[1:]], [f"score:B:{path}" for path in paths]]
    for rest in presses:
        record(
            services, judged, [workbench.change(address, kind=ChangeKind.CONFIRM_REST) for address in rest]
        )

    assert [undo(services, judged) for _ in presses] == [
        (rest[0], f"confirm {len(rest)} values") for rest in reversed(presses)
    ]

    assert list(workbench.sheet(judged).own) == [first_score(workbench.sheet(judged))]


def test_an_undo_takes_back_one_decision_and_names_it(workbench: Workbench, judged: str) -> None:
    address = first_score(workbench.sheet(judged))
    workbench.send(judged, address, 2)
    for text in ("W", "Wrong", "Wrong total"):
        workbench.send(judged, address, 2, reason=text)
    workbench.send(judged, "winner", "B")
    # Typed, and taken back in the field.
    for text in ("a", ""):
        workbench.send(judged, "winner", "B", reason=text)

    undone = []
    while last := undo(workbench.me, judged):
        undone.append(last)
    name = undone[-1].words
    assert undone == [("winner", "winner"), (address, f"reason, {name}"), (address, name)]


@on_both
def test_two_undos_at_once_are_two(
    workbench: Workbench, judged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("First.", "Second."):
        workbench.send(judged, "reasoning", text)
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
        done = pool.map(lambda id: undo(workbench.me, judged, id=id), ("one", "two"))

    assert all(done)
    assert not undo(workbench.me, judged)


def test_a_final_review_is_exported_with_versions(workbench: Workbench, judged: str, tmp_path: Path) -> None:
    address = first_score(workbench.sheet(judged))
    workbench.send(judged, address, 2, reason="wrong total")
    workbench.send(judged, "reasoning", "Looked at both.")
    first = finalise(workbench.me, judged)
    with pytest.raises(ReviewError, match="Reopen"):
        workbench.send(judged, address, 4)
    with pytest.raises(Conflict, match="finalised already"):
        finalise(workbench.me, judged)
    reopen(workbench.me, judged)
    workbench.send(judged, address, 4)
    second = finalise(workbench.me, judged)

    path, beside = write_files(workbench.services, judged, target=tmp_path)
    exported = ComparisonResult.from_json(path.read_text())
    provenance = json.loads(beside.read_text())

    assert path.read_text() == result_json(workbench.services, judged)
    assert list(json.loads(path.read_text())) == [
        *("winner", "reasoning", "rubric", "output_quality", "expectation_results")
    ]
    criterion = workbench.sheet(judged).paths[0].split(".")[1]
    assert exported.rubric.A.content[criterion] == 4
    assert (first.number, second.number) == (1, 2)
    versions = provenance["reviews"][0]["versions"]
    assert [v["kind"] for v in versions] == ["final", "reopened", "final"]
    assert provenance["judge_original"]["winner"] == "A"
    assert [c["reason"] for c in provenance["reviews"][0]["changes"]] == ["wrong total", "", ""]
    assert provenance["key"] is None
    assert "zebrafinch" not in json.dumps(provenance)


def test_against_the_judge_its_reasoning_follows_the_reviewers_sentence_as_the_judges(
    workbench: Workbench, model: LoopbackServer
) -> None:
    pair = workbench.submitted()
    workbench.judged(pair, judge_at(model))
    judge: Any = workbench.sheet(pair)
    against = Winner.A if judge.judgment.verdict.winner is Winner.B else Winner.B
    workbench.send(pair, "winner", against.value, reason="It answers the question.")

    finalise(workbench.me, pair)

    exported = ComparisonResult.from_json(result_json(workbench.services, pair))
    lead, judges = exported.reasoning.split("\n\n", 1)
    assert lead == "It answers the question."
    assert judges.startswith("The judge ")
    assert judges.endswith(str(judge.prose.reasoning))


def test_a_review_of_an_offline_check_needs_an_opinion(workbench: Workbench) -> None:
    judged = workbench.submitted()
    workbench.judged(judged, OfflineJudge())
    with pytest.raises(ReviewError, match=r"^Say which output is better\.$"):
        finalise(workbench.me, judged)


def test_required_reasons_are_asked_for_by_name(workbench: Workbench, judged: str) -> None:
    sheet = workbench.sheet(judged)
    change_settings(workbench.me, sheet.project_id, reasons=ReasonRule.REQUIRED)
    workbench.send(judged, first_score(sheet), 2)
    workbench.send(judged, "winner", "B")
    assert sheet.rubric is not None
    name = sheet.rubric.content[0].name
    workbench.send(judged, "expectation:A:0", kind=ChangeKind.CANNOT_JUDGE)
    with pytest.raises(ReviewError, match=rf"Give one for: {name} \(A\), winner, expectation 1 \(A\)\."):
        finalise(workbench.me, judged)

    workbench.send(judged, first_score(sheet), 2, reason="the total is wrong")
    workbench.send(judged, "winner", "B", reason="it adds up")
    workbench.send(judged, "expectation:A:0", kind=ChangeKind.CANNOT_JUDGE, reason="no way to tell")
    workbench.final(judged)


def test_a_lone_pair_is_revealed_after_its_review(workbench: Workbench, judged: str) -> None:
    with pytest.raises(BlindnessError, match="Finalise"):
        reveal(workbench.me, judged)
    with pytest.raises(BlindnessError, match="not revealed"):
        revealed_names(workbench.services, judged)
    workbench.final(judged)

    names = reveal(workbench.me, judged)

    assert (names.A, names.B) == ("zebrafinch-prompt", "quetzal-prompt")
    provenance = workbench.provenance(judged)
    assert provenance["key"]["A"]["name"] == "zebrafinch-prompt"
    reopen(workbench.me, judged)
    workbench.send(judged, first_score(workbench.sheet(judged)), 1)
    workbench.send(judged, "reasoning", "Looked again.")
    finalise(workbench.me, judged)
    assert workbench.sheet(judged).versions[-1].unblinded


def test_a_set_with_an_open_review_is_not_revealed(workbench: Workbench, judged: str) -> None:
    other = workbench.submitted(workbench.other_pair())
    workbench.judged(other)
    workbench.send(other, first_score(workbench.sheet(other)), 2)
    workbench.final(judged)

    with pytest.raises(BlindnessError, match="1 of 2"):
        reveal(workbench.me, judged)


def test_the_same_pair_the_other_way_round_is_refused(workbench: Workbench, judged: str) -> None:
    with pytest.raises(InputError, match="other way round"):
        workbench.submitted(
            workbench.pair().mirrored, candidates=PerOutput[str](A="quetzal-prompt", B="zebrafinch-prompt")
        )


def test_drawing_decides_by_the_coin_and_the_key_says_how(workbench: Workbench, database: Database) -> None:
    object.__setattr__(workbench.services, "coin", lambda: True)
    comparison_id = workbench.submitted(draw=True)
    with database.read() as connection:
        assert comparisons.get(connection, comparison_id).drawn
    sizes = {file.label: file.size for file in workbench.sheet(comparison_id).files}
    assert sizes[Label.A] < sizes[Label.B]


def test_a_stale_window_neither_finalises_what_another_changed_nor_confirms_over_it(
    workbench: Workbench, judged: str
) -> None:
    workbench.send(judged, "reasoning", "Looked at both.")
    seen = len(workbench.sheet(judged).saved)
    address = first_score(workbench.sheet(judged))
    workbench.send(judged, address, 2)

    with pytest.raises(Conflict, match="another window"):
        finalise(workbench.me, judged, seen=seen)
    with pytest.raises(ReviewError, match="stays"):
        workbench.send(judged, address, kind=ChangeKind.CONFIRM_REST)
    assert workbench.sheet(judged).own[address].value == 2


def test_disagreement_of_two_people_is_not_exported(workbench: Workbench, judged: str) -> None:
    services = workbench.services
    other = workbench.someone("other")
    workbench.final(judged)
    change = workbench.change("winner", "B", reason="usable at once")
    words = workbench.change("reasoning", "B can be used at once.")
    record(services.by(other), judged, [change, words])
    finalise(services.by(other), judged)

    with pytest.raises(InputError, match="disagree"):
        result_json(services, judged)
    with services.database.read() as connection:
        line = comparison_list.line(connection, judged)
    assert (line.winner, line.verdict_source) == (None, VerdictSource.PANEL)


def test_a_rubric_that_names_a_candidate_is_shown_to_nobody(workbench: Workbench) -> None:
    first = workbench.submitted()
    line = rubric().content[0].model_copy(update={"description": "As the zebrafinch-prompt asks"})
    telling = rubric().model_copy(update={"content": (line, *rubric().content[1:])})
    store_own(workbench.me, first, telling, author="me", locked=True, shared=True)

    with pytest.raises(BlindnessError, match="zebrafinch-prompt"):
        workbench.submitted(workbench.other_pair())
    names = PerOutput[str](A="zebrafinch-prompt", B="quetzal-prompt")
    drafted = redact_rubric(telling, redactions_for(telling, candidates=names, redactions=()))
    assert "zebrafinch" not in drafted.model_dump_json()


def test_which_side_left_notes_about_itself_is_told_to_nobody_who_is_blind(workbench: Workbench) -> None:
    pair = workbench.pair()
    workbench.file("with_skill/outputs/transcript.md", "I used a tool.\n")
    comparison_id = workbench.submitted(pair)
    workbench.judged(comparison_id)
    stranger = read_sheet(workbench.services.by(workbench.someone("Other")), comparison_id)

    assert stranger.aside_of_both == ("transcript.md (a transcript of the run)",)
    assert not any(stranger.set_aside[label] for label in Label)
    assert stranger.model_dump_json().count("transcript.md") == 1
    assert "transcript" not in provenance_json(workbench.services, comparison_id)
    assert "transcript" in workbench.sheet(comparison_id).model_dump_json()
