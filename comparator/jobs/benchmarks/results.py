"""What benchmarks came to: counted from the readings that are stored, and kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from comparator.domain.labels import Frozen, Order, Winner
from comparator.domain.scoring.judgment import first_passes, merge
from comparator.reporting.trust.labelled import Labelled, labelled
from comparator.reporting.trust.measured import JointVerdicts, Measured, joined, measured
from comparator.stats.figures import TooFew
from comparator.stats.raters.accuracy import Counts, LabelledReading, count
from comparator.stats.raters.several_judges import JointWorth, LabelledPair
from comparator.stats.raters.several_judges import worth as worth_of
from comparator.store.bulk import batch_items, batches
from comparator.store.bulk.batches import Batch, BatchState
from comparator.store.core.database import Connection
from comparator.store.judging import benchmarks
from comparator.store.judging.benchmarks import TOGETHER, Benchmark, BenchmarkResult, BenchmarkSource, Passed
from comparator.store.pairs import comparisons
from comparator.workflow.judging.judge_readings import Arm, opinion_of, readings_by
from comparator.workflow.services import Services

ENDED = (BatchState.DONE, BatchState.CANCELLED)
MOST_PARTS = 40


class _Judge(Frozen):
    kind: str
    model: str
    digest: str


def count_result(services: Services, benchmark_id: str) -> Benchmark:
    """Count what is read so far; the benchmark is finished once its batch has ended. Raises NotFound."""
    with services.database.read() as connection:
        known = benchmarks.get(connection, benchmark_id)
        if known.finished_at is not None or known.batch_id is None or known.project_id is None:
            return known
        batch = batches.get(connection, known.batch_id)
        ids = set(batch_items.ids_of(connection, known.batch_id))
        truths = {
            each.comparison_id: each
            for each in labelled(connection, known.project_id)
            if each.comparison_id in ids
        }
        together = batches.asked_together(connection, batch) if _is_together(known, batch) else (batch,)
        truth_of = {id: each.winner for id, each in truths.items()}
        if len(together) > 1:
            found, worth = _several(connection, batch, truth_of)
        else:
            judge = _Judge(kind=known.judge_kind, model=known.judge_model, digest=known.judge_digest)
            found, worth = measured(connection, truth_of, judge=judge), None
    figures = outcome(found, truths.values(), probes=known.source is BenchmarkSource.PROBES)
    ended = all(each.state in ENDED for each in together)
    with services.write() as unit:
        last = max((each.finished_at for each in together if each.finished_at), default=unit.at)
        benchmarks.keep_result(
            unit.connection,
            benchmark_id,
            figures=figures.model_copy(update={"worth": worth}),
            mode=mode_of(figures.counts, several=len(together) > 1),
            finished_at=last if ended else None,
        )
        return benchmarks.get(unit.connection, benchmark_id)


class Waiting(NamedTuple):
    """A benchmark that has not finished, and its batch: where several judges read, the first that has not ended."""

    benchmark: Benchmark
    batch: Batch


def waiting(services: Services) -> tuple[Waiting, ...]:
    """All that have not finished, as they were counted last, each with its batch."""
    with services.database.read() as connection:
        return tuple(
            Waiting(each, _waits_for(connection, each, each.batch_id))
            for each in benchmarks.unfinished(connection)
            if each.batch_id is not None
        )


def _waits_for(connection: Connection, known: Benchmark, batch_id: str) -> Batch:
    batch = batches.get(connection, batch_id)
    together = batches.asked_together(connection, batch) if _is_together(known, batch) else (batch,)
    return next((each for each in together if each.state not in ENDED), batch)


def _is_together(known: Benchmark, batch: Batch) -> bool:
    """Whether the benchmark is that of several judges together, of which the batch is one's."""
    return batch.panel is not None and batch.panel.digest == known.judge_digest


def _several(
    connection: Connection, batch: Batch, truths: dict[str, Winner]
) -> tuple[tuple[Measured, ...], JointWorth | TooFew]:
    """How several judges read these pairs together, and what their votes are worth."""
    assert batch.panel is not None
    members, quorum = batch.panel.members, batch.panel.quorum
    alone = [
        {one.comparison_id: one for one in measured(connection, truths, judge=member)} for member in members
    ]
    by_judge = {
        member.name: readings_by(
            connection,
            sorted(truths),
            Arm(kind=member.kind, model=member.model, digest=member.digest),
        )
        for member in members
    }
    at_first = {
        name: {id: merge(each.rubric, first_passes(each.passes)) for id, each in by_pair.items()}
        for name, by_pair in by_judge.items()
    }
    tasks = comparisons.by_id(connection, sorted(truths))
    found, pairs = [], []
    for id, truth in sorted(truths.items()):
        joint = opinion_of(by_judge, id, quorum=quorum)
        first = opinion_of(at_first, id, quorum=quorum)
        winner = joint.winner if joint is not None else None
        both = JointVerdicts(verdict=winner, first=first.winner if first is not None else None)
        found.append(joined([each[id] for each in alone], joint=both, quorum=quorum))
        if joint is not None:
            pairs.append(
                LabelledPair(
                    task=tasks[id].task_version_id, truth=truth, judges=joint.winners, together=winner
                )
            )
    return tuple(found), worth_of(pairs)


def count_open(services: Services) -> tuple[Waiting, ...]:
    """Count anew all that had not finished; those that still have not."""
    for each in waiting(services):
        count_result(services, each.benchmark.id)
    return waiting(services)


def outcome(found: Sequence[Measured], truths: Iterable[Labelled], *, probes: bool) -> BenchmarkResult:
    """The figures of these pairs."""
    known = {each.comparison_id: each for each in truths}
    parts: dict[str, list[LabelledReading]] = defaultdict(list)
    families: Counter[str] = Counter()
    for each in found:
        for tag in each.tags:
            parts[tag].append(each.read)
        if each.read.verdict is not None:
            families.update(each.families)
    passed, fell = _passed(found, known) if probes else ({}, ())
    return BenchmarkResult(
        counts=count(each.read for each in found),
        parts={tag: count(reads) for tag, reads in sorted(parts.items())[:MOST_PARTS]},
        families=dict(sorted(families.items())),
        by_label_source=dict(Counter(each.by.value for each in known.values())),
        probes=passed,
        fell_for=fell,
        tokens=sum(each.tokens for each in found),
        tries=sum(each.tries for each in found),
        failed=sum(each.failed for each in found),
        unpriced=sum(each.unpriced for each in found),
        cost=sum((each.cost for each in found), Decimal(0)),
    )


def _passed(
    found: Sequence[Measured], known: dict[str, Labelled]
) -> tuple[dict[str, Passed], tuple[str, ...]]:
    """Of each kind of probe, the readings that passed: they named the label's winner, or what the pair without the
    change got in the same order."""
    by_name = {
        str(known[each.comparison_id].value.get("name")): each for each in found if _is_probe(known, each)
    }
    passed: dict[str, Passed] = {}
    fell: list[str] = []
    for name, each in sorted(by_name.items()):
        about = known[each.comparison_id].value
        kind = str(about.get("probe"))
        base = by_name.get(str(about.get("base") or ""))
        good = read = 0
        for order, winner in each.read.by_order.items():
            wanted = _wanted(each, base, order)
            if wanted is None:
                continue
            read += 1
            good += winner is wanted
        before = passed.get(kind, Passed())
        passed[kind] = Passed(
            passed=before.passed + good, readings=before.readings + read, pairs=before.pairs + 1
        )
        if good < read:
            fell.append(name)
    return passed, tuple(fell)


def _is_probe(known: dict[str, Labelled], each: Measured) -> bool:
    return isinstance(known[each.comparison_id].value, dict)


def _wanted(each: Measured, base: Measured | None, order: Order) -> Winner | None:
    """The winner that a reading should name: the label's, or for a changed pair that of the unchanged one."""
    if base is None:
        return each.read.truth
    named = base.read.by_order.get(order)
    if named is None:
        return None
    right = named is base.read.truth
    other = Winner.B if each.read.truth is Winner.A else Winner.A
    # The labels were drawn for each pair apart: who should win is told by the better output.
    return each.read.truth if right else Winner.TIE if named is Winner.TIE else other


def mode_of(counts: Counts, *, several: bool) -> str:
    """How the pairs were read, for the benchmark's `mode`.

    >>> mode_of(Counts(covered=20), several=False)
    'one request'
    """
    modes = ((TOGETHER, several), ("tools", counts.tools), ("repetitions", counts.again))
    found = [name for name, there in modes if there]
    return " + ".join(found) or "one request"
