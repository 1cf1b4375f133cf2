"""The page Review around its component: the task, what came of the judge, and what a final review offers."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from comparator.ui.frame import safe, session
from comparator.ui.review import parts
from comparator.web.review.commands import Command, CommandName, Reply, carry_out
from comparator.workflow.projects.reveal import reveal
from comparator.workflow.review.sheet import Sheet
from comparator.workflow.services import Services
from tests.app.conftest import PROMPT, compare, finalised, open_page, said


@pytest.fixture
def comparison(app: AppTest, pair: tuple[Path, Path]) -> str:
    """A judged comparison of its own."""
    return compare(app, pair, expectations="The report gives the total weight")


def written(app: AppTest) -> str:
    """The paragraphs of the page, without the marks that keep them from being Markdown."""
    return "\n".join(element.value for element in app.markdown).replace("\\", "").replace(safe.JOINER, "")


def open_review(app: AppTest, comparison_id: str) -> AppTest:
    return open_page(app, "review", c=comparison_id)


def test_without_a_comparison_in_the_address_the_page_says_where_to_find_one(app: AppTest) -> None:
    open_page(app, "review")
    assert "Choose one from the queue" in said(app)


def test_an_unknown_comparison_is_a_sentence_and_no_trace(app: AppTest) -> None:
    open_review(app, "no-such-comparison")
    assert "no such comparison" in said(app)
    assert not app.exception


def test_task_and_expectations_stand_above_the_outputs(app: AppTest, comparison: str) -> None:
    open_review(app, comparison)
    assert not app.exception
    assert PROMPT in [block.value for block in app.text]
    assert "The report gives the total weight" in written(app)


def test_nothing_on_the_page_names_a_candidate_before_the_reveal(app: AppTest, comparison: str) -> None:
    open_review(app, comparison)
    page = f"{said(app)} {written(app)} {[block.value for block in app.text]}"
    assert "quillwort" not in page
    assert "saxifrage" not in page


def press(services: Services, comparison_id: str, name: CommandName, text: str = "") -> Reply:
    """Press a button of the bar."""
    command = Command(id=f"press-{name}", name=name, text=text)
    return carry_out(services.by(session.me().id), comparison_id, command, scope=None)


def given(app: AppTest, comparison_id: str) -> dict[str, Any]:
    """What the component is given when the page is opened."""
    components = open_review(app, comparison_id).get("bidi_component")
    (data,) = [c.proto.json for c in components if c.proto.component_name == "comparator_review"]
    found: dict[str, Any] = json.loads(data)
    return found


def test_a_lone_comparison_is_revealed_on_request_and_the_component_names_its_candidates(
    app: AppTest, services: Services, comparison: str
) -> None:
    before = given(app, comparison)
    assert (before["together"], before["names"]) == (0, None)
    finalised(services, comparison)
    assert given(app, comparison)["together"] == 1

    press(services, comparison, CommandName.REVEAL)

    after = given(app, comparison)
    assert after["together"] == 0
    assert set(after["names"].values()) == {"quillwort-31", "saxifrage-32"}


def test_the_browser_gets_no_more_of_the_comparison_than_the_sheet_shows(
    app: AppTest, comparison: str
) -> None:
    sheet = given(app, comparison)["sheet"]

    told_as_findings = {"superseded", "cut_off", "view_notes", "aside_of_both", "void", "may_reveal"}
    assert set(Sheet.model_fields) - sheet.keys() == {"files", "set_aside", "prompt", *told_as_findings}
    assert sheet.keys() - set(Sheet.model_fields) == {"findings"}


def test_no_script_of_the_review_makes_markup_from_text(repository: Path) -> None:
    scripts = list((repository / "comparator/ui/review/src").rglob("*.js"))
    text = "".join(path.read_text(encoding="utf-8") for path in scripts).lower()

    assert len(scripts) > 10
    for markup in ("innerhtml", "outerhtml", "insertadjacenthtml", "document.write", "eval(", "new function"):
        assert markup not in text


def test_no_component_is_sent_a_name_before_the_reveal(
    app: AppTest, services: Services, comparison: str
) -> None:
    finalised(services, comparison)
    sent = [component.proto.json for component in open_review(app, comparison).get("bidi_component")]
    assert '"names": null' in "".join(sent)
    assert not any(name in data for data in sent for name in ("quillwort", "saxifrage"))

    reveal(services.by(session.me().id), comparison)

    told = [
        json.loads(each.proto.json)
        for each in open_review(app, comparison).get("bidi_component")
        if each.proto.json
    ]
    names = [data["names"] for data in told if "names" in data]
    assert len(names) == 1
    assert set(names[0].values()) == {"quillwort-31", "saxifrage-32"}
    (about,) = [block.value for block in app.text if block.value.startswith("judge: ")]
    for label, name in names[0].items():
        assert f"sha256 of output {name} ({label}) as seen: " in about


def test_the_page_opens_the_pair_that_the_component_leads_to(
    app: AppTest, comparison: str, pair: tuple[Path, Path]
) -> None:
    other = compare(app, pair)
    open_review(app, comparison)
    app.session_state[parts.KEY] = {"event": {"name": "next", "to": other, "at": 1}}
    app.run()

    assert app.query_params["c"] in (other, [other])
