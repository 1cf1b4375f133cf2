"""The durable queue (DBOS) that hands pairs to workers, and on to others where one is gone.

It says who works at what, and nothing else: what was ordered, paid and came is in our own tables, which each work item
asks. So the queue may be lost or lag behind. See docs/decisions/0006-bulk-judging.md.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

# The queue imports it in a thread of its own; half imported, it breaks the queries of all other threads.
import sqlalchemy.orm

from comparator.domain.errors import StoreError
from comparator.store.bulk.batch_items import WaitingPair
from comparator.store.core.database import BUSY_SECONDS
from comparator.workflow.services import Services

if TYPE_CHECKING:
    # It takes a second to import.
    from dbos import DBOSClient

NAME = "comparator"
SCHEMA = "comparator_jobs"
"""Of the queue's tables on PostgreSQL."""
SINGLES, PAIRS, WORK_ITEM = "single_pairs", "pairs", "read_pair"
"""Two queues, so that a pair that somebody waits for finds a free place."""
FORMAT = "3"
"""Of a work item and its names. Workers of one format share the queue, whatever their version of the program is."""
POLL_SECONDS = 0.1
_WAITS, _TAKEN, _ENDED = "ENQUEUED", "PENDING", ("SUCCESS", "ERROR", "CANCELLED")
_MIDDLE = 1 << 20
_SWEEP = 500
"""After so many work items those that have ended are forgotten."""


class QueueUnusable(StoreError):
    """The queue cannot be read or written; the message says what to do."""


class WorkItem(NamedTuple):
    """A pair that is in the queue; `worker` is None while nobody has taken it."""

    id: str
    batch_id: str
    comparison_id: str
    worker: str | None


def place_of(services: Services) -> sa.URL:
    """Where the queue is: a file of its own beside a SQLite database, else a schema of its own in the database."""
    url = services.database.engine.url
    if url.get_backend_name() != "sqlite":
        return url
    path = Path(str(url.database))
    return url.set(database=str(path.with_name(f"{path.stem}-jobs.db")))


class WorkQueue:
    """The queue as one worker sees it, which reads up to `at_once` pairs. A process has at most one at a time."""

    def __init__(
        self, services: Services, *, worker: str, at_once: int, read: Callable[[str, str], Awaitable[None]]
    ) -> None:
        self._engine, self._new_id = _engine(place_of(services)), services.new_id
        self._worker, self._at_once, self._read = worker, at_once, read
        self._client: DBOSClient | None = None
        self._launched = False
        self._offered = 0

    def prepare(self) -> None:
        """Make or upgrade the queue's tables, once. Raises QueueUnusable where that cannot be done."""
        if self._client is not None:
            return
        from dbos import DBOS, DBOSClient, DBOSPortableJSONSerializer

        with _queue_errors(self._engine.url):
            logger = logging.getLogger("dbos")
            logger.setLevel(logging.WARNING)
            # Its own handler writes to what standard error was when it was imported.
            logger.handlers.clear()
            logger.propagate = True
            DBOS.migrate(self._address, schema=SCHEMA)
            # Unlike the one that takes work items, it does not wait for ever for a database that is gone.
            client = DBOSClient(
                system_database_engine=self._engine,
                dbos_system_schema=SCHEMA,
                serializer=DBOSPortableJSONSerializer(),
                application_name=NAME,
                retry_connection_errors=False,
            )
            for queue in (SINGLES, PAIRS):
                client.register_queue(
                    queue, worker_concurrency=self._at_once, polling_interval_sec=POLL_SECONDS
                )
            self._client = client
            self._sweep()

    def launch(self) -> None:
        """Begin to take work items, in the event loop that runs; once."""
        if self._launched:
            return
        from dbos import DBOS, DBOSPortableJSONSerializer

        with _queue_errors(self._engine.url):
            DBOS(
                config={
                    "name": NAME,
                    "system_database_url": self._address,
                    "system_database_engine": self._engine,
                    "dbos_system_schema": SCHEMA,
                    "executor_id": self._worker,
                    "application_version": FORMAT,
                    "serializer": DBOSPortableJSONSerializer(),
                    "use_listen_notify": False,
                    # There are none to listen to, and who stops a worker waits for so long.
                    "notification_listener_polling_interval_sec": 0.1,
                    "run_migrations": False,
                    "log_level": "WARNING",
                }
            )

            @DBOS.workflow(name=WORK_ITEM)
            async def work_item(batch_id: str, comparison_id: str) -> None:
                await self._read(batch_id, comparison_id)

            DBOS.launch()
        self._launched = True

    def live(self) -> tuple[WorkItem, ...]:
        """The work items of this format that wait or that somebody has taken. Raises QueueUnusable."""
        with _queue_errors(self._engine.url):
            found = self._queue.list_workflows(
                status=[_WAITS, _TAKEN], app_version=FORMAT, load_input=False, load_output=False
            )
        items = []
        for each in found:
            batch_id, comparison_id, _ = each.workflow_id.split("/")
            taken = each.status == _TAKEN
            items.append(
                WorkItem(each.workflow_id, batch_id, comparison_id, each.executor_id if taken else None)
            )
        return tuple(items)

    def offer(self, pairs: Sequence[WaitingPair]) -> None:
        """Put pairs into the queue, the more urgent batch first; one that stands in it stays as it is."""
        with _queue_errors(self._engine.url):
            for pair in pairs:
                place = f"{pair.batch_id}/{pair.comparison_id}"
                self._queue.enqueue(
                    {
                        "workflow_name": WORK_ITEM,
                        "queue_name": SINGLES if pair.single else PAIRS,
                        "workflow_id": f"{place}/{self._new_id()}",
                        # Workers of one format do not take what stands there in another.
                        "deduplication_id": f"{place}@{FORMAT}",
                        "duplication_policy": "return-existing",
                        # The smallest number goes first.
                        "priority": max(1, _MIDDLE - pair.priority),
                        "app_version": FORMAT,
                    },
                    pair.batch_id,
                    pair.comparison_id,
                )
            self._offered += len(pairs)
            if self._offered >= _SWEEP:
                self._offered = 0
                self._sweep()

    def hand_on(self, items: Collection[WorkItem]) -> None:
        """Let others have these work items; one that has ended meanwhile stays ended."""
        if items:
            with _queue_errors(self._engine.url):
                self._queue.resume_workflows([item.id for item in items], queue_name=PAIRS)

    def close(self) -> None:
        """Take no more work items."""
        if self._client is not None:
            from dbos import DBOS

            DBOS.destroy(destroy_registry=True)
            with _queue_errors(self._engine.url):
                self._sweep()
            self._client.destroy()
            self._client = None
        self._engine.dispose()

    @property
    def _address(self) -> str:
        return self._engine.url.render_as_string(hide_password=False)

    @property
    def _queue(self) -> DBOSClient:
        assert self._client is not None
        return self._client

    def _sweep(self) -> None:
        """Forget work items that have ended."""
        while ended := self._queue.list_workflows(
            status=list(_ENDED), limit=_SWEEP, load_input=False, load_output=False
        ):
            self._queue.delete_workflows([each.workflow_id for each in ended])


def _engine(url: sa.URL) -> sa.Engine:
    if url.get_backend_name() != "sqlite":
        return sa.create_engine(url, pool_size=4, max_overflow=0, pool_pre_ping=True)
    engine = sa.create_engine(url, pool_size=4, connect_args={"timeout": BUSY_SECONDS})

    def connected(connection: Any, _entry: object) -> None:
        connection.isolation_level = "IMMEDIATE"
        connection.execute("PRAGMA journal_mode=WAL")
        # What a power cut takes away is handed out anew; the app's own commits need not wait for the disk twice.
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")

    sa.event.listen(engine, "connect", connected)
    return engine


@contextmanager
def _queue_errors(url: sa.URL) -> Iterator[None]:
    from dbos import error

    try:
        yield
    except (error.DBOSException, sa.exc.SQLAlchemyError) as problem:
        first_line = str(problem).strip().partition("\n")[0]
        if url.get_backend_name() == "sqlite":
            advice = (
                f"It is the file {url.database}: check that it may be written and its disk has room. If it is "
                "damaged, stop all workers and delete it; the next one recreates it, and nothing is lost."
            )
        else:
            advice = (
                "Check that the database runs and its disk has room. "
                f"Its user needs a schema: CREATE SCHEMA {SCHEMA} AUTHORIZATION the_user."
            )
        raise QueueUnusable(f"The queue of the workers cannot be used ({first_line}). {advice}") from problem
