"""What to change in the outputs of one candidate: the entries of the fix list, with the pairs behind each."""

from comparator.api.analysing import analysis
from comparator.interop.written.analysis import Analysis
from comparator.reporting.facts import facts_of
from comparator.reporting.findings import Findings
from comparator.reporting.why.criteria import ExpectationMet, by_criterion, by_expectation
from comparator.reporting.why.pairs import PairOutcome, Slice
from comparator.ui.dashboards.pairs_behind import part_link
from comparator.ui.frame import session
from comparator.ui.frame.charts import PAIRS, Chart
from comparator.ui.frame.words import counted


def what_to_change(top: Findings, lost: PairOutcome) -> Analysis:
    """The analysis of the pairs that candidate one LOST, or that it WON and candidate two lost."""
    services, names = session.services(), (top.names.one, top.names.two)
    with facts_of(services.database, top.filter.project_id) as facts:
        return facts.kept(
            f"analysis of {lost} for {session.me().id} in {top.filter!r}",
            lambda: analysis(services, top.filter, names, fix=lost),
        )


def changes_chart(top: Findings, result: Analysis) -> Chart:
    """A table of what would flip most lost pairs first, with in how many pairs either side trails there, as on Why;
    without rows where no pair is lost."""
    entries = [entry for entry in result.suggestions if entry.flips] or result.suggestions
    lost = f"{counted(len(result.pairs), 'pair')} that {result.loser_skill} lost"
    flips = len(entries[0].flips) if entries else 0
    database = session.services().database
    trails = {
        criterion.name: (criterion.lost, criterion.won) for criterion in by_criterion(database, top.filter)
    }
    trails |= {
        expectation.text: (expectation.pairs[ExpectationMet.TWO], expectation.pairs[ExpectationMet.ONE])
        for expectation in by_expectation(database, top.filter)
    }
    return Chart(
        "improvement_suggestions",
        f"One change would flip {flips} of {lost}" if flips else f"No change alone would flip one of {lost}",
        [
            {
                "What to change": entry.about,
                "Lost pairs": len(entry.pairs),
                "Would flip": len(entry.flips),
                **{
                    f"{name} behind, all pairs": pairs
                    for name, pairs in zip(top.names, trails.get(entry.about, (None, None)), strict=True)
                },
            }
            for entry in entries
        ],
        opens={PAIRS: [part_link(top.filter, Slice(comparisons=entry.pairs)) for entry in entries]},
        note=result.reasoning,
        help="Lost pairs: in which its output is behind there. Would flip: those of them that it would no longer lose, "
        "were it level there and everything else as it is. All pairs: won, tied and lost ones, as Why counts.",
        pairs=len(result.pairs),
    )
