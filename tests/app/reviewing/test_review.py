"""The page Review around its component: the task, the judge and what it looked at, and what a final review offers."""

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.project import ReviewMode
from comparator.domain.rights import Role
from comparator.domain.scoring.judgment import JudgeState, Tools
from comparator.domain.scoring.repetitions import RULE
from comparator.reporting.history.listing import all_projects
from comparator.store.bulk import batch_items, batches
from comparator.store.bulk.batches import ItemState
from comparator.store.bulk.leases import STALE_AFTER
from comparator.store.facts import fact
from comparator.store.people import people
from comparator.ui.frame import session
from comparator.ui.review import parts
from comparator.web.review.commands import Command, CommandName, Reply, carry_out
from comparator.workflow.judging.pair_reader import judge_comparison
from comparator.workflow.people.people import give_role
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review.panel import ALL
from comparator.workflow.review.review import open_judge
from comparator.workflow.review.sheet import Sheet, read_sheet
from comparator.workflow.services import Services
from tests.app.conftest import PROMPT, finalised, judged, open_page, progress, said, unjudged, written
from tests.loopback import players
from tests.loopback.bulk import seed
from tests.loopback.server import LoopbackServer
from tests.worlds.judging.judges import ELSEWHERE, judge_at, judge_elsewhere
from tests.worlds.process import wait_until
from tests.worlds.workbench import say


@pytest.fixture
def comparison(app: AppTest, pair: tuple[Path, Path]) -> str:
    """A judged comparison of its own."""
    return judged(pair, expectations=("The report gives the total weight",))


def open_review(app: AppTest, comparison_id: str) -> AppTest:
    return open_page(app, "review", c=comparison_id)


def test_without_a_comparison_in_the_address_or_with_an_unknown_one_the_page_says_so(app: AppTest) -> None:
    open_page(app, "review")
    assert "Choose one from the queue" in said(app)
    open_review(app, "no-such-comparison")
    assert "no such comparison" in said(app)
    assert not app.exception


def press(comparison_id: str, name: CommandName, text: str = "") -> Reply:
    """Press a button of the bar."""
    command = Command(id=f"press-{name}", name=name, text=text)
    return carry_out(session.as_me(), comparison_id, command, scope=ALL)


def given(app: AppTest) -> tuple[dict[str, Any], str]:
    """What the review's component was given, and all that any component and text on the page was given, as text."""
    components = {each.proto.component_name: each.proto.json for each in app.get("bidi_component")}
    everything = (*components.values(), written(app), said(app), *(block.value for block in app.text))
    sent: dict[str, Any] = json.loads(components["comparator_review"])
    return sent | sent["whole"], "\n".join(everything)


def test_a_lone_comparison_is_revealed_on_request_and_nothing_names_a_candidate_before(
    app: AppTest, services: Services, comparison: str
) -> None:
    before, page = given(open_review(app, comparison))
    assert not app.exception
    assert PROMPT in [block.value for block in app.text]
    assert "The report gives the total weight" in written(app)
    assert (before["together"], before["names"]) == (0, None)
    # The browser gets no more of the comparison than the sheet shows.
    told_as_findings = {"superseded", "cut_off", "view_notes", "aside_of_both", "void", "may_reveal"}
    assert set(Sheet.model_fields) - before["sheet"].keys() == {
        "files",
        "set_aside",
        "prompt",
        "judge_is_new",
        *told_as_findings,
    }
    assert before["sheet"].keys() - set(Sheet.model_fields) == {"findings"}
    finalised(services, comparison)
    final, final_page = given(open_review(app, comparison))
    assert final["together"] == 1
    assert not any(name in text for text in (page, final_page) for name in ("quillwort", "saxifrage"))

    press(comparison, CommandName.REVEAL)

    after, _ = given(open_review(app, comparison))
    assert after["together"] == 0
    assert set(after["names"].values()) == {"quillwort-31", "saxifrage-32"}
    (about,) = [block.value for block in app.text if block.value.startswith("judge: ")]
    for label, name in after["names"].items():
        assert f"sha256 of output {name} ({label}) as seen: " in about


def test_no_script_of_the_review_makes_markup_from_text(repository: Path) -> None:
    scripts = list((repository / "comparator/ui/review/src").rglob("*.js"))
    text = "".join(path.read_text(encoding="utf-8") for path in scripts).lower()

    assert len(scripts) > 10
    for markup in ("innerhtml", "outerhtml", "insertadjacenthtml", "document.write", "eval(", "new function"):
        assert markup not in text


def test_nothing_of_the_judges_is_on_the_page_before_a_blind_review_has_answered(
    app: AppTest, services: Services, comparison: str
) -> None:
    me = session.me().id
    before = read_sheet(services.by(me), comparison)
    words = [before.judge.form, "stated confidence", "sha256 of prompt", "cost:"]
    assert before.judge.form
    change_settings(services.by(me), before.project_id, mode=ReviewMode.BLIND_FIRST)

    data, page = given(open_review(app, comparison))

    assert [text for text in words if text in page] == []
    assert [data["sheet"][name] for name in ("opened", "judgment", "own")] == [False, None, {}]

    say(services, comparison, me, *((f"score:{label}:{path}", 3) for path in before.paths for label in "AB"))
    open_judge(services.by(me), comparison)

    data, page = given(open_review(app, comparison))

    assert data["sheet"]["opened"] is True
    assert data["sheet"]["judge"]["form"] == before.judge.form
    assert words[0] in page


def test_the_review_page_shows_the_calls_of_a_stored_reading_and_the_rule_it_was_read_by(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    comparison_id = unjudged(services, pair)

    async def judge() -> None:
        with LoopbackServer(player=players.careful) as server:
            one = judge_at(server, tools=Tools.ALWAYS)
            try:
                outcome = await judge_comparison(services, one, comparison_id, repetitions="auto")
            finally:
                await one.close()
        assert outcome.complete, outcome.problem

    asyncio.run(judge())

    open_page(app, "review", c=comparison_id)

    assert not app.exception
    (shown,) = [each for each in app.expander if each.label.startswith("What the judge looked at")]
    calls = [frame.value for frame in shown.dataframe]
    assert "6 calls" in shown.label
    assert [frame["Tool"].tolist() for frame in calls] == [["list", "compare", "search"]] * 2
    assert all(set(frame["Result"]) == {"answered"} for frame in calls)
    assert all(len(digest) == 12 for frame in calls for digest in frame["sha256"])
    (about,) = [each for each in app.expander if each.label == "About the judgment"]
    assert f"readings: 2. Rule: {RULE}" in "\n".join(str(text.value) for text in about.text)


@pytest.fixture
def waiting(services: Services, pair: tuple[Path, Path]) -> str:
    """A comparison that nobody has begun to judge."""
    return unjudged(services, pair)


def failed(services: Services, comparison_id: str, problem: str) -> None:
    """A worker had the pair and ended with this problem."""
    batch_id = judge_elsewhere(services, comparison_id)
    with services.write() as unit:
        ended: Any = {"worker": ELSEWHERE, "state": ItemState.FAILED, "problem": problem}
        batch_items.let_go(unit, batch_id, comparison_id, **ended)
        batches.close_finished(unit, [batch_id])
        fact.refresh(unit, comparison_id)


def test_a_pair_that_waits_for_the_judge_is_stopped_from_its_review(
    waiting: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A worker that takes nothing.
    idle = SimpleNamespace(wake=lambda: None)
    monkeypatch.setattr("comparator.web.review.commands.app_worker", lambda services: idle)
    assert press(waiting, CommandName.STOP).note == "The judge is not working on this pair."
    press(waiting, CommandName.RETRY)

    assert press(waiting, CommandName.STOP).note.startswith("Stopped.")

    found = progress(waiting)
    assert (found.state, found.in_progress) == (JudgeState.WAITING, False)


def test_a_pair_whose_judge_died_is_judged_again(app: AppTest, waiting: str, services: Services) -> None:
    judge_elsewhere(services, waiting, old=STALE_AFTER * 2)

    open_page(app, "review", c=waiting)

    wait_until(lambda: progress(waiting).state is JudgeState.DONE)


def test_trying_again_on_the_review_page_asks_the_judge_that_was_asked_before(
    waiting: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed(services, waiting, "The network was down.")
    # The judge of the settings cannot even be reached.
    monkeypatch.setitem(services.settings.__dict__, "judge", "anthropic")

    reply = press(waiting, CommandName.RETRY)

    assert reply.note.startswith("Judging has started")
    wait_until(lambda: progress(waiting).state is JudgeState.DONE)


def test_the_head_of_a_pair_that_no_judge_was_asked_about_says_so(app: AppTest, waiting: str) -> None:
    open_page(app, "review", c=waiting)

    assert any("no judge" in each.value for each in app.caption)
    # Though it waits for a judge, too, whoever reviews it counts it.
    assert any("0 of 1 pair reviewed" in each.value for each in app.caption)
    assert not any("judge first" in each.value for each in app.caption)


def test_a_blind_review_says_why_the_judge_failed_only_to_whoever_may_have_the_pair_judged_again(
    waiting: str, services: Services
) -> None:
    failed(services, waiting, "The model declined to judge this pair.")
    (project,) = all_projects(services.database)
    change_settings(session.as_me(), project.id, mode=ReviewMode.BLIND_FIRST)
    with services.write() as unit:
        rhea = people.ensure_person(unit, "oidc:rhea", name="Rhea").id
    give_role(session.as_me(), rhea, Role.REVIEWER, project_id=project.id)

    lead, reviewer = (read_sheet(services.by(who), waiting) for who in (session.me().id, rhea))

    assert not lead.opened
    assert lead.judge.state is reviewer.judge.state is JudgeState.FAILED
    assert lead.judge.problem == "The model declined to judge this pair."
    assert "declined" not in reviewer.model_dump_json()


def test_a_pair_counts_with_its_own_project_only(app: AppTest, comparison: str, services: Services) -> None:
    own = read_sheet(services.by(session.me().id), comparison).project_id
    other = seed(services, pairs=3, project="Other").project_id

    open_review(app, comparison).selectbox(key="project").set_value(other).run()
    assert app.title[0].value == "Queue"
    assert app.selectbox(key="project").value == other

    # A link leads to a pair whichever project is chosen.
    open_page(app, "review", project=other, c=comparison)
    assert "0 of 1 pair reviewed" in said(app)
    open_page(app, "review", project=own, c=comparison)
    assert "0 of 1 pair reviewed" in said(app)


def test_another_mode_is_said_to_hold_from_the_next_pair_on(
    app: AppTest, comparison: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "_judges", lambda _: True)
    me = session.me().id
    say(services, comparison, me, ("winner", "A"))
    own = read_sheet(services.by(me), comparison).project_id
    change_settings(services.by(me), own, mode=ReviewMode.BLIND_FIRST)

    open_review(app, comparison)

    assert "You say which output is better" in given(app)[1]
    labels = [block.proto.popover.label for block in app.get("popover")]
    assert "Blind first from the next pair on" in labels


def test_after_the_last_pair_of_a_project_the_queue_is_offered(
    app: AppTest, comparison: str, services: Services
) -> None:
    seed(services, pairs=1, project="Other")
    own = read_sheet(services.by(session.me().id), comparison).project_id
    assert given(open_page(app, "review", project=own, c=comparison))[0]["last"] is False
    finalised(services, comparison)
    assert given(open_page(app, "review", project=own, c=comparison))[0]["last"] is True
