"""The report and the memo: the charts of every tab, under the filters of the page, which they name."""

import html
import re
from collections import Counter

import pypdfium2
import pytest
from streamlit.testing.v1 import AppTest

from comparator.reporting.facts import facts_of
from comparator.reporting.findings import Findings, findings_of
from comparator.reporting.results.candidates import Names, project_state
from comparator.reporting.results.result import reviewed_by
from comparator.reporting.results.spending import cost
from comparator.reporting.scope import By, ResultFilter, Verdicts, Within
from comparator.store import tables
from comparator.store.facts import fact
from comparator.store.reviewing import reviews
from comparator.ui.dashboards import advice, sentences
from comparator.ui.dashboards.tabs.cost import cost_charts
from comparator.ui.dashboards.tabs.report import every_chart, report, to_pdf
from comparator.ui.dashboards.tabs.trust import trust_charts
from comparator.ui.frame import safe
from comparator.ui.frame.state import SessionKey
from comparator.workflow.services import Services
from tests.app.conftest import open_page
from tests.worlds.histories.experiment import REVIEWERS, Experiment
from tests.worlds.histories.pairs import World

NETWORK = (Within(by=By.TAG, value="network"),)
DIFFER = ("same_winner", "bias", "cost", "minutes")
"""Charts of judge, reviewers and cost that count other pairs under the filter."""


@pytest.fixture
def experiment(services: Services) -> Experiment:
    return Experiment(World(services.database, services.blobs), iterations=3, tasks_of=12).build()


def top_of(services: Services, experiment: Experiment, within: tuple[Within, ...] = ()) -> Findings:
    """What the page shows of the newest iteration."""
    met = max(
        project_state(services.database, experiment.project).revealed_meetings,
        key=lambda each: each.iteration or "",
    )
    asked = ResultFilter(
        project_id=experiment.project, one=met.one, two=met.two, verdicts=Verdicts.EITHER, within=within
    )
    return findings_of(services.database, asked, Names(met.one_name, met.two_name))


def test_the_report_counts_under_the_page_s_filters_it_names(
    services: Services, experiment: Experiment
) -> None:
    database, project = services.database, experiment.project
    top = top_of(services, experiment, NETWORK)
    with facts_of(database, project) as facts:
        judged = [*trust_charts(facts, top.filter, top)]
    of_page = [
        *judged,
        *cost_charts(cost(database, project, of=top.filter), top.usage, of=top.filter),
    ]

    printed = {each.name: each for each in every_chart(top)}
    whole = {each.name: each for each in every_chart(top_of(services, experiment))}

    for box in of_page:
        assert (printed[box.name].words, printed[box.name].rows) == (box.words, box.rows)
    for name in DIFFER:
        assert (printed[name].words, printed[name].rows) != (whole[name].words, whole[name].rows)
    assert {"cost_over_time", "improvement_suggestions", "reasons"} <= printed.keys()
    written = report(top).replace(safe.JOINER, "")
    # Shares are percentages and other figures are rounded, but for the smallest.
    assert "<td>100%</td>" in written
    assert not re.search(r"<td>-?\d*\.(?!00)\d{3,}</td>", written)
    assert " · only Tag network<" in written
    assert " · only " not in report(top_of(services, experiment))


def test_the_report_names_who_reviewed_how_many_counted(services: Services, experiment: Experiment) -> None:
    counted = [each for each in experiment.pairs if each.valid and each.iteration == 3]
    who = Counter(each.reviewer for each in counted)
    assert len(who) == len(REVIEWERS)
    assert sum(who.values()) == len(counted) == 11
    # A review that was opened again counts once it is final once more; another one's counts for its own reviewer.
    first, second, third = counted[:3]
    with services.database.read() as connection:
        (again,) = reviews.of_comparison(connection, first.comparison_id)
        (done,) = reviews.of_comparison(connection, second.comparison_id)
        (other,) = reviews.of_comparison(connection, third.comparison_id)
    experiment.world.reopen(again)
    with services.write() as unit:
        unit.execute(
            tables.review.update().where(tables.review.c.id == other.id).values(person_id=done.person_id)
        )
        fact.refresh(unit, third.comparison_id)
    who[first.reviewer] -= 1
    who[third.reviewer] -= 1
    who[second.reviewer] += 1

    top = top_of(services, experiment)
    listed = sorted(who.items(), key=lambda each: (-each[1], each[0]))
    assert list(reviewed_by(services.database, top.filter)) == listed
    told = "Reviewers: " + "; ".join(f"{name} ({number})" for name, number in listed) + "."
    assert told in html.unescape(report(top))


@pytest.mark.slow
def test_the_report_prints_one_page_to_send_and_then_an_appendix_with_contents(
    services: Services, experiment: Experiment, chromium_path: str
) -> None:
    top = top_of(services, experiment)

    with pypdfium2.PdfDocument(to_pdf(report(top), named=chromium_path)) as printed:
        pages = [" ".join(page.get_textpage().get_text_range().split()) for page in printed]

    first, contents, *charts = pages
    for words in (
        advice.decision(top),
        sentences.finding(top),
        advice.next_steps(top)[0],
        sentences.how_sure(top),
        "11 pairs",
        "rose" if top.now else "no lasting change beyond chance",
    ):
        assert " ".join(words.split()) in first
    assert "Appendix" not in first
    assert contents.removeprefix(f"Invoices · page 2 of {len(pages)} ").startswith("Appendix")
    assert charts


def test_a_report_whose_writing_a_click_on_another_page_broke_off_is_saved_there(
    app: AppTest, services: Services, experiment: Experiment
) -> None:
    def waits_for(project_id: str, name: str) -> None:
        app.session_state[SessionKey.TO_WRITE] = (lambda: "<p>report</p>", name, project_id)
        open_page(app, "history", project=experiment.project)

    waits_for("another project", "another-report.html")
    assert SessionKey.TO_WRITE not in app.session_state
    assert not list(services.settings.home.rglob("another-report.html"))

    waits_for(experiment.project, "Invoices-report.html")

    assert SessionKey.TO_WRITE not in app.session_state
    (kept,) = services.settings.home.rglob("Invoices-report.html")
    assert kept.read_text() == "<p>report</p>"
