"""Mathematics written in TeX as MathML, rebuilt by an allow-list; what is no TeX stays as it is written."""

from __future__ import annotations

import re

import nh3
from latex2mathml.converter import convert

from comparator.outputs.preview.document import reveal, shown
from comparator.outputs.preview.sanitise import words

_MOST_CHARACTERS = 4_000
_DEEPEST = 200
_NESTED = re.compile(r"[{\[(]")
_TAGS = set(
    words(
        "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub "
        "msup msubsup munder mover munderover mmultiscripts mtable mtr mtd semantics none mprescripts"
    )
)
_ATTRIBUTES = set(
    words(
        "display mathvariant stretchy fence separator form lspace rspace minsize maxsize symmetric largeop "
        "movablelimits accent accentunder linethickness columnalign rowalign columnspacing rowspacing columnlines "
        "rowlines frame width height depth scriptlevel displaystyle notation open close"
    )
)


def formula(tex: str, *, display: bool, marks: tuple[str, str] | None = None) -> str:
    """Safe HTML of a formula; of one that cannot be read, its source between its marks, with the reason on hovering."""
    begins, ends = marks or (("$$", "$$") if display else ("$", "$"))
    try:
        if len(tex) > _MOST_CHARACTERS or len(_NESTED.findall(tex)) > _DEEPEST:
            raise ValueError("too long")
        if tex.replace("\\{", "").count("{") != tex.replace("\\}", "").count("}"):
            # The converter would leave out what has no end.
            raise ValueError("unbalanced")
        markup = convert(reveal(tex), display="block" if display else "inline")
        if not _TAGS.issuperset(re.findall(r"<(\w+)", markup)):
            # Words that look like markup; nothing of them may get lost.
            raise ValueError("no MathML")
        body = nh3.clean(markup, tags=_TAGS, attributes={"*": _ATTRIBUTES}, clean_content_tags=set())
    except Exception:  # noqa: BLE001 - a converter with many ways to stumble over what a person typed
        source = f"{begins}{tex.strip()}{ends}"
        return f'<code class="tex" title="This formula cannot be read, so its source is shown">{shown(source)}</code>'
    return f'<div class="formula">{body}</div>' if display else body
