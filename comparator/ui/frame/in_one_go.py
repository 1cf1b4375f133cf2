"""Sends what a page draws in one go, so that the browser builds the page once.

Streamlit sends every element as soon as it is drawn, and the browser builds the page anew with each few that arrive.
Streamlit has no setting for this, so the one thing that sends is replaced here, for the time of a run.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx

HELD_SECONDS = 0.1
"""How long something that was drawn waits at most. What a slower page draws after that is sent at once."""


@contextmanager
def in_one_go() -> Iterator[None]:
    """Hold back what is drawn until the block ends, or for HELD_SECONDS."""
    context: Any = get_script_run_ctx(suppress_warning=True)
    if context is None:
        yield
        return
    send = context._enqueue  # noqa: SLF001  # it has no public name
    held = _Held(send, check=context.yield_check)
    try:
        held.start()
    except RuntimeError:
        # The system has no thread left: draw as Streamlit does.
        yield
        return
    context._enqueue = held.take  # noqa: SLF001  # it has no public name
    try:
        yield
    finally:
        held.finish()
        context._enqueue = send  # noqa: SLF001  # it has no public name


class _Held:
    """Messages in their order, and the thread that sends them.

    A run that was stopped can send nothing from its own thread, and what it drew before would be lost.
    """

    def __init__(self, send: Callable[[Any], None], *, check: Callable[[], None]) -> None:
        self._send, self._check = send, check
        self._messages: list[Any] | None = []
        self._lock = threading.Lock()
        self._drawn = threading.Event()
        self._thread = threading.Thread(target=self._release, name="in-one-go", daemon=True)
        self.start, self._join = self._thread.start, self._thread.join

    def take(self, message: Any) -> None:
        """Keep a message, or send it where no more are held back."""
        # Sending would end a run that a newer one replaces; so does this.
        self._check()
        with self._lock:
            if self._messages is not None:
                self._messages.append(message)
                if _is_said_once(message):
                    self._drawn.set()
                return
        self._send(message)

    def finish(self) -> None:
        """Send what was kept, now that all is drawn."""
        self._drawn.set()
        self._join()

    def _release(self) -> None:
        self._drawn.wait(HELD_SECONDS)
        with self._lock:
            messages, self._messages = self._messages or (), None
            for message in messages:
                self._send(message)


def _is_said_once(message: Any) -> bool:
    """Whether a message is not repeated by a newer run that replaces this one: a toast, or another address."""
    if message.WhichOneof("type") == "page_info_changed":
        return True
    return bool(message.HasField("delta") and message.delta.new_element.HasField("toast"))
