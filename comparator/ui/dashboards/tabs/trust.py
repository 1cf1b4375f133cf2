"""Trust: how far the judge and the reviewers can be relied on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from comparator.domain.labels import Order
from comparator.domain.scoring.review import How
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.figures import EVERY, REVIEWERS, lean_rates, lines_of
from comparator.reporting.findings import Findings
from comparator.reporting.results.result import all_pairs
from comparator.reporting.scope import HOW_NAMES, HOW_SHORT, ResultFilter
from comparator.reporting.trust.judge import WINNERS, Scored, agreement, require_revealed, scored
from comparator.reporting.trust.labelled_record import labelled_pairs
from comparator.reporting.trust.reviewers import people
from comparator.stats.agreement import ac1
from comparator.stats.figures import Estimate, share
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.dashboards.tabs.reviewers import all_pairs_chart, counted_bars, people_charts
from comparator.ui.frame import estimates, session
from comparator.ui.frame.charts import PAIRS, Chart, Dots, Tone, ends, show
from comparator.ui.frame.charts.labelled import record_charts
from comparator.ui.frame.lists.filters import one_of
from comparator.ui.frame.words import counted

SAME, OTHER = ("Same winner", Tone.PLAIN), ("Another winner", Tone.EVEN)
PARTS = {
    "agreement": "Agreement",
    "bias": "Bias and quotes",
    "corrections": "Corrections",
    "reviewers": "Reviewers",
}
LABELLED = {"labelled": "Labelled pairs"}
"""A further part, of a project with labels."""
READINGS = {
    Order.A_FIRST.value: "A shown first",
    Order.B_FIRST.value: "B shown first",
    "both": "right in both orders",
    "merged": "the verdict of both orders",
    "reviews": "final reviews",
}


def trust_part(project_id: str, top: Findings | None = None) -> None:
    """How far to trust judge and reviewers, by the pairs of the two candidates, else by those of the whole project."""
    database, about = session.services().database, "reviewers"
    of = None if top is None else top.asked
    with facts_of(database, project_id) as facts:
        require_revealed(facts)
        if lines_of(facts, "flips", of).empty:
            st.info("No model has judged any of these pairs.", icon=":material/info:")
        else:
            parts = PARTS | (LABELLED if labelled_pairs(database, project_id) else {})
            about = one_of("trust", parts, "Show")
        match about:
            case "agreement":
                show(agreement_charts(facts, of))
            case "bias":
                show(bias_charts(facts, of))
            case "corrections":
                show(correction_charts(facts, of))
            case "labelled":
                show(record_charts(project_id))
            case _:
                show(people_charts(facts, of))
    if about == "agreement" and top is not None and top.result.n:
        sampled = all_pairs(database, top.asked)
        if sampled.sample:
            show([all_pairs_chart(top, sampled)])


def trust_charts(facts: Facts, of: ResultFilter | None) -> Iterator[Chart]:
    """All charts of the judge, in the order in which they are read. Raises BlindnessError."""
    require_revealed(facts)
    if not lines_of(facts, "flips", of).empty:
        yield from agreement_charts(facts, of)
        yield from bias_charts(facts, of)
        yield from correction_charts(facts, of)


def agreement_charts(facts: Facts, of: ResultFilter | None) -> Iterator[Chart]:
    """How far the judge agrees with reviewers, gold labels and imported labels."""
    yield _agreement(facts, of)
    if found := scored(lines_of(facts, "scored", of)):
        yield _scored(facts, found, of)
    if not lines_of(facts, "gold", of).empty:
        readings = list(READINGS)
        yield counted_bars(
            facts,
            of,
            "gold",
            "Accuracy on gold labels, by reading order",
            {"right": SAME, "wrong": OTHER},
            by=["model", "reading"],
            label="By",
            called=lambda key: f"{key[0]}, {READINGS[key[1]]}",
            order=lambda key, _: (key[0] == REVIEWERS, key[0], readings.index(key[1])),
            share_of=("Share", "right"),
            help="Gold labels came with the import and are hidden from judge and reviewer. Right in both orders is "
            "reliable; right in one order may be chance. A tie counts as another winner if the label names one.",
        )
    if not lines_of(facts, "labels", of).empty:
        yield counted_bars(
            facts,
            of,
            "labels",
            "Agreement of the judge with imported labels",
            {"same": SAME, "other": OTHER},
            by=["model", "by"],
            label="By",
            called=lambda key: f"{key[0]}, {key[1].replace('_', ' ')} labels",
            order=lambda key, _: key,
            share_of=("Share", "same"),
            help="These labels came with the import; they are not reviews of this project.",
        )


def correction_charts(facts: Facts, of: ResultFilter | None) -> Iterator[Chart]:
    """What reviewers changed."""
    corrected = lines_of(facts, "corrections", of)
    yield counted_bars(
        facts,
        of,
        "corrections",
        "The judge's scores that reviewers confirmed or changed, by criterion",
        {
            "confirmed": ("Confirmed", Tone.PLAIN),
            "changed": ("Changed", Tone.EVEN),
            "assessed": ("Scored by a person only", Tone.ALONE),
        },
        by=["by"],
        label="Criterion",
        called=lambda key: (
            f"All, by {key[0].removeprefix(EVERY)}" if key[0].startswith(EVERY) else facts.criterion(key[0])
        ),
        order=lambda key, counts: (
            not key[0].startswith(EVERY),
            -counts["confirmed"] - counts["changed"],
            -counts["assessed"],
            key,
        ),
        more=lambda _, counts: {
            "Share changed": estimates.interval(
                share(counts["changed"], counts["confirmed"] + counts["changed"])
            )
        },
        note=f"No final review of these pairs has confirmed or changed a score of the judge. {_silent(facts, of)}"
        if corrected.empty
        else "",
        help="Scores in final reviews that somebody confirmed or changed with the judge's score in view.",
    )


def _silent(facts: Facts, of: ResultFilter | None) -> str:
    number = len(lines_of(facts, "silent", of))
    if not number:
        return ""
    return (
        f"{counted(number, 'review')} in which nothing was confirmed or changed {'is' if number == 1 else 'are'} "
        "left out."
    )


def _agreement(facts: Facts, of: ResultFilter | None) -> Chart:
    by_how, ceiling = agreement(facts, of), people(facts, of).ceiling
    note = "" if by_how else sentences.NOT_COMPARED
    if by_how and ceiling is not None:
        agreed = estimates.interval(ceiling.raw)
        note = (
            f"How often two reviewers name the same winner, which no judge can be expected to beat: {agreed}."
        )
    return counted_bars(
        facts,
        of,
        "agreement",
        "Agreement of judge and reviewers on the winner",
        {"same": SAME, "other": OTHER},
        by=["how"],
        label="Reviews by",
        called=lambda key: HOW_NAMES[How(key[0])].capitalize(),
        order=lambda key, _: list(How).index(How(key[0])),
        share_of=("Share", "same"),
        more=lambda key, _: {
            "Beyond chance (AC1)": estimates.figure(ac1(by_how[How(key[0])].counts)),
            **{
                f"Judge {judge.value}, reviewer {person.value}": n
                for judge, row in zip(WINNERS, by_how[How(key[0])].counts, strict=True)
                for person, n in zip(WINNERS, row, strict=True)
            },
        },
        note=f"{note} {_silent(facts, of)}".strip(),
    )


def _scored(facts: Facts, found: Sequence[Scored], of: ResultFilter | None) -> Chart:
    return Chart(
        "kappa",
        "Agreement of scores with people's, corrected for chance",
        [
            {
                "Criterion": f"{'All criteria' if each.path == EVERY else facts.criterion(each.path)}, "
                f"{HOW_SHORT[each.how]}",
                "Kappa": round(each.kappa.value, 3) + 0.0 if isinstance(each.kappa, Estimate) else None,
                **ends(each.kappa),
                "Scores": each.n,
            }
            for each in found
        ],
        Dots(
            "Criterion",
            "Kappa",
            (-0.25, 1.05),
            even=0.0,
            sides=("as chance", "agree"),
            form="z.2f",
            n="Scores",
        ),
        {PAIRS: [pairs_link(of, "scored", how=each.how.value, path=each.path) for each in found]},
        help="Quadratic-weighted kappa of scores that somebody confirmed, changed or gave first: 1 is perfect, 0 "
        "is chance. Reviewers who saw the judge's scores are pulled towards them.",
    )


TRAITS = {"longer": "longer", "formatted": "more formatted"}


def bias_charts(facts: Facts, of: ResultFilter | None) -> Iterator[Chart]:
    """What may sway the judge besides quality: order, length and formatting; and how many quotes were not found."""
    judge, rates = lines_of(facts, "flips", of), lean_rates(lines_of(facts, "lean", of))
    quotes, missing = (judge[judge.what == what].groupby("model").n.sum() for what in ("quotes", "missing"))
    yield counted_bars(
        facts,
        of,
        "flips",
        "Position consistency: pairs with the same winner in both orders, and pairs that flipped",
        {"same": ("Same winner", Tone.PLAIN), "flipped": ("Flipped", Tone.EVEN)},
        by=["model"],
        label="Model",
        order=lambda key, counts: (-counts["judged"], key),
        share_of=("Share flipped", "flipped"),
        more=lambda _, counts: {
            "Quotes": counts["quotes"],
            "Quotes not found": counts["missing"],
        },
        note=" ".join(
            f"{model}: {missing.get(model, 0):,} of {counted(int(number), 'quote')} not found."
            for model, number in quotes[:2].items()
        ),
    )
    yield counted_bars(
        facts,
        of,
        "first",
        "Position bias: readings that named the output shown first, and the one shown second",
        {
            "first": ("First", Tone.PLAIN),
            "tied": ("Neither", Tone.TIE),
            "second": ("Second", Tone.EVEN),
        },
        by=["model"],
        label="Model",
        more=lambda _, counts: {
            "Share naming the first": estimates.interval(
                share(counts["first"], counts["first"] + counts["second"])
            )
        },
        help="Each pair is read in both orders and counts twice. An unbiased judge names the first and the second "
        "output equally often.",
    )
    if rates:
        yield counted_bars(
            facts,
            of,
            "lean",
            "Length and formatting bias: how often the longer, or more formatted, output wins",
            {"won": ("Won", Tone.PLAIN), "tied": ("Tied", Tone.TIE), "lost": ("Lost", Tone.EVEN)},
            by=["model", "trait"],
            label="By",
            called=lambda key: f"{key[0]}: {TRAITS[key[1]]}",
            order=lambda key, _: (key[1] != "longer", key[0] == REVIEWERS, key[0]),
            more=lambda key, _: {"Share won": estimates.interval(rates[key[0], key[1]])},
            help="Of pairs whose outputs differ by a tenth or more in characters, or in headings, list items, table "
            "rows and emphases; the interval is clustered by task. Longer may be better: compare the judge with the "
            "reviewers, and see under How they differ whether length can be told apart from the candidate.",
        )
