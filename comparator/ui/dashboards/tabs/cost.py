"""The charts of what judging and reviewing took, and of what the candidates themselves used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from comparator.reporting.results.run_usage import RunUsage
from comparator.reporting.results.spending import Cost, Spent
from comparator.reporting.scope import ResultFilter
from comparator.ui.dashboards.pairs_behind import tally_link
from comparator.ui.frame.charts import PAIRS, Bars, Cell, Chart, Tone
from comparator.ui.frame.words import counted


def cost_charts(found: Cost, used: Sequence[RunUsage], *, of: ResultFilter | str) -> Iterator[Chart]:
    """What it took; `used` is empty before the reveal."""
    decisions = [
        f"{per:.4f} {currency} a pair with a verdict ({found.decided:,})."
        for currency in sorted({each.currency for each in found.models if each.cost})
        if (per := found.per_decision(currency)) is not None
    ]
    yield Chart(
        "cost",
        "Tokens used for judging, by model",
        [_row(each) for each in found.models],
        Bars("Model", {"Tokens in": Tone.PLAIN, "Tokens out": Tone.EVEN})
        if any(each.input_tokens for each in found.models)
        else None,
        {PAIRS: [tally_link(of, "spent", {"model": each.model, "what": "pairs"}) for each in found.models]},
        note=" ".join(decisions) if found.models else "None of these pairs has been judged yet.",
    )
    time = found.review_time
    yield Chart(
        "minutes",
        "Minutes per final review",
        [
            {
                "Reviews": time.reviews,
                "Median (minutes)": time.median,
                "90th percentile (minutes)": time.nine_of_ten,
            }
        ]
        if time
        else (),
        opens={PAIRS: [tally_link(of, "minutes")]} if time else {},
        note="" if time else "None of these pairs has a final review yet.",
        help="From opening to finalising; a pause counts five minutes at most.",
    )
    if used:
        yield Chart(
            "candidates_cost",
            "Average tokens and time of the candidates' own runs",
            [
                {
                    "Candidate": each.name,
                    "Runs": each.runs,
                    "Tokens per run": None if each.tokens is None else round(each.tokens),
                    "Runs with token counts": each.with_tokens,
                    "Seconds per run": None if each.seconds is None else round(each.seconds, 1),
                    "Runs with times": each.with_seconds,
                }
                for each in used
            ],
            help="As reported by the import, over the counted runs that have the figure.",
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
        f"In the whole project, {took}. The charts count the chosen candidates, whatever verdicts are chosen."
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
        "Tokens in": each.input_tokens,
        "Tokens out": each.output_tokens,
        "Seconds": round(each.seconds, 1),
        "Seconds a pair": round(each.seconds / each.pairs, 1) if each.pairs else None,
        f"Cost ({each.currency})": float(each.cost),
        "Attempts without a known price": each.unpriced,
    }
