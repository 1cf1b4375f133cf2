from hypothesis import given, strategies
from markdown_it import MarkdownIt
from streamlit.testing.v1 import AppTest

from comparator.ui.frame import safe

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
PIECES = strategies.sampled_from(
    [
        *"![]()<>&:$`*_~#-+=|{}\\/.@\"' \n\t1aZ",
        *("http://", "](", "![", "->", "<b>", "&amp;", "$$", "```", "~~~", "\u202e"),
    ]
)
HOSTILE = strategies.lists(PIECES, min_size=1, max_size=20).map("".join) | strategies.text(min_size=1)


def rendered(markdown: str) -> tuple[set[str], str]:
    """The kinds of inline tokens and the text that a CommonMark parser makes of it."""
    tokens = MARKDOWN.parse(markdown)
    assert {token.type for token in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    children = [child for token in tokens for child in token.children or ()]
    return {child.type for child in children}, "".join(child.content for child in children)


@given(HOSTILE)
def test_any_text_becomes_one_paragraph_of_literal_text_in_the_code_font_too(text: str) -> None:
    for escape, kinds in (
        (safe.text, {"text", "text_special"}),
        (safe.code, {"text", "text_special", "code_inline"}),
    ):
        rendered_kinds, words = rendered(escape(text))

        assert rendered_kinds <= kinds
        assert " ".join(words.replace(safe.JOINER, "").split()) == " ".join(safe.visible(text).split())


@given(HOSTILE)
def test_rendered_markdown_has_no_link_picture_or_markup_of_its_author(text: str) -> None:
    tokens = MARKDOWN.parse(safe.rendered(text))

    blocks = {token.type.rpartition("_")[0] for token in tokens} - {""}
    leaves = {child.type for token in tokens for child in token.children or ()}
    assert blocks <= {"paragraph", "bullet_list", "list_item"}
    assert leaves <= {
        "text",
        "text_special",
        "code_inline",
        "strong_open",
        "strong_close",
        "softbreak",
        "hardbreak",
    }


def test_rendered_markdown_keeps_its_form_and_its_words() -> None:
    written = safe.rendered(
        "# Plan\n\n- **one** <b>\n- [two](http://x.y)\n\n```\n$a$\n```\n\n|a|\n|-|\n|:red[b]|"
    )

    html = MARKDOWN.render(written.replace(safe.JOINER, "")).replace("\u00a0", " ")
    for part in (
        "<strong>Plan</strong>",
        "<strong>one</strong> &lt;b&gt;",
        "<li>two</li>",
        "<code>$a$</code>",
        ":red[b]",
    ):
        assert part in html


@given(HOSTILE)
def test_no_character_that_hides_or_turns_text_is_left(text: str) -> None:
    visible = safe.visible(text)

    assert not {"\n", "\r", "\t", "\u202e", "\u2066", "\u200b", "\ufeff", "\x00"} & set(visible)
    visible.encode("utf-8")


@given(HOSTILE, strategies.integers(min_value=10, max_value=60))
def test_a_text_cut_in_its_middle_keeps_both_ends(text: str, limit: int) -> None:
    cut = safe.cut(text, limit)

    assert len(cut) <= limit
    assert cut == text or (text.startswith(cut.split(safe.ELLIPSIS)[0]) and cut[-3:] == text[-3:])


def test_what_streamlit_replaces_in_escaped_text_is_parted() -> None:
    for replaced in (
        *(":material/home:", ":smile:", ":+1:", "http://a.b", "www.a.b", "WWW.a.b", "a@b.c"),
        *("->", "<-", "--", ">=", "~="),
    ):
        assert safe.JOINER in safe.text(f"x {replaced} y")


def test_a_marked_part_stands_between_literal_words() -> None:
    assert safe.marked("some parts of it", "parts") == "some :orange-background[parts] of it"
    assert safe.marked("some *parts*", "*parts*") == r"some :orange-background[\*parts\*]"
    closing = safe.marked("a](http://x) b", "](")
    assert closing.startswith(r"a:orange-background[\]\(]")
    assert safe.marked("words", "") == safe.text("words") == safe.marked("words", "none of them")


def test_a_linked_part_stands_between_literal_words_and_its_address_ends_no_link() -> None:
    assert safe.linked("3 pairs left", "3 pairs", "/a?b=c%3Ad&e=f") == "[3 pairs](/a?b=c%3Ad&e=f) left"
    assert safe.linked("a](x) b", "](", "/a) [b](c") == r"a[\]\(](/a%29%20%5Bb%5D%28c)x\) b"
    assert safe.linked("words", "", "/a") == safe.text("words")
    # As urlencode writes a space.
    assert safe.linked("pairs", "pairs", "/a?in=hill+walking") == "[pairs](/a?in=hill+walking)"


def test_an_error_is_shown_by_its_escaped_message() -> None:
    def script() -> None:

        from comparator.ui.frame import safe

        safe.problem(ValueError("![x](http://evil.invalid)"))

    app = AppTest.from_function(script).run()

    assert app.error[0].value == r"\!\[x\]\(http\:" + safe.JOINER + r"\/\/evil\.invalid\)"
