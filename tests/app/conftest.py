"""The app on an empty home with real services on SQLite, driven without a browser."""

import asyncio
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any, Self

import pytest
import streamlit as st
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.judgment import JudgeState
from comparator.jobs.worker import Worker
from comparator.judges.offline import OfflineJudge
from comparator.store.bulk import batches
from comparator.store.pairs import checks
from comparator.store.people import projects
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import plotting
from comparator.ui.frame.per_process import release_all
from comparator.web.review import commands
from comparator.workflow.judging.asking import Progress, progress_of
from comparator.workflow.judging.pair_reader import judge_comparison
from comparator.workflow.review.review import finalise
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import Submission, read_output
from comparator.workflow.submit.set_up import submit
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World
from tests.worlds.process import wait_until
from tests.worlds.workbench import say

PATIENCE = 60.0
plotting.CHECKED = True
GOOD = """# Harvest report

The total weight is 420 kg.

| Field | kg |
|---|---|
| North | 300 |
| South | 120 |
"""
POOR = "harvest was fine, about 400 or so, more in the north\n\nTODO: the table\n"
PROMPT = "Write a short report on the harvest with a heading, the total weight and a table by field."


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, _migrated_sqlite: Path) -> Iterator[Path]:
    """A home folder without a pair, judged offline; what the process keeps open is released afterwards."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    shutil.copyfile(_migrated_sqlite, folder / "comparator.db")
    monkeypatch.setenv("COMPARATOR_HOME", str(folder))
    monkeypatch.setenv("COMPARATOR_JUDGE", "offline")
    _release()
    worker = WorkerHere()
    monkeypatch.setattr(session, "app_worker", worker.of)
    monkeypatch.setattr(commands, "app_worker", worker.of)
    yield folder
    worker.stop()
    _release()


def progress(comparison_id: str) -> Progress:
    """Where the judge is with a comparison."""
    services = session.services()
    with services.database.read() as connection:
        return progress_of(connection, comparison_id, now=services.now())


class WorkerHere:
    """The worker that the app has as a child, in a thread: it takes a second less to start."""

    def __init__(self) -> None:
        self._thread: Thread | None = None
        self._stop: Callable[[], object] = lambda: None
        self._wake: Callable[[], object] = lambda: None

    def of(self, services: Services) -> Self:
        """In place of `app_worker`."""
        self._services = services
        return self

    def wake(self) -> None:
        with self._services.database.read() as connection:
            if not (batches.waits(connection) or checks.projects(connection)):
                return
        if self._thread is None:
            ready = Event()
            self._thread = Thread(target=lambda: asyncio.run(self._work(ready)), daemon=True)
            self._thread.start()
            assert ready.wait(PATIENCE)
        self._wake()

    async def _work(self, ready: Event) -> None:
        worker, loop = Worker(self._services), asyncio.get_running_loop()
        self._stop = lambda: loop.call_soon_threadsafe(worker.stop)
        self._wake = lambda: loop.call_soon_threadsafe(worker.wake)
        ready.set()
        await worker.run()

    def stop(self) -> None:
        if self._thread is not None:
            self._stop()
            self._thread.join()


@pytest.fixture
def services(home: Path) -> Services:
    """The services that the pages use."""
    return session.services().by(None)


@pytest.fixture
def history(services: Services) -> History:
    """Pairs of an old and a new candidate, to be judged and reviewed."""
    return History(World(services.database, services.blobs))


@pytest.fixture(autouse=True)
def _app_script_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `comparator serve` has it: without this the harness takes the folder `pages` for an older kind of app, and
    runs a page without app.py around it."""
    begin = PagesManager.__init__

    def init(self: PagesManager, *args: Any, **kwargs: Any) -> None:
        PagesManager.uses_pages_directory = False
        begin(self, *args, **kwargs)

    monkeypatch.setattr(PagesManager, "__init__", init)


@pytest.fixture(scope="session")
def _components() -> BidiComponentManager:
    """Without what the harness does for each app: look for components in all packages that are installed."""
    return BidiComponentManager()


@pytest.fixture
def new_app(home: Path, repository: Path, _components: BidiComponentManager) -> Callable[[], AppTest]:
    """Makes the app before its first run."""

    def made() -> AppTest:
        app = AppTest.from_file(str(repository / "app.py"), default_timeout=PATIENCE)
        app._bidi_component_manager = _components
        return app

    return made


@pytest.fixture
def app(new_app: Callable[[], AppTest]) -> AppTest:
    """The app before its first run."""
    return new_app()


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders that did the same task, by two candidates whose names tell."""
    folders = (tmp_path / "quillwort-31" / "out", tmp_path / "saxifrage-32" / "out")
    for folder, text in zip(folders, (GOOD, POOR), strict=True):
        folder.mkdir(parents=True)
        (folder / "report.md").write_text(text, encoding="utf-8")
    return folders


def open_page(app: AppTest, name: str, *, project: str | None = None, **address: str | list[str]) -> AppTest:
    """The page, shown; the app has run before, as in a browser. `address` is what stands after the question mark.

    `project` is an id or a name; the address has its name.
    """
    if project is not None:
        with session.services().database.read() as connection:
            names = {each.id: each.name for each in projects.all_projects(connection)}
        address["project"] = names.get(project, project)
    # As in the browser: what stood in the address of another page is gone.
    app.query_params.clear()
    app.query_params.update(address)
    app.switch_page(f"pages/{name}.py")
    # A browser that opens an address has no widgets yet.
    for key in address:
        if key in app.session_state:
            del app.session_state[key]
    return app._run(WidgetStates())


def open_numbers(app: AppTest, *charts: str) -> AppTest:
    """The page with the tables under these charts opened. A closed one is not sent."""
    for chart in charts:
        app.session_state[f"numbers_{chart}"] = True
    return app.run()


def by_path(app: AppTest) -> AppTest:
    """The page New, on which both outputs are named by their paths."""
    for slot in ("first", "second"):
        app.segmented_control(key=f"new_{slot}_way").set_value("path")
    return app.run()


def fill(app: AppTest, pair: tuple[Path, Path], *, prompt: str = PROMPT, expectations: str = "") -> AppTest:
    """The page New with a task and two folders."""
    open_page(app, "new")
    app.text_area(key="new_prompt").set_value(prompt)
    app.text_area(key="new_expectations").set_value(expectations).run()
    by_path(app)
    app.text_input(key="new_first_path").set_value(str(pair[0]))
    return app.text_input(key="new_second_path").set_value(str(pair[1])).run()


def unjudged(
    services: Services, pair: tuple[Path, Path], *, prompt: str = PROMPT, expectations: tuple[str, ...] = ()
) -> str:
    """A comparison that no judge was asked to read; its id."""
    outputs = PerOutput[Path](A=pair[0], B=pair[1]).map(lambda path: read_output(services, path))
    submission = Submission(
        task=TaskText(prompt=prompt, expectations=expectations),
        outputs=outputs,
        candidates=PerOutput[str](A="quillwort-31", B="saxifrage-32"),
        redactions=(),
        findings=(),
    )
    return submit(services.by(session.me().id), submission).comparison_id


def judged(pair: tuple[Path, Path], *, prompt: str = PROMPT, expectations: tuple[str, ...] = ()) -> str:
    """A comparison that the offline check has read; its id."""
    services = session.services().by(None)
    comparison_id = unjudged(services, pair, prompt=prompt, expectations=expectations)
    outcome = asyncio.run(judge_comparison(services, OfflineJudge(), comparison_id))
    assert outcome.complete, outcome
    return comparison_id


def compare(app: AppTest, pair: tuple[Path, Path], *, prompt: str = PROMPT, expectations: str = "") -> str:
    """A comparison made on the page New and judged; its id."""
    fill(app, pair, prompt=prompt, expectations=expectations)
    app.button(key="new_judge_now").click().run()
    (comparison_id,) = (
        [app.query_params["c"]] if isinstance(app.query_params["c"], str) else app.query_params["c"]
    )
    wait_until(lambda: progress(comparison_id).state is JudgeState.DONE)
    return str(comparison_id)


def finalised(
    services: Services, comparison_id: str, *, says: str = "Looked at both.", winner: str | None = None
) -> str:
    """The comparison, finalised with scores by which A wins, a reasoning, and a winner where one is set."""
    me = session.me().id
    values: dict[str, object] = {
        **{f"score:A:{path}": 4 for path in ("content.correctness", "structure.usability")},
        **{f"score:B:{path}": 3 for path in ("content.correctness", "structure.usability")},
        "reasoning": says,
        **({"winner": winner} if winner else {}),
    }
    say(services, comparison_id, me, *values.items())
    finalise(services.by(me), comparison_id)
    return comparison_id


def listed(app: AppTest) -> dict[str, Any]:
    """What the list on the page was given to show."""
    component = next(c for c in app.get("bidi_component") if c.proto.component_name == "comparator_listing")
    data: dict[str, Any] = json.loads(component.proto.json)
    return data


def edit(app: AppTest, key: str, rows: dict[int, dict[str, object]]) -> AppTest:
    """The page after these cells of a table were edited: by row and column. The harness has no call for that."""
    table = next(each for each in app.dataframe if key in each.proto.id)
    states = app._tree.get_widget_states()
    state = states.widgets.add()
    state.id, state.string_value = table.proto.id, json.dumps({"edited_rows": rows})
    return app._run(states)


def figures(app: AppTest) -> dict[str, str]:
    """The row of figures."""
    return {element.label: element.value for element in app.metric}


def plain(*texts: object) -> str:
    """The lines without the marks that keep them from being Markdown."""
    return "\n".join(map(str, texts)).replace("\\", "").replace(safe.JOINER, "")


def said(app: AppTest) -> str:
    """All that the page says in messages and captions."""
    kinds = (app.error, app.warning, app.info, app.success, app.caption, app.toast)
    return plain(*(element.value for kind in kinds for element in kind))


def written(app: AppTest) -> str:
    """The paragraphs of the page."""
    return plain(*(element.value for element in app.markdown))


def _release() -> None:
    release_all()
    st.cache_data.clear()
