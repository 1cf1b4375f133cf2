"""The memo of one page and the report with all charts: HTML files that need no network and print well."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

import plotly.io
from plotly.offline import get_plotlyjs

from comparator.reporting.results.reviewed import ReviewedBy
from comparator.stats.noise import NoiseFloor
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.data import Headline
from comparator.ui.frame import estimates, safe
from comparator.ui.frame.charts import PAIR, Cell, Chart, Row
from comparator.ui.frame.charts.chart import without_links
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.frame.words import counted

STYLE = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"
"""Nothing may be loaded, whatever a name in the report holds."""


def memo(
    top: Headline,
    pictures: Iterable[Chart],
    *,
    reviewers: Sequence[ReviewedBy],
    only: Sequence[str] = (),
    project: str,
    at: datetime,
) -> str:
    """The decision on one page, as HTML; it begins with the pictures that the page begins with.

    `only` names the filters to which the page is narrowed.
    """
    one, two = top.names
    parts = [
        f"<script>{get_plotlyjs()}</script>",
        f"<h1>{_text(one)} or {_text(two)}?</h1>",
        f"<p class=meta>{_text(project)} · {at:%Y-%m-%d %H:%M} UTC</p>",
        *_only(only),
        *(_figure(picture) for picture in pictures),
        f"<p class=lead>{_text(sentences.what_to_do(top))}</p>",
        f"<p>{_text(sentences.top_line(top))}</p>",
        (
            f"<p>{_text(sentences.certainty(top.result, one=one, two=two))} "
            f"{_text(sentences.counted_verdicts(top.advice, kinds=top.asked.kinds))}</p>"
        ),
    ]
    if caution := sentences.caution(top.result, kinds=top.asked.kinds):
        parts.append(f"<p class=caution>{_text(caution)}</p>")
    parts.append(_reviewers(top, reviewers))
    parts.append(_measures(top))
    parts.append(_plan(top))
    if top.excluded:
        parts.append("<h2>Not counted</h2>")
        parts.append(_table([{"Why": each.reason, "Pairs": each.pairs} for each in top.excluded]))
    parts.append(
        "<p class=meta>Intervals are 95% intervals, clustered by task. They allow for chance, "
        "not for tasks and reviewers that are not representative.</p>"
    )
    return _page(f"{one} or {two}?", parts)


def report(
    top: Headline,
    pictures: Iterable[Chart],
    charts: Iterable[Chart],
    *,
    reviewers: Sequence[ReviewedBy],
    only: Sequence[str] = (),
    project: str,
    at: datetime,
) -> str:
    """Everything that the dashboards show, with charts and their numbers, as one HTML file.

    It begins with the pictures that the page begins with; `only` names the filters to which the page is narrowed.
    """
    one, two = top.names
    parts = [
        f"<script>{get_plotlyjs()}</script>",
        f"<h1>{_text(one)} or {_text(two)}?</h1>",
        f"<p class=meta>{_text(project)} · {at:%Y-%m-%d %H:%M} UTC</p>",
        *_only(only),
        *(_figure(picture) for picture in pictures),
        f"<p class=lead>{_text(sentences.top_line(top))}</p>",
        f"<p>{_text(sentences.what_to_do(top))}</p>",
        f"<p>{_text(sentences.counted_verdicts(top.advice, kinds=top.asked.kinds))}</p>",
    ]
    if caution := sentences.caution(top.result, kinds=top.asked.kinds):
        parts.append(f"<p class=caution>{_text(caution)}</p>")
    parts += [_reviewers(top, reviewers), _plan(top), *(_chart(chart) for chart in charts)]
    return _page(f"{one} or {two}?", parts)


def _only(parts: Sequence[str]) -> Iterator[str]:
    """The filters, where the page is narrowed."""
    if parts:
        yield f"<p class=meta>Only: {_text('; '.join(parts))}</p>"


def _reviewers(top: Headline, found: Sequence[ReviewedBy]) -> str:
    """Who reviewed how many of the counted pairs."""
    if not found:
        return "<h2>Reviewers</h2><p>Nobody has reviewed any of the counted pairs.</p>"
    listed = "; ".join(f"{each.name} ({each.pairs})" for each in found)
    return f"<h2>Reviewers</h2><p>Of {_text(counted(top.result.n, 'counted pair'))}: {_text(listed)}.</p>"


def _measures(top: Headline) -> str:
    found = top.result
    rows: list[Row] = [
        {
            "Measure": "Win rate",
            top.names.one: estimates.interval(found.win_rate),
            "Rests on": f"{counted(found.n, 'pair')} in {counted(found.tasks, 'task')}",
        }
    ]
    for name, each in (
        ("Overall", found.overall),
        ("Content", found.content),
        ("Structure", found.structure),
    ):
        rows.append(
            {
                "Measure": f"{name} score minus that of {top.names.two}, in points",
                top.names.one: sentences.difference(each),
                "Rests on": counted(each.pairs, "pair"),
            }
        )
    if found.pass_rates:
        rows.append(
            {
                "Measure": "Expectations met",
                top.names.one: f"{estimates.percent(found.pass_rates.one)}, "
                f"{top.names.two} {estimates.percent(found.pass_rates.two)}",
                "Rests on": counted(found.pass_rates.pairs, "pair"),
            }
        )
    noise = top.noise
    known = isinstance(noise.floor, NoiseFloor)
    clear = "clear, within the noise" if known else "with a lead in the scores, without one"
    rows.append(
        {
            "Measure": f"Wins and losses {clear}; ties; winners that changed with the order",
            top.names.one: f"{noise.clear}, {noise.within}, {noise.tied}, {noise.flipped}",
            "Rests on": counted(found.n, "pair"),
        }
    )
    return "<h2>Figures</h2>" + _table(rows)


def _plan(top: Headline) -> str:
    advice = top.advice
    if not advice.planned:
        return (
            "<h2>Plan</h2><p>No plan was fixed before the reveal, so any difference counts as "
            "relevant, and nothing prevented stopping at a favorable moment.</p>"
        )
    rows: list[Row] = [
        {
            "Promise": each.promise,
            "Kept": "for the reader to judge" if each.kept is None else "yes" if each.kept else "NO",
            "Why": each.why,
        }
        for each in advice.kept
    ]
    threshold = estimates.percent(advice.decision.threshold)
    return f"<h2>Plan</h2><p>Adopt if the whole interval lies above {threshold}.</p>" + _table(rows)


def _chart(chart: Chart) -> str:
    rows = [
        {name: value for name, value in row.items() if name != PAIR} for row in without_links(chart.numbers)
    ]
    rows = [row for row in rows if len(row) > 1]
    words = "".join(f"<p>{_text(each)}</p>" for each in (chart.words, chart.help) if each)
    return f"<section><h2>{_text(chart.title)}</h2>{words}{_figure(chart)}{_table(rows) if rows else ''}</section>"


def _figure(chart: Chart) -> str:
    figure = chart.figure(ColourTheme.LIGHT)
    if figure is None:
        return ""
    found: str = plotly.io.to_html(
        figure,
        full_html=False,
        include_plotlyjs=False,
        div_id=f"chart-{chart.name}",
        config={"displayModeBar": False, "responsive": True, "staticPlot": True},
    )
    return found


def _table(rows: Sequence[Row]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    # A candidate's name may be broken in a head, so that the column with the text keeps its width.
    head = "".join(f"<th>{_text(name).replace('_', '_<wbr>')}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{_text(_cell(row.get(name)))}</td>" for name in names) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Cell) -> str:
    return "" if value is None else str(value)


def _text(value: str) -> str:
    return html.escape(safe.visible(value))


def _page(title: str, parts: Sequence[str]) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(title)}</title><style>{STYLE}</style></head><body>{''.join(parts)}</body></html>"
    )
