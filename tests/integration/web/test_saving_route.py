"""The address to which the score sheet sends changes: what it stores, what it answers, and whom it turns away."""

import os
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import SecretStr
from sqlalchemy import event
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from comparator.domain.rights import Role
from comparator.domain.scoring.several_judges import JudgeChoice, SeveralJudges
from comparator.judges.offline import OfflineJudge
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.people import people, sessions
from comparator.store.reviewing import reviews
from comparator.web.guards.browsers import SameOrigin
from comparator.web.review import route
from comparator.web.review.route import PATH, review_routes
from comparator.workflow.judging.asking import order
from comparator.workflow.people import sign_in as people_sessions
from comparator.workflow.people.sign_in import SignedIn, accept, hash_of, invite, revoke_invitation
from comparator.workflow.review.sheet import read_sheet
from tests.worlds.workbench import Workbench

ADDRESS = "http://testserver"
JSON = {"content-type": "application/json"}


@pytest.fixture
def judged(workbench: Workbench) -> str:
    comparison_id = workbench.submitted()
    workbench.judged(comparison_id)
    return comparison_id


def client(workbench: Workbench) -> TestClient:
    guard = Middleware(SameOrigin, hosts=frozenset({"testserver"}))
    return TestClient(Starlette(routes=review_routes(workbench.services), middleware=[guard]))


@pytest.fixture
def web(workbench: Workbench) -> Iterator[TestClient]:
    with client(workbench) as browser:
        yield browser


class Panel:
    """Where people sign in: a reviewer of the comparison's project, and one of another project."""

    def __init__(self, database: Database, blobs: BlobStore, folder: Path) -> None:
        settings = Settings(
            home=folder / "home",
            public_url=ADDRESS,
            oidc_metadata_url="http://127.0.0.1:9/openid-configuration",
            oidc_client_id="x",
            oidc_client_secret=SecretStr("x"),
            oidc_cookie_secret=SecretStr("x" * 40),
            oidc_admins="sub:olga",
        )
        self.workbench = Workbench(database, blobs, folder / "work", settings)
        self.id = self.workbench.submitted()
        self.workbench.judged(self.id)
        mine = self.workbench.services.by(self.workbench.person)
        self.project = read_sheet(mine, self.id).project_id
        other = read_sheet(mine, self.workbench.submitted(project="Another")).project_id
        self.invited = invite(mine, self.project, name="Rhea")
        self.reviewer = accept(self.workbench.services, self.invited.token)
        self.stranger = accept(self.workbench.services, invite(mine, other, name="Stan").token)


@pytest.fixture
def panel(database: Database, blobs: BlobStore, tmp_path: Path) -> Panel:
    return Panel(database, blobs, tmp_path)


def change(id: str = "c1", **values: Any) -> dict[str, Any]:
    return {"id": id, "target": "reasoning", "kind": "set", "value": "A has the table.", **values}


def payload(comparison_id: str, owner: str, *changes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"comparison": comparison_id, "owner": owner, "changes": list(changes), **more}


def stored(workbench: Workbench, comparison_id: str, person_id: str) -> list[str]:
    with workbench.services.database.read() as connection:
        review = reviews.find(connection, comparison_id, person_id=person_id)
        return [change_row.id for change_row in reviews.changes(connection, review.id)] if review else []


def test_a_person_without_a_role_is_turned_away_before_anything_is_read(panel: Panel) -> None:
    services = panel.workbench.services
    with services.write() as unit:
        people.revoke(unit, panel.reviewer.person_id, Role.REVIEWER, project_id=panel.project)
    with client(panel.workbench) as web:
        web.cookies.set("comparator_session", panel.reviewer.token)
        # What cannot be read would be answered otherwise, had it been read.
        answer = web.post(PATH, content=b"no JSON" * 20_000, headers=JSON)

    assert answer.status_code == 403
    assert "You may not review here" in answer.json()["problem"]


def test_a_change_takes_few_calls_to_the_database(workbench: Workbench, judged: str, web: TestClient) -> None:
    passed: dict[str, list[str]] = {}

    def written(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        frame = sys._getframe()
        table = statement.removeprefix("INSERT INTO ").partition(" ")[0]
        while frame := frame.f_back:  # type: ignore[assignment]
            if f"{os.sep}comparator{os.sep}" in frame.f_code.co_filename:
                passed.setdefault(table, []).append(frame.f_code.co_qualname)

    event.listen(workbench.services.database.engine, "before_cursor_execute", written)
    web.post(PATH, json=payload(judged, workbench.person, change(target="winner", value="B")))
    finalise = {"id": "f", "name": "finalise"}
    web.post(PATH, json=payload(judged, workbench.person, commands=[finalise]))

    assert 0 < len(passed["change"]) <= 10, passed["change"]
    assert 0 < len(passed["finalisation"]) <= 14, passed["finalisation"]


def test_a_change_is_answered_with_the_sheet(workbench: Workbench, judged: str, web: TestClient) -> None:
    answer = web.post(PATH, json=payload(judged, workbench.person, change()))

    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    sheet = answer.json()["sheet"]
    assert sheet["saved"] == stored(workbench, judged, workbench.person) == ["c1"]
    assert sheet["prose"]["reasoning"] == "A has the table."
    assert answer.json()["refused"] == []
    now = read_sheet(workbench.me, judged)
    assert datetime.fromisoformat(sheet["read_at"]) <= now.read_at
    # One that is sent twice is stored once, and each of two to one value is kept.
    more = change("c2", value="Better."), change("c3", value="Best.")
    again = web.post(PATH, json=payload(judged, workbench.person, change(), *more))
    assert again.json()["sheet"]["saved"] == stored(workbench, judged, workbench.person) == ["c1", "c2", "c3"]


def test_what_does_not_fit_is_refused_in_words(workbench: Workbench, judged: str, web: TestClient) -> None:
    unfit = change("bad", target="nonsense"), change("c2", target="score:A:content.nothing", value=3)
    finalise = {"id": "f", "name": "finalise"}
    answer = web.post(PATH, json=payload(judged, workbench.person, *unfit, change(), commands=[finalise]))

    assert stored(workbench, judged, workbench.person) == ["c1"]
    assert not answer.json()["sheet"]["finalised"]
    why = {refusal["id"]: refusal["why"] for refusal in answer.json()["refused"]}
    assert why.keys() == {"bad", "c2"}
    assert "content.nothing" in why["c2"]


def test_what_is_no_list_of_changes_is_turned_away(
    workbench: Workbench, judged: str, web: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = workbench.person
    monkeypatch.setattr(route, "LONGEST_BODY", 10_000)
    bodies = (b"", b"[]", b"{", b"[" * 9_000, b"x" * 20_000)
    for body in bodies:
        answer = web.post(PATH, content=body, headers=JSON)
        assert answer.status_code == 400, body[:10]
        assert answer.json()["problem"]
    assert web.post(PATH, json={**payload(judged, me), "changes": "all"}).status_code == 400
    assert web.post(PATH, json=payload(["x"], me)).status_code == 400  # type: ignore[arg-type]
    assert web.post(PATH, json=payload("nothing", me, change())).status_code == 404
    surrogate = b'{"owner": "%s", "comparison": "\\ud800"}' % me.encode()
    assert web.post(PATH, content=surrogate, headers=JSON).status_code == 404
    # What a form of another website could send.
    assert web.post(PATH, data={"comparison": judged}).status_code == 400
    foreign = web.post(PATH, json=payload(judged, me, change()), headers={"origin": "https://evil.example"})
    assert foreign.status_code == 403
    assert stored(workbench, judged, me) == []


def cookies(person: SignedIn) -> dict[str, str]:
    return {"cookie": f"comparator_session={person.token}"}


def test_a_reviewer_saves_in_their_own_project_and_name_only(panel: Panel) -> None:
    reviewer, stranger = panel.reviewer, panel.stranger
    with client(panel.workbench) as web:
        mine = payload(panel.id, reviewer.person_id, change())
        assert web.post(PATH, json=mine).status_code == 403
        assert web.post(PATH, json=mine, headers=cookies(stranger)).status_code == 409
        theirs = payload(panel.id, stranger.person_id, change())
        assert web.post(PATH, json=theirs, headers=cookies(stranger)).status_code == 403
        assert stored(panel.workbench, panel.id, stranger.person_id) == []

        assert web.post(PATH, json=mine, headers=cookies(reviewer)).status_code == 200
        assert stored(panel.workbench, panel.id, reviewer.person_id) == ["c1"]

        revoke_invitation(panel.workbench.services.by(panel.workbench.person), panel.invited.invitation.id)
        later = payload(panel.id, reviewer.person_id, change("c2"))
        late = web.post(PATH, json=later, headers=cookies(reviewer))
        assert late.status_code == 403
        assert "ign in again" in late.json()["problem"]
    assert stored(panel.workbench, panel.id, reviewer.person_id) == ["c1"]


@pytest.mark.parametrize(("kind", "scores_first"), [(None, False), ("offline", False), ("anthropic", True)])
def test_the_review_begins_as_it_goes_on_whether_or_not_the_judge_has_read_the_pair(
    workbench: Workbench, web: TestClient, kind: Literal["offline", "anthropic"] | None, scores_first: bool
) -> None:
    comparison_id = workbench.submitted()
    if kind:
        panel = SeveralJudges(id="asked", members=(JudgeChoice(kind=kind, model="m"),))
        with workbench.services.write() as unit:
            order(unit.by(workbench.person), comparison_id, panel)

    def begins() -> bool:
        sent = payload(comparison_id, workbench.person, whole=True)
        return bool(web.post(PATH, json=sent).json()["scores_first"])

    before = begins()
    workbench.judged(comparison_id, None if kind == "anthropic" else OfflineJudge())

    assert (before, begins()) == (scores_first, scores_first)


def test_a_bug_is_told_with_a_number_and_not_with_its_words(
    workbench: Workbench, judged: str, web: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("secret words")

    monkeypatch.setattr(route, "record", broken)
    answer = web.post(PATH, json=payload(judged, workbench.person, change()))

    assert answer.status_code == 500
    assert "secret words" not in answer.text


def test_saving_keeps_a_sign_in_from_ending(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_sessions, "SEEN_EVERY", timedelta(0))

    def seen() -> datetime | None:
        with panel.workbench.services.database.read() as connection:
            session = sessions.find(connection, hash_of(panel.reviewer.token))
        return session.seen_at if session else None

    before = seen()
    with client(panel.workbench) as web:
        web.cookies.set("comparator_session", panel.reviewer.token)
        assert web.post(PATH, json=payload(panel.id, panel.reviewer.person_id, change())).status_code == 200
    after = seen()
    assert before
    assert after
    assert after > before
