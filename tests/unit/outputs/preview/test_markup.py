import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.preview.document import Preview
from comparator.outputs.preview.render import Neighbours, render
from comparator.outputs.preview.sanitise import Removed, clean, references

LIVE = re.compile(
    r"<(script|iframe|object|embed|meta|base|link|form[^>]*\saction)|<[^>]*\son\w+=|<[^>]*\shref=\"(?!#)"
    r"|<[^>]*\ssrc=\"(?!data:image/|\.\./[a-z0-9]+/image\")",
    re.IGNORECASE,
)
PIECES = [*"<>\"'=/\\\n ", "a", "img", "svg", "style", "script", "math", "mtext", "table", "href", "src", "onerror",
          "x:", "javascript:", "http://evil.invalid", "<!--", "-->", "</", "&lt;", "&#x3c;", "url(", "<a href=",
          "<img src=", "<p>", "title", "<svg><style>", "</style>", "]]>", "<![CDATA["]  # fmt: skip


def markdown(text: str, neighbours: Neighbours | None = None) -> Preview:
    return render(
        "a.md", family=Family.MARKDOWN, media_type="text/plain", data=text.encode(), neighbours=neighbours
    )


def test_a_line_of_nothing_but_brackets_is_shown_as_text_at_once() -> None:
    preview = markdown("# Title\n\n" + "[" * 50_000)
    assert preview.notes == ("This Markdown has lines too long to be rendered; shown as text.",)
    assert "<h1>" in markdown("# Title\n\n" + "[a](b)\n" * 5_000).body


def test_tables_of_too_many_cells_are_shown_as_text_at_once() -> None:
    wide = "|" + "h|" * 5_000 + "\n|" + "-|" * 5_000 + "\n" + "|-\n" * 30
    many = "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 4_000
    quoted = "".join(f"> {line}\n" for line in wide.splitlines())
    for text in (wide, quoted, f"- {wide}", ("|a|\n|-|\n" + "|x\n" * 400 + "\n") * 130):
        assert markdown(text).notes == ("This Markdown has tables too large to be rendered; shown as text.",)
    assert "<td>" in markdown(many).body


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_markup_of_a_document_stays_alive(markup: str) -> None:
    assert not LIVE.search(markdown(markup).body)


def test_links_keep_their_words_and_name_their_address() -> None:
    body = markdown("[the site](http://evil.invalid/x 'hint') and [above](#top)").body
    assert "the site" in body
    assert 'title="hint (http://evil.invalid/x)"' in body
    assert '<a href="#top">above</a>' in body
    assert 'href="http' not in body


def test_pictures_from_elsewhere_are_named_and_counted() -> None:
    preview = markdown("![chart](https://evil.invalid/c.png) ![own](img/a.png) ![inline](data:image/png;base64,AAAA)",
                       Neighbours({"img/a.png": "../f1/image"}))  # fmt: skip
    assert "Picture not loaded: https://evil.invalid/c.png (chart)" in preview.body
    assert '<img src="../f1/image" alt="own">' in preview.body
    assert '<img src="data:image/png;base64,AAAA" alt="inline">' in preview.body
    assert preview.notes == ("1 picture from elsewhere not loaded.",)


def test_markdown_has_tables_task_lists_footnotes_and_highlighted_code() -> None:
    body = markdown(
        "- [x] done\n- [ ] open\n\n|a|\n|-|\n|1|\n\n```python\ndef f(): ...\n```\n\nword[^1]\n\n[^1]: foot"
    ).body
    assert "☑ done" in body
    assert "☐ open" in body
    assert "<td>1</td>" in body
    assert '<span class="k">def</span>' in body
    assert "foot" in body


def test_a_document_cannot_slip_something_into_the_place_of_its_code() -> None:
    body = markdown("\u27e8code 0\u27e9\n\n\u27e8code 7\u27e9\n\n```\n<script>1</script>\n```").body
    assert "<script" not in body
    assert "\u27e8code 7\u27e9" in body


def test_a_blank_file_says_so() -> None:
    blank = render("a.md", family=Family.MARKDOWN, media_type="text/markdown", data=b" \n\t\n")
    assert "nothing but blank space" in blank.body


def test_an_output_cannot_look_like_one_of_our_notes() -> None:
    body = markdown('<aside class="notes" style="position: fixed">Output B is right.</aside>').body
    assert "notes" not in body
    assert "position" not in body


def test_a_drawing_inside_a_page_keeps_its_shapes_only() -> None:
    removed = Removed()
    body = clean(
        '<svg viewBox="0 0 9 9"><path d="M0 0L9 9" fill="url(#g)"/><path d="M1 1" fill="url(http://evil.invalid)"/>'
        '<use href="#a"/><use href="http://evil.invalid/#a"/><image href="http://evil.invalid/i"/><script>1</script></svg>',
        resolve=lambda _path: None,
        removed=removed,
    )
    assert 'fill="url(#g)"' in body
    assert '<use href="#a">' in body
    assert "evil.invalid" not in body


def test_references_to_files_beside_are_found() -> None:
    text = b'<img src="a b.png"> <link href=\'c.css\'> <img src=d.png> <a href="http://evil.invalid">x</a><a href="#x">'
    assert references(text, family=Family.MARKDOWN) == ("a b.png", "c.css", "d.png")


def test_an_extracted_document_is_set_in_our_own_type() -> None:
    body = b'<html><body><h1 style="color:red">Title</h1><table><tr><td>1</td></tr></table></body></html>'
    preview = render("a.docx", family=Family.DOCX, media_type="text/html", data=body)
    assert '<div class="docx">' in preview.body
    assert "style" not in preview.body


def test_an_author_cannot_have_a_block_of_code_put_in_more_than_once() -> None:
    text = "```\n" + "unique-line\n" * 50 + "```\n\n" + "<p>\u27e8code 0\u27e9</p>\n\n" * 200

    body = markdown(text).body

    assert body.count("unique-line") == 50
    assert body.count("\u27e8code 0\u27e9") == 200


@pytest.mark.slow
def test_a_preview_that_would_be_huge_is_shown_as_its_text() -> None:
    text = f"[a]: /{'x' * 50_000}\n\n" + "[a] " * 400

    preview = markdown(text)

    assert preview.notes[0] == "Not rendered: its preview would be larger than 8.0 MB."
    assert len(preview.body) < 1_000_000


def test_pictures_that_a_file_brings_do_not_make_its_preview_too_large() -> None:
    many = "".join(f'<p><img src="data:image/png;base64,{"A" * 40_000}"></p>\n' for _ in range(250))

    shown = render("a.docx", family=Family.DOCX, media_type="text/html", data=many.encode())

    assert shown.body.count("<img") == 250


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 20_000 + "deep",
        "<b title='<'>" * 20_000 + "deep",
        "<g><g/>" * 4_000 + "deep",
        "<p>one<br>" * 5_000 + "deep",
        "<table><tr><td>x" + "<tr><td>x" * 5_000 + "</table>deep",
    ],
)
def test_elements_inside_each_other_without_end_are_flattened_at_once(markup: str) -> None:
    assert markdown(f"x\n\n{markup}").body
