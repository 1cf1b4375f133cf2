"""The charts of what judging and reviewing took, and of what the candidates themselves used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from comparator.reporting.results.run_usage import RunUsage
from comparator.reporting.results.spending import Cost, OfProject, Spent
from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.pairs_behind import ANY
from comparator.ui.dashboards.pairs_behind import address, tally_link
from comparator.ui.frame import charts
from comparator.ui.frame.charts.box import PAIRS, Box, Cell, linked
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.frame.words import counted


def cost_boxes(
    found: Cost, used: Sequence[RunUsage], *, of: ResultFilter | str, theme: ColourTheme
) -> Iterator[Box]:
    """What it took; `used` is empty before the reveal."""
    yield _models(found, of, theme)
    yield _people(found, of)
    if used:
        yield _used(used)


def _models(found: Cost, of: ResultFilter | str, theme: ColourTheme) -> Box:
    title = "Tokens used for judging, by model"
    if not found.models:
        return Box(
            "cost",
            title=title,
            counts="None of these pairs has been judged yet. Tokens, cost and time by model will appear here.",
            figure=None,
            rows=[],
        )
    shown = PALETTES[theme]
    links = [tally_link(of, "spent", each.model, ANY, "pairs") for each in found.models]
    currencies = sorted({each.currency for each in found.models if each.cost})
    decisions = "".join(
        f" {per:.4f} {currency} a pair with a verdict ({found.decided:,})."
        for currency in currencies
        if (per := found.per_decision(currency)) is not None
    )
    return Box(
        "cost",
        title=title,
        counts=" ".join(_cost(each) for each in found.models) + decisions,
        figure=charts.stacked(
            [each.model for each in found.models],
            (
                charts.Segment(
                    "in", shown.muted, shown.page, tuple(each.input_tokens for each in found.models)
                ),
                charts.Segment(
                    "out", shown.line, shown.ink, tuple(each.output_tokens for each in found.models)
                ),
            ),
            palette=shown,
        )
        if any(each.input_tokens + each.output_tokens for each in found.models)
        else None,
        rows=linked([_row(each) for each in found.models], {PAIRS: links}),
        marks=[links, links],
    )


def in_all(found: Cost) -> str:
    """What judging took in the whole project, and what the charts below it count."""
    tries = sum(each.tries for each in found.models)
    costs: dict[str, Decimal] = {}
    for each in found.models:
        costs[each.currency] = costs.get(each.currency, Decimal(0)) + each.cost
    unpriced = sum(each.unpriced for each in found.models)
    money = (
        ", ".join(f"{cost:.4f} {currency}" for currency, cost in costs.items() if cost or unpriced) or "free"
    )
    models = counted(len({each.model for each in found.models}), "model")
    took = (
        f"judging took {counted(tries, 'attempt')} with {models}: {'at least ' if unpriced else ''}{money}"
        if tries
        else "nothing has been judged yet"
    )
    return (
        f"In the whole project, {took}. The charts count every revealed pair of the chosen candidates, iterations, "
        "runs and parts, whatever verdicts are chosen."
    )


def _row(each: Spent) -> dict[str, Cell]:
    return {
        "Model": each.model,
        "Pairs": each.pairs,
        "Attempts": each.tries,
        "Failed": each.failed,
        "Tokens in": each.input_tokens,
        "Tokens out": each.output_tokens,
        "Seconds": round(each.seconds, 1),
        f"Cost ({each.currency})": float(each.cost),
        "Attempts without a known price": each.unpriced,
    }


def projects_box(found: Sequence[OfProject], names: Mapping[str, str]) -> Box:
    """What each project took, by model; `names` are the projects' by id."""
    pairs = sum(each.spent.pairs for each in found)
    rows = [_row(each.spent) for each in found]
    # Columns of nothing but zeros, as of a judge that costs nothing, say nothing.
    some = {name for row in rows for name, value in row.items() if value}
    return Box(
        "projects",
        title="What judging took, by project and model",
        counts=f"{counted(pairs, 'judged pair')} in {counted(len({each.project_id for each in found}), 'project')}, "
        "rubrics included.",
        figure=None,
        rows=[
            {
                "Project": names[each.project_id],
                **{name: value for name, value in row.items() if name in some},
                "Dashboards": address(each.project_id, part="cost"),
            }
            for each, row in zip(found, rows, strict=True)
        ],
    )


def _people(found: Cost, of: ResultFilter | str) -> Box:
    title = "Minutes per final review"
    time = found.review_time
    if time is None:
        return Box(
            "minutes",
            title=title,
            counts="None of these pairs has a final review yet. Minutes for each review appear here.",
            figure=None,
            rows=[],
        )
    return Box(
        "minutes",
        title=title,
        counts=f"{counted(time.reviews, 'final review')}, opening to finalising; a pause counts five minutes at most.",
        figure=None,
        rows=[
            {
                "Reviews": time.reviews,
                "Median (minutes)": time.median,
                "90th percentile (minutes)": time.nine_of_ten,
                PAIRS: tally_link(of, "minutes", ANY),
            }
        ],
    )


def _used(found: Sequence[RunUsage]) -> Box:
    return Box(
        "candidates_cost",
        title="Average tokens and time of the candidates' own runs",
        counts="As reported by the import, over the counted runs that have the figure.",
        figure=None,
        rows=[
            {
                "Candidate": each.name,
                "Runs": each.runs,
                "Tokens per run": None if each.tokens is None else round(each.tokens),
                "Runs with token counts": each.with_tokens,
                "Seconds per run": None if each.seconds is None else round(each.seconds, 1),
                "Runs with times": each.with_seconds,
            }
            for each in found
        ],
    )


def _cost(each: Spent) -> str:
    price = f"{each.cost:.4f} {each.currency}" if each.cost else "free"
    if each.unpriced:
        price = (
            f"at least {each.cost:.4f} {each.currency}: "
            f"{each.unpriced} of {each.tries} attempts have no known price"
        )
    per_pair = f", {each.seconds / each.pairs:.1f} s a pair" if each.pairs else ""
    return f"{each.model}: {counted(each.pairs, 'pair')}, {each.seconds:.1f} s{per_pair}, {price}."
