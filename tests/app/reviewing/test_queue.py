"""The queue: figures, one button to begin, the list, and what an empty queue says."""

import asyncio
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.project import ReviewMode
from comparator.domain.rights import Act
from comparator.jobs import start_batches
from comparator.reporting.history.listing import all_projects
from comparator.store import tables
from comparator.store.bulk.batches import BatchRequest
from comparator.store.pairs.comparison_list import ListOrder
from comparator.store.reviewing.notes import NoteKind
from comparator.ui.frame import session
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import import_path
from comparator.workflow.judging.pair_reader import judge_comparison
from comparator.workflow.people.people import local_person
from comparator.workflow.projects.reveal import reveal
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review.review import answer
from comparator.workflow.services import Services
from tests.app.conftest import PROMPT, finalised, judged, listed, open_page, said
from tests.loopback.bulk import seed
from tests.worlds.files.import_files import folder_eval


def test_an_empty_queue_offers_the_one_next_step(app: AppTest) -> None:
    app.run()

    assert [element.value for element in app.subheader] == ["Nothing to review yet"]
    app.button(key="queue_new").click().run()
    assert [element.value for element in app.title] == ["New comparison"]


def test_the_list_shows_neither_winner_nor_scores_nor_candidates_and_why_fewer_pairs_wait(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    skipped = judged(pair)
    judged(pair, prompt=f"{PROMPT} In Dutch.")
    answer(services.by(local_person(services).id), skipped, NoteKind.SKIP, reason="No time.")

    open_page(app, "queue")

    assert [element.value for element in app.subheader] == ["1 pair to review"]
    assert "Not counted: 1 pair that you skipped or cannot judge." in said(app)
    data = listed(app)
    assert [column["name"] for column in data["columns"]] == ["title", "time"]
    assert "Next, the oldest: " in said(app)
    for row in data["rows"]:
        assert row["href"] == f"review?c={row['id']}"
        assert (row["winner"], row["scores"], row["by"]) == (None, None, "")
        assert "Markdown" in row["about"]
        flags = [flag["text"] for flag in row["flags"]]
        assert ("skipped" in flags) is (row["id"] == skipped)
    assert "quillwort" not in str(data)
    assert "saxifrage" not in str(data)


def imported(services: Services, folder: Path, without_skill: str) -> None:
    """One pair of a workspace, judged."""
    home = folder / "hill-walker-workspace/iteration-1"
    sides = {"with_skill": {"list.md": "# List"}, "without_skill": {"list.md": without_skill}}
    folder_eval(home, "packing", id=1, outputs=sides)
    request = ImportRequest(path=home.parent, project="Hills")
    made = import_path(services, request, on_step=lambda _: None).comparisons
    for pair in made:
        asyncio.run(judge_comparison(services, services.judge(), pair))


def test_pairs_with_a_void_run_are_put_to_nobody(app: AppTest, services: Services, tmp_path: Path) -> None:
    imported(services, tmp_path, "Error: could not read the skill.")

    open_page(app, "queue")
    assert "The pairs that are left have an unusable output." in said(app)
    assert [row["problem"][1:] for row in listed(app)["rows"]] == [": no output, or only an error."]
    assert not [each for each in app.button if each.key == "queue_start"]
    assert not app.exception


def test_pairs_of_several_projects_stand_together_by_project(
    app: AppTest, pair: tuple[Path, Path], services: Services, tmp_path: Path
) -> None:
    judged(pair)
    judged(pair, prompt=f"{PROMPT} In Dutch.")
    imported(services, tmp_path, "A list")
    (own,) = {each.name for each in all_projects(services.database)} - {"Hills"}

    open_page(app, "queue")
    rows = listed(app)["rows"]
    # The oldest first, as the pair that comes next is the oldest.
    assert [row["group"] for row in rows] == [own, own, "Hills"]
    assert f"Next, the oldest: {rows[0]['title'][:40]}" in said(app)
    assert not any("Hills" in str(row["about"]) for row in rows)


def test_a_revealed_pair_waits_for_nobody_and_the_queue_leads_on_to_the_results(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    waits = judged(pair)
    judged(pair, prompt=f"{PROMPT} In Dutch.")
    finalised(services, waits)
    (project,) = all_projects(services.database)
    me = services.by(local_person(services).id)
    change_settings(me, project.id, reviews_needed=2)
    reveal(me, waits)

    open_page(app, "queue")

    assert [element.value for element in app.subheader] == ["Nothing left to review"]
    assert not [each for each in app.button if each.key == "queue_start"]
    assert "Not counted: 2 pairs of revealed sets, where a review would not be blind." in said(app)
    assert "The dashboards show which candidate is better" in said(app)
    app.button(key="queue_results").click().run()
    assert [element.value for element in app.title] == ["Dashboards"]


def test_the_list_is_sorted_by_closeness_and_doubt_without_showing_who_leads(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    asked = {
        judged(pair, prompt=f"{PROMPT} {name}"): {
            "overall_a": a,
            "overall_b": 6.0,
            "stated_confidence": sure,
            "judge_winner": "A",
        }
        for name, a, sure in (("One.", 9.0, 80), ("Two.", 6.5, 95), ("Three.", 4.0, 55))
    }
    first, second, third = asked
    with services.database.write() as connection:
        for id, values in asked.items():
            connection.execute(tables.fact.update().where(tables.fact.c.comparison_id == id).values(values))

    def order() -> list[str]:
        return [row["id"] for row in listed(app)["rows"]]

    open_page(app, "queue")
    assert order() == [first, second, third]
    before = sorted(map(str, listed(app)["rows"]))
    assert all("judged" in row["note"] for row in listed(app)["rows"])
    app.selectbox(key="queue_order").set_value(ListOrder.CLOSEST).run()
    assert order() == [second, third, first]
    app.selectbox(key="queue_order").set_value(ListOrder.LEAST_SURE).run()
    assert order() == [third, first, second]
    assert sorted(map(str, listed(app)["rows"])) == before

    # Whoever scores first learns nothing of what the judge said, not even where it was unsure.
    (project,) = all_projects(services.database)
    change_settings(services.by(session.me().id), project.id, mode=ReviewMode.BLIND_FIRST)
    app.run()
    assert order() == []
    assert "Left out: 3 pairs that you score before you see what the judge said." in said(app)
    app.selectbox(key="queue_order").set_value(ListOrder.OLDEST).run()
    assert order() == [first, second, third]
    assert all(row["note"].endswith("judged") and not row["flags"] for row in listed(app)["rows"])


def test_a_failed_pair_says_why_to_whoever_may_have_it_judged_and_to_others_once_they_have_scored(
    app: AppTest, pair: tuple[Path, Path], services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = judged(pair)
    (project,) = all_projects(services.database)
    change_settings(services.by(session.me().id), project.id, mode=ReviewMode.BLIND_FIRST)
    failed = {"status": "failed", "problem": "The server does not answer."}
    with services.database.write() as connection:
        connection.execute(tables.fact.update().where(tables.fact.c.comparison_id == id).values(failed))

    open_page(app, "queue")
    (row,) = listed(app)["rows"]
    assert row["problem"] == "The server does not answer."

    may = session.may_somewhere
    monkeypatch.setattr(session, "may_somewhere", lambda act: act is not Act.JUDGE and may(act))
    open_page(app, "queue")
    (row,) = listed(app)["rows"]
    assert row["problem"].startswith("Score it without the judge")
    assert "does not answer" not in str(row)


def test_what_waits_for_the_judge_says_how_much_is_in_a_batch(app: AppTest, services: Services) -> None:
    made = seed(services, pairs=3)
    two = made.comparison_ids[:2]
    batch = BatchRequest(project_id=made.project_id, comparisons=two, judge="offline")
    start_batches.start(services, batch)
    with services.database.write() as connection:
        connection.execute(tables.fact.update().values(status="to_judge"))

    open_page(app, "queue")

    assert "2 of 3 are in a batch that has not ended." in said(app)
