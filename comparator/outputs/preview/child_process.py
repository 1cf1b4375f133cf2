"""Previews made in child processes with limits of time and memory, so that no output can stop or exhaust the app."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar, cast

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.isolated.process import Isolated
from comparator.outputs.limits import Limits
from comparator.outputs.preview.document import Preview
from comparator.outputs.preview.locate import QuotePlace
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
from comparator.outputs.preview.text import TextPart, as_utf8
from comparator.outputs.preview.web.page import SVG, ForeignPage

T = TypeVar("T")
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
        about = {"name": name, "media_type": media_type, "data": data, "page": page}
        return self._preview("view", about, family=family, neighbours=neighbours)

    def source(self, name: str, *, family: Family, media_type: str, data: bytes, page: int) -> Preview:
        """The source view."""
        if not is_text(media_type) or family is Family.TEXT:
            return source(name, family=family, media_type=media_type, data=data, page=page)
        about = {"name": name, "media_type": media_type, "data": data, "page": page}
        return self._preview("source", about, family=family)

    def view_part(self, name: str, *, family: Family, part: TextPart) -> Preview:
        """The rendered view of a part of a text."""
        if family is Family.TEXT:
            # Nothing is parsed here.
            return render_part(name, family=family, part=part)
        return self._part("view part", name, family, part)

    def source_part(self, name: str, *, family: Family, part: TextPart) -> Preview:
        """The source view of a part of a text."""
        if family is Family.TEXT:
            return source_part(name, family=family, part=part)
        return self._part("source part", name, family, part)

    def table(self, name: str, data: bytes) -> bytes:
        """Delimited text as it is kept. Raises OutputRefused."""
        return self._ask("table", bytes, name=name, data=as_utf8(data))

    def ordered(self, data: bytes, sheet: int, order: RowOrder) -> bytes:
        """A sheet of a table as it is kept, with its rows in an order. Raises OutputRefused."""
        return self._ask("ordered table", bytes, data=data, sheet=sheet, by=order.column, down=order.down)

    def page_picture(self, data: bytes, number: int) -> bytes:
        """A page of a PDF as PNG. Raises OutputRefused."""
        return self._ask("page", bytes, data=data, number=number)

    def words(self, data: bytes, page: int) -> bytes:
        """The words of a part of a PDF that its view leaves out: JSON of numbers and layers. Raises OutputRefused."""
        layers = self._ask("words of pages", list[tuple[int, str]], data=data, page=page)
        return json.dumps(layers).encode("utf-8", "replace")

    def page(self, data: bytes, *, media_type: str) -> bytes:
        """An output's own page or drawing, as `ForeignPage` packs it. Raises OutputRefused."""
        task = "own drawing" if media_type == SVG else "own page"
        return self._ask(task, ForeignPage, data=data).packed()

    def locate(self, text: str, *, family: Family, media_type: str, data: bytes) -> QuotePlace | None:
        """Where a quote stands; None where it is not found."""
        # Types of nothing but None cannot be named otherwise.
        returns = cast("type[QuotePlace | None]", QuotePlace | None)
        try:
            return self._ask("place", returns, text=text, family=family, media_type=media_type, data=data)
        except OutputRefused:
            return None

    def ask(self, task: str, returns: type[T], *, seconds: float, **payload: Any) -> T:
        """What a child makes of the payload within that time. Raises OutputRefused."""

        def answered(within: float) -> T:
            return self._answer(lambda child: child.call(task, returns, seconds=within, **payload))

        given = (getattr(each, "data", each) for each in payload.values())
        if sum(len(each) for each in given if isinstance(each, bytes)) <= _LARGE:
            try:
                return self._threads.submit(answered, min(seconds, self._quick)).result()
            except LimitExceeded:
                if seconds <= self._quick:
                    raise
        # What takes long waits for what takes long, and for nothing else.
        return self._slow.submit(answered, seconds).result()

    def close(self) -> None:
        """End the threads and the processes."""
        for threads in (self._threads, self._slow):
            threads.shutdown(wait=True, cancel_futures=True)
        for used in self._all:
            used.child.close()

    def _preview(self, task: str, about: dict[str, Any], **more: object) -> Preview:
        try:
            return self._ask(task, Preview, **about, **more)
        except LimitExceeded as error:
            reason = f"Not rendered: {error}"
        except OutputRefused as error:
            reason = str(error)
        name, given = about["name"], {key: about[key] for key in ("media_type", "data", "page")}
        return instead(name, reason, **given)

    def _part(self, task: str, name: str, family: Family, part: TextPart) -> Preview:
        try:
            return self._ask(task, Preview, name=name, family=family, part=part)
        except OutputRefused as error:
            shown = render_part(name, family=Family.TEXT, part=part)
            return replace(shown, notes=(f"Not rendered: {error}", *shown.notes))

    def _ask(self, task: str, returns: type[T], **payload: Any) -> T:
        return self.ask(task, returns, seconds=self._limits.seconds_per_document, **payload)

    def _answer(self, ask: Callable[[Isolated], T]) -> T:
        used: _Used | None = getattr(self._own, "used", None)
        if used is None:
            used = self._own.used = _Used(Isolated(limits=self._limits))
            self._all.append(used)
        used.count += 1
        try:
            return ask(used.child)
        finally:
            if used.count % _USES == 0:
                used.child.close()


def words_of_pdf(data: bytes, *, limits: Limits) -> bytes:
    """The words of a whole PDF as UTF-8, read in a child process of its own. Raises OutputRefused."""
    with Isolated(limits=limits) as child:
        return "\n".join(child.call("all words", list[str], document=data)).encode("utf-8", "replace")


class _Used:
    def __init__(self, child: Isolated) -> None:
        self.child = child
        self.count = 0
