"""Hostile words as names, prompts, rationales and reasons are words and nothing else on every page of the real app."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from comparator.bootstrap import open_services
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair
from comparator.domain.scoring.judgment import Answer
from comparator.domain.scoring.rubric import Rubric
from comparator.judges.protocol import PassReply
from comparator.settings import Settings
from comparator.workflow.projects.reveal import reveal
from comparator.workflow.review.notes import comment
from comparator.workflow.review.review import finalise, record
from comparator.workflow.services import Services
from tests.browser.hostile.hostile import EVIL, STOP
from tests.browser.servers.real_app import WAIT, App
from tests.worlds.judging.judges import SlowJudge
from tests.worlds.workbench import Workbench, noted

PAYLOADS = (
    f'<img src={EVIL}/img onerror="{STOP}"><script>{STOP}</script>',
    f"![pixel]({EVIL}/md.png) [link](javascript:{STOP}) <{EVIL}/auto>",
    f"'\"><svg onload={STOP}></svg><iframe src={EVIL}/frame></iframe>",
    f"<base href={EVIL}/><meta http-equiv=refresh content=0;url={EVIL}/refresh><style>@import '{EVIL}/css'</style>",
    f'=HYPERLINK("{EVIL}/cell") \u202egpj.exe\u2066 \x1b[31m :red[x] :material/home: $x^2$',
    f"{{{{7*7}}}} ${{{STOP}}} `</script>` <form action={EVIL}/form><button>go</button></form>",
)
_turn = itertools.cycle(PAYLOADS)
WORDS = frozenset({"reasoning", "rationale", "evidence", "text", "strengths", "weaknesses", "file", "note"})


def hostile(text: str = "", *, most: int = 10_000) -> str:
    """Words with the next payload before them."""
    return f"{next(_turn)} {text}"[:most]


class HostileJudge(SlowJudge):
    """Answers with payloads wherever a judge has words of its own."""

    async def read_pair(self, pair: BlindedPair, rubric: Rubric, **more: Any) -> PassReply:
        reply = await super().read_pair(pair, rubric, **more)
        return reply.model_copy(update={"answer": Answer.model_validate(_spoiled(reply.answer.model_dump()))})


def _spoiled(value: Any, name: str = "") -> Any:
    match value:
        case dict():
            return {key: _spoiled(each, key if key in WORDS else name) for key, each in value.items()}
        case list() | tuple():
            return tuple(_spoiled(each, name) for each in value)
        case str() if name in WORDS:
            return hostile(value)
    return value


def fill(services: Services, folder: Path) -> list[str]:
    """Three pairs with payloads in everything that has a name; one is finalised, one revealed."""
    workbench = Workbench(services.database, services.blobs, folder, services.settings)
    ids = []
    for number in range(3):
        paths = []
        for side in "ab":
            for payload in PAYLOADS:
                name = payload.replace("/", "\u2215").replace("\x1b", "")[:80] + f" {number}.md"
                workbench.file(f"{number}{side}/{name}", f"# {payload}\n\nSome words of {side}.\n")
            paths.append(folder / f"{number}{side}")
        task = TaskText(
            prompt=hostile("Write it."), expectations=(hostile("It is there"), hostile("It is clear"))
        )
        names = PerOutput[str](A=hostile("one", most=180), B=hostile("two", most=180))
        ids.append(
            workbench.submitted(
                PerOutput[Path](A=paths[0], B=paths[1]),
                task=task,
                candidates=names,
                project=hostile("P", most=100),
            )
        )
        judge = HostileJudge()
        judge.gate.set()
        workbench.judged(ids[-1], judge)
        noted(
            services,
            ids[-1],
            workbench.person,
            comment,
            hostile("I say."),
            id="abcdefghijklmnopqrst"[:-1] + "abc"[number],
        )
    for comparison_id in ids[1:]:
        changes = [
            workbench.change("winner", "A", reason=hostile("since")),
            workbench.change("strengths:A", (hostile("strong"),), reason=hostile()),
        ]
        record(workbench.me, comparison_id, changes)
        why = workbench.change("reasoning", hostile("Because."), reason=hostile("why"))
        record(workbench.me, comparison_id, [why])
        finalise(workbench.me, comparison_id)
    reveal(workbench.me, ids[2])
    return ids


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[App, list[str]]]:
    tmp_path = tmp_path_factory.mktemp("words")
    services = open_services(Settings(home=tmp_path / "home"))
    ids = fill(services, tmp_path / "work")
    services.close()
    app = App(tmp_path / "home")
    with app:
        yield app, ids


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_no_page_runs_loads_or_follows_hostile_words(app: tuple[App, list[str]], browser: Browser) -> None:
    server, ids = app
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(WAIT)
    sent: list[str] = []
    windows: list[Page] = []
    context.on("request", lambda request: sent.append(request.url))
    context.on("page", lambda window: windows.append(window))
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    windows.clear()
    places = [
        "",
        *(f"review?c={id}" for id in ids),
        "history",
        "dashboards",
        "judge",
        "batches",
        "panel",
        "import",
        "new",
        "settings",
    ]
    for place in places:
        page.goto(f"{server.url}/{place}")
        page.locator("[data-testid=stAppViewContainer]").wait_for()
        expect(page.locator("[data-testid=stSkeleton]")).to_have_count(0, timeout=WAIT)
        if place.startswith(("review", "history")):
            # The words are really there before anything is tried with them.
            page.get_by_text("evil.invalid").nth(3).wait_for(state="attached")
        page.wait_for_timeout(1_000)
        for fold in page.locator("summary:visible").all()[:3]:
            if fold.is_visible():
                fold.click()
        page.wait_for_timeout(300)
        found = page.evaluate(FOREIGN)
        assert found == [None, []], place
    assert [url for url in sent if not url.startswith((server.url, "ws://127.0.0.1", "data:", "blob:"))] == []
    assert windows == []
    context.close()


FOREIGN = """() => {
    const found = [];
    const look = (root) => {
        for (const node of root.querySelectorAll('*')) {
            for (const name of ['src', 'href', 'action', 'srcset', 'formaction', 'onerror', 'onload']) {
                const value = node.getAttribute(name) || '';
                if (/evil|javascript:/.test(value)) found.push(`${node.tagName} ${name}=${value.slice(0, 80)}`);
            }
            if (node.shadowRoot) look(node.shadowRoot);
        }
    };
    look(document);
    return [window.owned ?? null, found];
}"""
