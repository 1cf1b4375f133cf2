"""Mermaid diagrams in Markdown: where they stand, and how a picture of one stands beside its source."""

from __future__ import annotations

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from comparator.outputs.preview.document import shown
from comparator.outputs.preview.written.code import code_block

MOST_DIAGRAMS = 60
MOST_CHARACTERS = 20_000
_LANGUAGE = "mermaid"


def is_diagram(info: str) -> bool:
    """Whether a fence with these words holds a Mermaid diagram."""
    return info.split()[:1] == [_LANGUAGE]


def diagrams(text: str) -> tuple[str, ...]:
    """The sources of the Mermaid diagrams of a Markdown text, in its order."""
    parser = MarkdownIt("commonmark", {"maxNesting": 40}).enable(["table"]).use(front_matter_plugin)
    tokens = parser.use(footnote_plugin).use(dollarmath_plugin).parse(text)
    return tuple(token.content for token in tokens if token.type == "fence" and is_diagram(token.info))


def shown_diagram(source: str, address: str | None) -> str:
    """A picture of a diagram, which `address` draws, with its source to unfold; without an address its source.

    Drawing takes seconds the first time, so that it is asked for once the document is seen, by the page around it.
    """
    if address is None:
        note = "This diagram is not drawn here: it needs Chromium on the server, or is too long. Its source:"
        return f'<p class="facts" data-skip>{note}</p>{code_block(source, language="text")}'
    return (
        f'<figure class="diagram"><img alt="Diagram; its source is below" data-src="{shown(address)}">'
        f"<details><summary data-skip>Source of the diagram</summary>{code_block(source, language='text')}</details>"
        "</figure>"
    )
