"""The history: every comparison, filtered and searched, a page at a time, with its files."""

from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from comparator.interop.exported import ExportFormat
from comparator.store import tables
from comparator.ui.frame.state import SessionKey
from comparator.workflow.projects.settings import views_of
from comparator.workflow.services import Services
from tests.app.conftest import finalised, judged, listed, open_page, said
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World


def titles(app: AppTest) -> list[str]:
    return [row["title"] for row in listed(app)["rows"]]


def test_an_empty_history_offers_the_one_next_step(app: AppTest) -> None:
    open_page(app, "history")

    assert [element.value for element in app.subheader] == ["No comparisons yet"]


def test_every_comparison_stands_there_with_verdict_and_files_to_save(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    comparison_id = judged(pair)
    finalised(services, comparison_id)

    open_page(app, "history")

    (row,) = listed(app)["rows"]
    assert row["status"]["text"] == "done"
    assert row["by"] == "reviewer"
    assert [action["name"] for action in row["actions"]] == ["export"]
    assert "saxifrage" not in str(listed(app))


def test_a_winner_that_the_scores_do_not_give_is_said_to_be_chosen(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    comparison_id = judged(pair)
    finalised(services, comparison_id, winner="B")

    open_page(app, "history")

    (row,) = listed(app)["rows"]
    assert (row["winner"], row["scores"]) == ("B", {"A": "8.0", "B": "6.0"})
    assert row["by"] == "reviewer, against scores"


def test_search_and_filters_narrow_the_list(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    done = judged(pair, prompt="Report on apples.")
    judged(pair, prompt="Report on pears.")
    finalised(services, done)
    open_page(app, "history")
    assert len(titles(app)) == 2
    # A screen reader says each label as it stands there, with what escapes it.
    assert not [
        each.label for each in (*app.selectbox, *app.number_input, *app.date_input) if "\\" in each.label
    ]

    app.text_input(key="q").set_value("pears").run()
    assert titles(app) == ["Report on pears."]

    app.text_input(key="q").set_value("").run()
    app.selectbox(key="status").set_value("finalised").run()
    assert titles(app) == ["Report on apples."]

    app.selectbox(key="judge").set_value("anthropic").run()
    assert "No comparisons match these filters." in said(app)


def test_days_in_the_address_narrow_the_list_and_the_last_one_counts_whole(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    judged(pair, prompt="Report on apples.")
    today, day = services.now().date(), timedelta(days=1)

    for since, until, found in (
        (today, today, True),
        (today - day, today + day, True),
        (today + day, today + day, False),
        (today - day, today - day, False),
    ):
        open_page(app, "history", since=since.isoformat(), until=until.isoformat())
        assert ("No comparisons match these filters." not in said(app)) is found, (since, until)


def test_the_way_back_from_a_pair_leads_to_what_was_looked_at(app: AppTest, pair: tuple[Path, Path]) -> None:
    judged(pair, prompt="Report on apples.")
    other = judged(pair, prompt="Report on pears.")
    # As the browser comes back: the pair's id stands where the search stood.
    app.session_state[SessionKey.LEFT] = {"q": "apples"}
    open_page(app, "history", c=other)

    assert app.text_input(key="q").value == "apples"
    assert titles(app) == ["Report on apples."]
    assert "c" not in app.query_params


def test_what_is_listed_is_exported_from_a_dialog_that_says_whose_verdicts_it_holds(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    done = judged(pair, prompt="Report on apples.")
    judged(pair, prompt="Report on pears.")
    finalised(services, done)
    open_page(app, "history")
    app.text_input(key="q").set_value("apples").run()

    app.button(key="export").click().run()
    assert "1 comparison in the list" in said(app)
    # Each run of this test's app is one of the whole page, so the dialog is opened with every click in it.
    app.selectbox(key="export_format").select(ExportFormat.CSV)
    app.button(key="export_write").click()
    app.button(key="export").click().run()

    assert "1 comparison written. Verdicts: 1 reviewed." in said(app)
    (saved,) = (services.settings.home / "cache" / "downloads").glob("*/*/*.csv")
    assert done in saved.read_text(encoding="utf-8")
    assert not app.exception


def test_a_view_is_saved_under_a_name_for_everybody(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=2, tasks_of=2).build()
    open_page(app, "history", project=experiment.project, metric="Tokens")

    app.text_input(key="view_name").set_value("Tokens")
    next(each for each in app.button if each.label == "Save this view").click().run()

    (view,) = views_of(services, experiment.project)
    assert (view.name, view.address) == ("Tokens", "metric=Tokens")
    assert not app.exception
    app.button(key=f"remove_{view.name}").click().run()
    assert views_of(services, experiment.project) == ()


def test_the_picture_stands_above_the_list_and_says_what_is_missing(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=2).build(
        reveal=False
    )
    open_page(app, "history", project=experiment.project)
    assert "Candidates are compared here once they are judged and revealed." in said(app)
    with services.database.read() as connection:
        finals = connection.execute(
            sa.select(tables.finalisation.c.at, tables.finalisation.c.winner).where(
                tables.finalisation.c.kind == "final"
            )
        ).all()
    # All on one day: a single bar would say less than the sentence.
    (day,) = {row.at.date().isoformat() for row in finals}
    a, ties, b = (sum(row.winner == winner for row in finals) for winner in ("A", "TIE", "B"))
    assert f"{day}: {a} A wins, {ties} tie, {b} B wins." in said(app)
    assert not app.get("plotly_chart")

    experiment.reveal()
    open_page(app, "history", project=experiment.project)
    assert [chart.key for chart in app.get("plotly_chart")] == ["chart_picture_0"]
    assert "Share of pairs won" in said(app)

    app.selectbox(key="metric").set_value("cost").run()
    assert "These runs do not say what they cost." in said(app)
