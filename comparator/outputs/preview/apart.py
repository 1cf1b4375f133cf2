"""Previews made in child processes with limits of time and memory, so that no output can stop or exhaust the app."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.domain.view import Family
from comparator.outputs.child import Child
from comparator.outputs.extract.wire import Frame
from comparator.outputs.limits import Limits
from comparator.outputs.preview.document import NotShown, Preview
from comparator.outputs.preview.locate import Place
from comparator.outputs.preview.render import Beside, instead, is_text, render, source
from comparator.outputs.preview.worker import packed

CHILDREN = 2
_USES = 300
"""A child is replaced after this many answers, so that what its libraries keep does not add up."""


class Renderer:
    """Makes previews of blinded copies. Safe to use from several threads; `close` ends the processes."""

    def __init__(self, *, limits: Limits | None = None, children: int = CHILDREN) -> None:
        self._limits = limits or Limits()
        # A child dies with the thread that started it, so each has a thread of its own that stays.
        self._children = children
        self._threads = ThreadPoolExecutor(children, thread_name_prefix="preview")
        self._own = threading.local()
        self._all: list[_Used] = []

    def view(
        self, name: str, *, family: Family, media_type: str, data: bytes, page: int, beside: Beside
    ) -> Preview:
        """The rendered view; what cannot be rendered within the limits is shown as its text, with the reason."""
        if family in (Family.TEXT, Family.BINARY) or media_type.startswith("image/"):
            # Nothing is parsed here beyond a picture's head.
            return render(name, family=family, media_type=media_type, data=data, page=page)
        question = {
            **_about(name, family, media_type, page),
            "ask": "view",
            "addresses": dict(beside.addresses),
            "sheets": dict(beside.sheets),
        }
        return self._preview(question, name, media_type, data, page)

    def source(self, name: str, *, family: Family, media_type: str, data: bytes, page: int) -> Preview:
        """The source view."""
        if not is_text(media_type) or family is Family.TEXT:
            return source(name, family=family, media_type=media_type, data=data, page=page)
        return self._preview(
            {**_about(name, family, media_type, page), "ask": "source"}, name, media_type, data, page
        )

    def page_picture(self, data: bytes, number: int) -> bytes:
        """A page of a PDF as PNG. Raises OutputRefused."""
        question = {**_about("", Family.PDF, "application/pdf", number), "ask": "picture"}
        for frame in self._ask(question, data):
            if frame.head["kind"] == "picture":
                return frame.body
        raise NotShown("This page cannot be drawn.")

    def locate(self, text: str, *, family: Family, media_type: str, data: bytes) -> Place | None:
        """Where a quote stands; None where it is not found."""
        question = {**_about("", family, media_type, 1), "ask": "locate", "text": text}
        try:
            for frame in self._ask(question, data):
                if frame.head["kind"] == "place":
                    return Place(frame.head["mode"], int(frame.head["page"]))
        except OutputRefused:
            return None
        return None

    def warm(self) -> None:
        """Start the processes now, so that the first output does not wait for them."""
        question = {
            **_about("", Family.MARKDOWN, "text/plain", 1),
            "ask": "view",
            "addresses": {},
            "sheets": {},
        }
        for _ in range(self._children):
            self._threads.submit(self._answer, packed(question, b"```python\n1\n```"))

    def close(self) -> None:
        """End the threads and the processes."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        for used in self._all:
            used.child.close()

    def _preview(
        self, question: dict[str, Any], name: str, media_type: str, data: bytes, page: int
    ) -> Preview:
        try:
            for head, body in self._ask(question, data):
                if head["kind"] == "preview":
                    return Preview(
                        body.decode("utf-8", "replace"),
                        tuple(str(note) for note in head["notes"]),
                        int(head["page"]),
                        int(head["pages"]),
                        bool(head["plain"]),
                    )
        except LimitExceeded as error:
            return instead(name, f"Not rendered: {error}", media_type=media_type, data=data, page=page)
        except OutputRefused as error:
            return instead(name, str(error), media_type=media_type, data=data, page=page)
        return instead(name, "This file could not be rendered.", media_type=media_type, data=data, page=page)

    def _ask(self, question: dict[str, Any], data: bytes) -> tuple[Frame, ...]:
        return self._threads.submit(self._answer, packed(question, data)).result()

    def _answer(self, body: bytes) -> tuple[Frame, ...]:
        used: _Used | None = getattr(self._own, "used", None)
        if used is None:
            used = self._own.used = _Used(Child(limits=self._limits))
            self._all.append(used)
        used.count += 1
        try:
            return tuple(used.child.run("preview", body, seconds=self._limits.seconds_per_document))
        finally:
            if used.count % _USES == 0:
                used.child.close()


class _Used:
    def __init__(self, child: Child) -> None:
        self.child = child
        self.count = 0


def _about(name: str, family: Family, media_type: str, page: int) -> dict[str, Any]:
    return {"name": name, "family": family.value, "media_type": media_type, "page": page}
