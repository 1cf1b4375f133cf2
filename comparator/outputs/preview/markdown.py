"""Markdown as the document it describes: tables, task lists, diagrams, code, chats turn by turn; links inert."""

import re
import secrets
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

import nh3
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, html_block
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.dollarmath.index import math_inline_dollar
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from comparator.domain.pair.chat import NAME, turns_in
from comparator.outputs.preview.document import Preview, as_html, reveal
from comparator.outputs.preview.sanitise import (
    DRAWING_ELEMENTS,
    NEVER_CLOSED,
    TEXT_ELEMENTS,
    Removed,
    Resolve,
    clean,
    words,
)
from comparator.outputs.preview.text import code_block, has_overlong_line, render_text, window

MOST_DIAGRAMS = 60
MOST_CHARACTERS = 20_000


def shown_diagram(source: str, number: int) -> str:
    """The place of the diagram's picture with its source to unfold; of one that is not drawn its source."""
    if number > MOST_DIAGRAMS or len(source) > MOST_CHARACTERS:
        reason = f"only the first {MOST_DIAGRAMS} are" if number > MOST_DIAGRAMS else "it is too long"
        note = f"This diagram is not drawn: {reason}. Its source:"
        return f'<p class="facts" data-skip>{note}</p>{code_block(source, language="text")}'
    return (
        f'<figure class="diagram"><img alt="Diagram; its source is below" data-diagram="{as_html(source)}">'
        f"<details><summary data-skip>Source of the diagram</summary>{code_block(source, language='text')}</details>"
        "</figure>"
    )


def is_chat(name: str) -> bool:
    """Whether a file is called as an imported chat is."""
    return PurePosixPath(name).name == NAME


def render_chat(data: bytes, *, resolve: Resolve, page: int) -> Preview:
    """The chat; what is no chat, or too much of one, as the Markdown that it is."""
    part = window(data, page=page, size=WINDOW)
    turns = turns_in(part.text)
    if not turns or part.pages > 1 or any(too_much(turn.content) for turn in turns):
        return render_markdown(data, resolve=resolve, page=page)
    removed = Removed()
    body = "".join(
        f'<section class="turn {role}"><h3>{role.capitalize()}</h3>'
        f"{markdown_body(content, resolve=resolve, removed=removed)}</section>"
        for role, content in turns
    )
    return Preview(body, removed.notes(), part.page, part.pages)


WINDOW = 300_000
"""Bytes of one part of a document."""

_FORMULAS = frozenset({"math_inline", "math_inline_double", "math_block", "math_block_label", "amsmath"})
_MARKS = {"$": ("$", "$"), "$$": ("$$", "$$"), "\\(": ("\\(", "\\)"), "\\[": ("\\[", "\\]"), "": ("", "")}
"""What stands around a formula in the source."""
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?=[\s/>]|$)")
_CLOSED = re.compile(r"</([a-z][a-z0-9-]*)")
MARGIN = 60
"""Characters of a line that may have been wrapped at a margin: it runs on."""
_ANY_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<[/!?]?[A-Za-z][^<>]*>?", re.DOTALL)
"""What a browser takes for a tag or a comment, in a block that begins with one."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MOST_BRACKETS = 4_000
"""Of one line; each may begin a link, and is looked for an end of its own."""
_PICTURE = re.compile(rb"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]{200,}")
_CELL = re.compile(r"^(\[cell \d+: (?:code|markdown|raw)\])\n", re.MULTILINE)
_TASK = re.compile(r"^\[([ xX])\]\s")
_PRICE = re.compile(r"\d[\d.,]*(?:[kKmM]|bn)?\s+[A-Za-z]{2,}")


def render_markdown(data: bytes, *, resolve: Resolve, page: int) -> Preview:
    """The rendered document; what is too large or too odd to render is shown as text, with a note."""
    data, put_back = without_pictures(data)
    part = window(data, page=page, size=WINDOW)
    if too_much(part.text):
        preview = render_text(data, page=page)
        note = "This Markdown has lines too long to be rendered; shown as text."
        return preview._replace(body=put_back(preview.body), notes=(note,))
    removed = Removed()
    body = markdown_body(part.text, resolve=resolve, removed=removed)
    comments = len(_COMMENT.findall(part.text))
    notes = removed.notes()
    if comments:
        notes += (f"{comments} comment{'s are' if comments > 1 else ' is'} not shown; the source has them.",)
    return Preview(put_back(body), notes, part.page, part.pages, span=part.span)


def render_notebook(data: bytes, *, resolve: Resolve, page: int) -> Preview:
    """A notebook as our extraction wrote it, cell by cell: none swallows the next."""
    data, put_back = without_pictures(data)
    part = window(data, page=page, size=WINDOW)
    removed = Removed()
    pieces = _CELL.split(part.text)
    body = "".join(
        f'<section class="cell"><p class="facts">{as_html(head)}</p>'
        + (
            f'<pre class="text">\n{as_html(text)}</pre>'
            if too_much(text)
            else markdown_body(text, resolve=resolve, removed=removed)
        )
        + "</section>"
        for head, text in zip(["", *pieces[1::2]], pieces[::2], strict=True)
        if head or text.strip()
    )
    return Preview(put_back(body), removed.notes(), part.page, part.pages, span=part.span)


class _Slots:
    """Pieces that are put back after the cleaning, once each: our own markup, and pictures.

    An author who could guess the name of a slot could have a long piece put in as often as he likes.
    """

    def __init__(self) -> None:
        self._name = secrets.token_hex(16)
        self._pieces: list[str] = []

    def take(self, piece: str) -> str:
        """Where it is put back."""
        self._pieces.append(piece)
        return f"{self._name}-{len(self._pieces) - 1}"

    def put_back(self, body: str, around: str) -> str:
        """The text with the pieces in place of what this pattern, with a `%s`, finds around their slots."""
        left = dict(enumerate(self._pieces))
        slot = re.compile(around % rf"{self._name}-(?P<n>\d{{1,9}})")
        return slot.sub(lambda match: left.pop(int(match["n"]), match[0]), body)


def without_pictures(data: bytes) -> tuple[bytes, Callable[[str], str]]:
    """The text with a short address for each picture that stands in it, and what puts each back."""
    slots, begin = _Slots(), "data:image/png,"
    short = _PICTURE.sub(lambda match: f"{begin}{slots.take(match[0].decode())}".encode(), data)
    return short, lambda body: slots.put_back(body, f"{begin}%s")


def markdown_body(text: str, *, resolve: Resolve, removed: Removed) -> str:
    """Safe HTML of a Markdown text."""
    parser = MarkdownIt("commonmark", {"html": True, "linkify": False, "maxNesting": 40})
    parser.enable(["table", "strikethrough"]).use(front_matter_plugin).use(footnote_plugin)
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
    parser.inline.ruler.at("math_inline", _inline_formula(math_inline_dollar(False, False, True)))
    parser.inline.ruler.before("escape", "math_brackets", _bracketed_formula)
    amsmath_plugin(parser)
    is_markup = elements_of(text)
    parser.block.ruler.at(
        "html_block",
        _only_block_markup(html_block, is_markup),
        {"alt": ["paragraph", "reference", "blockquote"]},
    )
    # Addresses are judged by the sanitiser, not here, so that a refused one is still named.
    parser.validateLink = lambda url: bool(url)  # type: ignore[method-assign]
    tokens = parser.parse(text)
    for token in tokens:
        _keep_lines(token.children or ())
        if token.type == "html_block":
            token.content = _ANY_TAG.sub(
                lambda tag: tag[0] if is_markup(tag[0]) else f"&lt;{tag[0][1:]}", token.content
            )
    slots = _Slots()
    _take_out(tokens, slots, is_markup)
    rendered = parser.renderer.render(tokens, parser.options, {})
    safe = clean(rendered, resolve=resolve, removed=removed)
    # Highlighted code and formulas are our own markup with our own classes, so they are put back after the cleaning.
    return slots.put_back(safe, "<(?P<tag>[pi])>%s</(?P=tag)>")


def _keep_lines(parts: Sequence[Token]) -> None:
    """Have lines end where they were written, as those of SQL or an address, unless they were wrapped at a margin."""
    length = 0
    for part in parts:
        if part.type == "softbreak" and length < MARGIN:
            part.type = "hardbreak"
        length = 0 if part.type in ("softbreak", "hardbreak") else length + len(part.content)


def elements_of(text: str) -> Callable[[str], bool]:
    """Whether a tag in this Markdown is one of HTML, and not a placeholder such as `<repo-url>` or `<output>`.

    A name that HTML has too is a placeholder where nothing closes it, or where it belongs into a drawing and there is
    none.
    """
    lower = text.lower()
    drawing, closed = "<svg" in lower, frozenset(_CLOSED.findall(lower))

    def is_markup(tag: str) -> bool:
        match = _TAG.match(tag)
        if match is None:
            return tag.startswith("<!--")
        name = match[1].lower()
        if name not in TEXT_ELEMENTS and not (drawing and name in DRAWING_ELEMENTS):
            return False
        # Parts of a drawing often close themselves.
        return name in NEVER_CLOSED or name in closed or (name in DRAWING_ELEMENTS and tag.endswith("/>"))

    return is_markup


def _only_block_markup(
    rule: Callable[[StateBlock, int, int, bool], bool], is_markup: Callable[[str], bool]
) -> Callable[[StateBlock, int, int, bool], bool]:
    """The rule for tags that begin a block, for those that are markup; any other is text."""

    def tag(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
        return is_markup(line[: line.find(">") + 1] or line) and rule(state, start, end, silent)

    return tag


def _bracketed_formula(state: StateInline, silent: bool) -> bool:
    """A formula between \\( and \\), or, over several lines too, between \\[ and \\]."""
    mark = state.src[state.pos : state.pos + 2]
    if mark not in ("\\(", "\\["):
        return False
    end = state.src.find(_MARKS[mark][1], state.pos + 2, state.posMax)
    content = state.src[state.pos + 2 : end]
    if end < 0 or not content.strip() or "`" in content:
        return False
    if not silent:
        token = state.push("math_inline" if mark == "\\(" else "math_inline_double", "math", 0)
        token.content, token.markup = content, mark
    state.pos = end + 2
    return True


def too_much(text: str) -> bool:
    """Whether this Markdown has lines that would take too long to be rendered."""
    brackets = text.count("[") > _MOST_BRACKETS and max(line.count("[") for line in text.split("\n"))
    return has_overlong_line(text) or brackets > _MOST_BRACKETS


def _inline_formula(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """The rule, but what lies between a price and the next dollar sign is no formula, nor what would end in code."""

    def match_formula(state: StateInline, silent: bool) -> bool:
        start = state.pos
        if not rule(state, True):
            return False
        text = state.src[start + 1 : state.pos - 1]
        state.pos = start
        return "`" not in text and not _PRICE.match(text) and rule(state, silent)

    return match_formula


def _take_out(tokens: Sequence[Token], slots: _Slots, is_markup: Callable[[str], bool]) -> None:
    """Put code, diagrams and formulas into slots, and the signs of tasks before their items; placeholders are text."""
    diagrams = 0
    for index, token in enumerate(tokens):
        if token.type in ("fence", "code_block", "front_matter"):
            if token.type == "fence" and token.info.split()[:1] == ["mermaid"]:
                diagrams += 1
                piece = shown_diagram(token.content, diagrams)
            else:
                language = "yaml" if token.type == "front_matter" else next(iter(token.info.split()), "")
                piece = code_block(token.content, language=language)
            token.type, token.content, token.hidden = "html_block", f"<p>{slots.take(piece)}</p>\n", False
            token.tag, token.nesting = "", 0
        elif token.type in _FORMULAS:
            marks = _MARKS.get(token.markup, ("$$", "$$"))
            piece = formula(token.content, display=token.type != "math_inline", marks=marks)
            token.type = "html_inline" if token.type.startswith("math_inline") else "html_block"
            token.tag, token.nesting, token.content = "", 0, f"<i>{slots.take(piece)}</i>"
        elif token.type == "inline" and index > 1 and tokens[index - 2].type == "list_item_open":
            first = token.children[0] if token.children else None
            if first and first.type == "text" and (task := _TASK.match(token.content)):
                sign = "\u2610" if task[1] == " " else "\u2611"
                first.content = f"{sign} {first.content[task.end() :]}"
        elif token.type == "html_inline" and not is_markup(token.content):
            token.type = "text"
        if token.children:
            _take_out(token.children, slots, is_markup)


_LONGEST_FORMULA = 4_000
_DEEPEST = 200
_NESTED = re.compile(r"[{\[(]")
_TAGS = set(
    words(
        "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub "
        "msup msubsup munder mover munderover mmultiscripts mtable mtr mtd semantics none mprescripts"
    )
)
_ATTRIBUTES = set(
    words(
        "display mathvariant stretchy fence separator form lspace rspace minsize maxsize symmetric largeop "
        "movablelimits accent accentunder linethickness columnalign rowalign columnspacing rowspacing columnlines "
        "rowlines frame width height depth scriptlevel displaystyle notation open close"
    )
)


def formula(tex: str, *, display: bool, marks: tuple[str, str] | None = None) -> str:
    """Safe HTML of a formula; of one that cannot be read, its source between its marks, with the reason on hovering."""
    begins, ends = marks or (("$$", "$$") if display else ("$", "$"))
    try:
        if len(tex) > _LONGEST_FORMULA or len(_NESTED.findall(tex)) > _DEEPEST:
            raise ValueError("too long")
        if tex.replace("\\{", "").count("{") != tex.replace("\\}", "").count("}"):
            # The converter would leave out what has no end.
            raise ValueError("unbalanced")
        markup = convert(reveal(tex), display="block" if display else "inline")
        if not _TAGS.issuperset(re.findall(r"<(\w+)", markup)):
            # Words that look like markup; nothing of them may get lost.
            raise ValueError("no MathML")
        body = nh3.clean(markup, tags=_TAGS, attributes={"*": _ATTRIBUTES}, clean_content_tags=set())
    except Exception:  # noqa: BLE001 - a converter with many ways to stumble over what a person typed
        source = f"{begins}{tex.strip()}{ends}"
        return f'<code class="tex" title="This formula cannot be read, so its source is shown">{as_html(source)}</code>'
    return f'<div class="formula">{body}</div>' if display else body
