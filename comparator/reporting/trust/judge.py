"""How far the judge can be trusted: its verdicts against people's and gold labels, its flips, leanings and quotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import Frozen, Order, Winner
from comparator.reporting.tally.counting import EVERY
from comparator.reporting.tally.refresh import current, read, summed
from comparator.reporting.tally.scope import How, ResultFilter
from comparator.stats.figures import Estimate, TooFew, Undefined
from comparator.stats.paired import Sums, mean
from comparator.stats.raters.two_raters import ac1, raw_agreement, weighted_kappa
from comparator.stats.shares import share
from comparator.store.core.database import Database
from comparator.store.judging.rubrics import criterion_names

CRITERIA_SHOWN = 12
WINNERS = tuple(Winner)
SCORES = range(2, 11)
"""Scores in half points."""
FIGURES = (
    "agree",
    "silent",
    "score_reviewed",
    "score_reviewed_model",
    "reason",
    "cross",
    "lenient",
    "stated",
    "judge",
    "order",
    "gold",
    "gold_people",
    "labelled",
    "lean",
)
Numbers = Mapping[tuple[str, ...], int]


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
    with current(database) as connection:
        numbers = read(connection, project_id, ("agree", "silent"), of=of)
    return _agreement(numbers["agree"], numbers["silent"])


def trust(database: Database, project_id: str, *, of: ResultFilter | None = None) -> Trust:
    """All that is known of the judge; names no candidate. Raises BlindnessError while the whole project is blind.

    `of` narrows it to the revealed pairs of this result, with or without a verdict.

    Whether this person may see it while a part of the project is blind is for the caller to ask.
    """
    with current(database) as connection:
        numbers = read(connection, project_id, FIGURES, of=of)
        state = read(connection, project_id, ("state",))["state"]
        named = criterion_names(connection, project_id)
    if state.get(("unrevealed",), 0) == state.get(("all",), 0) > 0:
        raise BlindnessError(
            "Nothing of this project is revealed yet. How far to trust the judge is shown after the reveal."
        )
    reasons = summed(numbers["reason"].items(), 1)
    return Trust(
        agreement=_agreement(numbers["agree"], numbers["silent"]),
        criteria=tuple(
            each.model_copy(update={"called": named.get(each.name)})
            for each in _changed(numbers["score_reviewed"])[:CRITERIA_SHOWN]
        ),
        by_model=_changed(numbers["score_reviewed_model"]),
        reasons=tuple((key[0], n) for key, n in reasons.most_common(CRITERIA_SHOWN)),
        scored=tuple(
            each.model_copy(update={"called": named.get(each.path)})
            for each in _scored(numbers["cross"], numbers["lenient"])
        ),
        stated=_stated(numbers["stated"]),
        models=_models(numbers["judge"], numbers["order"]),
        lean=_lean(numbers["lean"]),
        gold=_gold(numbers["gold"], numbers["gold_people"]),
        labelled=_labelled(numbers["labelled"]),
    )


def _agreement(agree: Numbers, silent: Numbers) -> AgreementCounts:
    found: dict[How, Counter[tuple[str, str]]] = {each: Counter() for each in How}
    for (_, _, how, judge, person), number in agree.items():
        found[How(how)][judge, person] += number
    counted = {
        each: tuple(tuple(counts[judge.value, person.value] for person in WINNERS) for judge in WINNERS)
        for each, counts in found.items()
    }
    return AgreementCounts(
        by_how=tuple(
            Agreement(how=each, counts=counts, share=raw_agreement(counts), beyond_chance=ac1(counts))
            for each, counts in counted.items()
            if any(map(any, counts))
        ),
        no_opinion=sum(silent.values()),
    )


def _changed(by_outcome: Numbers) -> tuple[ChangedScores, ...]:
    found: dict[str, Counter[str]] = {}
    for (_, name, what), number in by_outcome.items():
        found.setdefault(name, Counter())[what] += number
    rows = (
        ChangedScores(
            name=name,
            confirmed=counts["confirmed"],
            changed=counts["changed"],
            assessed=counts["assessed"],
            share=share(counts["changed"], counts["confirmed"] + counts["changed"]),
        )
        for name, counts in found.items()
    )
    return tuple(sorted(rows, key=lambda each: (-each.confirmed - each.changed, -each.assessed, each.name)))


def _scored(cross: Numbers, lenient: Numbers) -> tuple[Scored, ...]:
    counts: dict[tuple[str, str], Counter[tuple[int, int]]] = {}
    for (_, how, path, judge, person), number in cross.items():
        counts.setdefault((path, how), Counter())[int(judge), int(person)] += number
    sums: dict[tuple[str, str], Counter[str]] = {}
    for (_, how, path, name), number in lenient.items():
        sums.setdefault((path, how), Counter())[name] += number
    found = [
        Scored(
            path=path,
            how=How(how),
            n=met.total(),
            kappa=weighted_kappa([[met[j, p] for p in SCORES] for j in SCORES], alike=by_pair),
            lenient=mean(by_pair, unit=0.5),
        )
        for (path, how), met in counts.items()
        for by_pair in (Sums(*(sums[path, how][name] for name in Sums._fields)),)
    ]
    return tuple(sorted(found, key=lambda each: (each.path != EVERY, each.path, list(How).index(each.how))))


def _stated(stated: Numbers) -> tuple[StatedConfidence, ...]:
    found: dict[int, Counter[str]] = {}
    for (_, confidence, what), number in stated.items():
        found.setdefault(int(confidence), Counter())[what] += number
    return tuple(
        StatedConfidence(
            confidence=confidence,
            same=counts["same"],
            n=counts.total(),
            share=share(counts["same"], counts.total()),
        )
        for confidence, counts in sorted(found.items())
    )


def _models(judge: Numbers, order: Numbers) -> tuple[JudgeModel, ...]:
    found: dict[tuple[str, str], Counter[str]] = {}
    for numbers in (judge, order):
        for (kind, model, what), number in numbers.items():
            found.setdefault((kind, model), Counter())[what] += number
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
        for (kind, model), counts in found.items()
    )
    return tuple(sorted(rows, key=lambda each: (-each.judged, each.model)))


def _lean(lean: Numbers) -> tuple[Lean, ...]:
    found: dict[tuple[str, str], Counter[str]] = {}
    for (_, model, trait, what), number in lean.items():
        found.setdefault((model, trait), Counter())[what] += number
    rows = (
        Lean(
            who=who,
            trait=Trait(trait),
            won=counts["won"],
            tied=counts["tied"],
            lost=counts["lost"],
            share=share(counts["won"] + counts["tied"] / 2, counts.total()),
        )
        for (who, trait), counts in found.items()
    )
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
    found: dict[tuple[str, str], Counter[str]] = {}
    for (_, model, reading, what), number in gold.items():
        found.setdefault((model, READINGS[reading]), Counter())[what] += number
    for (what,), number in people.items():
        found.setdefault((PEOPLE, "final reviews"), Counter())[what] += number
    places = {reading: at for at, reading in enumerate(READINGS.values())}
    return tuple(
        Gold(
            model=model,
            reading=reading,
            right=counts["right"],
            n=counts.total(),
            share=share(counts["right"], counts.total()),
        )
        for (model, reading), counts in sorted(
            found.items(), key=lambda each: (each[0][0] == PEOPLE, each[0][0], places.get(each[0][1], 9))
        )
    )


def _labelled(labelled: Numbers) -> tuple[Gold, ...]:
    found: dict[tuple[str, str], Counter[str]] = {}
    for (_, model, author, what), number in labelled.items():
        found.setdefault((model, author), Counter())[what] += number
    return tuple(
        Gold(
            model=model,
            reading=f"{author.replace('_', ' ')}{LABELS}",
            right=counts["same"],
            n=counts.total(),
            share=share(counts["same"], counts.total()),
        )
        for (model, author), counts in sorted(found.items())
    )
