"""Help: a page of the documentation."""

from pathlib import Path

import streamlit as st

from comparator.domain.rights import Act
from comparator.ui.frame import safe, session
from comparator.ui.frame.state import PageScript, Param

DOCS = Path(__file__).resolve().parent.parent / "docs"

asked = DOCS / f"{st.query_params.get(Param.PAGE.value, '')}.md"
# The two that only list the others are left out.
pages = {path for path in DOCS.glob("*.md") if path.stem not in ("index", "README")}

with st.container(width=920):
    if asked not in pages:
        if session.may_somewhere(Act.REVIEW) and not session.may_somewhere(Act.SUBMIT):
            # Whoever only reviews needs no other page.
            safe.document(DOCS / "reviewing.md")
            st.subheader("All pages of the help", anchor=False)
        else:
            st.title("Help", anchor=False)
        safe.contents(DOCS / "README.md")
    else:
        st.page_link(PageScript.HELP, label="All pages of the help", icon=":material/arrow_back:")
        safe.document(asked)
