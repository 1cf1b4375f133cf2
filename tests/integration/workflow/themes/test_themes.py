"""Themes: a model drafts and assigns, and the picture counts pairs for each candidate."""

import asyncio
import json
from collections.abc import Coroutine
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
import sqlalchemy as sa

from comparator.domain.errors import ComparatorError, JudgeNotAllowed, RightsError
from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.rights import Role
from comparator.domain.scoring.judgment import Answer, Mark
from comparator.domain.scoring.review import ChangeKind
from comparator.domain.themes import Codebook, CodebookRow, Finding, FindingSource, Speaker
from comparator.jobs.drafting import with_judge
from comparator.judges.protocol import Judge
from comparator.reporting.results.spending import cost as spending
from comparator.reporting.scope import Verdicts
from comparator.reporting.theme_picture import ThemePicture, assignment_status, theme_picture
from comparator.stats.intervals import Estimate
from comparator.store import tables
from comparator.store.judging import budgets, inquiries
from comparator.store.judging.inquiries import Inquiry, InquiryState
from comparator.store.people import people
from comparator.workflow import themes
from comparator.workflow.judging.registry import Membership
from comparator.workflow.services import Services
from comparator.workflow.themes import LONGEST, collect
from tests.loopback import acts
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.history import NEW, History
from tests.worlds.histories.pairs import World, add_change, answer
from tests.worlds.histories.themed import PARTS, SOURCES, Kept, drafts, themed


class Themed:
    """A project with stated reasons, and the acts upon them."""

    def __init__(self, services: Services, kept: Kept | None = None) -> None:
        self.services = services
        if kept is not None:
            self.history = kept.into(services.database, services.settings.home.parent / "blobs")
        else:
            self.history = History(World(services.database, services.blobs))
            themed(self.history, tasks=1)
        self.project = self.history.project

    def draft(self) -> Codebook:
        return asyncio.run(
            with_judge(
                self.services, lambda judge, here: themes.draft(here, judge, self.project, person_id=None)
            )
        )

    def assign(self, *, stopped: str | None = None, person_id: str | None = None) -> str:
        def write(judge: Judge, here: Membership) -> Coroutine[Any, Any, Inquiry]:
            return themes.assign(here, judge, self.project, person_id=person_id, stopped=stopped)

        return asyncio.run(with_judge(self.services, write)).id

    def picture(self) -> ThemePicture:
        picture = theme_picture(self.services.database, self.history.asked(Verdicts.JUDGE))
        assert picture is not None
        return picture


@pytest.fixture
def world(services: Services, model: LoopbackServer, kept_themes: Kept) -> Themed:
    """Themes drafted and assigned."""
    themed_project = Themed(services, kept_themes)
    model.then(drafts())
    themed_project.draft()
    themed_project.assign()
    return themed_project


def test_a_theme_speaks_for_each_candidate_by_pairs(world: Themed) -> None:
    rows = {row.theme.name: row for row in world.picture().themes}

    assert (rows[PARTS].won, rows[PARTS].tied, rows[PARTS].lost) == (18, 2, 4)
    assert (rows[SOURCES].won, rows[SOURCES].tied, rows[SOURCES].lost) == (0, 0, 12)
    share = rows[PARTS].rate
    assert isinstance(share, Estimate)
    assert share.value == pytest.approx(19 / 24)
    few = rows[SOURCES].rate
    assert isinstance(few, Estimate)
    assert few.few
    other_way: Any = theme_picture(
        world.services.database, world.history.asked(Verdicts.JUDGE, old_first=True)
    )
    assert {(row.theme.name, row.won, row.lost) for row in other_way.themes} == {
        (PARTS, 4, 18),
        (SOURCES, 12, 0),
    }


def test_an_assignment_needs_a_theme_and_the_findings_words(
    services: Services, model: LoopbackServer
) -> None:
    world = Themed(services)
    model.then(drafts())
    world.draft()
    wrong = [{"theme": "T9", "quote": "task 0"}, {"theme": "T1", "quote": "words that nobody wrote"}]
    right = {"theme": "T2", "quote": "task 0"}
    answer = {
        "findings": [{"number": n, "themes": [*wrong, right][: 3 if n == 1 else 2]} for n in (1, 2, 77)]
    }
    model.then(acts.says(json.dumps(answer)))

    inquiry = world.assign()

    with services.database.read() as connection:
        mark = tables.theme_mark.c
        marks = connection.execute(sa.select(mark.themes).where(mark.inquiry_id == inquiry)).scalars().all()
    assert sorted(map(len, marks)) == [0, 0, 1]
    assert {row.theme.name: row.n for row in world.picture().themes} == {PARTS: 0, SOURCES: 1}


def test_requests_carry_no_name_and_are_kept_with_their_cost(world: Themed, model: LoopbackServer) -> None:
    sent = [request.raw.decode() for request in model.messages]
    assert len(sent) == 1 + 4
    assert not any(name in text for text in sent for name in ("old-prompt", "new-prompt"))

    with world.services.database.read() as connection:
        run = inquiries.assignment(connection, world.project)
        assert run is not None
        spent = budgets.spent(connection)
        query = sa.select(tables.attempt).where(tables.attempt.c.inquiry_id.is_not(None))
        calls = connection.execute(query).mappings().all()
    assert run.model == "claude-sonnet-5-5"
    assert "copied letter by letter" in run.request.prompts["theme_assign"]
    assert len(calls) == 5
    assert all(call["calls"][0]["raw"] for call in calls)
    cost = sum(call["cost"] for call in calls if call["inquiry_id"] == run.id)
    assert Decimal(0) < cost < spent
    (model_cost,) = (row.cost for row in spending(world.services.database, world.project).models if row.cost)
    assert model_cost == spent


def test_a_failed_assignment_goes_on(services: Services, model: LoopbackServer, kept_themes: Kept) -> None:
    world = Themed(services, kept_themes)
    model.then(drafts())
    world.draft()
    model.then(acts.Status(403, "permission_error", "not with this key"))

    with pytest.raises(ComparatorError):
        world.assign()

    status: Any = assignment_status(services.database, world.project)
    assert status.unfinished.state is InquiryState.FAILED
    assert status.waiting >= 21
    world.assign(stopped=status.unfinished.id)
    ended: Any = assignment_status(services.database, world.project)
    assert (ended.assignment.state, ended.unfinished, ended.waiting) == (InquiryState.DONE, None, 0)
    assert world.picture().findings == 96

    model.then(acts.Status(403, "permission_error", "not with this key"))
    with pytest.raises(ComparatorError):
        world.assign()
    # What was assigned before stands until another assignment is done.
    assert world.picture().findings == 96


def test_a_used_up_budget_is_kept(services: Services, model: LoopbackServer, kept_themes: Kept) -> None:
    poor = replace(services, settings=services.settings.model_copy(update={"budget": Decimal("0.0001")}))
    world = Themed(poor, kept_themes)

    with pytest.raises(JudgeNotAllowed, match="does not cover"):
        world.draft()

    assert not model.messages


def test_a_leads_changes_survive_a_new_draft(world: Themed, model: LoopbackServer) -> None:
    book = themes.codebook_of(world.services, world.project)
    (parts,) = (theme for theme in book.themes if theme.name == PARTS)
    edited = {"name": "Complete", "test": "The finding says that all is there."}
    row = CodebookRow.model_validate({**parts.model_dump(), **edited})
    themes.save_codebook(world.services, world.project, [row], before=book)

    model.then(drafts())
    book = world.draft()

    request = model.messages[-1].raw.decode()
    assert "The finding says that all is there." in request
    assert "cites its sources" in request
    assert [theme.name for theme in book.themes] == ["Complete"]
    counted = {row.theme.name: (row.won, row.lost) for row in world.picture().themes}
    assert counted == {"Complete": (18, 4)}


def test_only_a_lead_has_findings_assigned(world: Themed) -> None:
    with world.services.write() as unit:
        rhea = people.ensure_person(unit, "oidc:https://x|rhea", name="Rhea")
        people.grant(unit, rhea.id, Role.REVIEWER, project_id=world.project, granted_by=None)

    with pytest.raises(RightsError):
        world.assign(person_id=rhea.id)


PLACES = ("content.completeness", "content.correctness", "structure.naming", "structure.schema")
AHEAD, EVEN, BEHIND = PLACES[1], PLACES[0], PLACES[3]
"""Criteria on which A has 5 against 3, 4 against 4 and 2 against 4; the judge says nothing about naming."""
SCORES = {AHEAD: (5, 3), EVEN: (4, 4), BEHIND: (2, 4), PLACES[2]: (3, 3)}
WORDS = '  Total is "42,00 €", not\n42.  '


def rated(order: Order) -> Answer:
    """The judge's answer, with a rationale of its own for each criterion but one, side and order."""
    plain = answer(4, 4)

    def mark(path: str, label: Label) -> Mark:
        said = "" if path == PLACES[2] else f"{path} of {label.value}, {order.value}"
        return Mark.model_validate({"score": SCORES[path][label is Label.B], "rationale": said})

    criteria = {path: PerOutput[Mark](A=mark(path, Label.A), B=mark(path, Label.B)) for path in PLACES}
    nothing = PerOutput[tuple[str, ...]](A=(), B=())
    return plain.model_copy(update={"criteria": criteria, "strengths": nothing, "weaknesses": nothing})


def findings(services: Services, history: History, speaker: Speaker) -> list[Finding]:
    """What the judge or the reviewers have said by now."""
    return [finding for finding in collect(services, history.project) if finding.speaker is speaker]


def test_rationales_and_reasons_are_kept_in_their_words_and_speak_for_a_side(services: Services) -> None:
    history = History(World(services.database, services.blobs))
    world, pairs = history.world, [history.unjudged(), history.unjudged()]
    for pair in pairs:
        for order in Order:
            world.attempt(pair, order, rated(order))
    raised, lowered = f"score:B:{AHEAD}", f"score:B:{BEHIND}"
    kept, unsaid = f"score:A:{AHEAD}", f"score:A:{BEHIND}"
    review = world.review(pairs[0])
    with world.write() as unit:
        for target, value, reason, kind in (
            (raised, "4", WORDS, ChangeKind.SET),
            (lowered, "3", "One key is missing.", ChangeKind.SET),
            (kept, "5", "As the judge says.", ChangeKind.CONFIRM),
            (f"score:A:{EVEN}", "3", "", ChangeKind.SET),
            (unsaid, None, "No schema was given.", ChangeKind.CANNOT_JUDGE),
            ("winner", "A", "x" * (LONGEST - len(NEW)) + f" {NEW} is better", ChangeKind.SET),
        ):
            change = world.change(target, value, reason=reason).model_copy(update={"kind": kind})
            add_change(unit, review.id, change)
    world.final(review)

    (cut,) = (e.words for e in findings(services, history, Speaker.REVIEWER) if e.words.startswith("xxx"))
    history.reveal()
    rationales = findings(services, history, Speaker.JUDGE)
    reasons = findings(services, history, Speaker.REVIEWER)

    # A name that the cut would halve is taken out before the reveal.
    assert cut.endswith("…")
    assert NEW[:4] not in cut
    speaks = {AHEAD: Winner.A, EVEN: Winner.TIE, BEHIND: Winner.B}
    assert {(e.comparison_id, e.label, e.place, e.words, e.speaks_for) for e in rationales} == {
        (pair.id, label, path, f"{path} of {label.value}, {order.value}", winner)
        for pair in pairs
        for path, winner in speaks.items()
        for label in Label
        for order in Order
    }
    assert {e.source for e in rationales} == {FindingSource.RATIONALE}
    assert {(e.place, e.words, e.label, e.speaks_for) for e in reasons if e.place != "winner"} == {
        (raised, WORDS.strip(), Label.B, Winner.B),
        (lowered, "One key is missing.", Label.B, Winner.A),
        (kept, "As the judge says.", Label.A, Winner.TIE),
        (unsaid, "No schema was given.", Label.A, Winner.TIE),
    }
    assert {(e.comparison_id, e.source) for e in reasons} == {(pairs[0].id, FindingSource.REASON)}
