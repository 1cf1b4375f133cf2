"""Whatever words a Markdown text has are shown, whether they look like tags, formulas or neither."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.outputs.preview.markdown import markdown_body, render_markdown
from comparator.outputs.preview.sanitise import Removed

PLACEHOLDERS = (
    *("git clone <repo-url>", "Set <API_KEY> first.", "A Vec<String> and a Map<String, Vec<u8>>."),
    *("<think>first a plan</think> then *words*", "<think>\nfirst a **plan**\n</think>\n\nthen words"),
    *("<analysis>\n\n- one\n- two\n\n</analysis>", "cp <path> <title> > <output>", "if a <b and c> d"),
    *("Use <input> and <time> as names.", "Dear <Name>, see <https://example.org>.", "> quote <who>"),
    *("<script>alert(1)</script> is dangerous", "<style>p { color: red }</style> too", "# Title of <thing>"),
    *("<iframe src=x>inside</iframe>", "<?php echo 1 ?> and <!DOCTYPE html>", "<foo:bar>ns</foo:bar>"),
    *("<my-element attr='x'>in it</my-element>", "| a | b |\n|---|---|\n| <x> | List<T> |"),
    "- step <one>\n- <two>",
)
OTHERS = ("plain words", "**bold** and `code <x>`", "```\n<y>\n```", "\\(a+b\\)", "<b>", "$5")


def rendered(text: str) -> str:
    return markdown_body(text, resolve=lambda _: None, removed=Removed())


def shown(text: str) -> str:
    """What a person reads of the rendered document."""
    return html.unescape(re.sub(r"<[^<>]*>", " ", rendered(text)))


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_what_is_no_element_of_html_is_shown_as_text(text: str) -> None:
    assert words(text) <= words(shown(text))


@pytest.mark.parametrize(
    "start", ["<details>\n<summary>more</summary>\n", "<div>\n", "<br>\n", "<p align=left>"]
)
@pytest.mark.parametrize(
    "text", [*PLACEHOLDERS, "Mail <me@example.org> or <https://example.org>", "1 <2 <b and c> d"]
)
def test_nor_does_it_vanish_in_a_block_that_begins_with_an_element(start: str, text: str) -> None:
    name = start.strip("<").partition(">")[0].partition(" ")[0]

    block = f"{start}{text}\n</{name}>\n\nplain"

    assert words(text) <= words(shown(block))
    assert "<b" not in rendered(block).replace("<br", "").replace("<blockquote", "")


def test_elements_of_html_stay_elements() -> None:
    for text, markup in (
        *(("a<br>b", "<br>"), ("<b>bold</b>", "<b>bold</b>")),
        ("<details><summary>more</summary>\n\nwords\n\n</details>", "<details>"),
        ('<p align="center">middle</p>', "<p align"),
        ("<table><tr><td>cell</td></tr></table>", "<td>cell</td>"),
        *(('<svg><text x="1">drawn</text></svg>', "drawn</text>"), ("H<sub>2</sub>O", "<sub>2</sub>")),
    ):
        assert markup in rendered(text)


@given(st.lists(st.sampled_from([*PLACEHOLDERS, *OTHERS]), max_size=8))
def test_a_document_of_such_parts_has_all_their_words(parts: list[str]) -> None:
    text = "\n\n".join(parts)

    assert words(text) - {"b"} <= words(shown(text))


def test_comments_are_not_shown_and_counted() -> None:
    text = b"one <!-- hidden --> two\n\n<!-- more\nlines -->"
    preview = render_markdown(text, resolve=lambda _: None, page=1)

    assert "hidden" not in preview.body
    assert preview.notes == ("2 comments are not shown; the source has them.",)


def test_formulas_are_set_however_they_are_marked() -> None:
    for text in (
        *("Inline \\(a+b\\) here", "\\[\na^2 + b\n\\]", "text \\[ a^2 \\] more", "- item\n  \\[\n  x\n  \\]"),
        *("$$\na\n+b\n$$", "text\n$$\na\n$$\nmore", "| a |\n|---|\n| \\(x\\) |", "$x$ as before"),
        "\\begin{align}\na &= b\\\\\nc &= d\n\\end{align}",
        "\\begin{equation*}\nx^2\n\\end{equation*}",
    ):
        body = rendered(text)

        assert "<math" in body
        assert "\\" not in re.sub(r"<[^<>]*>", "", body)


def test_what_cannot_be_set_is_shown_as_it_is_written() -> None:
    for text, source in (
        *(("\\(\\frac{a\\)", "\\(\\frac{a\\)"), ("\\[\\unknown{\\]", "\\[\\unknown{\\]")),
        *(("$\\frac{a$", "$\\frac{a$"), ("\\begin{align}\n\\frac{\n\\end{align}", "\\begin{align}")),
        ("`\\(a\\)` in code", "\\(a\\)"),
    ):
        assert source in shown(text)


def test_prices_and_paths_are_no_formulas() -> None:
    for text in ("It costs $5 and $6.", "In C:\\temp\\[1] there is one.", "a \\[ without an end"):
        assert "<math" not in rendered(text)
