"""The numbers at /metrics: what this process answered, and what the database says about the rest."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from comparator import __version__
from comparator.domain.errors import ComparatorError
from comparator.reporting.operation import Operation

FRESH_SECONDS = 15.0
"""The database is asked this often at most, however often the address is."""
PAGE = "page"
AREAS = frozenset(
    {"_stcore", "auth", "changes", "health", "invitation", "live", "media", "metrics", "ready", "sign-in",
     "sign-out", "static"}
)  # fmt: skip
"""First parts of addresses; any other is a page's. Nobody can make up new ones, so the numbers stay few."""


def area_of(path: str) -> str:
    """What of the app an address belongs to; ids and tokens in it are left out.

    >>> area_of("/media/0123/view"), area_of("/history")
    ('media', 'page')
    """
    first = path.lstrip("/").partition("/")[0]
    return first if first in AREAS else PAGE


class Metrics:
    """The numbers of one process."""

    def __init__(self, look: Callable[[], Operation], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "comparator_http_requests", "Requests that were answered", ["area", "method", "status"],
            registry=self._registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "comparator_http_request_seconds", "Time to the end of the answer; area=changes are saves", ["area"],
            registry=self._registry, buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
        )  # fmt: skip
        self._open = Gauge(
            "comparator_open_pages", "Browser pages that are connected", registry=self._registry
        )
        self._errors = Counter(
            "comparator_errors", "Errors in the log of this process", registry=self._registry
        )
        Gauge("comparator_build", "The version", ["version"], registry=self._registry).labels(
            __version__
        ).set(1)
        self._registry.register(_Stored(look, clock))

    def answered(self, path: str, *, method: str, status: int, seconds: float) -> None:
        """Count one answer."""
        area = area_of(path)
        self._requests.labels(area, method if method in _METHODS else "other", str(status)).inc()
        self._seconds.labels(area).observe(seconds)

    def connected(self, change: int) -> None:
        """Count a page that connects (1) or leaves (-1)."""
        self._open.inc(change)

    def handler(self) -> logging.Handler:
        """A handler of the log that counts its errors."""
        return _Counting(self._errors)

    def text(self) -> bytes:
        """All numbers as Prometheus reads them."""
        return generate_latest(self._registry)


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})


class _Counting(logging.Handler):
    def __init__(self, errors: Counter) -> None:
        super().__init__(logging.ERROR)
        self._errors = errors

    def emit(self, record: logging.LogRecord) -> None:  # noqa: ARG002  # logging's signature
        """Count it."""
        self._errors.inc()


class _Stored(Collector):
    """What the database says; where it does not answer, that is a number too."""

    def __init__(self, look: Callable[[], Operation], clock: Callable[[], float]) -> None:
        self._look, self._clock = look, clock
        self._lock = threading.Lock()
        self._last: Operation | None = None
        self._read = -FRESH_SECONDS

    def describe(self) -> list[Metric]:
        """Nothing beforehand: the database is asked only when somebody wants the numbers."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The numbers, of the last seconds at the oldest."""
        found = self._now()
        up = GaugeMetricFamily("comparator_database_up", "1 where the database answers")
        up.add_metric([], 0 if found is None else 1)
        yield up
        if found is None:
            return
        waiting = GaugeMetricFamily("comparator_comparisons", "Comparisons by status", labels=["status"])
        for status, number in found.comparisons.items():
            waiting.add_metric([status], number)
        yield waiting
        recent = "in the last hour, of all processes"
        for name, text, value in (
            ("workers", "Workers alive", found.workers),
            ("recent_readings", f"Readings by a judge {recent}", found.readings),
            ("recent_readings_failed", f"Failed ones of them {recent}", found.readings_failed),
            ("recent_reading_seconds", f"What they took together {recent}", found.reading_seconds),
            ("cost_dollars", "What judging has cost so far, in US dollars", found.cost),
        ):
            gauge = GaugeMetricFamily(f"comparator_{name}", text)
            gauge.add_metric([], value)
            yield gauge

    def _now(self) -> Operation | None:
        with self._lock:
            if self._clock() - self._read >= FRESH_SECONDS:
                self._read = self._clock()
                try:
                    self._last = self._look()
                except ComparatorError:
                    self._last = None
            return self._last
