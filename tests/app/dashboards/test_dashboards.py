"""The dashboards: nothing of who leads before the reveal, and the answer in words after it."""

import io
import json
import re
from statistics import mean
from urllib.parse import parse_qsl, urlsplit

import pandas as pd
import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Winner
from comparator.domain.project import ChartNote
from comparator.domain.scoring.review import Blindness
from comparator.reporting.results.candidates import project_state
from comparator.reporting.why.pairs import Behind, pairs
from comparator.store import tables
from comparator.ui.dashboards import pairs_behind
from comparator.ui.frame.charts.chart import csv
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.services import Services
from tests.app.conftest import figures, open_numbers, open_page, plain, said, written
from tests.worlds.histories.experiment import EXPECTATIONS, REASON, WITH, WITHOUT, Experiment
from tests.worlds.histories.history import NEW, OLD, History, twenty_four
from tests.worlds.histories.pairs import World


def heads(app: AppTest) -> list[str]:
    return [plain(element.value) for element in (*app.header, *app.subheader)]


def words(app: AppTest) -> str:
    """Everything on the page that is text."""
    return plain(*heads(app), said(app), written(app), *(frame.value.to_csv() for frame in app.dataframe))


def place_of(app: AppTest, key: str) -> int:
    """Where a widget stands on the page, counted from above."""
    return next(place for place, each in app.main.children.items() if getattr(each, "key", None) == key)


def table(app: AppTest, column: str) -> pd.DataFrame:
    """The table that has this column."""
    (found,) = (frame.value for frame in app.dataframe if column in frame.value.columns)
    return found


def shown(app: AppTest, history: History, **address: str) -> AppTest:
    return open_page(app, "dashboards", project=history.project, **address)


def test_without_comparisons_the_page_says_what_will_stand_there(app: AppTest) -> None:
    open_page(app, "dashboards")

    assert heads(app) == ["No comparisons in this project yet"]
    assert app.button(key="dashboards_new").label == "New comparison"


def test_each_project_has_a_card_with_last_verdict_and_what_waits(app: AppTest, services: Services) -> None:
    told, blind = (World(services.database, services.blobs, project=name) for name in ("Invoices", "Blind"))
    experiment = Experiment(told, iterations=3, tasks_of=2).build()
    Experiment(blind, iterations=1, tasks_of=2, reviewed=False).build(reveal=False)

    open_page(app, "dashboards")

    assert {"Invoices", "Blind"} <= {each.label for each in app.button}
    assert "Results are hidden until the reveal" in words(app)
    assert "2 to review, 2 to reveal" in words(app)
    (badge,) = re.findall(r"(\w+)-badge\[:material/\w+: Too early to decide on [^\]]+\]", words(app))
    assert badge == "gray"
    (rate,) = app.metric
    assert plain(rate.label) == f"Win rate of {WITH}"
    # Of all iterations; of so few pairs a share would say too much.
    won = sum(each.winner > 0 for each in experiment.pairs)
    assert rate.value == f"{won} of 6"
    captions = {plain(each.value) for each in app.caption}
    assert not any("None" in each for each in captions)
    (drawn,) = app.get("plotly_chart")
    spec = json.loads(drawn.proto.spec)
    shares = [
        0.5 + sum(each.winner for each in experiment.pairs if each.iteration == n) / 4 for n in (1, 2, 3)
    ]
    assert spec["data"][0]["y"] == shares
    assert f"latest {shares[-1]:.0%}" in [each["text"] for each in spec["layout"]["annotations"]]
    assert 0.5 in [each["y0"] for each in spec["layout"]["shapes"]]

    app.button(key=f"card_open_{experiment.project}").click().run()

    assert app.selectbox(key="project").value == experiment.project


def test_before_the_reveal_progress_and_cost_are_there_but_no_leader(app: AppTest, history: History) -> None:
    history.review(history.pair(5, 3), 5, 3)
    history.pair(5, 3)

    shown(app, history)

    assert heads(app)[0] == "1 of 2 pairs reviewed, 2 judged"
    assert len(app.get("plotly_chart")) == 1
    told = words(app)
    assert "Results are hidden until the reveal" in app.main.markdown[0].value
    for name in (NEW, OLD, "Stated confidence", "flipped", "Mean difference", "Same winner"):
        assert name not in told


def test_one_act_reveals_some_sets_or_all_and_says_what_it_tells(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=2).build(
        reveal=False
    )
    open_page(app, "dashboards", project=experiment.project)
    first = app.multiselect(key="reveal_sets").options[0]
    assert len(app.multiselect(key="reveal_sets").options) == 3
    assert "who made which output of 6 pairs" in words(app)

    app.multiselect(key="reveal_sets").select(first).run()
    assert app.button(key="reveal_now").label == "Reveal 2 pairs"
    assert f"of 2 pairs: {first.lower()}." in words(app).lower()
    app.text_input(key="reveal_note").input("the first is enough").run()
    app.button(key="reveal_now").click().run()

    assert project_state(services.database, experiment.project).unrevealed == 4
    with services.database.read() as connection:
        reasons = connection.execute(sa.select(tables.reveal.c.reason)).scalars().all()
    assert reasons == ["the first is enough"]

    assert app.button(key="reveal_now").label == "Reveal 4 pairs"
    app.button(key="reveal_now").click().run()
    assert project_state(services.database, experiment.project).unrevealed == 0


def test_pairs_that_only_the_judge_read_can_be_revealed_by_the_lead(app: AppTest, history: History) -> None:
    history.pair(5, 3)
    shown(app, history)
    assert "they rest on the judge alone" in words(app)

    app.button(key="reveal_now").click().run()
    app.selectbox(key="verdicts").set_value("judge").run()

    assert heads(app)[0].startswith(f"{NEW} won 1")
    assert "Nobody has reviewed these pairs." in words(app)


def test_a_labelled_project_tells_how_its_judges_did_on_the_labels(app: AppTest, history: History) -> None:
    for _ in range(4):
        history.gold(history.pair(5, 3), Winner.A)

    for revealed in (False, True):
        if revealed:
            history.reveal()
        shown(app, history, part="Trust")
        app.session_state["trust_labelled"] = True
        app.run()
        titles = [each.value.replace("\\", "") for each in app.subheader]
        assert any("names the label" in title and "4 pairs" in title for title in titles)
        assert "Pairs that a judge did not get right in both orders" in titles


def test_a_bar_leads_to_the_pairs_behind_it(app: AppTest, history: History) -> None:
    history.review(history.pair(5, 3), 3, 5)
    history.review(history.pair(5, 3), 5, 3)
    history.reveal()
    shown(app, history, part="Trust")
    open_numbers(app, "same_winner")
    address = str(table(app, "Another winner")["Pairs: another winner"].iloc[-1])
    assert address.startswith("/dashboards?")

    open_page(app, "dashboards", **dict(parse_qsl(urlsplit(address).query)))

    assert list(table(app, f"{NEW} has")[f"{NEW} has"]) == ["lost"]
    assert "Judge and people (saw the judge, no test): another winner" in heads(app)
    assert f"{NEW} against {OLD}: 1 pair." in words(app)


def test_judge_and_graders_that_agree_by_chance_accuse_neither_and_the_file_has_all_pairs_of_the_list(
    app: AppTest, history: History, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairs_behind, "MOST", 11)
    # They agree no more than guessing would, but favour the other side.
    for graded in ((1.0, 0.5), (0.2, 1.0), (0.5, 0.5)) * 12:
        history.grade(history.pair(5, 3), *graded)
    history.reveal()

    shown(app, history, part="Trust")
    assert (
        "These verdicts and grading.json often differ: the same winner in 33% of 36 pairs; guessing gets 33%."
        in heads(app)
    )
    assert "“grading.json” names the verdict's winner in 33% of pairs; guessing gets 33%" in heads(app)
    assert "no more than chance would." in words(app)
    open_numbers(app, "grader_0")
    met = table(app, f"Grader: {OLD}")
    assert met[met.Verdict == f"Verdict: {NEW}"][f"Grader: {OLD}"].tolist() == [12]
    (address,) = met[met.Verdict == f"Verdict: {NEW}"][f"Pairs: Grader: {OLD}"].tolist()
    asked = Behind.model_validate_json(dict(parse_qsl(urlsplit(address).query))["behind"])
    assert len(pairs(services.database, history.project, asked.result, asked.part)) == 12
    app.button(key="read_disagreeing").click().run()

    assert f"{NEW} against {OLD}: 12 pairs, the first 11 of them here." in words(app)
    assert "of 12 rows; “Save as CSV” has all of them." in words(app)
    # Each run of this test's app is one of the whole page, so the dialog is opened with every click in it.
    app.button(key="csv_behind").click()
    app.button(key="read_disagreeing").click().run()
    (saved,) = (services.settings.home / "cache" / "downloads").glob("*/*/behind.csv")
    assert len(pd.read_csv(saved)) == 12

    open_page(app, "judge", project=history.project)
    assert "The judge agrees with grading.json in 33%, no more than guessing (33%)" in heads(app)
    (link,) = (link for link in app.get("page_link") if link.proto.label.startswith("Read"))
    open_page(app, "dashboards", **dict(parse_qsl(link.proto.query_string)))
    assert heads(app)[0] == "The judge and grading.json do not name the same winner"
    assert f"{NEW} against {OLD}: 24 pairs" in words(app)


def test_after_the_reveal_the_answer_stands_on_top_with_its_interval(app: AppTest, history: History) -> None:
    twenty_four(history)
    history.reveal()

    shown(app, history, verdicts="Judge only (not reviewed)")

    assert heads(app)[0] == f"{NEW} wins 67% of 24 pairs, which may be chance."
    assert "67\\%" in figures(app).values()
    assert app.button(key="card_open_overall").label.replace("\\", "") == (
        "48% to 81% · 24 pairs, 24 tasks; 4 ties counted as half"
    )
    told = words(app)
    assert "Nobody has reviewed these pairs. They rest on the judge alone." in told
    assert figures(app)["Expectations met"] == "75\\%"
    assert app.button(key="card_open_expectations").label.replace("\\", "") == f"42% by {OLD}"
    app.button(key="card_open_overall").click().run()
    behind = table(app, f"{NEW} has")[f"{NEW} has"]
    assert behind.value_counts().to_dict() == {"won": 14, "lost": 6, "tied": 4}
    app.button(key="card_open_lead").click().run()
    assert app.segmented_control(key="part").value == "why"
    open_numbers(app, "differences")
    assert table(app, "Mean difference")["Mean difference"].tolist() == [1.3333, 0.6667, 0.6667]


def test_the_decision_stands_before_the_next_step_which_leads_to_where_the_judge_is_tested(
    app: AppTest, history: History
) -> None:
    for number in range(24):
        history.task(f"Task {number}")
        history.pair(5, 3)
    history.reveal()

    shown(app, history)

    step = app.button(key="next_step_1")
    assert step.label.replace("\\", "").startswith("Next: To test the judge")
    step.click().run()
    assert [title.value for title in app.title] == ["Settings"]


def test_filters_in_the_address_say_whose_verdicts_count(app: AppTest, history: History) -> None:
    history.review(history.pair(5, 3), 3, 5, blindness=Blindness.KNOWN)
    history.pair(5, 3)
    history.reveal()

    shown(app, history)
    assert "won 1 pair and lost 1 against" in heads(app)[0]
    assert "Some reviews are not blind: they came after the reveal" in words(app)

    app.selectbox(key="verdicts").set_value("reviewed").run()
    assert heads(app)[0].startswith(f"{NEW} won 0 pairs and lost 1")
    assert "Some reviews are not blind: they came after the reveal" in words(app)

    app.selectbox(key="verdicts").set_value("blind").run()
    assert heads(app)[0] == f"None of 2 pairs of {NEW} and {OLD} is counted with these filters."
    assert (
        "1 pair reviewed, but this filter counts none of them. “All reviews” counts every review."
        in words(app)
    )


def test_a_name_cannot_become_markup_or_a_formula(app: AppTest, history: History) -> None:
    history.pair(5, 3, names=("=![x](http://example.org/x)", "<b>$a$</b>"))
    history.reveal()

    shown(app, history, verdicts="Judge only (not reviewed)")

    assert not [e for e in (*app.title, *app.header, *app.subheader, *app.caption) if "![x](" in str(e.value)]
    held = pd.read_csv(io.StringIO(csv([{"Task": "=1+1", "Mean": -0.5}])))
    assert held.iloc[0].tolist() == ["'=1+1", -0.5]


def test_why_where_and_over_time_stand_in_tabs(app: AppTest, services: Services) -> None:
    experiment = Experiment(World(services.database, services.blobs), iterations=3, tasks_of=12).build()
    for each in [pair for pair in experiment.pairs if pair.valid][:6]:
        experiment.grade(each, skill=0.75, without=0.5)

    open_page(app, "dashboards", project=experiment.project, scope="All", part="Why")
    open_numbers(app, "criteria", "expectations")
    led = table(app, "Mean lead")
    met = table(app, "Expectation")
    classes = [f"Only {WITH}", "Both", "Varies between runs", "Neither", f"Only {WITHOUT}"]
    every = met[[*classes, "Not assessed", "Not in the task"]].sum(axis=1)
    assert set(every) == {sum(each.valid for each in experiment.pairs)}
    assert (met["Both"] == met[classes].sum(axis=1)).sum() == 1
    assert (met[classes].sum(axis=1) > 0).all()
    counted_pairs = [each for each in experiment.pairs if each.valid]
    for at, text in enumerate(EXPECTATIONS):
        (row,) = (row for _, row in met.iterrows() if row["Expectation"] == text)
        shares = [mean(each.met[at][side] for each in counted_pairs) for side in (0, 1)]
        assert [row[f"Met by {name}"] for name in (WITH, WITHOUT)] == pytest.approx(shares, abs=0.0005)
        assert row["Difference"] == pytest.approx(shares[0] - shares[1], abs=0.0005)
    sums = led[[f"Led by {WITH}", "Even", f"Led by {WITHOUT}", "Not scored"]].sum(axis=1)
    assert set(sums) == {sum(each.valid for each in experiment.pairs)}
    open_page(app, "dashboards", project=experiment.project, scope="All", part="Trust")
    open_numbers(app, "reasons")
    reasons = table(app, "Reason")
    assert reasons["Reason"].tolist() == [REASON, "none given"]
    assert reasons["Pairs"].sum() == set(every).pop()
    assert set(reasons[["Pairs", "Other pairs"]].sum(axis=1)) == set(every)

    app.session_state["part"] = "trust"
    open_numbers(app, "grader_0")
    assert "(75% and 50% of expectations met)" in words(app)
    graders = table(app, f"Grader: {WITH}")
    assert graders[[f"Grader: {name}" for name in (WITH, "tie", WITHOUT)]].sum().tolist() == [6, 0, 0]

    app.session_state["part"] = "where"
    # Nothing differs by length: it is no choice, even where it was chosen before.
    app.session_state["by"] = "length"
    open_numbers(app, "where")
    # Iterations have a tab of their own.
    assert not {"Length", "Iteration"} & {*app.segmented_control(key="by").options}
    assert set(table(app, "Stands out")["Tag"]) == {"network", "billing"}
    app.button(key="narrow_to_where").click().run()
    assert app.button(key="chip_0").label.startswith("Tag")
    # What is compared by a property counts under all filters but those by this property.
    parts = table(app, "Stands out")
    assert set(parts["Tag"]) == {"network", "billing"}
    chosen = app.selectbox(key="dashboards_narrow")
    other = next(name for name in ("network", "billing") if name not in app.button(key="chip_0").label)
    chosen.set_value(other).run()
    app.button(key="narrow_to_where").click().run()
    assert app.button(key="chip_0").label.endswith(other)
    assert not [each for each in app.button if each.key == "chip_1"]
    app.button(key="narrow_to_why").click().run()
    assert app.segmented_control(key="part").value == "why"
    app.segmented_control(key="part").set_value("where").run()
    place = place_of(app, "part")
    app.button(key="chip_0").click().run()
    assert "within" not in app.query_params
    assert place_of(app, "part") == place, "the browser would build all that stands below anew"

    app.selectbox(key="counted").set_value("all").run()
    assert app.button(key="chip_runs").label == "All runs"
    app.button(key="chip_runs").click().run()
    assert app.selectbox(key="counted").value == "valid"
    assert not [each for each in app.button if each.key == "chip_runs"]

    change_settings(services, experiment.project, notes=(ChartNote(step="2", words="new prompt"),))
    app.segmented_control(key="part").set_value("time").run()
    assert "What changed in which iteration" in heads(app)
    assert "model-two after model-one; note: new prompt." in written(app)
    app.session_state["over_time_figures"] = True
    app.run()
    assert len(table(app, "Task")) == 12
    assert "12 rows; scroll for more" in words(app)

    app.segmented_control(key="part").set_value("cost").run()
    took = r"took \d\.\d+ times the tokens of .+ at first, \d\.\d+ in the latest iteration"
    assert re.search(took, " ".join(heads(app)))

    app.segmented_control(key="part").set_value("plan").run()
    # No plan was fixed, so nothing is said of what one decides.
    assert "No plan was written down before the results were seen" in words(app)
    assert "alone" not in words(app)
