"""Names looked for and replaced in long texts: in a process of its own, within a limit of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from comparator.domain.blinding.leak_patterns import LeakPattern
from comparator.domain.blinding.redaction import TextForm
from comparator.domain.blinding.scan import PatternFinding, ScanText, scan, together
from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.domain.labels import Label, PerOutput
from comparator.outputs.isolated.process import Isolated
from comparator.outputs.isolated.results import Extraction
from comparator.outputs.limits import GB, Limits
from comparator.outputs.view.blinding.redacting import Redactor

LONG = 2_000_000
"""Characters; fewer are read at once where they are, in a third of a second."""
SECONDS = 60.0
MEMORY = 1 * GB
_BYTES_A_CHARACTER = 24
"""Memory for a text, its folded form and what is found in it, beside `MEMORY`."""
OVER = "Looking for names in it took longer than {seconds:g} seconds or too much memory, so it is not shown."


def search(patterns: Sequence[LeakPattern], texts: Iterable[ScanText]) -> tuple[PatternFinding, ...]:
    """What `scan` finds. A text that is not searched within the limits counts as one that holds every full name.

    What is to be redacted then, `redacted` does not show.
    """
    parts: list[list[ScanText]] = [[]]
    size = 0
    for text in texts:
        if parts[-1] and size + len(text.text) > LONG:
            parts.append([])
            size = 0
        parts[-1].append(text)
        size += len(text.text)
    if len(parts) == 1 and size <= LONG:
        return scan(patterns, parts[0])
    given = [pattern.model_dump(mode="json") for pattern in patterns]
    found: list[PatternFinding] = []
    with _child(max(sum(len(each.text) for each in part) for part in parts)) as child:
        for part in parts:
            plain = [each.model_dump(mode="json") for each in part]
            try:
                answer = child.call(
                    "names", list[dict[str, Any]], seconds=SECONDS, patterns=given, texts=plain
                )
                found += map(PatternFinding.model_validate, answer)
            except (LimitExceeded, OutputRefused):
                found += _everything(patterns, part)
    return together(found)


def _everything(patterns: Sequence[LeakPattern], texts: Sequence[ScanText]) -> Iterator[PatternFinding]:
    """A finding of each full name in each of the texts."""
    for text in {(each.where, each.label): each for each in texts}.values():
        for pattern in filter(lambda each: each.whole, patterns):
            yield PatternFinding(
                pattern=pattern.text,
                kind=pattern.kind,
                where=text.where,
                counts=PerOutput[int](A=text.label is Label.A, B=text.label is Label.B),
                elsewhere=text.label is None,
                excerpt=OVER.format(seconds=SECONDS),
            )


def found_in(patterns: list[dict[str, Any]], texts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same in plain values, for the child."""
    found = scan(list(map(LeakPattern.model_validate, patterns)), map(ScanText.model_validate, texts))
    return [finding.model_dump(mode="json") for finding in found]


def redacted(extraction: Extraction, redactor: Redactor, writing: TextForm) -> Extraction:
    """What was read of one file, rewritten; nothing of it, with a note, where that is not done within the limits."""
    size = len(extraction.text) + (len(extraction.copy.data) if extraction.copy else 0)
    if size <= LONG or not redactor.active:
        return redactor.extraction(extraction, writing)
    try:
        with _child(size) as child:
            return child.call(
                "redacted",
                Extraction,
                seconds=SECONDS,
                rules=redactor.rules,
                extraction=extraction,
                writing=writing.value,
            )
    except (LimitExceeded, OutputRefused):
        return Extraction(copyable=False, notes=(*extraction.notes, OVER.format(seconds=SECONDS)))


def rewritten(rules: dict[str, Any], extraction: Extraction, writing: TextForm) -> Extraction:
    """The same by a redactor's rules, for the child."""
    return Redactor.of(rules).extraction(extraction, writing)


def _child(characters: int) -> Isolated:
    return Isolated(
        limits=Limits(memory_per_document=MEMORY + _BYTES_A_CHARACTER * characters, answer_bytes=GB)
    )
