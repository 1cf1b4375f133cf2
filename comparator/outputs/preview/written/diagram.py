"""Mermaid diagrams in Markdown: the place of a picture, which the browser draws, beside the source."""

from __future__ import annotations

from comparator.outputs.preview.document import shown
from comparator.outputs.preview.written.code import code_block

MOST_DIAGRAMS = 60
MOST_CHARACTERS = 20_000
_LANGUAGE = "mermaid"


def is_diagram(info: str) -> bool:
    """Whether a fence with these words holds a Mermaid diagram."""
    return info.split()[:1] == [_LANGUAGE]


def shown_diagram(source: str, number: int) -> str:
    """The place of the diagram's picture with its source to unfold; of one that is not drawn its source."""
    if number > MOST_DIAGRAMS or len(source) > MOST_CHARACTERS:
        reason = f"only the first {MOST_DIAGRAMS} are" if number > MOST_DIAGRAMS else "it is too long"
        note = f"This diagram is not drawn: {reason}. Its source:"
        return f'<p class="facts" data-skip>{note}</p>{code_block(source, language="text")}'
    return (
        f'<figure class="diagram"><img alt="Diagram; its source is below" data-diagram="{shown(source)}">'
        f"<details><summary data-skip>Source of the diagram</summary>{code_block(source, language='text')}</details>"
        "</figure>"
    )
