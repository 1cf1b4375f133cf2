"""The charts of what people say: their agreement, whether blinding held, and what they would say of all pairs."""

from collections.abc import Iterator, Mapping, Sequence

from comparator.domain.counted import natural
from comparator.reporting.facts import Facts
from comparator.reporting.figures import EVERY, lines_of
from comparator.reporting.findings import Findings
from comparator.reporting.frames import Frame
from comparator.reporting.results.candidates import names
from comparator.reporting.results.result import AllPairs
from comparator.reporting.scope import HOW_SHORT, ResultFilter, Verdicts
from comparator.reporting.trust.judge import WINNER, Scored, people, score_agreements
from comparator.stats.accuracy import Guesses, bang_index
from comparator.stats.intervals import Estimate, TooFew, share
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import estimates
from comparator.ui.frame.charts import PAIRS, Bars, Chart, Dots, Tone, ends
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted


def people_charts(facts: Facts, of: ResultFilter | None) -> Iterator[Chart]:
    """All charts of the reviewers: none where nobody reviewed a pair twice, and none where nobody guessed."""
    scored = score_agreements(lines_of(facts, "scored", of))
    if not any(isinstance(row.kappa, Estimate) for row in scored):
        scored = ()
    if scored or not lines_of(facts, "panel", of).empty:
        yield _beyond_chance(facts, of, scored)
    if not lines_of(facts, "guesses", of).empty:
        yield _guesses(facts, of)


def _beyond_chance(facts: Facts, of: ResultFilter | None, scored: Sequence[Scored]) -> Chart:
    """How far reviewers of the same pair agree, and how far the judge's scores agree with theirs."""
    reviewers = people(facts, of)
    ceiling, title = reviewers.ceiling, "How far scores agree, corrected for chance"
    notes = []
    if ceiling and isinstance(ceiling.raw, TooFew):
        pairs = counted(ceiling.cases, "pair")
        notes = [f"Only {pairs} with two blind final reviews; agreement takes {ceiling.raw.needed}."]
    elif ceiling and isinstance(ceiling.raw, Estimate):
        title = f"Two reviewers name the same winner in {percent(ceiling.raw.value)} of pairs"
    if reviewers.not_blind:
        pairs = counted(reviewers.not_blind, "pair")
        notes.append(f"Left out: {pairs} whose reviewer had set up the pair or knew the candidates.")
    rows = [
        (
            f"Two reviewers, {_criterion(facts, what)}: {name}",
            value,
            panel.cases,
            pairs_link(of, "panel", blind="blind", what=what),
        )
        for what, panel in reviewers.panel.items()
        for name, value in (("same answer", panel.raw), ("alpha", panel.alpha), ("AC1", panel.ac1))
    ]
    rows += [
        (
            f"Judge and people ({HOW_SHORT[row.how]}), {_criterion(facts, row.path)}: kappa",
            row.kappa,
            row.n,
            pairs_link(of, "scored", how=row.how.value, path=row.path),
        )
        for row in scored
    ]
    return Chart(
        "reviewers",
        title,
        [
            {
                "Who": who,
                "Agreement": round(value.value, 3) + 0.0 if isinstance(value, Estimate) else None,
                **ends(value),
                "Compared": n,
                "Missing": "" if isinstance(value, Estimate) else estimates.figure(value),
            }
            for who, value, n, _ in rows
        ],
        Dots(
            "Who",
            "Agreement",
            (-0.25, 1.05),
            even=0.0,
            sides=("as chance", "agree"),
            form="z.2f",
            n="Compared",
        ),
        {PAIRS: [link for *_, link in rows]},
        note=" ".join(notes),
        help="1 is perfect; 0 is chance, but for “same answer”: the probability that two reviewers of a pair agree, "
        "which is the ceiling for a judge. Krippendorff's alpha (ordinal), Gwet's AC1, and the quadratic-weighted "
        "kappa of scores that somebody confirmed, changed or gave first. Reviewers who saw the judge's scores are "
        "pulled towards them.",
    )


def _criterion(facts: Facts, path: str) -> str:
    return {EVERY: "all criteria", WINNER: "the winner"}.get(path) or facts.criterion(path)


def _guesses(facts: Facts, of: ResultFilter | None) -> Chart:
    series = {
        "right": ("Right", Tone.STRONG),
        "wrong": ("Wrong", Tone.PLAIN),
        "no_idea": ("No idea", Tone.EVEN),
    }
    table = counts_of(facts, of, "guesses", "candidate", list(series))
    called = names(facts)
    table = table.loc[sorted(table.index, key=lambda id: natural(called[id].name))]
    return Chart(
        "guesses",
        "Guesses, before the reveal, of who made output A: right, wrong, no idea",
        [
            {
                "Made by": called[id].name,
                **{name: int(counts[what]) for what, (name, _) in series.items()},
                "Bang's index": estimates.figure(bang_index(Guesses(**counts.to_dict()))),
            }
            for id, counts in table.iterrows()
        ],
        Bars("Made by", dict(series.values()), beside="Bang's index"),
        {
            name: [pairs_link(of, "guesses", candidate=id, what=what) for id in table.index]
            for what, (name, _) in series.items()
        },
        note=_guessed(table.sum().to_dict()),
        help="Bang's index is 0 where blinding held and 1 where everybody could tell.",
    )


def _guessed(counts: Mapping[str, int]) -> str:
    right, named = counts.get("right", 0), counts.get("right", 0) + counts.get("wrong", 0)
    if not named:
        return "Nobody named a candidate."
    guesses, were = ("guess", "was") if named == 1 else ("guesses", "were")
    rate = estimates.interval(share(right, named))
    return (
        f"{right} of {named} {guesses} that named a candidate {were} right ({rate}); chance would give half."
    )


def all_pairs_chart(top: Findings, all_pairs: AllPairs) -> Chart:
    """What people would say of all pairs, by the judge's verdicts and a reviewed sample."""
    one, two = top.names
    title = f"Win rate over all pairs that people would give {one}"
    if all_pairs.powered is None or isinstance(all_pairs.powered, TooFew):
        missing = (
            "No pair of the audit sample is reviewed yet."
            if all_pairs.powered is None
            else f"Reviewed pairs of the sample lie in {counted(all_pairs.powered.n, 'task')}; "
            f"{all_pairs.powered.needed} are needed."
        )
        return Chart(
            "all_pairs",
            title,
            note=f"Reviews of the audit sample will correct the judge's verdicts on all {all_pairs.pairs:,} pairs "
            f"({all_pairs.reviewed:,} of {all_pairs.sample:,} are done). {missing}",
        )
    powered = all_pairs.powered
    saved = (
        f"Without the judge, the same precision takes {counted(powered.reviews_saved, 'more review')}."
        if powered.reviews_saved
        else "The judge added no precision."
    )
    if not all_pairs.finished:
        reviewed = f"{all_pairs.reviewed:,} of {counted(all_pairs.sample, 'pair')}"
        saved += f" The sample is not finished: {reviewed} reviewed so far."
    either = top.filter.copy_with(verdicts=Verdicts.EITHER, offline=False)
    people = either.copy_with(verdicts=Verdicts.REVIEWED)
    return Chart(
        "all_pairs",
        title,
        [
            {"Figure": name, "Share": round(estimate.value, 3), **ends(estimate), "Reviews": estimate.n}
            for name, estimate in (
                ("Judge and sample together", powered.rate),
                ("Reviewed sample alone", powered.plain),
            )
        ],
        Dots("Figure", "Share", sides=(f"{two} better", f"{one} better"), n="Reviews"),
        {PAIRS: [pairs_link(either), pairs_link(people, "audited")]},
        note=saved,
        help=f"The judge's verdict on all {all_pairs.pairs} pairs, corrected by people's on {all_pairs.reviewed} "
        f"of them (PPI++; the judge's word is given a weight of {percent(powered.trust)}).",
    )


def counts_of(facts: Facts, of: ResultFilter | None, figure: str, by: str, kinds: Sequence[str]) -> Frame:
    """A row for each value of the column `by` of a figure, with how many of its lines are of each of these kinds."""
    counts: Frame = lines_of(facts, figure, of).groupby([by, "what"]).n.sum().unstack(fill_value=0)
    return counts.reindex(columns=kinds, fill_value=0).astype(int)
