"""The two questions about themes: write a codebook for a sample of findings, and assign findings to its themes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from comparator.domain.themes import Assigned, Finding, Theme
from comparator.judges import prompts
from comparator.judges.model.answers import Unusable, validated
from comparator.judges.protocol import Question
from comparator.judges.themes.wire import (
    WireAssignment,
    WireCodebook,
    codebook_in,
    fenced,
    findings_in,
    keyed,
)

Drafted = tuple[tuple[str, str], ...]
"""Names of themes with their tests."""


def draft_question(
    findings: Sequence[Finding], *, kept: Sequence[Theme], removed: Collection[str]
) -> Question[Drafted]:
    """Asks for a codebook; themes that are `kept` stand already, and names that were `removed` must not come back."""
    content = "\n\n".join(
        (
            f"# Themes that are kept\n\n{codebook_in(kept) if kept else 'None.'}",
            f"# Names that were taken away\n\n{fenced('names', sorted(removed)) if removed else 'None.'}",
            f"# A sample of {len(findings)} findings\n\n{findings_in(findings)}",
            "Write the codebook now. Answer with the JSON object only.",
        )
    )
    return Question(
        system=prompts.text_of(prompts.THEME_DRAFT),
        content=content,
        schema=WireCodebook.model_json_schema(),
        read=_read_codebook,
    )


def _read_codebook(text: str) -> Drafted:
    found = validated(WireCodebook, text, marker="themes", clean=str)
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
        found = validated(WireAssignment, text, marker="findings", clean=str)
        return _assigned(found, findings, themes)

    return Question(
        system=prompts.text_of(prompts.THEME_ASSIGN),
        content=content,
        schema=WireAssignment.model_json_schema(),
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
