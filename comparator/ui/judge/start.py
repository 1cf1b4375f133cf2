"""Starting a benchmark or the probes from the page, and how far those are that are under way."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import streamlit as st

from comparator.domain.errors import ComparatorError, InputError
from comparator.domain.rights import Act
from comparator.jobs.batches.manage_batches import report
from comparator.jobs.benchmarks.probing import start_probes
from comparator.jobs.benchmarks.results import count_open, waiting
from comparator.jobs.benchmarks.sets import NAMES, read_sets
from comparator.jobs.benchmarks.start import BenchmarkRequest, start_project, start_set
from comparator.judges.probes.cases import probes
from comparator.store.bulk.batches import BatchState
from comparator.store.judging.benchmarks import Benchmark
from comparator.ui.frame import safe, session
from comparator.ui.frame.inputs.uploaded import given
from comparator.ui.frame.per_process import Once
from comparator.ui.frame.shell import guard, tell_next
from comparator.ui.frame.words import counted
from comparator.ui.judge.scope import Scope
from comparator.workflow.submit.intake import place_of_upload

LOOK_SECONDS = 2.0
SAMPLE = 50
DEAR = 5.0
"""US dollars that a benchmark may cost unless something else is said."""


def running() -> frozenset[str]:
    """Count what is under way anew, say how far it is, and follow it; the ids of those that are being read."""
    services = session.services()
    found = []
    for benchmark, batch in count_open(services):
        if batch.state is BatchState.RUNNING:
            found.append(benchmark.id)
        else:
            why = f" {batch.problem}" if batch.problem else ""
            st.info(
                safe.text(f"{benchmark.name} is paused.{why} Resume it on the page Batches."),
                icon=":material/pause:",
            )
    if found:
        _follow(frozenset(found))
    return frozenset(found)


@st.fragment(run_every=LOOK_SECONDS)
def _follow(ids: frozenset[str]) -> None:
    """A bar for each batch of these benchmarks that is being read; the whole page again once one has ended."""
    services = session.services()
    # Several judges together wait for the batch of one of them, which has a bar already.
    names = {batch.id: known.name for known, batch in waiting(services) if known.id in ids}
    for batch_id, name in names.items():
        now = report(services, batch_id)
        if now.batch.state is not BatchState.RUNNING:
            st.rerun()
        done, judge = now.counts.done + now.counts.failed, now.batch.judge.named
        by = f" by {judge}" if judge else ""
        st.progress(
            done / now.counts.total if now.counts.total else 1.0,
            text=safe.text(f"{name}: {done:,} of {counted(now.counts.total, 'pair')} read{by}"),
        )


def start_of_probes() -> None:
    """A button that has the judge of the settings read all probes."""
    if not session.may_somewhere(Act.JUDGE):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button("Run the probes", key="judge_probe", type="primary", icon=":material/science:")
        every = probes()
        tasks = counted(len({probe.task.name for probe in every}), "rubric")
        st.caption(
            safe.text(
                f"By {_judge()}: {counted(len(every), 'short pair')}, one reading in each order, and {tasks}; at most "
                f"{DEAR:g} US dollars."
            )
        )
    if pressed:
        with guard(), st.spinner("Setting the probes up", show_time=True):
            started = start_probes(session.services(), _request(None, DEAR), person_id=session.me().id)
            _begun(started)


def start_of_benchmark(scope: Scope) -> None:
    """A form that has judges read a labelled set, or the reviewed pairs of the project."""
    if not session.may_somewhere(Act.JUDGE):
        return
    with st.expander("Measure a judge", icon=":material/straighten:", key="judge_measure"):
        st.caption(
            safe.text(
                f"Use a labelled set ({', '.join(NAMES.values())}, or a table with labels), or pairs of this project "
                "that people reviewed before they saw the judge's values. The judge of the settings, "
                f"{_judge()}, or named judges read them in both orders. Finished readings are not charged again. "
                "Several judges are measured one by one and together."
            )
        )
        ways = {"set": "A labelled set", **({"project": "This project"} if scope.project_id else {})}
        way = st.segmented_control(
            "On",
            list(ways),
            default="set",
            format_func=lambda each: safe.inked(ways[each]),
            key="judge_on",
            required=True,
        )
        path = _set() if way == "set" else None
        names = _names()
        with st.container(horizontal=True, vertical_alignment="bottom"):
            sample = st.number_input(
                "Pairs, at most",
                min_value=1,
                max_value=20_000,
                value=SAMPLE,
                key="judge_sample",
                width=200,
            )
            budget = st.number_input(
                "Budget per judge, USD", min_value=0.1, value=DEAR, key="judge_budget", width=220
            )
            ready = way == "project" or path is not None
            pressed = st.button("Start", key="judge_start", icon=":material/play_arrow:", disabled=not ready)
        if pressed:
            with guard(), st.spinner("Setting the pairs up", show_time=True):
                _start(scope, path, _request(int(sample), float(budget), names))


def _set() -> Path | None:
    if session.may(Act.USE_SERVER_FILES, project_id=None):
        typed = st.text_input(
            "File or folder of the set on this machine", key="judge_set", placeholder="/path/to/dataset.json"
        )
        return Path(typed.strip()).expanduser() if typed.strip() else None
    file = st.file_uploader("The file of the set", key="judge_set_file")
    return None if file is None else place_of_upload(session.services(), given(file)).path


@Once
def _judge() -> str:
    """The judge of the settings, or why there is none."""
    try:
        identity = session.services().judge_identity()
    except ComparatorError as error:
        return f"no judge ({error})"
    return "the offline check" if identity.kind == "offline" else identity.model


def _names() -> tuple[str, ...]:
    """The judges that are chosen by name; none means the judge of the settings."""
    try:
        known = list(session.services().named_judges())
    except ComparatorError:
        # The tab Judges says what is wrong with them.
        known = []
    if not known:
        return ()
    return tuple(
        st.multiselect("Judges", known, key="judge_names", placeholder="The judge of the settings", width=640)
    )


def _request(sample: int | None, budget: float, judges: tuple[str, ...] = ()) -> BenchmarkRequest:
    # The offline check costs nothing, and has no price to compare with a ceiling.
    free = not judges and session.services().judge_identity().kind == "offline"
    return BenchmarkRequest(sample=sample, money=None if free else Decimal(str(budget)), judges=judges)


def _start(scope: Scope, path: Path | None, request: BenchmarkRequest) -> None:
    services, me = session.services(), session.me().id
    if path is None:
        if scope.project_id is None:
            raise InputError("Choose a project on the left first.")
        _begun(start_project(services, scope.project_id, request, person_id=me)[-1])
        return
    if not path.exists():
        raise InputError(f"There is no file or folder at {path}. Check the path.")
    begun = [start_set(services, each, request, path=path, person_id=me) for each in read_sets(path)]
    _begun(begun[-1][-1])


def _begun(started: Benchmark) -> None:
    session.wake_worker()
    tell_next(f"{started.name} is being read. The figures appear here as they come in.")
    st.rerun()
