"""The first step of the page Import: where the experiment lies, and which format it has."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.errors import InputError
from comparator.domain.rights import Act
from comparator.interop.imported import Findings, Format
from comparator.interop.read import recognise
from comparator.interop.read.sets import known_set
from comparator.interop.read.tables import (
    COLUMNS,
    MORE_COLUMNS,
    REQUIRED,
    column_names,
    lacking,
    resolved,
)
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.inputs.folders import browse
from comparator.ui.frame.inputs.uploads import folder_uploader, given
from comparator.workflow.importing.planned import why_not
from comparator.workflow.importing.request import ImportRequest, OnStep
from comparator.workflow.submit.intake import Unpacked, is_there_still, place_of_folder

PATH, FORMAT, PROJECT = "import_path", "import_format", "import_project"
PROJECT_OFFERED = "import_project_offered"
"""The current project's name as it was offered last: what differs from it was typed."""
COLUMN, COLUMNS_OF = "import_column_", "import_columns_of"
"""How the keys of chosen columns begin, and the file that they were chosen for."""
ENTERED = "import_entered"
"""Set by a path that was typed and confirmed, until it is scanned."""
UNPACKED = "import_unpacked"
"""The ids of the uploaded files, and where they lie."""
PATH_WAY, FOLDER_WAY = "Path", "Upload a folder"
WAYS = (PATH_WAY, FOLDER_WAY, "Upload a file")
AUTO = "auto"
NAMES = {
    AUTO: "Detect automatically",
    Format.SKILL_CREATOR.value: "skill-creator workspace",
    Format.PROMPTFOO.value: "promptfoo results",
    Format.LLM_COMPARATOR.value: "LLM Comparator",
    Format.ALPACA_EVAL.value: "AlpacaEval annotations",
    Format.MT_BENCH.value: "MT-Bench judgments or votes",
    Format.LLMBAR.value: "LLMBar",
    Format.JUDGEBENCH.value: "JudgeBench",
    Format.REWARDBENCH.value: "RewardBench 2",
    Format.CSV.value: "Table of pairs, CSV",
    Format.JSONL.value: "Table of pairs, JSON lines",
    Format.PARQUET.value: "Table of pairs, Parquet",
}
TABLES = (Format.CSV.value, Format.JSONL.value, Format.PARQUET.value)

SUFFIXES = {
    ".csv": Format.CSV,
    ".tsv": Format.CSV,
    ".xlsx": Format.CSV,
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
    ".parquet": Format.PARQUET,
}
"""Tables whose columns have names of their own are told by the file's name."""


class ReadAs(NamedTuple):
    """The format to read a file in (None: recognise it), and our names of columns with the file's."""

    format: Format | None
    columns: dict[str, str]
    label_values: str = ""


def source_step() -> Unpacked | None:
    """Ask where the experiment lies; None while nothing is given."""
    local = session.may(Act.USE_SERVER_FILES, project_id=None)
    ways = [way for way in WAYS if local or way != PATH_WAY]
    way = st.segmented_control(
        "From",
        ways,
        default=ways[0],
        format_func=safe.text,
        key="import_way",
        required=True,
        persist_state="session",
    )
    if way == PATH_WAY:
        typed = st.text_input(
            "Workspace folder, or file of results, on this machine",
            key=PATH,
            persist_state="session",
            placeholder="/path/to/my-skill-workspace",
            on_change=_entered,
        )
        browse(PATH, _entered)
        return Unpacked(Path(typed.strip()).expanduser(), ()) if typed.strip() else None
    if way == FOLDER_WAY:
        files = folder_uploader("A workspace folder, with everything in it", key="import_folder")
    else:
        files = [st.file_uploader("A zip or tar of a workspace, or one file of results", key="import_upload")]
    return _uploaded([file for file in files if file is not None])


def _uploaded(files: Sequence[Any]) -> Unpacked | None:
    """Where what was uploaded lies, which is read and unpacked once."""
    if not files:
        return None
    services, ids = session.services(), [file.file_id for file in files]
    known: tuple[list[str], Unpacked] | None = st.session_state.get(UNPACKED)
    if known is not None and known[0] == ids and is_there_still(services, known[1].path):
        return known[1]
    with st.spinner("Reading and copying the files", show_time=True):
        place = place_of_folder(services, [given(file) for file in files])
    st.session_state[UNPACKED] = (ids, place)
    return place


def begin_with(*, path: str, kind: Format | None, project: str) -> None:
    """Fill the form in where nothing was typed in this session yet."""
    if PATH not in st.session_state:
        st.session_state[PATH] = path
        st.session_state[FORMAT] = kind.value if kind else AUTO
        st.session_state[PROJECT] = project
        st.session_state[PROJECT_OFFERED] = shell.project_name() or ""


def _entered() -> None:
    st.session_state[ENTERED] = True


def format_step() -> Format | None:
    """Which format it is; None to recognise it."""
    chosen = st.selectbox(
        "Format",
        list(NAMES),
        format_func=NAMES.__getitem__,
        key=FORMAT,
        persist_state="session",
    )
    return None if chosen == AUTO else Format(chosen)


def project_step(place: DeltaGenerator) -> str:
    """Which project it goes into: the current one until another is typed, which is kept; empty for a new one."""
    here = shell.project_name() or ""
    before = st.session_state.get(PROJECT_OFFERED)
    if before != here and st.session_state.get(PROJECT, before or "") == (before or ""):
        st.session_state[PROJECT] = here
    st.session_state[PROJECT_OFFERED] = here
    typed = place.text_input(
        "Project",
        key=PROJECT,
        persist_state="session",
        placeholder="Named after the import",
        help="The current project. Clear it to create one that is named after the import.",
    )
    return typed.strip()


def columns_step(path: Path | None, kind: Format | None) -> ReadAs:
    """For a table whose columns have other names: which of them is which."""
    if path is None or not path.is_file():
        return ReadAs(kind, {})
    if kind is not None and kind.value not in TABLES:
        return ReadAs(kind, {})
    status = path.stat()
    try:
        table = _table(path, kind, status.st_size, status.st_mtime_ns)
    except InputError as error:
        if kind is not None:
            st.error(safe.message(error))
        return ReadAs(kind, {})
    if table is None:
        return ReadAs(kind, {})
    kind, there = table
    if st.session_state.get(COLUMNS_OF) != str(path):
        # What was chosen for another file says nothing of this one.
        for key in [str(each) for each in st.session_state if str(each).startswith(COLUMN)]:
            del st.session_state[key]
        st.session_state[COLUMNS_OF] = str(path)
    with st.expander("Columns", expanded=bool(lacking(resolved({}, there), there))):
        mapped = _mapped(COLUMNS, there, side_by_side=3)
        meanings = st.text_input(
            "Labels",
            key=f"{COLUMN}label_values",
            persist_state="session",
            placeholder="what numbers mean: 1=B, 0=tie, -1=A",
        )
    with st.expander("More columns: versions, models, files, tokens"):
        mapped |= _mapped(MORE_COLUMNS, there, side_by_side=4)
    return ReadAs(kind, mapped, meanings)


def _mapped(columns: Sequence[str], there: Sequence[str], *, side_by_side: int) -> dict[str, str]:
    """Ask for each of our columns which of the table's it is; those that have another name there."""
    mapped: dict[str, str] = {}
    known = resolved({}, there)
    places = st.columns(side_by_side, gap="small")
    for number, ours in enumerate(columns):
        theirs = places[number % side_by_side].selectbox(
            safe.text(ours.replace("_", " ")),
            there,
            index=there.index(known[ours]) if ours in known else None,
            key=f"{COLUMN}{ours}",
            persist_state="session",
            placeholder="needed" if ours in REQUIRED else "not there",
        )
        if theirs is not None and theirs != ours:
            mapped[ours] = theirs
    return mapped


@st.cache_data(max_entries=20, show_spinner=False)
def _table(path: Path, kind: Format | None, size: int, changed: int) -> tuple[Format, tuple[str, ...]] | None:
    """Which table it is and the columns that it has; None for a set or result of a known format. Raises InputError.

    Size and time of the last change tell an old answer from one that holds.
    """
    del size, changed
    if kind is None:
        try:
            kind = recognise.recognise(path)
        except InputError:
            kind = SUFFIXES.get(path.suffix.lower())
    if kind is None or kind.value not in TABLES:
        return None
    names = column_names(path, kind)
    return None if known_set(names) else (kind, names)


def look_through(request: ImportRequest, on_step: OnStep) -> Findings:
    """Everything at the request's path. Raises InputError where nothing can be imported."""
    on_step(f"Scanning {request.path}")
    found = recognise.read(
        request.path, format=request.format, columns=request.columns, label_values=request.label_values
    )
    found = found.model_copy(update={"left_out": (*request.left_out, *found.left_out)})
    if not found.runs:
        raise InputError(f"No output was found in {request.path}.{why_not(found.left_out)}")
    return found
