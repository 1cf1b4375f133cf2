"""What a model is asked beside pairs: a codebook of themes, which findings belong to them, and guidance."""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from comparator.domain.project import LONGEST_GUIDANCE
from comparator.domain.themes import LONGEST_NAME, LONGEST_TEST, Assigned, Finding, Theme
from comparator.judges.model.answers import Point, Told, Unusable, Wire, validated
from comparator.judges.prompts import Prompt, fenced
from comparator.judges.protocol import Question

Drafted = tuple[tuple[str, str], ...]
"""Names of themes with their tests."""


def meaningful(text: str) -> str:
    """The text on one line. Raises ValueError where it is empty."""
    text = " ".join(text.split())
    if not text:
        raise ValueError("must not be empty")
    return text


class WireTheme(Told):
    """A theme of a new codebook."""

    name: Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(meaningful)]
    test: Annotated[str, Field(max_length=LONGEST_TEST), AfterValidator(meaningful)]
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
    content = "\n\n".join(
        (
            f"# Themes that are kept\n\n{codebook_in(kept) if kept else 'None.'}",
            f"# Removed names\n\n{_lines_in('names', sorted(removed)) if removed else 'None.'}",
            f"# A sample of {len(findings)} findings\n\n{findings_in(findings)}",
            "Write the codebook now. Answer with the JSON object only.",
        )
    )
    return Question(
        system=Prompt.THEME_DRAFT.text,
        content=content,
        form=WireCodebook,
        read=_read_codebook,
    )


def _read_codebook(text: str) -> Drafted:
    found = validated(WireCodebook, text)
    if not found.themes:
        raise Unusable("- themes: there must be at least one")
    by_name = {theme.name.casefold(): (theme.name, theme.test) for theme in reversed(found.themes)}
    return tuple(reversed(by_name.values()))


def assign_question(
    findings: Sequence[Finding], themes: Sequence[Theme]
) -> Question[dict[str, tuple[Assigned, ...]]]:
    """Asks for the themes of each finding; the answer is by its id, and empty for "none of these"."""
    content = "\n\n".join(
        (
            f"# The codebook\n\n{codebook_in(themes)}",
            f"# The findings\n\n{findings_in(findings)}",
            "Assign the findings now. Answer with the JSON object only.",
        )
    )

    def read(text: str) -> dict[str, tuple[Assigned, ...]]:
        found = validated(WireAssignment, text)
        return _assigned(found, findings, themes)

    return Question(
        system=Prompt.THEME_ASSIGN.text,
        content=content,
        form=WireAssignment,
        read=read,
    )


def _assigned(
    found: WireAssignment, findings: Sequence[Finding], themes: Sequence[Theme]
) -> dict[str, tuple[Assigned, ...]]:
    """What holds of an answer: themes that are listed, with words that stand in the finding, each once."""
    by_key = keyed(themes)
    assigned: dict[str, dict[str, Assigned]] = {finding.id: {} for finding in findings}
    for each in found.findings:
        if not 1 <= each.number <= len(findings):
            continue
        finding = findings[each.number - 1]
        for assignment in each.themes:
            theme, quote = by_key.get(assignment.theme.strip()), assignment.quote.strip()
            if theme is not None and quote and quote in finding.words:
                assigned[finding.id].setdefault(theme.id, Assigned(theme=theme.id, quote=quote))
    return {id: tuple(each.values()) for id, each in assigned.items()}


def guidance_question(corrections: Sequence[str], present: str) -> Question[str]:
    """Asks for notes to the judge, one a line; empty where the corrections have nothing in common."""
    content = "\n\n".join(
        (
            f"# The notes that hold now\n\n{_lines_in('notes', [present]) if present else 'None.'}",
            f"# The corrections\n\n{_lines_in('corrections', corrections)}",
            "Write the notes now. Answer with the JSON object only.",
        )
    )

    def read(text: str) -> str:
        found = validated(WireGuidance, text)
        notes = "\n".join(f"- {' '.join(note.split())}" for note in found.notes)
        if len(notes) > LONGEST_GUIDANCE:
            raise Unusable(f"- notes: {len(notes):,} characters together; {LONGEST_GUIDANCE:,} are allowed")
        return notes

    return Question(Prompt.GUIDANCE_DRAFT.text, content, WireGuidance, read)


def findings_in(findings: Sequence[Finding]) -> str:
    """The findings, numbered from 1, one a line."""
    return _lines_in(
        "findings",
        (
            json.dumps(
                {
                    "number": number,
                    "about": f"output {each.label.value}",
                    "kind": each.source.value,
                    "words": each.words,
                },
                ensure_ascii=False,
            )
            for number, each in enumerate(findings, start=1)
        ),
    )


def codebook_in(themes: Sequence[Theme]) -> str:
    """The themes by key T1, T2 and so on, one a line."""
    return _lines_in(
        "codebook",
        (
            json.dumps({"key": key, "name": theme.name, "test": theme.test}, ensure_ascii=False)
            for key, theme in keyed(themes).items()
        ),
    )


def keyed(themes: Sequence[Theme]) -> dict[str, Theme]:
    """The themes by the keys that a model uses for them."""
    return {f"T{number}": theme for number, theme in enumerate(themes, start=1)}


def _lines_in(tag: str, lines: Iterable[str]) -> str:
    return fenced(tag, "\n".join(lines))
