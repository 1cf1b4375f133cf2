"""How far the judge can be trusted: its verdicts against people's and gold labels, its flips, leanings and quotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum

import pandas as pd

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import Frozen, Order, Winner
from comparator.domain.scoring.review import How
from comparator.reporting.facts import Facts, ended, facts_of, sums
from comparator.reporting.figures import (
    EVERY,
    Numbers,
    count,
    counters,
    lines_of,
    scores_against,
    selected,
    valid_of,
)
from comparator.reporting.frames import Frame
from comparator.reporting.scope import ResultFilter
from comparator.stats.figures import Estimate, TooFew, Undefined
from comparator.stats.paired import mean, win_rate
from comparator.stats.raters.two_raters import ac1, raw_agreement, weighted_kappa
from comparator.stats.shares import share
from comparator.store.core.database import Database
from comparator.store.judging.rubrics import criterion_names

CRITERIA_SHOWN = 12
WINNERS = tuple(Winner)
SCORES = range(2, 11)
"""Scores in half points."""


class Agreement(Frozen):
    """How often judge and reviewers named the same winner, in reviews made in one way."""

    how: How
    counts: tuple[tuple[int, ...], ...]
    """Rows: the judge's A, B, TIE; columns: the reviewer's."""
    share: Estimate | TooFew
    beyond_chance: Estimate | TooFew | Undefined

    @property
    def n(self) -> int:
        """The reviews."""
        return sum(map(sum, self.counts))

    @property
    def same(self) -> int:
        """Those that named the judge's winner."""
        return sum(row[at] for at, row in enumerate(self.counts))


class AgreementCounts(Frozen):
    """The agreement by how reviews were made; `no_opinion` reviews were finalised without touching a single value."""

    by_how: tuple[Agreement, ...]
    no_opinion: int


class ChangedScores(Frozen):
    """How often reviewers kept or changed the judge's scores, by criterion or by model.

    `share` is of those changed among both. `assessed` are scores that only the reviewer gave.
    """

    name: str
    confirmed: int
    changed: int
    assessed: int
    share: Estimate | TooFew
    called: str | None = None
    """What its rubrics call the criterion."""


class Scored(Frozen):
    """The judge's scores of one criterion against people's, in reviews made in one way."""

    path: str
    how: How
    n: int
    kappa: Estimate | TooFew | Undefined
    """Quadratic-weighted."""
    lenient: Estimate | TooFew
    """The judge's score minus the person's, in points; scores of one pair count as alike."""
    called: str | None = None
    """What its rubrics call the criterion."""


class StatedConfidence(Frozen):
    """What came out where the judge stated this confidence, in percent."""

    confidence: int
    same: int
    n: int
    share: Estimate | TooFew


class JudgeModel(Frozen):
    """What one judge's readings were like: pairs read in both orders, those that flipped, and its quotes."""

    kind: str
    model: str
    judged: int
    read_twice: int
    flipped: int
    flips: Estimate | TooFew
    first: int
    """Readings that named the output shown first; `second` the other one, `tied` neither."""
    second: int
    tied: int
    to_first: Estimate | TooFew
    quotes: int
    quotes_missing: int


class Trait(StrEnum):
    """What a judge may lean to without it being better."""

    LONGER = "longer"
    FORMATTED = "formatted"


class Lean(Frozen):
    """How often the longer, or more formatted, output won, of pairs in which the two differ by a tenth or more."""

    who: str
    trait: Trait
    won: int
    tied: int
    lost: int
    share: Estimate | TooFew
    """Ties counted as half."""


class Gold(Frozen):
    """A judge against gold labels: `reading` is one of the orders, both of them, or the merged verdict."""

    model: str
    reading: str
    right: int
    n: int
    share: Estimate | TooFew


class Trust(Frozen):
    """All that is known of the judge in a project."""

    agreement: AgreementCounts
    criteria: tuple[ChangedScores, ...]
    by_model: tuple[ChangedScores, ...]
    reasons: tuple[tuple[str, int], ...]
    scored: tuple[Scored, ...]
    stated: tuple[StatedConfidence, ...]
    models: tuple[JudgeModel, ...]
    lean: tuple[Lean, ...]
    gold: tuple[Gold, ...]
    labelled: tuple[Gold, ...]
    """Against people's and other judges' labels that came with an import; `reading` says whose."""


def agreement(database: Database, project_id: str, *, of: ResultFilter | None = None) -> AgreementCounts:
    """Judge against final reviews on the winner; says nothing of candidates.

    The judge's verdict is the one that stands now. Reviews in which no score, expectation or winner was confirmed or
    changed are no opinion and do not count. `of` narrows it to the revealed pairs of this result, with or
    without a verdict.
    """
    with facts_of(database, project_id) as facts:
        return _agreement(facts, of)


def trust(database: Database, project_id: str, *, of: ResultFilter | None = None) -> Trust:
    """All that is known of the judge; names no candidate. Raises BlindnessError while the whole project is blind.

    `of` narrows it to the revealed pairs of this result, with or without a verdict.

    Whether this person may see it while a part of the project is blind is for the caller to ask.
    """
    with facts_of(database, project_id) as facts:
        if len(facts.pairs) and not facts.pairs.revealed.any():
            raise BlindnessError(
                "Nothing of this project is revealed yet. How far to trust the judge is shown after the reveal."
            )

        def numbers(figure: str) -> Numbers:
            return count(facts, figure, of=of)

        named = criterion_names(facts.connection, project_id)
        reasons = sorted(numbers("reason").items(), key=lambda each: (-each[1], each[0]))
        return Trust(
            agreement=_agreement(facts, of),
            criteria=tuple(
                each.model_copy(update={"called": named.get(each.name)})
                for each in _changed(numbers("score_reviewed"))[:CRITERIA_SHOWN]
            ),
            by_model=_changed(numbers("score_reviewed_model")),
            reasons=tuple((reason, n) for (_, reason), n in reasons[:CRITERIA_SHOWN]),
            scored=_scored(scores_against(facts, valid_of(selected(facts, of), of)), named),
            stated=_stated(numbers("stated")),
            models=_models(numbers("judge"), numbers("order")),
            lean=_lean(facts, lines_of(facts, "lean", of=of)),
            gold=_gold(numbers("gold"), numbers("gold_people")),
            labelled=_labelled(numbers("labelled")),
        )


def _agreement(facts: Facts, of: ResultFilter | None) -> AgreementCounts:
    lines = lines_of(facts, "agree", of=of)
    counted = {
        how: tuple(
            tuple(int(((own["first"] == judge) & (own.person == person)).sum()) for person in WINNERS)
            for judge in WINNERS
        )
        for how, own in lines.groupby("how")
    }
    return AgreementCounts(
        by_how=tuple(
            Agreement(how=each, counts=counts, share=raw_agreement(counts), beyond_chance=ac1(counts))
            for each in How
            if (counts := counted.get(each))
        ),
        no_opinion=len(lines_of(facts, "silent", of=of)),
    )


def _changed(by_outcome: Numbers) -> tuple[ChangedScores, ...]:
    rows = (
        ChangedScores(
            name=name,
            confirmed=counts["confirmed"],
            changed=counts["changed"],
            assessed=counts["assessed"],
            share=share(counts["changed"], counts["confirmed"] + counts["changed"]),
        )
        for (name,), counts in counters(by_outcome, 1).items()
    )
    return tuple(sorted(rows, key=lambda each: (-each.confirmed - each.changed, -each.assessed, each.name)))


def _scored(lines: Frame, named: Mapping[str, str]) -> tuple[Scored, ...]:
    found = []
    for (path, how), own in lines.groupby(["path", "how"]):
        by_review = sums(own.judge - own.person, own.review)
        met = pd.crosstab(own.judge, own.person).reindex(index=SCORES, columns=SCORES, fill_value=0)
        found.append(
            Scored(
                path=path,
                how=How(how),
                n=len(own),
                kappa=weighted_kappa(met.to_numpy().tolist(), alike=by_review),
                lenient=mean(by_review, unit=0.5),
                called=named.get(path),
            )
        )
    return tuple(sorted(found, key=lambda each: (each.path != EVERY, each.path, list(How).index(each.how))))


def _stated(stated: Numbers) -> tuple[StatedConfidence, ...]:
    rows = (
        StatedConfidence(
            confidence=int(confidence),
            same=counts["same"],
            n=counts.total(),
            share=share(counts["same"], counts.total()),
        )
        for (confidence,), counts in counters(stated, 1).items()
    )
    return tuple(sorted(rows, key=lambda each: each.confidence))


def _models(judge: Numbers, order: Numbers) -> tuple[JudgeModel, ...]:
    rows = (
        JudgeModel(
            kind=kind,
            model=model,
            judged=counts["judged"],
            read_twice=counts["read_twice"],
            flipped=counts["flipped"],
            flips=share(counts["flipped"], counts["read_twice"]),
            first=counts["first"],
            second=counts["second"],
            tied=counts["tied"],
            to_first=share(counts["first"], counts["first"] + counts["second"]),
            quotes=counts["quotes"],
            quotes_missing=counts["missing"],
        )
        for (kind, model), counts in counters({**judge, **order}, 0, 1).items()
    )
    return tuple(sorted(rows, key=lambda each: (-each.judged, each.model)))


def _lean(facts: Facts, lines: Frame) -> tuple[Lean, ...]:
    """The share of the side with more, clustered by task as every win rate is."""
    points, tasks = (
        lines.what.map({"won": 2, "tied": 1, "lost": 0}),
        lines.comparison_id.map(facts.pairs.task_id),
    )
    rows = []
    for (who, trait), own in points.groupby([lines.model, lines.trait]):
        won, tied, lost = ended(own)
        rate = win_rate(sums(own, tasks[own.index]), tied=tied)
        rows.append(Lean(who=who, trait=Trait(trait), won=won, tied=tied, lost=lost, share=rate))
    return tuple(sorted(rows, key=lambda each: (each.trait, each.who == PEOPLE, each.who)))


PEOPLE, LABELS = "reviewers", " labels"
"""Who, in place of a model, has been compared with gold labels; and how labels of somebody are called."""
READINGS = {
    Order.A_FIRST.value: "A shown first",
    Order.B_FIRST.value: "B shown first",
    "both": "right in both orders",
    "merged": "the verdict of both orders",
}


def _gold(gold: Numbers, people: Numbers) -> tuple[Gold, ...]:
    found = [
        _right(model, READINGS[reading], counts, "right")
        for (model, reading), counts in counters(gold, 1, 2).items()
    ]
    found += [_right(PEOPLE, "final reviews", counts, "right") for counts in counters(people).values()]
    places = {reading: at for at, reading in enumerate(READINGS.values())}
    return tuple(
        sorted(found, key=lambda each: (each.model == PEOPLE, each.model, places.get(each.reading, 9)))
    )


def _labelled(labelled: Numbers) -> tuple[Gold, ...]:
    return tuple(
        _right(model, f"{author.replace('_', ' ')}{LABELS}", counts, "same")
        for (model, author), counts in sorted(counters(labelled, 1, 2).items())
    )


def _right(model: str, reading: str, counts: Counter[str], what: str) -> Gold:
    n = counts.total()
    return Gold(model=model, reading=reading, right=counts[what], n=n, share=share(counts[what], n))
