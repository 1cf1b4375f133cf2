"""The settings of a project, a line for each field with what it does; each change holds at once. And all projects."""

from functools import partial
from typing import Any, Literal, NamedTuple

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.project import LONGEST_BRIEF, ProjectSettings, ReasonRule, ReviewMode, ReviewOrder
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import Tools
from comparator.reporting.history.listing import number_of_comparisons, numbers
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.words import counted
from comparator.workflow.projects.settings import change_settings, project_settings, purge_project

MOST_CANDIDATES = 40
MOST_ABREAST = 3
"""More values than these stand in a list that opens."""
HIDDEN: Literal["collapsed"] = "collapsed"
TYPED = ("brief", "reason_codes", "guess_choices")
"""Settings that are typed; of the last two, a value a line."""
_LIST = "settings_projects"
_LISTED = {"mode": "Reviewers see first", "reasons": "Reasons", "reviews_needed": "Reviews a pair"}
"""Settings that stand in the list of all projects, and their columns."""
ANSWER = "settings_answer"
"""In the session's state: the field that was just changed, and why its value was refused; empty where it is stored."""


class Words(NamedTuple):
    """What a setting is called on the page, what its values are called, and what stands where there is none."""

    label: str
    values: dict[Any, str] | None = None
    none: str = ""


WORDS = {
    "mode": Words(
        "What reviewers see first",
        {
            ReviewMode.JUDGE_FIRST: "Judge first: correct its scores",
            ReviewMode.BLIND_FIRST: "Blind first: the judge's scores after the answer",
            ReviewMode.PREFERENCE_FIRST: "Only which is better, with the judge's verdict",
            ReviewMode.BLIND_PREFERENCE: "Only which is better, blind first",
        },
    ),
    "order": Words(
        "Order of the queue",
        {
            ReviewOrder.AS_IMPORTED: "As imported",
            ReviewOrder.RANDOM: "Random",
            ReviewOrder.INFORMATIVE: "Most uncertain first",
        },
    ),
    "reasons": Words(
        "Reasons",
        {
            ReasonRule.REQUIRED: "Required",
            ReasonRule.OPTIONAL: "Optional",
            ReasonRule.OFF: "Not asked",
        },
    ),
    "judges": Words("Judges"),
    "reviews_needed": Words("Reviews of each pair"),
    "brief": Words("Brief for the reviewers"),
    "share_to_all": Words("Pairs that every reviewer gets, %"),
    "tools": Words(
        "The judge opens files with tools",
        {
            "": "As the installation is set",
            Tools.AUTO: "When something does not fit or is too much to compare by eye",
            Tools.ALWAYS: "Always",
            Tools.NEVER: "Never",
        },
    ),
    "quorum": Words("Judges that must give a verdict", none="most of them"),
    "show_reference": Words("Show the reference answer"),
    "reason_codes": Words("Kinds of reasons"),
    "redact_names": Words("Neutralise names"),
    "live_pages": Words("Run the scripts of web pages"),
    "ask_guess_share": Words("Guesses of who made which output, % of pairs"),
    "guess_choices": Words("Candidates to guess"),
}
ESSENTIAL, FOLDED = [*WORDS][:5], [*WORDS][5:]


def projects_part() -> None:
    """All projects with what is set most often; a click on one opens its settings."""
    changeable = session.projects(Act.CHANGE_SETTINGS)
    if not changeable:
        st.caption("Create a comparison first. Its project appears here, with settings of its own.")
        return

    def open_settings() -> None:
        for at, _ in st.session_state[_LIST].selection.cells:
            session.look_at(changeable[at].id)
            st.toast(safe.text(f"{changeable[at].name} is now the project on every page."))

    rows = [
        {
            "Project": project.name,
            **{label: _in_words(project.settings, name) for name, label in _LISTED.items()},
            "": "Change ›",
        }
        for project in changeable
    ]
    st.dataframe(rows, key=_LIST, hide_index=True, selection_mode="single-cell", on_select=open_settings)


def _in_words(settings: ProjectSettings, name: str) -> str:
    value = getattr(settings, name)
    return str((WORDS[name].values or {}).get(value, value))


def project_part(project_id: str) -> None:
    """How the project is judged and reviewed."""
    settings = project_settings(session.services(), project_id)
    st.subheader(safe.text(session.project_name(project_id)), anchor=False)
    answers = dict([st.session_state.pop(ANSWER, ("", ""))])
    for name in ESSENTIAL:
        _field(project_id, settings, name, answers.get(name))
    with st.expander("More settings of this project", expanded=any(answers.get(name) for name in FOLDED)):
        for name in FOLDED:
            _field(project_id, settings, name, answers.get(name))
        with shell.row():
            with st.popover("Which number is which candidate", icon=":material/visibility:"):
                st.caption("Look only if you do not review in this project. It does not say which is A or B.")
                for number, called in numbers(session.services().database, project_id)[:MOST_CANDIDATES]:
                    safe.say(f"{number}: {called}")
            if session.may(Act.PURGE, project_id=None) and st.button(
                "Delete project…", key="settings_delete", icon=":material/delete_forever:"
            ):
                _delete(project_id)


@st.dialog("Delete project")
def _delete(project_id: str) -> None:
    """What deleting the project removes; the reason that the audit log keeps is the confirmation."""
    name, database = session.project_name(project_id), session.services().database
    pairs = counted(number_of_comparisons(database, project_id=project_id), "comparison")
    safe.say(f"{pairs} of {name} with all outputs, judgments and reviews. This cannot be undone.")
    reason = st.text_input("Why? The audit log keeps it.", key="settings_delete_reason", live=True)

    def purge() -> None:
        try:
            purge_project(session.as_me(), project_id, reason=reason)
        except ComparatorError as error:
            shell.tell_next(str(error))
        else:
            session.look_at("")
            shell.tell_next(f"{name} was deleted.")

    if st.button(
        safe.text(f"Delete {name} for good"),
        key="settings_delete_now",
        type="primary",
        disabled=not reason.strip(),
        on_click=purge,
    ):
        st.rerun()


def _field(project_id: str, settings: ProjectSettings, name: str, answer: str | None) -> None:
    """A line: what is set and what that does; at the right the widget that fits its type.

    What is chosen in it is stored before the page is drawn again; `answer` says why it was not, empty that it was.
    """
    about, words, value = ProjectSettings.model_fields[name], WORDS[name], getattr(settings, name)
    known = (*session.named_judges(), *value) if name == "judges" else ()
    left, right = st.columns([2, 3], vertical_alignment="center")
    saved = " :green-badge[:material/check: Saved]" if answer == "" else ""
    with left:
        safe.write(
            safe.Markdown(
                f"**{safe.text(words.label)}**{saved}  \n:small[{safe.text(about.description or '')}]"
            )
        )
        if answer:
            safe.problem(answer)
    key = f"settings_{name}_{project_id}"
    if not answer:
        # What another window stored is shown at once; only what was refused stays to be corrected.
        st.session_state[key] = _widget_value(name, value)
    label = safe.text(words.label)
    values = words.values or {}
    store = partial(_store, project_id, name)
    with right:
        if len(values) > MOST_ABREAST:
            word_of = values.__getitem__
            st.selectbox(
                label, list(values), format_func=word_of, key=key, on_change=store, label_visibility=HIDDEN
            )
        elif values:
            st.segmented_control(
                label,
                list(values),
                format_func=lambda choice: safe.text(values[choice]),
                required=True,
                key=key,
                on_change=store,
                label_visibility=HIDDEN,
            )
        elif isinstance(value, bool):
            st.toggle(label, key=key, on_change=store, label_visibility=HIDDEN)
        elif name == "judges":
            st.multiselect(
                label,
                list(dict.fromkeys(known)),
                placeholder=f"One judge: {session.usual_judge()}",
                disabled=not known,
                key=key,
                on_change=store,
                label_visibility=HIDDEN,
            )
        elif name in TYPED:
            st.text_area(
                label,
                placeholder=words.none,
                height=110,
                max_chars=LONGEST_BRIEF,
                key=key,
                on_change=store,
                label_visibility=HIDDEN,
            )
        else:
            low, high, step = (0, 100, 5) if about.annotation is float else (1, 50, 1)
            st.number_input(
                label,
                min_value=low,
                max_value=high,
                step=step,
                placeholder=words.none or None,
                width=260,
                key=key,
                on_change=store,
                label_visibility=HIDDEN,
            )


def _widget_value(name: str, value: Any) -> Any:
    """The setting as its widget holds it."""
    match name:
        case "ask_guess_share" | "share_to_all":
            return round(value * 100)
        case "reason_codes":
            return "\n".join(value)
        case "guess_choices":
            return "\n".join(f"{choice.number}: {choice.text}" for choice in value)
        case "judges":
            return list(value)
        case "tools":
            return value or ""
        case _:
            return value


def _stored_value(name: str, entry: Any) -> Any:
    """What is stored of it."""
    match name:
        case "ask_guess_share" | "share_to_all":
            return entry / 100
        case "reason_codes":
            lines = (" ".join(line.split())[:60] for line in entry.splitlines())
            return tuple(dict.fromkeys(line for line in lines if line))
        case "guess_choices":
            parts = (line.partition(":") for line in entry.splitlines() if line.strip())
            return [{"number": number.strip(), "text": text.strip()} for number, _, text in parts]
        case "tools":
            return entry or None
        case _:
            return entry


def _store(project_id: str, name: str) -> None:
    """The one writer: put what was just chosen in force, and nothing else."""
    value = _stored_value(name, st.session_state[f"settings_{name}_{project_id}"])
    try:
        change_settings(session.as_me(), project_id, **{name: value})
    except ComparatorError as error:
        st.session_state[ANSWER] = (name, str(error))
    else:
        st.session_state[ANSWER] = (name, "")
