"""Measures that hold for every family: coverage of what is asked, agreement with inputs and reference, naming."""

from __future__ import annotations

import re

from comparator.domain.judgment import Quote
from comparator.domain.view import Family, ViewedFile
from comparator.judges.offline.sheets import workbook_of
from comparator.judges.offline.signals import Reading, Signal, Subject, Surroundings, share
from comparator.judges.offline.words import Haystack, Literal, LiteralKind, content_words, literals, numbers

_EXAMPLE_LIMIT = 4
_UNSEEN = re.compile(r"<(style|script|svg)\b.*?(?:</\1>|\Z)|<[^<>]{1,1000}>", re.IGNORECASE | re.DOTALL)


def completeness(subject: Subject, around: Surroundings) -> Reading | None:
    """How much of what the prompt names is there: files, literals, and the words that carry meaning."""
    if not subject.hay.readable:
        return None
    named = asked_literals(around)
    words = content_words(around.task.prompt)
    signals = []
    if named:
        signals.append(_found_of(named, subject.hay))
    if words:
        hits = [word for root, word in words.items() if root in subject.hay.stems]
        missing = [word for root, word in words.items() if root not in subject.hay.stems][:_EXAMPLE_LIMIT]
        # A good answer repeats about half of the prompt's words; more is not better.
        value = min(1.0, share(len(hits), len(words)) / 0.5)
        good = text = f"{len(hits)} of {len(words)} words of the prompt occur"
        if missing:
            text += f", not: {', '.join(missing)}"
        signals.append(Signal(text, value, weight=0.5 if named else 1.0, good=good))
    return tuple(signals) or None


def accuracy(subject: Subject, around: Surroundings) -> Reading | None:
    """Whether numbers and dates of the output occur in the inputs, and those of the reference in the output."""
    if not subject.hay.readable:
        return None
    signals = []
    sources = [hay for hay in (around.inputs, around.reference) if hay and hay.readable]
    if sources:
        known = {n for hay in sources for n in numbers(hay.text)} | set(numbers(around.task.prompt))
        seen = "\n".join(visible_text(file) for file in subject.view.files if file.family is not Family.CODE)
        own = [n for n in dict.fromkeys(numbers(seen)) if abs(n) >= 10 or n != n.to_integral_value()]
        if own and known:
            hits = sum(n in known for n in own)
            text = f"{hits} of {len(own)} numbers stand in the input or the reference"
            # Sums and other derived numbers are legitimate, so that a third of new ones costs nothing.
            signals.append(Signal(text, min(1.0, share(hits, len(own)) / 0.67)))
    if around.reference and around.reference.readable:
        expected = tuple(
            x
            for x in literals(around.reference.text)
            if x.kind in (LiteralKind.DATE, LiteralKind.NUMBER, LiteralKind.NAME)
        )[:200]
        if expected:
            signals.append(_found_of(expected, subject.hay, of="values of the reference", weight=2.0))
    return tuple(signals) or None


def naming(subject: Subject, around: Surroundings) -> Reading | None:
    """Whether the files that the prompt names are there under that name."""
    wanted = [x for x in literals(around.task.prompt) if x.kind is LiteralKind.FILE]
    inputs = {f.name for f in around.inputs.view.files} if around.inputs else set()
    wanted = [x for x in wanted if not any(name.endswith(x.text) for name in inputs)]
    if not wanted:
        return None
    names = [file.name for file in subject.view.files]
    hits = [x.text for x in wanted if any(name.endswith(x.text) for name in names)]
    missing = [x.text for x in wanted if x.text not in hits]
    good = text = f"{len(hits)} of {len(wanted)} files that the prompt names are there"
    if missing:
        text += f", missing: {', '.join(missing[:_EXAMPLE_LIMIT])}"
    return (Signal(text, share(len(hits), len(wanted)), good=good),)


def visible_text(file: ViewedFile) -> str:
    """What a reader of the file sees: a web page without tags, styles and drawings, a workbook without formulas."""
    if book := workbook_of(file):
        return book.text
    return _UNSEEN.sub(" ", file.text) if file.family in (Family.HTML, Family.SVG) else file.text


def asked_literals(around: Surroundings) -> tuple[Literal, ...]:
    """What the prompt names letter by letter, without the input files, and without numbers, which are often limits."""
    inputs = {f.name for f in around.inputs.view.files} if around.inputs else set()
    return tuple(
        x
        for x in literals(around.task.prompt)
        if x.kind is not LiteralKind.NUMBER
        and not (x.kind is LiteralKind.FILE and any(name.endswith(x.text) for name in inputs))
    )


def _found_of(
    wanted: tuple[Literal, ...],
    hay: Haystack,
    *,
    of: str = "things that the prompt names",
    weight: float = 1.0,
) -> Signal:
    found: list[Quote] = []
    missing: list[str] = []
    hits = 0
    for literal in wanted:
        if quote := hay.find(literal):
            hits += 1
            if quote.text:
                found.append(quote)
        else:
            missing.append(literal.text)
    good = text = f"{hits} of {len(wanted)} {of} are found"
    if missing:
        text += ", not: " + ", ".join(f"“{m}”" for m in missing[:_EXAMPLE_LIMIT])
    return Signal(text, share(hits, len(wanted)), weight, tuple(found[:2]), good)
