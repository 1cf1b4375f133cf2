"""The charts of what people say: their agreement, whether blinding held, and what they would say of all pairs."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.reporting.findings import Findings
from comparator.reporting.results.prediction_powered import AllPairs
from comparator.reporting.scope import ResultFilter, Verdicts
from comparator.reporting.trust.reviewers import WINNER, Blinding, People, ReviewerAgreement
from comparator.reporting.why.pairs import Slice
from comparator.stats.figures import Estimate, TooFew
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.pairs_behind import pairs_link, tally_link
from comparator.ui.frame import estimates
from comparator.ui.frame.charts import PAIRS, Bars, Chart, Dots, Tone, ends
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted


def people_charts(found: People, *, of: ResultFilter | str) -> Iterator[Chart]:
    """All charts of the reviewers; where there is nothing to draw, what is missing."""
    told = (
        f"Left out: {counted(found.told, 'pair')} whose reviewer had set up the pair or knew the candidates."
        if found.told
        else ""
    )
    if not found.panel:
        told = (
            f"None of these pairs has two blind final reviews yet. Ask for them in Settings. {told}".strip()
        )
    rows = [
        (each, name, value)
        for each in found.panel
        for name, value in (
            ("same answer", each.agreement.raw),
            ("alpha", each.agreement.alpha),
            ("AC1", each.agreement.ac1),
        )
    ]
    yield Chart(
        "reviewers",
        "Inter-rater agreement of reviewers of the same pairs",
        [
            {
                "What": f"{_what(each)}: {name}",
                "Agreement": round(value.value, 3) if isinstance(value, Estimate) else None,
                **ends(value),
                "Pairs": each.agreement.cases,
                "Missing": "" if isinstance(value, Estimate) else estimates.figure(value),
            }
            for each, name, value in rows
        ],
        Dots(
            "What", "Agreement", (-0.25, 1.05), even=0.0, sides=("as chance", "agree"), form="z.2f", n="Pairs"
        ),
        {PAIRS: [tally_link(of, "panel", {"blind": "blind", "what": each.what}) for each, *_ in rows]},
        note=told,
        help="Same answer: the probability that two reviewers of one pair agree, which is the ceiling for a judge's. "
        "Krippendorff's alpha (ordinal) and Gwet's AC1 correct for chance.",
    )
    yield _blinding(found.blinding, of)


def _what(each: ReviewerAgreement) -> str:
    return "The winner" if each.what == WINNER else sentences.criterion(each.what, each.called)


def _guessed(found: Blinding) -> str:
    named = found.right + found.wrong
    if not named:
        return "Nobody named a candidate."
    guesses = "guess" if named == 1 else "guesses"
    share = (
        f"{found.right} of {named} {guesses} that named a candidate {'was' if named == 1 else 'were'} right"
    )
    return f"{share} ({estimates.interval(found.share)}); chance would give half."


def _blinding(found: Blinding | None, of: ResultFilter | str) -> Chart:
    title = "Guesses, before the reveal, of who made output A: right, wrong, no idea"
    if found is None:
        return Chart(
            "guesses",
            title,
            note="Nobody was asked about these pairs, or none of them is revealed yet. Settings says in how many "
            "pairs reviewers guess.",
        )
    return Chart(
        "guesses",
        title,
        [
            {
                "Made by": arm.name,
                "Right": arm.guesses.right,
                "Wrong": arm.guesses.wrong,
                "No idea": arm.guesses.no_idea,
                "Bang's index": estimates.figure(arm.index),
            }
            for arm in found.arms
        ],
        Bars(
            "Made by",
            {"Right": Tone.STRONG, "Wrong": Tone.PLAIN, "No idea": Tone.EVEN},
            beside="Bang's index",
        ),
        {
            name: [tally_link(of, "guess", {"candidate": arm.id, "outcome": what}) for arm in found.arms]
            for name, what in (("Right", "right"), ("Wrong", "wrong"), ("No idea", "no_idea"))
        },
        note=_guessed(found),
        help="Bang's index is 0 where blinding held and 1 where everybody could tell.",
    )


def all_pairs_chart(top: Findings, found: AllPairs) -> Chart:
    """What people would say of all pairs, by the judge's verdicts and a reviewed sample."""
    one, two = top.names
    title = f"Win rate over all pairs that people would give {one}"
    if found.powered is None or isinstance(found.powered, TooFew):
        missing = (
            "No pair of the audit sample is reviewed yet."
            if found.powered is None
            else f"Reviewed pairs of the sample lie in {counted(found.powered.n, 'task')}; "
            f"{found.powered.needed} are needed."
        )
        return Chart(
            "all_pairs",
            title,
            note=f"Reviews of the audit sample will correct the judge's verdicts on all {found.pairs:,} pairs "
            f"({found.reviewed:,} of {found.sample:,} are done). {missing}",
        )
    powered = found.powered
    saved = (
        f"Without the judge, the same precision takes {counted(powered.reviews_saved, 'more review')}."
        if powered.reviews_saved
        else "The judge added no precision."
    )
    if not found.finished:
        saved += f" The sample is not finished: {found.reviewed:,} of {counted(found.sample, 'pair')} reviewed so far."
    either = top.asked.model_copy(update={"verdicts": Verdicts.EITHER, "offline": False})
    people = either.model_copy(update={"verdicts": Verdicts.REVIEWED})
    return Chart(
        "all_pairs",
        title,
        [
            {"Figure": name, "Share": round(each.value, 3), **ends(each), "Reviews": each.n}
            for name, each in (
                ("Judge and sample together", powered.rate),
                ("Reviewed sample alone", powered.plain),
            )
        ],
        Dots("Figure", "Share", (0, 1), sides=(f"{two} better", f"{one} better"), n="Reviews"),
        {PAIRS: [pairs_link(either), pairs_link(people, Slice(audited=True))]},
        note=saved,
        help=f"The judge's verdict on all {found.pairs} pairs, corrected by people's on {found.reviewed} of them "
        f"(PPI++; the judge's word is given a weight of {percent(powered.trust)}).",
    )
