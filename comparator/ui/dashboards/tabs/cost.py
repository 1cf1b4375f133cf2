"""The charts of what judging and reviewing took, and of what the candidates themselves used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from comparator.reporting.results.candidates import Names, natural
from comparator.reporting.results.run_usage import RunUsage, pooled_usage
from comparator.reporting.results.spending import Cost, Spent
from comparator.reporting.scope import ResultFilter
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame.charts import PAIRS, Bars, Cell, Chart, Tone
from comparator.ui.frame.words import counted


def cost_charts(
    found: Cost, used: Sequence[RunUsage], *, of: ResultFilter | str, names: Names | None = None
) -> Iterator[Chart]:
    """What it took; `used` is empty before the reveal. What nobody has counted is empty, not 0."""
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
    if used and names and isinstance(of, ResultFilter):
        sides = [{met[at] for met in of.meetings} for at in (0, 1)]
        own = [[each for each in used if each.id in ids] for ids in sides]
        both = [
            pooled_usage(runs, f"{name}, all runs") for runs, name in zip(own, names, strict=True) if runs
        ]
        rows = sorted(used, key=lambda each: natural(each.name))
        yield Chart(
            "candidates_cost",
            sentences.runs_took(*both) if len(both) == 2 else "The candidates' own runs",
            [_usage(each) for each in (*both, *(rows if len(rows) > 2 else ()))],
            help="Means as reported by the import, over the counted runs that have the figure.",
        )


def _usage(each: RunUsage) -> dict[str, Cell]:
    return {
        "Candidate": each.name,
        "Runs": each.runs,
        "Tokens per run": None if each.tokens is None else round(each.tokens),
        "Runs with token counts": each.with_tokens,
        "Seconds per run": None if each.seconds is None else round(each.seconds, 1),
        "Runs with times": each.with_seconds,
    }


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
