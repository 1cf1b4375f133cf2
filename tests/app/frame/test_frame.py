"""What every page stands in: navigation, the person, errors told in one place; and the settings."""

import logging
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.errors import StoreError
from comparator.domain.project import ReasonRule
from comparator.domain.rights import Act, Role
from comparator.reporting.history.listing import all_projects
from comparator.store.people import people, projects
from comparator.ui import queue as page
from comparator.ui.frame import session
from comparator.ui.frame.session import Me
from comparator.workflow.people import people as workflow_people
from comparator.workflow.people.people import audit_log, give_role, take_role
from comparator.workflow.projects.settings import change_settings, project_settings
from comparator.workflow.services import Services
from tests.app.conftest import fill, judged, open_page, plain, said

PAGES = ["Queue", "New", "Import", "Batches", "History", "Dashboards", "Judge", "Settings", "Help"]


def test_only_what_exists_stands_in_the_navigation(app: AppTest) -> None:
    app.run()

    assert [link.label for link in app.sidebar.page_link] == PAGES
    assert session.me().name in said(app)


def test_our_own_errors_are_shown_as_they_are_and_a_bug_with_an_id_that_stands_in_the_log(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    errors = [ZeroDivisionError("a secret detail"), StoreError("The disk is full. Free some space.")]

    def fail() -> None:
        raise errors.pop()

    monkeypatch.setattr(page, "queue", fail)
    app.run()
    assert "The disk is full. Free some space." in said(app)
    assert not app.exception

    with caplog.at_level(logging.ERROR):
        app.run()

    (error,) = app.error
    number = error.value.partition("`")[2].partition("`")[0]
    assert number
    assert "secret" not in error.value
    assert f"error {number}" in caplog.text
    assert "a secret detail" in caplog.text


def test_a_wrong_setting_is_one_sentence(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_SLOTS", "many")

    app.run()

    assert "COMPARATOR_SLOTS" in said(app)
    assert not app.exception


@pytest.mark.parametrize("elsewhere", [False, True])
def test_an_open_tab_shows_nothing_more_once_the_role_is_taken(
    app: AppTest,
    services: Services,
    pair: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    *,
    elsewhere: bool,
) -> None:
    judged(pair)
    (project,) = all_projects(services.database)
    with services.write() as unit:
        ben = people.ensure_person(unit, "oidc:test|ben", name="Ben")
    admin = session.me().id
    give_role(services.by(admin), ben.id, Role.REVIEWER, project_id=project.id)
    if elsewhere:
        with services.write() as unit:
            other = projects.ensure_project(unit, "Of another team").id
        give_role(services.by(admin), ben.id, Role.REVIEWER, project_id=other)
    monkeypatch.setattr(session, "identity", lambda: Me(ben.id, ben.name))
    tab = open_page(app, "queue", project=project.id)
    assert "1 pair to review" in [each.value for each in tab.subheader]

    take_role(services.by(admin), ben.id, Role.REVIEWER, project_id=project.id)
    tab.run()

    assert "1 pair to review" not in said(tab)
    assert "1 pair to review" not in [each.value for each in tab.subheader]
    assert [each.key for each in tab.get("bidi_component")] == ["narrow"]


def settings_shown(app: AppTest) -> dict[str, str]:
    """The lines that can be copied, by the name of the setting."""
    lines = (str(each.value).partition("=") for each in app.code)
    return {name: value for name, _, value in lines if name.startswith("COMPARATOR_")}


def test_only_who_runs_the_server_has_it_checked_and_without_sign_in_it_is_said_what_invitations_need(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = workflow_people.may

    def lead(services: Services, act: Act, *, project_id: str | None) -> bool:
        return act is not Act.OPERATE and allowed(services, act, project_id=project_id)

    monkeypatch.setattr(workflow_people, "may", lead)

    open_page(app, "settings")

    shown = settings_shown(app)
    assert (shown["COMPARATOR_JUDGE"], shown["COMPARATOR_SLOTS"]) == ("offline", "8")
    assert shown["COMPARATOR_TOOL_LIMITS"].startswith('{"calls":60,"bytes":4000000,')
    assert shown["COMPARATOR_PRICES"] == "my-model=3/15"
    assert "COMPARATOR_HOME" not in shown
    assert "settings_check" not in {button.key for button in app.button}
    assert "To invite somebody, first connect an identity provider (OIDC)" in said(app)
    assert "(help?page=operations)" in "".join(str(each.value) for each in app.markdown)


def test_without_default_redaction_names_stay(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    judged(pair)
    (project,) = all_projects(services.database)
    open_page(app, "settings")
    app.toggle(key=f"settings_redact_names_{project.id}").set_value(False).run()
    for folder in pair:
        (folder / "report.md").write_text("# By saxifrage-32\n\n" + folder.parent.name)

    fill(app, pair)

    (table,) = [each.value for each in app.dataframe if "Keep word" in each.value]
    assert set(table["Keep word"]) == {True}
    # Also while the table is folded.
    (label,) = [each.label for each in app.expander if "may reveal who made" in each.label]
    assert f". Kept: {', '.join(table['Word'])}" in plain(label)


def test_the_project_is_the_one_that_is_looked_at(app: AppTest, services: Services) -> None:
    with services.write() as unit:
        ids = [projects.ensure_project(unit, name).id for name in ("Harvest", "Winter")]
    open_page(app, "settings")
    assert not any((each.key or "").startswith("settings_mode") for each in app.selectbox)
    (listed,) = (each.value for each in app.dataframe if "Reviews a pair" in each.value)
    assert listed["Project"].tolist() == ["Harvest", "Winter"]

    open_page(app, "settings", project=ids[1])

    modes = [each.key for each in app.selectbox if (each.key or "").startswith("settings_mode")]
    assert modes == [f"settings_mode_{ids[1]}"]


def test_a_project_is_deleted_once_a_reason_stands_for_the_audit_log(
    app: AppTest, services: Services
) -> None:
    with services.write() as unit:
        project = projects.ensure_project(unit, "Harvest")
    open_page(app, "settings", project=project.id)
    app.button(key="settings_delete").click().run()
    assert app.button(key="settings_delete_now").disabled

    app.text_input(key="settings_delete_reason").set_value("was a trial")
    app.button(key="settings_delete").click().run()
    app.button(key="settings_delete_now").click().run()

    assert all_projects(services.database) == ()
    assert "Harvest was deleted." in said(app)
    newest = audit_log(services, project_id=project.id)[0]
    assert (newest.event.kind, newest.event.detail["reason"]) == ("project_purged", "was a trial")


def test_a_projects_rules_are_changed_and_kept_beside_what_others_change_and_what_is_refused_is_told(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    judged(pair)
    (project,) = all_projects(services.database)
    open_page(app, "settings")
    change_settings(services, project.id, reviews_needed=3, brief="Look at the totals.")

    app.segmented_control(key=f"settings_reasons_{project.id}").set_value(ReasonRule.REQUIRED)
    app.toggle(key=f"settings_show_reference_{project.id}").set_value(False).run()

    rules = project_settings(services, project.id)
    assert (rules.reasons, rules.show_reference, rules.redact_names) == (ReasonRule.REQUIRED, False, True)
    assert (rules.reviews_needed, rules.brief) == (3, "Look at the totals.")
    # Beside what was changed last, and nowhere else.
    (sign,) = (str(each.value) for each in app.markdown if "Saved" in str(each.value))
    assert sign.startswith("**Show the reference answer**")
    open_page(app, "queue")
    open_page(app, "settings")
    assert app.segmented_control(key=f"settings_reasons_{project.id}").value == ReasonRule.REQUIRED
    assert app.toggle(key=f"settings_show_reference_{project.id}").value is False
    assert app.number_input(key=f"settings_reviews_needed_{project.id}").value == 3

    # A value that is refused stays to be corrected.
    app.text_area(key=f"settings_guess_choices_{project.id}").set_value("no colon").run()
    assert len(app.error) == 1
    assert app.text_area(key=f"settings_guess_choices_{project.id}").value == "no colon"
    assert project_settings(services, project.id).guess_choices == ()
