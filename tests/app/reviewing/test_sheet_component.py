import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.scoring.verdict import DecidedBy
from comparator.workflow.review.sheet import Sheet
from tests.app.conftest import PATIENCE


def page() -> None:
    import streamlit as st

    from comparator.bootstrap import load_settings
    from comparator.ui.components.sheet.component import Reply, pressed, score_sheet
    from tests.worlds.histories.sheet import SheetWorld

    world = SheetWorld(load_settings().home)
    sheet = world.sheet(world.pair("plain"))
    world.close()
    score_sheet(sheet, key="sheet", owner="p1", reply=Reply(note="Flagged."))
    st.text(f"command: {pressed(sheet.comparison_id, key='sheet')}")


@pytest.fixture
def sheet_page(home: Path) -> AppTest:
    return AppTest.from_function(page, default_timeout=PATIENCE)


def shown(app: AppTest) -> dict[str, Any]:
    (component,) = app.get("bidi_component")
    data: dict[str, Any] = json.loads(component.proto.json)
    return data


def test_the_sheet_gets_its_data_and_nothing_has_been_sent_yet(sheet_page: AppTest) -> None:
    app = sheet_page.run()

    assert not app.exception
    assert app.text[0].value == "command: None"
    data = shown(app)
    assert (data["owner"], data["note"], data["handled"]) == ("p1", "Flagged.", [])
    assert data["sheet"]["judgment"]["assessments"]["A"]["scores"]["content.completeness"] == "4.5"


def test_the_browser_gets_no_more_of_the_comparison_than_the_sheet_shows(sheet_page: AppTest) -> None:
    sheet = shown(sheet_page.run())["sheet"]

    assert set(Sheet.model_fields) - sheet.keys() == {"files", "set_aside", "prompt"}


def test_the_sheet_carries_its_script_and_style_inline(sheet_page: AppTest) -> None:
    (component,) = sheet_page.run().get("bidi_component")

    assert " as default}" in component.proto.js_content
    assert "--bc-a-mark" in component.proto.css_content
    assert component.proto.isolate_styles


def test_the_rules_that_decide_are_called_on_the_sheet_as_everywhere(sheet_page: AppTest) -> None:
    rules = shown(sheet_page.run())["rules"]

    assert rules == {rule.value: rule.in_words for rule in DecidedBy}


def test_no_script_of_the_sheet_makes_markup_from_text(sheet_page: AppTest) -> None:
    (component,) = sheet_page.run().get("bidi_component")

    for markup in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert markup not in component.proto.js_content
