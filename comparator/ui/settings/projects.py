"""The project's part of the settings: a form in sections; each change holds at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import streamlit as st

from comparator.domain.errors import ComparatorError, InputError
from comparator.domain.project import ProjectSettings, QueueOrder, ReasonRule
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import Tools
from comparator.outputs.pictures.command import Commands
from comparator.reporting.history.listing import all_projects
from comparator.ui.frame import safe, session
from comparator.ui.settings.review import asked, ways
from comparator.workflow.projects.settings import change_settings, project_settings

REASONS = {
    ReasonRule.REQUIRED: "Required",
    ReasonRule.OPTIONAL: "Optional",
    ReasonRule.OFF: "Not asked",
}
ORDERS = {
    QueueOrder.AS_IMPORTED: "As imported",
    QueueOrder.RANDOM: "Random",
    QueueOrder.INFORMATIVE: "Most informative first",
}
SHOWN = "settings_shown"


class ShownSettings(NamedTuple):
    """What the page last showed: the settings as they are stored, as far as it knows, and the values of its fields."""

    stored: ProjectSettings
    values: dict[str, Any]


class Section(NamedTuple):
    """Some settings that belong together; `fields` shows them and returns the values by the settings' names."""

    title: str
    fields: Callable[[ProjectSettings, str], Mapping[str, Any]]
    """Takes the present settings and an ending that makes the widgets' keys this project's own."""


def project_part() -> None:
    """How the projects are reviewed; only those that the person may change."""
    services = session.services()
    names = {
        project.id: project.name
        for project in all_projects(services.database)
        if session.may(Act.CHANGE_SETTINGS, project_id=project.id)
    }
    if not names:
        st.caption("Create a comparison first. The settings of its project appear here.")
        return
    looked_at = session.project_id()
    chosen = st.selectbox(
        "Project",
        list(names),
        index=list(names).index(looked_at) if looked_at in names else 0,
        format_func=lambda id: names[id],
        key="settings_project",
    )
    before = project_settings(services, chosen)
    # Fields that are not on the page yet begin with what is stored.
    known = st.session_state.get(SHOWN) if f"settings_order_{chosen}" in st.session_state else None
    values: dict[str, Any] = {}
    for section in SECTIONS:
        with st.container(border=True):
            st.caption(safe.text(section.title))
            values |= section.fields(before, chosen)
    _keep(chosen, known or ShownSettings(before, values), values, before=before)


def _keep(project_id: str, known: ShownSettings, values: dict[str, Any], *, before: ProjectSettings) -> None:
    """Store what was changed here, and only that: another window may have changed something else meanwhile."""
    changed = {name: value for name, value in values.items() if value != known.values[name]}
    if changed:
        try:
            change_settings(session.services(), project_id, person_id=session.me().id, **changed)
        except ComparatorError as error:
            st.error(safe.message(error))
            return
        st.toast("Saved.", icon=":material/check:")
    if before != known.stored:
        st.info(
            "Somebody else has changed these settings. Reload the page to see them.",
            icon=":material/sync:",
        )
    st.session_state[SHOWN] = ShownSettings(known.stored.model_copy(update=changed), values)


def reviewing(settings: ProjectSettings, key: str) -> Mapping[str, Any]:
    """In which order pairs come up, how many reviews each needs, and whether a change needs a reason."""
    order = st.segmented_control(
        "Order of the queue",
        list(QueueOrder),
        default=settings.order,
        format_func=lambda each: safe.inked(ORDERS[each]),
        key=f"settings_order_{key}",
        required=True,
    )
    needed = st.number_input(
        "Final reviews that each pair needs",
        min_value=1,
        max_value=50,
        value=settings.reviews_needed,
        key=f"settings_reviews_{key}",
        width=260,
    )
    reasons = st.segmented_control(
        "A reason for each winner and changed value",
        list(ReasonRule),
        default=settings.reasons,
        format_func=lambda each: safe.inked(REASONS[each]),
        key=f"settings_reasons_{key}",
        required=True,
    )
    return {"order": order, "reviews_needed": int(needed), "reasons": reasons}


def blindness(settings: ProjectSettings, key: str) -> Mapping[str, Any]:
    """What is redacted and what is shown."""
    reference = st.toggle(
        "Judge and reviewer see the reference answer",
        value=settings.show_reference,
        key=f"settings_reference_{key}",
    )
    redact = st.toggle(
        "Redact full names that reveal who made which output, unless someone decides otherwise",
        value=settings.redact_names,
        key=f"settings_redact_{key}",
    )
    return {"show_reference": reference, "redact_names": redact}


def web_pages(settings: ProjectSettings, key: str) -> Mapping[str, Any]:
    """Whether pages run their scripts before the reviewer, and which commands render what we do not know."""
    live = st.toggle(
        "Run the scripts of web pages for reviewers, cut off from network and app",
        value=settings.live_pages,
        key=f"settings_live_{key}",
    )
    command = settings.render_command
    # Commands run on the server, so that they are for those who run it.
    if session.may(Act.OPERATE, project_id=None):
        given = st.text_area(
            "Render commands, one per line: file endings, a colon, a command that makes a PNG or a page",
            value=command or "",
            placeholder=".jsx .tsx: node /opt/render.mjs {in} {out}",
            key=f"settings_render_{key}",
            height=90,
            help="Run without a shell or a network, with limits of time and memory, for new pairs, and "
            "when a reviewer asks for a picture.",
        )
        try:
            for program in Commands.parse(given).missing():
                st.warning(safe.text(f"{program} is not on this machine, so this command renders nothing."))
            command = given.strip() or None
        except InputError as error:
            st.error(safe.message(error))
    elif command:
        st.caption("Some files are rendered by commands that an admin has set.")
    return {"live_pages": live, "render_command": command}


TOOLS = {
    "": "As the installation is set",
    "auto": "When something does not fit",
    "always": "Always",
    "never": "Never",
}


def judging(settings: ProjectSettings, key: str) -> Mapping[str, Any]:
    """Which judges are asked, and whether they open what does not fit into a request."""
    tools = st.segmented_control(
        "The judge opens files with tools",
        list(TOOLS),
        default="" if settings.tools is None else settings.tools.value,
        format_func=lambda each: safe.inked(TOOLS[each]),
        key=f"settings_tools_{key}",
        required=True,
        help="With tools a judge can read what is cut, search it, and look at pages. It takes more requests.",
    )
    return {"tools": Tools(tools) if tools else None, **_several(settings, key)}


def _several(settings: ProjectSettings, key: str) -> Mapping[str, Any]:
    """Several judges for each pair, where any has a name."""
    try:
        known = tuple(session.services().named_judges())
    except ComparatorError as error:
        st.warning(safe.message(error))
        return {}
    if not known and not settings.judges:
        return {}
    judges = st.multiselect(
        "Judges that all read each pair",
        tuple(dict.fromkeys((*known, *settings.judges))),
        default=settings.judges,
        placeholder="one judge, as set",
        key=f"settings_judges_{key}",
        help="Their votes and the medians of their scores become one verdict. One strong judge with repetitions is "
        "the default, because several judges carry fewer independent votes than members.",
    )
    quorum = st.number_input(
        "Judges that need a verdict",
        min_value=1,
        max_value=max(len(judges), settings.quorum or 1, 2),
        value=settings.quorum,
        placeholder="most of them",
        key=f"settings_quorum_{key}",
        disabled=len(judges) < 2,
        width=260,
    )
    return {"judges": tuple(judges), "quorum": None if quorum is None else int(quorum)}


SECTIONS = (
    Section("Judging", judging),
    Section("Reviewing", reviewing),
    Section("What comes first", ways),
    Section("Blindness", blindness),
    Section("Web pages", web_pages),
    Section("Does blinding hold?", asked),
)
"""From top to bottom; another part of the app adds its own section here."""
