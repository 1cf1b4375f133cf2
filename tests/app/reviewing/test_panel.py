"""The page Panel: for leads only; progress, plan, brief, ruling, and closing with the reveal."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Label, Winner
from comparator.domain.rights import Role
from comparator.reporting.history.listing import all_projects
from comparator.store.people import people
from comparator.ui.frame import session
from comparator.ui.frame.state import Param
from comparator.workflow.people.people import give_role
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review.review import finalise
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.app.conftest import figures, judged, open_page, said
from tests.worlds.workbench import say


class Team:
    """A judged pair that two reviewers have finalised with opposite winners."""

    def __init__(self, services: Services, comparison_id: str) -> None:
        self.services, self.pair = services, comparison_id
        (project,) = all_projects(services.database)
        self.project = project.id
        self.reviewers = {name: self.person(name) for name in ("Rhea", "Rolf")}
        change_settings(services.by(session.me().id), self.project, reviews_needed=2, share_to_all=0)
        self.review("Rhea", Winner.A)
        self.review("Rolf", Winner.B)

    def person(self, name: str) -> str:
        services = self.services
        with services.write() as unit:
            id = people.ensure_person(unit, f"oidc:test|{name}", name=name).id
        give_role(services.by(session.me().id), id, Role.REVIEWER, project_id=self.project)
        return id

    def review(self, name: str, winner: Winner) -> None:
        services, person = self.services, self.reviewers[name]
        values: list[tuple[str, object]] = [
            (f"score:{label.value}:{path}", 5 if winner.value == label.value else 2)
            for path in read_sheet(services.by(person), self.pair).paths
            for label in Label
        ]
        # Written last, it argues for the winner that the scores make.
        values.append(("reasoning", f"Better by far, says {name}."))
        say(services, self.pair, person, *values, reason=f"seen by {name}")
        finalise(services.by(person), self.pair)


@pytest.fixture
def team(app: AppTest, pair: tuple[Path, Path], services: Services) -> Team:
    return Team(services, judged(pair))


def tables(app: AppTest) -> str:
    return "\n".join(str(element.value.to_dict()) for element in app.dataframe)


def test_a_lead_follows_settles_and_closes(app: AppTest, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    open_page(app, "panel", project=team.project)

    assert not app.exception
    assert figures(app) | {"Median minutes": ""} == {
        "Pairs": "1",
        "Final reviews": "2",
        "Planned": "2",
        "Median minutes": "",
        "To settle": "1",
    }
    shown = tables(app)
    for word in ("Rhea", "Rolf", "0 of 1 (0%)", "Better by far, says Rolf.", "seen by Rhea"):
        assert word in shown, word
    assert "Sign-in is off" in said(app)

    app.text_area(key=f"panel_reason_{team.pair}").set_value("Rhea read it whole.")
    app.segmented_control(key=f"panel_winner_{team.pair}").set_value("A")
    app.button(key=f"panel_settle_{team.pair}").click().run()
    assert "Settled already: A. Rhea read it whole." in said(app)
    assert figures(app)["To settle"] == "0"

    open_page(app, "settings", project=team.project)
    brief = app.text_area(key=f"settings_brief_{team.project}")
    brief.set_value("First the totals.\n# then ![x](http://y)").run()

    open_page(app, "queue", project=team.project)
    assert [element.value for element in app.text] == ["First the totals.\n# then ![x](http://y)"]
    open_page(app, "panel", project=team.project)
    app.checkbox(key="panel_close_sure").set_value(True).run()
    app.button(key="panel_close").click().run()
    assert "Closed and revealed on" in said(app)
    assert app.button(key="panel_result").label == "Open dashboards"
    app.button(key="panel_result").click().run()
    assert [title.value for title in app.title] == ["Dashboards"]
    assert app.session_state[Param.PROJECT] == team.project
    assert not app.exception

    rhea = session.Me(team.reviewers["Rhea"], "Rhea")
    monkeypatch.setattr(session, "identity", lambda: rhea)
    open_page(app, "history", project=team.project)
    assert "not for your role" not in said(app)


def test_a_plan_a_share_and_assignments_are_saved(app: AppTest, team: Team, services: Services) -> None:
    open_page(app, "settings", project=team.project)
    app.number_input(key=f"settings_reviews_needed_{team.project}").set_value(3).run()
    app.number_input(key=f"settings_share_to_all_{team.project}").set_value(20).run()

    (project,) = all_projects(services.database)
    assert (project.settings.reviews_needed, project.settings.share_to_all) == (3, 0.2)
    open_page(app, "panel", project=team.project)
    assert figures(app)["Planned"] == "3"
    rita = team.person("Rita")
    open_page(app, "panel", project=team.project)
    app.selectbox(key="panel_who").set_value(rita)
    app.button(key="panel_assign").click().run()
    assert "1 pair assigned to Rita." in said(app)
    app.button(key="panel_take_back").click().run()
    assert "1 pair taken back from Rita." in said(app)
