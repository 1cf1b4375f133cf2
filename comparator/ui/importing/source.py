"""The first step of the page Import: where the experiment lies, its format, and what the columns of a table mean."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from comparator.api.opened import understood
from comparator.domain.errors import InputError
from comparator.domain.rights import Act
from comparator.interop import recognise
from comparator.interop.imported import Format
from comparator.interop.sets import known_set
from comparator.interop.tables import (
    COLUMNS,
    MORE_COLUMNS,
    REQUIRED,
    TABLES,
    column_names,
    columns_of,
    missing_columns,
)
from comparator.outputs.snapshot import Given, Upload
from comparator.ui.frame import safe, session
from comparator.ui.frame.inputs import edited_table, folder_uploader, given
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.planned import unread_members
from comparator.workflow.submit.uploads import Unpacked, is_there_still, place_of_folder

PATH, FORMAT, PROJECT = "import_path", "import_format", "import_project"
FILLED_IN = "import_project_filled_in"
"""The project's name that was filled in last."""
COLUMN, PASTE_BOX = "import_column", "import_pasted"
ENTERED = "import_entered"
"""Set by a path that was typed and confirmed, until it is scanned."""
UNPACKED = "import_unpacked"
"""The ids of the uploaded files, and where they lie."""
WAY = "import_way"
FILE_WAY, FOLDER_WAY, PASTE_WAY, PATH_WAY = WAYS = ("Upload a file", "Upload a folder", "Paste", "Path")
TABLE = (
    "prompt,output_a,output_b\n"
    '"Name three rivers of Europe.","Rhine, Danube and Elbe","Rhine, Nile and Elbe"\n'
    '"Why are leaves green? One sentence.","Their chlorophyll reflects green light.","Because it is summer."\n'
    '"Say “Good morning” in French.","Bonjour.","Bonne nuit."\n'
)
"""A table of pairs with what it needs at least."""
PASTED = "pasted"
"""What a pasted table is called."""
AUTO = "auto"
NAMES = {AUTO: "Detect automatically"} | {kind.value: kind.value for kind in Format}
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


def source_step(*, first: bool, problem: str) -> ImportRequest | None:
    """Ask where the experiment lies and what it is; what to scan once that is pressed. Raises InputError.

    `first`: nothing was scanned yet, so that the button is the next step. `problem` is why the last scan failed.
    """
    source, lacking = _place(), st.empty()
    if problem:
        lacking.error(safe.text(problem), icon=":material/error:")
    chosen = st.selectbox(
        "Format", list(NAMES), format_func=NAMES.__getitem__, key=FORMAT, persist_state="session", width=440
    )
    read_as = _read_as(source.path if source else None, None if chosen == AUTO else Format(chosen))
    with st.container(horizontal=True):
        scan = st.button(
            "Scan", key="import_find", icon=":material/folder_open:", type="primary" if first else "secondary"
        )
        st.button(
            "Try it with an example", key="import_example", icon=":material/science:", on_click=_example
        )
    # Enter in the box does what the button does.
    scan = st.session_state.pop(ENTERED, False) or scan
    if scan and source is None:
        lacking.warning("Say above what to import, then scan.", icon=":material/info:")
    if not scan or source is None:
        return None
    options = {
        "left_out": tuple(unread_members(f"{source.path.name}/", source.refused)),
        "format": read_as.format,
        "columns": read_as.columns,
        "label_values": [read_as.label_values],
    }
    return understood(ImportRequest, path=source.path, **options)


def _place() -> Unpacked | None:
    local = session.may(Act.USE_SERVER_FILES, project_id=None)
    ways = [way for way in WAYS if local or way != PATH_WAY]
    way = st.segmented_control(
        "From",
        ways,
        default=ways[0],
        format_func=safe.text,
        key=WAY,
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
        return Unpacked(Path(typed.strip()).expanduser(), ()) if typed.strip() else None
    if way == PASTE_WAY:
        table = st.text_area(
            "A table of pairs: CSV or JSON lines",
            key=PASTE_BOX,
            persist_state="session",
            height=180,
            placeholder=TABLE,
        )
        data = table.strip().encode()
        name = f"{PASTED}.jsonl" if data.startswith(b"{") else f"{PASTED}.csv"
        return _unpacked([hashlib.sha256(data).hexdigest()], [Upload(name, data)]) if data else None
    if way == FOLDER_WAY:
        files = folder_uploader("A workspace folder, with everything in it", key="import_folder")
    else:
        files = [st.file_uploader("A zip or tar of a workspace, or one file of results", key="import_upload")]
        st.caption(
            "A table (CSV, XLSX, JSON lines, Parquet) needs the columns prompt, output_a and output_b."
        )
    kept = [file for file in files if file is not None]
    return _unpacked([file.file_id for file in kept], map(given, kept)) if kept else None


def _example() -> None:
    """Paste a table of three pairs and scan it."""
    st.session_state[WAY] = PASTE_WAY
    st.session_state[PASTE_BOX] = TABLE
    _entered()


def _entered() -> None:
    st.session_state[ENTERED] = True


def _unpacked(ids: Sequence[str], files: Iterable[Given]) -> Unpacked:
    """Where these files lie; they are read and unpacked once."""
    services = session.services()
    known: tuple[Sequence[str], Unpacked] | None = st.session_state.get(UNPACKED)
    if known is not None and known[0] == ids and is_there_still(services, known[1].path):
        return known[1]
    with st.spinner("Reading and copying the files", show_time=True):
        place = place_of_folder(services, list(files))
    st.session_state[UNPACKED] = (ids, place)
    return place


def ask_project(name: str) -> str:
    """Ask which project the pairs go into: `name`, until another one is typed."""
    if not session.may(Act.SUBMIT, project_id=None):
        # Whoever cannot begin one adds to their own.
        name = next((project.name for project in session.projects(Act.SUBMIT)), name)
    if st.session_state.get(PROJECT, "") in ("", st.session_state.get(FILLED_IN)):
        st.session_state[PROJECT] = name
    st.session_state[FILLED_IN] = name
    typed = st.text_input(
        "Goes into project",
        key=PROJECT,
        persist_state="session",
        help="The name of a new project, or of one to add to.",
        width=440,
    )
    return typed.strip() or name


def _read_as(path: Path | None, kind: Format | None) -> ReadAs:
    """For a table: ask what its columns and the values of its label mean."""
    try:
        table = _table(path, kind) if path else None
    except InputError as error:
        if kind is not None:
            safe.problem(error)
        return ReadAs(kind, {})
    if table is None:
        return ReadAs(kind, {})
    kind, there = table
    known = columns_of({}, there)
    rows = [
        {
            "What": ours.replace("_", " "),
            "Column of the file": known.get(ours),
            "": "required" if ours in REQUIRED else "",
        }
        for ours in (*COLUMNS, *MORE_COLUMNS)
    ]
    with st.expander("Columns and labels", expanded=bool(missing_columns(known, there))):
        edited = edited_table(
            rows,
            key=f"{COLUMN}_{path}",
            disabled=["What", ""],
            columns={"Column of the file": st.column_config.SelectboxColumn(options=list(there))},
            height=420,
        )
        meanings = st.text_input(
            "Labels",
            key=f"{COLUMN}_label_values_{path}",
            persist_state="session",
            placeholder="what numbers mean: 1=B, 0=tie, -1=A",
        )
    named = zip((*COLUMNS, *MORE_COLUMNS), (row["Column of the file"] for row in edited), strict=True)
    return ReadAs(kind, {ours: theirs for ours, theirs in named if theirs and theirs != ours}, meanings)


def columns_read(request: ImportRequest) -> None:
    """How each column of a table was read; nothing where no table was scanned."""
    table = _table(request.path, request.format)
    if table is None:
        return
    there = table[1]
    ours = {theirs: name.replace("_", " ") for name, theirs in columns_of(request.columns, there).items()}
    safe.table(
        {
            "Column": [safe.text(name) for name in there],
            "Read as": [safe.text(ours.get(name, "nothing, left out")) for name in there],
        }
    )


def _table(path: Path, kind: Format | None) -> tuple[Format, tuple[str, ...]] | None:
    """Which table it is and the columns that it has; None for a set or result of a known format. Raises InputError."""
    if not path.is_file():
        return None
    status = path.stat()
    # Size and time of the last change tell an old answer from one that holds.
    return _table_read(path, kind, (status.st_size, status.st_mtime_ns))


@st.cache_data(max_entries=20, show_spinner=False)
def _table_read(
    path: Path, kind: Format | None, state: tuple[int, int]
) -> tuple[Format, tuple[str, ...]] | None:
    del state
    if kind is None:
        try:
            kind = recognise.recognise(path)
        except InputError:
            kind = SUFFIXES.get(path.suffix.lower())
    if kind is None or kind not in TABLES:
        return None
    names = column_names(path, kind)
    return None if known_set(names) else (kind, names)
