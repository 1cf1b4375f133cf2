"""How far reviewers of the same pairs agree with each other."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from comparator.reporting.facts import Facts
from comparator.reporting.figures import lines_of
from comparator.reporting.scope import ResultFilter
from comparator.stats.agreement import PanelAgreement, VotePattern, panel_agreement

WINNER = "winner"
ORDER = {"A": 0, "TIE": 1, "B": 2}
"""A tie stands between the two."""


class People(NamedTuple):
    """How far reviewers who could not know who made what agree: on the winner first, then by criterion."""

    panel: dict[str, PanelAgreement]
    told: int
    """Pairs left out because somebody did know."""

    @property
    def ceiling(self) -> PanelAgreement | None:
        """How far reviewers agree on the winner, the most that can be asked of a judge; None where no pair has two."""
        return self.panel.get(WINNER)


def people(facts: Facts, of: ResultFilter | None = None) -> People:
    """All that is known of the reviewers of a project. Whether it may be shown is for the caller to ask.

    `of` narrows it to the revealed pairs of this result, with or without a verdict.
    """
    lines = lines_of(facts, "panel", of)
    blind = lines.blind == "blind"
    patterns: dict[str, list[VotePattern]] = {}
    for (what, votes), cases in lines[blind].groupby(["what", "votes"]).n.sum().items():
        patterns.setdefault(what, []).append(VotePattern(votes=_votes(what, votes), cases=int(cases)))
    return People(
        {
            what: panel_agreement(patterns[what])
            for what in sorted(patterns, key=lambda each: (each != WINNER, each))
        },
        int((lines.what[~blind] == WINNER).sum()),
    )


def _votes(what: str, listed: str) -> tuple[int, ...]:
    given = Counter(ORDER[each] if what == WINNER else int(each) - 2 for each in listed.split(","))
    return tuple(given[place] for place in range(len(ORDER) if what == WINNER else 9))
