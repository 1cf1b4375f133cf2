"""The fields of the page New: outputs and the task's own files, prompt, project, judge with its cost, and what stands
under More."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText, wording_of
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import JudgeIdentity
from comparator.jobs.estimate_batches import estimate_pairs
from comparator.outputs.member_names import in_words
from comparator.outputs.snapshot import Upload
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.inputs import (
    NO_JUDGE,
    ask_what_first,
    folder_uploader,
    further_words,
    given,
    project_sees_first,
    set_price,
)
from comparator.ui.frame.state import SessionKey
from comparator.ui.new.draft import OUTPUTS, Draft, Slot, SlotReading, Way, widget
from comparator.workflow.judging.paying import money
from comparator.workflow.projects.settings import project_settings
from comparator.workflow.submit.intake import DEFAULT_PROJECT, Source, families_of, read_together

LONGEST_PROMPT = 400_000
MOST_EXPECTATIONS = 200
OFFLINE = "Offline check"
NO_TASK_YET = TaskText(prompt="?")


def ask_prompt(draft: Draft) -> DeltaGenerator:
    """Ask what the candidates were asked; where a problem with it is told."""
    draft.prompt = st.text_area(
        "Prompt",
        key=widget("prompt"),
        persist_state="session",
        height=110,
        max_chars=LONGEST_PROMPT,
        placeholder="Required: what was asked, as both candidates received it",
    )
    return st.empty()


def more(draft: Draft) -> None:
    """Ask for what few comparisons need."""
    draft.expectations = st.text_area(
        "Expectations, one per line",
        key=widget("expectations"),
        persist_state="session",
        height=110,
        placeholder="Every line item has a quantity and a price\nThe total equals the sum of the items",
        help="Statements that an output meets or does not meet. They decide only if the scores are equal.",
    )
    for column, slot in zip(st.columns(2, gap="medium"), (Slot.INPUTS, Slot.REFERENCE), strict=True):
        with column:
            source(draft, slot)
    title, tags = st.columns(2, gap="medium")
    draft.title = title.text_input(
        "Title",
        key=widget("title"),
        persist_state="session",
        max_chars=200,
        placeholder="The prompt's first sentence",
    )
    known = st.session_state.get(widget("tags"), [])
    draft.tags = tuple(
        tags.multiselect(
            "Tags",
            known,
            key=widget("tags"),
            persist_state="session",
            accept_new_options=True,
            placeholder="Type and press Enter",
        )
    )
    draft.redact_also = further_words(key=widget("redact_also"))


def more_is_used(draft: Draft) -> bool:
    """Whether anything was given there."""
    typed = (draft.expectations, draft.title, draft.tags)
    return any(typed) or any(map(draft.reading, (Slot.INPUTS, Slot.REFERENCE)))


def ask_judge(draft: Draft, projects: Mapping[str, str]) -> JudgeIdentity | None:
    """Ask for the project (`projects` are ids by name), the judge and what reviewers see first.

    Returns who will judge; None where that judge cannot be used, which is said here.
    """
    services = session.services()
    try:
        usual = services.judge().identity
        with st.container(horizontal=True, gap="medium"):
            draft.project = _ask_project(projects)
            if usual.kind == "offline":
                st.caption(NO_JUDGE, width=560)
                return usual
            chosen = st.selectbox(
                "Judge",
                (usual.model, OFFLINE),
                key=widget("judge"),
                persist_state="session",
                accept_new_options=True,
                width=200,
                help="Type a name to ask another model. The offline check is free: it says whether the files open.",
            )
            draft.judge = "offline" if chosen == OFFLINE else None
            draft.model = None if chosen in (usual.model, OFFLINE) else chosen
            if draft.project in projects:
                project_sees_first(projects[draft.project])
            else:
                draft.blind = ask_what_first(blind=False, key=widget("blind"))
        identity = services.judge(draft.judge, draft.model).identity
    except ComparatorError as error:
        safe.problem(error)
        return None
    return identity


def price(draft: Draft, judge: JudgeIdentity) -> None:
    """Say what the judge will cost about; at least, until outputs and task are there."""
    task, characters = task_of(draft), draft.scan.characters if draft.scan else PerOutput(A=0, B=0)
    about = estimate_pairs(session.services(), judge, [(task or NO_TASK_YET, characters)])
    word = "About" if task and draft.scan else "At least"
    cost = "" if about.cost is None else f"{word} {money(about.cost)}: "
    readings = about.calls - 1
    often = "once in each order" if readings == 2 else f"{readings} times, half of them in each order"
    safe.caption(f"{cost}{judge.model} reads the pair {often}.", width="content")
    if about.cost is None:
        set_price()


def _ask_project(projects: Mapping[str, str]) -> str:
    """The name of the project into which the pair goes: at first the one that is looked at."""
    here = st.session_state[SessionKey.PROJECT_NAME] or DEFAULT_PROJECT
    # A project that is chosen on the left goes before what was chosen here before.
    key = widget(f"project_{session.project_id() or ''}")
    names = list(dict.fromkeys([*projects, here, st.session_state.get(key) or here]))
    chosen = st.selectbox(
        "Goes into project",
        names,
        index=names.index(here),
        key=key,
        persist_state="session",
        accept_new_options=True,
        width=220,
        help="Choose one, or type the name of a new one.",
    )
    return chosen.strip()


def task_of(draft: Draft) -> TaskText | None:
    """The task as far as it can be used; None while the prompt is empty."""
    return wording_of(draft.prompt, draft.expectations.splitlines()) if draft.prompt.strip() else None


def problem_of(draft: Draft) -> str | None:
    """What is wrong under More, as a plain sentence."""
    lines = sum(bool(line.strip()) for line in draft.expectations.splitlines())
    if lines > MOST_EXPECTATIONS:
        return f"There are {lines} expectations; {MOST_EXPECTATIONS} are allowed. Shorten the list."
    return None


def redacts(draft: Draft, projects: Mapping[str, str]) -> bool:
    """Whether the chosen project redacts full names by default; a new project does."""
    project_id = projects.get(draft.project)
    return project_id is None or project_settings(session.services(), project_id).redact_names


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
SHOWN_ROWS = 6
PASTED = "answer.md"
"""What a pasted output is called."""
LONGEST_PASTED = 2_000_000


def ask_outputs(draft: Draft) -> dict[Slot, DeltaGenerator]:
    """Ask for the two outputs, side by side; where a problem with each is told."""
    places = {}
    for column, slot in zip(st.columns(2, gap="medium"), OUTPUTS, strict=True):
        with column, st.container(border=True, height="stretch"):
            source(draft, slot)
            places[slot] = st.empty()
            name = st.text_input(
                safe.text(f"Candidate of the {slot.value} output"),
                key=widget(f"{slot}_name"),
                persist_state="session",
                max_chars=200,
                placeholder=f"{TITLES[slot]} came from … (optional, hidden until the reveal)",
                label_visibility="collapsed",
            )
            setattr(draft, f"{slot.value}_name", name)
    return places


def warn_of_identical(draft: Draft) -> None:
    """Say so where both outputs are the same."""
    both = draft.outputs
    if both and {a.sha256 for a in both.A.artifacts} == {a.sha256 for a in both.B.artifacts}:
        st.warning(
            "Both outputs are identical. Check whether you meant to choose another one.",
            icon=":material/content_copy:",
        )


def source(draft: Draft, slot: Slot) -> None:
    """Ask for what belongs into the slot, and show what was read of it."""
    # Paths on the server are not for everybody.
    local = session.may(Act.USE_SERVER_FILES, project_id=None)
    ways = [way for way in Way if local or way is not Way.PATH]
    way = st.segmented_control(
        TITLES[slot],
        ways,
        default=Way.PASTE if slot in OUTPUTS else Way.FILES,
        format_func=lambda way: safe.text(WAYS[way]),
        key=widget(f"{slot}_way"),
        persist_state="session",
        required=True,
    )
    draft.way[slot] = Way(way)
    match draft.way[slot]:
        case Way.PATH:
            _path(draft, slot)
        case Way.PASTE:
            _paste(draft, slot)
        case _:
            _upload(draft, slot)
    reading = draft.reading(slot)
    # What was pasted stands in its box.
    if reading and (draft.way[slot] is not Way.PASTE or reading.problem):
        _show(reading, slot)


def _path(draft: Draft, slot: Slot) -> None:
    key = widget(f"{slot}_path")
    if slot in OUTPUTS:
        typed = st.text_input(
            "File or folder on this machine",
            key=key,
            persist_state="session",
            placeholder="/home/me/run-31/outputs",
        )
    else:
        typed = st.text_area(
            "Files or folders on this machine, one per line", key=key, persist_state="session", height=72
        )
    text, reading = typed.strip(), draft.reading(slot)
    again = reading is not None and st.button(
        "Read again",
        key=widget(f"{slot}_reread"),
        icon=":material/refresh:",
        type="tertiary",
        help="The files were copied. Read them again if they have changed since.",
    )
    if not text:
        draft.keep_reading(slot, None)
    elif reading is None or reading.source != text or again:
        paths = paths_in(text)
        alone = str(paths[0].absolute()) if len(paths) == 1 else None
        draft.keep_reading(slot, _read(paths, source=text, path=alone))


def _paste(draft: Draft, slot: Slot) -> None:
    text = st.text_area(
        TITLES[slot],
        key=widget(f"{slot}_pasted"),
        persist_state="session",
        height=180,
        max_chars=LONGEST_PASTED,
        placeholder="Paste the text here; Markdown is rendered",
        label_visibility="collapsed",
    )
    if not text.strip():
        draft.keep_reading(slot, None)
        return
    _take(draft, slot, [Upload(PASTED, text.encode())], source=text)


def _upload(draft: Draft, slot: Slot) -> None:
    key = widget(f"{slot}_{draft.way[slot]}")
    files: Sequence[Any] = (
        folder_uploader("A folder, with everything in it", key=key)
        if draft.way[slot] is Way.FOLDER
        else st.file_uploader("Files, or one zip or tar", accept_multiple_files=True, key=key)
    )
    had = st.session_state.get(f"{key}_had", False)
    st.session_state[f"{key}_had"] = bool(files)
    if files:
        _take(draft, slot, files, source=str(sorted(file.file_id for file in files)))
    elif had:
        draft.keep_reading(slot, None)
    elif draft.reading(slot):
        # What was uploaded before another page was opened is kept; the uploader itself forgets it.
        st.button(
            "Remove",
            key=widget(f"{slot}_remove"),
            icon=":material/close:",
            type="tertiary",
            on_click=draft.keep_reading,
            args=(slot, None),
        )


def _take(draft: Draft, slot: Slot, files: Sequence[Any], *, source: str) -> None:
    reading = draft.reading(slot)
    if reading is None or reading.source != source:
        given_files = tuple(file if isinstance(file, Upload) else given(file) for file in files)
        draft.keep_reading(slot, _read((given_files,), source=source, path=None))


def paths_in(text: str) -> tuple[Path, ...]:
    """The paths that a person typed or pasted, one per line, quotes and `~` taken as a shell would.

    >>> [str(path) for path in paths_in(' "/data/first run"  ')]
    ['/data/first run']
    """
    lines = (line.strip().strip("\"'").strip().removeprefix("file://") for line in text.splitlines())
    return tuple(Path(line).expanduser() for line in lines if line)


def _read(sources: Sequence[Source], *, source: str, path: str | None) -> SlotReading:
    """What is there as one output, or why it cannot be read."""
    services = session.services()
    try:
        with st.spinner("Reading and copying the files", show_time=True):
            snapshot = read_together(services, sources)
    except OSError as error:
        problem = f"This cannot be read: {error.strerror or error}. Check the path and its rights."
        return SlotReading(source=source, path=path, problem=problem)
    except ComparatorError as error:
        return SlotReading(source=source, path=path, problem=str(error))
    families = families_of(services, snapshot) if snapshot else ()
    return SlotReading(source=source, path=path, snapshot=snapshot, families=families)


def _show(reading: SlotReading, slot: Slot) -> None:
    if reading.problem:
        safe.problem(reading.problem)
    snapshot = reading.snapshot
    if snapshot is None:
        return
    total = in_words(sum(artifact.size for artifact in snapshot.artifacts))
    one = len(snapshot.artifacts) == 1
    name = snapshot.artifacts[0].path if one else words.counted(len(snapshot.artifacts), "file")
    kinds = words.FAMILIES[reading.families[0]] if one else words.kinds(reading.families)
    st.caption(
        f":material/check_circle: **{safe.middle(name, 60)}** read: {safe.text(kinds)}, {safe.text(total)}"
    )
    if not one:
        rows = [
            {"File": artifact.path, "Kind": words.FAMILIES[family], "Size": in_words(artifact.size)}
            for artifact, family in zip(snapshot.artifacts, reading.families, strict=True)
        ]
        st.dataframe(
            rows,
            key=widget(f"{slot}_list"),
            hide_index=True,
            row_height=28,
            height=28 * min(len(rows), SHOWN_ROWS) + 38,
        )
    for note in snapshot.notes:
        safe.caption(note)
    if snapshot.refused:
        with st.expander(f"{len(snapshot.refused)} not read", expanded=len(snapshot.refused) == 1):
            for refused in snapshot.refused:
                st.caption(f"Not read: {safe.middle(refused.path, 60)}, {safe.text(refused.reason)}")
