"""Names found and replaced in long texts: in an isolated process, within limits of time and memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from comparator.domain.blinding.leak_patterns import LeakPattern
from comparator.domain.blinding.redaction import TextForm
from comparator.domain.blinding.scan import PatternFinding, ScanText, merged, scan
from comparator.domain.errors import OutputRefused
from comparator.domain.labels import Label, PerOutput
from comparator.outputs.isolated.process import Isolated
from comparator.outputs.isolated.results import Extraction
from comparator.outputs.limits import GB, Limits
from comparator.outputs.view.blinding.redacting import Redactor

LONG = 2_000_000
"""Characters. A shorter text is searched in this process: it takes at most a third of a second."""
SECONDS = 60.0
MEMORY = 1 * GB
_BYTES_A_CHARACTER = 24
"""Bytes beside `MEMORY` for a text, its folded form and the findings."""
OVER = "It is not shown: the search for names in it took more than {seconds:g} seconds or too much memory."


def search(patterns: Sequence[LeakPattern], texts: Iterable[ScanText]) -> tuple[PatternFinding, ...]:
    """What `scan` finds. A text that cannot be searched within the limits counts as if it held every full name.

    `redacted` then leaves such a text out.
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
    findings: list[PatternFinding] = []
    with _process_for(max(sum(len(text.text) for text in part) for part in parts)) as process:
        for part in parts:
            try:
                findings += process.call(
                    "names", tuple[PatternFinding, ...], seconds=SECONDS, patterns=patterns, texts=part
                )
            except OutputRefused:
                findings += _everything(patterns, part)
    return merged(findings)


def _everything(patterns: Sequence[LeakPattern], texts: Sequence[ScanText]) -> Iterator[PatternFinding]:
    """A finding of each full name in each of the texts."""
    for where, label in dict.fromkeys((text.where, text.label) for text in texts):
        for pattern in filter(lambda pattern: pattern.whole, patterns):
            yield PatternFinding(
                pattern=pattern.text,
                kind=pattern.kind,
                where=where,
                counts=PerOutput[int](A=label is Label.A, B=label is Label.B),
                elsewhere=label is None,
                excerpt=OVER.format(seconds=SECONDS),
            )


def redacted(extraction: Extraction, redactor: Redactor, writing: TextForm) -> Extraction:
    """What was read of one file, rewritten; only a note where that cannot be done within the limits."""
    size = len(extraction.text) + (len(extraction.copy.data) if extraction.copy else 0)
    if size <= LONG or not redactor.active:
        return redactor.extraction(extraction, writing)
    try:
        with _process_for(size) as process:
            return process.call(
                "redacted",
                Extraction,
                seconds=SECONDS,
                rules=redactor.rules,
                extraction=extraction,
                writing=writing,
            )
    except OutputRefused:
        return Extraction(copyable=False, notes=(*extraction.notes, OVER.format(seconds=SECONDS)))


def rewritten(rules: dict[str, Any], extraction: Extraction, writing: TextForm) -> Extraction:
    """What the redactor with these rules makes of it: the task of the isolated process."""
    return Redactor.of(rules).extraction(extraction, writing)


def _process_for(characters: int) -> Isolated:
    return Isolated(
        limits=Limits(memory_per_document=MEMORY + _BYTES_A_CHARACTER * characters, answer_bytes=GB)
    )
