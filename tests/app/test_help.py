"""The help: pages of the documentation, read in the app, with links between them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import open_page

FOLDER = Path(__file__).parents[2] / "docs"
DOCS = sorted({path.stem for path in FOLDER.glob("*.md")} - {"index", "README"})


def written(app: AppTest) -> str:
    return "\n".join(str(each.value) for each in app.markdown)


def test_the_help_lists_its_pages_with_links(app: AppTest) -> None:
    open_page(app, "help")

    assert all(f"](help?page={name})" in written(app) for name in DOCS)


@pytest.mark.parametrize("name", ["statistics", "operations", "import"])
def test_a_page_of_the_help_links_to_others_within_the_app(app: AppTest, name: str) -> None:
    open_page(app, "help", page=name)

    text = written(app)
    assert text.count("# ") >= 3
    assert ".md" not in "".join(re.findall(r"\]\([^)]*\)", text))
    assert "![" not in text
    assert not app.exception


def test_a_page_that_is_none_of_the_help_shows_the_list(app: AppTest) -> None:
    open_page(app, "help", page="../SECURITY")

    assert "](help?page=statistics)" in written(app)
