"""The attack on the real server: every address and message, by everybody, forged and replayed, in two browsers.

What is sent is counted and printed (`make soak ARGS="tests/attack -s"`).
"""

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from comparator.web.monitoring import MONITORING
from tests.attack.marionette import Firefox
from tests.attack.place import PROVIDERS, SECRET, Place, attacked
from tests.browser.conftest import browser
from tests.browser.hostile.attacker import Attacker, every_kind, rerun, shown
from tests.browser.servers.real_app import WAIT
from tests.browser.servers.serving import ROOT
from tests.worlds.files.outputs_markers import found_in

__all__ = ["browser"]

pytestmark = [pytest.mark.soak, pytest.mark.timeout(600)]
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE")
OWN = ("queue", "review", "new", "batches", "import", "panel", "history", "dashboards", "judge", "settings")
STREAMLITS = (
    *("metrics", "host-config", "health", "script-health-check", "allowed-message-origins", "stream"),
    *("upload_file/x/y", "bidi-components/x/y.js", "agent/x", "component/x"),
)
WAYS = (
    *("view", "source", "download", "image", "play", "diagram/1.png", "page/1.png", "words"),
    *("locate?text=visible", "live", "picture", "", "view?page=2&theme=dark", "view?sort=1"),
    *("differences/{other}/summary", "differences/{other}/a", "differences/{other}/b?row=1"),
    *("page", "page?scripts=1", "modes", "page/../told.md"),
)
TRICKS = (
    "/static/../outputs/{id}/view",
    "/static/%2e%2e/outputs/{id}/view",
    "/static/..%2foutputs/{id}/view",
    "//outputs/{id}/view",
    "/outputs//{id}/view",
    "/OUTPUTS/{id}/view",
    "/outputs/{id}%00/view",
    "/live/../outputs/{id}/view",
    "/outputs/{id}/differences%2f{other}/a",
    "/_stcore/health/../../outputs/{id}/view",
)
FORWARDED = {
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-host": "localhost",
    "x-original-url": "/_stcore/health",
}


@pytest.fixture(scope="module", params=sorted(PROVIDERS))
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with attacked(tmp_path_factory.mktemp("attack"), request.param) as server:
        yield server


@pytest.fixture(scope="module")
def sent(place: Place) -> Iterator[Counter[str]]:
    counted: Counter[str] = Counter()
    yield counted
    print(f"\nattack on {place.markers} marked places: {dict(counted)}, {counted.total():,} in all")  # noqa: T201 - it is asked for


@pytest.fixture(scope="module")
def people(place: Place) -> Iterator[dict[str, Attacker]]:
    """Nobody, everybody without a role, a reviewer of another project, a reviewer of this one, and an admin."""
    with ExitStack() as stack:
        attackers = {"nobody": stack.enter_context(Attacker(place.url))}
        for subject in (*place.outsiders, "stan", "rhea", "olga"):
            attackers[subject] = stack.enter_context(Attacker(place.url))
            attackers[subject].sign_in(subject)
        yield attackers


def addresses(place: Place, *, every_file: bool) -> list[str]:
    """All addresses of the server; with the ways to every file, or else to a few and one way to each of the others.

    Whoever may see no file is refused by its id alone, before the way counts.
    """
    first, other = place.files[0], place.files[-1]
    whole = place.files if every_file else (first, other)
    files = [
        *(f"/outputs/{file}/view" for file in place.files if file not in whole),
        *(
            f"/outputs/{file}/{way.format(other=other)}"
            for file in (*whole, place.comparison, "x" * 20)
            for way in WAYS
        ),
    ]
    return [
        "/",
        *(f"/{page}?c={place.comparison}" for page in OWN),
        *(f"/_stcore/{name}" for name in STREAMLITS),
        *("/media/x.json", "/static/index.html", "/app/static/x", "/component/x/y", "/healthz", "/changes"),
        *("/sign-in", "/sign-out", "/auth/login", "/auth/logout", "/oauth2callback", "/invitation"),
        *("/invitation/exchange.js", "/live/x/y", "/favicon.png", *MONITORING),
        *files,
        *(trick.format(id=first, other=other) for trick in TRICKS),
    ]


def test_every_address_and_method_gives_nobody_what_is_not_theirs(
    place: Place, people: dict[str, Attacker], sent: Counter[str]
) -> None:
    markers: dict[str, set[str]] = {name: set() for name in people}
    got: dict[str, set[str]] = {name: set() for name in people}
    for name, who in people.items():
        if name == "olga":
            continue
        headers = FORWARDED if name == "nobody" else {}
        requests = [
            (method, address)
            for address in addresses(place, every_file=name == "rhea")
            # Signing out, and whatever ends a sign-in, has a test of its own.
            for method in (
                ("GET",) if address.startswith(("/outputs", "/auth", "/sign", "/oauth")) else METHODS
            )
        ]
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda one: who.asks(*one, headers=headers), requests))  # noqa: B023 - used at once
        for (method, address), answer in zip(requests, answers, strict=True):
            sent["requests"] += 1
            assert answer.status_code < 500, (name, method, address)
            markers[name] |= found_in(answer.content)
            if answer.status_code == 200 and address.startswith(("/outputs", "/media", "/_stcore/upload")):
                got[name].add(address)
    outside = ("nobody", *place.outsiders)
    assert {name: markers[name] for name in markers if markers[name]} == {}
    for name in (*outside, "stan"):
        assert got[name] == set(), name
    assert len(got["rhea"]) > 50


def test_addresses_that_were_passed_on_are_asked_for_anew(
    place: Place, people: dict[str, Attacker], sent: Counter[str]
) -> None:
    mine = [f"/outputs/{file}/source" for file in place.files]
    assert any(people["rhea"].asks("GET", address).status_code == 200 for address in mine)
    for name in ("nobody", *place.outsiders, "stan"):
        for address in mine:
            sent["requests"] += 1
            assert people[name].asks("GET", address).status_code == 403, (name, address)


def test_no_message_exceeds_a_role(place: Place, people: dict[str, Attacker], sent: Counter[str]) -> None:
    for name in ("nobody", *place.outsiders):
        with people[name].connected() as line:
            sent["connections"] += 1
            assert line is None, name
    for name in ("stan", "rhea"):
        with people[name].connected() as line:
            assert line is not None
            frames = shown(line, rerun())
            for page in OWN:
                request = rerun()
                request.rerun_script.page_name = page
                request.rerun_script.query_string = f"c={place.comparison}"
                frames += shown(line, request)
                sent["messages"] += 1
            for message in every_kind().values():
                line.send(message.SerializeToString())
                sent["messages"] += 1
            for number in range(100):
                # Cut and changed messages end the connection or are dropped; the server goes on.
                body = bytearray(rerun().SerializeToString() + BackMsg(clear_cache=True).SerializeToString())
                body[number % len(body)] ^= 1 << number % 8
                with people[name].connected() as other:
                    assert other is not None
                    other.send(bytes(body[: number % len(body) + 1]))
                    sent["messages"] += 1
            frames += shown(line, rerun())
        assert found_in(frames) == set(), name
        if name == "stan":
            assert b"You may not open this comparison" in frames
    log_text = place.logs[1].read_text("utf-8", "replace")
    assert "clear_cache was refused" in log_text
    # Streamlit tells of each message that is none; nothing of ours fails over one.
    assert f'File "{ROOT / "comparator"}' not in log_text


def test_forged_cookies_let_nobody_in(place: Place, people: dict[str, Attacker], sent: Counter[str]) -> None:
    rhea = people["rhea"].cookies()
    name, value = next((n, v) for n, v in rhea.items() if n.startswith("_streamlit_user"))
    claims = json.dumps(
        {"origin": place.url, "is_logged_in": True, "iss": "x", "sub": "olga", "iat": 9_999_999_999}
    )
    # The last letter of a signature holds few of its bits: several letters mean the same there.
    forged = [f"{value[:-2]}{'A' if value[-2] != 'A' else 'B'}{value[-1]}", value[::-1], "", "x", claims]
    forged += [value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :] for at in range(0, len(value) - 1, 7)]
    forged += [
        create_signed_value(secret, name, claims).decode()
        for secret in ("", "x", "streamlit", "secret", "cookie_secret", "default")
    ]
    for cookie in forged:
        with Attacker(place.url) as thief:
            thief.client.cookies.set(name, cookie)
            sent["forged"] += 1
            assert not thief.gets_in(), cookie[:40]
    with Attacker(place.url) as thief:
        thief.client.cookies.update(rhea)
        assert thief.gets_in()
        page = Attacker(place.url)
        with page:
            page.client.cookies.update(rhea)
            assert page.asks("POST", "/sign-out", data={"token": "0" * 64}).status_code == 405
    for secret in ("0" * 43, "", "x" * 5_000, "../" * 20):
        answer = people["nobody"].asks("POST", "/invitation", data={"token": secret})
        sent["forged"] += 1
        assert answer.status_code in (403, 413), answer.status_code
    body = {"owner": "x", "comparison": place.comparison, "changes": []}
    for who in ("nobody", *place.outsiders, "stan", "rhea"):
        sent["forged"] += 1
        assert people[who].asks("POST", "/changes", json=body).status_code in (403, 409)
    log_text = "".join(log.read_text("utf-8", "replace") for log in place.logs)
    assert SECRET not in log_text


def test_other_websites_and_other_names_of_the_server_are_not_answered(
    place: Place, people: dict[str, Attacker], sent: Counter[str]
) -> None:
    olga = people["olga"]
    for host in ("evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", ""):
        sent["requests"] += 1
        assert olga.asks("GET", "/", headers={"host": host}).status_code in (400, 403), host
    for origin in ("https://evil.example", "null", place.url.replace("127.0.0.1", "evil.example")):
        sent["connections"] += 1
        with olga.connected(origin=origin) as line:
            assert line is None, origin


JUST_ADDRESSES = "return performance.getEntriesByType('resource').map(each => each.name)"


def test_a_reviewer_finds_no_marker_in_chromium(place: Place, browser: Browser, sent: Counter[str]) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        bodies: list[bytes] = []
        page.on("websocket", lambda line: line.on("framereceived", lambda data: bodies.append(_bytes(data))))
        page.on("response", lambda answer: sent.update(["Chromium"]))
        foreign: list[str] = []
        page.on("request", lambda request: foreign.append(request.url))
        page.goto(place.url)
        page.get_by_role("link", name="Sign in").click(timeout=WAIT)
        page.get_by_placeholder("sub").fill("rhea", timeout=WAIT)
        page.get_by_role("button", name="Authorize", exact=True).click()
        expect(page.get_by_text("Sign out")).to_be_visible(timeout=WAIT)
        asked_here = len(foreign)
        for address in OWN:
            page.goto(f"{place.url}/{address}?c={place.comparison}")
            # Where there is little room, the button waits behind the menu.
            expect(page.get_by_text("Sign out")).to_be_attached(timeout=WAIT)
            page.wait_for_load_state("networkidle")
            bodies += [frame.content().encode() for frame in page.frames]
        # Everything that the server gives this browser for each file.
        for file in place.files:
            for way in ("view", "source", "download"):
                answer = context.request.get(f"{place.url}/outputs/{file}/{way}")
                sent["Chromium"] += 1
                bodies.append(answer.body())
        assert found_in(b"\n".join(bodies)) == set()
        assert [
            url for url in foreign[asked_here:] if not url.startswith((place.url, "data:", "blob:"))
        ] == []


def test_a_reviewer_finds_no_marker_in_firefox(place: Place, tmp_path: Path, sent: Counter[str]) -> None:
    with Attacker(place.url) as rhea, Firefox(tmp_path) as fox:
        rhea.sign_in("rhea")
        fox.opens(f"{place.url}/_stcore/health")
        for name, value in rhea.cookies().items():
            fox.asks("WebDriver:AddCookie", cookie={"name": name, "value": value, "path": "/"})
        bodies = []
        for address in OWN:
            fox.opens(f"{place.url}/{address}?c={place.comparison}")
            fox.waits("return document.body.innerText.includes('Sign out')")
            bodies.append(str(fox.runs("return document.documentElement.outerHTML")).encode())
            loaded = fox.runs(JUST_ADDRESSES)
            sent["Firefox"] += 1 + len(loaded)
            assert [url for url in loaded if not url.startswith((place.url, "data:", "blob:"))] == []
        for file in place.files:
            for way in ("view", "source"):
                fox.opens(f"{place.url}/outputs/{file}/{way}")
                bodies.append(str(fox.runs("return document.documentElement.outerHTML")).encode())
                sent["Firefox"] += 1
        assert fox.runs("return document.cookie").find("comparator") < 0
        assert found_in(b"\n".join(bodies)) == set()


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data
