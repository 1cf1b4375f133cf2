"""What a model is asked beside pairs: a codebook of themes, which findings belong to them, and guidance."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from comparator.domain.project import LONGEST_GUIDANCE
from comparator.domain.themes import LONGEST_NAME, LONGEST_TEST, Assigned, Finding, Theme
from comparator.judges.model.answers import Point, Told, Unusable, Wire, validate
from comparator.judges.prompts import Prompt, fenced
from comparator.judges.protocol import Question

Drafted = tuple[tuple[str, str], ...]
"""Names of themes with their tests."""


def require_text(text: str) -> str:
    """The text on one line. Raises ValueError where it is empty."""
    text = " ".join(text.split())
    if not text:
        raise ValueError("must not be empty")
    return text


class WireTheme(Told):
    """A theme of a new codebook."""

    name: Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(require_text)]
    test: Annotated[str, Field(max_length=LONGEST_TEST), AfterValidator(require_text)]
    """One sentence that begins with "The finding says that"."""


class WireCodebook(Wire):
    """A new codebook."""

    themes: list[WireTheme] = Field(max_length=20)


class WireAssigned(Told):
    """A theme that a finding belongs to."""

    theme: str = Field(max_length=20)
    """The key of a theme of the codebook."""
    quote: str = Field(max_length=4000)
    """Words of the finding, copied letter by letter."""


class WireFinding(Wire):
    """The themes of one finding."""

    number: int
    themes: list[WireAssigned]


class WireAssignment(Wire):
    """The themes of several findings."""

    findings: list[WireFinding]


class WireGuidance(Wire):
    """Notes to the judge; none if the corrections have nothing in common."""

    notes: list[Point] = Field(max_length=40)


def draft_question(
    findings: Sequence[Finding], *, kept: Sequence[Theme], removed: Collection[str]
) -> Question[Drafted]:
    """Asks for a codebook; themes that are `kept` stand already, and names that were `removed` must not come back."""
    content = _in_sections(
        {
            "Themes that are kept": codebook_in(kept),
            "Removed names": _lines_in("names", sorted(removed)),
            f"A sample of {len(findings)} findings": findings_in(findings),
        },
        wish="Write the codebook now.",
    )
    return Question(Prompt.THEME_DRAFT.text, content, WireCodebook, _read_codebook)


def _read_codebook(text: str) -> Drafted:
    codebook = validate(WireCodebook, text)
    if not codebook.themes:
        raise Unusable("- themes: there must be at least one")
    by_name = {theme.name.casefold(): (theme.name, theme.test) for theme in reversed(codebook.themes)}
    return tuple(reversed(by_name.values()))


def assign_question(
    findings: Sequence[Finding], themes: Sequence[Theme]
) -> Question[dict[str, tuple[Assigned, ...]]]:
    """Asks for the themes of each finding; the answer is by its id, and empty for "none of these"."""
    content = _in_sections(
        {"The codebook": codebook_in(themes), "The findings": findings_in(findings)},
        wish="Assign the findings now.",
    )

    def read(text: str) -> dict[str, tuple[Assigned, ...]]:
        """What holds of an answer: themes that are listed, with words that stand in the finding, each once."""
        by_key = themes_by_key(themes)
        assigned: dict[str, dict[str, Assigned]] = {finding.id: {} for finding in findings}
        for entry in validate(WireAssignment, text).findings:
            if not 1 <= entry.number <= len(findings):
                continue
            finding = findings[entry.number - 1]
            for assignment in entry.themes:
                theme, quote = by_key.get(assignment.theme.strip()), assignment.quote.strip()
                if theme is not None and quote and quote in finding.words:
                    assigned[finding.id].setdefault(theme.id, Assigned(theme=theme.id, quote=quote))
        return {id: tuple(entry.values()) for id, entry in assigned.items()}

    return Question(Prompt.THEME_ASSIGN.text, content, WireAssignment, read)


def guidance_question(corrections: Sequence[str], present: str) -> Question[str]:
    """Asks for notes to the judge, one a line; empty where the corrections have nothing in common."""
    content = _in_sections(
        {
            "The notes that hold now": _lines_in("notes", [present] if present else ()),
            "The corrections": _lines_in("corrections", corrections),
        },
        wish="Write the notes now.",
    )

    def read(text: str) -> str:
        answer = validate(WireGuidance, text)
        notes = "\n".join(f"- {' '.join(note.split())}" for note in answer.notes)
        if len(notes) > LONGEST_GUIDANCE:
            raise Unusable(f"- notes: {len(notes):,} characters together; {LONGEST_GUIDANCE:,} are allowed")
        return notes

    return Question(Prompt.GUIDANCE_DRAFT.text, content, WireGuidance, read)


def _in_sections(sections: Mapping[str, str], *, wish: str) -> str:
    """Each section under its title, and last what is asked for."""
    parts = [f"# {title}\n\n{body or 'None.'}" for title, body in sections.items()]
    return "\n\n".join((*parts, f"{wish} Answer with the JSON object only."))


def findings_in(findings: Sequence[Finding]) -> str:
    """The findings, numbered from 1, one a line."""
    return _lines_in(
        "findings",
        (
            json.dumps(
                {
                    "number": number,
                    "about": f"output {finding.label}",
                    "kind": finding.source,
                    "words": finding.words,
                },
                ensure_ascii=False,
            )
            for number, finding in enumerate(findings, start=1)
        ),
    )


def codebook_in(themes: Sequence[Theme]) -> str:
    """The themes by key T1, T2 and so on, one a line."""
    return _lines_in(
        "codebook",
        (
            json.dumps({"key": key, "name": theme.name, "test": theme.test}, ensure_ascii=False)
            for key, theme in themes_by_key(themes).items()
        ),
    )


def themes_by_key(themes: Sequence[Theme]) -> dict[str, Theme]:
    """The themes by the keys that a model uses for them."""
    return {f"T{number}": theme for number, theme in enumerate(themes, start=1)}


def _lines_in(tag: str, lines: Iterable[str]) -> str:
    """The lines between fences; empty where there are none."""
    text = "\n".join(lines)
    return fenced(tag, text) if text else ""
