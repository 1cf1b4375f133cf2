"""Measures of documents: sections, headings and their hierarchy, paragraphs, tables, links and references."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from comparator.domain.judgment import Quote
from comparator.domain.view import Family, ViewedFile
from comparator.judges.offline.signals import Reading, Signal, Subject, Surroundings, share

PROSE = frozenset(
    {Family.TEXT, Family.MARKDOWN, Family.DOCX, Family.PDF, Family.PPTX, Family.HTML, Family.NOTEBOOK}
)

_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$", re.MULTILINE)
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]{0,500}>(.{0,500}?)</h\1>", re.IGNORECASE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[([^\[\]\n]{1,300})\]\(([^()\s]{1,500})[^()\n]{0,300}\)")
_REFERENCE = re.compile(r"(?<!!)\[([^\[\]\n]{1,300})\]\[([^\[\]\n]{0,300})\]")
_DEFINITION = re.compile(r"^\[([^\[\]\n]{1,300})\]:[ \t]*\S", re.MULTILINE)
_TABLE_RULE = frozenset("|-: \t")
_PLACEHOLDER = re.compile(
    r"\b(TODO|TBD|FIXME|lorem ipsum|XXX)\b|\[(?:insert|your) [^\[\]\n]{0,100}\]", re.IGNORECASE
)
_TAG = re.compile(r"<[^<>]{1,1000}>")
_BREAK = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class Heading:
    """One heading with its level, 1 to 6."""

    level: int
    text: str


def section_structure(subject: Subject, _around: Surroundings) -> Reading | None:
    """Whether the text is divided into sections that each hold something."""
    files = _prose(subject)
    if not files:
        return None
    words = sum(len(file.text.split()) for file in files)
    sections = [section for file in files for section in _sections(file)]
    headed = [(heading, body) for heading, body in sections if heading]
    if words < 150 and not headed:
        return (Signal("a short text that needs no sections", 0.75),)
    if not headed:
        return (Signal(f"no headings in {words} words", 0.1),)
    empty = [heading for heading, body in headed if not body.strip()]
    longest = max(len(body.split()) for _, body in sections)
    signals = [
        Signal(f"{len(headed)} sections in {words} words", 1.0 if len(headed) >= 2 else 0.5),
        Signal(f"longest section {longest} words", 1.0 if longest <= 400 else 0.5),
    ]
    if empty:
        signals.append(
            Signal(
                f"{len(empty)} empty sections",
                1 - share(len(empty), len(headed)),
                good=f"{len(headed) - len(empty)} of {len(headed)} sections hold something",
            )
        )
    signals.extend(_tables(files))
    return tuple(signals)


def heading_hierarchy(subject: Subject, _around: Surroundings) -> Reading | None:
    """Whether heading levels start at one top, skip none, and headings are not repeated."""
    files = [file for file in _prose(subject) if headings(file)]
    if not files:
        return None
    signals = []
    for file in files[:3]:
        found = headings(file)
        skips = [b for a, b in itertools.pairwise(found) if b.level > a.level + 1]
        tops = sum(h.level == min(x.level for x in found) for h in found)
        doubles = len(found) - len({(h.level, h.text.casefold()) for h in found})
        first = found[0].level == min(h.level for h in found)
        signals += [
            Signal(
                f"{file.name}: {len(found)} headings, {len(skips)} skipped levels",
                1 - min(1.0, share(len(skips), len(found)) * 2),
                2.0,
                _quoted(file, skips[:1]),
                f"{file.name}: {len(found) - len(skips)} of {len(found)} headings follow the level before them",
            ),
            Signal(
                "starts at its top level" if first else "does not start at its top level",
                1.0 if first else 0.3,
            ),
        ]
        if tops > 1 and len(found) > 3:
            levels = len({h.level for h in found})
            signals.append(
                Signal(f"{tops} headings at the top of {levels} levels", 1.0 if levels > 1 else 0.6)
            )
        if doubles:
            signals.append(
                Signal(
                    f"{doubles} headings twice",
                    1 - share(doubles, len(found)),
                    good=f"{len(found) - doubles} different headings",
                )
            )
    return tuple(signals)


def paragraph_flow(subject: Subject, _around: Surroundings) -> Reading | None:
    """Whether paragraphs have a readable length, none is left open, and links lead somewhere."""
    files = _prose(subject)
    if not files:
        return None
    lengths, unfinished = [], 0
    for file in files:
        for block in _BREAK.split(_plain(file)):
            text = block.strip()
            if len(text.split()) < 8 or text.startswith(("|", "-", "*", "#", "1.")):
                continue
            lengths.append(len(text.split()))
            unfinished += text[-1].isalnum() or text[-1] in ",;"
    signals = []
    if lengths:
        good = sum(n <= 130 for n in lengths)
        signals += [
            Signal(f"{good} of {len(lengths)} paragraphs have at most 130 words", share(good, len(lengths))),
            Signal(
                f"{unfinished} paragraphs end without a full stop",
                1 - share(unfinished, len(lengths)),
                good=f"{len(lengths) - unfinished} of {len(lengths)} paragraphs end with a full stop",
            ),
        ]
    signals.extend(_leftovers(files))
    signals.extend(_broken_links(files, subject))
    return tuple(signals) or None


def formatting(subject: Subject, around: Surroundings) -> Reading | None:
    """Tables, lists, placeholders and links together."""
    files = _prose(subject)
    if not files:
        return None
    signals = [*_tables(files), *_leftovers(files), *_broken_links(files, subject)]
    hierarchy = heading_hierarchy(subject, around)
    return tuple(signals) + (hierarchy or ()) or (Signal("plain text without marks", 0.5),)


def headings(file: ViewedFile) -> tuple[Heading, ...]:
    """The headings of a Markdown or HTML text, in order."""
    text = file.text
    if file.family is Family.HTML or _HTML_HEADING.search(text):
        return tuple(
            Heading(int(m.group(1)), _TAG.sub("", m.group(2)).strip()) for m in _HTML_HEADING.finditer(text)
        )
    return tuple(Heading(len(m.group(1)), m.group(2)) for m in _HEADING.finditer(_FENCE.sub("", text)))


def _prose(subject: Subject) -> list[ViewedFile]:
    return [file for file in subject.view.files if file.family in PROSE and file.text.strip()]


def _plain(file: ViewedFile) -> str:
    return _TAG.sub("", _FENCE.sub("", file.text))


def _sections(file: ViewedFile) -> list[tuple[str, str]]:
    if file.family is Family.HTML or _HTML_HEADING.search(file.text):
        matches = list(_HTML_HEADING.finditer(file.text))
        text = file.text
    else:
        text = file.text
        matches = list(_HEADING.finditer(text))
    if not matches:
        return [("", _TAG.sub("", text))]
    sections = [("", _TAG.sub("", text[: matches[0].start()]))]
    for index, match in enumerate(matches):
        following = matches[index + 1] if index + 1 < len(matches) else None
        body = _TAG.sub("", text[match.end() : following.start() if following else len(text)])
        # A heading directly above a deeper one introduces it and is not empty.
        if not body.strip() and following and len(following.group(1)) > len(match.group(1)):
            body = following.group(2)
        sections.append((match.group(2), body))
    return [(heading, body) for heading, body in sections if heading or body.strip()]


def _tables(files: list[ViewedFile]) -> list[Signal]:
    tables = ragged = 0
    for file in files:
        lines = file.text.splitlines()
        for index, line in enumerate(lines):
            if index and "--" in line and "|" in lines[index - 1] and _TABLE_RULE.issuperset(line):
                tables += 1
                width = _cells(lines[index - 1])
                rows = []
                for row in lines[index + 1 :]:
                    if "|" not in row:
                        break
                    rows.append(_cells(row))
                ragged += any(n != width for n in rows) or _cells(line) != width
    if not tables:
        return []
    return [
        Signal(
            f"{tables} tables, {ragged} with rows of different width",
            1 - share(ragged, tables),
            good=f"{tables - ragged} of {tables} tables have rows of one width",
        )
    ]


def _cells(line: str) -> int:
    return line.strip().strip("|").replace(r"\|", "").count("|") + 1


def _leftovers(files: list[ViewedFile]) -> list[Signal]:
    found = [
        Quote(file=file.name, text=m.group(), found=True, start=m.start(), end=m.end())
        for file in files
        for m in _PLACEHOLDER.finditer(file.text)
    ]
    if not found:
        return []
    return [
        Signal(
            f"{len(found)} placeholders are left in the text",
            max(0.0, 0.5 - len(found) / 10),
            1.0,
            tuple(found[:2]),
        )
    ]


def _broken_links(files: list[ViewedFile], subject: Subject) -> list[Signal]:
    names = {file.name for file in subject.view.files}
    total, broken = 0, list[str]()
    for file in files:
        anchors = {_anchor(h.text) for h in headings(file)}
        definitions = {m.group(1).casefold() for m in _DEFINITION.finditer(file.text)}
        for match in _LINK.finditer(file.text):
            target = match.group(2)
            if target.startswith("#"):
                total += 1
                if target[1:].casefold() not in anchors:
                    broken.append(target)
            elif "://" not in target and not target.startswith(("mailto:", "tel:", "/")):
                total += 1
                path = target.partition("#")[0].removeprefix("./")
                if not any(name == path or name.endswith("/" + path) for name in names):
                    broken.append(target)
        for match in _REFERENCE.finditer(file.text):
            total += 1
            if (match.group(2) or match.group(1)).casefold() not in definitions:
                broken.append(match.group())
    if not total:
        return []
    text = f"{len(broken)} of {total} internal links and references lead nowhere"
    if broken:
        text += f": {', '.join(broken[:3])}"
    good = f"{total - len(broken)} of {total} internal links and references lead somewhere"
    return [Signal(text, 1 - share(len(broken), total), good=good)]


def _anchor(heading: str) -> str:
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading).strip().casefold())


def _quoted(file: ViewedFile, skipped: list[Heading]) -> tuple[Quote, ...]:
    quotes = []
    for heading in skipped:
        start = file.text.find(heading.text)
        if start >= 0:
            quotes.append(
                Quote(
                    file=file.name, text=heading.text, found=True, start=start, end=start + len(heading.text)
                )
            )
    return tuple(quotes)
