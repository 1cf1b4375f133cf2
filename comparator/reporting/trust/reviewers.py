"""How far people can be trusted: their agreement with each other, and whether they could tell who made what."""

from __future__ import annotations

from collections import Counter

from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of
from comparator.reporting.figures import count, counters
from comparator.reporting.results.candidates import names, natural
from comparator.reporting.scope import ResultFilter
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.raters.blinding import Guesses, bang_index
from comparator.stats.raters.several_raters import PanelAgreement, VotePattern, panel_agreement
from comparator.stats.shares import share
from comparator.store.core.database import Database
from comparator.store.judging.rubrics import criterion_names

WINNER = "winner"
ORDER = {"A": 0, "TIE": 1, "B": 2}
"""A tie stands between the two."""


class ReviewerAgreement(Frozen):
    """How far reviewers of the same pairs agree on the winner, or on one criterion."""

    what: str
    agreement: PanelAgreement
    called: str | None = None
    """What its rubrics call the criterion."""


class CandidateGuesses(Frozen):
    """Guesses about outputs that one candidate made."""

    id: str
    name: str
    guesses: Guesses
    index: Estimate | TooFew
    """Bang's."""


class Blinding(Frozen):
    """Whether reviewers could tell, before the reveal, who made which output."""

    right: int
    wrong: int
    no_idea: int
    share: Estimate | TooFew
    """Right ones of those that named a candidate; a coin gives one half."""
    arms: tuple[CandidateGuesses, ...]


class People(Frozen):
    """All that is known of a project's reviewers."""

    panel: tuple[ReviewerAgreement, ...]
    """Reviews by people who could not know who made what; the winner first."""
    told: int
    """Pairs left out of it because somebody did know."""
    blinding: Blinding | None

    @property
    def ceiling(self) -> PanelAgreement | None:
        """How far reviewers agree on the winner, the most that can be asked of a judge; None where no pair has two."""
        return next((each.agreement for each in self.panel if each.what == WINNER), None)


def people(database: Database, project_id: str, *, of: ResultFilter | None = None) -> People:
    """All that is known of the reviewers of a project. Whether it may be shown is for the caller to ask.

    `of` narrows it to the revealed pairs of this result, with or without a verdict.
    """
    with facts_of(database, project_id) as facts:
        panel = count(facts, "panel", of=of)
        arms = {id: counts for (id,), counts in counters(count(facts, "guess", of=of), 0).items()}
        called = names(facts.connection, project_id, arms, revealed=arms)
        criteria = criterion_names(facts.connection, project_id)
    by_question: dict[str, list[VotePattern]] = {}
    told = 0
    for (kind, what, votes), number in panel.items():
        if kind == "blind":
            by_question.setdefault(what, []).append(VotePattern(votes=_votes(what, votes), cases=number))
        elif what == WINNER:
            told += number
    return People(
        panel=tuple(
            ReviewerAgreement(what=what, agreement=panel_agreement(patterns), called=criteria.get(what))
            for what, patterns in sorted(by_question.items(), key=lambda each: (each[0] != WINNER, each[0]))
        ),
        told=told,
        blinding=_blinding(arms, {id: each.name for id, each in called.items()}) if arms else None,
    )


def _votes(what: str, listed: str) -> tuple[int, ...]:
    given = Counter(ORDER[each] if what == WINNER else int(each) - 2 for each in listed.split(","))
    return tuple(given[place] for place in range(len(ORDER) if what == WINNER else 9))


def _blinding(arms: dict[str, Counter[str]], called: dict[str, str]) -> Blinding:
    both: Counter[str] = sum(arms.values(), Counter())
    guesses = {
        id: Guesses(right=each["right"], wrong=each["wrong"], no_idea=each["no_idea"])
        for id, each in arms.items()
    }
    return Blinding(
        right=both["right"],
        wrong=both["wrong"],
        no_idea=both["no_idea"],
        share=share(both["right"], both["right"] + both["wrong"]),
        arms=tuple(
            CandidateGuesses(id=id, name=called[id], guesses=guesses[id], index=bang_index(guesses[id]))
            for id in sorted(guesses, key=lambda id: natural(called[id]))
        ),
    )
