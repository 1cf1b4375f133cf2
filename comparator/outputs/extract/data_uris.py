"""Data addresses inside text: pictures are made anew, fonts stay, texts are opened, all else is taken out."""

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import quote, unquote, unquote_to_bytes

from comparator.domain.pair.notes import Limitation
from comparator.domain.pair.view import ImageBlock
from comparator.outputs.extract.svg import rebuild as rebuild_drawing
from comparator.outputs.isolated.messages import Unreadable
from comparator.outputs.limits import Limits

_LETTER = (
    r"[A-Za-z0-9+/_=-]|\\?[\r\n][ \t]*|\\[/nr]|\\(?=[\s,])|\\u00[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}"
    r"|&(?:#\d{1,4}|#[xX][0-9a-fA-F]{1,3}|[a-zA-Z]{3,7});"
)
"""A letter of base64 as a line end, JSON, an address or markup may write it."""
_BEGIN = (
    r"data(?::|&colon;|&#58;|&#x3a;|\\u003a|%3a)\s*(?P<kind>[a-z]+\\?/[a-z0-9.+-]+(?:(?:\\u002b|%2b|&#43;|&plus;)[a-z]+)?)?"
    r"(?:\s*;\s*(?!base64\s*,)[a-z0-9-]+(?:=(?:\\?[\"']|&quot;)?[a-z0-9._+/ -]+(?:\\?[\"']|&quot;)?)?)*+"
)
"""An expression for an address up to what it holds; in any case."""
_PACKED = rf"\s*;\s*base64\s*,\s*(?P<packed>(?:{_LETTER})*+)"
_OF_JSON = re.compile(r"\\u00([0-9a-fA-F]{2})")


def _kind_of(address: re.Match[str]) -> str:
    """The media type of an address, in small letters."""
    return _resolved(address["kind"] or "text/plain").lower()


def _resolved(written: str) -> str:
    """Letters as they are meant, without the writing of JSON, addresses and markup."""
    if "\\" not in written and "%" not in written and "&" not in written:
        return written
    plain = _OF_JSON.sub(lambda match: chr(int(match[1], 16)), written.replace("\\/", "/"))
    return html.unescape(unquote(plain))


_ADDRESS = re.compile(
    rf"(?:(?<=(?P<quote>[\"'])))?{_BEGIN}"
    rf"(?:{_PACKED}|\s*,(?P<plain>(?(quote)(?:(?!(?P=quote))[^\n])*+|[^\"'\s)<>]*+)))",
    re.IGNORECASE,
)
_QUOTED = r"\"[^\"]*+\"|'[^']*+'"
_VALUES = (
    re.compile(rf"(?P<before>=\s*+)(?P<value>{_QUOTED}|[^\s\"'<>]++)"),
    re.compile(rf"(?P<before>(?:[(,]|@import)\s*+)(?P<value>{_QUOTED})", re.IGNORECASE),
    re.compile(r"(?P<before>url\(\s*+)(?P<value>[^\"')<>]++)", re.IGNORECASE),
)
"""Values of attributes, and in style sheets those in quotes and bare ones."""
_HEAD = re.compile(r"[^,]{5,400}")
_DISGUISE = re.compile(r"[&\\\x00-\x1f]|^ ")
_OF_CSS = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\r\n]?|\r?\n|(.))")
_STRIPPED = "".join(map(chr, range(0x21)))
_UNSAFE = {ord(sign): quote(sign) for sign in "\"'<>()\\ "}
_FONT = re.compile(r"^(font/|application/(x-)?font|application/vnd\.ms-fontobject)")
_DRAWING = "image/svg+xml"
_STYLES = "text/css"
_READABLE = ":/;,-_.!*@$&+?={}[]|^~"
_MOST = 200


class Embedded(NamedTuple):
    """A text without what its data addresses carried: one form for the judge, one for the copy."""

    for_judge: str
    for_copy: str
    pictures: tuple[ImageBlock, ...]
    notes: tuple[str, ...]


class _Part(NamedTuple):
    judge: str
    copy: str
    picture: ImageBlock | None = None
    made_anew: bool = False
    taken_out: bool = False


def _in_plain_writing(text: str) -> str:
    """The text with data addresses written as a browser reads them, without entities, escapes, tabs and line ends."""
    for pattern in _VALUES:
        text = pattern.sub(_plain_value, text)
    return text


def _plain_value(match: re.Match[str]) -> str:
    written = match["value"]
    sign = written[0] if written[0] in "\"'" else ""
    value = written[1:-1] if sign else written
    head = _HEAD.match(value)
    if head is None or not _DISGUISE.search(head[0]) or not _as_browser(head[0]).lower().startswith("data:"):
        return match[0]
    head_read, comma, held = _as_browser(value).partition(",")
    return f"{match['before']}{sign}{head_read.replace(' ', '')}{comma}{held.translate(_UNSAFE)}{sign}"


def _as_browser(value: str) -> str:
    value = _OF_CSS.sub(
        lambda match: chr(min(int(match[1], 16), 0x10FFFF)) if match[1] else match[2] or "",
        html.unescape(value),
    )
    return re.sub("[\t\r\n]", "", value).strip(_STRIPPED)


def rebuilt(text: str, limits: Limits) -> Embedded:
    """The text with each data address made anew; the judge's form has a short mark instead."""
    text = _in_plain_writing(text)
    if re.search("data:", text, re.IGNORECASE) is None:
        return Embedded(text, text, (), ())
    judge: list[str] = []
    copy: list[str] = []
    pictures: list[ImageBlock] = []
    taken_out = position = count = 0
    for match in _ADDRESS.finditer(text):
        if match["packed"] is None and _kind_of(match) != _STYLES and not _kind_of(match).endswith("+xml"):
            # It stands in letters anyway.
            continue
        before = text[position : match.start()]
        position = match.end()
        part = _part(match, limits, count + 1)
        judge += (before, part.judge)
        copy += (before, part.copy)
        count += part.made_anew
        taken_out += part.taken_out
        if part.picture is not None and len(pictures) < limits.pictures_per_document:
            pictures.append(part.picture)
    judge.append(text[position:])
    copy.append(text[position:])
    notes = []
    if count:
        notes.append(f"{count} embedded picture{'s' if count > 1 else ''} re-encoded without metadata.")
    if taken_out:
        files = "files" if taken_out > 1 else "file"
        notes.append(Limitation.FILES_TAKEN_OUT.text(count=taken_out, files=files))
    return Embedded("".join(judge), "".join(copy), tuple(pictures), tuple(notes))


def _part(match: re.Match[str], limits: Limits, number: int) -> _Part:
    kind = _kind_of(match)
    if _FONT.match(kind):
        return _Part(f"data:{kind},(font)", match[0])
    if kind == _STYLES:
        # In letters, so that names in it are found.
        css = quote(_bytes_of(match).decode("utf-8", "replace"), safe=_READABLE)
        return _Part(f"data:{_STYLES},{css}", f"data:{_STYLES},{css}")
    if not kind.startswith("image/") or number > _MOST:
        return _Part("data:,", "data:,", taken_out=True)
    # Pillow takes 0.15 s to import, and few texts have pictures in them.
    from comparator.outputs.extract.images import rebuild

    try:
        data = _bytes_of(match)
        if kind == _DRAWING:
            drawing = quote(rebuild_drawing(data).text, safe=" =:/;,-_.!*@$&+?<>")
            return _Part(
                f"data:{_DRAWING},(embedded drawing {number})",
                f"data:{_DRAWING},{drawing.replace(' ', '%20').replace('<', '%3C').replace('>', '%3E')}",
                made_anew=True,
            )
        picture = rebuild(data, limits, caption=f"embedded picture {number}")
    except (ValueError, Unreadable):
        return _Part("data:,", "data:,", taken_out=True)
    return _Part(
        f"data:{picture.media_type},(embedded picture {number})",
        f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}",
        picture,
        made_anew=True,
    )


def _bytes_of(match: re.Match[str]) -> bytes:
    """What an address holds; base64 in either alphabet. Raises binascii.Error."""
    if match["packed"] is None:
        return unquote_to_bytes(match["plain"])
    letters = re.sub(r"\\[nr]|[\s\\]", "", _resolved(match["packed"])).replace("-", "+").replace("_", "/")
    plain = unquote_to_bytes(letters).rstrip(b"=")
    return base64.b64decode(plain + b"=" * (-len(plain) % 4))


_OF_TEXT = re.compile(r"(?:text/.*|.*[/+](?:xml|json|javascript|yaml))?", re.IGNORECASE)
_SAFE = "=:/;,-_.!*@$&+?"
DEEPEST = 3
"""Drawings within drawings that are opened."""


class EmbeddedText(NamedTuple):
    """A text of this media type, which stands from start to end."""

    start: int
    end: int
    kind: str
    text: str | None
    """None for what is no text: a picture or a font."""
    packed: bool


def embedded_in(text: str) -> Iterator[EmbeddedText]:
    """What the data addresses of a text hold."""
    if re.search("data(?:[:&%]|\\\\u)", text, re.IGNORECASE) is None:
        return
    for match in _ADDRESS.finditer(text):
        kind = _kind_of(match)
        decoded = None
        if _OF_TEXT.fullmatch(kind):
            with suppress(binascii.Error):
                decoded = _bytes_of(match).decode("utf-8", "replace")
        yield EmbeddedText(*match.span(), kind, decoded, match["packed"] is not None)


def texts_within(text: str, *, depth: int = DEEPEST) -> Iterator[EmbeddedText]:
    """The texts that a text holds in data addresses, and those that they hold."""
    for embedded in embedded_in(text):
        if embedded.text is not None and depth:
            yield embedded
            yield from texts_within(embedded.text, depth=depth - 1)


def rewrite_text(text: str, outside: Callable[[str], str], inside: Callable[[str, str], str]) -> str:
    """A text with `outside` applied around its data addresses, and `inside` (text, media type) to what they hold.

    Each goes back into the form that it had; pictures and fonts stay as they are.
    """
    pieces: list[str] = []
    done = 0
    for embedded in embedded_in(text):
        pieces.append(outside(text[done : embedded.start]))
        address = text[embedded.start : embedded.end]
        if embedded.text is not None and (new := inside(embedded.text, embedded.kind)) != embedded.text:
            head, _, _ = address.partition(",")
            content = base64.b64encode(new.encode()).decode() if embedded.packed else quote(new, safe=_SAFE)
            address = f"{head},{content}"
        pieces.append(address)
        done = embedded.end
    return "".join((*pieces, outside(text[done:]))) if pieces else outside(text)
