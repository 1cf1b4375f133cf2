"""Step one of the page New: the outputs, pasted, uploaded or by path, each with what was read of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from comparator.domain.rights import Act
from comparator.outputs.snapshot.take import Upload
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.inputs.folders import browse, browse_lines, recent_places
from comparator.ui.frame.inputs.uploads import folder_uploader, given
from comparator.ui.new.draft import OpenDraft, Slot, SlotReading, Way, start_with, widget
from comparator.ui.new.reading import identity_of, paths_in, read_paths, read_uploads
from comparator.workflow.services import Services

WAYS = {
    Way.PASTE: "Paste",
    Way.FILES: "Upload files",
    Way.FOLDER: "Upload a folder",
    Way.PATH: "Path",
}
TITLES = {
    Slot.FIRST: "First output",
    Slot.SECOND: "Second output",
    Slot.INPUTS: "Input files",
    Slot.REFERENCE: "Reference answer",
}
DROP = {
    Slot.FIRST: "Files of the first output, or one zip or tar",
    Slot.SECOND: "Files of the second output, or one zip or tar",
    Slot.INPUTS: "Files that the candidates were given",
    Slot.REFERENCE: "A good answer, for comparison",
}
PATHS = {
    Slot.FIRST: "File or folder on this machine",
    Slot.SECOND: "File or folder on this machine",
    Slot.INPUTS: "Files or folders on this machine, one per line",
    Slot.REFERENCE: "Files or folders on this machine, one per line",
}
SHOWN_ROWS = 6
PASTED = "answer.md"
"""What a pasted output is called."""
LONGEST_PASTED = 2_000_000


def outputs_step(services: Services, page: OpenDraft) -> None:
    """Ask for the two outputs, side by side."""
    st.caption("The order does not matter: A and B are assigned at random.")
    for column, slot in zip(st.columns(2, gap="medium"), (Slot.FIRST, Slot.SECOND), strict=True):
        with column, st.container(border=True, height="stretch"):
            _one_output(services, page, slot)
    first, second = page.draft.snapshot(Slot.FIRST), page.draft.snapshot(Slot.SECOND)
    if first and second and {a.sha256 for a in first.artifacts} == {a.sha256 for a in second.artifacts}:
        st.warning(
            "Both outputs are identical. Check whether you meant to choose another one.",
            icon=":material/content_copy:",
        )


def several_files(services: Services, page: OpenDraft, slot: Slot) -> None:
    """Ask for any number of files that come with the task."""
    _source(services, page, slot)
    _show(page, slot)


def outputs_problem(page: OpenDraft) -> str | None:
    """What is missing of the outputs, as a plain sentence."""
    missing = [slot for slot in (Slot.FIRST, Slot.SECOND) if page.draft.snapshot(slot) is None]
    if len(missing) == 2:
        return "Choose two outputs."
    return f"Choose the {missing[0]} output." if missing else None


def _one_output(services: Services, page: OpenDraft, slot: Slot) -> None:
    _source(services, page, slot)
    _show(page, slot)


def _source(services: Services, page: OpenDraft, slot: Slot) -> None:
    ways = ways_for_me()
    way = st.segmented_control(
        TITLES[slot],
        ways,
        format_func=lambda each: safe.inked(WAYS[each]),
        key=start_with(f"{slot}_way", page.draft.way(slot) if page.draft.way(slot) in ways else ways[0]),
        required=True,
    )
    page.keep(ways={**page.draft.ways, slot: Way(way or ways[0])})
    if page.draft.way(slot) is Way.PATH:
        _path(services, page, slot)
    elif page.draft.way(slot) is Way.PASTE:
        _paste(services, page, slot)
    else:
        _upload(services, page, slot, folder=page.draft.way(slot) is Way.FOLDER)


def ways_for_me() -> list[Way]:
    """How the person in front of the page may hand outputs in: paths on the server are not for everybody."""
    local = session.may(Act.USE_SERVER_FILES, project_id=None)
    return [way for way in Way if local or way is not Way.PATH]


def _path(services: Services, page: OpenDraft, slot: Slot) -> None:
    key = start_with(f"{slot}_path", page.draft.paths.get(slot, ""))
    if slot in (Slot.FIRST, Slot.SECOND):
        typed = st.text_input(PATHS[slot], key=key, placeholder="/home/me/run-31/outputs")
        browse(key)
    else:
        typed = st.text_area(PATHS[slot], key=key, height=72)
        browse_lines(key)
    text = (typed or "").strip()
    page.keep(paths={**page.draft.paths, slot: text})
    reading = page.draft.reading(slot)
    if not text:
        page.keep_reading(slot, None)
    elif reading is None or reading.source != text or st.session_state.pop(widget(f"{slot}_again"), False):
        with st.spinner("Reading and copying the files", show_time=True):
            read = read_paths(services, text)
            page.keep_reading(slot, read)
        for place in paths_in(text) if read.snapshot is not None else ():
            recent_places().put_first(str(place))


def _paste(services: Services, page: OpenDraft, slot: Slot) -> None:
    text = st.text_area(
        TITLES[slot],
        key=start_with(f"{slot}_pasted", page.draft.pasted.get(slot, "")),
        height=180,
        max_chars=LONGEST_PASTED,
        placeholder="Paste the text here; Markdown is rendered",
        label_visibility="collapsed",
    )
    text = text or ""
    page.keep(pasted={**page.draft.pasted, slot: text})
    reading = page.draft.reading(slot)
    if not text.strip():
        page.keep_reading(slot, None)
        return
    source = identity_of([(PASTED, text)])
    if reading is None or reading.source != source:
        page.keep_reading(slot, read_uploads(services, [Upload(PASTED, text.encode())], source=source))


def _upload(services: Services, page: OpenDraft, slot: Slot, *, folder: bool) -> None:
    name = f"{slot}_{page.draft.way(slot)}"
    had = widget(f"{name}_had")
    files: Sequence[Any] = (
        folder_uploader("A folder, with everything in it", key=widget(name))
        if folder
        else st.file_uploader(DROP[slot], accept_multiple_files=True, key=widget(name))
    )
    if not files:
        # Nothing there: taken away again, or the page was reloaded and what was read is still kept.
        if st.session_state.pop(had, False):
            page.keep_reading(slot, None)
        return
    st.session_state[had] = True
    source = identity_of([(file.name, file.file_id) for file in files])
    reading = page.draft.reading(slot)
    if reading is None or reading.source != source:
        with st.spinner("Reading and copying the files", show_time=True):
            uploads = [given(file) for file in files]
            page.keep_reading(slot, read_uploads(services, uploads, source=source))


def _show(page: OpenDraft, slot: Slot) -> None:
    reading = page.draft.reading(slot)
    if reading is None:
        return
    if reading.problem:
        st.error(safe.text(reading.problem), icon=":material/error:")
    if reading.snapshot is not None:
        _show_snapshot(reading, slot)
    if page.draft.way(slot) is Way.PATH:
        st.button(
            "Read again",
            key=widget(f"{slot}_reread"),
            icon=":material/refresh:",
            type="tertiary",
            help="The files were copied. Read them again if they have changed since.",
            on_click=_ask_again,
            args=(slot,),
        )
    elif page.draft.way(slot) is not Way.PASTE and not st.session_state.get(
        widget(f"{slot}_{page.draft.way(slot)}_had")
    ):
        st.button(
            "Remove",
            key=widget(f"{slot}_remove"),
            icon=":material/close:",
            type="tertiary",
            on_click=page.keep_reading,
            args=(slot, None),
        )


def _ask_again(slot: Slot) -> None:
    st.session_state[widget(f"{slot}_again")] = True


def _show_snapshot(reading: SlotReading, slot: Slot) -> None:
    snapshot = reading.snapshot
    assert snapshot is not None
    files = words.counted(len(snapshot.artifacts), "file")
    total = words.size(sum(artifact.size for artifact in snapshot.artifacts))
    if len(snapshot.artifacts) == 1:
        kind = words.FAMILIES[reading.families[0]]
        st.caption(
            f":material/check_circle: **{safe.middle(snapshot.artifacts[0].path, 60)}** read: "
            f"{safe.text(kind)}, {safe.text(total)}"
        )
    else:
        st.caption(
            f":material/check_circle: **{safe.text(files)}** read, {safe.text(total)}: "
            f"{safe.text(words.kinds(reading.families))}"
        )
        _show_files(reading, slot)
    for note in snapshot.notes:
        st.caption(safe.text(note))
    if snapshot.refused:
        _show_refused(reading, slot)


def _show_files(reading: SlotReading, slot: Slot) -> None:
    assert reading.snapshot is not None
    rows = [
        {"File": artifact.path, "Kind": words.FAMILIES[family], "Size": words.size(artifact.size)}
        for artifact, family in zip(reading.snapshot.artifacts, reading.families, strict=True)
    ]
    st.dataframe(
        rows,
        key=widget(f"{slot}_files"),
        hide_index=True,
        row_height=28,
        height=28 * min(len(rows), SHOWN_ROWS) + 38,
        column_config={
            "File": st.column_config.TextColumn(),
            "Kind": st.column_config.TextColumn(width=90),
            "Size": st.column_config.TextColumn(width=80),
        },
    )


def _show_refused(reading: SlotReading, slot: Slot) -> None:
    assert reading.snapshot is not None
    refused = reading.snapshot.refused
    lines = [f"{safe.middle(one.path, 60)}: {safe.text(one.reason)}" for one in refused]
    if len(refused) == 1:
        for line in lines:
            st.warning(f"Not read: {line}", icon=":material/block:")
        return
    with st.expander(f"{len(refused)} not read", key=widget(f"{slot}_refused")):
        for line in lines:
            st.caption(line)


def names_of_candidates(page: OpenDraft) -> None:
    """Ask who made each output."""
    draft = page.draft
    told = "Hidden until the reveal. If empty, the folder in which the two paths differ is used."
    left, right = st.columns(2, gap="medium")
    first = left.text_input(
        "Who made the first (optional)",
        key=start_with("first_name", draft.first_name),
        max_chars=200,
        help=told,
    )
    second = right.text_input(
        "Who made the second (optional)", key=start_with("second_name", draft.second_name), max_chars=200
    )
    page.keep(first_name=first or "", second_name=second or "")
