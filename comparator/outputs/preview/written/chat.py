"""A chat turn by turn, each rendered by itself, so that what one leaves open does not swallow the next."""

from __future__ import annotations

from pathlib import PurePosixPath

from comparator.domain.pair.chat import NAME, turns_in
from comparator.outputs.preview.document import Preview
from comparator.outputs.preview.text import as_utf8, window
from comparator.outputs.preview.web.sanitise import Removed, Resolve
from comparator.outputs.preview.written.markdown import WINDOW, markdown_body, render_markdown, too_much


def is_chat(name: str) -> bool:
    """Whether a file is called as an imported chat is."""
    return PurePosixPath(name).name == NAME


def render_chat(data: bytes, *, resolve: Resolve, page: int) -> Preview:
    """The chat; what is no chat, or too much of one, as the Markdown that it is."""
    part = window(as_utf8(data), page=page, size=WINDOW)
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
