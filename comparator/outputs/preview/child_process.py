"""Previews made in child processes with limits of time and memory, so that no output can stop or exhaust the app."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, TypeVar

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.isolated.process import Isolated
from comparator.outputs.isolated.results import ShownPicture
from comparator.outputs.limits import Limits
from comparator.outputs.preview.document import Preview
from comparator.outputs.preview.render import instead, is_text, render, source

T = TypeVar("T")
_PAGE_WIDTH = 1_100
"""Pixels of a page in the pane."""
_QUICK = 5.0
"""Seconds after which a file goes to a child of its own for what takes long, so that others wait no longer for it."""
_LARGE = 30_000_000
"""Bytes from which on a file goes there at once."""
_USES = 300
"""A child is replaced after this many answers, so that what its libraries keep does not add up."""


class Renderer:
    """Makes previews of blinded copies. Safe to use from several threads; `close` ends the processes."""

    def __init__(self, *, limits: Limits | None = None, children: int = 2, quick: float = _QUICK) -> None:
        self._limits = limits or Limits()
        self._quick = quick
        # A child dies with the thread that started it, so each has a thread of its own that stays.
        self._threads = ThreadPoolExecutor(children, thread_name_prefix="preview")
        self._slow = ThreadPoolExecutor(1, thread_name_prefix="long preview")
        self._own = threading.local()
        self._children: list[Isolated] = []

    def shown(
        self, mode: Literal["view", "source"], name: str, *, family: Family, media_type: str, **given: Any
    ) -> Preview:
        """The rendered view, or the source; what cannot be rendered is shown as its text, with the reason.

        `given` is what `render` and `source` take besides.
        """
        pixels = media_type.startswith("image/") and media_type != "image/svg+xml"
        plain = (
            family in (Family.TEXT, Family.BINARY) or pixels or (mode == "source" and not is_text(media_type))
        )
        if plain:
            # Nothing is parsed here beyond a picture's head.
            function = render if mode == "view" else source
            return function(name, family=family, media_type=media_type, **given)
        try:
            return self.ask(mode, Preview, name=name, family=family, media_type=media_type, **given)
        except LimitExceeded as error:
            reason = f"Not rendered: {error}"
        except OutputRefused as error:
            reason = str(error)
        return instead(name, reason, media_type=media_type, data=given["data"], page=given["page"])

    def ask(self, task: str, returns: type[T], *, seconds: float | None = None, **payload: Any) -> T:
        """What a child makes of the payload within that time, or the limit for a document. Raises OutputRefused."""
        seconds = seconds or self._limits.seconds_per_document

        def answered(within: float) -> T:
            own = self._own
            if not hasattr(own, "child"):
                own.child, own.uses = Isolated(limits=self._limits), 0
                self._children.append(own.child)
            own.uses += 1
            try:
                return own.child.call(task, returns, seconds=within, **payload)  # type: ignore[no-any-return]
            finally:
                if own.uses % _USES == 0:
                    own.child.close()

        if sum(len(each) for each in payload.values() if isinstance(each, bytes)) <= _LARGE:
            try:
                return self._threads.submit(answered, min(seconds, self._quick)).result()
            except LimitExceeded:
                if seconds <= self._quick:
                    raise
        # What takes long waits for what takes long, and for nothing else.
        return self._slow.submit(answered, seconds).result()

    def page_picture(self, document: bytes, number: int) -> bytes:
        """A PNG or JPEG picture of a page of a PDF (from 1). Raises OutputRefused."""
        picture = self.ask(
            "picture",
            ShownPicture,
            data=document,
            media_type="application/pdf",
            page=number,
            width=_PAGE_WIDTH,
        )
        return picture.data

    def close(self) -> None:
        """End the threads and the processes."""
        for threads in (self._threads, self._slow):
            threads.shutdown(wait=True, cancel_futures=True)
        for child in self._children:
            child.close()


def words_of_pdf(data: bytes, *, limits: Limits) -> bytes:
    """The words of a whole PDF as UTF-8, read in a child process of its own. Raises OutputRefused."""
    with Isolated(limits=limits) as child:
        return "\n".join(child.call("all words", list[str], document=data)).encode("utf-8", "replace")
