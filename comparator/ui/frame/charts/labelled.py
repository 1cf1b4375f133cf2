"""Charts of judges on labelled pairs, beside what others published, with the parts of the set and what was missed."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from comparator.domain.labels import Winner
from comparator.domain.pair.notes import SAME_IN_BOTH_ORDERS
from comparator.domain.pair.view import Family
from comparator.judges.protocol import OFFLINE_CHECK
from comparator.reporting.trust.labelled import (
    AS_GIVEN,
    LabelledRecord,
    figures_on,
    hidden_from,
    labelled_records,
)
from comparator.reporting.trust.record import JudgeVersion, versions
from comparator.stats.accuracy import Counts, accuracy
from comparator.ui.frame import estimates, session
from comparator.ui.frame.charts.chart import PAIR, Chart, ends
from comparator.ui.frame.charts.drawing import GUESSING, Dots, Row
from comparator.ui.frame.words import FAMILIES, counted

MOST_KAPPAS = 3
MOST_MISSED = 200
"""Pairs that are listed of those that a judge got wrong."""


def who(record: LabelledRecord, known: Mapping[str, JudgeVersion]) -> str:
    """The judge and its version."""
    if record.judge.kind == "offline":
        return OFFLINE_CHECK
    version = known.get(record.judge.digest)
    return f"{record.judge.model} v{version.number}" if version else record.judge.model


class Taken(NamedTuple):
    """How many pairs or readings have what a figure counts, and of how many."""

    hits: float
    n: int


CHANCE = round(1 / 3, 3)
"""The share that a guess among A, B and tie gets right."""
FIGURES: Mapping[str, tuple[str, float | None, Callable[[Counts], Taken]]] = MappingProxyType(
    {
        "mean": (
            "Right answers, one order at a time",
            CHANCE,
            lambda counts: Taken(counts.right / 2, counts.covered),
        ),
        "without_ties": (
            "Right answers, one order at a time, ties left out",
            1 / 2,
            lambda counts: Taken(counts.right_decided, counts.decided),
        ),
        "both": (
            "Pairs judged right in both orders",
            None,
            lambda counts: Taken(counts.both, counts.covered),
        ),
        "verdict": (
            "Pairs with the right final verdict",
            CHANCE,
            lambda counts: Taken(right_verdicts(counts), counts.covered),
        ),
        "consistent": (SAME_IN_BOTH_ORDERS, None, lambda counts: Taken(counts.consistent, counts.covered)),
        "to_first": (
            "Winner is the output shown first",
            1 / 2,
            lambda counts: Taken(counts.first, counts.first + counts.second),
        ),
        "to_a": (
            "Winner is output A (the sides are drawn)",
            1 / 2,
            lambda counts: Taken(sum(counts.verdicts[0]), sum(map(sum, counts.verdicts[:2]))),
        ),
        "to_longer": (
            "Winner is the longer output",
            None,
            lambda counts: Taken(counts.longer, counts.longer + counts.shorter),
        ),
    }
)
"""What is counted of a record, and what a guess would get, by the name of the estimate."""
COUNTED = (
    "The judge answers once in each order. An answer is right if it names the label's winner; a tie is right only if "
    "the label is one. A judge that follows the order is right in one of the two. The verdict is that of all answers. "
    "Of the answers that named a winner, a judge without position bias names the first shown half the time, and one "
    "without length bias names the longer output (by a tenth or more) as often as the labels do. What others published "
    "has no interval."
)


def record_charts(project_id: str) -> Iterator[Chart]:
    """The charts of all judges that read labelled pairs of the project; none where nobody has."""
    database = session.services().database
    records = labelled_records(database, [project_id])
    if records:
        yield from labelled_charts(
            records, versions(database), hidden=hidden_from(database, records, session.me().id)
        )


def labelled_charts(
    records: Sequence[LabelledRecord], known: Mapping[str, JudgeVersion], *, hidden: Collection[str]
) -> Iterator[Chart]:
    """The figures of each judge, the parts of the sets, and the pairs that judges missed.

    `hidden` are pairs of which this person may not see yet what a judge said.
    """
    if not records:
        return
    kappas = (
        " ".join(
            filter(None, (_called(record, records, known), estimates.figure(accuracy(record.counts).kappa)))
        )
        for record in records[:MOST_KAPPAS]
    )
    yield Chart(
        "labelled",
        _finding(records, known),
        _rows(records, known),
        Dots("Figure", "Share", n="Pairs", first=60),
        note=f"Kappa of verdicts and labels: {', '.join(kappas)}.",
        help=COUNTED,
    )
    yield Chart(
        "labelled_parts",
        "Right in both orders, by kind of file and part of the set",
        [
            _row(
                _called(record, records, known),
                name if what == "part" else _family(name),
                counts.both / counts.covered,
                counts.covered,
                accuracy(counts).both,
            )
            for record in records
            for what, parts in (("file", record.by_file), ("part", record.by_part))
            for name, counts in parts.items()
            if counts.covered
        ],
        Dots("Figure", "Share", n="Pairs"),
        help="A pair counts for each kind of file in its outputs, and for each tag of its task.",
    )
    missed = [(record, one) for record in records for one in record.missed if one.comparison_id not in hidden]
    if missed:
        yield Chart(
            "labelled_missed",
            "Pairs that a judge did not get right in both orders",
            [
                {
                    PAIR: one.comparison_id,
                    "Task": one.task,
                    **({"Part": one.part} if any(other.part for _, other in missed) else {}),
                    "Label": _winner(one.label),
                    "Judge named": ", then ".join(map(_winner, dict.fromkeys(one.named))),
                    "Judge": who(record, known),
                    **({"Set": record.project} if len({other.project for other in records}) > 1 else {}),
                }
                for record, one in missed[:MOST_MISSED]
            ],
            note=f"{counted(len(missed), 'pair')}"
            + (f", of which {MOST_MISSED} are listed." if len(missed) > MOST_MISSED else "."),
        )


def right_verdicts(counts: Counts) -> int:
    """Pairs of which the verdict of all readings is the label's."""
    return sum(row[at] for at, row in enumerate(counts.verdicts))


def _winner(winner: Winner) -> str:
    return "tie" if winner is Winner.TIE else winner.value


def _called(
    record: LabelledRecord, others: Sequence[LabelledRecord], known: Mapping[str, JudgeVersion]
) -> str:
    """The judge and its set, as far as there are others."""
    names = [record.project] if len({other.project for other in others}) > 1 else []
    if len({(other.judge, other.mode) for other in others}) > 1:
        names.append(f"{who(record, known)}, {record.mode}")
    return ": ".join(names)


def _finding(records: Sequence[LabelledRecord], known: Mapping[str, JudgeVersion]) -> str:
    """What the chart shows of one judge; its subject where there are several."""
    counts = records[0].counts
    if len(records) > 1 or not counts.covered:
        return "How judges did on labelled pairs"
    share = right_verdicts(counts) / counts.covered
    return f"{who(records[0], known)} names the label's winner in {share:.0%} of {counted(counts.covered, 'pair')}"


def _rows(records: Sequence[LabelledRecord], known: Mapping[str, JudgeVersion]) -> list[Row]:
    """The figures in their order, each of every judge on every set, with what others published on it."""
    rows: list[Row] = []
    sets = dict.fromkeys(record.project for record in records)
    for key, (figure, guess, hits_of) in FIGURES.items():
        for name in sets:
            of_set = [record for record in records if record.project == name]
            prefix = f"{name}: " if len(sets) > 1 else ""
            for record in of_set:
                hits, n = hits_of(record.counts)
                if n and (record.mode != AS_GIVEN or key == "verdict"):
                    rows.append(
                        _row(
                            _called(record, records, known),
                            figure,
                            hits / n,
                            int(n),
                            getattr(accuracy(record.counts), key),
                            guess=guess,
                        )
                    )
            if key == "to_longer":
                rows += _labels(f"{prefix}in the labels, without ties and equal lengths", figure, of_set)
            rows += [
                _row(f"{prefix}published, {other.judge}", figure, value, other.n, source=other.source)
                for other in figures_on(name)
                if (value := getattr(other, key, None)) is not None
            ]
    return rows


def _labels(name: str, figure: str, rows: Sequence[LabelledRecord]) -> list[Row]:
    """How often the set's labels name the longer output, by the judge that read most of it."""
    counts = max((row.counts for row in rows), key=lambda counts: counts.label_longer + counts.label_shorter)
    n = counts.label_longer + counts.label_shorter
    return [_row(name, figure, counts.label_longer / n, n)] if n else []


def _row(
    of: str,
    figure: str,
    share: float,
    n: int | None,
    estimate: object = None,
    *,
    guess: float | None = None,
    source: str = "",
) -> Row:
    return {
        "Figure": f"{figure}: {of}" if of else figure,
        "Share": round(share, 3),
        **(ends(estimate) if estimate is not None else {}),
        "Pairs": n,
        GUESSING: guess,
        "Source": source,
    }


def _family(family: str) -> str:
    try:
        return f"{FAMILIES[Family(family)]} files"
    except (KeyError, ValueError):
        return f"{family} files"
