"""Expectations as far as a search can check them; the others count as not met on both sides."""

from __future__ import annotations

import re
from collections.abc import Callable

from comparator.domain.judgment import ExpectationMark
from comparator.domain.labels import PerOutput
from comparator.domain.view import Family
from comparator.judges.offline import web
from comparator.judges.offline.data import parse
from comparator.judges.offline.documents import headings
from comparator.judges.offline.signals import Subject, Surroundings
from comparator.judges.offline.words import Literal, LiteralKind, content_words, literals

_NEGATION = re.compile(
    r"\b(no|not|nothing|none|never|without|unchanged|only|neither|nor|avoids?|free of|instead)\b|n't\b",
    re.IGNORECASE,
)
_PRESENCE = re.compile(
    r"\b(includes?|contains?|mentions?|lists?|names?|gives?|has|have|shows?|says?|states?|explains?|provides?|covers?"
    r"|describes?|there (?:is|are)|uses?|asks?|with)\b",
    re.IGNORECASE,
)
_QUALITY = re.compile(
    r"\b(clear(?:ly)?|readable|correct(?:ly)?|accurate(?:ly)?|professional(?:ly)?|concise|well|good|polite|friendly|easy"
    r"|appropriate(?:ly)?|proper(?:ly)?|consistent(?:ly)?|add up|adds up|responsible|each|every|all|both)\b",
    re.IGNORECASE,
)
_BEHAVIOUR = re.compile(
    r"\b(raises?|returns?|throws?|runs?|works?|passes|fails|compiles?|calculate[sd]?|checks?|tests?|adds? up)\b",
    re.IGNORECASE,
)
_EXISTS = re.compile(
    r"\b(exists?|is there|are there|there is|there are|is present|is called|is named|saved as)\b",
    re.IGNORECASE,
)
_WORD_LIMIT = re.compile(
    r"\b(?:no (?:longer|more) than|at most|up to|under|fewer than|less than|maximum(?: of)?|within)"
    r"\s+([\d,]+)\s+words\b",
    re.IGNORECASE,
)
_WORD_MINIMUM = re.compile(
    r"\b(?:at least|no fewer than|more than|minimum(?: of)?)\s+([\d,]+)\s+words\b", re.IGNORECASE
)
_PARSES = re.compile(
    r"\b(?:valid|well-formed|parses as|parseable|parsable)\b.*\b(json|yaml|toml|xml|csv)\b", re.IGNORECASE
)
_FORMAT = re.compile(
    r"\b(?:format|output|file|result|it)\b.*\b(?:is|as|in)\b(?: an?)?"
    r"\s+(pdf|json|csv|html|markdown|yaml|xml|docx|xlsx|png|svg)\b",
    re.IGNORECASE,
)
_REMOTE = re.compile(r"\bloads? nothing\b|\bno (?:remote|external)\b|\bself-contained\b", re.IGNORECASE)
_TABLE = re.compile(r"\b(?:has|contains|includes|with|uses)\b[^.]{0,20}\btables?\b", re.IGNORECASE)
_HEADING = re.compile(r"\bheadings?\b|\bsections?\b", re.IGNORECASE)
_RELATIVE_SHARE = 0.75
_MOST_OTHER_WORDS = 3

Check = Callable[[Subject], ExpectationMark]


def check_expectation(
    text: str, subjects: PerOutput[Subject], around: Surroundings
) -> PerOutput[ExpectationMark]:
    """Whether each output meets the expectation, with the evidence.

    What a search cannot tell, and what cannot be searched on either side, is not met on both and not measured.
    """
    check = _check_for(text, around)
    if check is None:
        return _unchecked("a search cannot tell this")
    if not (subjects.A.hay.readable and subjects.B.hay.readable):
        return _unchecked("there is no text to search in both outputs")
    return subjects.map(check)


def _unchecked(reason: str) -> PerOutput[ExpectationMark]:
    mark = ExpectationMark(passed=False, evidence=f"not checked: {reason}", measured=False)
    return PerOutput[ExpectationMark](A=mark, B=mark)


def _check_for(text: str, around: Surroundings) -> Check | None:
    if limit := _WORD_LIMIT.search(text):
        return lambda subject: _length(subject, int(limit.group(1).replace(",", "")), most=True)
    if minimum := _WORD_MINIMUM.search(text):
        return lambda subject: _length(subject, int(minimum.group(1).replace(",", "")), most=False)
    if parses := _PARSES.search(text):
        return lambda subject: _parses(subject, Family(parses.group(1).lower()))
    if form := _FORMAT.search(text):
        return lambda subject: _has_family(subject, Family(_family_name(form.group(1))))
    if _REMOTE.search(text):
        return lambda subject: _loads_nothing(subject, around, scripts="script" not in text.lower())
    if _NEGATION.search(text) or _BEHAVIOUR.search(text):
        return None
    wanted = literals(text)
    if wanted:
        return (lambda subject: _all_found(subject, wanted)) if _prove(wanted, text) else None
    if _TABLE.search(text):
        return _has_table
    words = content_words(text)
    if _QUALITY.search(text) or not _PRESENCE.search(text) or not words:
        return None
    if _HEADING.search(text):
        words = {root: w for root, w in words.items() if w.lower().rstrip("s") not in ("heading", "section")}
        return (lambda subject: _heading_with(subject, words)) if words else None
    return lambda subject: _words_found(subject, words)


def _prove(wanted: tuple[Literal, ...], text: str) -> bool:
    """Whether finding the literals says something about the expectation; a file or an identifier alone does not."""
    if any(x.kind not in (LiteralKind.FILE, LiteralKind.NAME) for x in wanted):
        return True
    if all(x.kind is LiteralKind.FILE for x in wanted):
        return bool(_EXISTS.search(text))
    rest = text
    for literal in wanted:
        rest = rest.replace(literal.text, " ")
    return len(content_words(rest)) <= _MOST_OTHER_WORDS


def _family_name(word: str) -> str:
    return {"png": "image"}.get(word.lower(), word.lower())


def _length(subject: Subject, limit: int, *, most: bool) -> ExpectationMark:
    words = max((len(f.text.split()) for f in subject.view.files), default=0)
    return ExpectationMark(
        passed=words <= limit if most else words >= limit, evidence=f"the longest file has {words} words"
    )


def _parses(subject: Subject, family: Family) -> ExpectationMark:
    parsed = [p for p in map(parse, subject.view.files) if p and p.file.family is family]
    bad = [p for p in parsed if p.problem]
    if not parsed:
        return ExpectationMark(passed=False, evidence=f"no {family.value} file")
    if bad:
        return ExpectationMark(passed=False, evidence=f"{bad[0].file.name}: {bad[0].problem}")
    return ExpectationMark(passed=True, evidence=f"{len(parsed)} {family.value} files can be read")


def _has_family(subject: Subject, family: Family) -> ExpectationMark:
    names = [f.name for f in subject.view.files if f.family is family]
    return ExpectationMark(
        passed=bool(names), evidence=f"{family.value}: {names[0]}" if names else f"no {family.value} file"
    )


def _loads_nothing(subject: Subject, around: Surroundings, *, scripts: bool) -> ExpectationMark:
    reading = web.self_containment(subject, around)
    if reading is None:
        return ExpectationMark(passed=False, evidence="no web page")
    remote = [signal for signal in reading if "from elsewhere" in signal.text]
    evidence = "; ".join(signal.text for signal in remote)
    passed = all(signal.value == 1 for signal in remote)
    if not scripts:
        found = sum(file.text.lower().count("<script") for file in subject.view.files)
        evidence += f"; {found} scripts"
        passed = passed and not found
    return ExpectationMark(passed=passed, evidence=evidence)


def _has_table(subject: Subject) -> ExpectationMark:
    for file in subject.view.files:
        if (
            file.family in (Family.CSV, Family.XLSX)
            or "<table" in file.text
            or "|--" in file.text.replace(" ", "")
        ):
            return ExpectationMark(passed=True, evidence=f"a table in {file.name}")
    return ExpectationMark(passed=False, evidence="no table found")


def _heading_with(subject: Subject, words: dict[str, str]) -> ExpectationMark:
    for file in subject.view.files:
        for heading in headings(file):
            if content_words(heading.text).keys() & words.keys():
                return ExpectationMark(passed=True, evidence=f"heading “{heading.text[:120]}” in {file.name}")
    return ExpectationMark(passed=False, evidence=f"no heading with: {', '.join(words.values())}")


def _all_found(subject: Subject, wanted: tuple[Literal, ...]) -> ExpectationMark:
    found, missing = list[str](), list[str]()
    hay = subject.hay.within([x.text for x in wanted if x.kind is LiteralKind.FILE])
    for literal in wanted:
        quote = hay.find(literal)
        if quote is None:
            missing.append(literal.text)
        else:
            found.append(f"“{literal.text}” in {quote.file}")
    if missing:
        return ExpectationMark(passed=False, evidence="not found: " + ", ".join(f"“{m}”" for m in missing))
    return ExpectationMark(passed=True, evidence="found: " + ", ".join(found))


def _words_found(subject: Subject, words: dict[str, str]) -> ExpectationMark:
    missing = [word for root, word in words.items() if root not in subject.hay.stems]
    if len(words) - len(missing) < len(words) * _RELATIVE_SHARE:
        return ExpectationMark(passed=False, evidence=f"words not found: {', '.join(missing)}")
    line = subject.hay.line_with(words)
    return ExpectationMark(
        passed=True,
        evidence=f"“{line.text}” in {line.file}" if line else "the words occur, in different places",
    )
