"""The page of all words: a string that is shown and not on it fails the test of the reference."""

import re
from pathlib import Path

import pytest

from tools.reference import FOLDER, every_string
from tools.words import QUIET, words

PAGE = '''"""What lives here is no string."""

import streamlit as st

__all__ = ["Frobnicator"]
SAID = {State.BUSY: "rushed"}
st.button("Frobnicate", key="not_shown")
st.caption(f"{count} pairs wait, {'some' if late else 'none'} of them long: {counted(count, 'reel')}.")
st.markdown(safe.text("blank"), unsafe_allow_html=state == "ready")
LEFT = "{count:,} of the {things} are left."
flags = {"told": "late"}
kinds = "one two three".split()
'''

ENUM = """class Role(StrEnum):
    OWNER = "owner"


class Hidden(StrEnum):
    SECRET = "secret"


LEFT_OUT = "{} left out of {}."
raise ValueError("It has no rows. Add one.")
"""

SCRIPT = """// A comment says nothing.
const node = element("div", { class: "row wide", title: "Not yet read" });
node.textContent = `${count(pairs, "pair")} left, ${late ? `of them ${late} late` : "none late"}`;
if (event.key === "Apostrophe" || list.querySelector("ul li")) node.title = `${open ? "open" : "shut"} now`;
const pattern = /two words/g;
"""


@pytest.mark.parametrize(
    ("place", "source", "shown", "kept_out"),
    [
        (
            "pages/new.py",
            PAGE,
            [
                "Frobnicate",
                "… pairs wait, … of them long: ….",
                "… of the … are left.",
                "some",
                "none",
                "reel",
                "blank",
                "rushed",
            ],
            [
                "not_shown",
                "told",
                "late",
                "ready",
                "Frobnicator",
                "one two three",
                "What lives here is no string.",
            ],
        ),
        (
            "comparator/ui/components/x/x.js",
            SCRIPT,
            ["Not yet read", "… left, …", "of them … late", "none late", "… now", "open", "shut"],
            ["two words", "row wide", "ul li", "Apostrophe"],
        ),
        (
            "comparator/workflow/x.py",
            ENUM,
            ["It has no rows. Add one.", "… left out of ….", "owner"],
            ["secret"],
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


@pytest.fixture(scope="module")
def shown() -> list[str]:
    """Every string of the app."""
    return [each for strings in words().values() for each in strings]


def test_nothing_is_kept_quiet_that_is_not_there(repository: Path, shown: list[str]) -> None:
    assert [place for place in QUIET if not (repository / place).exists()] == []
    assert len(shown) > 3000


AMERICAN = re.compile(
    r"\b(?!size|resiz|organization)\w{3,}(?:iz|yz)(?:e[ds]?|ing)\b"
    r"|\b(?:behavior|cancele|center|color(?!s? emoji)|favor|gray|judgement|labele)",
    re.IGNORECASE,
)
"""“judgment” is how the specification writes it, and “organization” is a criterion of its rubrics."""


def test_strings_are_spelled_as_the_specification_spells(shown: list[str]) -> None:
    assert [each for each in shown if AMERICAN.search(each)] == []
    assert AMERICAN.search("A neutralized word in color")


NOT_UNDERSTOOD = (
    "not measured, exported",
    "untouched",
    "Void runs",
    "told",
    "Siblings",
    "Foreign graders",
    "Two candidates that I choose",
    "Where it lies",
    "minutes stand here",
    "In the middle",
    "Nine of ten",
    "better by what matters",
    "surely above",
    "Look through",
    "Take all away",
)
"""What people asked the meaning of; a single word stands for a string of that word alone."""


def test_what_was_not_understood_has_not_come_back(shown: list[str]) -> None:
    found = [(said, each) for said in NOT_UNDERSTOOD for each in shown if said in (each, each.split(".")[0])]
    found += [(said, each) for said in NOT_UNDERSTOOD if " " in said for each in shown if said in each]

    assert found == []


def test_a_string_that_is_shown_and_not_on_the_page_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "app.py").touch()
    (tmp_path / "pages" / "new.py").write_text(PAGE)
    monkeypatch.setattr("tools.reference.words", lambda: words(tmp_path))

    assert every_string() != (FOLDER / "words.md").read_text()
    assert "Frobnicate" in every_string()
