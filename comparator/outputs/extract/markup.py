"""The source of HTML with neutral values for author and generator, its tokens, and its words."""

import html
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import turbohtml
from turbohtml.rewrite import Element, rewrite

from comparator.domain.blinding.leak_patterns import PHRASES
from comparator.domain.pair.notes import Limitation
from comparator.outputs.extract.author_fields import NEUTRAL, PERSON_FIELDS
from comparator.outputs.extract.data_uris import rebuilt
from comparator.outputs.extract.encoding import read_plain
from comparator.outputs.extract.svg import MalformedDrawing
from comparator.outputs.extract.svg import rebuild as rebuild_drawing
from comparator.outputs.isolated.messages import NEUTRAL_VALUES, Copy, Extraction, TextForm
from comparator.outputs.limits import Limits

_MARKDOWN = turbohtml.Markdown(
    escaping=turbohtml.Markdown.Escaping(mode="none", asterisks=False, underscores=False),
    links=turbohtml.Markdown.Links(autolink=False, skip_internal=True),
    tables=turbohtml.Markdown.Tables(cell_blocks="text"),
    converters={"img": lambda picture, _: f"[{picture.attr('alt') or 'picture'}]"},
)


def markdown_from(html: str) -> str:
    """The words of HTML in reading order, with their structure as Markdown."""
    return turbohtml.parse(html).to_markdown(_MARKDOWN) + "\n"


LINKED_DATA = "application/ld+json"
_PEOPLE = NEUTRAL.decode()
_TOOLS = "a tool"
_NAMING = {
    **dict.fromkeys(
        (*PERSON_FIELDS, "designer", "producer", "web_author", "reply-to", "copyrightholder", "sdpublisher",
         "accountableperson"), _PEOPLE
    ),
    **dict.fromkeys(("generator", "framework", "progid", "originator", "created-with", "built-with"), _TOOLS),
}  # fmt: skip
_PREFIXES = re.compile(
    r"^(?:dc|dcterms|dc\.|article|book|og|twitter|schema|xmp|pdf)[:._]|^dcterms\.", re.IGNORECASE
)
_NAMED_LINKS = frozenset({"author", "me", "publisher", "generator"})
_TELLING_ATTRIBUTE = re.compile(
    r"(generator|author|creator|producer|docname|export|sodipodi|inkscape|sourcefile)"
)
_FOREIGN = ("inkscape:", "sodipodi:", "xmlns:", "dc:", "cc:", "rdf:")
_IN_COMMENT = re.compile(
    r"\b(author|creator|publisher|designer|maintainer|generator|(?:generated|created|written|made|built|exported|"
    r"produced) (?:by|with|using))(\s*[:=]?\s*)([^\s:=][^\n]*)",
    re.IGNORECASE,
)
_RECORDS = re.compile(r"\[if [^\]]{0,60}\]>\s*<xml\b", re.IGNORECASE)
"""What word processors keep in a comment: author, template, revision."""
_DEEPEST = 60


class NeutralSource(NamedTuple):
    """A source with neutral values: how many were replaced or left away, and how many comments told of the run."""

    text: str
    changed: int
    telling: int


def rebuild(source: str) -> NeutralSource:
    """The source with neutral values, without comments that tell of the run and without a program's own records."""
    rebuilder = _Rebuilder()
    text = rewrite(
        source, elements=[("*", rebuilder.element)], text=rebuilder.text, comments=rebuilder.comment
    )
    return NeutralSource(text, rebuilder.changed, rebuilder.telling)


def neutral_value(name: str) -> str | None:
    """What stands for the value of a property that names who or what made the page; None for other properties.

    >>> neutral_value("DC.creator"), neutral_value("generator"), neutral_value("description")
    ('a person', 'a tool', None)
    """
    return _NAMING.get(_PREFIXES.sub("", name.strip()).lower())


class _Rebuilder:
    def __init__(self) -> None:
        self.changed = 0
        self.telling = 0
        self._linked_data = False

    def element(self, node: Element) -> None:
        tag = node.tag
        kind = (node.get("type") or "").split(";")[0].strip().lower()
        self._linked_data = tag == "script" and kind == LINKED_DATA
        if tag in ("metadata", "xml") or tag.startswith("rdf:"):
            node.remove()
            self.changed += 1
            return
        for name, _ in node.attrs:
            if name.startswith(_FOREIGN) or (name.startswith("data-") and _TELLING_ATTRIBUTE.search(name)):
                node.remove_attribute(name)
                self.changed += 1
        if tag == "meta":
            self._meta(node)
        elif tag == "link" and _NAMED_LINKS & set((node.get("rel") or "").lower().split()):
            self._set(node, "href", "#")
        elif node.has_attribute("content") and (value := neutral_value(node.get("itemprop") or "")):
            self._set(node, "content", value)

    def text(self, node: Element) -> None:
        if not self._linked_data or not node.text.strip():
            return
        try:
            data = json.loads(node.text)
        except (ValueError, RecursionError):
            return
        made_neutral = _neutral(data)
        if made_neutral != data:
            written = json.dumps(made_neutral, ensure_ascii=False, indent=2)
            node.set_text("\n" + written.replace("<", "\\u003c") + "\n")
            self.changed += 1

    def comment(self, node: Element) -> None:
        text = node.text
        if any(not phrase.is_mention and phrase.found_by.search(text) for phrase in PHRASES):
            node.remove()
            self.telling += 1
            return
        if _RECORDS.match(text):
            node.remove()
            self.changed += 1
            return
        neutral = _IN_COMMENT.sub(_neutral_words, text)
        if neutral != text:
            self.changed += 1
            try:
                node.set_text(neutral)
            except ValueError:
                # What is left would end the comment early.
                node.remove()

    def _meta(self, node: Element) -> None:
        if node.has_attribute("charset"):
            # The copy is UTF-8, whatever the file was.
            node.set_attribute("charset", "utf-8")
        for naming in ("name", "property", "itemprop"):
            value = neutral_value(node.get(naming) or "")
            if value is not None:
                self._set(node, "content", value)
                return

    def _set(self, node: Element, name: str, value: str) -> None:
        if node.get(name) not in (None, value):
            node.set_attribute(name, value)
            self.changed += 1


def _neutral_words(match: re.Match[str]) -> str:
    tool = match[1].lower() == "generator" or match[1].lower().endswith(("with", "using"))
    return f"{match[1]}{match[2]}{_TOOLS if tool else _PEOPLE}"


def _neutral(value: Any, stand_in: str | None = None, depth: int = 0) -> Any:
    """JSON in which each word of a value that names somebody is the neutral one; shapes, keys and types stay."""
    if depth > _DEEPEST:
        return value
    if isinstance(value, list):
        return [_neutral(item, stand_in, depth + 1) for item in value]
    if isinstance(value, dict):
        return {
            key: item
            if stand_in and str(key).startswith("@") and key != "@id"
            else _neutral(item, stand_in or neutral_value(str(key)), depth + 1)
            for key, item in value.items()
        }
    return stand_in if stand_in and isinstance(value, str) else value


def read_text(data: bytes, limits: Limits) -> Extraction:
    """Text whose embedded pictures are made anew; in the judge's text a short mark stands for each."""
    plain = read_plain(data, limits)
    text = _extraction_of("plain", "text/plain", plain.text, limits)
    return text._replace(omitted=plain.omitted, notes=plain.notes + text.notes)


def read_drawing(data: bytes, limits: Limits) -> Extraction:
    """The drawing's source, rebuilt."""
    try:
        drawing = rebuild_drawing(data[: limits.text_bytes])
    except MalformedDrawing as error:
        page = read(data, limits)
        copy = page.copy and Copy("text/plain", page.copy.data)
        return page._replace(copy=copy, notes=(str(error), *page.notes))
    image = _extraction_of("xml", "image/svg+xml", drawing.text, limits)
    if drawing.is_changed:
        return image._replace(notes=(Limitation.METADATA_LEFT_AWAY.text(), *image.notes))
    return image


def _extraction_of(form: TextForm, media_type: str, text: str, limits: Limits) -> Extraction:
    embedded = rebuilt(text, limits)
    return Extraction(
        text=embedded.for_judge,
        form=form,
        pictures=embedded.pictures,
        copy=Copy(media_type, embedded.for_copy.encode()),
        wordless=bool(embedded.pictures),
        notes=embedded.notes,
    )


def read(data: bytes, limits: Limits) -> Extraction:
    """The page's source, rebuilt."""
    plain = read_plain(data, limits)
    source = rebuild(plain.text)
    page = _extraction_of("html", "text/html", source.text, limits)
    return page._replace(
        omitted=plain.omitted,
        notes=(*plain.notes, *page.notes, *([NEUTRAL_VALUES] if source.changed else [])),
        telling=source.telling,
    )


TAG_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9:-]*)")
ATTRIBUTE = re.compile(r"=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>=][^\s>]*))")
"""The value of an attribute in a tag, in any of its three quotings."""
_ANY_TAG = re.compile(r"</?[a-zA-Z](?:=\s*+\"[^\"]*\"|=\s*+'[^']*'|[^>])*+>|<[!?/][^>]*+>")
_COMMENT = "<!--"
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9:-]*)[^<>]*+>")
_BLOCK_NAMES = """
    address article aside blockquote body br button caption center col colgroup dd details dialog dir div dl dt
    fieldset figcaption figure footer foreignobject form g h1 h2 h3 h4 h5 h6 head header hgroup hr html li main menu
    nav noframes ol p pre search section summary symbol table tbody td text textarea tfoot th thead title tr ul
"""
BLOCKS = frozenset(_BLOCK_NAMES.split())
"""Elements between which a word ends; all others, unknown ones too, may stand within a word."""
RAW = frozenset({"script", "style"})


def tokens(source: str, *, raw_elements: frozenset[str]) -> Iterator[str]:
    """The tokens in order; what stands in one of `raw_elements` is one token, and a tag without an end is the last."""
    position = 0
    while position < len(source):
        start = source.find("<", position)
        if start != position:
            yield source[position : start if start >= 0 else len(source)]
            if start < 0:
                return
        if source.startswith(_COMMENT, start):
            end = source.find("-->", start + len(_COMMENT) - 2)
            end = len(source) if end < 0 else end + 3
        elif (tag := _ANY_TAG.match(source, start)) is not None:
            end = tag.end()
        elif source[start + 1 : start + 2].isalpha() or source[start + 1 : start + 2] in ("!", "?", "/"):
            end = len(source)
        else:
            end = start + 1
        yield source[start:end]
        position = end
        name = TAG_NAME.match(source, start, end)
        if name and name[1].lower() in raw_elements and source[start + 1] != "/" and source[end - 2] != "/":
            close = re.compile(rf"</{re.escape(name[1])}(?=[\s/>])", re.IGNORECASE).search(source, end)
            position = close.start() if close else len(source)
            if position > end:
                yield source[end:position]


def is_comment(token: str) -> bool:
    """Whether a token is a comment."""
    return token.startswith(_COMMENT)


def value_of(attribute: re.Match[str]) -> str:
    """The value of an attribute as it is written, without its quotes."""
    return next((group for group in attribute.groups() if group is not None), "")


def words_of_markup(source: str) -> str:
    """Markup as it reads: without tags that can split words and with entities resolved; the values of tags follow."""
    tags: list[str] = []

    def without(match: re.Match[str]) -> str:
        tags.append(match[0])
        return match[0] if match[1].lower() in BLOCKS else ""

    text = _TAG.sub(without, source)
    values = (value_of(match) for match in ATTRIBUTE.finditer("\n".join(tags)))
    return html.unescape("\n".join((text, *values)))


def prose_of_markup(source: str) -> str:
    """The sentences of markup: text, comments, meta values and linked data, without scripts, style sheets and code."""
    parts: list[str] = []
    skipped = ""
    for token in tokens(source, raw_elements=RAW):
        if is_comment(token):
            parts.append(f"\n{token[4:-3]}\n")
            continue
        name = TAG_NAME.match(token)
        if name is None or (skipped in RAW and not token.startswith("</")):
            parts += [token] if not skipped else []
            continue
        tag = name[1].lower()
        if tag == "meta":
            parts += [f"\n{value_of(match)}\n" for match in ATTRIBUTE.finditer(token)]
        if skipped:
            skipped = "" if tag == skipped and token.startswith("</") else skipped
        elif (tag in RAW and LINKED_DATA not in token.lower()) or tag in ("pre", "textarea"):
            skipped = "" if token.startswith("</") or token.endswith("/>") else tag
        if tag in ("code", "kbd", "samp"):
            parts.append("`")
        elif tag in BLOCKS:
            parts.append("\n")
    return html.unescape("".join(parts))
