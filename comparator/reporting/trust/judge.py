"""How far judge and reviewers can be trusted: their verdicts and scores against each other's."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import LabelKind
from comparator.domain.scoring.review import How
from comparator.reporting.facts import Facts, sums
from comparator.reporting.figures import EVERY, REVIEWERS, WINNERS, Crossed, crossed, lines_of
from comparator.reporting.frames import Frame
from comparator.reporting.scope import ResultFilter
from comparator.stats.agreement import PanelAgreement, VotePattern, panel_agreement, weighted_kappa
from comparator.stats.intervals import Estimate, TooFew, Undefined

SCORES = range(2, 11)
"""Scores in half points."""


class Agreement(Crossed):
    """Winners that the judge named (rows) and that final reviews made in one way named (columns)."""

    how: How


class Scored(NamedTuple):
    """The judge's scores of one criterion against people's, in reviews made in one way."""

    path: str
    how: How
    n: int
    kappa: Estimate | TooFew | Undefined
    """Quadratic-weighted."""


def require_revealed(facts: Facts) -> None:
    """Raises BlindnessError while the whole project is blind: more than agreement is told after the reveal.

    Whether this person may see it while a part of the project is blind is for the caller to ask.
    """
    if len(facts.pairs) and not facts.pairs.revealed.any():
        raise BlindnessError(
            "Nothing of this project is revealed yet. How far to trust the judge is shown after the reveal."
        )


def agreement(facts: Facts, of: ResultFilter | None = None) -> Mapping[How, Agreement]:
    """Judge against final reviews on the winner, by how reviews were made; says nothing of candidates.

    The judge's verdict is the one that stands now. Reviews in which no score, expectation or winner was confirmed or
    changed are no opinion and do not count. `of` narrows it to the revealed pairs of this result, with or
    without a verdict.
    """
    by_how = dict(list(lines_of(facts, "agreement", of).groupby("how")))
    return {
        how: Agreement(how=how, counts=crossed(by_how[how]["first"], by_how[how].person, WINNERS))
        for how in How
        if how in by_how
    }


class WithLabels(Crossed):
    """Winners that a model, or reviewers, named in revealed pairs (rows), and that imported labels name (columns)."""

    model: str
    """REVIEWERS where they are people."""
    by: LabelKind
    author: str
    """Whose labels these are; "imported graders" where several graders gave them."""


def with_labels(
    facts: Facts, of: ResultFilter | None = None, *, judge: str | None = None
) -> tuple[WithLabels, ...]:
    """Each model, then reviewers, beside each kind of label, that of most pairs first.

    `judge` narrows it to the pairs judged by the version with this digest.
    """
    lines, pairs = lines_of(facts, "labels", of), facts.pairs[facts.pairs.revealed]
    own_pairs = pairs if judge is None else pairs[pairs.judge_digest == judge]
    records = [
        WithLabels(
            model=model,
            by=LabelKind(by),
            author=own.author.iat[0] if own.author.nunique() == 1 else "imported graders",
            counts=crossed(own.said, own.winner, WINNERS),
        )
        for (model, by), own in lines[lines.comparison_id.isin(own_pairs.index)].groupby(["model", "by"])
    ]
    return tuple(sorted(records, key=lambda record: (record.model == REVIEWERS, -record.n)))


class Swapped(NamedTuple):
    """In how many pairs a judge named the same winner in both orders, of the `n` that it read in both."""

    model: str
    same: int
    n: int

    @property
    def by_chance(self) -> None:
        """A judge beside itself does not guess."""


def swapped(facts: Facts, of: ResultFilter | None = None) -> tuple[Swapped, ...]:
    """Each model that read pairs in both orders."""
    lines = lines_of(facts, "flips", of)
    both = lines[lines.what.isin(("same", "other"))]
    return tuple(
        Swapped(model, int(own.n[own.what == "same"].sum()), int(own.n.sum()))
        for model, own in both.groupby("model")
    )


def score_agreements(lines: Frame) -> tuple[Scored, ...]:
    """What the lines of the figure of this name say: all criteria first, each by how reviews were made."""
    agreements = []
    for (path, how), own in lines.groupby(["path", "how"]):
        by_review = sums(own.judge - own.person, own.review)
        agreements.append(
            Scored(
                path=path,
                how=How(how),
                n=len(own),
                kappa=weighted_kappa(crossed(own.judge, own.person, SCORES), alike=by_review),
            )
        )
    return tuple(sorted(agreements, key=lambda row: (row.path != EVERY, row.path, list(How).index(row.how))))


WINNER = "winner"
ORDER = {"A": 0, "TIE": 1, "B": 2}
"""A tie stands between the two."""


class People(NamedTuple):
    """How far reviewers who could not know who made what agree: on the winner first, then by criterion."""

    panel: dict[str, PanelAgreement]
    not_blind: int
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
            for what in sorted(patterns, key=lambda what: (what != WINNER, what))
        },
        int((lines.what[~blind] == WINNER).sum()),
    )


def _votes(what: str, listed: str) -> tuple[int, ...]:
    given = Counter(ORDER[vote] if what == WINNER else int(vote) - 2 for vote in listed.split(","))
    return tuple(given[place] for place in range(len(ORDER) if what == WINNER else 9))
