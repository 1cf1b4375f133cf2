"""Comparisons as one HTML file that a person can mail: no script, no network, and it prints well."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from html import escape
from typing import NamedTuple, TextIO

from comparator.domain.counted import counted
from comparator.domain.labels import Dimension, Label, Winner
from comparator.interop.exported import Exported, Remark, Written
from comparator.interop.written.fix_list import template

_STATES = {
    "void": "left no usable output",
    "cut_off": "was probably cut off",
    "superseded": "was replaced by a later one",
}
"""Why a run does not count in full."""


class _Row(NamedTuple):
    """A criterion, expectation or total: its values of A and B, then the judge's, and why they were changed."""

    name: str
    figures: tuple[object, ...]
    why: str = ""
    total: bool = False


def write_report(pairs: Iterable[Exported], out: TextIO, *, title: str, at: datetime) -> Written:
    """All comparisons with their verdicts, scores and reasons; whose verdict it is stands at each."""
    every = tuple(pairs)
    sources = Counter(pair.source for pair in every)
    report = template("report.html", harmless=lambda value: escape(str(value)))
    out.write(
        report.render(
            title=title,
            at=at,
            pairs=every,
            verdicts=", ".join(f"{count} by {source}" for source, count in sorted(sources.items())) or "none",
            winner=_winner,
            rows=_rows,
            states=_STATES,
            labels=Label,
            counted=counted,
        )
    )
    return Written(sources, {})


def _winner(pair: Exported) -> str:
    winner = pair.winner
    if winner is None:
        return "No winner"
    if winner is Winner.TIE:
        return winner.in_words
    return f"{winner}: {pair.candidates[Label(winner)]}" if pair.candidates else winner


def _rows(pair: Exported) -> Iterator[_Row]:
    of_b = {(remark.dimension, remark.key): remark for remark in pair.of(Label.B)}
    for remark in pair.of(Label.A):
        other = of_b.get((remark.dimension, remark.key), remark)
        values = ((remark, remark.final), (other, other.final), (remark, remark.judge), (other, other.judge))
        yield _Row(
            f"{remark.dimension or 'expectation'}: {remark.name}",
            tuple(_figure(side, value) for side, value in values),
            "; ".join(f"{side.label}: {side.reason}" for side in (remark, other) if side.reason),
        )
    if pair.result is None:
        return
    results = (pair.result, pair.judge)
    for name in (*(f"{dimension}_score" for dimension in Dimension), "overall_score"):
        figures = (
            getattr(result.rubric[label], name) if result else "" for result in results for label in Label
        )
        yield _Row(name.replace("_", " "), tuple(figures), total=True)


def _figure(remark: Remark, value: object) -> str:
    if value is None:
        return "–"
    if remark.is_expectation:
        return "met" if value else "not met"
    return str(value)
