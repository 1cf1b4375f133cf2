"""A panel from its first pair to the reveal: three reviewers, a ruling on what they disagree about, one closing act."""

import json
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.domain.errors import BlindnessError, Conflict, InputError, ReviewError, RightsError
from comparator.domain.labels import Label, Winner
from comparator.domain.project import ReasonRule
from comparator.domain.rights import Act, Role
from comparator.domain.scoring.verdict import Verdict
from comparator.reporting.trust.panel import contested_pairs, panel_progress
from comparator.stats.intervals import TooFew
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.people import people
from comparator.store.reviewing import queue
from comparator.workflow.exporting.comparison_json import provenance_json, result_json
from comparator.workflow.people.people import give_role, may, take_role
from comparator.workflow.projects.reveal import close_project, open_again, open_reviews, revealed_names
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review.panel import (
    Scope,
    adjudicate,
    assign,
    first_files,
    read_case,
    take_back,
    take_next,
)
from comparator.workflow.review.review import finalise, record
from comparator.workflow.review.sheet import read_sheet
from tests.worlds.databases import on_both
from tests.worlds.workbench import Workbench


class Panel:
    """A judged pair in a project with a lead and three reviewers, each pair to be reviewed by all three."""

    def __init__(self, workbench: Workbench) -> None:
        self.workbench, self.services = workbench, workbench.services
        self.pair = workbench.submitted()
        assert workbench.judged(self.pair).complete
        services = self.services
        self.project = project = workbench.sheet(self.pair).project_id
        self.lead, *self.reviewers = map(workbench.signed_in, ("Lena", "Rhea", "Rolf", "Rita"))
        give_role(workbench.me, self.lead, Role.LEAD, project_id=project)
        for reviewer in self.reviewers:
            give_role(services.by(self.lead), reviewer, Role.REVIEWER, project_id=project)
        change_settings(services.by(self.lead), project, reviews_needed=3, share_to_all=0)

    def another(self) -> str:
        """A second pair in the same project."""
        return self.workbench.submitted(self.workbench.other_pair())

    def change(self, person: str, address: str, value: object, reason: str = "") -> None:
        change = self.workbench.change(address, value, reason=reason).model_copy(update={"author": person})
        record(self.services.by(person), self.pair, [change])

    def review(self, person: str, winner: Winner) -> None:
        """A final review in which this output gets 5 and the other 2 on every criterion."""
        for path in read_sheet(self.services.by(person), self.pair).paths:
            for label in Label:
                value = 5 if winner.value == label.value else 2
                self.change(person, f"score:{label.value}:{path}", value, f"{winner.value} says it all")
        self.change(person, "reasoning", f"{winner.value} is better, for certain.")
        finalise(self.services.by(person), self.pair)

    def next(self, person: str) -> str | None:
        return take_next(self.services.by(person), Scope(project_id=self.project))


@pytest.fixture
def panel(database: Database, blobs: BlobStore, tmp_path: Path) -> Panel:
    return Panel(Workbench(database, blobs, tmp_path / "work"))


@on_both
@pytest.mark.slow
def test_three_reviewers_on_one_pair_from_the_queue_to_the_reveal(panel: Panel) -> None:
    services, pair, project, lead = panel.services, panel.pair, panel.project, panel.lead
    for person, winner in zip(panel.reviewers, (Winner.A, Winner.B, Winner.A), strict=True):
        assert panel.next(person) == pair
        panel.review(person, winner)
        assert panel.next(person) is None
        # No reviewer is told a result, their own review apart.
        with pytest.raises(RightsError):
            result_json(services.by(person), pair)
        assert "is better, for certain." in read_sheet(services.by(person), pair).model_dump_json()
    assert panel.next(lead) is None

    far = panel_progress(services.database, project, at=services.now())
    assert (far.pairs, far.reviews, far.wanted, far.disputed) == (1, 3, 3, 1)
    assert [(person.name, person.done, person.compared, person.same) for person in far.people] == [
        ("Rhea", 1, 2, 1),
        ("Rita", 1, 2, 1),
        ("Rolf", 1, 2, 0),
    ]
    assert isinstance(far.overlap.raw, TooFew)
    with pytest.raises(InputError, match="disagree"):
        result_json(services, pair)

    case = read_case(services.by(lead), pair)
    assert [review.person for review in case.reviews] == ["Rhea", "Rolf", "Rita"]
    assert [review.verdict.winner for review in case.reviews] == [Winner.A, Winner.B, Winner.A]
    assert set(case.start.A.scores.values()) == {Decimal(5)}
    assert set(case.reviews[1].reasons.values()) == {"B says it all"}
    assert not case.reason_required
    change_settings(services.by(lead), project, reasons=ReasonRule.REQUIRED)
    with pytest.raises(ReviewError, match="requires"):
        rule(panel, reason=" ")
    with pytest.raises(RightsError):
        rule(panel, person=panel.reviewers[0])
    verdict = rule(panel, reason="B has the wrong total.")
    assert verdict.winner is Winner.A
    with services.database.read() as connection:
        row = connection.execute(sa.select(tables.fact)).one()
    assert (row.winner, row.verdict_source) == ("A", "adjudication")
    assert json.loads(result_json(services, pair))["reasoning"] == "B has the wrong total."
    provenance = json.loads(provenance_json(services, pair))
    assert provenance["verdict_source"] == "adjudication"
    assert [(ruling["reason"], ruling["person_id"]) for ruling in provenance["adjudications"]] == [
        ("B has the wrong total.", lead)
    ]
    assert len(provenance["reviews"]) == 3
    assert not contested_pairs(services.database, project)[0].disputed

    close_project(services.by(lead), project)
    assert revealed_names(services.by(panel.reviewers[0]), pair).A == "zebrafinch-prompt"
    assert may(services.by(panel.reviewers[0]), Act.SEE_RESULTS, project_id=project)
    with pytest.raises(ReviewError, match="closed"):
        panel.change(panel.reviewers[0], "reasoning", "On second thoughts.")
    with pytest.raises(Conflict):
        close_project(services.by(lead), project)
    with services.database.read() as connection:
        acts = {act.kind for act in people.recent_acts(connection, project_id=project, limit=500)}
    assert {"claimed", "adjudicated", "project_closed", "revealed"} <= acts


def rule(
    panel: Panel, *, reason: str = "So it is.", person: str = "", winner: Winner | None = None
) -> Verdict:
    case = read_case(panel.services.by(panel.lead), panel.pair)
    services = panel.services.by(person or panel.lead)
    return adjudicate(services, panel.pair, assessments=case.start, winner=winner, reason=reason)


def test_closing_is_refused_while_a_review_is_open_unless_it_is_closed_out(panel: Panel) -> None:
    services, project, (rhea, rolf, _) = panel.services, panel.project, panel.reviewers
    panel.review(rhea, Winner.A)
    panel.change(rolf, "reasoning", "Half a thought.")

    assert [review.person for review in open_reviews(services.by(panel.lead), project)] == ["Rolf"]
    for who in (rhea, panel.workbench.person):
        assert not may(services.by(rhea), Act.SEE_RESULTS, project_id=project)
        with pytest.raises((RightsError, BlindnessError)):
            close_project(services.by(who), project)
    with services.database.read() as connection:
        assert not connection.execute(sa.select(tables.reveal)).all()

    close_project(services.by(panel.lead), project, close_out=True)

    assert panel.next(rhea) is None
    with pytest.raises(InputError, match="no new pair"):
        panel.another()
    assert panel.workbench.submitted() == panel.pair
    with services.read() as unit:
        row = unit.connection.execute(sa.select(tables.fact)).one()
        assert not queue.in_force(unit, project)
    assert (row.final_reviews, row.open_reviews, row.winner) == (1, 0, "A")
    assert "Half a thought." in provenance_json(services, panel.pair)
    with pytest.raises(RightsError):
        open_again(services.by(rhea), project)
    open_again(services.by(panel.lead), project)
    assert [review.person for review in open_reviews(services.by(panel.lead), project)] == ["Rolf"]
    assert not may(services.by(rhea), Act.SEE_RESULTS, project_id=project)


def test_a_lead_assigns_pairs_and_takes_them_back(panel: Panel) -> None:
    services, project, (rhea, rolf, _) = panel.services, panel.project, panel.reviewers
    change_settings(services.by(panel.lead), project, reviews_needed=1, share_to_all=0)
    with pytest.raises(RightsError):
        assign(services.by(rhea), project, to=rhea, count=1)
    stranger = panel.workbench.signed_in("Sam")
    with pytest.raises(InputError, match="role of a reviewer"):
        assign(services.by(panel.lead), project, to=stranger, count=1)

    assert assign(services.by(panel.lead), project, to=rhea, count=5) == (panel.pair,)
    assert panel.next(rolf) is None
    (far,) = [p for p in panel_progress(services.database, project, at=services.now()).people if p.assigned]
    assert (far.name, far.assigned) == ("Rhea", 1)
    assert take_back(services.by(panel.lead), project, of=rhea) == 1
    assert panel.next(rolf) == panel.pair


def test_a_lead_who_reviews_the_pair_is_shown_the_others_only_when_done(panel: Panel) -> None:
    panel.review(panel.reviewers[0], Winner.A)
    panel.change(panel.lead, "reasoning", "I think so too.")

    with pytest.raises(ReviewError, match="Your own review"):
        read_case(panel.services.by(panel.lead), panel.pair)


@on_both
def test_of_three_who_ask_at_once_only_one_is_given_the_pair(panel: Panel) -> None:
    change_settings(panel.services.by(panel.lead), panel.project, reviews_needed=1, share_to_all=0)

    with ThreadPoolExecutor(3) as pool:
        given = list(pool.map(panel.next, panel.reviewers))

    assert sorted(given, key=str) == sorted([None, None, panel.pair], key=str)


def test_what_comes_next_is_told_to_nobody_whose_role_was_taken(panel: Panel) -> None:
    services, reviewer = panel.services, panel.reviewers[0]
    panel.workbench.judged(panel.another())

    def next_files() -> object:
        return first_files(services.by(reviewer), panel.pair, Scope(project_id=panel.project))

    assert next_files() is not None
    take_role(services.by(panel.lead), reviewer, Role.REVIEWER, project_id=panel.project)
    assert next_files() is None
