"""The tabs of the page Judge: confidence that becomes a probability, guidance, and named judges."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.project import ReviewMode
from comparator.domain.scoring.review import ChangeKind
from comparator.reporting.trust.confidence import calibrated
from comparator.stats.figures import TooFew
from comparator.ui.frame import session
from comparator.workflow.services import Services
from tests.app.conftest import figures, open_page, said
from tests.worlds.history import History
from tests.worlds.pairs import World

SAID = (("score:A:content.correctness", ChangeKind.SET),)


@pytest.fixture
def history(services: Services) -> History:
    return History(World(services.database, services.blobs))


def test_confidence_is_a_probability_from_fifty_blind_reviews_on(app: AppTest, history: History) -> None:
    for number in range(49):
        history.task(f"Task {number}")
        right = number % 4 != 0
        history.review(
            history.pair(5, 3), *((5, 3) if right else (3, 5)), mode=ReviewMode.BLIND_FIRST, said=SAID
        )
    history.review(history.pair(5, 3), 5, 3, said=SAID)

    (before,) = calibrated(history.world.database, history.project)
    assert before.calibration == TooFew(n=49, needed=50)

    history.review(history.pair(5, 3), 5, 3, mode=ReviewMode.BLIND_FIRST, said=SAID)
    open_page(app, "judge", project=history.project, tab="confidence")
    (table,) = (frame.value for frame in app.dataframe if "Probability" in frame.value.columns)
    row = table[table["Stated confidence (%)"] == 80].iloc[0]
    assert (row["Named the same winner"], row["Blind reviews"]) == (37, 50)
    assert row["Probability"] == "74%"
    assert "Platt scaling" in said(app)


def test_guidance_begins_with_a_split_that_needs_corrections(app: AppTest, history: History) -> None:
    history.pair(5, 3)

    open_page(app, "judge", project=history.project, tab="guidance")
    assert [each.value for each in app.subheader] == ["This project has no guidance yet"]

    app.button(key="guidance_split").click().run()
    (error,) = app.error
    assert error.value.replace("\\", "") == (
        "People have corrected 0 of the judge's values in this project; 10 are needed before guidance can be learnt. "
        "Review more pairs first."
    )


def test_named_judges_are_listed_and_no_key_is_shown(
    app: AppTest, history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "judges.toml"
    file.write_text(
        '[judges.site]\nmodel = "qwen"\nserver = "http://10.0.0.5:8080"\nkey = "SITE_KEY"\n', encoding="utf-8"
    )
    monkeypatch.setenv("COMPARATOR_JUDGES", str(file))
    monkeypatch.setenv("SITE_KEY", "a-secret-of-the-site")
    session.services.release()
    history.pair(5, 3)

    open_page(app, "judge", project=history.project, tab="judges")

    (table,) = (frame.value for frame in app.dataframe if "Key from" in frame.value.columns)
    assert table.iloc[0].tolist()[:4] == ["site", "qwen", "http://10.0.0.5:8080", "SITE_KEY"]
    assert "a-secret-of-the-site" not in said(app) + table.to_csv()
    assert not figures(app)
