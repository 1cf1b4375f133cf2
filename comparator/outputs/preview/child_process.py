"""Previews made in child processes with limits of time and memory, so that no output can stop or exhaust the app."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.child.frames import Frame, packed
from comparator.outputs.child.process import Child
from comparator.outputs.limits import Limits
from comparator.outputs.preview.document import NotShown, Preview
from comparator.outputs.preview.locate import QuotePlace
from comparator.outputs.preview.parts import TextPart
from comparator.outputs.preview.render import (
    Neighbours,
    instead,
    is_text,
    render,
    render_part,
    source,
    source_part,
)
from comparator.outputs.preview.tables import RowOrder
from comparator.outputs.preview.worker import unpacked_preview

CHILDREN = 2
_QUICK = 5.0
"""Seconds after which a file goes to a child of its own for what takes long, so that others wait no longer for it."""
_LARGE = 30_000_000
"""Bytes from which on a file goes there at once."""
_USES = 300
"""A child is replaced after this many answers, so that what its libraries keep does not add up."""


class Renderer:
    """Makes previews of blinded copies. Safe to use from several threads; `close` ends the processes."""

    def __init__(
        self, *, limits: Limits | None = None, children: int = CHILDREN, quick: float = _QUICK
    ) -> None:
        self._limits = limits or Limits()
        self._quick = quick
        # A child dies with the thread that started it, so each has a thread of its own that stays.
        self._threads = ThreadPoolExecutor(children, thread_name_prefix="preview")
        self._slow = ThreadPoolExecutor(1, thread_name_prefix="long preview")
        self._own = threading.local()
        self._all: list[_Used] = []

    def view(
        self, name: str, *, family: Family, media_type: str, data: bytes, page: int, neighbours: Neighbours
    ) -> Preview:
        """The rendered view; what cannot be rendered within the limits is shown as its text, with the reason."""
        pixels = media_type.startswith("image/") and media_type != "image/svg+xml"
        if family in (Family.TEXT, Family.BINARY) or pixels:
            # Nothing is parsed here beyond a picture's head.
            return render(name, family=family, media_type=media_type, data=data, page=page)
        question = {
            **_about(name, family, media_type, page),
            "ask": "view",
            "addresses": dict(neighbours.addresses),
        }
        return self._preview(question, name, media_type, data, page)

    def source(self, name: str, *, family: Family, media_type: str, data: bytes, page: int) -> Preview:
        """The source view."""
        if not is_text(media_type) or family is Family.TEXT:
            return source(name, family=family, media_type=media_type, data=data, page=page)
        return self._preview(
            {**_about(name, family, media_type, page), "ask": "source"}, name, media_type, data, page
        )

    def view_part(self, name: str, *, family: Family, media_type: str, part: TextPart) -> Preview:
        """The rendered view of a part of a text."""
        if family is Family.TEXT:
            # Nothing is parsed here.
            return render_part(name, family=family, part=part)
        return self._part("view part", name, family, media_type, part)

    def source_part(self, name: str, *, family: Family, media_type: str, part: TextPart) -> Preview:
        """The source view of a part of a text."""
        if family is Family.TEXT:
            return source_part(name, family=family, part=part)
        return self._part("source part", name, family, media_type, part)

    def table(self, name: str, data: bytes) -> bytes:
        """Delimited text as it is kept. Raises OutputRefused."""
        return self._stored({**_about(name, Family.CSV, "text/plain", 1), "ask": "table"}, data)

    def ordered(self, data: bytes, sheet: int, order: RowOrder) -> bytes:
        """A sheet of a table as it is kept, with its rows in an order. Raises OutputRefused."""
        about = _about("", Family.CSV, "text/plain", 1)
        return self._stored({**about, "ask": "ordered", "sheet": sheet, "order": str(order)}, data)

    def _stored(self, question: dict[str, Any], data: bytes) -> bytes:
        for frame in self._ask(question, data):
            if frame.head["kind"] == "table":
                return frame.body
        raise NotShown("This table cannot be read.")

    def page_picture(self, data: bytes, number: int) -> bytes:
        """A page of a PDF as PNG. Raises OutputRefused."""
        question = {**_about("", Family.PDF, "application/pdf", number), "ask": "picture"}
        for frame in self._ask(question, data):
            if frame.head["kind"] == "picture":
                return frame.body
        raise NotShown("This page cannot be drawn.")

    def words(self, data: bytes, page: int) -> bytes:
        """The words of a part of a PDF that its view leaves out: JSON of numbers and layers. Raises OutputRefused."""
        question = {**_about("", Family.PDF, "application/pdf", page), "ask": "words"}
        for frame in self._ask(question, data):
            if frame.head["kind"] == "words":
                return frame.body
        raise NotShown("The words of this part cannot be read.")

    def page(self, data: bytes, *, media_type: str) -> bytes:
        """An output's own page or drawing, as `ForeignPage` packs it. Raises OutputRefused."""
        question = {**_about("", Family.HTML, media_type, 1), "ask": "page"}
        for frame in self._ask(question, data):
            if frame.head["kind"] == "page":
                return frame.body
        raise NotShown("This page cannot be opened.")

    def locate(self, text: str, *, family: Family, media_type: str, data: bytes) -> QuotePlace | None:
        """Where a quote stands; None where it is not found."""
        question = {**_about("", family, media_type, 1), "ask": "locate", "text": text}
        try:
            for frame in self._ask(question, data):
                if frame.head["kind"] == "place":
                    return QuotePlace(frame.head["mode"], int(frame.head["page"]), frame.head["sheet"])
        except OutputRefused:
            return None
        return None

    def ask(self, task: str, body: bytes, *, seconds: float) -> tuple[Frame, ...]:
        """What a child answers to another task than previews within that time. Raises OutputRefused."""
        if len(body) > _LARGE:
            return self._slow.submit(self._answer, body, task, seconds).result()
        if seconds <= self._quick:
            return self._threads.submit(self._answer, body, task, seconds).result()
        try:
            return self._threads.submit(self._answer, body, task, self._quick).result()
        except LimitExceeded:
            # It may be large only. What takes long waits for what takes long, and for nothing else.
            return self._slow.submit(self._answer, body, task, seconds).result()

    def close(self) -> None:
        """End the threads and the processes."""
        for threads in (self._threads, self._slow):
            threads.shutdown(wait=True, cancel_futures=True)
        for used in self._all:
            used.child.close()

    def _preview(
        self, question: dict[str, Any], name: str, media_type: str, data: bytes, page: int
    ) -> Preview:
        try:
            for frame in self._ask(question, data):
                if frame.head["kind"] == "preview":
                    return unpacked_preview(frame)
        except LimitExceeded as error:
            return instead(name, f"Not rendered: {error}", media_type=media_type, data=data, page=page)
        except OutputRefused as error:
            return instead(name, str(error), media_type=media_type, data=data, page=page)
        return instead(name, "This file could not be rendered.", media_type=media_type, data=data, page=page)

    def _part(self, ask: str, name: str, family: Family, media_type: str, part: TextPart) -> Preview:
        place = [part.first_line, part.page, part.pages]
        question = {**_about(name, family, media_type, part.page), "ask": ask, "part": place}
        reason = "This part could not be rendered; shown as text."
        try:
            for frame in self._ask(question, part.data):
                if frame.head["kind"] == "preview":
                    return unpacked_preview(frame)
        except OutputRefused as error:
            reason = f"Not rendered: {error}"
        shown = render_part(name, family=Family.TEXT, part=part)
        return replace(shown, notes=(reason, *shown.notes))

    def _ask(self, question: dict[str, Any], data: bytes) -> tuple[Frame, ...]:
        return self.ask("preview", packed(question, data), seconds=self._limits.seconds_per_document)

    def _answer(self, body: bytes, task: str, seconds: float) -> tuple[Frame, ...]:
        used: _Used | None = getattr(self._own, "used", None)
        if used is None:
            used = self._own.used = _Used(Child(limits=self._limits))
            self._all.append(used)
        used.count += 1
        try:
            return tuple(used.child.run(task, body, seconds=seconds))
        finally:
            if used.count % _USES == 0:
                used.child.close()


def words_of_pdf(data: bytes, *, limits: Limits) -> bytes:
    """The words of a whole PDF as UTF-8, read in a child process of its own. Raises OutputRefused."""
    question = {**_about("", Family.PDF, "application/pdf", 1), "ask": "all words"}
    with Child(limits=limits) as child:
        frames = tuple(child.run("preview", packed(question, data), seconds=limits.seconds_per_document))
    return next((frame.body for frame in frames if frame.head["kind"] == "words"), b"")


class _Used:
    def __init__(self, child: Child) -> None:
        self.child = child
        self.count = 0


def _about(name: str, family: Family, media_type: str, page: int) -> dict[str, Any]:
    return {"name": name, "family": family.value, "media_type": media_type, "page": page}
