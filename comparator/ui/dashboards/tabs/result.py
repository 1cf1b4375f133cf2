"""The charts of the result of two candidates: what the answer in words rests on."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.reporting.results.prediction_powered import AllPairs
from comparator.reporting.results.result import Result
from comparator.reporting.scope import KIND_NAMES, Runs, Verdicts
from comparator.reporting.why.pairs import PairOutcome, Slice
from comparator.stats.figures import TooFew
from comparator.stats.noise import NoiseFloor
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.data import Details, Headline
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import safe
from comparator.ui.frame.charts import PAIR, PAIRS, REVIEW, Bars, Chart, Dots, Link, Tone, ends
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted

REASON_LIMIT = 220


def result_charts(top: Headline, more: Details) -> Iterator[Chart]:
    """All charts of the result, in the order in which they are read."""
    found = top.result
    if not found.by_kind:
        return
    yield _outcomes(top)
    if not found.n:
        return
    yield _noise(top)
    yield _differences(top)
    if more.ahead or more.behind:
        yield _tasks(top, more)
    yield _all_pairs(top, more.all_pairs)
    yield _runs(top, more.other_runs)


def _outcomes(top: Headline) -> Chart:
    found, (one, two) = top.result, top.names
    series = {
        f"Won by {one}": (Tone.ONE, PairOutcome.WON),
        "Tied": (Tone.EVEN, PairOutcome.TIED),
        f"Won by {two}": (Tone.TWO, PairOutcome.LOST),
    }
    return Chart(
        "outcomes",
        f"Pairs won by {one}, tied, and won by {two}",
        [
            {
                "Whose verdict": KIND_NAMES[each.kind].capitalize()
                + ("" if each.kind in top.asked.kinds else " (not counted)"),
                **dict(zip(series, (each.won, each.tied, each.lost), strict=True)),
                "Judge's orders disagreed": each.flipped,
            }
            for each in found.by_kind
        ],
        Bars("Whose verdict", {name: tone for name, (tone, _) in series.items()}),
        {
            name: [pairs_link(top.asked, Slice(kind=each.kind, outcome=outcome)) for each in found.by_kind]
            for name, (_, outcome) in series.items()
        },
        note=f"{sentences.sign(found.sign_test)} {sentences.consistency(found)}"
        if found.n
        else "None of these is counted with the filters above.",
    )


def _noise(top: Headline) -> Chart:
    noise, floor = top.noise, top.noise.floor
    if isinstance(floor, NoiseFloor):
        most, rates = floor.most, floor.rates(top.result.n)
        title = "Wins and losses beyond the noise, and within it"
        names = ("Clear win or loss", "Within the noise")
        note = (
            f"A win by up to {most / 10:.1f} points may be chance; over {counted(top.result.n, 'pair')} chance alone "
            f"gives win rates between {rates.low * 100:.0f}% and {rates.high * 100:.0f}%."
        )
        project = " in the whole project, as the filters leave too few" if noise.of_project else ""
        method = (
            f"Two runs of the same candidate were compared {floor.pairs} times{project}: one was named the winner in "
            f"{floor.decided}, with a median lead of {floor.median / 10:.1f} points and a 95th percentile of "
            f"{most / 10:.1f}."
        )
    else:
        most = 0
        title = "Wins and losses with a lead in the scores, and those without"
        names = ("Win or loss with a lead", "On equal scores")
        note = (
            f"The noise between two runs of the same candidate is not known: it takes {floor.needed} such pairs, and "
            f"{sentences.there_are(floor.n)}. Import repetitions, or run one candidate twice."
        )
        usual = top.history.usual_change if top.history else None
        method = "" if usual is None else f"Between iterations a task's lead changes by {usual:.1f} points."
    parts = (
        (names[0], noise.clear, Slice(above=most)),
        (names[1], noise.within, Slice(upto=most)),
        ("Tied", noise.tied, Slice(outcome=PairOutcome.TIED)),
        ("Judge's orders disagreed", noise.flipped, Slice(flipped=True)),
    )
    return Chart(
        "noise",
        title,
        [{"What": name, "Pairs": n} for name, n, _ in parts],
        Bars("What", {"Pairs": Tone.PLAIN}),
        {PAIRS: [pairs_link(top.asked, only) for *_, only in parts]},
        note=note,
        help=method,
    )


def _differences(top: Headline) -> Chart:
    found, (one, two) = top.result, top.names
    measures = {
        "Overall (2 to 10)": found.overall,
        "Content (1 to 5)": found.content,
        "Structure (1 to 5)": found.structure,
    }
    note, rates = "", found.pass_rates
    if rates:
        passed = rates.difference
        note = (
            f"Expectations met, over {counted(rates.pairs, 'pair')} that have any: {one} {percent(rates.one)}, {two} "
            f"{percent(rates.two)}"
        ) + (
            "."
            if isinstance(passed, TooFew)
            else f", a difference of {passed.value * 100:+z.0f} points ({passed.interval.low * 100:+z.0f} to "
            f"{passed.interval.high * 100:+z.0f})."
        )
    return Chart(
        "differences",
        f"Mean score of {one} minus mean score of {two}",
        [
            {
                "Score": name,
                "Mean difference": None if each.mean is None else round(each.mean, 3),
                **ends(each.estimate),
                "Pairs": each.pairs,
                "Tasks": each.estimate.n,
            }
            for name, each in measures.items()
        ],
        Dots(
            "Score",
            "Mean difference",
            even=0.0,
            sides=(f"{two} better", f"{one} better"),
            form="+z.2f",
            n="Pairs",
        ),
        {PAIRS: [pairs_link(top.asked)] * len(measures)},
        note=note,
        help="Points; the line is the 95% interval, clustered by task.",
    )


def _tasks(top: Headline, more: Details) -> Chart:
    one, two = top.names
    rows = (*more.ahead, *reversed(more.behind))
    return Chart(
        "tasks",
        f"Tasks on which {one} leads most, and trails most",
        [
            {
                "Task": each.title,
                "Mean difference": round(each.difference, 3),
                "Pairs": each.pairs,
                f"{one} is": each.one_is,
                "Reason": safe.beginning(each.reasoning, REASON_LIMIT),
            }
            for each in rows
        ],
        Dots(
            "Task",
            "Mean difference",
            even=0.0,
            sides=(f"{two} better", f"{one} better"),
            form="+z.1f",
            n="Pairs",
        ),
        {PAIR: [Link(REVIEW + each.comparison_id) for each in rows]},
        help=f"Mean difference of the overall score in points, {one} minus {two}; at most five tasks each way. The "
        "numbers hold the reason that the verdict gives for one pair of each.",
    )


def _all_pairs(top: Headline, found: AllPairs) -> Chart:
    one, two = top.names
    title = f"Win rate over all pairs that people would give {one}"
    if not found.pairs:
        return Chart("all_pairs", title, note="No model has judged a pair of these two yet.")
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


def _runs(top: Headline, other: Result) -> Chart:
    names = {Runs.VALID: "Valid runs only", Runs.ALL: "All runs"}
    others = Runs.ALL if top.asked.runs is Runs.VALID else Runs.VALID
    shown = ((top.asked.runs, top.result, " (shown)"), (others, other, ""))
    return Chart(
        "runs",
        "Sensitivity: the result with and without unusable, cut-off and superseded outputs",
        [
            {
                "Runs": names[runs] + mark,
                f"Won by {top.names.one}": each.won,
                "Tied": each.tied,
                f"Won by {top.names.two}": each.lost,
                "Win rate": None if isinstance(each.win_rate, TooFew) else round(each.win_rate.value, 3),
                **ends(each.win_rate),
            }
            for runs, each, mark in shown
        ],
        opens={PAIRS: [pairs_link(top.asked.model_copy(update={"runs": runs})) for runs, *_ in shown]},
        help="If the two lines differ a lot, failed runs drive the result rather than the candidates.",
    )
