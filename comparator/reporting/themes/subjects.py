"""Which subjects the collected findings mention, by their words alone; no model is asked, and these are no reasons."""

from __future__ import annotations

from comparator.domain.labels import Frozen, Label
from comparator.domain.themes import Finding
from comparator.reporting.facts import facts_of
from comparator.reporting.scope import ResultFilter
from comparator.stats.grouping import group
from comparator.store.core.database import Database
from comparator.store.themes import findings, inquiries
from comparator.store.themes.inquiries import InquiryKind

GROUPS = 8
MOST_READ = 3_000
"""Findings beyond this are not grouped."""


class Subject(Frozen):
    """Findings that share words: how many are about outputs of candidate one and of two, and of winners."""

    words: tuple[str, ...]
    of_one: int
    of_two: int
    of_winner: int
    pairs: tuple[str, ...]
    """The ids of their comparisons."""
    example: Finding


def subjects(database: Database, asked: ResultFilter) -> tuple[Subject, ...]:
    """The subjects of the newest collection in the counted pairs, those in most pairs first; empty before there is one.

    Raises BlindnessError.
    """
    with facts_of(database, asked.project_id) as facts:
        collection = next(
            iter(inquiries.of_project(facts.connection, asked.project_id, InquiryKind.COLLECT)), None
        )
        pairs = facts.counted(asked)
        if collection is None:
            return ()
        every = findings.of_inquiry(facts.connection, collection.id)
    own = [each for each in every if each.comparison_id in pairs.index][:MOST_READ]
    side, points = pairs.side.to_dict(), pairs.points.to_dict()

    def about_one(each: Finding) -> bool:
        return (each.label is Label.A) == bool(side[each.comparison_id] > 0)

    found = []
    for each in group([finding.words for finding in own], groups=GROUPS):
        members = [own[place] for place in each.members]
        of_one = sum(map(about_one, members))
        found.append(
            Subject(
                words=each.words,
                of_one=of_one,
                of_two=len(members) - of_one,
                of_winner=sum(points[one.comparison_id] == (2 if about_one(one) else 0) for one in members),
                pairs=tuple(dict.fromkeys(one.comparison_id for one in members)),
                # The shortest says most plainly what they have in common.
                example=min(members, key=lambda one: (len(one.words), one.words, one.id)),
            )
        )
    return tuple(sorted(found, key=lambda each: (-len(each.pairs), each.words)))
