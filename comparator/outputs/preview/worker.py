"""The reading child's side of previews: everything that parses what may be hostile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import astuple
from typing import Any

from comparator.domain.errors import OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.child.frames import Frame, unpacked
from comparator.outputs.preview.document import Preview, Span
from comparator.outputs.preview.locate import locate
from comparator.outputs.preview.parts import TextPart
from comparator.outputs.preview.pdf import all_words, page_picture, read_words
from comparator.outputs.preview.render import Neighbours, render, render_part, source, source_part
from comparator.outputs.preview.tables import RowOrder, stored
from comparator.outputs.preview.text import as_utf8
from comparator.outputs.preview.web.page import SVG, foreign_drawing, foreign_page
from comparator.outputs.tables.store import ordered


def answer(body: bytes) -> Iterator[Frame]:
    """The frames that answer a packed question; the last one has the kind `done`."""
    question, data = unpacked(body)
    about: dict[str, Any] = {
        "family": Family(question["family"]),
        "media_type": str(question["media_type"]),
        "data": data,
    }
    try:
        match question["ask"]:
            case "view":
                neighbours = Neighbours(question["addresses"])
                yield from _preview(
                    render(question["name"], page=question["page"], neighbours=neighbours, **about)
                )
            case "view part":
                yield from _preview(
                    render_part(question["name"], part=_part(question, data), family=about["family"])
                )
            case "source part":
                yield from _preview(
                    source_part(question["name"], part=_part(question, data), family=about["family"])
                )
            case "table":
                yield Frame({"kind": "table"}, stored(question["name"], as_utf8(data)))
            case "ordered":
                order = RowOrder.asked(question["order"])
                if order is not None:
                    rows = ordered(data, question["sheet"], order.column, down=order.down)
                    yield Frame({"kind": "table"}, rows)
            case "source":
                yield from _preview(source(question["name"], page=question["page"], **about))
            case "picture":
                yield Frame({"kind": "picture"}, page_picture(data, question["page"]))
            case "words":
                layers = read_words(data, question["page"])
                yield Frame({"kind": "words"}, json.dumps(layers).encode("utf-8", "replace"))
            case "all words":
                yield Frame({"kind": "words"}, all_words(data).encode("utf-8", "replace"))
            case "page":
                page = foreign_drawing(data) if question["media_type"] == SVG else foreign_page(data)
                yield Frame({"kind": "page"}, page.packed())
            case "locate":
                place = locate(question["text"], **about)
                if place is not None:
                    yield Frame(
                        {"kind": "place", "mode": place.mode, "page": place.page, "sheet": place.sheet}
                    )
    except OutputRefused as reason:
        yield Frame({"kind": "problem", "sentence": str(reason)})
        return
    yield Frame({"kind": "done"})


def unpacked_preview(frame: Frame) -> Preview:
    """The preview that a frame of the kind `preview` carries."""
    head = frame.head
    span = head["span"]
    return Preview(
        frame.body.decode("utf-8", "replace"),
        tuple(str(note) for note in head["notes"]),
        int(head["page"]),
        int(head["pages"]),
        Span(*span) if span else None,
    )


def _part(question: dict[str, Any], data: bytes) -> TextPart:
    return TextPart(data, *question["part"])


def _preview(preview: Preview) -> Iterator[Frame]:
    yield Frame(
        {
            "kind": "preview",
            "notes": list(preview.notes),
            "page": preview.page,
            "pages": preview.pages,
            "span": None if preview.span is None else list(astuple(preview.span)),
        },
        preview.body.encode("utf-8", "replace"),
    )
