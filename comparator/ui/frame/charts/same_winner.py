"""Who names the same winner: the judge beside itself, people, graders and labels, alike on Trust and on Judge."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from comparator.domain.labels import LabelKind
from comparator.domain.scoring.review import How
from comparator.reporting.figures import REVIEWERS, Crossed
from comparator.reporting.scope import HOW_SHORT
from comparator.reporting.trust.judge import Agreement, Swapped, WithLabels
from comparator.stats.agreement import cohens_kappa
from comparator.stats.intervals import Estimate, TooFew, share
from comparator.ui.frame import estimates
from comparator.ui.frame.charts.chart import Chart, Link, ends
from comparator.ui.frame.charts.drawing import GUESSING, Cell, Dots
from comparator.ui.frame.estimates import percent, share_or_counts

LABELS = {
    LabelKind.HUMAN: "people's imported labels",
    LabelKind.JUDGE: "an imported judge",
    LabelKind.GOLD: "known winners",
}


class Pairing(NamedTuple):
    """Two who name winners, how often that is the same one, and where the pairs of it are listed."""

    first: str
    other: str
    met: Crossed | Swapped
    figure: str
    where: dict[str, str]
    is_test: bool = True
    """Whether the other named its winners without having seen those of the judge."""

    @property
    def is_grader(self) -> bool:
        """Whether it is an imported grader: what guessing gets is told of these by candidate, not by A and B."""
        return self.where.get("by") == LabelKind.GRADER


def same_winner_chart(
    agreements: Iterable[Agreement],
    labels: Sequence[WithLabels],
    swapped: Sequence[Swapped],
    *,
    link: Callable[..., Link] | None = None,
    note: str = "",
    more: Sequence[Chart] = (),
) -> Chart:
    """A row for each two who named winners of the same pairs; `link` makes the address of the pairs of a row."""
    pairings = [*_pairings(agreements, labels, swapped)]
    return Chart(
        "same_winner",
        _finding(pairings),
        [
            {
                "Who": f"{pairing.first} and {pairing.other}",
                "Same winner": round(pairing.met.same / pairing.met.n, 3),
                **against_chance(
                    share(pairing.met.same, pairing.met.n),
                    None if pairing.is_grader else pairing.met.by_chance,
                ),
                "Pairs": pairing.met.n,
                "Another winner": pairing.met.n - pairing.met.same,
                "Beyond chance (kappa)": estimates.figure(cohens_kappa(pairing.met.counts))
                if isinstance(pairing.met, Crossed) and not pairing.is_grader
                else None,
            }
            for pairing in pairings
        ],
        Dots("Who", "Same winner", n="Pairs"),
        {
            name: [link(pairing.figure, **pairing.where, what=what) for pairing in pairings]
            for what, name in (("other", "another winner"), ("same", "same winner"))
            if link
        },
        note=note,
        help="The share of pairs, or of reviews, in which both name the same winner. Swapped: the judge read each pair "
        "in both orders. Reviewers who saw the judge's scores are pulled towards them, so they are no test of it. "
        "Imported labels count in no verdict here. The line is the 95% interval.",
        more=more,
    )


def against_chance(rate: Estimate | TooFew, chance: float | None) -> dict[str, Cell]:
    """The columns of an interval, and of what chance gives where there are enough pairs to tell the two apart."""
    return {**ends(rate), GUESSING: round(chance, 3) if chance and isinstance(rate, Estimate) else None}


def _pairings(
    agreements: Iterable[Agreement], labels: Sequence[WithLabels], swapped: Sequence[Swapped]
) -> Iterator[Pairing]:
    """The judge beside itself, then what tests it, then reviewers beside labels, then what is no test."""
    models = {both.model for both in swapped} | {label.model for label in labels} - {REVIEWERS}
    people = [
        Pairing(
            "Judge",
            f"people ({HOW_SHORT[record.how]}{', no test' if record.how is How.JUDGE_FIRST else ''})",
            record,
            "agreement",
            {"how": record.how.value},
            record.how is How.BLIND_FIRST,
        )
        for record in agreements
    ]

    def judge(model: str) -> str:
        return "Reviewers" if model == REVIEWERS else f"Judge ({model})" if len(models) > 1 else "Judge"

    for both in swapped:
        yield Pairing(judge(both.model), "itself (outputs swapped)", both, "flips", {"model": both.model})
    yield from (pairing for pairing in people if pairing.is_test)
    for label in labels:
        other = LABELS.get(label.by, label.author)
        yield Pairing(judge(label.model), other, label, "labels", {"model": label.model, "by": label.by})
    yield from (pairing for pairing in people if not pairing.is_test)


def _finding(pairings: Sequence[Pairing]) -> str:
    """How often the judge agrees with whoever tests it best: that it agrees with itself makes it no more right."""
    for pairing in pairings:
        met = pairing.met
        if pairing.is_test and pairing.first != "Reviewers" and isinstance(met, Crossed):
            guessing = f", no more than guessing ({percent(met.by_chance)})" * met.says_nothing
            return f"The judge agrees with {pairing.other} in {share_or_counts(met.same, met.n)}{guessing}"
    return "Nothing tests the judge" if pairings else "Nobody else has named a winner of these pairs"
