"""What the review page's data hold in each mode: before a blind review has answered, nothing of the judge's."""

import json
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from comparator.domain.project import ReviewMode
from comparator.store.people import projects
from comparator.ui.frame import session
from comparator.workflow.review.review import open_judge
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.app.conftest import compare, open_page
from tests.worlds.histories.winner_reviews import say


def data_of(app: AppTest) -> tuple[dict[str, Any], str]:
    """The sheet that the component was given, and all that any component on the page was given, as text."""
    given = {c.proto.component_name: c.proto.json for c in app.get("bidi_component")}
    code = "\n".join(block.value for block in app.text)
    return json.loads(given["comparator_review"])["sheet"], "\n".join((*given.values(), code))


def review_blind(services: Services, comparison_id: str) -> None:
    project_id = read_sheet(services.by(session.me().id), comparison_id).project_id
    with services.write() as unit:
        settings = projects.get(unit.connection, project_id).settings
        projects.save_settings(unit, project_id, settings.model_copy(update={"mode": ReviewMode.BLIND_FIRST}))


def test_nothing_of_the_judges_is_on_the_page_before_a_blind_review_has_answered(
    app: AppTest, services: Services, pair: tuple[Path, Path]
) -> None:
    # The page New leads on to the review and would begin it with the judge first.
    comparison_id = compare(app, pair, expectations="The report gives the total weight")
    me = session.me().id
    judged = read_sheet(services.by(me), comparison_id)
    words = [judged.judge.form, "stated confidence", "sha256 of prompt", "cost:"]
    assert judged.judge.form
    review_blind(services, comparison_id)

    sheet, page = data_of(open_page(app, "review", c=comparison_id))

    assert sheet["opened"] is False
    assert [text for text in words if text in page] == []
    assert sheet["judgment"] is None
    assert sheet["own"] == {}

    scores = [(f"score:{label}:{path}", 3) for path in judged.paths for label in "AB"]
    say(services, comparison_id, me, *scores)
    open_judge(services.by(me), comparison_id)

    sheet, page = data_of(open_page(app, "review", c=comparison_id))

    assert sheet["opened"] is True
    assert sheet["judge"]["form"] == judged.judge.form
    assert words[0] in page
