"""Measures of web pages: markup, what a screen reader needs, and what is loaded from elsewhere."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from comparator.domain.judgment import Quote
from comparator.domain.view import Family, ViewedFile
from comparator.judges.offline.documents import headings
from comparator.judges.offline.signals import Reading, Signal, Subject, Surroundings, share

_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_OPTIONAL_END = frozenset(
    ("p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "html", "head", "body")
)
_REMOTE = re.compile(r"^\s*(?:https?:)?//", re.IGNORECASE)
_LOADING = {
    "img": "src",
    "script": "src",
    "link": "href",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
}
_CSS_REMOTE = re.compile(r"(?:@import\s+|url\()\s*[\"']?\s*(?:https?:)?//[^\s\"')]+", re.IGNORECASE)


@dataclass
class _Page(HTMLParser):
    file: ViewedFile
    open_tags: list[str] = field(default_factory=list)
    unclosed: int = 0
    tags: int = 0
    ids: list[str] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    attributes: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    title: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.file.text)
        self.unclosed += sum(tag not in _OPTIONAL_END for tag in self.open_tags)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags += 1
        values = {name: value or "" for name, value in attrs}
        self.attributes.append((tag, values))
        if values.get("id"):
            self.ids.append(values["id"])
        if tag == "a" and values.get("href", "").startswith("#"):
            self.anchors.append(values["href"][1:])
        if tag not in _VOID:
            self.open_tags.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open_tags.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.open_tags:
            self.unclosed += tag not in _VOID
            return
        while self.open_tags:
            closed = self.open_tags.pop()
            if closed == tag:
                return
            self.unclosed += closed not in _OPTIONAL_END

    def handle_data(self, data: str) -> None:
        if self.open_tags and self.open_tags[-1] == "title":
            self.title += data


def markup(subject: Subject, _around: Surroundings) -> Reading | None:
    """Whether tags are closed, ids are unique and anchors lead somewhere."""
    signals = []
    for page in _pages(subject):
        doubles = len(page.ids) - len(set(page.ids))
        lost = [a for a in page.anchors if a and a not in page.ids]
        name = page.file.name
        signals += [
            Signal(
                f"{name}: {page.unclosed} of {page.tags} tags not closed or not opened",
                1 - min(1.0, share(page.unclosed, page.tags) * 5),
                2.0,
                good=f"{name}: {page.tags - page.unclosed} of {page.tags} tags are closed",
            ),
            Signal(f"{doubles} ids twice", 1.0 if not doubles else 0.3, 0.5, good="every id stands once"),
        ]
        if page.anchors:
            signals.append(
                Signal(
                    f"{len(lost)} of {len(page.anchors)} links within the page lead nowhere",
                    1 - share(len(lost), len(page.anchors)),
                    good=f"{len(page.anchors) - len(lost)} of {len(page.anchors)} links within the page lead somewhere",
                )
            )
        if not re.match(r"\s*<!doctype html", page.file.text, re.IGNORECASE):
            signals.append(Signal("no doctype", 0.3, 0.5))
    return tuple(signals) or None


def accessibility(subject: Subject, _around: Surroundings) -> Reading | None:
    """What a screen reader and a phone need: language, title, alternatives, headings, landmarks, labels, viewport."""
    signals: list[Signal] = []
    for page in _pages(subject):
        tags = [tag for tag, _ in page.attributes]
        values = page.attributes
        images = [a for tag, a in values if tag == "img"]
        drawings = [(i, a) for i, (tag, a) in enumerate(values) if tag == "svg"]
        named = sum("alt" in a for a in images) + sum(_drawing_is_named(values, i, a) for i, a in drawings)
        checks = {
            "language stated": any(tag == "html" and a.get("lang") for tag, a in values),
            "title": bool(page.title.strip()),
            "viewport for phones": any(tag == "meta" and a.get("name") == "viewport" for tag, a in values),
            "one main heading": tags.count("h1") == 1,
            "landmarks": bool({"main", "nav", "header", "footer"} & set(tags)),
        }
        signals.extend(
            Signal(name if holds else f"missing: {name}", float(holds)) for name, holds in checks.items()
        )
        if images or drawings:
            total = len(images) + len(drawings)
            signals.append(
                Signal(f"{named} of {total} pictures have a text alternative", share(named, total))
            )
        inputs = [
            a for tag, a in values if tag in ("input", "select", "textarea") and a.get("type") != "hidden"
        ]
        if inputs:
            labels = {a.get("for") for tag, a in values if tag == "label"}
            good = sum(bool(a.get("aria-label")) or a.get("id", "-") in labels for a in inputs)
            signals.append(Signal(f"{good} of {len(inputs)} fields have a label", share(good, len(inputs))))
        found = headings(page.file)
        skips = sum(b.level > a.level + 1 for a, b in itertools.pairwise(found))
        if found:
            signals.append(
                Signal(
                    f"{skips} skipped heading levels",
                    1.0 if not skips else 0.3,
                    good="skips no heading level",
                )
            )
    return tuple(signals) or None


def self_containment(subject: Subject, _around: Surroundings) -> Reading | None:
    """What the page loads from elsewhere, and files it points to that are not there."""
    pages = _pages(subject)
    if not pages:
        return None
    names = {file.name for file in subject.view.files}
    signals = []
    for page in pages:
        remote, missing = list[str](), list[str]()
        for tag, values in page.attributes:
            address = values.get(_LOADING.get(tag, ""), "")
            if not address or address.startswith(("data:", "#")):
                continue
            if _REMOTE.match(address):
                remote.append(address)
            elif not any(n.endswith(address.partition("?")[0].removeprefix("./").lstrip("/")) for n in names):
                missing.append(address)
        remote += [m.group() for m in _CSS_REMOTE.finditer(page.file.text)]
        quotes = tuple(_quote(page.file, address) for address in remote[:2])
        signals += [
            Signal(
                f"{page.file.name} loads {len(remote)} things from elsewhere",
                1 / (1 + len(remote)),
                1.0,
                quotes,
                f"{page.file.name} loads nothing from elsewhere",
            ),
            Signal(
                f"{len(missing)} files it points to are missing"
                + (f": {', '.join(missing[:3])}" if missing else ""),
                1 / (1 + len(missing)),
                good="all files it points to are there",
            ),
        ]
    return tuple(signals)


def _pages(subject: Subject) -> list[_Page]:
    files = [f for f in subject.view.files if f.family is Family.HTML and f.text.strip()]
    return [_Page(file) for file in files[:10]]


def _drawing_is_named(values: list[tuple[str, dict[str, str]]], index: int, own: dict[str, str]) -> bool:
    if own.get("aria-label") or own.get("aria-labelledby") or own.get("aria-hidden") == "true":
        return True
    return index + 1 < len(values) and values[index + 1][0] == "title"


def _quote(file: ViewedFile, text: str) -> Quote:
    start = file.text.find(text)
    return Quote(file=file.name, text=text[:300], found=True, start=start, end=start + len(text[:300]))
