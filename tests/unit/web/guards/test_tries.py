"""Who tries to come in too often waits; nobody else does."""

from collections import Counter

import pytest
from starlette.types import Message, Receive, Scope, Send

from comparator.web.guards.browsers import COUNTED, Tries, address_of
from comparator.workflow.people.sign_in import MOST
from tests.worlds.judging.gate_rules import rules


class Server:
    """Counts what passes, and lets everybody try so often; `who` is the person of every browser."""

    def __init__(self, *, who: str | None = None, proxies: int = 0) -> None:
        self.who = who
        self.made: Counter[str] = Counter()
        found = rules(person=lambda _cookies: self.who, may_try=self.may_try)
        self.tries = Tries(self.app, rules=found, proxies=proxies)

    def may_try(self, whose: str) -> bool:
        self.made[whose] += 1
        return self.made[whose] <= MOST

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def ask(self, method: str, path: str, *, at: str = "10.0.0.1", noted: str = "") -> int:
        told: list[int] = []

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                told.append(message["status"])

        async def receive() -> Message:
            return {"type": "http.request"}

        headers = [(b"x-forwarded-for", noted.encode())] if noted else []
        scope = {"type": "http", "method": method, "path": path, "client": (at, 1), "headers": headers}
        await self.tries(scope, receive, send)
        return told[0]


@pytest.mark.parametrize(("method", "path"), sorted(COUNTED))
async def test_an_address_that_tries_too_often_waits_and_no_other_does(method: str, path: str) -> None:
    server = Server()
    for _ in range(MOST):
        assert await server.ask(method, path) == 200
    assert await server.ask(method, path) == 429
    assert await server.ask(method, path, at="10.0.0.2") == 200
    assert await server.ask("GET", "/static/x.js") == 200
    assert sum(server.made.values()) == MOST + 2


async def test_a_person_who_tries_too_often_waits_whatever_the_address() -> None:
    server = Server(who="mallory")
    for number in range(MOST):
        assert await server.ask("POST", "/invitation", at=f"10.0.1.{number}") == 200
    assert await server.ask("POST", "/invitation", at="10.0.2.1") == 429
    server.who = "olga"
    assert await server.ask("POST", "/invitation", at="10.0.2.1") == 200


async def test_what_anybody_can_write_into_a_header_counts_for_nothing() -> None:
    server = Server()
    for number in range(MOST):
        assert await server.ask("POST", "/invitation", noted=f"10.9.9.{number}") == 200
    assert await server.ask("POST", "/invitation", noted="10.9.8.1") == 429


async def test_behind_a_proxy_the_address_that_it_noted_counts() -> None:
    server = Server(proxies=1)
    for number in range(MOST):
        assert await server.ask("POST", "/invitation", noted=f"10.9.9.{number}, 192.0.2.7") == 200
    assert await server.ask("POST", "/invitation", noted="10.9.8.1, 192.0.2.7") == 429
    assert await server.ask("POST", "/invitation", noted="192.0.2.8") == 200


@pytest.mark.parametrize(
    ("client", "found"),
    [
        (("2001:db8:1:2:3::4", 1), "2001:db8:1:2::/64"),
        (("10.0.0.1", 1), "10.0.0.1"),
        (None, "unknown"),
        (("not an address", 1), "unknown"),
    ],
)
def test_a_household_of_ipv6_is_one_address(client: tuple[str, int] | None, found: str) -> None:
    assert address_of({"type": "http", "client": client, "headers": []}, proxies=0) == found
