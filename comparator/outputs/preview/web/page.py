"""An HTML output as the page it is, without its scripts and without anything that loads, leads away or submits."""

from __future__ import annotations

import re
from collections.abc import Callable

from comparator.outputs.preview.document import Preview, shown
from comparator.outputs.preview.text import as_utf8
from comparator.outputs.preview.web.sanitise import Removed, Resolve, clean, is_elsewhere
from comparator.outputs.preview.web.stylesheet import clean_declarations, clean_stylesheet

ReadText = Callable[[str], str | None]
"""Gives the text of a file of the same output by its relative path, for style sheets."""

_MOST_BYTES = 5_000_000
_COMMENT = re.compile(r"<!--.*?(-->|\Z)", re.DOTALL)
_SCRIPT = re.compile(r"<script\b.*?(</script\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TITLE = re.compile(r"<title\b[^>]*>.*?</title\s*>", re.DOTALL | re.IGNORECASE)
_STYLE = re.compile(r"<style\b([^>]*)>(.*?)(</style\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_LINK = re.compile(r"<link\b([^>]*)>", re.IGNORECASE)
_BODY = re.compile(r"<body\b([^>]*)>", re.IGNORECASE)
_FRAME = re.compile(r"<(iframe|object|embed|frame|video|audio|canvas)\b", re.IGNORECASE)
_SHOWN = re.compile(r"<(?:img|svg|hr|input|button|textarea|select|meter|progress)\b|(?:^|>)[^<]*[^<\s]")
_CARRIED: tuple[str, ...] = ("class", "id", "dir", "lang")
_ATTRIBUTE = re.compile(r"([a-z-]+)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s>]+)", re.IGNORECASE)


def render_page(data: bytes, *, resolve: Resolve, read: ReadText, pictured: bool) -> Preview:
    """The page with its own inline styles and the style sheets beside it; `pictured` where there is a picture of it."""
    text = as_utf8(data[:_MOST_BYTES]).decode("utf-8", "replace")
    removed = Removed()
    notes: list[str] = []
    # Which style elements there are is read loosely: what is found is cleaned, and what is not is dropped below.
    scripts = len(_SCRIPT.findall(text))
    text = _TITLE.sub("", _SCRIPT.sub("", _COMMENT.sub("", text)), count=1)
    sheets, missing = _sheets(text, read)
    css = clean_stylesheet("\n".join(sheets))
    body = clean(_STYLE.sub("", text), resolve=resolve, removed=removed, styled=True)
    if scripts:
        were = "script of this page was" if scripts == 1 else "scripts of this page were"
        instead = " Picture shows the page with its scripts." if pictured else ""
        notes.append(f"{scripts} {were} not run.{instead}")
    if not _SHOWN.search(body):
        notes.append("There is no text and no picture on this page as it is shown here.")
    if missing:
        notes.append(f"Style sheet{'s' if len(missing) > 1 else ''} not loaded: {', '.join(missing[:5])}.")
    frames = sorted({name.lower() for name in _FRAME.findall(text)})
    if frames:
        notes.append(f"Not shown here: {', '.join(frames)}.")
    notes += removed.notes()
    if len(data) > _MOST_BYTES:
        notes.append("Only the first 5 MB are shown.")
    return Preview(f"<style>{css}</style>{_body(text, body)}", tuple(notes), plain=False)


def render_extracted(data: bytes, *, resolve: Resolve, css: str) -> Preview:
    """A document or slides that came as HTML from our own extraction, in our own typography for `css`."""
    removed = Removed()
    text = as_utf8(data).decode("utf-8", "replace")
    # Slides carry the places of their boxes, which our own extraction wrote.
    body = clean(text, resolve=resolve, removed=removed, styled=css == "pptx")
    body = body.replace("<table", '<div class="scroll"><table').replace("</table>", "</table></div>")
    return Preview(f'<div class="{css}">{body}</div>', removed.notes())


def _sheets(text: str, read: ReadText) -> tuple[list[str], list[str]]:
    sheets: list[str] = []
    missing: list[str] = []
    for match in re.finditer(f"{_STYLE.pattern}|{_LINK.pattern}", text, _STYLE.flags):
        if match.group(2) is not None:
            sheets.append(_for_media(_attributes(match.group(1)), match.group(2)))
            continue
        attributes = _attributes(match.group(4) or "")
        if "stylesheet" not in attributes.get("rel", "").lower():
            continue
        address = attributes.get("href", "")
        found = None if is_elsewhere(address) else read(address)
        if found is None:
            missing.append(address[:120])
        else:
            sheets.append(_for_media(attributes, found))
    return sheets, missing


def _for_media(attributes: dict[str, str], css: str) -> str:
    media = attributes.get("media", "").strip()
    if media in ("", "all", "screen"):
        return css
    if not re.fullmatch(r"[\w\s():,.-]+", media):
        return ""
    return f"@media {media} {{{css}}}"


def _body(text: str, inner: str) -> str:
    # The page's own body is ours too, so its class, id and style are carried by an element of its own kind of place:
    # rules for `body.dark` are rare, rules for `.dark` are not.
    match = _BODY.search(text)
    if match is None:
        return inner
    attributes = _attributes(match.group(1))
    kept: dict[str, str] = {name: shown(attributes[name]) for name in _CARRIED if name in attributes}
    if "style" in attributes:
        kept["style"] = shown(clean_declarations(attributes["style"]))
    if not kept:
        return inner
    return (
        f"<div {' '.join(f'{name}={chr(34)}{value}{chr(34)}' for name, value in kept.items())}>{inner}</div>"
    )


def _attributes(text: str) -> dict[str, str]:
    return {name.lower(): value.strip("\"'") for name, value in _ATTRIBUTE.findall(text)}
