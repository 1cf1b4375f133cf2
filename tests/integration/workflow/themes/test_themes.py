"""Themes: findings are collected, a model drafts and assigns, and the picture counts pairs for each candidate."""

import asyncio
import json
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
import sqlalchemy as sa

from comparator.domain.errors import ComparatorError, JudgeNotAllowed, RightsError
from comparator.domain.rights import Role
from comparator.domain.themes import Codebook, CodebookRow
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
from comparator.workflow.themes import collect
from tests.loopback import acts
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World
from tests.worlds.histories.themed import PARTS, SOURCES, Kept, drafts, themed


class Themed:
    """A project with stated reasons, and the acts upon them."""

    def __init__(
        self, services: Services, kept: Kept | None = None, *, tasks: int = 24, reveal: bool = True
    ) -> None:
        self.services = services
        if kept is not None and services.database.engine.dialect.name == "sqlite":
            self.history = kept.into(services.database, services.settings.home.parent / "blobs")
        else:
            self.history = History(World(services.database, services.blobs))
            themed(self.history, tasks=tasks, reveal=reveal)
        self.project = self.history.project

    def collect(self, *, pairs: int = 300) -> None:
        collect(self.services, self.project, pairs=pairs)

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

    def edit(self, changes: Mapping[str, Mapping[str, str] | None]) -> None:
        """Change these cells of themes (by name) in the codebook; None deletes the theme."""
        book = themes.codebook_of(self.services, self.project)
        rows = [
            CodebookRow.model_validate({**theme.model_dump(), **more})
            for theme in book.themes
            if (more := changes.get(theme.name, {})) is not None
        ]
        themes.save_codebook(self.services, self.project, rows, before=book)

    def picture(self) -> ThemePicture:
        found = theme_picture(self.services.database, self.history.asked(Verdicts.JUDGE))
        assert found is not None
        return found


@pytest.fixture
def world(services: Services, model: LoopbackServer, kept_themes: Kept) -> Themed:
    """Findings collected, drafted and assigned."""
    found = Themed(services, kept_themes)
    found.collect()
    model.then(drafts())
    found.draft()
    found.assign()
    return found


def test_a_theme_speaks_for_each_candidate_by_pairs(world: Themed) -> None:
    found = {each.theme.name: each for each in world.picture().themes}

    assert (found[PARTS].won, found[PARTS].tied, found[PARTS].lost) == (18, 2, 4)
    assert (found[SOURCES].won, found[SOURCES].tied, found[SOURCES].lost) == (0, 0, 12)
    share = found[PARTS].rate
    assert isinstance(share, Estimate)
    assert share.value == pytest.approx(19 / 24)
    few = found[SOURCES].rate
    assert isinstance(few, Estimate)
    assert few.few
    swapped = theme_picture(world.services.database, world.history.asked(Verdicts.JUDGE, old_first=True))
    assert swapped is not None
    assert {(each.theme.name, each.won, each.lost) for each in swapped.themes} == {
        (PARTS, 4, 18),
        (SOURCES, 12, 0),
    }


def test_an_assignment_needs_a_listed_theme_and_words_of_the_finding(
    services: Services, model: LoopbackServer
) -> None:
    world = Themed(services, tasks=1)
    world.collect()
    model.then(drafts())
    world.draft()
    answer = {
        "findings": [
            {
                "number": number,
                "themes": [
                    {"theme": "T9", "quote": "task 0"},
                    {"theme": "T1", "quote": "words that nobody wrote"},
                    *([{"theme": "T2", "quote": "task 0"}] if number == 1 else []),
                ],
            }
            for number in (1, 2, 77)
        ]
    }
    model.then(acts.says(json.dumps(answer)))

    inquiry = world.assign()

    with services.database.read() as connection:
        mark = tables.theme_mark.c
        marks = connection.execute(sa.select(mark.themes).where(mark.inquiry_id == inquiry)).scalars().all()
    assert sorted(map(len, marks)) == [0, 0, 1]
    assert {each.theme.name: each.n for each in world.picture().themes} == {PARTS: 0, SOURCES: 1}


def test_requests_carry_no_name_and_are_kept_with_prompts_model_and_cost(
    world: Themed, model: LoopbackServer
) -> None:
    sent = [request.raw.decode() for request in model.messages]
    assert len(sent) == 1 + 4
    assert not any(name in text for text in sent for name in ("old-prompt", "new-prompt"))

    with world.services.database.read() as connection:
        run = inquiries.assignment(connection, world.project)
        assert run is not None
        spent = budgets.spent(connection)
        asked = sa.select(tables.attempt).where(tables.attempt.c.inquiry_id.is_not(None))
        calls = connection.execute(asked).mappings().all()
    assert run.model == "claude-sonnet-5-5"
    assert "copied letter by letter" in run.request.prompts["theme_assign"]
    assert len(calls) == 5
    assert all(call["calls"][0]["raw"] for call in calls)
    cost = sum(call["cost"] for call in calls if call["inquiry_id"] == run.id)
    assert Decimal(0) < cost < spent
    (model_cost,) = (
        each.cost for each in spending(world.services.database, world.project).models if each.cost
    )
    assert model_cost == spent


def test_findings_name_no_candidate_before_the_reveal(services: Services, model: LoopbackServer) -> None:
    world = Themed(services, tasks=2, reveal=False)
    comparison = world.history.made[0]
    world.history.task("Task named")
    named = world.history.unjudged()
    from comparator.domain.labels import Order, PerOutput
    from tests.worlds.histories.themed import stated

    for order in Order:
        told = stated(0, 5, 3, new_is_a=True).model_copy(
            update={"strengths": PerOutput[tuple[str, ...]](A=("new-prompt has all parts",), B=())}
        )
        world.history.world.attempt(named, order, told)

    world.collect()

    with services.database.read() as connection:
        words = list(connection.execute(sa.select(tables.finding.c.words)).scalars())
    assert len(words) > 4
    assert not any("new-prompt" in each for each in words)
    assert any("has all parts" in each for each in words)
    assert comparison.id


def test_an_assignment_that_failed_goes_on_where_it_stopped(
    services: Services, model: LoopbackServer, kept_themes: Kept
) -> None:
    world = Themed(services, kept_themes)
    world.collect()
    model.then(drafts())
    world.draft()
    model.then(acts.Status(403, "permission_error", "not with this key"))

    with pytest.raises(ComparatorError):
        world.assign()

    found = assignment_status(services.database, world.project)
    assert found is not None
    assert found.unfinished is not None
    assert found.unfinished.state is InquiryState.FAILED
    assert found.waiting >= 21
    world.assign(stopped=found.unfinished.id)
    ended = assignment_status(services.database, world.project)
    assert ended is not None
    assert (ended.assignment.state, ended.unfinished, ended.waiting) == (InquiryState.DONE, None, 0)
    assert world.picture().findings == 96

    model.then(acts.Status(403, "permission_error", "not with this key"))
    with pytest.raises(ComparatorError):
        world.assign()
    # What was assigned before stands until another assignment is done.
    assert world.picture().findings == 96


def test_a_budget_that_is_used_up_refuses_the_request(
    services: Services, model: LoopbackServer, kept_themes: Kept
) -> None:
    poor = replace(services, settings=services.settings.model_copy(update={"budget": Decimal("0.0001")}))
    world = Themed(poor, kept_themes)
    world.collect()

    with pytest.raises(JudgeNotAllowed, match="does not cover"):
        world.draft()

    assert not model.messages


def test_a_leads_changes_survive_a_new_draft(world: Themed, model: LoopbackServer) -> None:
    world.edit({PARTS: {"name": "Complete", "test": "The finding says that all is there."}, SOURCES: None})

    model.then(drafts())
    book = world.draft()

    asked = model.messages[-1].raw.decode()
    assert "The finding says that all is there." in asked
    assert "cites its sources" in asked
    assert [theme.name for theme in book.themes] == ["Complete"]
    counted = {each.theme.name: (each.won, each.lost) for each in world.picture().themes}
    assert counted == {"Complete": (18, 4)}


def test_only_a_lead_changes_a_codebook(world: Themed) -> None:
    book = themes.codebook_of(world.services, world.project)
    with world.services.write() as unit:
        rhea = people.ensure_person(unit, "oidc:https://x|rhea", name="Rhea")
        people.grant(unit, rhea.id, Role.REVIEWER, project_id=world.project, granted_by=None)

    with pytest.raises(RightsError):
        themes.save_codebook(world.services.by(rhea.id), world.project, (), before=book)
    with pytest.raises(RightsError):
        world.assign(person_id=rhea.id)
