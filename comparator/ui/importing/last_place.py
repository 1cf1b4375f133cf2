"""Where a person is on the page Import, kept for the way back from another page."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

FOUND, PLAN, DONE = "found", "plan", "done"
"""Names in the address of the works of each step."""
STEPS = (FOUND, PLAN, DONE)
_KEPT = "import_steps"
_CHOICES = (
    "import_workspace",
    "import_grid",
    "import_pairs",
    "import_one",
    "import_other",
    "import_from",
    "import_to",
    "import_baseline",
    "import_set_aside",
    "import_take_back",
    "import_redact_also",
    "import_all_runs",
    "import_judge",
    "import_blind",
)
_WORDS = "import_words_"


def come_back() -> None:
    """Take the steps' ids from the address, or where it names none, from the session, which then names them too."""
    if not any(name in st.query_params for name in STEPS):
        for name, id in st.session_state.get(_KEPT, {}).items():
            st.query_params[name] = id
    keep()


def keep() -> None:
    """Keep the ids that the address has now."""
    st.session_state[_KEPT] = {name: st.query_params[name] for name in STEPS if name in st.query_params}


def forget(names: Sequence[str]) -> None:
    """Take these steps out of the address, and out of the session."""
    for name in names:
        st.query_params.pop(name, None)
    keep()


def forget_choices() -> None:
    """Drop what was chosen and decided about one scan before the next."""
    for key in [str(each) for each in st.session_state]:
        if key in _CHOICES or key.startswith(_WORDS):
            del st.session_state[key]
