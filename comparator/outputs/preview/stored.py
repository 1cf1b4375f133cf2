"""Previews of files as they are kept: of a large one only the rows or lines are read that are to be seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.extract.images import PLAYED
from comparator.outputs.preview import code, markdown, pdf, text
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.document import NotShown, Preview, message
from comparator.outputs.preview.render import NO_SOURCE, Neighbours, is_text, player
from comparator.outputs.preview.tables import Keep, PageRequest, is_table, page_of_row, render_rows
from comparator.outputs.preview.text import Open, as_utf8, page_of_line, read_part, whole
from comparator.outputs.preview.tree import MOST_BYTES, is_lines_of_json
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv

LARGE = 1_000_000
"""From how many bytes on a text is read in parts; smaller ones are read whole, in any encoding."""

_MOST_READ = 256_000_000


@dataclass(frozen=True, slots=True)
class PreviewCopy:
    """A blinded copy, and how its bytes are opened."""

    name: str
    family: Family
    media_type: str
    size: int
    open: Open

    def data(self) -> bytes:
        """All of its bytes. Raises NotShown where they are too many to be read at once."""
        if self.size > _MOST_READ:
            raise NotShown("This file is too large to be read at once.")
        with self.open() as stream:
            return stream.read()


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
        window = _part_of(file) if rendered else code.WINDOW
        alone = file.size <= window
        page = 1 if alone else page_of_line(file.open, place.row, size=file.size, window=window)
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
    given: dict[str, Any] = {"family": file.family, "media_type": file.media_type}
    if (window := _window(file)) is not None:
        part = read_part(file.open, size=file.size, page=place.page, window=window)
        return renderer.shown("view", file.name, **given, part=part)
    return renderer.shown(
        "view", file.name, **given, data=file.data(), page=place.page, neighbours=neighbours
    )


def source(renderer: Renderer, file: PreviewCopy, place: PageRequest) -> Preview:
    """The source view of the part that is asked for."""
    if file.media_type == MEDIA_TYPE:
        text = as_csv(file.data())
        as_text = replace(file, family=Family.TEXT, media_type="text/plain", size=len(text), open=whole(text))
        return source(renderer, as_text, place)
    if file.size and not is_text(file.media_type):
        return Preview(message(NO_SOURCE))
    given: dict[str, Any] = {"family": file.family, "media_type": file.media_type}
    if file.size > LARGE:
        part = read_part(file.open, size=file.size, page=place.page, window=code.WINDOW)
        return renderer.shown("source", file.name, **given, part=part)
    return renderer.shown("source", file.name, **given, data=file.data(), page=place.page)


def _table(renderer: Renderer, file: PreviewCopy, place: PageRequest, *, keep: Keep) -> Preview:
    def kept() -> bytes:
        if file.media_type == MEDIA_TYPE:
            return file.data()
        return keep("table", lambda: renderer.ask("table", bytes, name=file.name, data=as_utf8(file.data())))

    order = place.order
    if order is None:
        return render_rows(kept(), place, family=file.family)

    def sorted_rows() -> bytes:
        return renderer.ask(
            "ordered table", bytes, data=kept(), sheet=place.sheet, by=order.column, down=order.down
        )

    return render_rows(keep(f"order-{place.sheet}-{order}", sorted_rows), place, family=file.family)


def _window(file: PreviewCopy) -> int | None:
    """Bytes of one part of a text that is rendered part by part; None for what is rendered as a whole."""
    if file.media_type != "text/plain" or file.size <= LARGE:
        return None
    if _is_tree(file) and file.size <= MOST_BYTES[file.family.value]:
        return None
    return _part_of(file)


def _part_of(file: PreviewCopy) -> int:
    """Bytes of one page of a text's rendered view, where it has pages."""
    if file.family is Family.MARKDOWN:
        return markdown.WINDOW
    if _is_tree(file) or file.family in (Family.CODE, Family.XML, Family.SVG, Family.HTML):
        return code.WINDOW
    return text.WINDOW


def _is_tree(file: PreviewCopy) -> bool:
    return file.family in (Family.JSON, Family.YAML, Family.TOML) and not is_lines_of_json(file.name)
