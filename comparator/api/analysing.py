"""What to do next: the analysis of two candidates and a list of what to fix."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256

from comparator.interop.analysis import Analysis, CountedOutcomes, analysis_of
from comparator.interop.exported import Exported, ExportFormat
from comparator.interop.fix_list import WrittenEvidence, write_fix_list
from comparator.reporting.facts import facts_of
from comparator.reporting.scope import ResultFilter
from comparator.reporting.theme_picture import cited, pairs_of, theme_picture
from comparator.reporting.why.pairs import POINTS, PairOutcome, ids_by_outcome
from comparator.store.core.database import Database
from comparator.workflow.exporting.formats import ExportRequest, gather
from comparator.workflow.services import Services

MOST = 2_000
"""Pairs of a result that are read, those that the loser lost first: each takes some milliseconds."""
QUOTES = 3
FINDINGS = 10_000


def analysis(
    services: Services,
    asked: ResultFilter,
    *,
    fix: PairOutcome | None = None,
    on_step: Callable[[int, int], None] = lambda _done, _of: None,
) -> Analysis:
    """The analysis of the counted pairs, with the themes that speak for the winner in them.

    It says what to fix in whoever lost more; with `fix`, in candidate one from the pairs that it LOST, or in
    candidate two from those that one WON, if there are any. Of more than MOST pairs some are read, those that were
    lost first; the analysis says how many. `on_step` is told how many pairs are read, of how many. Raises
    BlindnessError, InputError.
    """
    ids = ids_by_outcome(services.database, asked)
    won, tied, lost = (ids[each] for each in (PairOutcome.WON, PairOutcome.TIED, PairOutcome.LOST))
    ones, twos = ({met[at] for met in asked.meetings} for at in (0, 1))
    outcomes = CountedOutcomes(frozenset(ones), won=len(won), tied=len(tied), lost=len(lost))
    if fix is not None and ids[fix]:
        outcomes = outcomes._replace(fix=frozenset(ones if fix is PairOutcome.LOST else twos))
        first: tuple[tuple[str, ...], ...] = (ids[fix], won if fix is PairOutcome.LOST else lost, tied)
    elif len(won) == len(lost):
        first = ((*won, *lost), tied)
    else:
        first = (won, lost, tied) if len(won) > len(lost) else (lost, won, tied)
    request = _request(first)
    read: list[Exported] = []
    for pair in gather(services, request, Counter()):
        read.append(pair)
        on_step(len(read), len(request.comparisons))
    found = analysis_of(read, outcomes=outcomes)
    if found.pairs_read.of == 1:
        return found
    themes = theme_evidence(services.database, asked, of_one=not found.winner_ids.isdisjoint(ones))
    return found.model_copy(update={"strengths": (*found.strengths, *themes)})


def fix_list_text(services: Services, asked: ResultFilter, *, candidate: str, lost: PairOutcome) -> str:
    """What to fix in the candidate of this name, which lost the pairs of this outcome, as Markdown.

    Raises BlindnessError.
    """
    ids = ids_by_outcome(services.database, asked)
    best = PairOutcome.WON if lost is PairOutcome.LOST else PairOutcome.LOST
    request = _request((ids[lost], ids[best], ids[PairOutcome.TIED]))
    out = io.StringIO()
    counts = sum(map(len, ids.values()))
    write_fix_list(gather(services, request, Counter()), out, candidate=candidate, counts=counts)
    return out.getvalue()


def theme_evidence(database: Database, asked: ResultFilter, *, of_one: bool) -> tuple[WrittenEvidence, ...]:
    """The themes that speak for candidate one, or else for two, with their pairs and quotes."""
    picture = theme_picture(database, asked)
    ahead = POINTS[PairOutcome.WON if of_one else PairOutcome.LOST]
    evidence = []
    for each in picture.themes if picture else ():
        with facts_of(database, asked.project_id) as facts:
            by_points = {points: pairs_of(facts, asked, each.theme.id, points) for points in POINTS.values()}
        speaks, occurs = by_points[ahead], sum(map(len, by_points.values()))
        if not speaks:
            continue
        every = cited(database, asked, each.theme.id, ahead, limit=FINDINGS)
        behind = [one.finding for one in every if one.finding.comparison_id in speaks]
        evidence.append(
            WrittenEvidence(
                text=f"Theme “{each.theme.name}” speaks for it in {len(speaks)} of {occurs} pairs in which it occurs",
                pairs=tuple(dict.fromkeys(finding.comparison_id for finding in behind)),
                quotes=tuple(dict.fromkeys(finding.words for finding in behind))[:QUOTES],
                speakers=" and ".join(sorted({finding.speaker.value for finding in behind})),
            )
        )
    return tuple(evidence)


def _request(kinds: Sequence[Sequence[str]]) -> ExportRequest:
    """At most MOST pairs, all of the first kind before any of the next; within a kind no lead is preferred."""
    taken: list[str] = []
    for ids in kinds:
        # By chance, and the same each time.
        taken += sorted(ids, key=lambda id: sha256(id.encode()).hexdigest())[: MOST - len(taken)]
    return ExportRequest(format=ExportFormat.ANALYSIS, comparisons=tuple(sorted(taken)))
