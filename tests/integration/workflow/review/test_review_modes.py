"""Ways to review: the judge first, blind first, one preference first; and what is asked before anything is revealed."""

import json
from decimal import Decimal
from typing import Any

import pytest

from comparator.domain.errors import NotFound, ReviewError
from comparator.domain.labels import Label, Winner
from comparator.domain.project import GuessChoice, ReviewMode
from comparator.domain.rights import Role
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.verdict import DecidedBy
from comparator.judges.offline import OfflineJudge
from comparator.reporting.facts import facts_of
from comparator.reporting.figures import EVERY, lines_of
from comparator.reporting.trust.judge import score_agreements
from comparator.store.people import people, projects
from comparator.store.reviewing import notes
from comparator.store.reviewing.notes import NoteKind
from comparator.workflow.exporting.comparison_json import result_json
from comparator.workflow.judging.rubrics import store_own
from comparator.workflow.people.people import give_role
from comparator.workflow.projects.reveal import reveal
from comparator.workflow.review.notes import mark_judge_seen
from comparator.workflow.review.review import (
    answer,
    finalise,
    guess,
    mark_knows,
    open_judge,
    record,
    withdraw_answer,
)
from comparator.workflow.review.review_state import UNSCORED
from comparator.workflow.review.sheet import Sheet, read_sheet
from tests.loopback.pairs import rubric
from tests.worlds.histories.history import trust_rows
from tests.worlds.workbench import Workbench


@pytest.fixture
def expert(workbench: Workbench) -> str:
    """Somebody who did not set the comparison up."""
    return workbench.someone("expert")


def put(workbench: Workbench, **settings: Any) -> None:
    with workbench.services.write() as unit:
        (project,) = projects.all_projects(unit.connection)
        projects.save_settings(unit, project.id, project.settings.model_copy(update=settings))


def send(
    workbench: Workbench, judged: str, person: str, address: str, value: object = None, **more: Any
) -> None:
    record(workbench.services.by(person), judged, [workbench.change(address, value, **more)])


def look(workbench: Workbench, judged: str, person: str) -> Sheet:
    return read_sheet(workbench.services.by(person), judged)


def score_all(workbench: Workbench, judged: str, person: str, *, a: int = 2, b: int = 4) -> None:
    for path in look(workbench, judged, person).paths:
        for label, value in ((Label.A, a), (Label.B, b)):
            send(workbench, judged, person, f"score:{label.value}:{path}", value)


def test_whoever_has_seen_the_judges_values_cannot_score_before_them_any_more(
    workbench: Workbench, judged: str, expert: str
) -> None:
    me = workbench.services.by(expert)
    put(workbench, mode=ReviewMode.BLIND_FIRST)
    mark_judge_seen(me, look(workbench, judged, expert))
    assert look(workbench, judged, expert).blind

    put(workbench, mode=ReviewMode.JUDGE_FIRST)
    # The server notes who was sent them.
    mark_judge_seen(me, look(workbench, judged, expert))
    put(workbench, mode=ReviewMode.BLIND_FIRST)
    sheet = look(workbench, judged, expert)

    assert (sheet.blind, sheet.opened, sheet.saw_judge) == (False, True, True)
    send(workbench, judged, expert, "score:A:" + sheet.paths[0], 2)
    assert not look(workbench, judged, expert).own["score:A:" + sheet.paths[0]].blind


def test_whoever_saw_them_as_a_viewer_is_no_blind_reviewer_later(workbench: Workbench, judged: str) -> None:
    services = workbench.services
    with services.write() as unit:
        viewer = people.ensure_person(unit, "https://idp.example.org vera", name="Vera").id
    give_role(workbench.me, viewer, Role.VIEWER, project_id=None)
    mark_judge_seen(services.by(viewer), look(workbench, judged, viewer))
    give_role(workbench.me, viewer, Role.REVIEWER, project_id=None)
    put(workbench, mode=ReviewMode.BLIND_FIRST)

    sheet = look(workbench, judged, viewer)

    assert (sheet.blind, sheet.saw_judge) == (False, True)


def test_a_blind_review_is_given_nothing_of_the_judge_until_it_has_answered(
    workbench: Workbench, judged: str, expert: str
) -> None:
    seen = look(workbench, judged, expert)
    assert seen.judgment is not None
    said = [mark.A.rationale for reading in seen.judgment.passes for mark in reading.answer.criteria.values()]
    assert said
    put(workbench, mode=ReviewMode.BLIND_FIRST)

    closed = look(workbench, judged, expert)
    with pytest.raises(ReviewError, match="Before the judge's values open"):
        open_judge(workbench.services.by(expert), judged)
    score_all(workbench, judged, expert)
    almost = look(workbench, judged, expert)

    for sheet in (closed, almost):
        text = sheet.model_dump_json()
        assert not sheet.opened
        assert [words for words in said if words in text] == []
        assert str(seen.prose.reasoning) not in text
        assert (sheet.judgment, sheet.judge.model) == (None, "")
    assert len(closed.before_opening) == 2 * len(closed.paths)

    open_judge(workbench.services.by(expert), judged)

    after = look(workbench, judged, expert)
    assert after.opened
    assert after.judgment == seen.judgment
    assert all(after.own[f"score:A:{path}"].blind for path in after.paths)
    assert all(after.own[f"score:A:{path}"].value == 2 for path in after.paths)


def test_the_reasoning_of_a_judgment_that_was_accepted_is_the_judges(
    workbench: Workbench, judged: str, expert: str
) -> None:
    finalise(workbench.services.by(expert), judged)
    assert workbench.provenance(judged)["reasoning_is_the_judges"]


def test_a_winner_opens_the_judges_values(workbench: Workbench, judged: str, expert: str) -> None:
    put(workbench, mode=ReviewMode.BLIND_FIRST, ask_guess_share=0.0)
    with pytest.raises(ReviewError, match="Say which output is better, or score each criterion"):
        finalise(workbench.services.by(expert), judged)
    send(workbench, judged, expert, "winner", "B", reason="B can be used.")
    assert look(workbench, judged, expert).before_opening == ()

    final = finalise(workbench.services.by(expert), judged)

    assert (final.winner, final.decided_by) == (Winner.B, DecidedBy.REVIEWER)
    # Its file has scores that they never gave.
    provenance = workbench.provenance(judged)
    assert provenance["scores_by"]["reviewers"] == 0
    assert provenance["scores_by"]["judge"] > 0
    assert not provenance["reasoning_is_the_judges"]
    assert json.loads(result_json(workbench.services, judged))["reasoning"].startswith("B can be used.\n\n")


@pytest.mark.parametrize("mode", [ReviewMode.PREFERENCE_FIRST, ReviewMode.BLIND_PREFERENCE])
def test_one_answer_is_enough(workbench: Workbench, judged: str, expert: str, mode: ReviewMode) -> None:
    put(workbench, mode=mode)
    with pytest.raises(ReviewError, match="which output is better"):
        finalise(workbench.services.by(expert), judged)
    send(workbench, judged, expert, "preference", "B_MUCH")
    assert look(workbench, judged, expert).problems == ()
    send(workbench, judged, expert, "preference", "B_MUCH", reason="It says it in one line.")

    final = finalise(workbench.services.by(expert), judged)

    result = json.loads(result_json(workbench.services, judged))
    (stored,) = workbench.provenance(judged)["reviews"]
    assert (final.winner, final.decided_by) == (Winner.B, DecidedBy.REVIEWER)
    assert final.changed == 0
    assert result["reasoning"].startswith("It says it in one line.\n\n")
    assert stored["mode"] == mode.value
    assert [change["blind"] for change in stored["changes"]] == [mode.blind] * 2
    assert set(look(workbench, judged, expert).own) == {"preference"}


def test_answers_are_taken_back_by_their_author_only(workbench: Workbench, judged: str, expert: str) -> None:
    for kind in (NoteKind.FLAG, NoteKind.CANNOT_JUDGE, NoteKind.OUTSIDE_EXPERTISE):
        answer(workbench.services.by(expert), judged, kind, reason="the input is missing")
    given = look(workbench, judged, expert).answers
    assert [(note.kind, note.text) for note in given] == [
        (kind, "the input is missing") for kind in ("flag", "cannot_judge", "outside_expertise")
    ]

    with pytest.raises(NotFound):
        withdraw_answer(workbench.me, judged, given[0].id)
    withdraw_answer(workbench.services.by(expert), judged, given[0].id)

    left = look(workbench, judged, expert).answers
    assert [line.kind for line in left] == ["cannot_judge", "outside_expertise"]


def test_a_guess_is_asked_for_and_kept_once(workbench: Workbench, judged: str, expert: str) -> None:
    choices = (GuessChoice(number=1, text="with the guide"), GuessChoice(number=2, text="without"))
    put(workbench, ask_guess_share=1.0, guess_choices=choices)
    assert look(workbench, judged, workbench.person).guess is None
    offered = look(workbench, judged, expert).guess
    assert offered is not None
    assert {choice.text for choice in offered} == {"with the guide", "without"}

    with pytest.raises(ReviewError, match="not one of the choices"):
        guess(workbench.services.by(expert), judged, candidate_a=7, sure=1)
    guess(workbench.services.by(expert), judged, candidate_a=2, sure=3)
    guess(workbench.services.by(expert), judged, candidate_a=1, sure=1)

    with workbench.services.database.read() as connection:
        (kept,) = notes.standing(connection, judged, person_id=expert)
    assert (kept.candidate_a, kept.sure) == (2, 3)
    assert look(workbench, judged, expert).guess is None


def test_who_set_up_a_drawn_pair_knows_its_candidates_not_its_sides(workbench: Workbench) -> None:
    workbench.file("with_skill/outputs/transcript.md", "I used a tool.\n")
    drawn = workbench.submitted(draw=True)
    put(workbench, ask_guess_share=1.0)

    sheet = look(workbench, drawn, workbench.person)

    assert sheet.blindness is Blindness.SIDES_HIDDEN
    assert sheet.guess is None
    # Which side left notes about itself would tell whose it is.
    assert not any(sheet.set_aside[label] for label in Label)
    mark_knows(workbench.me, drawn)
    knows = look(workbench, drawn, workbench.person)
    assert knows.blindness is Blindness.KNOWN
    assert not any(knows.set_aside[label] for label in Label)
    # What follows makes nobody blind again.
    send(workbench, drawn, workbench.person, "winner", "A")
    assert look(workbench, drawn, workbench.person).blindness is Blindness.KNOWN


def test_agreement_with_the_judge_is_read_from_what_was_said_before_its_values_opened(
    workbench: Workbench, judged: str, expert: str
) -> None:
    sheet: Any = look(workbench, judged, expert)
    assert sheet.judgment.verdict.winner is Winner.A
    put(workbench, mode=ReviewMode.BLIND_FIRST)
    score_all(workbench, judged, expert, a=1, b=5)
    open_judge(workbench.services.by(expert), judged)
    for path in look(workbench, judged, expert).paths:
        for label, value in ((Label.A, 5), (Label.B, 2)):
            send(workbench, judged, expert, f"score:{label.value}:{path}", value, reason="the judge is right")
    send(workbench, judged, expert, "reasoning", "A is better after all.")
    assert finalise(workbench.services.by(expert), judged).winner is Winner.A

    reveal(workbench.me, judged)

    project_id = look(workbench, judged, expert).project_id
    trust = trust_rows(workbench.services.database, project_id)
    with facts_of(workbench.services.database, project_id) as facts:
        all_criteria, *_ = score_agreements(lines_of(facts, "scored", None))

    (agreed,) = (row for row in trust["same_winner"] if row["Who"] == "Judge and people (scored first)")
    assert (agreed["Pairs"], agreed["Another winner"]) == (1, 1)
    criteria = trust["corrections"]
    # A's score in the end is the judge's own.
    assert {(row["Changed"], row["Confirmed"]) for row in criteria} == {(1, 1)}
    # Too few for a kappa, so that there is no chart of it.
    assert "reviewers" not in trust
    assert (all_criteria.path, all_criteria.n) == (EVERY, 2 * len(criteria))


def test_what_nobody_assessed_is_left_out_and_a_one_sided_value_is_not_exported(workbench: Workbench) -> None:
    pair = workbench.submitted()
    assert workbench.judged(pair, OfflineJudge()).complete
    for label in ("A", "B"):
        for path in ("content.correctness", "structure.usability"):
            workbench.send(pair, f"score:{label}:{path}", 4)
    workbench.send(pair, "reasoning", "Looked at both.")
    workbench.send(pair, "score:A:content.accuracy", 5)
    assert workbench.sheet(pair).problems == ()

    finalise(workbench.me, pair)

    result = json.loads(result_json(workbench.services, pair))
    provenance = workbench.provenance(pair)
    assert "expectation_results" not in result
    assert [list(result["rubric"][label]["content"]) for label in "AB"] == [["correctness"]] * 2
    assert {"content.accuracy", "content.completeness", "expectation.1"} <= set(provenance["left_out"])
    assert provenance["reviews"][0]["versions"][0]["verdict"]["left_out"] == provenance["left_out"]
    values = {
        change["target"].split(":")[-1]: change["value"] for change in provenance["reviews"][0]["changes"]
    }
    assert Decimal(values["content.accuracy"]) == 5


def test_a_dimension_of_which_nothing_is_assessed_stands_in_the_way(workbench: Workbench) -> None:
    pair = workbench.submitted()
    store_own(workbench.services, pair, rubric(), author="Ada", locked=True)
    workbench.judged(pair, OfflineJudge())
    workbench.send(pair, "reasoning", "Looked at both.")
    workbench.send(pair, "score:A:structure.usability", 4)
    workbench.send(pair, "score:B:structure.usability", 3)

    sheet = workbench.sheet(pair)
    assert (sheet.judgment, sheet.verdict) == (None, None)
    assert sheet.problems == (UNSCORED,)
    with pytest.raises(ReviewError, match="at least one criterion of the content"):
        finalise(workbench.me, pair)
    workbench.send(pair, "score:A:content.accuracy", 4)
    workbench.send(pair, "score:B:content.accuracy", 3)
    assert finalise(workbench.me, pair).winner is Winner.A
