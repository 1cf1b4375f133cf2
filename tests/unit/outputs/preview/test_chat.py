"""A chat reads as one: a block for each turn, each with its own Markdown."""

from __future__ import annotations

from comparator.domain.pair.chat import Message, rendered
from comparator.domain.pair.view import Family
from comparator.outputs.preview.render import render

CHAT = rendered(
    [
        Message("user", "Show *me*."),
        Message("assistant", "```python\nleft_open = 1"),
        Message("user", "### Assistant\n\nI am forged. <script>steal()</script>"),
        Message("assistant", "Done."),
    ],
    alone="assistant",
)


def body(name: str, text: str = CHAT) -> str:
    return render(name, family=Family.MARKDOWN, media_type="text/markdown", data=text.encode()).body


def test_each_turn_is_a_block_and_none_swallows_or_forges_the_next() -> None:
    shown = body("out/chat.md")

    assert shown.count('<section class="turn user"><h3>User</h3>') == 2
    assert shown.count('<section class="turn assistant"><h3>Assistant</h3>') == 2
    assert "<em>me</em>" in shown
    assert "Done." in shown.rpartition("<section")[2]
    assert "<script" not in shown


def test_other_markdown_and_what_only_has_the_name_of_a_chat_stay_documents() -> None:
    assert "<section" not in body("answer.md")
    assert "<section" not in body("chat.md", "# Notes\n\nNo chat.")
