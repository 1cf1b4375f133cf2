"""What to do next: the analysis of two candidates and a list of what to fix."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from comparator.interop.exported import ExportFormat
from comparator.interop.written.analysis import Analysis, Evidence, Record, analysis_of
from comparator.interop.written.fix_list import Lost, fix_list
from comparator.reporting.facts import facts_of
from comparator.reporting.scope import ResultFilter
from comparator.reporting.theme_picture import citations, theme_lines, theme_picture
from comparator.reporting.why.pairs import POINTS, PairOutcome, ids_by_outcome
from comparator.store.core.database import Database
from comparator.workflow.exporting.formats import ExportRequest, gather
from comparator.workflow.services import Services

MOST = 500
"""Lost pairs that are read at most, for a page as for a file: each takes ten milliseconds."""
QUOTES = 3
FINDINGS = 10_000


def analysis(
    services: Services,
    result_filter: ResultFilter,
    names: tuple[str, str],
    *,
    fix: PairOutcome | None = None,
) -> Analysis:
    """The analysis of the counted pairs of two candidates, by their names, with the themes that speak for the winner.

    It says what to fix in whoever lost more; with `fix`, in candidate one from the pairs that it LOST, or in
    candidate two from those that one WON, if there are any; MOST of them are read. Raises BlindnessError, InputError.
    """
    ids = ids_by_outcome(services.database, result_filter)
    won, tied, lost = (len(ids[outcome]) for outcome in (PairOutcome.WON, PairOutcome.TIED, PairOutcome.LOST))
    fix = fix or (PairOutcome.LOST if lost >= won else PairOutcome.WON)
    if not ids[fix]:
        fix = _opposite(fix)
    loser = names[0] if fix is PairOutcome.LOST else names[1]
    read = _read(services, ids[fix])
    record = Record(*names, won=won, tied=tied, lost=lost)
    result = analysis_of(record, read, loser=loser)
    if len(read) < len(ids[fix]):
        sample = (
            f" Of the {len(ids[fix]):,} pairs that {loser} lost, {len(read):,} were read, drawn by chance."
        )
        result = result.copy_with(reasoning=result.reasoning + sample)
    if record.pairs == 1:
        return result
    themes = theme_evidence(services.database, result_filter, ahead=_opposite(fix))
    return result.copy_with(strengths=(*result.strengths, *themes))


def fix_list_text(
    services: Services, result_filter: ResultFilter, *, candidate: str, lost: PairOutcome
) -> str:
    """What to fix in the candidate of this name, which lost the pairs of this outcome, as Markdown.

    Raises BlindnessError.
    """
    ids = ids_by_outcome(services.database, result_filter)
    read, others = _read(services, ids[lost]), sum(map(len, ids.values())) - len(ids[lost])
    return fix_list(read, candidate=candidate, of=others + len(read))


def _opposite(lost: PairOutcome) -> PairOutcome:
    return PairOutcome.WON if lost is PairOutcome.LOST else PairOutcome.LOST


def _read(services: Services, ids: Sequence[str]) -> list[Lost]:
    """At most MOST of these pairs, which chance draws, the same each time, with their losers."""
    drawn = sorted(ids, key=lambda id: sha256(id.encode()).hexdigest())[:MOST]
    request = ExportRequest(format=ExportFormat.ANALYSIS, comparisons=tuple(sorted(drawn)))
    return [(pair, pair.loser) for pair in gather(services, request, Counter()) if pair.loser is not None]


def theme_evidence(
    database: Database, result_filter: ResultFilter, *, ahead: PairOutcome
) -> tuple[Evidence, ...]:
    """The themes that speak for who is ahead in the pairs of this outcome, with their pairs and quotes."""
    picture = theme_picture(database, result_filter)
    evidence = []
    with facts_of(database, result_filter.project_id) as facts:
        lines = theme_lines(facts, facts.counted(result_filter))
    for sides in picture.themes if picture else ():
        own = lines[lines.theme_id == sides.theme.id]
        speaks, occurs = set(own.comparison_id[own.points == POINTS[ahead]]), len(own)
        if not speaks:
            continue
        every = citations(database, result_filter, sides.theme.id, POINTS[ahead], limit=FINDINGS)
        behind = [one.finding for one in every if one.finding.comparison_id in speaks]
        evidence.append(
            Evidence(
                text=f"Theme “{sides.theme.name}” speaks for it in {len(speaks)} of {occurs} pairs "
                "in which it occurs",
                pairs=tuple(dict.fromkeys(finding.comparison_id for finding in behind)),
                quotes=tuple(dict.fromkeys(finding.words for finding in behind))[:QUOTES],
                said=" and ".join(sorted({finding.speaker for finding in behind})),
            )
        )
    return tuple(evidence)
