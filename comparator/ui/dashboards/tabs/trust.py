"""Trust: how far the judge and the reviewers can be relied on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from comparator.domain.labels import Winner
from comparator.domain.scoring.review import How
from comparator.reporting.findings import Findings
from comparator.reporting.results.prediction_powered import all_pairs
from comparator.reporting.scope import HOW_NAMES, HOW_SHORT, ResultFilter
from comparator.reporting.trust.judge import (
    LABELS,
    PEOPLE,
    READINGS,
    WINNERS,
    Gold,
    Scored,
    Trust,
    trust,
)
from comparator.reporting.trust.labelled_record import labelled_pairs
from comparator.reporting.trust.reviewers import people
from comparator.stats.figures import Estimate
from comparator.stats.raters.several_raters import PanelAgreement
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.pairs_behind import tally_link
from comparator.ui.dashboards.tabs.bias import bias_charts
from comparator.ui.dashboards.tabs.reviewers import all_pairs_chart, people_charts
from comparator.ui.frame import estimates, safe, session
from comparator.ui.frame.charts import PAIRS, Bars, Chart, Dots, Link, Tone, ends, show
from comparator.ui.frame.charts.labelled import record_charts
from comparator.ui.frame.lists.filters import one_of
from comparator.ui.frame.words import counted

SAME, OTHER = "Same winner", "Another winner"
PARTS = {
    "agreement": "Agreement",
    "bias": "Bias and quotes",
    "corrections": "Corrections and confidence",
    "reviewers": "Reviewers",
}
LABELLED = {"labelled": "Labelled pairs"}
"""A further part, of a project with labels."""
Of = ResultFilter | str


def trust_part(project_id: str, top: Findings | None = None) -> None:
    """How far to trust judge and reviewers, by the pairs of the two candidates, else by those of the whole project."""
    database, of = session.services().database, None if top is None else top.asked
    found = trust(database, project_id, of=of)
    about = "reviewers"
    if found.models:
        parts = PARTS | (LABELLED if labelled_pairs(database, project_id) else {})
        about = one_of("trust", parts, "Show")
    else:
        st.info("No model has judged any of these pairs.", icon=":material/info:")
    if top is not None and top.result.n:
        st.caption(safe.text(sentences.noise(top.noise, top.result.n)))
    behind = of or project_id
    match about:
        case "agreement":
            ceiling = people(database, project_id, of=of).ceiling
            show(agreement_charts(found, ceiling=ceiling, of=behind))
        case "bias":
            show(bias_charts(found, of=behind))
        case "corrections":
            show(correction_charts(found, of=behind))
        case "labelled":
            show(record_charts(project_id))
        case _:
            show(people_charts(people(database, project_id, of=of), of=behind))
    if about == "agreement" and top is not None and top.result.n:
        sampled = all_pairs(database, top.asked)
        if sampled.sample:
            show([all_pairs_chart(top, sampled)])


def trust_charts(found: Trust, *, ceiling: PanelAgreement | None, of: Of) -> Iterator[Chart]:
    """All charts of the judge, in the order in which they are read; `ceiling` is how far reviewers agree."""
    if found.models:
        yield from agreement_charts(found, ceiling=ceiling, of=of)
        yield from bias_charts(found, of=of)
        yield from correction_charts(found, of=of)


def agreement_charts(found: Trust, *, ceiling: PanelAgreement | None, of: Of) -> Iterator[Chart]:
    """How far the judge agrees with reviewers, gold labels and imported labels."""
    yield _agreement(found, ceiling, of)
    if found.scored:
        yield _scored(
            "kappa",
            "Agreement of scores with people's, corrected for chance",
            found.scored,
            of,
            drawing=Dots(
                "Criterion",
                "Kappa",
                (-0.25, 1.05),
                even=0.0,
                sides=("as chance", "agree"),
                form="z.2f",
                n="Scores",
            ),
            method="Quadratic-weighted kappa of scores that somebody confirmed, changed or gave first: 1 is perfect, 0 "
            "is chance. Reviewers who saw the judge's scores are pulled towards them.",
        )
        yield _scored(
            "lenient",
            "Mean score of the judge minus mean score of people",
            found.scored,
            of,
            drawing=Dots(
                "Criterion",
                "Judge minus people",
                even=0.0,
                sides=("judge too harsh", "judge too lenient"),
                form="+z.2f",
                n="Scores",
            ),
            method="Points of 1 to 5, clustered by pair.",
        )
    if found.gold:
        yield _labels(
            "gold",
            "Accuracy on gold labels, by reading order",
            found.gold,
            {
                SAME: [_of_gold(each, of, "right") for each in found.gold],
                OTHER: [_of_gold(each, of, "wrong") for each in found.gold],
            },
            method="Gold labels came with the import and are hidden from judge and reviewer. Right in both orders is "
            "reliable; right in one order may be chance. A tie counts as another winner if the label names one.",
        )
    if found.labelled:
        yield _labels(
            "labels",
            "Agreement of the judge with imported labels",
            found.labelled,
            {
                name: [
                    tally_link(
                        of,
                        "labelled",
                        {"model": each.model, "by": each.reading.removesuffix(LABELS), "what": what},
                    )
                    for each in found.labelled
                ]
                for name, what in ((SAME, "same"), (OTHER, "other"))
            },
            method="These labels came with the import; they are not reviews of this project.",
        )


def correction_charts(found: Trust, *, of: Of) -> Iterator[Chart]:
    """What reviewers changed, and what the judge's stated confidence is worth."""
    title = "The judge's scores that reviewers confirmed or changed, by criterion"
    if not found.criteria:
        yield Chart(
            "criteria",
            title,
            note=f"No final review of these pairs has confirmed or changed a score of the judge. {_silent(found)}",
        )
    else:
        rows = [
            (sentences.criterion(each.name, each.called), "score_reviewed", "path", each)
            for each in found.criteria
        ]
        rows += [(f"All, by {each.name}", "score_reviewed_model", "model", each) for each in found.by_model]
        yield Chart(
            "corrections",
            title,
            [
                {
                    "Criterion": name,
                    "Confirmed": each.confirmed,
                    "Changed": each.changed,
                    "Scored by a person only": each.assessed,
                    "Share changed": estimates.interval(each.share),
                }
                for name, _, _, each in rows
            ],
            Bars(
                "Criterion",
                {"Confirmed": Tone.PLAIN, "Changed": Tone.EVEN, "Scored by a person only": Tone.ALONE},
            ),
            {
                name: [
                    tally_link(of, figure, {column: each.name, "outcome": what})
                    for _, figure, column, each in rows
                ]
                for name, what in (
                    ("Confirmed", "confirmed"),
                    ("Changed", "changed"),
                    ("Scored by a person only", "assessed"),
                )
            },
            help="Scores in final reviews that somebody confirmed or changed with the judge's score in view.",
        )
    if found.reasons:
        yield Chart(
            "changed_because",
            "Why reviewers changed the judge's scores",
            [{"Reason": name, "Scores": n} for name, n in found.reasons],
            Bars("Reason", {"Scores": Tone.PLAIN}),
            {"Scores": [tally_link(of, "reason", {"reason": name}) for name, _ in found.reasons]},
        )
    if found.stated:
        yield Chart(
            "stated",
            "Calibration: agreement with reviewers by the judge's stated confidence",
            [
                {
                    "Stated confidence": f"{each.confidence}%",
                    SAME: each.same,
                    OTHER: each.n - each.same,
                    "Share": estimates.interval(each.share),
                }
                for each in found.stated
            ],
            Bars("Stated confidence", {SAME: Tone.PLAIN, OTHER: Tone.EVEN}, beside="Share"),
            {
                name: [
                    tally_link(of, "stated", {"confidence": str(each.confidence), "same": what})
                    for each in found.stated
                ]
                for name, what in ((SAME, "same"), (OTHER, "other"))
            },
            help="Final reviews. For a calibrated judge, the share matches the confidence.",
        )


def _silent(found: Trust) -> str:
    number = found.agreement.no_opinion
    if not number:
        return ""
    return (
        f"{counted(number, 'review')} in which nothing was confirmed or changed {'is' if number == 1 else 'are'} "
        "left out."
    )


def _agreement(found: Trust, ceiling: PanelAgreement | None, of: Of) -> Chart:
    by_how = found.agreement.by_how
    note = "" if by_how else sentences.NOT_COMPARED
    if by_how and ceiling is not None:
        agreed = estimates.interval(ceiling.raw)
        note = (
            f"How often two reviewers name the same winner, which no judge can be expected to beat: {agreed}."
        )
    same = tuple((winner, winner) for winner in WINNERS)
    other = tuple((judge, person) for judge in WINNERS for person in WINNERS if judge != person)
    return Chart(
        "agreement",
        "Agreement of judge and reviewers on the winner",
        [
            {
                "Reviews by": HOW_NAMES[each.how].capitalize(),
                SAME: each.same,
                OTHER: each.n - each.same,
                "Share": estimates.interval(each.share),
                "Beyond chance (AC1)": estimates.figure(each.beyond_chance),
                **{
                    f"Judge {judge.value}, reviewer {person.value}": n
                    for judge, row in zip(WINNERS, each.counts, strict=True)
                    for person, n in zip(WINNERS, row, strict=True)
                },
            }
            for each in by_how
        ],
        Bars("Reviews by", {SAME: Tone.PLAIN, OTHER: Tone.EVEN}, beside="Share"),
        {
            name: [_pairs_named(of, each.how, winners) for each in by_how]
            for name, winners in ((SAME, same), (OTHER, other))
        },
        note=f"{note} {_silent(found)}".strip(),
    )


def _pairs_named(of: Of, how: How, winners: Sequence[tuple[Winner, Winner]]) -> Link:
    """The pairs of which judge and reviewer named one of these two winners."""
    named = ({"how": how.value, "first": judge.value, "person": person.value} for judge, person in winners)
    return tally_link(of, "agree", *named)


def _scored(name: str, title: str, found: Sequence[Scored], of: Of, *, drawing: Dots, method: str) -> Chart:
    figures = [(each, each.kappa if name == "kappa" else each.lenient) for each in found]
    return Chart(
        name,
        title,
        [
            {
                "Criterion": f"{sentences.criterion(each.path, each.called)}, {HOW_SHORT[each.how]}",
                drawing.value: round(value.value, 3) + 0.0 if isinstance(value, Estimate) else None,
                **ends(value),
                "Scores": each.n,
            }
            for each, value in figures
        ],
        drawing,
        {PAIRS: [tally_link(of, "cross", {"how": each.how.value, "path": each.path}) for each in found]},
        help=method,
    )


def _of_gold(each: Gold, of: Of, what: str) -> Link:
    if each.model == PEOPLE:
        return tally_link(of, "gold_people", {"what": what})
    reading = next(key for key, words in READINGS.items() if words == each.reading)
    return tally_link(of, "gold", {"model": each.model, "reading": reading, "what": what})


def _labels(
    name: str, title: str, found: Sequence[Gold], opens: dict[str, list[Link]], *, method: str
) -> Chart:
    return Chart(
        name,
        title,
        [
            {
                "By": f"{each.model}, {each.reading}",
                SAME: each.right,
                OTHER: each.n - each.right,
                "Share": estimates.interval(each.share),
            }
            for each in found
        ],
        Bars("By", {SAME: Tone.PLAIN, OTHER: Tone.EVEN}, beside="Share"),
        opens,
        help=method,
    )
