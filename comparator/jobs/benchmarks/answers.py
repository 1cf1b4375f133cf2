"""Answers that another judge gave elsewhere, scored as a record: lines of pair, order and winner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, Order, Winner
from comparator.domain.rights import Act
from comparator.interop.imported import Side
from comparator.interop.read.text import ReadRow, json_rows, read_text
from comparator.jobs.benchmarks.sets import LabelledSet, digest_of, labels_of
from comparator.jobs.benchmarks.start import truths_digest, truths_of
from comparator.stats.raters.accuracy import LabelledReading, count
from comparator.store.judging import benchmarks
from comparator.store.judging.benchmarks import Benchmark, BenchmarkResult, BenchmarkSource, NewBenchmark
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services

ORDERS = {"a_first": Order.A_FIRST, "ab": Order.A_FIRST, "b_first": Order.B_FIRST, "ba": Order.B_FIRST}
WINNERS = {
    "a": Winner.A,
    "b": Winner.B,
    "tie": Winner.TIE,
    "a>b": Winner.A,
    "b>a": Winner.B,
    "a=b": Winner.TIE,
}
SIDES = {Side.FIRST: Winner.A, Side.SECOND: Winner.B, Side.TIE: Winner.TIE}
EXAMPLES = 3


class ForeignJudge(Frozen):
    """A judge that is not ours."""

    kind: str = "foreign"
    model: str
    digest: str = ""


class _Labelled(NamedTuple):
    """Pairs whose winner is known, by id, and by which names answers may call them."""

    name: str
    digest: str
    truths: Mapping[str, Winner]
    names: Mapping[str, str]
    project_id: str | None = None


def score_set(
    services: Services, given: LabelledSet, *, answers: Path, judge: str, person_id: str
) -> Benchmark:
    """Keep the record of another judge's answers to a set; its pairs are called by number, or by the task's key.

    A is the output that stands first in the set's file, in either order. Raises InputError.
    """
    truths: dict[str, Winner] = {}
    names: dict[str, str] = {}
    keys: dict[str, list[str]] = defaultdict(list)
    labels = labels_of(given.found)
    task_of = {run.address: run.task_key for run in given.found.runs}
    for number, pair in enumerate(given.found.stated, start=1):
        id = str(number)
        truths[id] = SIDES[labels[frozenset((pair.first, pair.second))]]
        names[id] = id
        keys[task_of[pair.first]].append(id)
    names.update({key: ids[0] for key, ids in keys.items() if len(ids) == 1 and key not in names})
    labelled = _Labelled(given.name, digest_of(given.found), truths, names)
    return _score(services, labelled, answers=answers, judge=judge, person_id=person_id)


def score_project(
    services: Services, project_id: str, *, name: str, answers: Path, judge: str, person_id: str
) -> Benchmark:
    """Keep the record of another judge's answers to a project's labelled pairs, called by their ids; A is its A.

    Raises InputError.
    """
    truths = truths_of(services, project_id)
    labelled = _Labelled(name, truths_digest(truths), truths, {id: id for id in truths}, project_id)
    return _score(services, labelled, answers=answers, judge=judge, person_id=person_id)


def _score(
    services: Services, labelled: _Labelled, *, answers: Path, judge: str, person_id: str
) -> Benchmark:
    given = _read(json_rows(read_text(answers)), labelled.names, path=answers)
    reads = [
        LabelledReading(truth=truth, by_order=by_order, verdict=verdict, first_verdict=verdict)
        for id, truth in labelled.truths.items()
        for by_order in (given.get(id, {}),)
        for verdict in (_verdict(by_order),)
    ]
    with services.write() as unit:
        authorise(
            unit,
            Act.JUDGE,
            "answers_scored",
            person_id=person_id,
            project_id=labelled.project_id,
            detail={"name": labelled.name, "judge": judge[:200], "pairs": len(given)},
        )
        return benchmarks.add(
            unit,
            NewBenchmark(
                project_id=labelled.project_id,
                source=BenchmarkSource.ANSWERS,
                name=labelled.name,
                set_digest=labelled.digest,
                mode="as given",
                figures=BenchmarkResult(counts=count(reads)),
            ),
            judge=ForeignJudge(model=judge[:200]),
            created_by=person_id,
        )


def _read(rows: Iterable[ReadRow], names: Mapping[str, str], *, path: Path) -> dict[str, dict[Order, Winner]]:
    found: dict[str, dict[Order, Winner]] = defaultdict(dict)
    wrong: list[str] = []
    for row in rows:
        value = row.value or {}
        pair, order, winner = (str(value.get(key, "")).strip() for key in ("pair", "order", "winner"))
        if row.value is None:
            wrong.append(f"line {row.number}: {row.problem}")
        elif pair not in names:
            wrong.append(f"line {row.number}: the set has no pair {pair[:60]!r}")
        elif order.lower() not in ORDERS or winner.lower() not in WINNERS:
            wrong.append(f"line {row.number}: order is {order[:20]!r} and winner {winner[:20]!r}")
        else:
            found[names[pair]][ORDERS[order.lower()]] = WINNERS[winner.lower()]
    if wrong:
        more = f" ({len(wrong) - EXAMPLES} more)" if len(wrong) > EXAMPLES else ""
        raise InputError(
            f"{path} cannot be scored: {'; '.join(wrong[:EXAMPLES])}{more}. A line holds pair (its number in the set, "
            "its task's key, or the comparison's id), order (AB or BA: what was shown first) and winner (A, B or tie)."
        )
    if not found:
        raise InputError(f"{path} holds no answer.")
    return found


def _verdict(by_order: Mapping[Order, Winner]) -> Winner | None:
    """What both orders say; a tie where they differ, None where one is missing."""
    if set(by_order) != set(Order):
        return None
    named = set(by_order.values())
    return named.pop() if len(named) == 1 else Winner.TIE
