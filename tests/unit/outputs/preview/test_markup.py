import re

from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.preview.document import Preview
from comparator.outputs.preview.render import Neighbours, render
from comparator.outputs.preview.sanitise import Removed, clean

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


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_markup_of_a_document_stays_alive(markup: str) -> None:
    assert not LIVE.search(markdown(markup).body)


def test_links_keep_their_words_and_name_their_address() -> None:
    body = markdown("[the site](http://evil.invalid/x 'hint') and [above](#top)").body
    assert "the site" in body
    assert 'title="hint (http://evil.invalid/x)"' in body
    assert '<a href="#top">above</a>' in body
    assert 'href="http' not in body


def test_markdown_has_tables_task_lists_footnotes_and_highlighted_code() -> None:
    body = markdown(
        "- [x] done\n- [ ] open\n\n|a|\n|-|\n|1|\n\n```python\ndef f(): ...\n```\n\nword[^1]\n\n[^1]: foot"
    ).body
    assert "☑ done" in body
    assert "☐ open" in body
    assert "<td>1</td>" in body
    assert '<span class="k">def</span>' in body
    assert "foot" in body


def test_lines_end_where_they_were_written_unless_they_were_wrapped_at_a_margin() -> None:
    wrapped = "The support desk had taken **31 calls** by 14:40, and no payment was taken"

    assert re.search(r"SELECT name<br ?/?>\s*FROM orders", markdown("SELECT name\nFROM orders").body)
    assert "<br" not in markdown(f"{wrapped}\ntwice.").body


def test_a_document_cannot_slip_something_into_the_place_of_its_code() -> None:
    body = markdown("\u27e8code 0\u27e9\n\n\u27e8code 7\u27e9\n\n```\n<script>1</script>\n```").body
    assert "<script" not in body
    assert "\u27e8code 7\u27e9" in body


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
