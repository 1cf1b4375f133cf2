"""Mathematics becomes MathML and nothing else; diagrams become pictures beside their source."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.isolated.messages import pack, unpack
from comparator.outputs.preview.document import NotShown, Preview, document, reveal
from comparator.outputs.preview.markdown import formula
from comparator.outputs.preview.page import ForeignPage, foreign_drawing, foreign_page
from comparator.outputs.preview.render import QuotePlace, locate, render, source
from comparator.outputs.preview.sanitise import Removed, clean
from comparator.outputs.preview.text import render_code

LIVE = re.compile(
    r"<(script|iframe|object|embed|meta|base|link|form[^>]*\saction)|<[^>]*\son\w+=|<[^>]*\shref=\"(?!#)"
    r"|<[^>]*\ssrc=\"(?!data:image/|\.\./[a-z0-9]+/image\")",
    re.IGNORECASE,
)
PIECES = [*"<>\"'=/\\\n ", "a", "img", "svg", "style", "script", "math", "mtext", "table", "href", "src", "onerror",
          "x:", "javascript:", "http://evil.invalid", "<!--", "-->", "</", "&lt;", "&#x3c;", "url(", "<a href=",
          "<img src=", "<p>", "title", "<svg><style>", "</style>", "]]>", "<![CDATA["]  # fmt: skip


def markdown(text: str) -> Preview:
    return render("a.md", family=Family.MARKDOWN, media_type="text/plain", data=text.encode())


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
    tables = "- [x] done\n- [ ] open\n\n|a|\n|-|\n|1|\n\n"
    body = markdown(f"{tables}```python\ndef f(): ...\n```\n\nword[^1]\n\n[^1]: foot").body
    for passage in ("☑ done", "☐ open", "<td>1</td>", '<span class="k">def</span>', "foot"):
        assert passage in body


def test_lines_end_where_they_were_written_unless_they_were_wrapped_at_a_margin() -> None:
    wrapped = "The support desk had taken **31 calls** by 14:40, and no payment was taken"

    assert re.search(r"SELECT name<br ?/?>\s*FROM orders", markdown("SELECT name\nFROM orders").body)
    assert "<br" not in markdown(f"{wrapped}\ntwice.").body


def test_a_document_cannot_slip_something_into_the_place_of_its_code_or_look_like_one_of_our_notes() -> None:
    body = markdown("\u27e8code 0\u27e9\n\n\u27e8code 7\u27e9\n\n```\n<script>1</script>\n```").body
    assert "<script" not in body
    assert "\u27e8code 7\u27e9" in body
    note = markdown('<aside class="notes" style="position: fixed">Output B is right.</aside>').body
    assert "notes" not in note
    assert "position" not in note


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


@pytest.mark.parametrize(
    "tex", [r"\frac{", "{" * 5_000, r"\text{<script>alert(1)</script>}", "x" * 5_000, r"\begin{matrix}1"]
)
def test_a_formula_that_cannot_be_read_is_shown_as_its_source(tex: str) -> None:
    body = formula(tex, display=False)
    assert body.startswith('<code class="tex"')
    assert "<script" not in body


def test_a_formula_carries_no_address_style_or_script() -> None:
    for tex in (
        *(r"\href{javascript:alert(1)}{x}", r"\style{background:url(http://evil.example)}{x}"),
        *(r"\class{notes}{x}", r"\mathbf{x} \cssId{a}{y}", r"&lt;script&gt;"),
        r"\includegraphics{http://evil.example/a.png}",
    ):
        markup = formula(tex, display=True).split("title=")[0]
        for word in ("href", "style=", "class=n", "<script", "<img", " id="):
            assert word not in markup


@given(st.text(alphabet="\\\\{}^_&<>$ab1 \"'", max_size=40))
def test_no_tex_is_more_than_mathml_or_its_source(tex: str) -> None:
    body = formula(tex, display=False)
    assert body.startswith(("<math", "<code"))
    assert body.count("<") == body.count(">")


KEPT = (
    "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'>\n"
    "<HTML lang=de><style>@import 'b.css';p{color:red}</style><body CLASS=b onload=go()><p>x<br/>"
    "<svg><a xlink:href=#x>l</a></svg><my-card><template shadowrootmode=closed>t</template></my-card>"
    "<link rel=stylesheet href=a.css><meta name=author content='a &amp; b'>"
    "<script>if (a<b) '<link rel=preconnect>'</script><iframe srcdoc='<p>in</p>'></iframe><plaintext>end"
)


def test_a_page_stays_as_it_was_written() -> None:
    page = foreign_page(KEPT.encode())
    assert page.markup.decode() == KEPT
    assert page.markup[page.start :].lstrip().startswith(b"<HTML")
    assert unpack(pack("page", page), ForeignPage) == page


def test_a_page_loses_redirects_and_connections_made_ahead_in_frames_too() -> None:
    lost = '<link rel="preconnect" href="//e"><LINK REL=dns-prefetch href=//e><meta http-equiv=Refresh content="0;//e">'
    nested = "<iframe srcdoc='" + lost.replace('"', "&quot;") + "<p>x'></iframe>"
    assert b"//e" not in foreign_page(f"{lost}<svg>{lost}</svg><p>x{nested}".encode()).markup


def test_whether_a_page_has_scripts_is_known() -> None:
    for markup, scripts in (
        ("<p>one = two</p><script type='application/ld+json'>{}</script>", False),
        ("<script>1</script>", True),
        ("<script type=module src=a.js></script>", True),
        ("<p onclick=x()>x", True),
        ("<iframe srcdoc='<script>1</script>'></iframe>", True),
    ):
        assert foreign_page(markup.encode()).has_scripts is scripts


def test_a_drawing_stands_in_a_page_with_room_for_a_script() -> None:
    page = foreign_drawing(b'<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><rect/></svg>')
    assert page.markup[page.start :].startswith(b"</head>")
    assert page.markup.endswith(b'onload="x()"><rect/></svg></body></html>')
    assert page.has_scripts
    with pytest.raises(NotShown):
        foreign_drawing(b"<p>text</p>")


def test_every_line_keeps_its_number_on_later_pages() -> None:
    data = b"".join(b"line %06d\n" % number for number in range(1, 40_001))
    part = source("a.log", family=Family.TEXT, media_type="text/plain", data=data, page=3)
    first = part.body.split("<span>")[1].split("\n")[0]
    number = int(first.removeprefix("line "))
    assert f"counter-reset: line {number - 1}" in part.body
    assert part.page == 3
    assert part.pages == 6


def test_names_and_notes_cannot_leave_their_place_in_the_document() -> None:
    assert reveal("a\u202eb\x00c\u200bd\x7f") == "a⟦U+202E⟧b␀c⟦U+200B⟧d␡"
    assert reveal("tab\tline\nand שלום and 👩‍💻") == "tab\tline\nand שלום and 👩‍💻"
    name = '"></title><script>1</script>\u202e'
    preview = render(name, family=Family.TEXT, media_type="text/plain", data=b"x")
    page = document(preview, theme="dark", title=name)
    assert "<script" not in page
    assert "⟦U+202E⟧" in page
    assert 'data-theme="dark"' in page


def test_code_is_highlighted_line_by_line_and_nothing_of_it_is_lost() -> None:
    code = '\n\ndef f():\n    """Two\n    lines <b>."""\n\n'
    preview = render_code("a.py", code.encode(), page=1)
    assert '<span class="k">def</span>' in preview.body
    assert preview.body.count("<span>") == 6
    assert "&lt;b&gt;" in preview.body
    assert "<b>" not in preview.body


def test_a_quote_is_located_whatever_its_white_space() -> None:
    data = b"".join(b"row  %d of\tmany\n" % number for number in range(40_000))

    def place(quote: str, family: Family = Family.TEXT, kind: str = "text/plain") -> QuotePlace | None:
        return locate(quote, family=family, media_type=kind, data=data)

    location = place("row 30000\nof many")
    assert location is not None
    assert location.mode == "source"
    part = source("a.txt", family=Family.TEXT, media_type="text/plain", data=data, page=location.page)
    assert "row  30000 of" in part.body
    assert place("never written") is place("row", Family.IMAGE, "image/png") is None
    assert place("row 0", Family.CSV) == QuotePlace("source", 1)
