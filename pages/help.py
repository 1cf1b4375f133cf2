"""Help: a search over the documentation, how to review, the keys, and every page of it."""

from pathlib import Path

import streamlit as st

from comparator.domain.rights import Act
from comparator.ui.frame import safe, session
from comparator.ui.frame.state import PageScript, Param

DOCS = Path(__file__).resolve().parent.parent / "docs"
KEYS = safe.Markdown(
    "**To review a pair:** press `a` or `b` for the better output, or `=` for a tie, and type why. Ctrl + Enter "
    "finalises and opens the next pair. `?` lists all keys."
)

KEYS_TABLE = safe.Markdown((DOCS / "reviewing.md").read_text("utf-8").partition("## Keys")[2])

page = DOCS / f"{st.query_params.get(Param.PAGE, '')}.md"
# The two that only list the others are left out.
pages = sorted(path for path in DOCS.glob("*.md") if path.stem not in ("index", "README"))

with st.container(width=1080):
    if page in pages:
        st.page_link(PageScript.HELP, label="All pages of the help", icon=":material/arrow_back:")
        safe.document(page)
    else:
        st.title("Help", anchor=False)
        words = st.text_input(
            "Search",
            key="help_search",
            placeholder="How do I reopen a finalised review? What does “within chance” mean? Or any word of a page",
            icon=":material/search:",
        )
        if words.strip():
            if safe.is_about("keys", words):
                safe.write(KEYS_TABLE)
            answered = safe.answered(DOCS / "questions.md", words)
            safe.found_in([page for page in pages if page.stem != "questions"], words, below_answer=answered)
        elif session.may_somewhere(Act.REVIEW) and not session.may_somewhere(Act.SUBMIT):
            # Whoever only reviews needs no other page.
            safe.document(DOCS / "reviewing.md")
            st.subheader("All pages of the help", anchor=False)
            safe.contents(DOCS / "README.md")
        else:
            with st.container(border=True):
                safe.write(KEYS)
            safe.contents(DOCS / "README.md")
