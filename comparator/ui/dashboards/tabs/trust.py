"""Trust: how far the judge and the reviewers can be relied on."""

from collections import Counter
from collections.abc import Iterator, Sequence

import streamlit as st

from comparator.domain.labels import LabelKind, Order
from comparator.domain.scoring.review import How
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.figures import EVERY, REVIEWERS, WINNERS, Crossed, crossed, lean_rates, lines_of
from comparator.reporting.findings import Findings
from comparator.reporting.results.result import all_pairs
from comparator.reporting.scope import HOW_NAMES, HOW_SHORT, Rated, ResultFilter
from comparator.reporting.trust.judge import (
    Scored,
    agreement,
    people,
    require_revealed,
    score_agreements,
)
from comparator.reporting.trust.labelled import labelled_pairs
from comparator.reporting.why.differ import CONFOUNDED
from comparator.reporting.why.pairs import PairOutcome
from comparator.stats.agreement import ac1
from comparator.stats.intervals import EVEN, Estimate, Evidence, evidence, share
from comparator.ui.dashboards import doubts, sentences
from comparator.ui.dashboards.pairs_behind import against_graders, pairs_link
from comparator.ui.dashboards.tabs.reviewers import all_pairs_chart, counted_bars, people_charts
from comparator.ui.frame import estimates, safe, session
from comparator.ui.frame.charts import PAIRS, Bars, Chart, Dots, Link, Tone, ends, show
from comparator.ui.frame.charts.chart import FOLLOWED
from comparator.ui.frame.charts.labelled import against_chance, record_charts
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted

LABELS = {
    LabelKind.GRADER: "imported graders",
    LabelKind.HUMAN: "people's imported labels",
    LabelKind.JUDGE: "an imported judge",
}
TONES = {PairOutcome.WON: Tone.ONE, PairOutcome.TIED: Tone.EVEN, PairOutcome.LOST: Tone.TWO}
SAME, OTHER = ("Same winner", Tone.PLAIN), ("Another winner", Tone.EVEN)
READINGS = {
    Order.A_FIRST.value: "A shown first",
    Order.B_FIRST.value: "B shown first",
    "both": "right in both orders",
    "merged": "the verdict of both orders",
    "reviews": "final reviews",
}


def trust_part(project_id: str, top: Findings | None = None) -> None:
    """How far to trust judge and reviewers, by the pairs of the two candidates, else by those of the whole project."""
    database, of = session.services().database, None if top is None else top.filter
    with facts_of(database, project_id) as facts:
        require_revealed(facts)
        if top is not None and top.result.n:
            _whom_to_trust(top)
            show(graders_charts(top))
        if lines_of(facts, "flips", of).empty:
            st.info("No model has judged any of these pairs.", icon=":material/info:")
        show((*trust_charts(facts, of), *people_charts(facts, of)))
    if top is not None and top.result.n and (sampled := all_pairs(database, top.filter)).sample:
        show([all_pairs_chart(top, sampled)])
    if labelled_pairs(database, project_id):
        labelled = st.expander("Judges on labelled pairs", key="trust_labelled", on_change="rerun")
        if labelled.open:
            with labelled:
                show(record_charts(project_id))


def _whom_to_trust(top: Findings) -> None:
    """Whose verdicts to believe; where graders often name the loser, a button lists those pairs."""
    st.subheader(safe.text(doubts.whom_to_trust(top)), anchor=False)
    if top.graders_differ and not (top.opposed or top.independent):
        st.button(
            "Read pairs in which they differ",
            key="read_disagreeing",
            icon=":material/chevron_right:",
            type="tertiary",
            on_click=st.session_state.update,
            args=({FOLLOWED: against_graders(top)},),
        )


def graders_charts(top: Findings) -> Iterator[Chart]:
    """Of each imported grader, whom it prefers in the pairs that the verdicts give to either side, or to neither."""
    names = (top.names.one, "tie", top.names.two)
    series = {f"Grader: {name}": tone for name, tone in zip(names, TONES.values(), strict=True)}
    for number, graded in enumerate(top.graders):
        # A tie stands in the middle.
        rows = [[graded.counts[verdict][said] for said in (0, 2, 1)] for verdict in (0, 2, 1)]
        yield Chart(
            f"grader_{number}",
            f"{graded.author} names the verdict's winner in {percent(graded.same / graded.n)} of pairs; "
            f"guessing gets {percent(graded.by_chance)}",
            [
                {
                    "Verdict": f"Verdict: {names[at]}",
                    **dict(zip(series, row, strict=True)),
                    "Same winner": f"same in {percent(row[at] / sum(row))}" if any(row) else "",
                }
                for at, row in enumerate(rows)
            ],
            Bars("Verdict", series, beside="Same winner", alike=True),
            {
                name: [
                    pairs_link(top.filter, "grader", author=graded.author, verdict=verdict, graders=said)
                    for verdict in TONES
                ]
                for name, said in zip(series, TONES, strict=True)
            },
            note=doubts.what_graders_say(top.names, graded),
            help="A row has the pairs of one verdict, its parts those to which the grader gave the higher pass rate. "
            "Where all rows look alike, the grader does not follow the verdicts; guessing would agree as often as "
            "stated if it named each side and ties as often as the grader does.",
            pairs=graded.n,
        )


def trust_charts(facts: Facts, of: ResultFilter | None) -> Iterator[Chart]:
    """All charts of the judge, in the order in which they are read. Raises BlindnessError."""
    require_revealed(facts)
    if not lines_of(facts, "flips", of).empty:
        yield from agreement_charts(facts, of)
        yield from bias_charts(facts, of)
        if not lines_of(facts, "corrections", of).empty:
            yield correction_chart(facts, of)


def agreement_charts(facts: Facts, of: ResultFilter | None) -> Iterator[Chart]:
    """How far the judge agrees with reviewers, gold labels and imported labels."""
    yield _agreement(facts, of)
    agreements = score_agreements(lines_of(facts, "scored", of))
    if any(isinstance(scored.kappa, Estimate) for scored in agreements):
        yield _scored(facts, agreements, of)
    if not lines_of(facts, "gold", of).empty:
        readings = list(READINGS)
        yield counted_bars(
            facts,
            of,
            "gold",
            "Accuracy on gold labels, by the order shown",
            {"right": SAME, "wrong": OTHER},
            by=["model", "reading"],
            label="By",
            called=lambda key: f"{key[0]}, {READINGS[key[1]]}",
            order=lambda key, _: (key[0] == REVIEWERS, key[0], readings.index(key[1])),
            share_of=("Share", "right"),
            help="Gold labels came with the import and are hidden from judge and reviewer. Right in both orders is "
            "reliable; right in one order may be chance. A tie counts as another winner if the label names one.",
        )


def correction_chart(facts: Facts, of: ResultFilter | None) -> Chart:
    """What reviewers with the judge's scores in view changed: which way, and whether a winner with it."""
    scores, reviews = (lines_of(facts, name, of) for name in ("scored", "agreement"))
    scores = scores[(scores.path == EVERY) & (scores.how != How.BLIND_FIRST)]
    ways = {"raised": (scores.person > scores.judge).sum(), "lowered": (scores.person < scores.judge).sum()}
    did = " and ".join(f"{way} {n:,}" for way, n in ways.items() if n) or "changed none"
    turned = int((reviews.what[reviews.how != How.BLIND_FIRST] == "other").sum())
    return counted_bars(
        facts,
        of,
        "corrections",
        f"Reviewers {did} of the judge's scores and changed {counted(turned, 'winner') if turned else 'no winner'}",
        {
            "changed": ("Changed", Tone.PLAIN),
            "confirmed": ("Confirmed", Tone.EVEN),
            "assessed": ("Scored by a person only", Tone.ALONE),
        },
        by=["by"],
        label="Criterion",
        called=lambda key: facts.criterion(key[0]),
        order=lambda key, counts: (-counts["changed"], -counts["confirmed"], -counts["assessed"], key),
        more=lambda _, counts: {
            "Share changed": estimates.interval(
                share(counts["changed"], counts["confirmed"] + counts["changed"])
            )
        },
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
    """How often two speakers name the same winner, a line for each two: judge, reviewers and imported labels."""
    by_how, ceiling = agreement(facts, of), people(facts, of).ceiling
    lines: list[tuple[str, Crossed, dict[str, str], str]] = [
        (
            f"Judge and {HOW_NAMES[how]}{' (no test)' if how is How.JUDGE_FIRST else ''}",
            record,
            {"how": how.value},
            "agreement",
        )
        for how, record in by_how.items()
    ]
    for (who, by), own in lines_of(facts, "labels", of).groupby(["model", "by"]):
        speaker = "Reviewers" if who == REVIEWERS else f"Judge ({who})"
        record = Crossed(counts=crossed(own.said, own.winner, WINNERS))
        lines.append((f"{speaker} and {LABELS[LabelKind(by)]}", record, {"model": who, "by": by}, "labels"))
    lines.sort(key=lambda line: line[2].get("how") == How.JUDGE_FIRST.value)
    note = "" if by_how else sentences.NOT_COMPARED
    if by_how and ceiling is not None:
        agreed = estimates.interval(ceiling.raw)
        note = (
            f"How often two reviewers name the same winner, which no judge can be expected to beat: {agreed}."
        )
    return Chart(
        "agreement",
        "Who names the same winner, and how often",
        [
            {
                "Who": name,
                "Same winner": round(record.same / record.n, 3),
                **against_chance(record.share, record.by_chance),
                "Pairs": record.n,
                "Another winner": record.n - record.same,
                **(
                    {"Beyond chance (AC1)": estimates.figure(ac1(record.counts))}
                    if figure == "agreement"
                    else {}
                ),
            }
            for name, record, _, figure in lines
        ],
        Dots("Who", "Same winner", n="Pairs"),
        {
            name: [pairs_link(of, figure, **keys, what=what) for *_, keys, figure in lines]
            for what, name in (("other", "another winner"), ("same", "same winner"))
        },
        note=f"{note} {_silent(facts, of)}".strip(),
        help="Imported labels came with the import and count in no verdict here. The line is the 95% interval.",
    )


def _scored(facts: Facts, agreements: Sequence[Scored], of: ResultFilter | None) -> Chart:
    return Chart(
        "kappa",
        "Agreement of scores with people's, corrected for chance",
        [
            {
                "Criterion": f"{'All criteria' if row.path == EVERY else facts.criterion(row.path)}, "
                f"{HOW_SHORT[row.how]}",
                "Kappa": round(row.kappa.value, 3) + 0.0 if isinstance(row.kappa, Estimate) else None,
                **ends(row.kappa),
                "Scores": row.n,
            }
            for row in agreements
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
        {PAIRS: [pairs_link(of, "scored", how=row.how.value, path=row.path) for row in agreements]},
        help="Quadratic-weighted kappa of scores that somebody confirmed, changed or gave first: 1 is perfect, 0 "
        "is chance. Reviewers who saw the judge's scores are pulled towards them.",
    )


TRAITS = {
    "first": ("order", "the output shown first"),
    "longer": ("length", "the longer output"),
    "formatted": ("formatting", "the more formatted output"),
}
"""What may sway a verdict, and which output it then favours."""


def bias_charts(facts: Facts, of: ResultFilter | None) -> Iterator[Chart]:
    """What may sway the judge besides quality: order, length and formatting; and how many quotes were not found."""
    judge = lines_of(facts, "flips", of)
    quotes, missing = (judge[judge.what == what].groupby("model").n.sum() for what in ("quotes", "missing"))
    same, flipped = (int(judge.n[judge.what == what].sum()) for what in ("same", "flipped"))
    yield counted_bars(
        facts,
        of,
        "flips",
        f"Swapping the outputs changes the winner in {flipped:,} of {counted(same + flipped, 'pair')}"
        if same + flipped
        else "No pair was read in both orders",
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
    lines: list[tuple[str, str, Rated, Link]] = []
    for model, own in lines_of(facts, "first", of).groupby("model"):
        n = Counter(own.groupby("what").n.sum().to_dict())
        first, second = int(n["first"]), int(n["second"])
        link = pairs_link(of, "first", model=model, what="first")
        record = Rated(won=first, tied=0, lost=second, tasks=0, rate=share(first, first + second))
        lines.append((model, "first", record, link))
    leans = lines_of(facts, "lean", of)
    by_trait = leans.groupby(["model", "trait"]).of_one.mean()
    # What one candidate nearly always has more of repeats who wins.
    separable = by_trait.between(1 - CONFOUNDED, CONFOUNDED, inclusive="neither")
    for (model, trait), record in lean_rates(leans).items():
        if separable[model, trait]:
            link = pairs_link(of, "lean", model=model, trait=trait, what="won")
            lines.append((model, trait, record, link))
    order = list(TRAITS)
    lines = sorted(
        (line for line in lines if line[2].n),
        key=lambda line: (line[0] == REVIEWERS, line[0], order.index(line[1])),
    )
    swayed = [
        f"Bias{'' if trait == 'first' else ' or merit'}: {TRAITS[trait][1]} wins {percent(record.share or 0.0)}"
        for _, trait, record, _ in lines
        if evidence(record.rate) is not Evidence.OPEN and (trait == "first" or (record.share or 0.0) > EVEN)
    ]
    looked = " or ".join(TRAITS[trait][0] for trait in order if trait in {trait for _, trait, *_ in lines})
    untold = {trait for (_, trait), is_so in separable.items() if not is_so}
    repeated = " and ".join(TRAITS[trait][1] for trait in order if trait in untold)
    yield Chart(
        "bias",
        next(iter(swayed), f"No sign of bias by {looked}" if looked else "Nothing here can show a bias"),
        [
            {
                "Output": f"{model}: {TRAITS[trait][1]}",
                "Share won": record.share and round(record.share, 3),
                **ends(record.rate),
                "Verdicts": record.n,
                "Tied": record.tied,
            }
            for model, trait, record, _ in lines
        ],
        Dots("Output", "Share won", sides=("loses more", "wins more"), n="Verdicts"),
        {PAIRS: [link for *_, link in lines]},
        note=repeated
        and f"One candidate made {repeated} in nearly every pair: whether that sways the judge cannot be told.",
        help="Shown first: answers that name a winner; an unbiased judge names each place equally often. Longer, more "
        "formatted: of pairs that differ by a tenth or more in characters, or in headings, list items, table rows and "
        "emphases. Longer may be better: compare the judge with the reviewers, and see How they differ.",
    )
