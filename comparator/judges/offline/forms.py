"""Measures of filled forms: whether the asked values are in it, the text is readable, and the form is unchanged."""

from __future__ import annotations

import re

from comparator.domain.view import Family
from comparator.judges.offline.signals import Reading, Signal, Subject, Surroundings, share
from comparator.judges.offline.words import Haystack, Literal, LiteralKind, literals

_FORMS = frozenset({Family.PDF, Family.DOCX, Family.HTML, Family.XLSX, Family.IMAGE})
_LABEL = re.compile(
    r"^\s*([^\W\d_][\w ()/.'-]{1,50}?)\s*:?\s*$|^\s*([^\W\d_][\w ()/.'-]{1,50}?)\s*:", re.MULTILINE
)


def data_placement(subject: Subject, around: Surroundings) -> Reading | None:
    """Whether the dates, times, numbers and names of the text inputs stand in the form."""
    forms = _forms(subject)
    if not forms.readable:
        return None
    wanted = _values(around)
    if not wanted:
        return None
    found = [(value, forms.find(value)) for value in wanted]
    hits = [quote for _, quote in found if quote]
    missing = [value.text for value, quote in found if not quote]
    good = text = (
        f"{len(hits)} of {len(wanted)} dates, times, numbers and names of the input stand in the form"
    )
    if missing:
        text += f", not: {', '.join(missing[:4])}"
    quotes = tuple(quote for quote in hits if quote.text)[:3]
    # Not everything that an input says belongs into the form.
    return (Signal(text, min(1.0, share(len(hits), len(wanted)) / 0.8), 1.0, quotes, good),)


def text_readability(subject: Subject, _around: Surroundings) -> Reading | None:
    """Whether the form's text can be read at all: characters that are letters, not boxes or control signs."""
    text = _forms(subject).text
    if not text.strip():
        return None
    strange = sum(
        c == "\ufffd" or (ord(c) < 32 and c not in "\n\r\t\f") or 0xE000 <= ord(c) <= 0xF8FF for c in text
    )
    words = text.split()
    glued = sum(len(word) > 40 for word in words)
    return (
        Signal(
            f"{strange} unreadable characters of {len(text)}",
            1 - min(1.0, share(strange, len(text)) * 20),
            good=f"{len(text) - strange} of {len(text)} characters are readable",
        ),
        Signal(
            f"{glued} words longer than 40 characters",
            1 - min(1.0, share(glued, len(words)) * 10),
            good=f"{len(words) - glued} of {len(words)} words have at most 40 characters",
        ),
    )


def form_preserved(subject: Subject, around: Surroundings) -> Reading | None:
    """How many of the blank form's labels are still there; needs the blank form among the inputs."""
    forms = _forms(subject)
    if not forms.readable or around.inputs is None:
        return None
    blank = [f for f in around.inputs.view.files if f.family in _FORMS and f.text.strip()]
    labels = tuple(
        dict.fromkeys((m.group(1) or m.group(2)).strip() for f in blank for m in _LABEL.finditer(f.text))
    )
    if not labels:
        return None
    kept = [label for label in labels if label in forms.text]
    missing = [label for label in labels if label not in kept]
    good = text = f"{len(kept)} of {len(labels)} labels of the blank form are there"
    if missing:
        text += f", not: {', '.join(missing[:4])}"
    return (Signal(text, share(len(kept), len(labels)), good=good),)


def _forms(subject: Subject) -> Haystack:
    view = subject.view
    files = tuple(file for file in view.files if file.family in _FORMS)
    return Haystack(view.model_copy(update={"files": files}))


def _values(around: Surroundings) -> tuple[Literal, ...]:
    texts = []
    if around.inputs is not None:
        texts = [f.text for f in around.inputs.view.files if f.family not in _FORMS]
    kinds = (LiteralKind.DATE, LiteralKind.TIME, LiteralKind.NUMBER, LiteralKind.QUOTED)
    values = [x for text in texts for x in literals(text) if x.kind in kinds]
    return tuple(dict.fromkeys(values))[:60]
