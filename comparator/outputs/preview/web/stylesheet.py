"""Foreign CSS, read by a CSS parser: what it asks to load, and declarations without what loads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import tinycss2
from tinycss2.ast import Node

_MOST_READ = 1_000_000
"""Characters of a style sheet that are looked through for what it loads."""
_LOADS = frozenset({"image-set", "-webkit-image-set", "cross-fade", "-webkit-cross-fade", "image", "src"})
_KEPT = frozenset(
    {"calc", "min", "max", "clamp", "rgb", "rgba", "hsl", "hsla", "rotate", "translate", "scale", "matrix"}
)


class StyleAddress(NamedTuple):
    """An address that a style sheet asks for, and what for: `sheet`, `font` or `picture`."""

    kind: str
    address: str


def loads(css: str) -> Iterator[StyleAddress]:
    """Every address that the style sheet or declarations ask for; fragments of the page itself are not among them."""
    lowered = css.lower()
    if not any(sign in lowered for sign in ("url", "import", "image-set", "\\")):
        return
    nodes = tinycss2.parse_component_value_list(css[:_MOST_READ], skip_comments=True)
    yield from _loads(nodes, kind="picture")


def _loads(nodes: Sequence[Node], *, kind: str) -> Iterator[StyleAddress]:
    # An at-rule's name holds until the rule ends, with a block or a semicolon.
    rule = ""
    for node in nodes:
        if node.type == "at-keyword":
            rule = node.lower_value
        elif node.type == "literal" and node.value == ";":
            rule = ""
        elif node.type == "string" and rule == "import":
            yield StyleAddress("sheet", node.value)
            rule = "imported"
        elif node.type == "url" and not node.value.startswith("#"):
            yield StyleAddress("sheet" if rule == "import" else kind, node.value)
        elif node.type == "function":
            name = node.lower_name
            yield from _arguments(node.arguments, name, kind="sheet" if rule == "import" else kind)
        elif node.type == "{} block":
            yield from _loads(node.content, kind="font" if rule == "font-face" else kind)
            rule = ""
        elif node.type in ("() block", "[] block"):
            yield from _loads(node.content, kind=kind)


def _arguments(nodes: Sequence[Node], name: str, *, kind: str) -> Iterator[StyleAddress]:
    if name == "url" or name in _LOADS:
        for node in nodes:
            if node.type == "string" and not node.value.startswith("#"):
                yield StyleAddress(kind, node.value)
    yield from _loads(nodes, kind=kind)


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
