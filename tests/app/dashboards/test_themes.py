"""Themes on the dashboards: each act by itself, the picture with its quotes, and editing."""

import json
import re
import time
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from comparator.api import analysing
from comparator.api.analysing import fix_list_text
from comparator.domain.labels import Label, Winner
from comparator.domain.themes import FindingSource, Speaker, StatedReason
from comparator.reporting.scope import Verdicts
from comparator.reporting.theme_picture import Subject, Subjects, theme_picture
from comparator.reporting.why.pairs import Behind, PairOutcome
from comparator.ui.dashboards.why.themes import changed_subjects
from comparator.ui.frame import session
from comparator.ui.frame.charts import PAIRS
from comparator.ui.frame.charts.chart import BEHIND
from comparator.workflow import themes
from comparator.workflow.services import Services
from tests.app.conftest import PATIENCE, open_numbers, open_page, plain, said, written
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.themed import PARTS, SOURCES, Kept, drafts, read_reasons


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackServer]:
    with LoopbackServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.base_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "any-key")
        monkeypatch.setenv("COMPARATOR_JUDGE", "auto")
        yield server


@pytest.fixture
def history(services: Services, kept_themes: Kept) -> History:
    return kept_themes.into(services.database, services.settings.home / "blobs")


def words(app: AppTest) -> str:
    return plain(*(each.value for each in app.subheader), written(app), said(app))


def done(app: AppTest, key: str) -> AppTest:
    """The page once the model has answered what was begun under this key."""
    until = time.monotonic() + PATIENCE
    while (writing := session.inquiring().look(key)) is not None and not writing.done:
        assert time.monotonic() < until
        time.sleep(0.05)
    return app.run()


def test_drafting_and_assigning_are_acts_with_their_cost_shown_first(
    app: AppTest, model: LoopbackServer, history: History
) -> None:
    open_page(app, "dashboards", project=history.project, part="Plan and report")
    assert "0 themes in the codebook" in words(app)
    assert "1 request to claude-sonnet-5-5, about" in words(app)
    assert not model.messages

    model.then(drafts())
    app.button(key="theme_draft").click().run()
    done(app, history.project)
    assert "2 themes in the codebook" in words(app)
    assert "4 requests to claude-sonnet-5-5, about" in words(app)
    assert len(model.messages) == 1

    app.button(key="theme_assign").click().run()
    done(app, history.project)
    assert len(model.messages) == 5
    open_page(app, "dashboards", project=history.project, part="Why")
    told = words(app)
    assert f"“{PARTS}” recurs most often: for {NEW} in 18 pairs, for the other in 4" in told
    assert "None of these: 25% of 96 findings." in told


def test_a_bar_leads_to_its_pairs_with_the_quote_marked(
    app: AppTest, model: LoopbackServer, services: Services, history: History
) -> None:
    model.then(drafts())
    read_reasons(services, history.project)
    open_page(app, "dashboards", project=history.project, part="Why")
    open_numbers(app, "themes")
    (table,) = (frame.value for frame in app.dataframe if "Test" in frame.value.columns)
    row = table[table["Theme"] == PARTS].iloc[0]
    assert (row[f"For {NEW}"], row["For both alike"], row[f"For {OLD}"]) == (18, 2, 4)
    assert row["Interval from"] < row[f"Share for {NEW}"] < row["Interval to"]
    # The new one wins all tasks but every third.
    assert (row["For the winner"], row["For the loser"]) == (13, 9)
    said_first = f"“{PARTS}” speaks for the winner in 13 of 22 decided pairs in which it speaks for one side."
    assert said_first in words(app)
    specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    assert any(each.get("name") == "for both alike" for spec in specs for each in spec["data"])

    link = str(row[f"Pairs: For {OLD}"])
    open_page(app, "dashboards", project=history.project, behind=parse_qs(urlsplit(link).query)["behind"][0])

    told = words(app)
    assert f"{NEW} against {OLD}: 4 pairs." in told
    assert f"of {OLD}, stated by the judge" in told
    assert "some :orange-background[parts] of task 20 are missing" in told


def edit_codebook(app: AppTest, **edits: object) -> AppTest:
    """Make these edits in the table, in the browser's form, and press Save."""
    app.button(key="codebook_save").click()
    states = app._tree.get_widget_states()
    table = states.widgets.add()
    (editor,) = app.data_editor
    table.id = editor.proto.id
    table.string_value = json.dumps({"edited_rows": {}, "added_rows": [], "deleted_rows": [], **edits})
    return app._run(states)


@pytest.mark.slow
def test_a_lead_renames_merges_and_deletes_in_the_table_of_the_codebook(
    app: AppTest, model: LoopbackServer, services: Services, history: History
) -> None:
    model.then(drafts())
    read_reasons(services, history.project)
    open_page(app, "dashboards", project=history.project, part="Plan and report")

    def counts() -> dict[str, tuple[int, int, int]]:
        found = theme_picture(services.database, history.asked(Verdicts.EITHER))
        assert found is not None
        return {each.theme.name: (each.won, each.tied, each.lost) for each in found.themes}

    (editor,) = app.data_editor
    at = {name: place for place, name in enumerate(editor.value["name"])}
    assert set(at) == {PARTS, SOURCES}
    edit_codebook(app, edited_rows={at[PARTS]: {"name": "Complete"}})
    assert counts() == {"Complete": (18, 2, 4), SOURCES: (0, 0, 12)}
    assert list(app.data_editor[0].value["kept"]) == [name == PARTS for name in at]

    edit_codebook(app, edited_rows={at[PARTS]: {"name": " "}})
    assert "A theme needs a name of 1 to 80 characters; this has 0." in words(app)
    assert "Complete" in counts()

    parts = app.data_editor[0].value.index[at[PARTS]]
    edit_codebook(app, edited_rows={at[SOURCES]: {"into": parts}})
    assert list(counts()) == ["Complete"]
    assert sum(counts()["Complete"]) == 24

    edit_codebook(app, deleted_rows=[0])
    assert not app.data_editor
    assert themes.codebook_of(services, history.project).themes == ()


def test_without_a_model_subjects_are_shown_by_side_not_as_reasons(app: AppTest, history: History) -> None:
    open_page(app, "dashboards", project=history.project, part="Plan and report")
    # Nobody can set a key on this page, so it says nothing of one.
    assert "Themes need a model" not in said(app)
    assert not any(button.key == "theme_draft" for button in app.button)

    open_page(app, "dashboards", project=history.project, part="Why")

    assert "+ strength, − weakness" in words(app)
    open_numbers(app, "subjects")
    (table,) = (frame.value for frame in app.dataframe if "Words" in frame.value.columns)
    assert "parts" in " ".join(table["Words"])
    # The title is true of the numbers under it.
    (said_of,) = re.finditer(
        r"“(.+?)…?”: said \w+ (.+) in (\d+) pairs?, \w+ (.+) in (\d+)$", words(app), re.MULTILINE
    )
    remark, often, many, seldom, few = said_of.groups()
    (row,) = (row for _, row in table.iterrows() if remark in row["Said"])
    assert (row[f"Of {often}"], row[f"Of {seldom}"]) == (int(many), int(few))
    assert int(many) >= int(few)
    assert (table[f"Of {NEW}"] + table[f"Of {OLD}"] >= table["Of the winner"]).all()
    for side in (f"Of {NEW}", f"Of {OLD}"):
        for pairs, link in table[[side, f"Pairs: {side}"]].dropna().itertuples(index=False):
            behind = Behind.model_validate_json(parse_qs(urlsplit(link).query)[BEHIND][0])
            assert len(behind.part.comparisons) == pairs > 0
    # The most typical remarks are quoted, and open their pair.
    quoted = app.button(key="typical_0")
    assert re.search(f"”: ({NEW}|{OLD}) in .+", plain(quoted.label))
    quoted.click().run()
    assert "The pairs behind" not in words(app)
    assert f"{NEW} against {OLD}: 1 pair." in words(app)


def test_what_to_change_stands_on_the_page_with_the_pairs_behind_it(
    app: AppTest, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_page(app, "dashboards", project=history.project, part="Plan and report")

    assert f"{NEW} won 16 of 24 pairs against {OLD}" in words(app)
    assert "the winner" not in words(app).lower()
    (listed,) = (frame.value for frame in app.dataframe if "What to change" in frame.value.columns)
    assert listed["Lost pairs"].max() <= 8
    # Of both sides, as Why counts; a pair that is lost is one in which the loser may be behind.
    assert (listed[f"{NEW} behind, all pairs"] >= listed["Lost pairs"]).all()
    assert listed[f"{OLD} behind, all pairs"].max() == 16
    for lost, link in listed[["Lost pairs", PAIRS]].itertuples(index=False):
        behind = Behind.model_validate_json(parse_qs(urlsplit(link).query)[BEHIND][0])
        assert len(behind.part.comparisons) == lost

    the_list = fix_list_text(
        session.services(), history.asked(Verdicts.EITHER), candidate=NEW, lost=PairOutcome.LOST
    )
    assert re.findall(r"flips (\d+|none)", the_list) == [
        str(flips or "none") for flips in listed["Would flip"]
    ]

    monkeypatch.setattr(analysing, "MOST", 5)
    app.segmented_control(key="fix").set_value("won").run()
    assert f"Of the 16 pairs that {OLD} lost, 5 were read, drawn by chance" in words(app)


def test_remarks_stand_by_iteration_only_where_one_of_them_changed_beyond_chance() -> None:
    steps = [str(number) for number in range(8)]
    both = {f"{step}-{number}": step for step in steps for number in range(5)}

    def said_of_one(in_step: Callable[[int, int], bool]) -> Subject:
        of_one = tuple(id for id in both if in_step(*map(int, id.split("-"))))
        example = StatedReason(
            comparison_id=of_one[0],
            label=Label.A,
            source=FindingSource.STRENGTH,
            speaker=Speaker.JUDGE,
            words="names it",
            speaks_for=Winner.A,
        )
        return Subject(words=("it",), of_one=of_one, of_two=(), of_winner=0, example=example)

    rises, stays = said_of_one(lambda step, _: step > 3), said_of_one(lambda _, number: number < 2)
    mentioned = Subjects(groups=(rises, stays), both=both, pairs=len(both))

    assert changed_subjects(mentioned, steps) == [rises]
    assert changed_subjects(mentioned.copy_with(groups=(stays,)), steps) == []
