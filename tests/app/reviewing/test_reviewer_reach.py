"""What a reviewer of an open project can reach: no candidate, no other review, no gold label, by any route."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from comparator.bootstrap import load_settings
from comparator.domain.errors import InputError, RightsError
from comparator.domain.labels import LabelKind, Winner
from comparator.domain.rights import Act, Role
from comparator.domain.themes import Codebook
from comparator.jobs.guidance import adopt, keep, project_guidance
from comparator.store.pairs import comparisons, labels, outputs, tasks
from comparator.store.people import people, projects
from comparator.store.reviewing.notes import NoteKind
from comparator.ui.frame import session
from comparator.web import server
from comparator.web.media.files import PREFIX, StoredMedia
from comparator.web.review.route import PATH as SAVING
from comparator.web.sign_in import link_of
from comparator.web.start import own_routes, rules_of
from comparator.workflow.exporting.comparison_json import provenance_json, result_json, write_files
from comparator.workflow.judging.asking import ask
from comparator.workflow.people.people import audit_log, give_role, may, may_see_output, members_of, take_role
from comparator.workflow.people.sign_in import (
    LinkState,
    SignedIn,
    accept,
    invitations_of,
    invite,
    invite_again,
    person_of_session,
    revoke_invitation,
)
from comparator.workflow.projects.reveal import reveal, revealed_names
from comparator.workflow.projects.settings import add_check, change_settings, remove_check, save_view
from comparator.workflow.review.review import answer, finalise, record
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from comparator.workflow.themes import save_codebook
from tests.app.conftest import finalised, judged, open_page
from tests.browser.servers.signing import environment

GOLD, OTHERS = "goldmark-77", "othermark-55"
SECRETS = ("quillwort", "saxifrage", GOLD, OTHERS)
VIEW = "viewmark-33"
CHECK: Any = {"name": "checkmark-22", "pattern": "x+", "is_regex": True, "match_case": True}
PAGES = sorted(path.stem for path in (Path(__file__).parents[3] / "pages").glob("*.py"))


class Planted:
    """An open comparison with a key, a gold label, and somebody else's final review; and a reviewer of its project."""

    def __init__(self, services: Services, comparison_id: str) -> None:
        self.services, self.id = services, comparison_id
        self.lead = session.me().id
        with services.write() as unit:
            self.comparison = comparisons.get(unit.connection, comparison_id)
            self.project = projects.get(unit.connection, self.comparison.project_id).id
            gold: Any = {"kind": LabelKind.GOLD, "author": GOLD, "winner": Winner.A, "source": GOLD}
            labels.add(unit, comparison_id, **gold, blind=None)
            self.reviewer = people.ensure_person(unit, "oidc:test|rhea", name="Rhea").id
            self.stranger = people.ensure_person(unit, "oidc:test|stan", name="Stan").id
            other = projects.ensure_project(unit, "Another project").id
            version = tasks.get_version(unit.connection, self.comparison.task_version_id)
            self.other, self.task = other, version.task_id
            self.files = [
                file.id
                for view in (self.comparison.view_a, self.comparison.view_b)
                for file in outputs.list_files(unit.connection, view)
            ]
        self.file = self.files[0]
        give_role(services.by(self.lead), self.reviewer, Role.REVIEWER, project_id=self.project)
        give_role(services.by(self.lead), self.stranger, Role.REVIEWER, project_id=other)
        change_settings(services.by(self.lead), self.project, reviews_needed=2)
        finalised(services, comparison_id, says=OTHERS)
        save_view(services.by(self.lead), self.project, name=VIEW, address="winner=A")
        self.check = add_check(services.by(self.lead), self.project, **CHECK).id


@pytest.fixture
def planted(app: AppTest, pair: tuple[Path, Path], services: Services) -> Planted:
    return Planted(services, judged(pair))


def act_as(monkeypatch: pytest.MonkeyPatch, person_id: str, name: str) -> None:
    monkeypatch.setattr(session, "identity", lambda: session.Me(person_id, name))


def everything(app: AppTest) -> str:
    """Every element's message to the browser, as text."""
    told = "\n".join(str(getattr(element, "proto", "")) for element in app._tree)
    return told + json.dumps({key: str(value) for key, value in app.query_params.items()})


def test_no_page_tells_a_reviewer_a_candidate_another_review_or_a_gold_label(
    app: AppTest, planted: Planted, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert OTHERS in everything(open_page(app, "review", c=planted.id))
    act_as(monkeypatch, planted.reviewer, "Rhea")

    seen = {name: everything(open_page(app, name, c=planted.id, project=planted.project)) for name in PAGES}

    told = [(name, secret) for name, text in seen.items() for secret in SECRETS if secret in text.lower()]
    assert not told
    assert "Harvest" in seen["review"] or "harvest" in seen["review"]
    closed = {name for name, text in seen.items() if "not for your role" in text}
    assert closed == set(PAGES) - {"queue", "review", "help"}
    assert [link.label for link in app.sidebar.page_link] == ["Queue", "Help"]


def test_a_stranger_opens_nothing_here(
    app: AppTest, planted: Planted, monkeypatch: pytest.MonkeyPatch
) -> None:
    act_as(monkeypatch, planted.stranger, "Stan")

    text = everything(open_page(app, "review", c=planted.id, project=planted.project))

    assert "You may not open this comparison" in text
    assert "harvest" not in text.lower()

    # Once all is revealed here, a lead of the other project is told no results of this one's tasks.
    reveal(planted.services.by(planted.lead), planted.id)
    give_role(planted.services.by(planted.lead), planted.stranger, Role.LEAD, project_id=planted.other)
    text = everything(open_page(app, "history", task=planted.task, project=planted.other))
    assert "No comparison" in text
    assert not [word for word in (*SECRETS, "timeline") if word in text.lower()]
    # Nor does any page list what its leads keep there, whatever the address asks for.
    seen = {name: everything(open_page(app, name, c=planted.id, project=planted.project)) for name in PAGES}
    words = (*SECRETS, "harvest", VIEW, CHECK["name"])
    assert [(name, word) for name, text in seen.items() for word in words if word in text.lower()] == []


def test_no_use_case_does_for_a_reviewer_what_is_a_leads(planted: Planted, tmp_path: Path) -> None:
    services, me, id = planted.services, planted.reviewer, planted.id
    calls = (
        lambda: result_json(services.by(me), id),
        lambda: provenance_json(services.by(me), id),
        lambda: write_files(services.by(me), id, target=tmp_path),
        lambda: reveal(services.by(me), id),
        lambda: revealed_names(services.by(me), id),
        lambda: ask(services.by(me), id),
        lambda: change_settings(services.by(me), planted.project, show_reference=False),
        lambda: invite(services.by(me), planted.project, name="Eve"),
        lambda: invitations_of(services.by(me), planted.project),
        lambda: give_role(services.by(me), me, Role.LEAD, project_id=planted.project),
        lambda: audit_log(services.by(me), project_id=planted.project),
        lambda: members_of(services.by(me), project_id=planted.project),
        lambda: answer(services.by(planted.stranger), id, NoteKind.FLAG),
        lambda: record(services.by(planted.stranger), id, ()),
        lambda: finalise(services.by(planted.stranger), id),
        lambda: read_sheet(services.by(planted.stranger), id),
        # The right is asked for before anything is counted, told or tried.
        lambda: add_check(services.by(me), planted.project, **CHECK | {"pattern": "("}),
        lambda: remove_check(services.by(me), planted.check),
        lambda: save_view(services.by(me), planted.project, name="Mine", address="q=1"),
        lambda: save_view(services.by(me), planted.project, name=VIEW, address=None),
        lambda: keep(services.by(me), planted.project, "Length earns nothing.", author="x"),
        lambda: project_guidance(services.by(me), planted.project),
        lambda: adopt(services.by(me), planted.project, None),
        lambda: save_codebook(services.by(me), planted.project, (), before=Codebook()),
    )

    for call in calls:
        with pytest.raises(RightsError):
            call()

    answer(services.by(me), id, NoteKind.FLAG)
    assert OTHERS not in read_sheet(services.by(me), id).model_dump_json()


def test_the_services_of_a_page_may_do_nothing_until_they_act_for_somebody(planted: Planted) -> None:
    for use_case in (result_json, provenance_json, revealed_names, read_sheet, finalise):
        with pytest.raises(RightsError):
            use_case(session.services(), planted.id)


@pytest.fixture
def web(services: Services, planted: Planted, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """The server's own routes behind the gate, where people sign in."""
    variables = environment(services.settings.home, port=1, provider_port=9)
    for name, value in (variables | {"COMPARATOR_PUBLIC_URL": "http://testserver"}).items():
        monkeypatch.setenv(name, value)
    signing = Services(settings=load_settings(), database=services.database, blobs=services.blobs)
    # Streamlit's own part needs a runtime; everything else is what the server is made of.
    monkeypatch.setattr("comparator.web.server.App", lambda _script, secrets, **parts: Starlette(**parts))
    # It signs the way to the provider with a secret that only a runtime has read.
    monkeypatch.setattr("comparator.web.sign_in.provider_token", str)
    app = server.create_app(
        Path("app.py"),
        media=StoredMedia(signing),
        rules=rules_of(signing),
        routes=own_routes(signing),
        access=server.Access(names=frozenset({"testserver"})),
    )
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def entered(planted: Planted, project_id: str) -> SignedIn:
    """A new reviewer of this project, who came by a link."""
    made = invite(planted.services.by(planted.lead), project_id, name="Expert")
    return accept(planted.services, made.token)


def walk(web: TestClient, planted: Planted, owner: str) -> dict[str, Any]:
    """The answer of every address of the server, each with ids of the open pair; as a page of `owner` asks."""
    parts = {"file_id": planted.files[0], "other_id": planted.files[1], "side": "a", "number": "1"}
    body = {"owner": owner, "comparison": planted.id, "changes": []}
    told: dict[str, Any] = {}
    app = web.app
    assert isinstance(app, Starlette)
    for route in app.routes:
        assert isinstance(route, Route)
        address = re.sub(r"{(\w+)(:\w+)?}", lambda found: parts.get(found[1], "x"), route.path)
        for method in sorted((route.methods or set()) - {"HEAD"}):
            if method == "POST" and route.path == SAVING:
                answer = web.post(address, json=body)
            else:
                answer = web.request(method, f"{address}?text=harvest&theme=light&page=1")
            told[f"{method} {address}"] = answer
    return told


def test_no_address_of_the_server_tells_more_than_the_outputs(web: TestClient, planted: Planted) -> None:
    services = planted.services
    with services.database.read() as connection:
        (elsewhere,) = (p.id for p in projects.all_projects(connection) if p.id != planted.project)
    open_to_all = {
        "GET /health",
        "GET /invitation",
        "POST /invitation",
        "GET /invitation/exchange.js",
        # The library that draws diagrams, and its frame.
        "GET /live/mermaid/",
        "GET /live/mermaid/x.js",
        "GET /live/x/",
        "GET /live/x/x",
        "GET /modules/x/x",
        "GET /ready",
        "GET /sign-in",
    }

    nobody = walk(web, planted, planted.reviewer)
    assert {name for name, told in nobody.items() if told.status_code == 200} <= open_to_all
    assert nobody["GET /live/x/"].status_code != 200
    assert {name for name, told in nobody.items() if told.status_code not in (401, 403)} <= open_to_all
    for project_id, seen in ((elsewhere, False), (planted.project, True)):
        expert = entered(planted, project_id)
        web.cookies.set("comparator_session", expert.token)
        answers = walk(web, planted, expert.person_id)
        # The page is the same empty document for everybody with a role.
        told = (
            {name for name, answer in answers.items() if answer.status_code == 200} - open_to_all - {"GET /"}
        )
        assert len(answers) >= 20
        assert bool(told) == seen
        assert ("POST /changes" in told) == seen
        assert not [n for n, answer in answers.items() if answer.status_code >= 500]
        everything_told = "\n".join(f"{a.text}{a.headers}".lower() for a in answers.values())
        assert [secret for secret in SECRETS if secret in everything_told] == []
        # Another person's page in this browser saves nothing, and is told nothing.
        assert walk(web, planted, planted.lead)["POST /changes"].status_code == 409


def test_addresses_of_outputs_ask_for_the_session_and_the_project(web: TestClient, planted: Planted) -> None:
    services = planted.services
    mine = invite(services.by(planted.lead), planted.project, name="Expert")
    assert link_of("http://x", mine.token).partition("#")[2] == mine.token

    assert web.get("/media/abc.json").status_code == 403
    assert web.put("/_stcore/upload_file/s/f", content=b"x").status_code == 403

    assert web.get("/invitation").status_code == 200
    entered = web.post("/invitation", data={"token": mine.token})
    assert entered.json() == {"ok": True}
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert web.get(f"{PREFIX}/{planted.file}/source").status_code == 200
    for unknown in ("x" * 20, planted.id):
        assert web.get(f"{PREFIX}/{unknown}/view").status_code == 403

    # A second use of the link, an ended invitation, and somebody of another project.
    assert web.post("/invitation", data={"token": mine.token}).status_code == 403
    revoke_invitation(services.by(planted.lead), mine.invitation.id)
    assert web.get(f"{PREFIX}/{planted.file}/source").status_code == 403
    assert not may_see_output(services, planted.stranger, planted.file)


def test_an_invitation_is_kept_by_its_hash_and_ends_with_all_links_of_its_person(
    planted: Planted,
) -> None:
    services, lead = planted.services, planted.services.by(planted.lead)
    made = invite(lead, planted.project, name="Expert")
    with services.database.read() as connection:
        stored = str(connection.exec_driver_sql("SELECT * FROM invitation").fetchall())
    assert made.token not in stored
    assert hashlib.sha256(made.token.encode()).hexdigest() in stored

    first = accept(services, made.token)
    again = invite_again(lead, made.invitation.id)
    with pytest.raises(InputError, match="was revoked"):
        # Another tab, with the list as it was.
        invite_again(lead, made.invitation.id)
    assert person_of_session(services, first.token) is None
    second = accept(services, again.token)
    expert = services.by(second.person_id)
    assert second.person_id == first.person_id == person_of_session(services, second.token)
    assert may(expert, Act.REVIEW, project_id=planted.project)
    assert not may(expert, Act.READ, project_id=None)

    # Whichever of the person's is revoked, the newest does not outlive it.
    revoke_invitation(lead, made.invitation.id)
    assert person_of_session(services, second.token) is None
    assert not may(expert, Act.REVIEW, project_id=planted.project)
    assert {one.state for one in invitations_of(lead, planted.project)} == {LinkState.REVOKED}


def test_a_link_dies_with_the_right_of_whoever_made_it(planted: Planted) -> None:
    services, admin, lead = planted.services, planted.lead, planted.stranger
    give_role(services.by(admin), lead, Role.LEAD, project_id=planted.project)
    used, unused, own = (
        invite(services.by(by), planted.project, name=name)
        for name, by in (("Ada", lead), ("Eve", lead), ("Ida", admin))
    )
    expert = accept(services, used.token)

    take_role(services.by(admin), lead, Role.LEAD, project_id=planted.project)

    with pytest.raises(RightsError, match="cannot be used"):
        accept(services, unused.token)
    links = {each.invitation.name: each.state for each in invitations_of(services.by(admin), planted.project)}
    assert links == {
        "Ada": LinkState.USED,
        "Eve": LinkState.DISOWNED,
        "Ida": LinkState.OPEN,
    }
    # Who came in before stays, by a role of their own; an admin ends that, and lets in whom they want.
    assert person_of_session(services, expert.token) == expert.person_id
    again = invite_again(services.by(admin), unused.invitation.id)
    for link in (again, own):
        accept(services, link.token)


def test_a_link_asks_before_it_changes_who_somebody_is(web: TestClient, planted: Planted) -> None:
    services = planted.services
    first, second = (invite(services.by(planted.lead), planted.project, name=name) for name in ("Ada", "Eve"))
    assert web.post("/invitation", data={"token": first.token}).json() == {"ok": True}
    ada = web.cookies["comparator_session"]

    asked = web.post("/invitation", data={"token": second.token}).json()

    assert not asked["ok"]
    assert "signed in as Ada" in asked["question"]
    assert asked["answer"] == "Sign in as Eve"
    assert web.cookies["comparator_session"] == ada
    assert person_of_session(services, ada)

    web.cookies.set("_streamlit_user", "whoever signed in with the provider")
    said = web.post("/invitation", data={"token": second.token, "leave": "1"})
    assert said.json() == {"ok": True}
    assert any(
        cookie.startswith('_streamlit_user=""') and "Max-Age=0" in cookie
        for cookie in said.headers.get_list("set-cookie")
    )
    assert web.cookies["comparator_session"] != ada
    assert person_of_session(services, ada) is None
