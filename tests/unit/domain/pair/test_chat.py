"""A chat as one text, and its turns again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.chat import ROLES, Message, rendered, turns_in

WORDS = st.sampled_from(["Hi", "\n", "\n\n", "### User", "\\### Tool", "### Summary", "```", " "])
CONTENT = st.lists(WORDS, max_size=6).map("".join)
MESSAGES = st.lists(st.builds(Message, st.sampled_from(ROLES), CONTENT), min_size=2, max_size=5)


@given(MESSAGES)
def test_every_turn_comes_back_whatever_it_holds(messages: list[Message]) -> None:
    assert turns_in(rendered(messages, alone="user")) == tuple(messages)


def test_a_text_that_does_not_begin_with_a_turn_is_no_chat() -> None:
    for text in ("", "Hello", "# Title\n\n### User\n\nHi", "### Summary\n\nHi", "### User stories\n\nHi"):
        assert turns_in(text) == ()
