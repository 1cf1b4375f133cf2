"""The project's part of the settings: a form made of the fields of its settings; each change holds at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.project import ProjectSettings, QueueOrder, ReasonRule, ReviewMode
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import Tools
from comparator.reporting.history.listing import numbers
from comparator.ui.frame import safe, session
from comparator.ui.frame.inputs.choices import choose_project
from comparator.workflow.projects.settings import change_settings, project_settings

MOST_CANDIDATES = 40
MOST_ABREAST = 3
"""More values than these stand in a list that opens."""
LINES = ("reason_codes", "guess_choices")
"""Settings that are typed, a value a line."""
REFUSED = "settings_refused"
"""In the session's state: the field whose value was refused, and why."""


class Words(NamedTuple):
    """What a setting is called on the page, what its values are called, and what stands where there is none."""

    label: str
    values: dict[Any, str] | None = None
    none: str = ""


WORDS = {
    "mode": Words(
        "What a reviewer sees first",
        {
            ReviewMode.JUDGE_FIRST: "The judge's scores, to correct",
            ReviewMode.BLIND_FIRST: "The outputs alone; the judge's scores after the answer",
            ReviewMode.PREFERENCE_FIRST: "Which is better, with the judge's verdict",
            ReviewMode.BLIND_PREFERENCE: "Which is better; the judge's verdict after the answer",
        },
    ),
    "order": Words(
        "Order of the queue",
        {
            QueueOrder.AS_IMPORTED: "As imported",
            QueueOrder.RANDOM: "Random",
            QueueOrder.INFORMATIVE: "Most uncertain first",
        },
    ),
    "reasons": Words(
        "A reason for each winner and changed value",
        {
            ReasonRule.REQUIRED: "Required",
            ReasonRule.OPTIONAL: "Optional",
            ReasonRule.OFF: "Not asked",
        },
    ),
    "judges": Words("Judges that all read each pair", none="one judge, as the installation is set"),
    "reviews_needed": Words("Reviews that each pair needs"),
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
    "show_reference": Words("Judge and reviewer see the reference answer"),
    "reason_codes": Words("Kinds of reasons, one per line; the first nine have a digit each"),
    "redact_names": Words("Redact full names that reveal who made which output"),
    "ask_guess_share": Words("Share of pairs (%) in which reviewers guess who made which output"),
    "guess_choices": Words(
        "What reviewers see of the candidates when they guess, such as “1: with the guide”"
    ),
    "live_pages": Words("Run the scripts of web pages for reviewers, cut off from network and app"),
}
ESSENTIAL = ("mode", "order", "reasons", "judges", "reviews_needed")
FOLDED = (
    "tools",
    "quorum",
    "show_reference",
    "reason_codes",
    "redact_names",
    "live_pages",
    "ask_guess_share",
    "guess_choices",
)


def project_part(project_id: str | None) -> None:
    """How the project is judged and reviewed; to choose one where none is looked at."""
    changeable = session.projects(Act.CHANGE_SETTINGS)
    if not changeable:
        st.caption("Create a comparison first. The settings of its project appear here.")
        return
    if project_id not in {each.id for each in changeable}:
        choose_project(changeable, why="Each project has settings of its own.")
        return
    assert project_id is not None
    settings = project_settings(session.services(), project_id)
    st.subheader(safe.text(session.project_name(project_id)), anchor=False)
    refused, why = st.session_state.pop(REFUSED, (None, ""))
    if why:
        st.error(safe.text(why), icon=":material/error:")
    for name in ESSENTIAL:
        _field(project_id, settings, name, refused)
    with st.expander("More settings of this project", expanded=refused in FOLDED):
        for name in FOLDED:
            _field(project_id, settings, name, refused)
        with st.popover("Which number is which candidate", icon=":material/visibility:"):
            st.caption("Look only if you do not review in this project. It does not say which is A or B.")
            for number, called in numbers(session.services().database, project_id)[:MOST_CANDIDATES]:
                safe.write(safe.text(f"{number}: {called}"))


def _field(project_id: str, settings: ProjectSettings, name: str, refused: str | None) -> None:
    """The widget that fits the setting's type; what is chosen in it is stored before the page is drawn again."""
    about, words, value = ProjectSettings.model_fields[name], WORDS[name], getattr(settings, name)
    if name == "judges" and not (known := (*_named_judges(), *value)):
        st.caption(safe.text(f"Judge: {session.usual_judge()}."))
        return
    key = f"settings_{name}_{project_id}"
    if name != refused:
        # What another window stored is shown at once; only what was refused stays to be corrected.
        st.session_state[key] = _shown(name, value)
    label = safe.text(words.label)
    told = safe.text(about.description or "")
    of = (project_id, name)
    if words.values is not None and len(words.values) > MOST_ABREAST:
        shown = words.values.__getitem__
        st.selectbox(
            label, list(words.values), key=key, format_func=shown, on_change=_store, args=of, help=told
        )
    elif words.values is not None:
        values = words.values
        st.segmented_control(
            label,
            list(values),
            key=key,
            format_func=lambda each: safe.text(values[each]),
            required=True,
            on_change=_store,
            args=of,
            help=told,
        )
    elif isinstance(value, bool):
        st.toggle(label, key=key, on_change=_store, args=of, help=told)
    elif name == "judges":
        every = list(dict.fromkeys(known))
        st.multiselect(label, every, key=key, placeholder=words.none, on_change=_store, args=of, help=told)
    elif name in LINES:
        st.text_area(
            label,
            key=key,
            placeholder=words.none,
            height=110,
            max_chars=4000,
            on_change=_store,
            args=of,
            help=told,
        )
    else:
        low, high, step = (0, 100, 5) if about.annotation is float else (1, 50, 1)
        st.number_input(
            label,
            min_value=low,
            max_value=high,
            step=step,
            key=key,
            placeholder=words.none or None,
            width=460 if about.annotation is float else 260,
            on_change=_store,
            args=of,
            help=told,
        )


def _shown(name: str, value: Any) -> Any:
    """The setting as its widget holds it."""
    match name:
        case "ask_guess_share":
            return round(value * 100)
        case "reason_codes":
            return "\n".join(value)
        case "guess_choices":
            return "\n".join(f"{choice.number}: {choice.text}" for choice in value)
        case "judges":
            return list(value)
        case "quorum":
            return value
        case _:
            return "" if value is None else value


def _kept(name: str, shown: Any) -> Any:
    """What is stored of it."""
    match name:
        case "ask_guess_share":
            return shown / 100
        case "reason_codes":
            lines = (" ".join(line.split())[:60] for line in shown.splitlines())
            return tuple(dict.fromkeys(line for line in lines if line))
        case "guess_choices":
            parts = (line.partition(":") for line in shown.splitlines() if line.strip())
            return [{"number": number.strip(), "text": text.strip()} for number, _, text in parts]
        case "judges":
            return tuple(shown)
        case _:
            return None if shown == "" else shown


def _store(project_id: str, name: str) -> None:
    """The one writer: put what was just chosen in force, and nothing else."""
    value = _kept(name, st.session_state[f"settings_{name}_{project_id}"])
    try:
        change_settings(session.as_me(), project_id, **{name: value})
    except ComparatorError as error:
        st.session_state[REFUSED] = (name, str(error))
    else:
        st.toast("Saved.", icon=":material/check:")


def _named_judges() -> tuple[str, ...]:
    try:
        return tuple(session.services().named_judges())
    except ComparatorError:
        # The page Judge says what is wrong with them.
        return ()
