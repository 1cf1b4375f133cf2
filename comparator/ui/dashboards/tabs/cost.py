"""The charts of what judging and reviewing took, and of what the candidates themselves used."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from comparator.reporting.results.candidates import natural
from comparator.reporting.results.spending import Cost, Spent, Usage
from comparator.reporting.scope import ResultFilter
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame.charts import PAIRS, Bars, Cell, Chart, Tone
from comparator.ui.frame.words import counted


def cost_charts(found: Cost, used: Usage | None, *, of: ResultFilter | None) -> Iterator[Chart]:
    """What it took; `used` is None before the reveal. What nobody has counted is empty, not 0."""
    if used is not None and (runs := [each for each in (used.one, used.two) if each]):
        rows = [each._replace(name=f"{each.name}, all runs") for each in runs]
        if len(used.each) > 2:
            rows += sorted(used.each, key=lambda each: natural(each.name))
        yield Chart(
            "candidates_cost",
            sentences.runs_took(used) or "The candidates' own runs",
            [
                {
                    "Candidate": each.name,
                    "Runs": each.runs,
                    "Tokens per run": None if each.tokens is None else round(each.tokens),
                    "Runs with token counts": each.with_tokens,
                    "Seconds per run": None if each.seconds is None else round(each.seconds, 1),
                    "Runs with times": each.with_seconds,
                }
                for each in rows
            ],
            help="Means as reported by the import, over the counted runs that have the figure.",
        )
    money = in_money(found)
    per = [
        f"{each:.4f} {currency}"
        for currency in sorted({each.currency for each in found.models if each.cost})
        if (each := found.per_decision(currency)) is not None
    ]
    yield Chart(
        "cost",
        f"Judging these pairs took {money}, {', '.join(per)} a pair with a verdict"
        if money
        else "Judging, by model",
        [_row(each) for each in found.models],
        Bars("Model", {"Tokens in": Tone.PLAIN, "Tokens out": Tone.EVEN})
        if any(each.input_tokens for each in found.models)
        else None,
        {PAIRS: [pairs_link(of, "spent", model=each.model, what="pairs") for each in found.models]},
        note="" if found.models else "None of these pairs has been judged yet.",
    )
    time = found.review_time
    timed = time is not None and time.nine_of_ten > 0
    yield Chart(
        "minutes",
        f"A final review takes {time.median:.1f} minutes (median)"
        if time and timed
        else "Minutes per final review",
        [
            {
                "Reviews": time.reviews,
                "Median (minutes)": time.median,
                "90th percentile (minutes)": time.nine_of_ten,
            }
        ]
        if time and timed
        else (),
        opens={PAIRS: [pairs_link(of, "minutes")]} if timed else {},
        note="" if timed else f"No time is known of {counted(time.reviews if time else 0, 'final review')}.",
        help="From opening to finalising; a pause counts five minutes at most.",
    )


def in_all(found: Cost) -> str:
    """What judging took in the whole project, and what the charts below it count."""
    tries = sum(each.tries for each in found.models)
    models = counted(len({each.model for each in found.models}), "model")
    took = (
        f"judging took {counted(tries, 'attempt')} with {models}: {in_money(found) or 'free'}"
        if tries
        else "nothing has been judged yet"
    )
    return (
        f"In the whole project, {took}. Below, only the pairs of the chosen candidates and the rubrics of their tasks "
        "count, whatever verdicts are chosen."
    )


def in_money(found: Cost) -> str:
    """What judging cost, in each currency; empty where it cost nothing."""
    costs: dict[str, Decimal] = {}
    for each in found.models:
        costs[each.currency] = costs.get(each.currency, Decimal(0)) + each.cost
    unpriced = any(each.unpriced for each in found.models)
    money = ", ".join(
        f"{cost:.{2 if cost >= 1 else 4}f} {currency}" for currency, cost in costs.items() if cost or unpriced
    )
    return f"at least {money}" if unpriced and money else money


def _row(each: Spent) -> dict[str, Cell]:
    return {
        "Model": each.model,
        "Pairs": each.pairs,
        "Attempts": each.tries,
        "Failed": each.failed,
        "Tokens in": each.input_tokens or None,
        "Tokens out": each.output_tokens or None,
        "Seconds": round(each.seconds, 1) or None,
        "Seconds a pair": round(each.seconds / each.pairs, 1) or None if each.pairs else None,
        f"Cost ({each.currency})": float(each.cost),
        "Attempts without a known price": each.unpriced,
    }
