"""The reading child's side of previews: everything that parses what may be hostile."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any

from comparator.domain.view import Family
from comparator.outputs.extract.wire import Frame
from comparator.outputs.preview.document import NotShown, Preview
from comparator.outputs.preview.locate import locate
from comparator.outputs.preview.pdf import page_picture
from comparator.outputs.preview.render import Beside, render, source

_LENGTH = struct.Struct(">I")


def packed(question: dict[str, Any], data: bytes) -> bytes:
    """A question about a file, with the file, as one body."""
    head = json.dumps(question).encode()
    return _LENGTH.pack(len(head)) + head + data


def answer(body: bytes) -> Iterator[Frame]:
    """The frames that answer a packed question; the last one has the kind `done`."""
    (length,) = _LENGTH.unpack_from(body)
    start = _LENGTH.size + length
    question = json.loads(body[_LENGTH.size : start])
    data = body[start:]
    about: dict[str, Any] = {
        "family": Family(question["family"]),
        "media_type": str(question["media_type"]),
        "data": data,
    }
    try:
        match question["ask"]:
            case "view":
                beside = Beside(question["addresses"], question["sheets"])
                yield from _preview(render(question["name"], page=question["page"], beside=beside, **about))
            case "source":
                yield from _preview(source(question["name"], page=question["page"], **about))
            case "picture":
                yield Frame({"kind": "picture"}, page_picture(data, question["page"]))
            case "locate":
                place = locate(question["text"], **about)
                if place is not None:
                    yield Frame({"kind": "place", "mode": place.mode, "page": place.page})
    except NotShown as reason:
        yield Frame({"kind": "problem", "sentence": str(reason)})
        return
    yield Frame({"kind": "done"})


def _preview(preview: Preview) -> Iterator[Frame]:
    yield Frame(
        {
            "kind": "preview",
            "notes": list(preview.notes),
            "page": preview.page,
            "pages": preview.pages,
            "plain": preview.plain,
        },
        preview.body.encode("utf-8", "replace"),
    )
