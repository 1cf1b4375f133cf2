"""The rubric before the judge reads by it: written by the judge, edited by a person, checked here."""

import re
from collections.abc import Mapping, Sequence

import streamlit as st
from pydantic import ValidationError

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.errors import first_problem
from comparator.domain.labels import Dimension
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import Family
from comparator.domain.rights import Act
from comparator.domain.scoring.rubric import Rubric
from comparator.judges.protocol import Judge, QuestionResult
from comparator.store.judging.rubrics import RubricVersion
from comparator.ui.frame import safe, session
from comparator.ui.frame.inputs import edited_table
from comparator.ui.frame.notices import follow_draft
from comparator.ui.new.draft import OUTPUTS, Draft, RubricDraft, Slot, widget
from comparator.workflow.judging.asking import judge_of_project
from comparator.workflow.judging.registry import Membership
from comparator.workflow.judging.rubrics import draft_rubric, rubric_of_task

GO_ON = "You can continue with the page."
ANCHORS = ("poor", "acceptable", "excellent")
TITLES = {Dimension.CONTENT: "Content", Dimension.STRUCTURE: "Structure"}
COLUMNS = {
    "key": None,
    "part": st.column_config.SelectboxColumn(
        "Part", options=list(TITLES.values()), required=True, width="small"
    ),
    "name": st.column_config.TextColumn("Criterion", required=True, max_chars=80),
    "description": st.column_config.TextColumn("What is looked at", max_chars=600, width="medium"),
    "poor": st.column_config.TextColumn("1 means", required=True, max_chars=600, width="medium"),
    "acceptable": st.column_config.TextColumn("3 means", required=True, max_chars=600, width="medium"),
    "excellent": st.column_config.TextColumn("5 means", required=True, max_chars=600, width="medium"),
}


def write_rubric(draft: Draft, task: TaskText, redactions: Sequence[Redaction]) -> None:
    """Show the rubric that holds for the task, else have the judge write one in the background.

    It is written from the task's blinded wording and the kinds of files. Raises errors of ours.
    """
    services = session.services()
    judge = judge_of_project(services, draft.project, draft.judge, draft.model)
    in_force = rubric_of_task(
        services,
        judge,
        task,
        project=draft.project,
        inputs=draft.snapshot(Slot.INPUTS),
        reference=draft.snapshot(Slot.REFERENCE),
    )
    if in_force is not None:
        _take(draft, in_force.rubric, in_force=_origin(in_force))
        return
    present = {family for slot in OUTPUTS if (read := draft.reading(slot)) for family in read.families}
    families = tuple(family for family in Family if family in present)

    async def write(writer: Judge, here: Membership) -> QuestionResult[Rubric]:
        return await draft_rubric(here, writer, task, redactions=tuple(redactions), families=families)

    session.drafting().begin(draft.id, write, kind=draft.judge, model=draft.model)


def writing_rubric(draft: Draft) -> str | None:
    """Show how far the judge is with the rubric, and take it over once it is written; why to wait, or None."""
    writing = session.drafting().look(draft.id)
    if writing is None:
        return None
    if not writing.done:
        follow_draft(session.drafting(), draft.id, "The judge writes the rubric", act=Act.SUBMIT, then=GO_ON)
        return f"The judge is writing the rubric. {GO_ON}"
    session.drafting().forget(draft.id)
    if writing.reply is not None:
        _take(draft, writing.reply.value, reply=writing.reply)
    elif writing.problem is not None:
        safe.problem(writing.problem)
    return None


def _take(
    draft: Draft, rubric: Rubric, *, reply: QuestionResult[Rubric] | None = None, in_force: str = ""
) -> None:
    _drop_editors()
    draft.rubric = RubricDraft(original=rubric, edited=rubric, reply=reply, in_force=in_force)


def _origin(version: RubricVersion) -> str:
    where = (
        "This project has one locked rubric for all tasks"
        if version.shared
        else "This task has a rubric already"
    )
    rest = (
        "It is locked, so the judge uses it as it is."
        if version.locked
        else "Your changes create a new version."
    )
    return f"{where} (version {version.number}, by {version.author}). Nothing was paid. {rest}"


def edit_rubric(draft: Draft) -> str | None:
    """Show the rubric for editing; what is wrong with it, as a plain sentence, or None."""
    rubric = draft.rubric
    if rubric is None:
        return None
    if rubric.in_force:
        st.info(safe.text(rubric.in_force), icon=":material/info:")
    rows = [
        {
            "part": title,
            **line.model_dump(include={"key", "name", "description"}),
            **line.anchors.model_dump(),
        }
        for dimension, title in TITLES.items()
        for line in getattr(rubric.original, dimension.value)
    ]
    rows = edited_table(rows, key=widget("rubric_rows"), columns=COLUMNS, num_rows="dynamic")
    right_answer = st.text_input(
        "What a right answer must contain",
        value=rubric.original.right_answer,
        key=widget("rubric_right_answer"),
        persist_state="session",
        max_chars=600,
        placeholder="One sentence, where the task has an answer that can be checked",
        help="The judge checks both outputs against it.",
    )
    left, right, out = st.columns([2, 2, 1], vertical_alignment="center")
    lock = left.checkbox(
        "Lock it for later pairs of this task", key=widget("rubric_lock"), persist_state="session"
    )
    share = right.checkbox(
        "Use it for every task of the project", key=widget("rubric_share"), persist_state="session"
    )
    if out.button("Discard", key=widget("rubric_discard"), icon=":material/close:", type="tertiary"):
        _drop_editors()
        draft.rubric = None
        st.rerun()
    try:
        edited = _rubric_of(rows, " ".join(right_answer.split()))
    except ValueError as error:
        safe.problem(error)
        return "Correct the rubric."
    draft.rubric = rubric.copy_with(edited=edited, lock=lock, share=share)
    return None


def _rubric_of(rows: Sequence[Mapping[str, object]], right_answer: str) -> Rubric:
    """The rubric of these lines. Raises ValueError with a plain sentence."""
    criteria: dict[str, list[dict[str, object]]] = {}
    for dimension, title in TITLES.items():
        # An empty cell comes back as None or NaN.
        lines = [
            {name: cell.strip() if isinstance(cell, str) else "" for name, cell in row.items()}
            for row in rows
            if row["part"] == title
        ]
        for number, line in enumerate(lines, 1):
            if not all(line[name] for name in ("name", *ANCHORS)):
                raise ValueError(f"{title}, criterion {number}: give it a name and say what 1, 3 and 5 mean.")
        criteria[dimension.value] = [
            {
                "key": line["key"] or key_of(line["name"]) or f"criterion_{number}",
                "name": line["name"],
                "description": line["description"],
                "anchors": {name: line[name] for name in ANCHORS},
            }
            for number, line in enumerate(lines, 1)
        ]
    try:
        return Rubric.model_validate({**criteria, "right_answer": right_answer})
    except ValidationError as error:
        reason = first_problem(error).reason
        raise ValueError(f"{reason[0].upper()}{reason[1:]}.") from error


def key_of(name: str) -> str:
    """A criterion's key for a name that a person typed; empty for a name without Latin letters.

    >>> key_of("Field alignment (PDF)"), key_of("完整")
    ('field_alignment_pdf', '')
    """
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).lstrip("_0123456789")[:60].rstrip("_")


def _drop_editors() -> None:
    """Forget what the tables hold, so that they start from the draft again."""
    for key in [str(key) for key in st.session_state if str(key).startswith(widget("rubric_"))]:
        if key != widget("rubric_discard"):
            del st.session_state[key]
