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
from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.rights import Role
from comparator.domain.scoring.judgment import Answer, Mark
from comparator.domain.scoring.review import Change, ChangeKind
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
from comparator.store.pairs.comparisons import Comparison
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

    def collect(self) -> None:
        collect(self.services, self.project, pairs=300)

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


def test_an_assignment_needs_a_theme_and_words_of_the_finding(
    services: Services, model: LoopbackServer
) -> None:
    world = Themed(services)
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


def test_requests_carry_no_name_and_are_kept_with_their_cost(world: Themed, model: LoopbackServer) -> None:
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


def test_a_failed_assignment_goes_on(services: Services, model: LoopbackServer, kept_themes: Kept) -> None:
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


def test_a_used_up_budget_is_kept(services: Services, model: LoopbackServer, kept_themes: Kept) -> None:
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


class Collected:
    """A project whose pairs are judged and reviewed, and what is collected of them."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.history = History(World(services.database, services.blobs))

    def rated(self) -> Comparison:
        """A pair with rationales."""
        comparison = self.history.unjudged()
        for order in Order:
            self.history.world.attempt(comparison, order, rated(order))
        return comparison

    def review(self, comparison: Comparison, *changes: Change) -> None:
        """A final review of the pair with these changes."""
        world = self.history.world
        review = world.review(comparison)
        with world.write() as unit:
            for change in changes:
                add_change(unit, review.id, change, blind=False)
        world.final(review)

    def changed(self, target: str, value: object, reason: str = "", **more: Any) -> Change:
        """A change of a value, with its reason."""
        return self.history.world.change(target, value, reason=reason).model_copy(update=more)

    def findings(self) -> tuple[Finding, ...]:
        """What is collected once all is revealed."""
        self.history.reveal()
        inquiry = collect(self.services, self.history.project)
        with self.services.database.read() as connection:
            return inquiries.findings_of(connection, inquiry.id)

    def of_reviewers(self) -> dict[tuple[str, str], tuple[Label, FindingSource, Winner]]:
        """The side, the source and for whom it speaks, of each place and words of a reviewer."""
        return {
            (each.place, each.words): (each.label, each.source, each.speaks_for)
            for each in self.findings()
            if each.speaker is Speaker.REVIEWER
        }


@pytest.fixture
def stated(services: Services) -> Collected:
    return Collected(services)


def test_each_rationale_is_kept_with_its_pair_and_speaks_for_who_is_ahead(stated: Collected) -> None:
    pairs = [stated.rated(), stated.rated()]

    found = stated.findings()

    speaks = {AHEAD: Winner.A, EVEN: Winner.TIE, BEHIND: Winner.B}
    assert {
        (each.comparison_id, each.label, each.place, each.words, each.speaks_for)
        for each in found
        if each.source is FindingSource.RATIONALE and each.speaker is Speaker.JUDGE
    } == {
        (pair.id, label, path, f"{path} of {label.value}, {order.value}", winner)
        for pair in pairs
        for path, winner in speaks.items()
        for label in Label
        for order in Order
    }
    assert len(found) == len(pairs) * len(speaks) * len(Label) * len(Order)


def test_a_reviewers_reason_is_kept_in_its_words_and_speaks_for_the_side_it_raised(stated: Collected) -> None:
    pair = stated.rated()
    raised, lowered = f"score:B:{AHEAD}", f"score:B:{BEHIND}"
    stated.review(
        pair,
        stated.changed(raised, "4", WORDS),
        stated.changed(lowered, "3", "One key is missing."),
        stated.changed(f"score:A:{AHEAD}", "5", "As the judge says.", kind=ChangeKind.CONFIRM),
        stated.changed(f"score:A:{EVEN}", "3"),
        stated.changed(f"score:A:{BEHIND}", None, "No schema was given.", kind=ChangeKind.CANNOT_JUDGE),
    )

    assert stated.of_reviewers() == {
        (raised, WORDS.strip()): (Label.B, FindingSource.REASON, Winner.B),
        (lowered, "One key is missing."): (Label.B, FindingSource.REASON, Winner.A),
        (f"score:A:{AHEAD}", "As the judge says."): (Label.A, FindingSource.REASON, Winner.TIE),
        (f"score:A:{BEHIND}", "No schema was given."): (Label.A, FindingSource.REASON, Winner.TIE),
    }
    assert {each.comparison_id for each in stated.findings()} == {pair.id}


def test_a_name_that_the_cut_would_halve_is_taken_out_before_the_reveal(stated: Collected) -> None:
    words = "x" * (LONGEST - len(NEW)) + f" {NEW} is better"
    stated.review(stated.rated(), stated.changed("winner", "A", words))

    inquiry = collect(stated.services, stated.history.project)

    with stated.services.database.read() as connection:
        (kept,) = (
            each.words
            for each in inquiries.findings_of(connection, inquiry.id)
            if each.speaker is Speaker.REVIEWER
        )
    assert kept.startswith("xxx")
    assert kept.endswith("…")
    assert NEW[:4] not in kept
