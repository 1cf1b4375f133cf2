"""The report: one page to send, then every chart as an appendix; one HTML file without network, and its PDF."""

from __future__ import annotations

import html
import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import plotly.io
from plotly.offline import get_plotlyjs

from comparator.domain.errors import SettingsError
from comparator.outputs.pictures.finder import NOTHING_KNOWN, Machine, find_chromium
from comparator.reporting.facts import facts_of
from comparator.reporting.findings import Findings
from comparator.reporting.results.candidates import ranking
from comparator.reporting.results.result import ReviewedBy
from comparator.reporting.results.spending import cost
from comparator.reporting.why.differ import how_they_differ
from comparator.reporting.why.slices import name_of_part
from comparator.ui.dashboards import advice, sentences
from comparator.ui.dashboards.first_screen import Tile, overview_chart, tiles, trust_figures
from comparator.ui.dashboards.tabs.cost import cost_charts, in_money, list_prices
from comparator.ui.dashboards.tabs.differ import differ_charts
from comparator.ui.dashboards.tabs.over_time import cell_link, periods_chart, since, tasks_chart
from comparator.ui.dashboards.tabs.reviewers import people_charts
from comparator.ui.dashboards.tabs.trust import trust_charts
from comparator.ui.dashboards.tabs.where import parts_chart, ranking_charts
from comparator.ui.dashboards.why.charts import why_charts
from comparator.ui.dashboards.why.themes import theme_charts
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import PAIR, Cell, Chart, Lines, Row
from comparator.ui.frame.charts.chart import without_links
from comparator.ui.frame.charts.heat_map import HeatMap
from comparator.ui.frame.charts.task_grid import ORDERS, grid_chart
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.frame.lists.filters import BY
from comparator.ui.frame.words import counted

STYLE = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"
"""Nothing may be loaded, whatever a name in the report holds."""
FIRST = ("where", "length", "criteria", "medians")
"""The charts of the first page beside the trend, the first that there are."""
FIRST_CHARTS, FIRST_ROWS = 3, 4
FIRST_HEIGHT, TREND_HEIGHT = 118, 140
"""Pixels of its charts: with the words, they fill a page of A4."""
MOST_STEPS = 3
MOST_ROWS = 60
"""Rows of a table in the appendix; the page has all."""
SECONDS = 60


def report(
    top: Findings,
    charts: Iterable[Chart],
    *,
    reviewers: Sequence[ReviewedBy],
    only: Sequence[str] = (),
    project: str,
    at: datetime,
) -> str:
    """The answer on one page, and everything that the dashboards show with its numbers; as one HTML file.

    `only` names the filters to which the page is narrowed.
    """
    one, two = top.names
    kept = [chart for chart in charts if chart.rows or chart.words]
    first = [overview_chart(top)] if top.timeline and top.result.n else []
    first += [
        replace(chart, rows=chart.rows[:FIRST_ROWS])
        for name in FIRST
        for chart in kept
        if chart.name == name and chart.is_drawn
    ]
    source = f"{project} · {at:%Y-%m-%d} · {counted(top.result.n, 'pair')}"
    steps = "".join(f"<li>{_text(each)}</li>" for each in advice.next_steps(top)[:MOST_STEPS])
    parts = [
        f"<script>{get_plotlyjs()}</script>",
        f"<section class=first><h1>{_text(one)} or {_text(two)}? {_text(sentences.badge(top))}</h1>",
        f"<p class=meta>{_text(project)} · {at:%Y-%m-%d %H:%M} UTC</p>",
        *([f"<p class=meta>Only: {_text('; '.join(only))}</p>"] if only else ()),
        f"<p class=lead>{_text(sentences.finding(top))}</p>",
        f"<div class=next><b>Next steps</b><ol>{steps}</ol></div>",
        "<div class=tiles>",
        *(
            f"<div><small>{_text(each.label)}</small><b>{_text(each.value)}</b><small>{_text(each.rests_on)}</small></div>"
            for each in (*tiles(top), *_cost(top))
        ),
        "</div><div class=charts>",
        *(
            f"<figure>{_titled(chart, '', f'first-{chart.name}', on_first_page=True)}</figure>"
            for chart in first[:FIRST_CHARTS]
        ),
        "</div>",
        *_first_page(top, reviewers),
        "</section>",
        "<section class=appendix><h1>Appendix</h1><ol class=contents>",
        *(f"<li><a href='#{_text(chart.name)}'>{_text(chart.title)}</a></li>" for chart in kept),
        "</ol></section>",
        *(_section(chart, source) for chart in kept),
    ]
    title = f"{one} or {two}?"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(title)}</title><style>{STYLE}</style></head><body>{''.join(parts)}</body></html>"
    )


def _cost(top: Findings) -> Iterator[Tile]:
    """What a run of each candidate takes, and what judging took."""
    one, two, times = top.usage.one, top.usage.two, top.usage.times("tokens")
    money = in_money(cost(session.services().database, top.asked.project_id, of=top.asked))
    judging = f"; judging took {money}" if money else ""
    if one and two and times:
        priced = f"; about {prices} at list price" if (prices := list_prices(top.usage)) else ""
        figures = f"{one.tokens:,.0f} against {two.tokens:,.0f}{judging}{priced}"
        yield Tile("cost", "Cost: tokens per run", f"{times:.1f}×", figures)
    elif money:
        yield Tile("cost", "Cost of judging", money, "")


def _first_page(top: Findings, reviewers: Sequence[ReviewedBy]) -> Iterator[str]:
    """What a manager asks next: exceptions, the plan, and what it rests on."""
    listed = "; ".join(f"{each.name} ({each.pairs})" for each in reviewers)
    reviewed = f"Reviewers: {listed}." if listed else "Nobody has reviewed any of the counted pairs."
    (*_, seen_by_people), _, (*_, both_orders) = trust_figures(top)
    trust = f"{sentences.whom_to_trust(top)} {seen_by_people} {both_orders}"
    exceptions = "".join(f"<li>{_text(each)}</li>" for each in advice.exceptions(top))
    yield f"<div class=two><div><h2>Exceptions</h2><ul>{exceptions or '<li>None.</li>'}</ul>"
    yield f"<h2>Decision</h2><p>{_text(advice.plan(top))}</p></div>"
    yield f"<div><h2>What it rests on</h2><p>{_text(_context(top))}</p>"
    yield f"<p>{_text(sentences.rests_on(top))} {_text(reviewed)}</p><p>{_text(trust)}</p>"
    yield "<p>A range such as 45% to 55% allows for chance (95% interval), not for bias.</p></div></div>"


def _context(top: Findings) -> str:
    """What a pair, an iteration and a win rate are, for whoever has never seen the project."""
    one, two = top.names
    times = (
        f" over {counted(len(top.history.iterations), top.history.over.value[:-1])}" if top.history else ""
    )
    return (
        f"A pair is one task done by {one} and by {two}, compared without their names{times}; the win rate is the "
        f"share that {one} wins, a tie counts half."
    )


def _section(chart: Chart, source: str) -> str:
    rows = [
        {name: value for name, value in row.items() if name != PAIR} for row in without_links(chart.numbers)
    ]
    rows = [row for row in rows if len(row) > 1]
    words = "".join(f"<p>{_text(each)}</p>" for each in (chart.words, chart.help) if each)
    more = f"<p class=meta>The first {MOST_ROWS} of {len(rows)} rows.</p>" if len(rows) > MOST_ROWS else ""
    # The squares of a heat map say what the words of its table say, over again.
    drawn = chart.is_drawn and isinstance(chart.drawing, HeatMap)
    table = _table(rows[:MOST_ROWS]) + more if rows and not drawn else ""
    return f"<section id='{_text(chart.name)}'>{_titled(chart, source, f'chart-{chart.name}', words)}{table}</section>"


def _titled(chart: Chart, source: str, id: str, words: str = "", *, on_first_page: bool = False) -> str:
    """The chart under its title, over where it is from, so that it can be cut out."""
    if on_first_page and isinstance(chart.drawing, Lines):
        chart = replace(chart, drawing=replace(chart.drawing, height=TREND_HEIGHT))
    figure = chart.figure(ColourTheme.LIGHT)
    drawn = ""
    if figure is not None:
        if on_first_page and isinstance(chart.drawing, Lines):
            figure.layout.margin.t = 24 if chart.drawing.breaks else 8
        elif on_first_page:
            figure.layout.height = FIRST_HEIGHT
            if not figure.layout.showlegend:
                figure.layout.margin.t = 24 if figure.layout.annotations else 4
        drawn = plotly.io.to_html(
            figure,
            full_html=False,
            include_plotlyjs=False,
            div_id=id,
            config={"displayModeBar": False, "responsive": True, "staticPlot": True},
        )
        drawn += f"<p class=meta>{_text(source)}</p>" if source else ""
    return f"<h2>{_text(chart.title)}</h2>{words}{drawn}"


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
    return "" if value is None else f"{value:,}" if isinstance(value, int | float) else str(value)


def _text(value: str) -> str:
    return html.escape(safe.visible(value))


def to_pdf(page: str, *, named: str = "", machine: Machine = NOTHING_KNOWN) -> bytes:
    """The page as PDF, by the Chromium at this path or, where none is named, the machine's.

    Raises SettingsError where no Chromium is at hand, or it does not answer.
    """
    chromium = find_chromium(named, machine)
    if chromium is None:
        raise SettingsError(
            "No Chromium was found on the server, so no PDF can be made. Save the HTML and print it instead."
        )
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "report.html", Path(folder) / "report.pdf"
        source.write_text(page, encoding="utf-8")
        try:
            subprocess.run(
                [
                    chromium,
                    "--headless",
                    # Root cannot use Chromium's sandbox; everybody else does.
                    *(["--no-sandbox"] if os.geteuid() == 0 else []),
                    "--disable-gpu",
                    # As wide as the text on paper: wider charts would have the whole page shrunk.
                    "--window-size=720,1000",
                    "--host-resolver-rules=MAP * ~NOTFOUND",
                    f"--user-data-dir={folder}/profile",
                    "--no-pdf-header-footer",
                    f"--print-to-pdf={target}",
                    source.as_uri(),
                ],
                check=True,
                capture_output=True,
                timeout=SECONDS,
            )
            return target.read_bytes()
        except (subprocess.SubprocessError, OSError) as error:
            raise SettingsError(
                "Chromium made no PDF. Save the HTML and print it instead; `comparator doctor` checks the browser."
            ) from error


def narrowed_to(top: Findings) -> tuple[str, ...]:
    """The chips of the page, such as "Tag network"; empty where it is not narrowed."""
    database, project_id = session.services().database, top.asked.project_id
    return tuple(
        f"{BY[part.by]} {name_of_part(database, part, project_id=project_id)}" for part in top.asked.within
    )


def every_chart(top: Findings) -> tuple[Chart, ...]:
    """The charts of every tab; a name that two of them use is numbered."""
    used: Counter[str] = Counter()
    found = []
    for chart in _charts(top):
        used[chart.name] += 1
        times = used[chart.name]
        found.append(replace(chart, name=f"{chart.name}-{times}") if times > 1 else chart)
    return tuple(found)


def _charts(top: Findings) -> Iterator[Chart]:
    database, asked, history = session.services().database, top.asked, top.history
    if top.result.n:
        yield from why_charts(top)
        yield from theme_charts(top)
        if top.kinds is not None:
            yield parts_chart(top.kinds, asked=asked, names=top.names)
        yield from ranking_charts(ranking(database, asked), asked=asked)
        yield from differ_charts(top, how_they_differ(database, asked))
    if history is not None and history.n and history.counted_by_task:
        at = since(top)
        yield grid_chart(history, cell_link(asked, history), order=next(iter(ORDERS)), since=at)
        yield periods_chart(history)
        yield tasks_chart(asked, history, at)
    with facts_of(database, asked.project_id) as facts:
        yield from trust_charts(facts, asked)
        yield from people_charts(facts, asked)
    yield from cost_charts(cost(database, asked.project_id, of=asked), top.usage, of=asked)
