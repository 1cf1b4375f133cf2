"""The second step of the page Import: what was found, as a grid of candidates by iteration, and which pairs to make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.errors import InputError
from comparator.interop.imported import Findings, FoundRun
from comparator.reporting.results.candidates import natural
from comparator.ui.frame import safe, words
from comparator.ui.importing.audit import left_out
from comparator.workflow.importing import pairs as pairs
from comparator.workflow.importing.pairs import Pairing, RunPair

CHOSEN = "chosen"
WAYS = {
    Pairing.SIBLINGS.value: "Candidates of the same iteration, against each other",
    Pairing.BASELINE.value: "One baseline against the rest",
    Pairing.ALL.value: "All candidates against each other, across iterations",
    CHOSEN: "Two chosen candidates (the same one twice measures noise)",
}
EVERY = "all"
BY_NAME = ""
NO_ITERATION = "–"
ITERATION = "iteration "
PAIRS, ONE, OTHER = "import_pairs", "import_one", "import_other"
TINT = "background-color: rgba(15, 150, 136, 0.28)"
"""Thin enough that the text of both themes is read on it."""
MOST_MEETINGS = 6
FROM, TO = "import_from", "import_to"


class PairingChoice(NamedTuple):
    """How pairs are to be made, as an import request says it."""

    pairs: Pairing
    compare: tuple[str, str] | None
    baseline: str
    iterations: str
    workspace: str


def found_step(found: Findings) -> None:
    """What was found, with everything that could not be read and why."""
    runs = found.runs
    tasks = len({run.task_key for run in runs})
    sizes = f"{words.counted(len(runs), 'output')} of {words.counted(tasks, 'task')}"
    st.caption(safe.text(f"{found.format.value}: {sizes}."))
    left_out(found.left_out, key="import_left_out")


def pairs_step(found: Findings) -> PairingChoice | None:
    """Ask which pairs to make; None where that gives none."""
    workspace = _workspace(found.runs)
    runs = pairs.of_workspace(found.runs, workspace)
    grid = _grid(runs)
    st.caption("Outputs by candidate and iteration. Click two cells, one after the other, to compare them.")
    st.dataframe(
        _marked(grid, _two_chosen()),
        key="import_grid",
        selection_mode="multi-cell",
        on_select=lambda: _take_over(grid),
        placeholder="",
    )
    left, *right = st.columns([3, 1, 1], gap="small")
    way = left.radio("Pairs", list(WAYS), format_func=WAYS.__getitem__, key=PAIRS, persist_state="session")
    iterations = _iterations(runs, right)
    compare, baseline = None, BY_NAME
    if way == CHOSEN:
        names = _selectors(runs)
        one, other = st.columns(2, gap="small")
        first = _candidate(one, "One candidate", names, key=ONE)
        second = _candidate(other, "Another, or the same", names, key=OTHER)
        if first is None or second is None:
            st.caption("Choose both candidates.")
            return None
        compare = (first, second)
    elif way == Pairing.BASELINE:
        named = _baseline(runs)
        if named is None:
            st.caption("Choose the baseline.")
            return None
        baseline = named
    chosen = PairingChoice(
        Pairing(way) if way != CHOSEN else Pairing.SIBLINGS, compare, baseline, iterations, workspace
    )
    try:
        made = pairs.chosen(
            found,
            pairs.within(runs, iterations),
            pairs=chosen.pairs,
            compare=chosen.compare,
            baseline=chosen.baseline,
        )
    except InputError as error:
        st.warning(safe.message(error))
        return None
    if not made:
        st.caption("No task has outputs of both.")
        return None
    st.caption(safe.text(f"{words.counted(len(made), 'pair')} chosen."))
    st.caption(safe.text(meetings(made)))
    return chosen


def meetings(made: Sequence[RunPair]) -> str:
    """Which candidates meet which, with the number of pairs, and whether within an iteration."""
    met = Counter(
        tuple(sorted((pair.first.configuration, pair.second.configuration), key=natural)) for pair in made
    )
    shown = [f"{one} against {other} ({number:,})" for (one, other), number in met.most_common(MOST_MEETINGS)]
    more = len(met) - len(shown)
    if more:
        shown.append(f"and {words.counted(more, 'more meeting')}")
    iterations = {frozenset((pair.first.iteration, pair.second.iteration)) for pair in made}
    if any(len(each) > 1 for each in iterations):
        return f"{', '.join(shown)}, also across iterations."
    return f"{', '.join(shown)}{', each within its iteration' if len(iterations) > 1 else ''}."


def _workspace(runs: Sequence[FoundRun]) -> str:
    """Ask for one workspace where there are several; all of them to begin with."""
    there = pairs.workspaces(runs)
    if not there:
        return ""
    named = st.selectbox(
        "Workspace",
        ["", *there],
        format_func=lambda each: each or "All workspaces",
        key="import_workspace",
        persist_state="session",
    )
    return named or ""


def _iterations(runs: Sequence[FoundRun], places: Sequence[DeltaGenerator]) -> str:
    """Ask for the first and the last iteration, in either order; all of them to begin with."""
    numbers = sorted({int(run.iteration) for run in runs if run.iteration and run.iteration.isdecimal()})
    if len(numbers) < 2:
        return EVERY
    one = places[0].selectbox("From iteration", numbers, key=FROM, persist_state="session")
    last = len(numbers) - 1
    other = places[1].selectbox("To iteration", numbers, index=last, key=TO, persist_state="session")
    first, last = sorted((one, other))
    return EVERY if (first, last) == (numbers[0], numbers[-1]) else f"{first}..{last}"


def _baseline(runs: Sequence[FoundRun]) -> str | None:
    """Ask for the baseline; None while none is chosen."""
    called = pairs.called_baseline(runs)
    return st.selectbox(
        "Baseline",
        [*([BY_NAME] if called else []), *_selectors(runs)],
        index=0 if called else None,
        format_func=lambda name: name or f"By its name: {', '.join(called)}",
        key="import_baseline",
        persist_state="session",
        placeholder="Choose",
    )


def _candidate(place: DeltaGenerator, label: str, names: Sequence[str], *, key: str) -> str | None:
    return place.selectbox(
        safe.text(label), names, index=None, key=key, placeholder="Choose", persist_state="session"
    )


def _two_chosen() -> tuple[str, ...]:
    """The candidates that are to be compared, as far as two are chosen by name."""
    if st.session_state.get(PAIRS) != CHOSEN:
        return ()
    return tuple(name for key in (ONE, OTHER) if (name := st.session_state.get(key)))


def _marked(grid: pd.DataFrame, chosen: Sequence[str]) -> Styler:
    """The grid with a tick and a tint in the cells of these candidates, whatever the grid itself has selected."""
    there = grid.notna().to_numpy()
    marked = pd.DataFrame(
        [
            [
                bool(there[row, column])
                and bool({str(grid.index[row]), _selector(grid, row, head)} & set(chosen))
                for column, head in enumerate(grid.columns)
            ]
            for row in range(len(grid))
        ],
        index=grid.index,
        columns=grid.columns,
        dtype=bool,
    )
    styled = grid.style.format(na_rep="", precision=0)
    for column in grid.columns:
        rows = grid.index[marked[column]]
        # Not by colour alone.
        styled = styled.format("✓ {}", subset=(rows, [column]))
    return styled.apply(lambda _: marked.map(lambda chosen: TINT if chosen else ""), axis=None)


def _grid(runs: Sequence[FoundRun]) -> pd.DataFrame:
    """How many outputs each candidate has in each iteration."""
    counts = Counter((run.configuration, run.iteration or NO_ITERATION) for run in runs)
    rows = sorted({name for name, _ in counts}, key=natural)
    # The newest first, so that they are in view.
    columns = sorted({iteration for _, iteration in counts}, key=natural, reverse=True)
    cells = [[counts.get((name, iteration)) for iteration in columns] for name in rows]
    heads = [name if name == NO_ITERATION else f"{ITERATION}{name}" for name in columns]
    # Nothing, not a zero, where a candidate has no output: there is nothing to choose.
    return pd.DataFrame(cells, index=pd.Index(rows, name="candidate"), columns=heads, dtype="Int64")


def _selectors(runs: Sequence[FoundRun]) -> list[str]:
    """How a candidate is named: alone within each iteration, or with its iteration across them."""
    alone = sorted({run.configuration for run in runs}, key=natural)
    within = sorted(
        {f"{run.iteration}/{run.configuration}" for run in runs if run.iteration},
        key=natural,
    )
    return [*alone, *within]


def _take_over(grid: pd.DataFrame) -> None:
    """The cells that were chosen in the grid become the two candidates: by two clicks, or by drawing over both."""
    state: Any = st.session_state.get("import_grid")
    cells = getattr(getattr(state, "selection", None), "cells", ())
    names = [
        _selector(grid, row, str(column))
        for row, column in cells
        if not pd.isna(grid.loc[:, column].iloc[row])
    ]
    if not names:
        return
    half = st.session_state.get(ONE) if st.session_state.get(OTHER) is None else None
    first = names[0] if len(names) > 1 or half is None else half
    st.session_state[PAIRS] = CHOSEN
    st.session_state[ONE] = first
    st.session_state[OTHER] = names[-1] if len(names) > 1 or half is not None else None


def _selector(grid: pd.DataFrame, row: int, iteration: str) -> str:
    name = str(grid.index[row])
    return f"{iteration.removeprefix(ITERATION)}/{name}" if iteration.startswith(ITERATION) else name
