"""The reading child's side of previews: everything that parses what may be hostile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import astuple, fields
from typing import Any

from comparator.domain.pair.view import Family
from comparator.outputs.child.frames import Frame, unpacked
from comparator.outputs.preview.document import NotShown, Preview, Span
from comparator.outputs.preview.locate import locate
from comparator.outputs.preview.parts import TextPart
from comparator.outputs.preview.pdf import all_words, page_picture, read_words
from comparator.outputs.preview.render import Neighbours, render, render_part, source, source_part
from comparator.outputs.preview.tables.paging import RowOrder, TableSlice
from comparator.outputs.preview.tables.table import render_slice
from comparator.outputs.preview.text import as_utf8
from comparator.outputs.preview.written.diagram import MOST_DIAGRAMS, diagrams


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
                neighbours = Neighbours(
                    question["addresses"], bool(question["drawn"]), tuple(question["sheets"])
                )
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
            case "rows":
                rows = _unpacked_slice(question["slice"], data)
                yield from _preview(render_slice(question["name"], rows, family=about["family"]))
            case "rank":
                # Arrow takes a tenth of a second to load, and few tables are sorted.
                from comparator.outputs.preview.tables.arrow import ranked

                order = RowOrder.asked(question["order"])
                if order is not None:
                    numbers = ranked(question["name"], data, family=about["family"], order=order)
                    yield Frame({"kind": "order"}, numbers)
            case "source":
                yield from _preview(source(question["name"], page=question["page"], **about))
            case "picture":
                yield Frame({"kind": "picture"}, page_picture(data, question["page"]))
            case "words":
                layers = read_words(data, question["page"])
                yield Frame({"kind": "words"}, json.dumps(layers).encode("utf-8", "replace"))
            case "all words":
                yield Frame({"kind": "words"}, all_words(data).encode("utf-8", "replace"))
            case "diagrams":
                found = diagrams(as_utf8(data).decode("utf-8", "replace"))[:MOST_DIAGRAMS]
                yield Frame({"kind": "diagrams"}, json.dumps(found).encode())
            case "locate":
                place = locate(question["text"], **about)
                if place is not None:
                    yield Frame(
                        {"kind": "place", "mode": place.mode, "page": place.page, "sheet": place.sheet}
                    )
    except NotShown as reason:
        yield Frame({"kind": "problem", "sentence": str(reason)})
        return
    yield Frame({"kind": "done"})


def packed_slice(rows: TableSlice) -> tuple[dict[str, Any], bytes]:
    """The rows of a page as a head and bytes."""
    pieces = (rows.heading, *rows.rows, *rows.formulas)
    values = {each.name: getattr(rows, each.name) for each in fields(rows)}
    values |= {"heading": None, "rows": len(rows.rows), "formulas": None, "order": str(rows.order or "")}
    return {"lengths": [len(piece) for piece in pieces], "fields": values}, b"".join(pieces)


def unpacked_preview(frame: Frame) -> Preview:
    """The preview that a frame of the kind `preview` carries."""
    head = frame.head
    span = head["span"]
    return Preview(
        frame.body.decode("utf-8", "replace"),
        tuple(str(note) for note in head["notes"]),
        int(head["page"]),
        int(head["pages"]),
        bool(head["plain"]),
        Span(*span) if span else None,
        tuple((str(kind), str(name), str(value)) for kind, name, value in head["data"]),
    )


def _unpacked_slice(head: dict[str, Any], data: bytes) -> TableSlice:
    pieces, at = [], 0
    for length in head["lengths"]:
        pieces.append(data[at : at + length])
        at += length
    values = head["fields"]
    end = values["rows"] + 1
    own = {"heading": pieces[0], "rows": tuple(pieces[1:end]), "formulas": tuple(pieces[end:])}
    return TableSlice(**values | own | {"order": RowOrder.asked(values["order"])})


def _part(question: dict[str, Any], data: bytes) -> TextPart:
    return TextPart(data, *question["part"])


def _preview(preview: Preview) -> Iterator[Frame]:
    yield Frame(
        {
            "kind": "preview",
            "notes": list(preview.notes),
            "page": preview.page,
            "pages": preview.pages,
            "plain": preview.plain,
            "span": None if preview.span is None else list(astuple(preview.span)),
            "data": [list(entry) for entry in preview.data],
        },
        preview.body.encode("utf-8", "replace"),
    )
