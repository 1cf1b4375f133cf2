"""Previews of files as they are kept: which part of a file is wanted, and of a table its stored rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.extract.images import PLAYED
from comparator.outputs.preview import code, markdown, pdf, text
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.document import Preview, message
from comparator.outputs.preview.render import NO_SOURCE, Neighbours, is_text, player
from comparator.outputs.preview.tables import Keep, PageRequest, is_table, page_of_row, render_rows
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv

_WINDOWS = {
    Family.MARKDOWN: markdown.WINDOW,
    Family.NOTEBOOK: markdown.WINDOW,
    **dict.fromkeys(
        (Family.CODE, Family.XML, Family.SVG, Family.HTML, Family.JSON, Family.YAML, Family.TOML), code.WINDOW
    ),
}
"""Bytes of one page of a text's rendered view; of other texts `text.WINDOW`."""


@dataclass(frozen=True, slots=True)
class PreviewCopy:
    """A blinded copy, and how its bytes are read."""

    name: str
    family: Family
    media_type: str
    size: int
    data: Callable[[], bytes]


def placed(file: PreviewCopy, place: PageRequest, *, rendered: bool) -> PageRequest:
    """The same place by its page alone: the one that holds the row, line or page of a PDF that is asked for."""
    if place.row is None:
        return place
    if rendered and is_table(file.family, file.media_type):
        return page_of_row(place, family=file.family)
    page = place.page
    if rendered and file.media_type == "application/pdf":
        page = (place.row - 1) // pdf.PAGES + 1
    elif is_text(file.media_type):
        size = _WINDOWS.get(file.family, text.WINDOW) if rendered else code.WINDOW
        page = text.page_of_line(file.data(), place.row, size=size) if file.size > size else 1
    return replace(place, page=page, row=None)


def view(
    renderer: Renderer, file: PreviewCopy, place: PageRequest, *, neighbours: Neighbours, keep: Keep
) -> Preview:
    """The rendered view of a page; what cannot be rendered is shown as its text, with the reason."""
    if not file.size:
        return Preview(message("This file is empty."))
    try:
        if is_table(file.family, file.media_type):
            return _table(renderer, file, place, keep=keep)
    except OutputRefused as error:
        if not is_text(file.media_type):
            return Preview(message(str(error)))
        reason = f"Not rendered: {error}" if isinstance(error, LimitExceeded) else str(error)
        preview = source(renderer, file, place)
        return replace(preview, notes=(reason, *preview.notes))
    if file.media_type == PLAYED:
        return player(file.size)
    return renderer.shown(
        "view", file.name, family=file.family, media_type=file.media_type, data=file.data(), page=place.page,
        neighbours=neighbours,
    )  # fmt: skip


def source(renderer: Renderer, file: PreviewCopy, place: PageRequest) -> Preview:
    """The source view of the part that is asked for."""
    family, media_type = file.family, file.media_type
    if media_type != MEDIA_TYPE and file.size and not is_text(media_type):
        return Preview(message(NO_SOURCE))
    data = file.data()
    if media_type == MEDIA_TYPE:
        family, media_type, data = Family.TEXT, "text/plain", as_csv(data)
    return renderer.shown(
        "source", file.name, family=family, media_type=media_type, data=data, page=place.page
    )


def _table(renderer: Renderer, file: PreviewCopy, place: PageRequest, *, keep: Keep) -> Preview:
    def kept() -> bytes:
        if file.media_type == MEDIA_TYPE:
            return file.data()
        return keep("table", lambda: renderer.ask("table", bytes, name=file.name, data=file.data()))

    order = place.order
    if order is None:
        return render_rows(kept(), place, family=file.family)

    def sorted_rows() -> bytes:
        return renderer.ask(
            "ordered table", bytes, data=kept(), sheet=place.sheet, by=order.column, down=order.down
        )

    return render_rows(keep(f"order-{place.sheet}-{order}", sorted_rows), place, family=file.family)
