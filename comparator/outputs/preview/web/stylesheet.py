"""Declarations of foreign CSS without what loads, read by a CSS parser."""

from __future__ import annotations

from collections.abc import Sequence

import tinycss2
from tinycss2.ast import Node

_KEPT = frozenset(
    {"calc", "min", "max", "clamp", "rgb", "rgba", "hsl", "hsla", "rotate", "translate", "scale", "matrix"}
)


def clean_declarations(css: str) -> str:
    """The declarations of one style attribute without those that load, or hold a function that draws no box.

    Those that cannot be read are left out, as a browser does it.
    """
    kept = [
        declaration
        for declaration in tinycss2.parse_blocks_contents(css, skip_comments=True, skip_whitespace=True)
        if declaration.type == "declaration" and _is_plain(declaration.value)
    ]
    return ";".join(
        f"{tinycss2.serialize_identifier(each.name)}:{tinycss2.serialize(each.value).strip()}"
        for each in kept
    )


def _is_plain(nodes: Sequence[Node]) -> bool:
    for node in nodes:
        if node.type in ("url", "error", "bad-url", "bad-string", "{} block", "[] block", "at-keyword"):
            return False
        if node.type == "function" and (node.lower_name not in _KEPT or not _is_plain(node.arguments)):
            return False
        if node.type == "() block" and not _is_plain(node.content):
            return False
    return True
