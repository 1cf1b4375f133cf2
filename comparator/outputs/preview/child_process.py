"""Previews of files as they are kept, made in child processes with limits of time and memory."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, NamedTuple, TypeVar

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.extract.images import PLAYED
from comparator.outputs.isolated.messages import TakenPicture
from comparator.outputs.isolated.process import Isolated
from comparator.outputs.limits import Limits
from comparator.outputs.preview.document import Preview, message
from comparator.outputs.preview.render import NO_SOURCE, Neighbours, instead, is_text, player
from comparator.outputs.preview.tables import Keep, PageRequest, is_table, render_rows
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv

T = TypeVar("T")
_PAGE_WIDTH = 1_100
"""Pixels of a page in the pane."""
_USES = 300
"""A child is replaced after this many answers, so that what its libraries keep does not add up."""


class PreviewCopy(NamedTuple):
    """A blinded copy, and how its bytes are read."""

    name: str
    family: Family
    media_type: str
    size: int
    data: Callable[[], bytes]


class Renderer:
    """Makes previews of blinded copies. Safe to use from several threads; `close` ends the processes."""

    def __init__(self, *, limits: Limits | None = None, children: int = 3) -> None:
        self._limits = limits or Limits()
        # A child dies with the thread that started it, so each has a thread of its own that stays.
        self._threads = ThreadPoolExecutor(children, thread_name_prefix="preview")
        self._own = threading.local()
        self._children: list[Isolated] = []

    def preview(
        self, mode: Literal["view", "source"], file: PreviewCopy, *, page: int, **given: Any
    ) -> Preview:
        """The rendered view, or the source; what cannot be rendered is shown as its text, with the reason."""
        given |= {
            "name": file.name,
            "family": file.family,
            "media_type": file.media_type,
            "data": file.data(),
        }
        try:
            return self.ask(mode, Preview, page=page, **given)
        except OutputRefused as error:
            return _preview_as_text(file, error, page=page)

    def ask(self, task: str, returns: type[T], *, seconds: float | None = None, **payload: Any) -> T:
        """What a child makes of the payload within that time, or the limit for a document. Raises OutputRefused."""

        def answered() -> T:
            own = self._own
            if not hasattr(own, "child"):
                own.child, own.uses = Isolated(limits=self._limits), 0
                self._children.append(own.child)
            own.uses += 1
            try:
                return own.child.call(task, returns, seconds=seconds, **payload)  # type: ignore[no-any-return]
            finally:
                if own.uses % _USES == 0:
                    own.child.close()

        return self._threads.submit(answered).result()

    def view(self, file: PreviewCopy, place: PageRequest, *, neighbours: Neighbours, keep: Keep) -> Preview:
        """The rendered view of a page; what cannot be rendered is shown as its text, with the reason."""
        if file.media_type == PLAYED and file.size:
            return player(file.size)
        try:
            if file.size and is_table(file.family, file.media_type):
                return self._table(file, place, keep=keep)
        except OutputRefused as error:
            return _preview_as_text(file, error, page=place.page)
        return self.preview("view", file, page=place.page, neighbours=neighbours)

    def source(self, file: PreviewCopy, place: PageRequest) -> Preview:
        """The source view of the part that is asked for."""
        if file.media_type == MEDIA_TYPE:
            data = file.data
            file = file._replace(family=Family.TEXT, media_type="text/plain", data=lambda: as_csv(data()))
        elif file.size and not is_text(file.media_type):
            return Preview(message(NO_SOURCE))
        return self.preview("source", file, page=place.page)

    def _table(self, file: PreviewCopy, place: PageRequest, *, keep: Keep) -> Preview:
        def kept() -> bytes:
            if file.media_type == MEDIA_TYPE:
                return file.data()
            return keep(
                "table",
                lambda: self.ask("table", bytes, name=file.name, family=file.family, data=file.data()),
            )

        order = place.order
        if order is None:
            return render_rows(kept(), place, family=file.family)

        def sorted_rows() -> bytes:
            by, down = order.column, order.down
            return self.ask("ordered table", bytes, data=kept(), sheet=place.sheet, by=by, down=down)

        return render_rows(keep(f"order-{place.sheet}-{order}", sorted_rows), place, family=file.family)

    def page_picture(self, document: bytes, number: int) -> bytes:
        """A PNG or JPEG picture of a page of a PDF (from 1). Raises OutputRefused."""
        picture = self.ask(
            "picture",
            TakenPicture,
            data=document,
            media_type="application/pdf",
            page=number,
            width=_PAGE_WIDTH,
        )
        return picture.block.data

    def close(self) -> None:
        """End the threads and the processes."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        for child in self._children:
            child.close()


def _preview_as_text(file: PreviewCopy, error: OutputRefused, *, page: int) -> Preview:
    """What is shown of a file that cannot be rendered, with the reason."""
    reason = f"Not rendered: {error}" if isinstance(error, LimitExceeded) else str(error)
    return instead(file.name, reason, media_type=file.media_type, data=file.data(), page=page)


def words_of_pdf(data: bytes, *, limits: Limits) -> bytes:
    """The words of a whole PDF as UTF-8, read in a child process of its own. Raises OutputRefused."""
    with Isolated(limits=limits) as child:
        return "\n".join(child.call("all words", list[str], document=data)).encode("utf-8", "replace")
