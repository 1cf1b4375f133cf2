"""Which subjects the collected findings mention, by their words alone; no model is asked, and these are no reasons."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.domain.themes import Finding
from comparator.stats.grouping import group
from comparator.store.core.database import Database
from comparator.store.themes import findings, inquiries
from comparator.store.themes.inquiries import InquiryKind

NAME = "Subjects mentioned"
"""What the grouping is called: on paraphrases of five reasons it does no better than chance."""
USUAL = 8
MOST_READ = 3_000
"""Findings beyond this are not grouped."""


class Subject(Frozen):
    """Findings that share words."""

    words: tuple[str, ...]
    findings: int
    pairs: int
    example: Finding


def subjects(database: Database, project_id: str, *, groups: int = USUAL) -> tuple[Subject, ...]:
    """The subjects of the newest collection, those in most pairs first; empty before there is one."""
    with database.read() as connection:
        collection = next(iter(inquiries.of_project(connection, project_id, InquiryKind.COLLECT)), None)
        if collection is None:
            return ()
        every = findings.of_inquiry(connection, collection.id)[:MOST_READ]
    found = []
    for each in group([finding.words for finding in every], groups=groups):
        members = [every[place] for place in each.members]
        # The shortest says most plainly what they have in common.
        example = min(members, key=lambda finding: (len(finding.words), finding.words, finding.id))
        pairs = len({finding.comparison_id for finding in members})
        found.append(Subject(words=each.words, findings=len(members), pairs=pairs, example=example))
    return tuple(sorted(found, key=lambda each: (-each.pairs, each.words)))
