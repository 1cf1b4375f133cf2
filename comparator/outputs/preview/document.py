"""What a preview is, and the complete HTML document that it is shown in."""

import html
import re
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from comparator.domain.errors import OutputRefused

Theme = Literal["light", "dark"]


class Span(NamedTuple):
    """What a part of a large file shows: by lines, rows, pages or bytes, counted from 1; `total` where known."""

    unit: str
    first: int
    last: int
    total: int | None = None


class Preview(NamedTuple):
    """The safe body of a document that shows one file, or one page of it."""

    body: str
    notes: tuple[str, ...] = ()
    """Plain sentences shown above the content: what could not be shown, was cut or was made inert."""
    page: int = 1
    pages: int = 1
    """How many parts the file is shown in; the pane pages through them."""
    span: Span | None = None
    """Which lines, rows or pages of the file these are, where it is shown in parts."""


class NotShown(OutputRefused):
    """A file that cannot be rendered; its message is a plain sentence for the reviewer."""


def document(preview: Preview, *, theme: Theme, title: str) -> str:
    """The complete HTML document of a preview. It holds no script and needs nothing but its own parts."""
    notes = "".join(f"<p>{as_html(note)}</p>" for note in preview.notes)
    notes = f'<aside class="notes" data-skip>{notes}</aside>' if notes else ""
    span = preview.span
    where = (
        f' data-unit="{as_html(span.unit)}" data-first="{span.first}" data-last="{span.last}" '
        f'data-total="{"" if span.total is None else span.total}"'
        if span
        else ""
    )
    return (
        "<!doctype html>"
        f'<html lang="en" data-theme="{theme}" data-page="{preview.page}" '
        f'data-pages="{preview.pages}"{where}><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{as_html(title)}</title><style>{style()}</style>"
        f"</head><body>{notes}{preview.body}</body></html>"
    )


def message(text: str) -> str:
    """A body that says one plain sentence in the middle of the pane."""
    return f'<div class="message" data-skip><p>{as_html(text)}</p></div>'


@cache
def style() -> str:
    """The text of our own style sheet."""
    return files("comparator.outputs.preview").joinpath("frame.css").read_text(encoding="utf-8")


# Characters that hide or reorder what is read: C0 and C1 controls without tab and line ends, zero-width space and
# joiner-less word joiner, byte order mark, bidirectional embeddings, overrides and isolates, and the tag block that
# carries invisible text.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u200b\u2060\u2061-\u2064\u202a-\u202e\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)


def reveal(text: str) -> str:
    """The text with hidden and reordering characters made visible as ␀ or ⟦U+202E⟧."""
    return _HIDDEN.sub(_visible, text)


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"\u27e6U+{code:04X}\u27e7"


def as_html(text: str) -> str:
    """The text as HTML text or attribute value: escaped, with hidden characters made visible."""
    return html.escape(reveal(text), quote=True)
