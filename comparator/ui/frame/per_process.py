"""What a process has one of, whatever its pages' caches do: anyone who may send messages can have those cleared."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_lock = threading.RLock()
_every: list[Once[Any]] = []


class Once(Generic[T]):
    """Makes its value when first asked for it, and keeps it until the process ends; then `end` is called with it.

    As a decorator it keeps the name and the words of the function. A value that could not be made is tried again.
    """

    def __init__(self, make: Callable[[], T], *, end: Callable[[T], None] | None = None) -> None:
        self._make, self._end = make, end
        self._made: tuple[T] | None = None
        self.__doc__ = make.__doc__
        _every.append(self)

    def __call__(self) -> T:
        """The one value."""
        if self._made is None:
            with _lock:
                if self._made is None:
                    self._made = (self._make(),)
        return self._made[0]

    def release(self) -> None:
        """End the value; the next call makes another."""
        with _lock:
            holder, self._made = self._made, None
            if holder is not None and self._end is not None:
                self._end(holder[0])


def release_all() -> None:
    """End everything that was made, the last one first; for the end of the process, and between tests."""
    for value in reversed(_every):
        value.release()


atexit.register(release_all)
