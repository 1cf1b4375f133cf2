"""The report: one page to send, then every chart as an appendix; one HTML file without network, and its PDF."""

import html
import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import plotly.io
from plotly.offline import get_plotlyjs

from comparator.domain.errors import SettingsError
from comparator.outputs.pictures.finder import find_chromium
from comparator.reporting.facts import facts_of
from comparator.reporting.findings import Doubt, Findings
from comparator.reporting.results.candidates import ranking
from comparator.reporting.results.result import reviewed_by
from comparator.reporting.results.spending import Cost, cost
from comparator.reporting.why.differ import ALIKE, how_they_differ
from comparator.reporting.why.pairs import PairOutcome
from comparator.reporting.why.slices import name_of_part
from comparator.ui.dashboards import advice, cost_words, doubts, sentences
from comparator.ui.dashboards.first_screen import overview_chart, trust_figures
from comparator.ui.dashboards.tabs.cost import NOTHING_TOLD, charts_of_result, in_money, price_of_runs
from comparator.ui.dashboards.tabs.differ import differ_charts
from comparator.ui.dashboards.tabs.over_time import cell_link, periods_chart, since, tasks_chart
from comparator.ui.dashboards.tabs.trust import trust_charts
from comparator.ui.dashboards.tabs.where import parts_chart, ranking_charts
from comparator.ui.dashboards.why.changes import changes_chart, what_to_change
from comparator.ui.dashboards.why.charts import means_chart, why_charts
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import PAIR, Chart, Lines, Row
from comparator.ui.frame.charts.chart import in_words, shares_among, without_links
from comparator.ui.frame.charts.lines import Multiples
from comparator.ui.frame.charts.plotting import FONT
from comparator.ui.frame.charts.task_grid import ORDERS, PAPER_WIDTH, HeatMap, grid_chart
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.lists.filters import BY
from comparator.ui.frame.words import counted

STYLE = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"
"""Nothing may be loaded, whatever a name in the report holds."""
FIRST = ("where", "length", "criteria", "medians")
"""The charts of the first page beside the trend, the first that there are."""
WHY = ("criteria", "themes", "subjects")
"""The charts whose titles say why one wins."""
FIRST_CHARTS, FIRST_ROWS = 3, 4
ROW_HEIGHT, AXIS_HEIGHT, TREND_HEIGHT, FIRST_FONT = 17, 44, 146, 12
"""Pixels of its charts and of their words: with the text, they fill a page of A4."""
MANY, PAPER_HEIGHT = 5, 0.75
"""A chart of the appendix with so many rows has this share of its usual height, so that three find room on a page."""
LEAST_ROWS = 3
"""A chart of fewer rows is as high as one of these: the words below its axis need that."""
MOST_KINDS = 4
MOST_ROWS = 60
"""Rows of a table in the appendix; the page has all."""
SECONDS = 60


def report(top: Findings, *, on_paper: bool = False) -> str:
    """The answer on one page, and everything that the dashboards show with its numbers; as one HTML file."""
    project_id, at = top.filter.project_id, f"{session.services().now():%Y-%m-%d}"
    project = session.project_name(project_id)
    kept = [
        _for_paper(chart) if on_paper else chart for chart in every_chart(top) if chart.rows or chart.words
    ]
    first = [overview_chart(top)] if top.timeline and top.result.n else []
    first += [
        replace(chart, rows=chart.rows[:FIRST_ROWS])
        for name in FIRST
        for chart in kept
        if chart.name == name and chart.is_drawn
        # Where people overrule the judge, its scores would argue against the title.
        if name != "criteria" or not top.opposed
    ]
    title = advice.with_conditions(top)
    database = session.services().database
    spent, people = cost(database, project_id, of=top.filter), reviewed_by(database, top.filter)
    with facts_of(database, project_id) as facts:
        only = "; ".join(f"{BY[part.by]} {name_of_part(facts, part)}" for part in top.filter.within)
    about = " · ".join((project, at, *([f"only {only}"] if only else ())))
    points = {
        "Compared": [_compared(top, spent, people)],
        "How sure": [sentences.how_sure(top), *([advice.plan(top)] if top.plan else [])],
        **(
            {"Over time": [f"Win rate by iteration: {changed}."]}
            if (changed := sentences.levels(top))
            else {}
        ),
        **({"Why": why} if (why := [f"{chart.title}." for chart in kept if chart.name in WHY]) else {}),
        "Exceptions": [*advice.exceptions(top)] or [f"{': '.join(sentences.no_exceptions(top))}."],
        "Cost": _cost(top, spent),
        "Based on": [*_basis(top, people)],
        "Next": advice.first_steps(top),
    }
    parts = [
        f"<script>{get_plotlyjs()}</script>",
        f"<section class=first><p class=meta>{_text(about)}</p>",
        f"<h1>{_text(title)}</h1><p class=finding>{_text(sentences.finding(top))}</p><dl>",
        *(
            f"<dt>{name}</dt><dd>{''.join(f'<p>{_text(line)}</p>' for line in lines)}</dd>"
            for name, lines in points.items()
        ),
        "</dl>",
        *(
            f"<figure>{_titled(chart, '', f'first-{chart.name}', on_first_page=True)}</figure>"
            for chart in first[:FIRST_CHARTS]
        ),
        f"<p class=meta>{_text(_terms(top))}</p></section>",
        "<section class=appendix><h1>Appendix</h1><ol class=contents>",
        *(f"<li><a href='#{_text(chart.name)}'>{_text(chart.title)}</a></li>" for chart in kept),
        "</ol></section>",
        *(
            _section(
                chart, f"{project} · {at} · {counted(chart.pairs or top.result.n, 'pair')}", on_paper=on_paper
            )
            for chart in kept
        ),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(title)}</title><style>body {{ font-family: {FONT} }}{STYLE}{_footer(project)}</style></head>"
        f"<body>{''.join(parts)}</body></html>"
    )


def _footer(project: str) -> str:
    """The style that writes the project and the number of the page on each sheet."""
    name = "".join(
        letter if letter.isalnum() or letter == " " else f"\\{ord(letter):x} "
        for letter in safe.visible(project)
    )
    pages = f'"{name} · page " counter(page) " of " counter(pages)'
    return f"@page {{ @bottom-right {{ content: {pages}; font-family: {FONT} }} }}"


def _compared(top: Findings, spent: Cost, people: Sequence[tuple[str, int]]) -> str:
    """What the candidates are, which tasks they did, and who judged, for whoever has never seen the project."""
    one, two = (
        f"{name} ({', '.join(runs.models)})" if runs and runs.models else name
        for name, runs in zip(top.names, top.usage, strict=True)
    )
    kinds = ", ".join(part.name for part in top.kinds.parts[:MOST_KINDS]) if top.kinds else ""
    if top.kinds and (left := len(top.kinds.parts) - MOST_KINDS) > 0:
        kinds += f" and {counted(left, 'more kind')}"
    steps = top.history and counted(len(top.history.iterations), top.history.over.value[:-1])
    times = f" in {steps}" if steps and top.filter.also else ""
    judges = [*dict.fromkeys(model.model for model in spent.models if model.pairs)]
    if people:
        judges.append(counted(len(people), "reviewer"))
    return (
        f"{one} with {two} on the same {counted(top.result.tasks, 'task')}{kinds and f' ({kinds})'}{times}: "
        f"{counted(top.result.n, 'pair')}, without names, by {' and '.join(judges)}."
    )


def _cost(top: Findings, spent: Cost) -> Iterator[str]:
    """What a run of each takes now, in tokens, time and money; and what judging cost."""
    runs, now = cost_words.runs_took(top.usage_now), top.usage_now
    amounts = [NOTHING_TOLD]
    if runs or now.prices:
        amounts = [runs and f"{runs}{sentences.latest(top)}.", price_of_runs(now)]
    judging = in_money(spent)
    yield " ".join(
        filter(None, (*amounts, judging and f"Judging {counted(spent.decided, 'pair')} took {judging}."))
    )


def _basis(top: Findings, people: Sequence[tuple[str, int]]) -> Iterator[str]:
    """Whose verdicts are counted, who reviewed, and how far the judge was tested."""
    listed = "; ".join(f"{name} ({pairs})" for name, pairs in people)
    void = sentences.void_in_words(top)
    yield " ".join(
        filter(None, (sentences.rests_on(top), void and f"{void}.", listed and f"Reviewers: {listed}."))
    )
    *_, (_, _, both_orders) = trust_figures(top)
    # A doubt of the judge stands among the exceptions.
    doubted = {Doubt.AGAINST_PEOPLE, Doubt.AGAINST_GRADERS, Doubt.UNTESTED} & {*top.warnings}
    yield both_orders if doubted else f"{doubts.whom_to_trust(top)} {both_orders}"


def _terms(top: Findings) -> str:
    """What the figures and signs are, for whoever has never seen the project."""
    equal = f" About equal length: within {percent(ALIKE)}." * (
        top.length_tells and not (top.length and top.length.by_ratio)
    )
    return (
        f"Win rate: the share of pairs that {top.names.one} wins, a tie counts half. A 95% interval allows for chance, "
        f"not for bias. ○: fewer than 20 tasks. ◆: differs from the rest by more than chance.{equal}"
    )


def _section(chart: Chart, source: str, *, on_paper: bool) -> str:
    rows = [
        {name: value for name, value in row.items() if name != PAIR} for row in without_links(chart.numbers)
    ]
    rows = [row for row in rows if len(row) > 1]
    words = "".join(f"<p>{_text(text)}</p>" for text in (chart.words, chart.help) if text)
    more = f"<p class=meta>The first {MOST_ROWS} of {len(rows)} rows.</p>" if len(rows) > MOST_ROWS else ""
    # Squares say what the words of their table say, over again; a table of lines is long, and the page has it.
    drawn = chart.is_drawn and isinstance(chart.drawing, HeatMap | Lines)
    all_shares = isinstance(chart.drawing, Multiples)
    table = _table(rows[:MOST_ROWS], all_shares=all_shares) + more if rows and not drawn else ""
    titled = _titled(chart, source, f"chart-{chart.name}", words, on_paper=on_paper)
    return f"<section id='{_text(chart.name)}'>{titled}{table}</section>"


def _for_paper(chart: Chart) -> Chart:
    """With squares, and as many small charts abreast, as paper has room for."""
    if isinstance(chart.drawing, HeatMap):
        return replace(chart, drawing=replace(chart.drawing, width=PAPER_WIDTH))
    if isinstance(chart.drawing, Multiples):
        return replace(chart, drawing=replace(chart.drawing, across=2))
    return chart


def _titled(
    chart: Chart,
    source: str,
    id: str,
    words: str = "",
    *,
    on_first_page: bool = False,
    on_paper: bool = False,
) -> str:
    """The chart under its title, over where it is from, so that it can be cut out."""
    if on_first_page and isinstance(chart.drawing, Lines):
        chart = replace(chart, drawing=replace(chart.drawing, height=TREND_HEIGHT))
    figure = chart.figure(ColourTheme.LIGHT)
    drawn = ""
    if figure is not None:
        if on_first_page or on_paper:
            figure.update_layout(font_size=FIRST_FONT).update_annotations(font_size=FIRST_FONT)
        if on_paper and len(chart.rows) >= MANY and not isinstance(chart.drawing, HeatMap):
            figure.layout.height *= PAPER_HEIGHT
        if on_first_page and isinstance(chart.drawing, Lines):
            # What a hollow mark is stands below all charts, once.
            figure.layout.xaxis.title, figure.layout.margin.b = None, 24
        elif on_first_page:
            # Numbers in bars need the room of the names above them.
            rows = ROW_HEIGHT * max(len(chart.rows), LEAST_ROWS) + AXIS_HEIGHT
            figure.layout.height = rows + 20 * bool(figure.layout.showlegend)
            if not figure.layout.showlegend:
                figure.layout.annotations, figure.layout.margin.t = (), 4
        drawn = plotly.io.to_html(
            figure,
            full_html=False,
            include_plotlyjs=False,
            div_id=id,
            config={"displayModeBar": False, "responsive": True, "staticPlot": True},
        )
        drawn += f"<p class=meta>{_text(source)}</p>" if source else ""
    return f"<h2>{_text(chart.title)}</h2>{words}{drawn}"


def _table(rows: Sequence[Row], *, all_shares: bool) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    shares = shares_among(rows, all_shares=all_shares)
    # A candidate's name may be broken in a head, so that the column with the text keeps its width.
    head = "".join(f"<th>{_text(name).replace('_', '_<wbr>')}</th>" for name in names)
    # The names of the rows take what the figures leave.
    head = head.replace("<th>", f"<th style='width:{max(16, 150 // len(names))}%'>", 1)
    body = "".join(
        "<tr>"
        + "".join(f"<td>{_text(in_words(row.get(name), is_share=name in shares))}</td>" for name in names)
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(value: str) -> str:
    return html.escape(safe.visible(value))


def to_pdf(page: str, *, named: str = "", browsers: str = "") -> bytes:
    """The page as PDF, by the Chromium at this path or, where none is named, the machine's, or one in `browsers`.

    Raises SettingsError where no Chromium is at hand, or it does not answer.
    """
    chromium = find_chromium(named, browsers)
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


def every_chart(top: Findings) -> tuple[Chart, ...]:
    """The charts of every tab; a name that two of them use is numbered."""
    used: Counter[str] = Counter()
    charts = []
    for chart in _charts(top):
        used[chart.name] += 1
        times = used[chart.name]
        charts.append(replace(chart, name=f"{chart.name}-{times}") if times > 1 else chart)
    return tuple(charts)


def _charts(top: Findings) -> Iterator[Chart]:
    database, result_filter, history = session.services().database, top.filter, top.history
    if top.result.n:
        yield changes_chart(top, what_to_change(top, PairOutcome.LOST))
        yield from why_charts(top)
        yield means_chart(top)
        if top.kinds is not None:
            yield parts_chart(top.kinds, result_filter=result_filter, names=top.names)
        yield from ranking_charts(ranking(database, result_filter), result_filter=result_filter)
        yield from differ_charts(top, how_they_differ(database, result_filter))
    if history is not None and history.pooled.n and history.counted_by_task:
        at = since(top)
        yield periods_chart(history)
        yield tasks_chart(result_filter, history, at)
        yield grid_chart(history, cell_link(result_filter, history), order=next(iter(ORDERS)), since=at)
    with facts_of(database, result_filter.project_id) as facts:
        for chart in trust_charts(facts, result_filter, top):
            yield from (chart, *chart.more)
    yield from charts_of_result(top)
