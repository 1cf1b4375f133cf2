"""Mathematics written in TeX as MathML, rebuilt by an allow-list; what is no TeX stays as it is written."""

from __future__ import annotations

import html
import re
from typing import Any

from defusedxml import ElementTree
from latex2mathml.converter import convert

from comparator.outputs.preview.document import shown

_MOST_CHARACTERS = 4_000
_DEEPEST = 200
_NESTED = re.compile(r"[{\[(]")
_SPACE = "{http://www.w3.org/1998/Math/MathML}"
_TAGS = frozenset(
    [
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "ms",
        "mtext",
        "mspace",
        "mfrac",
        "msqrt",
        "mroot",
        "mstyle",
        "merror",
        "mpadded",
        "mphantom",
        "mfenced",
        "menclose",
        "msub",
        "msup",
        "msubsup",
        "munder",
        "mover",
        "munderover",
        "mmultiscripts",
        "mtable",
        "mtr",
        "mtd",
        "semantics",
        "none",
        "mprescripts",
    ]
)
_ATTRIBUTES = frozenset(
    [
        "display",
        "mathvariant",
        "stretchy",
        "fence",
        "separator",
        "form",
        "lspace",
        "rspace",
        "minsize",
        "maxsize",
        "symmetric",
        "largeop",
        "movablelimits",
        "accent",
        "accentunder",
        "linethickness",
        "columnalign",
        "rowalign",
        "columnspacing",
        "rowspacing",
        "columnlines",
        "rowlines",
        "frame",
        "width",
        "height",
        "depth",
        "scriptlevel",
        "displaystyle",
        "notation",
        "open",
        "close",
    ]
)
_VALUE = re.compile(r"[\w .,%+|(){}\[\]-]{0,60}")


def formula(tex: str, *, display: bool, marks: tuple[str, str] | None = None) -> str:
    """Safe HTML of a formula; of one that cannot be read, its source between its marks, with the reason on hovering."""
    begins, ends = marks or (("$$", "$$") if display else ("$", "$"))
    try:
        if len(tex) > _MOST_CHARACTERS or len(_NESTED.findall(tex)) > _DEEPEST:
            raise ValueError("too long")
        if tex.replace("\\{", "").count("{") != tex.replace("\\}", "").count("}"):
            # The converter would leave out what has no end.
            raise ValueError("unbalanced")
        # The converter's own entities are resolved first: the parser below knows none, and so cannot be given any.
        markup = convert(tex, display="block" if display else "inline")
        body = _rebuilt(ElementTree.fromstring(_without_entities(markup)), 0)
    except Exception:  # noqa: BLE001 - a converter with many ways to stumble over what a person typed
        source = f"{begins}{tex.strip()}{ends}"
        return f'<code class="tex" title="This formula cannot be read, so its source is shown">{shown(source)}</code>'
    return f'<div class="formula">{body}</div>' if display else body


def _without_entities(markup: str) -> str:
    return re.sub(
        r"&(?!(?:amp|lt|gt|quot|apos);)#?\w+;", lambda match: html.escape(html.unescape(match[0])), markup
    )


def _rebuilt(node: Any, depth: int) -> str:
    name = node.tag.removeprefix(_SPACE)
    if depth > _DEEPEST:
        raise ValueError("too deep")
    inner = shown(node.text or "") + "".join(
        _rebuilt(child, depth + 1) + shown(child.tail or "") for child in node
    )
    if name not in _TAGS:
        # Words that look like markup; nothing of them may get lost.
        raise ValueError("no MathML")
    attributes = "".join(
        f' {key}="{shown(value)}"'
        for key, value in node.attrib.items()
        if key in _ATTRIBUTES and _VALUE.fullmatch(value)
    )
    return f"<{name}{attributes}>{inner}</{name}>"
