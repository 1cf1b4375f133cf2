"""The form of documents and pages: heading levels, and loose ends such as placeholders and links that lead nowhere."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from comparator.domain.pair.view import Family, ViewedFile
from comparator.domain.scoring.judgment import Quote
from comparator.judges.offline.finding import CheckInput, CheckResult, finding

_PROSE = frozenset(
    {Family.TEXT, Family.MARKDOWN, Family.DOCX, Family.PDF, Family.PPTX, Family.HTML, Family.NOTEBOOK}
)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$", re.MULTILINE)
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]{0,500}>(.{0,500}?)</h\1>", re.IGNORECASE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\[\]\n]{1,300}\]\(([^()\s]{1,500})[^()\n]{0,300}\)")
_PLACEHOLDER = re.compile(
    r"\b(?:TODO|TBD|FIXME|lorem ipsum|XXX)\b|\[(?:insert|your) [^\[\]\n]{0,100}\]", re.IGNORECASE
)
_TAG = re.compile(r"<[^<>]{1,1000}>")
_TABLE_RULE = frozenset("|-: \t")
_LONGEST_NAMED = 80
_FEWEST = 4


@dataclass(frozen=True)
class DocumentHeading:
    """One heading with its level, 1 to 6."""

    level: int
    text: str


def heading_levels(seen: CheckInput) -> CheckResult | None:
    """Whether heading levels begin at their top and skip none; None without at least two headings in a file."""
    looked_at, faults = 0, []
    for file in _prose(seen):
        found = headings(file)
        if len(found) < 2:
            continue
        looked_at += len(found)
        if found[0].level > min(heading.level for heading in found):
            faults.append(f"{file.name} begins with a lower heading than its highest.")
        faults.extend(
            f"{file.name} skips a heading level at “{after.text[:_LONGEST_NAMED]}”."
            for before, after in itertools.pairwise(found)
            if after.level > before.level + 1
        )
    return finding(looked_at, faults, praise="Heading levels follow one another without a gap.")


def loose_ends(seen: CheckInput) -> CheckResult | None:
    """Placeholders, links within the output that lead nowhere, and tables with rows of unequal width.

    Of the files with text; each file without any of these is in order. None without such a file.
    """
    names = [file.name for file in seen.view.files]
    files, faults = _prose(seen), list[str]()
    quotes: list[Quote] = []
    for file in files:
        for match in itertools.islice(_PLACEHOLDER.finditer(file.text), 20):
            faults.append(f"A placeholder is left in {file.name}: “{match.group()}”.")
            quotes.append(
                Quote(file=file.name, text=match.group(), found=True, start=match.start(), end=match.end())
            )
        faults.extend(
            f"In {file.name} the link to {target} leads nowhere." for target in _broken(file, names)
        )
        ragged = _ragged_tables(file.text)
        if ragged:
            faults.append(f"{file.name} has a table whose rows are not of one width, at “{ragged}”.")
    praise = "No placeholder is left, and links within the output lead somewhere."
    # A single placeholder does not undo a whole document.
    return finding(max(len(files), _FEWEST) if files else 0, faults, praise=praise, quotes=quotes)


def headings(file: ViewedFile) -> tuple[DocumentHeading, ...]:
    """The headings of a Markdown or HTML text, in order."""
    if file.family is Family.HTML or _HTML_HEADING.search(file.text):
        return tuple(
            DocumentHeading(int(m.group(1)), _TAG.sub("", m.group(2)).strip())
            for m in _HTML_HEADING.finditer(file.text)
        )
    return tuple(
        DocumentHeading(len(m.group(1)), m.group(2)) for m in _HEADING.finditer(_FENCE.sub("", file.text))
    )


def _prose(seen: CheckInput) -> list[ViewedFile]:
    return [file for file in seen.view.files if file.family in _PROSE and file.text.strip()]


def _broken(file: ViewedFile, names: list[str]) -> list[str]:
    if file.family is not Family.MARKDOWN:
        return []
    anchors = {_anchor(heading.text) for heading in headings(file)}
    broken: dict[str, None] = {}
    for match in _LINK.finditer(_FENCE.sub("", file.text)):
        target = match.group(1)
        if target.startswith("#"):
            if target[1:].casefold() not in anchors:
                broken[target] = None
        elif ":" not in target and not target.startswith("/"):
            path = target.partition("#")[0].partition("?")[0].removeprefix("./")
            if path and not any(name == path or name.endswith(f"/{path}") for name in names):
                broken[target] = None
    return [target[:_LONGEST_NAMED] for target in broken]


def _anchor(heading: str) -> str:
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading).strip().casefold())


def _ragged_tables(text: str) -> str:
    """The first row of a Markdown table that is of another width than its head; empty where there is none."""
    lines = text.splitlines()
    for index, line in enumerate(lines[1:], start=1):
        if "--" not in line or "|" not in lines[index - 1] or not _TABLE_RULE.issuperset(line):
            continue
        width = _cells(lines[index - 1])
        for row in lines[index:]:
            if "|" not in row:
                break
            if _cells(row) != width:
                return row.strip()[:_LONGEST_NAMED]
    return ""


def _cells(line: str) -> int:
    return line.strip().strip("|").replace(r"\|", "").count("|") + 1
