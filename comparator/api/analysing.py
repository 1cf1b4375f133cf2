"""What to do next: the analysis of two candidates and a list of what to fix."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from hashlib import sha256

from comparator.interop.exported import Exported, ExportFormat
from comparator.interop.write.analysis import Analysis, CountedOutcomes, analysis_of
from comparator.interop.write.findings import WrittenEvidence
from comparator.interop.write.fix_list import write_fix_list
from comparator.reporting.facts import facts_of
from comparator.reporting.results.result import noise
from comparator.reporting.scope import Meets, ResultFilter, Runs, Verdicts
from comparator.reporting.theme_picture import cited, pairs_of, theme_picture
from comparator.reporting.why.pairs import POINTS, PairOutcome, ids_by_outcome
from comparator.stats.decision import NoiseFloor
from comparator.store.core.database import Database
from comparator.store.pairs import comparisons, runs
from comparator.store.pairs.reveals import names_within
from comparator.workflow.exporting.formats import ExportRequest, gather
from comparator.workflow.services import Services

MOST = 2_000
"""Pairs of a result that are read, those that the loser lost first: each takes some milliseconds."""
QUOTES = 3
FINDINGS = 10_000


def analysis_text(services: Services, asked: ResultFilter) -> str:
    """analysis.json for two candidates, from their counted pairs. Raises BlindnessError, InputError."""
    return analysis(services, asked).text()


def analysis(
    services: Services,
    asked: ResultFilter,
    *,
    fix: PairOutcome | None = None,
    on_step: Callable[[int, int], None] = lambda _done, _of: None,
) -> Analysis:
    """The analysis of the counted pairs. Raises BlindnessError, InputError.

    It says what to fix in whoever lost more; with `fix`, in candidate one from the pairs that it LOST, or in
    candidate two from those that one WON, if there are any. Of more than MOST pairs some are read, those that were
    lost first; the analysis says how many. `on_step` is told how many pairs are read, of how many.
    """
    ids = ids_by_outcome(services.database, asked)
    if fix is not None and not ids[fix]:
        fix = None
    won, tied, lost = (ids[each] for each in (PairOutcome.WON, PairOutcome.TIED, PairOutcome.LOST))
    outcomes = CountedOutcomes(
        frozenset(met.one for met in asked.meetings),
        won=len(won),
        tied=len(tied),
        lost=len(lost),
        fix=frozenset(met.one if fix is PairOutcome.LOST else met.two for met in asked.meetings)
        if fix
        else (),
    )
    if fix is not None:
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
    return _analysed(services, asked, read, outcomes)


def exported_analysis(services: Services, used: Sequence[Exported]) -> Analysis:
    """The analysis of revealed pairs that are exported, as the page has it of the same pairs.

    Raises InputError where they are not of two candidates.
    """
    read = sorted(used, key=lambda each: each.id)
    # Two runs of one candidate say how large the noise is, not who wins.
    read = [
        pair for pair in read if pair.made is None or pair.made.A.candidate_id != pair.made.B.candidate_id
    ] or read
    plain = analysis_of(read)
    met = _meetings(read, plain)
    with services.database.read() as connection:
        projects = {comparisons.get(connection, pair_id).project_id for pair_id in met.values()}
    if len(projects) > 1:
        return plain
    (project_id,) = projects
    if len(read) == 1:
        return plain
    meetings = tuple(sorted(met))
    asked = ResultFilter(
        project_id=project_id,
        one=meetings[0].one,
        two=meetings[0].two,
        also=meetings[1:],
        verdicts=Verdicts.REVIEWED if all(each.source.by_people for each in read) else Verdicts.EITHER,
        runs=Runs.ALL if any(each.is_void for each in read) else Runs.VALID,
    )
    return _analysed(services, asked, read, None)


def _meetings(read: Sequence[Exported], found: Analysis) -> dict[Meets, str]:
    """The candidates of these pairs, each time the winner first, with one of their pairs."""
    winners = dict(found.of_winner)
    met: dict[Meets, str] = {}
    for pair in read:
        if pair.made is not None:
            label = winners[pair.id]
            met[Meets(pair.made[label].candidate_id, pair.made[label.other].candidate_id)] = pair.id
    return met


def _analysed(
    services: Services, asked: ResultFilter, read: Sequence[Exported], outcomes: CountedOutcomes | None
) -> Analysis:
    """The analysis of these pairs with the noise floor, and the themes that speak for the winner in them."""
    floor = noise(services.database, asked).floor
    found = analysis_of(
        read, floor=floor.most / 10 if isinstance(floor, NoiseFloor) else None, outcomes=outcomes
    )
    first = read[0].made
    if found.pairs_read.of == 1 or first is None:
        return found
    winner = first[dict(found.of_winner)[read[0].id]].candidate_id
    themes = theme_evidence(
        services.database,
        asked,
        of_one=winner in {met.one for met in asked.meetings},
        only=frozenset(found.pairs) if outcomes is None else None,
    )
    return found.model_copy(update={"strengths": (*found.strengths, *themes)})


def fix_list_text(services: Services, asked: ResultFilter, *, candidate: str) -> str:
    """What to fix in the candidate of this name, as Markdown. Raises BlindnessError."""
    ids = ids_by_outcome(services.database, asked)
    worst, best = PairOutcome.LOST, PairOutcome.WON
    if not _is_one(services, asked, candidate):
        worst, best = best, worst
    request = _request((ids[worst], ids[best], ids[PairOutcome.TIED]))
    out = io.StringIO()
    write_fix_list(
        gather(services, request, Counter()),
        out,
        candidate=candidate,
        counts=sum(map(len, ids.values())),
    )
    return out.getvalue()


def _is_one(services: Services, asked: ResultFilter, name: str) -> bool:
    """Whether candidate one is called so, on the dashboards or over several iterations."""
    with services.database.read() as connection:
        called = names_within(connection, asked.project_id)
        plain = {id: runs.get_candidate(connection, id).name for id in (asked.one, asked.two)}
    if name in (both := (called.get(asked.one), called.get(asked.two))):
        return name == both[0]
    return name == plain[asked.one]


def theme_evidence(
    database: Database, asked: ResultFilter, *, of_one: bool, only: Collection[str] | None = None
) -> tuple[WrittenEvidence, ...]:
    """The themes that speak for candidate one, or else for two, with their pairs and quotes; of these pairs only."""
    picture = theme_picture(database, asked)
    ahead = POINTS[PairOutcome.WON if of_one else PairOutcome.LOST]
    evidence = []
    for each in picture.themes if picture else ():
        with facts_of(database, asked.project_id) as facts:
            by_points = {points: pairs_of(facts, asked, each.theme.id, points) for points in POINTS.values()}
        if only is not None:
            by_points = {points: found & set(only) for points, found in by_points.items()}
        speaks, occurs = by_points[ahead], sum(map(len, by_points.values()))
        if not speaks:
            continue
        every = cited(database, asked, each.theme.id, ahead, limit=FINDINGS)
        behind = [one for one in every if one.finding.comparison_id in speaks]
        speakers = {one.finding.speaker.value for one in behind}
        evidence.append(
            WrittenEvidence(
                text=f"Theme “{each.theme.name}” speaks for it in {len(speaks)} of {occurs} pairs in which it occurs",
                pairs=tuple(dict.fromkeys(one.finding.comparison_id for one in behind)),
                quotes=tuple(dict.fromkeys(one.finding.words for one in behind))[:QUOTES],
                speakers=" and ".join(sorted(speakers)),
            )
        )
    return tuple(evidence)


def _request(kinds: Sequence[Sequence[str]]) -> ExportRequest:
    """At most MOST pairs, all of the first kind before any of the next; within a kind no lead is preferred."""
    taken: list[str] = []
    for ids in kinds:
        free = MOST - len(taken)
        # By chance, and the same each time.
        taken += (
            ids if len(ids) <= free else sorted(ids, key=lambda id: sha256(id.encode()).hexdigest())[:free]
        )
    return ExportRequest(format=ExportFormat.ANALYSIS, comparisons=tuple(sorted(taken)))
