"""What every page stands in: navigation, the person, and errors told in one place."""

import logging
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.errors import StoreError
from comparator.ui import queue as page
from comparator.ui.frame import session
from comparator.ui.frame.per_process import release_all
from tests.app.conftest import said

PAGES = ["Queue", "New", "Import", "Batches", "History", "Dashboards", "Judge", "Settings", "Help"]


def test_only_what_exists_stands_in_the_navigation(app: AppTest) -> None:
    app.run()

    assert [link.label for link in app.sidebar.page_link] == PAGES
    assert session.me().name in said(app)


def test_our_own_errors_are_shown_as_they_are(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise StoreError("The disk is full. Free some space.")

    monkeypatch.setattr(page, "queue", fail)

    app.run()

    assert "The disk is full. Free some space." in said(app)
    assert not app.exception


def test_a_bug_is_told_with_an_id_that_stands_in_the_log(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr(page, "queue", fail)

    with caplog.at_level(logging.ERROR):
        app.run()

    (error,) = app.error
    number = error.value.partition("`")[2].partition("`")[0]
    assert number
    assert "secret" not in error.value
    assert f"error {number}" in caplog.text
    assert "a secret detail" in caplog.text


def test_a_wrong_setting_is_one_sentence(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release_all()
    monkeypatch.setenv("COMPARATOR_SLOTS", "many")

    app = AppTest.from_file(str(repository / "app.py"), default_timeout=60).run()

    assert "COMPARATOR_SLOTS" in said(app)
    assert not app.exception
