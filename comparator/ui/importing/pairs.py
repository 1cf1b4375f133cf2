"""The second step of the page Import: what was found, as a grid of candidates by iteration, and which pairs to make."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.counted import natural
from comparator.domain.errors import InputError
from comparator.interop.imported import Findings, FoundRun
from comparator.ui.frame import safe, words
from comparator.ui.importing.audit import left_out
from comparator.workflow.importing import pairs
from comparator.workflow.importing.pairs import PairChoice, RunPair

SIBLINGS, CHOSEN = "siblings", "chosen"
WAYS = {
    SIBLINGS: "Candidates of the same iteration and, where there are several, the same model",
    CHOSEN: "Two chosen candidates (the same one twice pairs its runs)",
}
ITERATION = "iteration "
PAIRS, ONE, OTHER = "import_pairs", "import_one", "import_other"
MOST_MEETINGS = 6
MOST_PREVIEWED, PREVIEW = 3, 160
"""Pairs that are previewed, and characters of each text."""
PREVIEWED = ("Prompt", "One output", "The other, in no order")


def pairs_step(findings: Findings) -> PairChoice | None:
    """Say what was found, and why anything could not be read; ask which pairs to make. None where that gives none."""
    workspace, there = "", pairs.workspaces(findings.runs)
    if there:
        workspace = st.selectbox(
            "Workspace",
            ["", *there],
            format_func=lambda name: name or "All workspaces",
            key="import_workspace",
            persist_state="session",
        )
    runs = pairs.of_workspace(findings.runs, workspace)
    tasks = words.counted(len({run.task_key for run in runs}), "task")
    safe.caption(f"{findings.format.value}: {words.counted(len(runs), 'output')} of {tasks}.")
    left_out(findings.left_out, key="import_left_out")
    if one_way(runs):
        _preview(runs)
        return PairChoice(workspace=workspace)
    two = (st.session_state.get(ONE), st.session_state.get(OTHER))
    grid = _grid(runs, chosen=two if st.session_state.get(PAIRS) == CHOSEN else ())
    st.caption("Outputs of each candidate. Click two cells, one after the other, to compare them.")
    st.dataframe(grid, key="import_grid", selection_mode="multi-cell", on_select=lambda: _take_over(grid))
    left, right = st.columns([3, 2], gap="small")
    way = left.radio("Pairs", list(WAYS), format_func=WAYS.__getitem__, key=PAIRS, persist_state="session")
    iterations = "all"
    numbers = sorted({int(run.iteration) for run in runs if run.iteration and run.iteration.isdecimal()})
    if len(numbers) > 1:
        whole = numbers[0], numbers[-1]
        ends = right.select_slider(
            "Iterations",
            numbers,
            whole,
            format_func=lambda number: safe.text(str(number)),
            key="import_iterations",
            persist_state="session",
        )
        if ends != whole:
            iterations = "{}..{}".format(*ends)
    compare = None
    # A candidate is named alone within each iteration, or with its iteration across them.
    names = sorted({run.configuration for run in runs}, key=natural)
    names += sorted({f"{run.iteration}/{run.configuration}" for run in runs if run.iteration}, key=natural)

    def candidate(label: str, key: str, place: DeltaGenerator) -> str | None:
        return place.selectbox(
            safe.text(label), names, index=None, key=key, placeholder="Choose", persist_state="session"
        )

    if way == CHOSEN:
        left, right = st.columns(2, gap="small")
        first, second = candidate("One candidate", ONE, left), candidate("Another, or the same", OTHER, right)
        if first is None or second is None:
            st.caption("Choose both candidates.")
            return None
        compare = (first, second)
    choice = PairChoice(compare=compare, iterations=iterations, workspace=workspace)
    try:
        run_pairs = pairs.chosen(findings, pairs.within(runs, iterations), choice)
    except InputError as error:
        safe.problem(error)
        return None
    if not run_pairs:
        st.caption("No task has outputs of both.")
        return None
    safe.caption(f"{words.counted(len(run_pairs), 'pair')} chosen: {meetings(run_pairs)}")
    return choice


def one_way(runs: Sequence[FoundRun]) -> bool:
    """Whether there are two candidates with one text each for a task, so that nothing about pairs is to be chosen."""
    outputs = Counter((run.task_key, run.configuration) for run in runs)
    return (
        len({run.configuration for run in runs}) == 2
        and len({run.iteration for run in runs}) == 1
        and all(run.text is not None for run in runs)
        and len(outputs) == 2 * len({run.task_key for run in runs}) == len(runs)
    )


def _preview(runs: Sequence[FoundRun]) -> None:
    """How the first pairs begin; nothing tells which output is whose, since the person may review them."""
    tasks: dict[str, list[FoundRun]] = {}
    for run in runs:
        tasks.setdefault(run.task_key, []).append(run)
    rows = [
        (both[0].prompt, *sorted(run.text or "" for run in both))
        for both in islice(tasks.values(), MOST_PREVIEWED)
    ]
    safe.caption(f"{words.counted(len(tasks), 'pair')} chosen. This is how they begin:")
    safe.table(
        {
            name: [safe.text(safe.beginning(text, PREVIEW)) for text in column]
            for name, column in zip(PREVIEWED, zip(*rows, strict=True), strict=True)
        },
    )


def meetings(run_pairs: Sequence[RunPair]) -> str:
    """Which candidates meet which, with the number of pairs, and whether within an iteration."""
    met = Counter(
        tuple(sorted((pair.first.configuration, pair.second.configuration), key=natural))
        for pair in run_pairs
    )
    named = [f"{one} against {other} ({number:,})" for (one, other), number in met.most_common(MOST_MEETINGS)]
    if more := len(met) - len(named):
        named.append(f"and {words.counted(more, 'more pairing')}")
    iterations = {frozenset((pair.first.iteration, pair.second.iteration)) for pair in run_pairs}
    if any(len(iteration) > 1 for iteration in iterations):
        return f"{', '.join(named)}, also across iterations."
    return f"{', '.join(named)}{', each within its iteration' if len(iterations) > 1 else ''}."


def _grid(runs: Sequence[FoundRun], *, chosen: Sequence[str | None]) -> pd.DataFrame:
    """How many outputs each candidate has in each iteration, with a tick in the cells of those that are chosen."""
    counts = Counter(
        (run.configuration, f"{ITERATION}{run.iteration}" if run.iteration else "outputs") for run in runs
    )
    # The newest first, so that they are in view.
    columns = sorted({column for _, column in counts}, key=natural, reverse=True)
    rows = sorted({name for name, _ in counts}, key=natural)

    def cell(name: str, column: str) -> str:
        # Nothing, not a zero, where a candidate has no output: there is nothing to choose.
        number = f"{counts[name, column]:,}" if counts[name, column] else ""
        return f"✓ {number}" if number and {name, _selector(name, column)} & set(chosen) else number

    cells = [[cell(name, column) for column in columns] for name in rows]
    return pd.DataFrame(cells, index=pd.Index(rows, name="candidate"), columns=columns)


def _take_over(grid: pd.DataFrame) -> None:
    """The cells that were chosen in the grid become the two candidates: by two clicks, or by drawing over both."""
    state: Any = st.session_state["import_grid"]
    names = [
        _selector(str(grid.index[row]), str(column))
        for row, column in state.selection.cells
        if grid.loc[:, column].iloc[row]
    ]
    if not names:
        return
    half = st.session_state.get(ONE) if st.session_state.get(OTHER) is None else None
    first = names[0] if len(names) > 1 or half is None else half
    st.session_state[PAIRS] = CHOSEN
    st.session_state[ONE] = first
    st.session_state[OTHER] = names[-1] if len(names) > 1 or half is not None else None


def _selector(name: str, column: str) -> str:
    return f"{column.removeprefix(ITERATION)}/{name}" if column.startswith(ITERATION) else name
