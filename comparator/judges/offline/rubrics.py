"""The baseline's rubric for each kind of task, and what measures each criterion."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from comparator.domain.rubric import Anchors, Criterion, Rubric
from comparator.domain.task import TaskText
from comparator.domain.view import Family
from comparator.judges.offline import code, coverage, data, documents, forms, web
from comparator.judges.offline.signals import Measure


class Profile(StrEnum):
    """What kind of output a task asks for."""

    FORM = "form"
    DOCUMENT = "document"
    DATA = "data"
    CODE = "code"
    WEB = "web"
    GENERAL = "general"


@dataclass(frozen=True)
class Line:
    """One criterion; `measure` is None for what only a reader can tell."""

    key: str
    name: str
    description: str
    poor: str
    acceptable: str
    excellent: str
    measure: Measure | None

    @property
    def criterion(self) -> Criterion:
        """The line as a criterion of the domain."""
        return Criterion(
            key=self.key,
            name=self.name,
            description=self.description,
            anchors=Anchors(poor=self.poor, acceptable=self.acceptable, excellent=self.excellent),
        )


_CORRECTNESS = Line(
    "correctness", "Correctness", "Does it do what was asked, without errors?",
    "Major errors", "Minor errors", "Fully correct", None,
)  # fmt: skip
_COMPLETENESS = Line(
    "completeness", "Completeness", "Is everything there that the task asks for?",
    "Missing key elements", "Mostly complete", "All elements present", coverage.completeness,
)  # fmt: skip
_ACCURACY = Line(
    "accuracy", "Accuracy", "Do facts and numbers agree with the inputs and the reference?",
    "Significant inaccuracies", "Minor inaccuracies", "Accurate throughout", coverage.accuracy,
)  # fmt: skip
_FILE_NAMING = Line(
    "file_naming", "File naming", "Are the files there under the names that the task gives?",
    "Asked files are missing", "Some under other names", "All as asked", coverage.naming,
)  # fmt: skip

_LINES: dict[Profile, tuple[tuple[Line, ...], tuple[Line, ...]]] = {
    Profile.FORM: (
        (
            Line(
                "data_placement", "Data placement", "Do the given values stand in the form, in the right fields?",
                "Values missing or in wrong fields", "Most values in place", "Every value in its field",
                forms.data_placement,
            ),
            _COMPLETENESS,
            _CORRECTNESS,
        ),
        (
            Line(
                "field_alignment", "Field alignment", "Does the text sit inside its fields?",
                "Text outside or across fields", "Small offsets", "All text inside its field", None,
            ),
            Line(
                "text_readability", "Text readability", "Can every entry be read?",
                "Illegible or garbled", "Readable with effort", "Clear throughout", forms.text_readability,
            ),
            Line(
                "form_preserved", "Form preserved", "Is the form itself unchanged?",
                "Parts of the form are lost", "Small changes", "The form is as it was", forms.form_preserved,
            ),
        ),
    ),
    Profile.DOCUMENT: (
        (_CORRECTNESS, _COMPLETENESS, _ACCURACY),
        (
            Line(
                "section_structure", "Section structure", "Is the text divided into sections that help the reader?",
                "No or misleading sections", "Reasonable sections", "Clear, logical sections",
                documents.section_structure,
            ),
            Line(
                "heading_hierarchy", "Heading hierarchy", "Do heading levels follow the content?",
                "Levels missing or skipped", "Mostly consistent", "Consistent throughout",
                documents.heading_hierarchy,
            ),
            Line(
                "paragraph_flow", "Paragraph flow", "Do paragraphs read well, one after the other?",
                "Hard to follow", "Readable with breaks", "Reads smoothly", documents.paragraph_flow,
            ),
        ),
    ),
    Profile.DATA: (
        (
            Line(
                "schema_correctness", "Schema correctness", "Are the columns and keys those that were asked for?",
                "Wrong or missing fields", "Small deviations", "Exactly as asked", data.schema_correctness,
            ),
            Line(
                "data_types", "Data types", "Are numbers, dates and texts of the right type and form?",
                "Types wrong or mixed", "Few deviations", "Right throughout", data.data_types,
            ),
            _COMPLETENESS,
            _ACCURACY,
        ),
        (
            Line(
                "well_formedness", "Well-formedness", "Can programs read the files?",
                "Files cannot be read", "Readable with repairs", "All files can be read", data.well_formedness,
            ),
            _FILE_NAMING,
            Line(
                "usability", "Usability", "Can the data be used as they are?",
                "Difficult to use", "Usable with effort", "Easy to use", None,
            ),
        ),
    ),
    Profile.CODE: (
        (
            _CORRECTNESS,
            _COMPLETENESS,
            Line(
                "test_coverage", "Test coverage", "Do tests check what was asked?",
                "No or empty tests", "Main cases tested", "Main and edge cases tested", code.tests_present,
            ),
        ),
        (
            Line(
                "syntax", "Syntax", "Does every file parse?",
                "Files do not parse", "Small faults", "Everything parses", code.syntax,
            ),
            Line(
                "documentation", "Documentation", "Does a reader learn how to use it?",
                "None", "Partly documented", "README and docstrings with examples", code.documentation,
            ),
            Line(
                "organization", "Organization", "Are files, functions and lines of a readable size?",
                "Disorganized", "Reasonably organized", "Clear, logical structure", code.organisation,
            ),
        ),
    ),
    Profile.WEB: (
        (_CORRECTNESS, _COMPLETENESS, _ACCURACY),
        (
            Line(
                "markup", "Markup", "Is the HTML sound?",
                "Broken", "Small faults", "Sound throughout", web.markup,
            ),
            Line(
                "accessibility", "Accessibility", "Does it work with a screen reader and on a phone?",
                "Barely", "With gaps", "Throughout", web.accessibility,
            ),
            Line(
                "self_containment", "Self-containment", "Does the page load without anything missing?",
                "Needs many things from elsewhere", "Few things", "Complete in itself", web.self_containment,
            ),
        ),
    ),
    Profile.GENERAL: (
        (_CORRECTNESS, _COMPLETENESS, _ACCURACY),
        (
            Line(
                "organization", "Organization", "Is the content in a clear order?",
                "Disorganized", "Reasonably organized", "Clear, logical structure", documents.section_structure,
            ),
            Line(
                "formatting", "Formatting", "Is the form consistent and unbroken?",
                "Inconsistent/broken", "Mostly consistent", "Professional, polished", documents.formatting,
            ),
            Line(
                "usability", "Usability", "Can it be used as it is?",
                "Difficult to use", "Usable with effort", "Easy to use", None,
            ),
        ),
    ),
}  # fmt: skip

_FORM_PROMPT = re.compile(r"\bforms?\b", re.IGNORECASE)
_WEB_PROMPT = re.compile(
    r"\b(?:web|html|landing|home) ?(?:page|site)|\bwebsite|\bindex\.html\b", re.IGNORECASE
)
_DATA = data.DATA
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
    """The baseline's rubric of one kind of output."""
    content, structure = _LINES[profile]
    return Rubric(
        content=tuple(line.criterion for line in content),
        structure=tuple(line.criterion for line in structure),
    )


def measure_for(path: str, profile: Profile) -> Measure | None:
    """What measures the criterion at this path: the profile's own line, else any profile's line of that path.

    None for what cannot be measured, also for criteria that somebody else wrote.
    """
    for candidate in (profile, *Profile):
        for dimension, lines in zip(("content", "structure"), _LINES[candidate], strict=True):
            for line in lines:
                if f"{dimension}.{line.key}" == path:
                    return line.measure
    return None
