"""The page New: from two folders to a judged comparison, and every way in which an output cannot be used."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Label
from comparator.domain.project import ReviewMode
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryRow, all_projects, history
from comparator.store import tables
from comparator.store.judging import rubrics
from comparator.store.pairs import keys, runs
from comparator.store.people import projects
from comparator.ui.frame import safe, session
from comparator.ui.review.parts import TITLE_LENGTH
from comparator.web.media.files import StoredMedia
from comparator.workflow.projects.settings import project_settings
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.app.conftest import GOOD, POOR, PROMPT, by_path, compare, edit, fill, open_page, plain, said
from tests.worlds.process import wait_until

EXPECTATIONS = "The report gives the total weight of 420 kg\nThe report has a table"


def rows(services: Services) -> Sequence[HistoryRow]:
    return history(services.database, HistoryFilter()).rows


def test_chance_decides_which_output_is_a(app: AppTest, pair: tuple[Path, Path], services: Services) -> None:
    sizes = []
    for heads in (True, False):
        object.__setattr__(session.services(), "coin", lambda heads=heads: heads)
        comparison_id = compare(app, pair, prompt=f"{PROMPT} Heads: {heads}.")
        sheet = read_sheet(services.by(session.me().id), comparison_id)
        sizes.append([file.size for file in sheet.files if file.label is Label.A])

    assert sizes == [[len(POOR)], [len(GOOD)]]


def test_nothing_can_be_judged_before_task_and_outputs_are_there_and_can_be_read(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    open_page(app, "new")
    assert lacking(app) == ["Output missing", "Output missing", "Prompt missing"]

    by_path(app)
    app.text_input(key="new_first_path").set_value(str(pair[0])).run()
    assert lacking(app) == ["Output missing", "Prompt missing"]

    app.text_input(key="new_second_path").set_value(str(pair[1])).run()
    assert lacking(app) == ["Prompt missing"]

    pair[1].with_name("empty").mkdir()
    pair[1].with_name("dangling").symlink_to("nowhere")
    for name, sentence in (
        ("missing", "no file or folder"),
        ("empty", "is empty"),
        ("dangling", "no file or"),
    ):
        app.text_input(key="new_first_path").set_value(str(pair[1].with_name(name))).run()
        (error,) = app.error
        assert sentence in error.value
        assert lacking(app) == ["Prompt missing"]
    assert not rows(services)


def lacking(app: AppTest) -> list[str]:
    """What the page says is missing once somebody wants the pair judged."""
    app.button(key="new_judge_now").click().run()
    said_at_fields = (re.search(r"\w+ missing", plain(each.value)) for each in app.markdown)
    return [match[0] for match in said_at_fields if match]


def test_two_pasted_texts_and_a_prompt_are_enough(app: AppTest, services: Services) -> None:
    open_page(app, "new")
    app.text_area(key="new_first_pasted").set_value(GOOD)
    app.text_area(key="new_second_pasted").set_value(POOR)
    app.text_area(key="new_prompt").set_value(PROMPT).run()

    app.button(key="new_judge_now").click().run()

    (row,) = rows(services)
    sheet = read_sheet(services.by(session.me().id), row.line.id)
    assert {(file.name, file.size) for file in sheet.files} == {
        ("answer.md", len(text.encode())) for text in (GOOD, POOR)
    }
    with services.database.read() as connection:
        key = keys.read(connection, row.line.id)
        makers = {runs.get(connection, id).candidate_id for id in (key.run_a, key.run_b)}
    assert len(makers) == 2
    assert not app.exception


def test_names_that_tell_are_redacted_and_what_tells_of_the_run_is_set_aside_or_taken_back(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    for folder in pair:
        (folder / "report.md").write_text(
            f"# By saxifrage-32\n\nThe total weight is 420 kg.\n{folder.parent.name}"
        )
        (folder / "transcript.md").write_text("I used a tool.\n")
    fill(app, pair)
    (table,) = [each.value for each in app.dataframe if "Keep word" in each.value]
    found = dict(zip(table["Word"], table["Found"], strict=True))
    assert "first 1, second 2" in found["saxifrage-32"]
    (table,) = [each.value for each in app.dataframe if "Judge after all" in each.value]
    assert "transcript.md" in set(table["File"])

    edit(app, "new_taken_back", {0: {"Judge after all": True}})
    comparison_id = compare(app, pair)

    sheet = read_sheet(services.by(session.me().id), comparison_id)
    assert not sheet.set_aside.A
    assert sum(file.label is Label.A for file in sheet.files) == 2
    media = StoredMedia(services)
    copies = [copy for file in sheet.files if (copy := media.file(file.id))]
    assert len(copies) == len(sheet.files)
    # All that judge and reviewer are shown of both outputs.
    shown = "".join(media.blob(copy.blob).decode() for copy in copies)
    assert not [word for word in ("saxifrage", "quillwort", "redacted") if word in shown]


def test_the_rubric_is_read_and_edited_before_the_judge_scores_and_again_for_a_later_pair_of_its_task(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    for sentence, begins in (("It names the 500 kg.", ""), ("It names 510 kg.", "It names the 500 kg.")):
        (pair[1] / "report.md").write_text(f"Another output, before {sentence}\n")
        fill(app, pair)
        app.button(key="new_write_rubric").click().run()
        wait_until(lambda: bool(app.run().data_editor))
        assert [len(editor.value) for editor in app.data_editor] == [6]
        assert app.text_input(key="new_rubric_right_answer").value == begins
        app.text_input(key="new_rubric_right_answer").input(sentence).run()
        app.button(key="new_judge_now").click().run()
        assert not app.error

    with services.database.read() as connection:
        ids = connection.execute(sa.select(tables.rubric.c.id)).scalars().all()
        every = [rubrics.get(connection, id) for id in ids]
    by_people = sorted(
        (each.number, each.rubric.right_answer) for each in every if each.author_kind == "person"
    )
    assert [answer for _, answer in by_people] == ["It names the 500 kg.", "It names 510 kg."]


def test_a_new_project_is_made_for_the_comparison(
    app: AppTest, pair: tuple[Path, Path], services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPARATOR_JUDGE", "auto")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key")
    session.services.release()

    def begin() -> None:
        # The test harness cannot type an option that is not in the list.
        app.run()
        app.session_state["new_project_"] = "Harvest 2026"
        open_page(app, "new")
        app.text_area(key="new_prompt").set_value(PROMPT).run()

    begin()
    app.text_input(key="new_title").set_value("North and south")
    by_path(app)
    app.text_input(key="new_first_path").set_value(str(pair[0]))
    app.text_input(key="new_second_path").set_value(str(pair[1])).run()
    app.segmented_control(key="new_blind").set_value(True).run()
    assert app.button(key="new_judge_now").label == "Judge and review"
    app.selectbox(key="new_judge").select("Offline check").run()

    app.button(key="new_judge_now").click().run()

    (row,) = rows(services)
    assert row.line.project_name == "Harvest 2026"
    assert row.line.title == "North and south"
    (project,) = all_projects(services.database)
    assert project.name == "Harvest 2026"
    assert project_settings(services, project.id).mode is ReviewMode.BLIND_FIRST
    # Its settings are its own from here on.
    begin()
    assert not any(each.key == "new_blind" for each in app.segmented_control)


def test_two_folders_are_opened_for_review_and_not_compared_twice(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    first = compare(app, pair, expectations=EXPECTATIONS)
    assert [s.value for s in app.subheader] == [safe.text(safe.beginning(PROMPT, TITLE_LENGTH))]
    assert compare(app, pair, expectations=EXPECTATIONS) == first

    (row,) = rows(services)
    assert (row.line.status.value, row.line.judge_kind) == ("to_review", "offline")
    assert (row.line.winner, row.line.form) == (None, "no difference")
    assert not app.exception


def test_what_judging_costs_stands_beside_its_button_from_the_start(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPARATOR_JUDGE", "auto")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "any-key")
    session.services.release()

    open_page(app, "new")

    assert re.search(r"At least 0\.\d+ USD: [\w-]+ reads the pair once in each order\.", said(app))


def test_a_judge_without_a_key_says_what_to_set(
    app: AppTest, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPARATOR_JUDGE", "anthropic")
    session.services.release()
    fill(app, pair)

    assert any("ANTHROPIC" in error.value for error in app.error)
    app.button(key="new_judge_now").click().run()
    assert any("Choose a judge that can be used" in plain(each.value) for each in app.markdown)


def test_the_pair_goes_into_the_project_that_is_looked_at_at_first(app: AppTest, services: Services) -> None:
    with services.write() as unit:
        looked_at = projects.ensure_project(unit, "Harvest").id
        projects.ensure_project(unit, "Winter")
    open_page(app, "new")
    app.selectbox(key="new_project_").select("Winter").run()

    open_page(app, "new", project=looked_at)

    assert app.selectbox(key=f"new_project_{looked_at}").value == "Harvest"


def test_foreign_text_is_shown_literally(app: AppTest, pair: tuple[Path, Path]) -> None:
    (pair[0] / "![x](http:example.org).md").write_text("# x")
    (pair[0] / "report.md").unlink()

    fill(app, pair)

    assert "![x](" in said(app)
    assert not [caption for caption in app.caption if "![x](" in caption.value]
    # And nothing of it is lost by whoever leaves the page and comes back.
    open_page(app, "history")
    open_page(app, "new")
    assert app.text_area(key="new_prompt").value == PROMPT
    assert app.text_input(key="new_first_path").value == str(pair[0])
