"""Adding, changing and removing named judges, for whoever runs the server."""

from __future__ import annotations

from typing import Any

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.scoring.judgment import Tools
from comparator.judges.choose import NamedJudge
from comparator.judges.model.options import Provider
from comparator.ui.frame import safe, session
from comparator.workflow.judging.which_judges import KEY_PREFIX, remove_judge, save_judge

NEW = ""
TOOLS = {"": "as the project says", **{each.value: each.value for each in Tools}}
OFTEN = ("", "auto", *map(str, range(1, 10)))


def edit_judges() -> None:
    """A form for a new judge or one of those that were added here; a key is only named by its variable."""
    known = session.services().judges_of_page()
    with st.expander("Add or change a judge", key="judges_edit"):
        name = st.selectbox(
            "Judge",
            (NEW, *known),
            format_func=lambda each: each or "a new one",
            key="judges_which",
            width=320,
        )
        if name:
            st.caption("Batches that have already started go on with the judge as it was.")
        given = _form(known.get(name))
        if given is not None:
            _tell(lambda: save_judge(session.as_me(), given[0], given[1]))
        if name and st.button("Remove this judge", key="judges_remove", icon=":material/delete:"):
            _tell(lambda: remove_judge(session.as_me(), name))


def _form(judge: NamedJudge | None) -> tuple[str, dict[str, Any]] | None:
    """Name and settings as they were sent just now; None where nothing was."""
    key = judge.name if judge else "new"
    with st.form(f"judges_form_{key}", border=False):
        name = judge.name if judge else st.text_input("Name", key="judges_name", max_chars=60, width=320)
        first, second = st.columns(3), st.columns(3)
        model = first[0].text_input("Model", value=judge.model if judge else "", key=f"judges_model_{key}")
        server = first[1].text_input(
            "Server",
            value=(judge.server or "") if judge else "",
            placeholder="the usual one",
            key=f"judges_server_{key}",
        )
        variable = first[2].text_input(
            "Variable with its key",
            value=(judge.key or "") if judge else "",
            placeholder=f"{KEY_PREFIX}SITE",
            key=f"judges_key_{key}",
            help="The name of an environment variable of the app and its workers, never the key itself.",
        )
        provider = second[0].selectbox(
            "Provider",
            [each.value for each in Provider],
            index=[each.value for each in Provider].index(judge.provider.value if judge else "api"),
            key=f"judges_provider_{key}",
        )
        tools = second[1].selectbox(
            "Tools",
            list(TOOLS),
            index=list(TOOLS).index(judge.tools.value if judge and judge.tools else ""),
            format_func=TOOLS.__getitem__,
            key=f"judges_tools_{key}",
        )
        often = second[2].selectbox(
            "Repetitions",
            OFTEN,
            index=OFTEN.index(str(judge.repetitions) if judge and judge.repetitions else ""),
            format_func=lambda each: each or "as set",
            key=f"judges_often_{key}",
        )
        if not st.form_submit_button("Save", key=f"judges_save_{key}", type="primary"):
            return None
    table = {
        "model": model.strip(),
        "server": server.strip() or None,
        "key": variable.strip() or None,
        "provider": provider,
        "tools": tools or None,
        "repetitions": int(often) if often.isdigit() else often or None,
    }
    return name, {what: value for what, value in table.items() if value is not None}


def _tell(operation: Any) -> None:
    try:
        operation()
    except ComparatorError as error:
        st.error(safe.message(error), icon=":material/error:")
        return
    st.rerun()
