"""The ready-made rubric for each kind of task, and which of its criteria the offline check can look at."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from functools import cache

from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import Family
from comparator.domain.scoring.rubric import Anchors, Criterion, Rubric
from comparator.judges.offline.documents import heading_levels, loose_ends
from comparator.judges.offline.finding import CheckInput, CheckResult
from comparator.judges.offline.named import named_parts
from comparator.judges.offline.parsing import soundness

Check = Callable[[CheckInput], CheckResult | None]
"""What was found in one output, or None where there is nothing of the kind to look at."""

CHECKS: dict[str, Check] = {
    "content.named_parts": named_parts,
    "structure.soundness": soundness,
    "structure.heading_hierarchy": heading_levels,
    "structure.loose_ends": loose_ends,
}
"""The criteria that can be looked at without understanding the task; all others need a reader."""


class Profile(StrEnum):
    """What kind of output a task asks for."""

    FORM = "form"
    DOCUMENT = "document"
    DATA = "data"
    CODE = "code"
    WEB = "web"
    GENERAL = "general"


_CRITERIA = """
task_fulfilment | Does what was asked | Does it do this task: its subject, form, number and constraints? |
    Does another task | Does it in part | Does exactly what was asked
completeness | Completeness | Is everything there that the task asks for? |
    Missing key elements | Mostly complete | All elements present
accuracy | Accuracy | Do facts and numbers agree with the inputs and the reference? |
    Significant inaccuracies | Minor inaccuracies | Accurate throughout
data_placement | Data placement | Do the given values stand in the form, in the right fields? |
    Values missing or in wrong fields | Most values in place | Every value in its field
schema_correctness | Schema correctness | Are the columns and keys those that were asked for? |
    Wrong or missing fields | Small deviations | Exactly as asked
data_types | Data types | Are numbers, dates and texts of the right type and form? |
    Types wrong or mixed | Few deviations | Right throughout
test_coverage | Test coverage | Do tests check what was asked? |
    No or empty tests | Main cases tested | Main and edge cases tested
named_parts | Named parts | Is what the task names there: files, and words in quotes? |
    Nothing of it, or no output | Part of it | All of it
field_alignment | Field alignment | Does the text sit inside its fields? |
    Text outside or across fields | Small offsets | All text inside its field
text_readability | Text readability | Can every entry be read? |
    Illegible or garbled | Readable with effort | Clear throughout
section_structure | Section structure | Is the text divided into sections that help the reader? |
    No or misleading sections | Reasonable sections | Clear, logical sections
heading_hierarchy | Heading hierarchy | Do heading levels follow one another? |
    Levels missing or skipped | Mostly consistent | Consistent throughout
paragraph_flow | Paragraph flow | Do paragraphs read well, one after the other? |
    Hard to follow | Readable with breaks | Reads smoothly
loose_ends | Loose ends | Is nothing left unfinished: placeholders, links that lead nowhere, broken tables? |
    Many | A few | None
soundness | Soundness | Can every file be opened and parsed? |
    None can | Some cannot | All can
documentation | Documentation | Does a reader learn how to use it? |
    None | Partly documented | Documented with examples
organization | Organization | Is the content in a clear order? |
    Disorganized | Reasonably organized | Clear, logical structure
formatting | Formatting | Is the form consistent and polished? |
    Inconsistent or broken | Mostly consistent | Professional, polished
accessibility | Accessibility | Does it work with a screen reader and on a phone? |
    Barely | With gaps | Throughout
usability | Usability | Can it be used as it is? |
    Difficult to use | Usable with effort | Easy to use
"""

_KEYS: dict[Profile, tuple[str, str]] = {
    Profile.FORM: (
        "task_fulfilment data_placement completeness named_parts",
        "field_alignment text_readability soundness",
    ),
    Profile.DOCUMENT: (
        "task_fulfilment completeness accuracy named_parts",
        "section_structure heading_hierarchy paragraph_flow loose_ends soundness",
    ),
    Profile.DATA: (
        "task_fulfilment schema_correctness data_types completeness named_parts",
        "soundness usability",
    ),
    Profile.CODE: (
        "task_fulfilment completeness test_coverage named_parts",
        "soundness documentation organization",
    ),
    Profile.WEB: (
        "task_fulfilment completeness accuracy named_parts",
        "soundness heading_hierarchy loose_ends accessibility",
    ),
    Profile.GENERAL: (
        "task_fulfilment completeness accuracy named_parts",
        "organization formatting usability soundness",
    ),
}

_FORM_PROMPT = re.compile(r"\bforms?\b", re.IGNORECASE)
_WEB_PROMPT = re.compile(
    r"\b(?:web|html|landing|home) ?(?:page|site)|\bwebsite|\bindex\.html\b", re.IGNORECASE
)
_DATA = frozenset(
    {Family.JSON, Family.YAML, Family.TOML, Family.XML, Family.CSV, Family.XLSX, Family.PARQUET}
)
_DOCUMENTS = frozenset({Family.TEXT, Family.MARKDOWN, Family.DOCX, Family.PDF, Family.PPTX})


def profile_of(task: TaskText, families: tuple[Family, ...]) -> Profile:
    """What kind of output the task asks for, from its wording and the families of its runs' files."""
    present = set(families)
    if _FORM_PROMPT.search(task.prompt) and present & {Family.PDF, Family.DOCX}:
        return Profile.FORM
    if Family.HTML in present and (_WEB_PROMPT.search(task.prompt) or Family.CODE not in present):
        return Profile.WEB
    if present & {Family.CODE, Family.NOTEBOOK}:
        return Profile.CODE
    if present & _DATA:
        return Profile.DATA
    if present & _DOCUMENTS:
        return Profile.DOCUMENT
    return Profile.GENERAL


def rubric_for(profile: Profile) -> Rubric:
    """The rubric of one kind of output; its first criterion is whether the output does what was asked."""
    known = _criteria()
    content, structure = (tuple(known[key] for key in keys.split()) for keys in _KEYS[profile])
    return Rubric(content=content, structure=structure)


@cache
def _criteria() -> dict[str, Criterion]:
    found = {}
    for line in _CRITERIA.replace("|\n", "|").strip().splitlines():
        key, name, description, poor, acceptable, excellent = (part.strip() for part in line.split("|"))
        anchors = Anchors(poor=poor, acceptable=acceptable, excellent=excellent)
        found[key] = Criterion(key=key, name=name, description=description, anchors=anchors)
    return found
