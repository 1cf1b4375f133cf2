"""What to change in the outputs of one candidate: the entries of the fix list, with the pairs behind each."""

from comparator.api.analysing import analysis
from comparator.interop.written.analysis import Analysis
from comparator.reporting.facts import facts_of
from comparator.reporting.findings import Findings
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
    """A table of what would flip most lost pairs first; without rows where none is lost."""
    entries = [entry for entry in result.suggestions if entry.flips] or result.suggestions
    lost = f"{counted(len(result.pairs), 'pair')} that {result.loser_skill} lost"
    flips = len(entries[0].flips) if entries else 0
    return Chart(
        "improvement_suggestions",
        f"One change would flip {flips} of {lost}" if flips else f"No change alone would flip one of {lost}",
        [
            {
                "What to change": entry.text,
                "Lost pairs": len(entry.pairs),
                "Would flip": len(entry.flips),
            }
            for entry in entries
        ],
        opens={PAIRS: [part_link(top.filter, Slice(comparisons=entry.pairs)) for entry in entries]},
        note=f"{result.reasoning} This table reads only the pairs it lost; Why reads those it won, too.",
        help="Lost pairs: in which its output trails there. Would flip: those of them that it would no longer lose, "
        "were it level there and everything else as it is.",
        pairs=len(result.pairs),
    )
