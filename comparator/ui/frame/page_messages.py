"""Sends what a page draws in one go, so that the browser builds the page once.

Streamlit sends every element as soon as it is drawn, and the browser rebuilds the page each time a few arrive. There is
no setting for this, so this module replaces the function that sends while a page runs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx

MOST_SECONDS = 0.1
"""The longest that an element waits. After that, a slow page sends each element as it is drawn."""


@contextmanager
def sent_together() -> Iterator[None]:
    """Hold back what is drawn until the block ends, but for no more than MOST_SECONDS."""
    context: Any = get_script_run_ctx(suppress_warning=True)
    if context is None:
        yield
        return
    send = context._enqueue  # noqa: SLF001  # it has no public name
    waiting = _Waiting(send, check=context.yield_check)
    try:
        waiting.start()
    except RuntimeError:
        # The system has no thread left: let Streamlit send each element.
        yield
        return
    context._enqueue = waiting.take  # noqa: SLF001  # it has no public name
    try:
        yield
    finally:
        waiting.finish()
        context._enqueue = send  # noqa: SLF001  # it has no public name


class _Waiting(threading.Thread):
    """Keeps messages in their order, and sends them from this thread.

    A stopped run cannot send from its own thread, so what it had drawn would be lost.
    """

    def __init__(self, send: Callable[[Any], None], *, check: Callable[[], None]) -> None:
        super().__init__(name="page-messages", daemon=True)
        self._send, self._check = send, check
        self._messages: list[Any] | None = []
        self._lock = threading.Lock()
        self._drawn = threading.Event()

    def take(self, message: Any) -> None:
        """Keep a message, or send it if messages are no longer held back."""
        # Streamlit ends a run that was stopped or replaced when it sends; a kept message has to end it too.
        self._check()
        if message.WhichOneof("type") == "page_info_changed":
            # A newer run that replaces this one would not send a new address again. The browser builds nothing for it.
            self._send(message)
            return
        with self._lock:
            if self._messages is not None:
                self._messages.append(message)
                if _is_toast(message):
                    self._drawn.set()
                return
        self._send(message)

    def finish(self) -> None:
        """Send what was kept, now that everything is drawn."""
        self._drawn.set()
        self.join()

    def run(self) -> None:
        """Send what was kept, once everything is drawn or MOST_SECONDS are over."""
        self._drawn.wait(MOST_SECONDS)
        with self._lock:
            messages, self._messages = self._messages or (), None
            for message in messages:
                self._send(message)


def _is_toast(message: Any) -> bool:
    """Whether the message is a toast, which a newer run that replaces this one would not send again."""
    return bool(message.HasField("delta") and message.delta.new_element.HasField("toast"))
