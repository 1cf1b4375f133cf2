"""Redaction of extracted text, of markup (also where tags split a word) and of copies; long ones in a process apart."""

from __future__ import annotations

import html
import re
from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from operator import itemgetter
from typing import Any

import lxml.html.defs

from comparator.domain.blinding.leak_patterns import LeakPattern
from comparator.domain.blinding.redaction import (
    Redaction,
    TextForm,
    names_across,
    redact,
    redacts_anything,
    spans,
)
from comparator.domain.blinding.scan import PatternFinding, ScanText, merge_findings, scan
from comparator.domain.errors import OutputRefused
from comparator.domain.labels import Label, PerOutput
from comparator.outputs.extract.data_uris import DEEPEST, embedded_in
from comparator.outputs.extract.data_uris import rewrite_text as rewritten_outside
from comparator.outputs.extract.markup import (
    ATTRIBUTE,
    BLOCKS,
    LINKED_DATA,
    RAW,
    TAG_NAME,
    is_comment,
    tokens,
    value_of,
    words_of_markup,
)
from comparator.outputs.isolated.messages import Copy, Extraction
from comparator.outputs.isolated.process import Isolated
from comparator.outputs.limits import GB, Limits
from comparator.outputs.tables import store
from comparator.outputs.view.naming import NameMap

_NAMES = re.compile(r"\"[^\"]*+\"?|'[^']*+'?|[^\s\"'<>/=]++")
"""Values in quotes, and between them the names in a tag, which an author may choose."""
_STANDARD = lxml.html.defs.tags | lxml.html.defs.safe_attrs
_AROUND_NOTHING = re.compile(r"(?<![^\s<>])[^\s<>]*+(?:<!--+>[^\s<>]*+)+")
"""A word with an empty comment in it, which may also be the end of a comment."""
_VERBATIM = frozenset({"pre", "code", "kbd", "samp", "textarea"})
"""Elements whose text is code."""
_FORMS = {"text/html": "html", "image/svg+xml": "xml", "text/plain": "plain"}
_CELLS = 64
"""Cells that are looked at together."""
Hit = tuple[int, int, str]


class Redactor:
    """Rewrites texts: names of files first, then every pattern that is to be redacted."""

    def __init__(self, redactions: Sequence[Redaction], names: NameMap, *, depth: int = DEEPEST) -> None:
        self._redactions = tuple(redactions)
        self.names = names
        self.active = redacts_anything(redactions)
        self._depth = depth
        """How many data addresses within one another are opened."""

    def text(self, text: str, writing: TextForm = TextForm.PROSE) -> str:
        """Plain text, rewritten as its writing allows."""

        def plain(part: str) -> str:
            return redact(self.names.rewrite(part), self._redactions, writing)

        def embedded(held: str, kind: str) -> str:
            inner = Redactor(self._redactions, self.names, depth=self._depth - 1)
            form = "html" if kind.endswith("html") else "xml" if kind.endswith("xml") else "plain"
            return inner.formed(form, held, TextForm.CODE)

        return rewritten_outside(text, plain, embedded) if self._depth else plain(text)

    def formed(self, form: str, text: str, writing: TextForm) -> str:
        """HTML, XML, or plain text of this writing, rewritten."""
        if form == "plain":
            return self.text(text, writing)
        return self.markup(text, raw_elements=RAW if form == "html" else frozenset())

    def changes(self, text: str) -> bool:
        """Whether a text would be rewritten."""
        return self.text(text) != text

    def changes_in_lines(self, text: str) -> bool:
        """Whether a text would be rewritten, also where the end of a line splits a word."""
        return any(self.changes(form) for form in (text, text.replace("-\n", ""), text.replace("\n", "")))

    def markup(self, source: str, *, raw_elements: frozenset[str] = RAW) -> str:
        """Rebuilt HTML or SVG, rewritten in its words and attribute values; words that inline tags split are found."""
        if not self.changes(source) and not self.changes(words_of_markup(source)):
            return source
        source = _AROUND_NOTHING.sub(lambda match: self.text(match[0], TextForm.CELL), source)
        parts = list(tokens(source, raw_elements=raw_elements))
        run: list[int] = []
        raw = TextForm.CELL
        within = ""
        verbatim = 0
        of_code: set[int] = set()
        text_tokens: list[int] = []

        @cache
        def own_name(name: str) -> str:
            is_standard = name[0] in "\"'" or name.lower() in _STANDARD
            return name if is_standard else self.text(name, TextForm.CELL)

        for index, token in enumerate(parts):
            if is_comment(token):
                parts[index] = self.text(token)
                continue
            name = TAG_NAME.match(token)
            if within and not token.startswith("</"):
                parts[index] = self.text(token, raw)
                continue
            if name is None:
                run.append(index)
                text_tokens.append(index)
                of_code |= {index} if verbatim else set()
                continue
            tag = name[1].lower()
            # What a page says of itself is prose like its text.
            writing = TextForm.PROSE if tag == "meta" else TextForm.CELL
            token = parts[index] = ATTRIBUTE.sub(lambda match: self._attribute(match, writing), token)  # noqa: B023
            parts[index] = _NAMES.sub(lambda match: own_name(match[0]), token)
            opens = not token.startswith("</") and not token.endswith("/>")
            within = tag if tag in raw_elements and opens else ""
            raw = TextForm.PROSE if LINKED_DATA in token.lower() else TextForm.CODE
            if tag in BLOCKS:
                self._across(parts, run, of_code)
                run = []
            if tag in _VERBATIM | RAW and not token.endswith("/>"):
                verbatim = max(0, verbatim + (-1 if token.startswith("</") else 1))
        self._across(parts, run, of_code)
        self._across_elements(parts, text_tokens)
        return "".join(parts)

    def values(self, value: Any) -> Any:
        """JSON with every string in it rewritten."""
        match value:
            case str():
                return self.text(value, TextForm.CELL)
            case list():
                return [self.values(item) for item in value]
            case dict():
                return {key: self.values(item) for key, item in value.items()}
        return value

    def extraction(self, extraction: Extraction, writing: TextForm = TextForm.PROSE) -> Extraction:
        """What was read of one file, rewritten; the rebuilt PDF stays, as its words cannot be replaced in place."""
        text = self.formed(extraction.form, extraction.text, writing)
        pictures = tuple(
            picture.copy_with(caption=self.text(picture.caption)) for picture in extraction.pictures
        )
        copy = extraction.copy
        if copy is not None and copy.media_type == store.MEDIA_TYPE:
            copy = Copy(copy.media_type, store.map_cells(copy.data, cells=self.cells, values=self.values))
        elif copy is not None and (form := _FORMS.get(copy.media_type)):
            copy = Copy(copy.media_type, self.formed(form, copy.data.decode(), writing).encode())
        return extraction._replace(text=text, pictures=pictures, copy=copy)

    def cells(self, texts: list[str]) -> list[str]:
        """Cells of a table, rewritten one by one: of a large table only those in which anything is found together."""
        if len(texts) > _CELLS:
            return [cell for n in range(0, len(texts), _CELLS) for cell in self.cells(texts[n : n + _CELLS])]
        together = "\n".join(texts)
        if self.text(together, TextForm.CELL) == together and not any(embedded_in(together)):
            return texts
        if len(texts) == 1:
            return [self.text(texts[0], TextForm.CELL)]
        half = len(texts) // 2
        return [*self.cells(texts[:half]), *self.cells(texts[half:])]

    def _attribute(self, match: re.Match[str], writing: TextForm) -> str:
        value = html.unescape(value_of(match))
        rewritten = self.text(value, writing)
        return match[0] if rewritten == value else f'="{html.escape(rewritten, quote=True)}"'

    def _across(self, tokens: list[str], run: list[int], of_code: set[int]) -> None:
        """Rewrite the words of neighbouring text tokens as one text; in code tokens only names are replaced."""
        if not run:
            return
        before = [html.unescape(tokens[index]) for index in run]
        code = {position for position, index in enumerate(run) if index in of_code}
        for index, old, new in zip(run, before, self.pieces(before, code), strict=True):
            if new != old:
                tokens[index] = html.escape(new, quote=False)

    def _across_elements(self, tokens: list[str], text_tokens: list[int]) -> None:
        """Rewrite names whose letters stand in several elements, such as cells: drawn, they read as one word."""
        before = [html.unescape(tokens[index]) for index in text_tokens]
        borders = list(accumulate(map(len, before)))
        hits = names_across("".join(before), self._redactions, borders)
        if hits:
            start = 0
            for index, old in zip(text_tokens, before, strict=True):
                if (new := _piece(old, start, hits)) != old:
                    tokens[index] = html.escape(new, quote=False)
                start += len(old)

    def pieces(self, texts: Sequence[str], code: Collection[int] = ()) -> list[str]:
        """Neighbouring texts, rewritten as one; a replacement goes where the hit starts.

        In those at the positions `code` only names are replaced.
        """
        renamed = [self.names.rewrite(text) for text in texts]
        joined = "".join(renamed)
        hits = list(spans(joined, self._redactions))
        if hits and code:
            hits = _keep_code(hits, list(spans(joined, self._redactions, TextForm.CELL)), renamed, code)
        pieces, start = [], 0
        for text in renamed:
            pieces.append(_piece(text, start, hits))
            start += len(text)
        whole = "".join(texts)
        if renamed == list(texts) and self.names.rewrite(whole) != whole:
            # A file's name that is split: the words count for more than where each of them stands.
            return [self.text(whole), *("" for _ in texts[1:])]
        return pieces

    @property
    def rules(self) -> dict[str, Any]:
        """What a redactor in another process is made from, as plain values."""
        return {
            "redactions": [redaction.model_dump(mode="json") for redaction in self._redactions],
            **self.names.rules,
        }

    @classmethod
    def of(cls, rules: Mapping[str, Any]) -> Redactor:
        """The redactor with these rules."""
        redactions = [Redaction.model_validate(rule) for rule in rules["redactions"]]
        return cls(redactions, NameMap(rules["paths"], rules["replaced"]))


def _keep_code(hits: list[Hit], names: list[Hit], texts: Sequence[str], code: Collection[int]) -> list[Hit]:
    """The hits; where one lies in code as a whole, the names in it instead."""
    inside: list[tuple[int, int]] = []
    at = 0
    for position, text in enumerate(texts):
        if position in code:
            inside.append((at, at + len(text)))
        at += len(text)

    def is_code(hit: Hit) -> bool:
        return any(start <= hit[0] and hit[1] <= end for start, end in inside)

    return sorted([hit for hit in hits if not is_code(hit)] + [name for name in names if is_code(name)])


def _piece(text: str, start: int, hits: list[tuple[int, int, str]]) -> str:
    """One token's share of the joined text from `start`, with hits replaced where they begin and dropped elsewhere."""
    end, position, parts = start + len(text), start, []
    for index in range(bisect(hits, start, key=itemgetter(1)), len(hits)):
        hit_start, hit_end, replacement = hits[index]
        if hit_start >= end:
            break
        parts.append(text[position - start : max(hit_start, start) - start])
        if hit_start >= start:
            parts.append(replacement)
        position = min(hit_end, end)
    return "".join([*parts, text[position - start :]])


LONG = 2_000_000
"""Characters. A shorter text is searched in this process: it takes at most a third of a second."""
SECONDS = 60.0
MEMORY = 1 * GB
_BYTES_A_CHARACTER = 24
"""Bytes beside `MEMORY` for a text, its folded form and the findings."""
OVER = "It is not shown: the search for names in it took more than {seconds:g} seconds or too much memory."


def search(patterns: Sequence[LeakPattern], texts: Iterable[ScanText]) -> tuple[PatternFinding, ...]:
    """What `scan` finds. A text that cannot be searched within the limits counts as if it held every full name.

    `redact_extraction` then leaves such a text out.
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
                findings += _names_in(patterns, part)
    return merge_findings(findings)


def _names_in(patterns: Sequence[LeakPattern], texts: Sequence[ScanText]) -> Iterator[PatternFinding]:
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


def redact_extraction(extraction: Extraction, redactor: Redactor, writing: TextForm) -> Extraction:
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


def rewrite_extraction(rules: dict[str, Any], extraction: Extraction, writing: TextForm) -> Extraction:
    """What the redactor with these rules makes of it: the task of the isolated process."""
    return Redactor.of(rules).extraction(extraction, writing)


def _process_for(characters: int) -> Isolated:
    return Isolated(
        limits=Limits(memory_per_document=MEMORY + _BYTES_A_CHARACTER * characters, answer_bytes=GB)
    )
