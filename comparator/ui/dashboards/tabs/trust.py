"""Trust: how far the judge and the reviewers can be relied on."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from comparator.domain.scoring.review import How
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.figures import EVERY, REVIEWERS, lean_rates, lines_of
from comparator.reporting.findings import Findings
from comparator.reporting.results.result import all_pairs
from comparator.reporting.scope import Rated, ResultFilter
from comparator.reporting.trust.judge import agreement, require_revealed, swapped, with_labels
from comparator.reporting.trust.labelled import labelled_pairs
from comparator.reporting.why.differ import CONFOUNDED
from comparator.reporting.why.pairs import PairOutcome
from comparator.stats.intervals import EVEN, Evidence, evidence, share
from comparator.ui.dashboards import doubts, sentences
from comparator.ui.dashboards.pairs_behind import against_graders, pairs_link
from comparator.ui.dashboards.tabs.reviewers import all_pairs_chart, counts_of, people_charts
from comparator.ui.dashboards.why.charts import reasons_charts
from comparator.ui.frame import estimates, safe, session
from comparator.ui.frame.charts import PAIRS, Bars, Chart, Dots, Link, Tone, ends, show
from comparator.ui.frame.charts.chart import FOLLOWED
from comparator.ui.frame.charts.labelled import record_charts
from comparator.ui.frame.charts.same_winner import same_winner_chart
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted

TONES = {PairOutcome.WON: Tone.ONE, PairOutcome.TIED: Tone.EVEN, PairOutcome.LOST: Tone.TWO}


def trust_part(project_id: str, top: Findings | None = None) -> None:
    """How far to trust judge and reviewers, by the pairs of the two candidates, else by those of the whole project."""
    database, of = session.services().database, None if top is None else top.filter
    with facts_of(database, project_id) as facts:
        if top is not None and top.result.n:
            _whom_to_trust(top)
        if lines_of(facts, "flips", of).empty:
            st.info("No model has judged any of these pairs.", icon=":material/info:")
        show(trust_charts(facts, of, top))
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
    """Of each imported grader that says something, whom it prefers in the pairs of each verdict."""
    names = (top.names.one, "tie", top.names.two)
    series = {f"Grader: {name}": tone for name, tone in zip(names, TONES.values(), strict=True)}
    for number, graded in enumerate(top.graders):
        if graded.no_evidence:
            continue
        # A tie stands in the middle.
        rows = [[graded.counts[verdict][said] for said in (0, 2, 1)] for verdict in (0, 2, 1)]
        yield Chart(
            f"grader_{number}",
            f"“{graded.author}” names the verdict's winner in {percent(graded.same / graded.n)} of pairs; "
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


def trust_charts(facts: Facts, of: ResultFilter | None, top: Findings | None = None) -> Iterator[Chart]:
    """All charts of judge and reviewers, in the order in which they are read. Raises BlindnessError.

    `top` adds whom graders prefer, and why scores were changed.
    """
    require_revealed(facts)
    judged, labels = not lines_of(facts, "flips", of).empty, with_labels(facts, of)
    by_how, silent = agreement(facts, of), len(lines_of(facts, "silent", of))
    if judged or labels:
        left_out = (
            f"Left out: {counted(silent, 'review')} that accepted everything as judged." if silent else ""
        )
        yield same_winner_chart(
            by_how.values(),
            labels,
            swapped(facts, of),
            link=partial(pairs_link, of),
            note=left_out if by_how or not judged else f"{sentences.NOT_COMPARED} {left_out}".strip(),
            more=[*graders_charts(top)] if top else (),
        )
    if judged:
        yield bias_chart(facts, of)
        if not lines_of(facts, "corrections", of).empty:
            yield correction_chart(facts, of, more=[*reasons_charts(top)] if top else ())
    yield from people_charts(facts, of)


def correction_chart(facts: Facts, of: ResultFilter | None, *, more: Sequence[Chart] = ()) -> Chart:
    """What reviewers with the judge's scores in view changed: which way, and whether a winner with it."""
    scores, reviews = (lines_of(facts, name, of) for name in ("scored", "agreement"))
    scores = scores[(scores.path == EVERY) & (scores.how != How.BLIND_FIRST)]
    ways = {"raised": (scores.person > scores.judge).sum(), "lowered": (scores.person < scores.judge).sum()}
    did = " and ".join(f"{way} {n:,}" for way, n in ways.items() if n) or "changed none"
    turned = int((reviews.what[reviews.how != How.BLIND_FIRST] == "other").sum())
    series = {
        "changed": ("Changed", Tone.PLAIN),
        "confirmed": ("Confirmed", Tone.EVEN),
        "assessed": ("Scored by a person only", Tone.ALONE),
    }
    table = counts_of(facts, of, "corrections", "by", list(series))
    table = table.sort_values(list(series), ascending=False, kind="stable")
    return Chart(
        "corrections",
        f"Reviewers {did} of the judge's scores and changed {counted(turned, 'winner') if turned else 'no winner'}",
        [
            {
                "Criterion": facts.criterion(path),
                **{name: int(counts[what]) for what, (name, _) in series.items()},
                "Share changed": estimates.interval(share(counts.changed, counts.confirmed + counts.changed)),
            }
            for path, counts in table.iterrows()
        ],
        Bars("Criterion", dict(series.values()), beside="Share changed"),
        {
            name: [pairs_link(of, "corrections", by=path, what=what) for path in table.index]
            for what, (name, _) in series.items()
        },
        help="Scores in final reviews that somebody confirmed or changed with the judge's score in view.",
        more=more,
    )


TRAITS = {
    "first": ("order", "shown first"),
    "longer": ("length", "longer"),
    "formatted": ("formatting", "more formatted"),
}
"""What may sway a verdict, and which output it then favours."""


def bias_chart(facts: Facts, of: ResultFilter | None) -> Chart:
    """What may sway the judge besides quality: order, length and formatting; and how many quotes were not found."""
    counts = Counter(lines_of(facts, "flips", of).groupby("what").n.sum().to_dict())
    twice = counts["same"] + counts["other"]
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
        f"Bias{'' if trait == 'first' else ' or merit'}: the output that is {TRAITS[trait][1]} wins "
        f"{percent(record.share or 0.0)}"
        for _, trait, record, _ in lines
        if evidence(record.rate) is not Evidence.OPEN and (trait == "first" or (record.share or 0.0) > EVEN)
    ]
    looked = " or ".join(TRAITS[trait][0] for trait in order if trait in {trait for _, trait, *_ in lines})
    untold = {trait for (_, trait), is_so in separable.items() if not is_so}
    repeated = " and ".join(TRAITS[trait][0] for trait in order if trait in untold)
    title = next(iter(swayed), f"No sign of bias by {looked}" if looked else "Nothing here can show a bias")
    notes = (
        f"Bias by {repeated} cannot be measured: one candidate nearly always has more." if repeated else "",
        f"Not found: {counts['missing']:,} of its {counted(counts['quotes'], 'quote')}."
        if counts["missing"]
        else "",
    )
    return Chart(
        "bias",
        f"{title}; swapping changes {counts['other']:,} of {counted(twice, 'winner')}" if twice else title,
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
        note=" ".join(filter(None, notes)),
        help="Shown first: answers that name a winner; an unbiased judge names each place equally often. Longer, more "
        "formatted: of pairs that differ by a tenth or more in characters, or in headings, list items, table rows and "
        "emphases. Longer may be better: compare the judge with the reviewers, and see How they differ.",
    )
