"""The page of all words: a string that is shown and not on it fails the test of the reference."""

from pathlib import Path

import pytest

from tools.reference import FOLDER, every_string
from tools.words import QUIET, words

PAGE = '''"""What lives here is no string."""

import streamlit as st

st.button("Frobnicate", key="not_shown")
st.caption(f"{count} pairs wait, {'some' if late else 'none'} of them long.")
flags = {"told": "late"}
'''

SCRIPT = """// A comment says nothing.
const node = element("div", "row", { title: "Not yet read" });
node.textContent = `${count(pairs, "pair")} left, ${late ? `of them ${late} late` : "none late"}`;
const pattern = /two words/g;
"""


@pytest.mark.parametrize(
    ("place", "source", "shown", "kept_out"),
    [
        (
            "pages/new.py",
            PAGE,
            ["Frobnicate", "… pairs wait, … of them long.", "some", "late"],
            ["not_shown", "told", "What lives here is no string."],
        ),
        (
            "comparator/ui/components/x/x.js",
            SCRIPT,
            ["Not yet read", "… left, …", "of them … late", "none late"],
            ["two words", "row"],
        ),
        (
            "comparator/workflow/x.py",
            'raise ValueError("It has no rows. Add one.")',
            ["It has no rows. Add one."],
            [],
        ),
    ],
)
def test_strings_of_pages_scripts_and_errors_are_found(
    place: str, source: str, shown: list[str], kept_out: list[str], tmp_path: Path
) -> None:
    for folder in ("pages", "comparator"):
        (tmp_path / folder).mkdir()
    (tmp_path / "app.py").touch()
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_text(source)

    found = words(tmp_path)[place]

    assert [each for each in shown if each not in found] == []
    assert [each for each in kept_out if each in found] == []


def test_nothing_is_kept_quiet_that_is_not_there(repository: Path) -> None:
    assert [place for place in QUIET if not (repository / place).exists()] == []
    assert sum(map(len, words().values())) > 3000


def test_a_string_that_is_shown_and_not_on_the_page_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "app.py").touch()
    (tmp_path / "pages" / "new.py").write_text(PAGE)
    monkeypatch.setattr("tools.reference.words", lambda: words(tmp_path))

    assert every_string() != (FOLDER / "words.md").read_text()
    assert "Frobnicate" in every_string()
