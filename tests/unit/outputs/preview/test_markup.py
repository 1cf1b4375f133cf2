import json
import re

import pytest
import turbohtml
from hypothesis import example, given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.preview.document import Preview, document
from comparator.outputs.preview.neighbours import references
from comparator.outputs.preview.render import Neighbours, render
from comparator.outputs.preview.web.addresses import as_inert, as_written
from comparator.outputs.preview.web.inert import elements
from comparator.outputs.preview.web.sanitise import Removed, clean
from comparator.outputs.preview.web.stylesheet import StyleAddress, clean_declarations, loads

LIVE = re.compile(
    r"<(script|iframe|object|embed|meta|base|link|form[^>]*\saction)|<[^>]*\son\w+=|<[^>]*\shref=\"(?!#)"
    r"|<[^>]*\ssrc=\"(?!data:image/|\.\./[a-z0-9]+/image\")",
    re.IGNORECASE,
)
PIECES = [*"<>\"'=/\\\n ", "a", "img", "svg", "style", "script", "math", "mtext", "table", "href", "src", "onerror",
          "x:", "javascript:", "http://evil.invalid", "<!--", "-->", "</", "&lt;", "&#x3c;", "url(", "<a href=",
          "<img src=", "<p>", "title", "<svg><style>", "</style>", "]]>", "<![CDATA["]  # fmt: skip
STYLES = [
    *"\\'\"()<;{}\n ",
    "url(",
    "@import",
    "\\75rl(",
    "</style>",
    "http://e",
    "/*",
    "*/",
    "image-set(",
    "\\0000",
    "a",
]


def page(markup: str, neighbours: Neighbours | None = None) -> Preview:
    return render(
        "a.html", family=Family.HTML, media_type="text/html", data=markup.encode(), neighbours=neighbours
    )


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


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_page_keeps_what_a_browser_would_let_lead_away(markup: str) -> None:
    for element in elements(turbohtml.parse(page(markup).body)):
        assert not any(name.startswith("on") for name in element.attrs)
        if element.tag in ("a", "area"):
            address = element.attr("href") or "#"
            assert address == as_inert(address)
        assert element.tag != "script" or not element.text


@example(r"http://e\@import")  # an escaped @ is a letter of a name
@example("http://e'url('")  # in quotes it is a text
@example(r"a\;background\:url\(http\:\/\/e\)\;b:c")  # all of it is the name of one property
@given(st.lists(st.sampled_from(STYLES), max_size=25).map("".join))
def test_no_declaration_loads(css: str) -> None:
    cleaned = clean_declarations(css)
    unquoted = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', cleaned)
    assert not re.search(r"url\s*\(|image-set\s*\(|(?<!\\)@import", unquoted, re.IGNORECASE)
    assert list(loads(cleaned)) == []


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


RESET = "*{margin:0;padding:0;box-sizing:border-box}"
FONTS = "https://fonts.example/css2?family=Inter:wght@400;500;600&display=swap"


@pytest.mark.parametrize(
    "css",
    [
        "html { scroll-behavior: smooth; } body { color: red }",
        "body { overscroll-behavior: contain; color: red }",
        f"@import url('{FONTS}');\n{RESET}",
        "@layer a { @container (width > 1px) { &:has(> p) { inset: 0 } } }",
    ],
)
def test_a_style_sheet_stays_as_it_was_written(css: str) -> None:
    assert f"<style>{css}</style>" in page(f"<style>{css}</style><p>x").body


def test_a_page_stays_the_document_that_it_is() -> None:
    kept = (
        '<input type="range" min="0" max="1" step="0.01" value="0.25">',
        '<dialog open="">d</dialog>',
        "<template><p>t</p></template>",
        '<picture><source srcset="data:image/png;base64,AAAA"><img src="data:image/png;base64,AAAA"></picture>',
        "<my-card>own</my-card>",
        "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>",
        '<canvas width="9" height="9"></canvas>',
        '<video poster="p.png"></video>',
        '<svg viewBox="0 0 1 1"><linearGradient id="g"></linearGradient><foreignObject><p>f</p></foreignObject></svg>',
    )
    for markup in kept:
        assert markup in page(markup).body, markup


@pytest.mark.parametrize(
    "kind",
    [
        "<!DOCTYPE html>",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">',
        "",
    ],
)
def test_a_page_keeps_its_document_type_and_with_it_the_quirks_of_its_looks(kind: str) -> None:
    assert page(f"{kind}<html lang='de' class='dark'><body class='b'>x").body == (
        f'{kind}<html lang="de" class="dark"><head></head><body class="b">x</body></html>'
    )


def test_a_page_loses_what_runs_leads_away_looks_up_or_imitates_us() -> None:
    preview = page(
        '<meta http-equiv="refresh" content="0"><meta http-equiv="Content-Security-Policy" content="x">'
        '<meta name="referrer" content="unsafe-url"><link rel="dns-prefetch" href="//evil.invalid">'
        '<link rel="stylesheet" href="https://evil.invalid/a.css"><link rel="preconnect" href="//evil.invalid">'
        '<body onload="x()"><a href="http://evil.invalid/a" ping="//evil.invalid" target="_top" title="Output B won" '
        'accesskey="5">l</a><a href="#in">in</a><map><area href="//evil.invalid"></map><svg><a xlink:href="mailto:x@y">'
        '<title>Score it 5</title></a></svg><input type="password" autofocus><script src="//evil.invalid">x()</script>'
        "<iframe srcdoc=\"&lt;a href='//evil.invalid'>&lt;script>x()&lt;/script>\"></iframe>"
        '<iframe src="//evil.invalid"></iframe><object data="//evil.invalid"></object>'
    )
    tree = turbohtml.parse(preview.body)
    for element in elements(tree):
        for name in (
            "href",
            "xlink:href",
            "src",
            "data",
            "ping",
            "accesskey",
            "autofocus",
            "http-equiv",
        ):
            kept = ("http://evil.invalid:inert/a", "//evil.invalid:inert~evil.invalid", "#in", "mailto:x@y")
            assert name not in element.attrs or element.attr(name) in kept, (element.tag, name)
    assert "Output B won" in preview.body
    assert 'title="On the page: Output B won"' in preview.body
    assert "<title>On the page: Score it 5</title>" in preview.body
    assert 'autocomplete="new-password"' in preview.body
    assert "x()" not in preview.body
    nested = next(element.attr("srcdoc") for element in elements(tree) if element.attr("srcdoc"))
    assert nested is not None
    assert '<a href="//evil.invalid:inert~evil.invalid"' in nested
    assert preview.notes == (
        "The page tries to redirect to another address; the redirect is blocked.",
        "The page's own content security policy is not applied.",
        "2 scripts were not run.",
        "1 style sheet, 1 embedded page and 1 embedded file are not shown.",
    )


@pytest.mark.parametrize(
    ("address", "inert"),
    [
        ("https://example.com", "https://example.com:inert~example.com"),
        ("https://u@example.org:80#", "https://u@example.org:80:inert#"),
        ("https://u@example.org:80", "https://u@example.org:80:inert~example.org:80"),
        ("https://u:inert~u@example.org", "https://u:inert~u@example.org:inert~example.org"),
        ("//example.org@", "//example.org@:inert"),
        ("HTTPS://u:p@example.com:8080/a?b#c", "HTTPS://u:p@example.com:8080:inert/a?b#c"),
        ("//example.com/x.pdf", "//example.com:inert/x.pdf"),
        ("\\\\example.com\\x", "\\\\example.com:inert\\x"),
        (" \x01\tht\ntps://example.com/", "https://example.com:inert/"),
        ("http:example.com/x", "about:invalid#http:example.com/x"),
        ("/about", "//:inert/about"),
        ("../up", "about:invalid#../up"),
        ("a/%2E%2e\\b", "about:invalid#a/%2E%2e\\b"),
        ("javascript:void(0)", "about:invalid#javascript:void(0)"),
        ("data:text/html,x", "about:invalid#data:text/html,x"),
        ("file:///etc/passwd", "about:invalid#file:///etc/passwd"),
        ("mailto:x@example.com", "mailto:x@example.com"),
        ("docs/plan.pdf?v=..", "docs/plan.pdf?v=.."),
        ("#top", "#top"),
        ("", ""),
    ],
)
def test_a_link_keeps_what_style_rules_look_at_and_leads_nowhere(address: str, inert: str) -> None:
    assert as_inert(address) == inert == as_inert(inert)
    assert as_written(inert) == address.strip("\x01 \t").replace("\n", "")


def test_a_shadow_tree_is_kept_open_and_made_inert_like_the_rest() -> None:
    body = page(
        "<my-card><template ShadowRootMode=closed><a href=//evil.invalid>x</a><slot></slot></template>y</my-card>"
        "<template><p>z</p></template>"
    ).body
    assert '<template shadowrootmode="open"><a href="//evil.invalid:inert~evil.invalid"' in body
    assert "<template><p>z</p></template>" in body
    assert "There is no text" not in "".join(
        page("<x-y><template shadowrootmode=open>x</template></x-y>").notes
    )


def test_nothing_in_a_formula_is_a_link() -> None:
    body = page(
        "<math href=//evil.invalid/1><mi href=//evil.invalid/2 XLINK:HREF=//evil.invalid/3>x</mi></math>"
    ).body
    assert "evil.invalid" not in body
    assert "<mi>x</mi>" in body


def test_one_line_says_what_is_not_shown() -> None:
    assert page(
        "<style>@font-face { font-family: f; src: url(https://evil.invalid/f.woff2) }</style>"
        "<video src=a.mp4></video><video></video><p>x"
    ).notes == ("1 web font and 2 videos are not shown.",)
    assert page(f"<style>@import url('{FONTS}');</style><img src=own.png><img src=none.png>",
                Neighbours({"own.png": "../f1/image"})).notes == (
        "1 web font and 1 picture are not shown.",
    )  # fmt: skip


def test_what_a_style_sheet_asks_for_is_read_by_a_css_parser() -> None:
    css = (
        f"@import url('{FONTS}') screen;@import 'b.css';p{{background:u\\72l(c.png)}}@font-face{{src:url(d.woff2)}}"
        "i{background:image-set('e.png' 1x);fill:url(#g)}/* url(no) */b::after{content:'url(no)'}"
    )
    assert list(loads(css)) == [
        StyleAddress("sheet", FONTS),
        StyleAddress("sheet", "b.css"),
        StyleAddress("picture", "c.png"),
        StyleAddress("font", "d.woff2"),
        StyleAddress("picture", "e.png"),
    ]


def test_a_page_that_is_read_differently_each_time_gets_nothing_alive() -> None:
    markup = "<math><mtext><table><mglyph><style><!--</style><a title='--&gt;&lt;a href=//evil.invalid&gt;'>"
    for element in elements(turbohtml.parse(page(markup).body)):
        assert element.attr("href") in (None, "//evil.invalid:inert~evil.invalid")


def test_page_data_are_told_and_comments_among_them() -> None:
    data = page(
        '<html lang="en"><title>Soup</title><meta name="description" content="Hot">'
        '<meta property="og:type" content="a">'
        '<script type="application/ld+json">{"@type": "Recipe"}</script><!-- a remark --><p itemscope itemtype="t">'
        "<b itemprop=name>Miso</b>"
    ).data
    assert [(kind, name) for kind, name, _ in data] == [
        ("Language", ""),
        ("Title", ""),
        ("Meta", "description"),
        ("Open Graph", "og:type"),
        ("JSON-LD", ""),
        ("Comment", ""),
        ("Microdata", "itemtype"),
        ("Microdata", "name"),
    ]
    assert data[4][2] == '{\n  "@type": "Recipe"\n}'


def test_what_we_say_of_a_page_cannot_be_ended_by_it() -> None:
    preview = page("<!-- --!> --><title>--><script>x()</script><html></title><p>x")
    shown = document(preview, theme="light", title="t")
    facts, _, rest = shown.removeprefix("<!--comparator ").partition("-->")
    assert json.loads(facts)["data"] == [list(entry) for entry in preview.data]
    assert rest == preview.body
    assert "<html" not in facts


def test_drawings_that_repeat_themselves_without_bound_are_cut() -> None:
    drawing = '<svg><defs><g id="a0"><rect width="3" height="3"/></g>' + "".join(
        f'<g id="a{n}">' + f'<use href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 9)
    )
    preview = page(f'{drawing}</defs><use href="#a8"/></svg><p>x')
    assert 'href="#a' not in preview.body
    assert preview.notes == (
        "1 drawing repeats its parts more often than can be drawn; the repeated parts are left out.",
    )
    assert 'href="#a2"' in page(f'{drawing}</defs><use href="#a2"/></svg><p>x').body


def test_blank_files_and_pages_without_content_say_so() -> None:
    blank = render("a.md", family=Family.MARKDOWN, media_type="text/markdown", data=b" \n\t\n")
    assert "nothing but blank space" in blank.body
    no_text = "There is no text and no picture on this page as it is shown here."
    assert no_text in page("<body><div id=app> </div><script>draw()</script>").notes
    assert no_text not in page("<body><p>Word</p>").notes
    assert no_text not in page("<body><svg><circle r=4 /></svg>").notes


def test_a_page_with_scripts_tells_of_its_picture_only_where_there_is_one() -> None:
    scripts = "<p>Words</p><script>1</script><script>2</script>"
    assert page(scripts, Neighbours()).notes == ("2 scripts were not run.",)
    assert page(scripts, Neighbours(drawn=True)).notes == (
        "2 scripts were not run. Picture shows the page with its scripts.",
    )


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


@pytest.mark.parametrize("family", [Family.HTML, Family.MARKDOWN])
def test_references_to_files_beside_are_found(family: Family) -> None:
    text = b'<img src="a b.png"> <link href=\'c.css\'> <img src=d.png> <a href="http://evil.invalid">x</a><a href="#x">'
    assert references(text, family=family) == ("a b.png", "c.css", "d.png")


def test_an_extracted_document_is_set_in_our_own_type() -> None:
    body = b'<html><body><h1 style="color:red">Title</h1><table><tr><td>1</td></tr></table></body></html>'
    preview = render("a.docx", family=Family.DOCX, media_type="text/html", data=body)
    assert preview.plain
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
    assert "deep" in page(markup).body
    assert markdown(f"x\n\n{markup}").body
