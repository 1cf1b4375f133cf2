"""The charts of what judging and reviewing took, and of what the candidates themselves used."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from comparator.reporting.findings import Findings
from comparator.reporting.frames import Frame
from comparator.reporting.results.breaks import Break
from comparator.reporting.results.candidates import Names
from comparator.reporting.results.spending import (
    Cost,
    Spent,
    Usage,
    cost,
    largest_change,
    ratios,
    runs_by_step,
)
from comparator.reporting.scope import ResultFilter
from comparator.store.facts.review_facts import PAUSE
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.cost_words import about_the_same, dollars, runs_took, times_of
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import session
from comparator.ui.frame.charts import PAIRS, Bars, Cell, Chart, Dumbbells, Lines, Tone, break_marks
from comparator.ui.frame.inputs import set_price
from comparator.ui.frame.words import counted

NOTHING_TOLD = "The import says nothing of tokens, seconds or cost."


def charts_of_result(top: Findings) -> Iterator[Chart]:
    """What the pairs of a result took, with the candidates' own runs in the latest iteration and in each."""
    database, history = session.services().database, top.history
    over_iterations: Iterable[Chart] = ()
    if history:
        steps = {iteration.name: iteration.met for iteration in history.iterations}
        runs = runs_by_step(database, top.filter, top.names, steps)
        over_iterations = over_iterations_charts(runs, top.names, history.steps, history.breaks)
    yield from cost_charts(
        cost(database, top.filter.project_id, of=top.filter),
        top.usage_now,
        of=top.filter,
        when=sentences.latest(top),
        over_iterations=over_iterations,
    )


def cost_charts(
    spent: Cost,
    used: Usage | None,
    *,
    of: ResultFilter | None,
    when: str = "",
    over_iterations: Iterable[Chart] = (),
) -> Iterator[Chart]:
    """What it took; `used` are the runs of `when`, None before the reveal. What nobody has counted is empty, not 0."""
    if used is not None and used.one and used.two:
        one, two, price = used.one, used.two, price_of_runs(used)
        no_price = used.prices is None and bool(one.models)
        rows: list[dict[str, Cell]] = [
            {
                "Mean per run": words,
                one.name: round(here, 4),
                two.name: round(there, 4),
                "Means": f"{here:{form}} against {there:{form}}",
            }
            for words, here, there, form in (
                ("Tokens", one.tokens, two.tokens, ",.0f"),
                ("Seconds", one.seconds, two.seconds, ",.1f"),
                ("Cost", one.cost, two.cost, ",.4f"),
            )
            if here and there
        ]
        yield Chart(
            "candidates_cost",
            f"{took}{when}" if (took := runs_took(used)) else "The candidates' own runs",
            rows,
            Dumbbells("Mean per run", one.name, two.name, "Means"),
            note=NOTHING_TOLD if not rows else "" if no_price else price,
            help=f"Means that the import reports, of {one.runs:,} and {two.runs:,} valid runs; {two.name} is 100%. "
            "Tokens are all that a run read and wrote, so a longer output alone hardly adds to them.",
            pairs=min(one.runs, two.runs) if when else None,
            under=partial(set_price, price) if no_price else None,
        )
        yield from over_iterations
    money = in_money(spent)
    every = [_row(model) for model in spent.models]
    known = [name for name in (every[0] if every else ()) if any(row.get(name) is not None for row in every)]
    note = "" if every else "None of these pairs has been judged yet."
    if len(every) == 1:
        # One model is told in a sentence.
        note, every = Bars(known[0], dict.fromkeys(known[1:], Tone.PLAIN)).words(every), []
    yield Chart(
        "cost",
        f"Judging {counted(spent.decided, 'pair')} with a verdict took {money}"
        f"{f', {spent.usd / spent.decided:.4f} USD a pair' if spent.decided else ''}"
        if money
        else "What judging these pairs took",
        [{name: row.get(name) for name in known} for row in every],
        Bars("Model", {"Tokens in": Tone.PLAIN, "Tokens out": Tone.EVEN})
        if any(model.input_tokens for model in spent.models)
        else None,
        {PAIRS: [pairs_link(of, "spent", model=model.model) for model in spent.models]},
        note=note,
    )
    time = spent.review_time
    if time and (not time.median or time.median == time.nine_of_ten == PAUSE.seconds / 60):
        # Where reviews count as no time, or as a single pause, nothing is known of how long they took.
        return
    if time and time.nine_of_ten:
        median = f"{time.median:.1f} minutes" if time.median >= 1 else f"{60 * time.median:.0f} seconds"
        title = f"A final review takes {median} (median)"
        within = f"take at most {time.nine_of_ten:.1f} minutes; a pause counts five at most"
        yield Chart("minutes", title, note=f"Nine of ten of {counted(time.reviews, 'review')} {within}.")
    else:
        note = f"No time is known of {counted(time.reviews if time else 0, 'final review')}."
        yield Chart("minutes", "Minutes per final review", note=note)


def over_iterations_charts(
    runs: Frame, called: Names, steps: Sequence[str], breaks: Sequence[Break] | None
) -> Iterator[Chart]:
    """The tokens of both candidates by iteration, else the seconds; nothing where no import has either."""
    what, times = ratios(runs, called)
    if not times:
        return
    first, *_, latest = [*map(times_of, times.values())] * 2
    one, two = called
    title = f"{one} took {first} times the {what.lower()} of {two} at first, {latest} in the latest iteration"
    if all(map(about_the_same, times.values())):
        title = f"{one} took about as many {what.lower()} as {two} in every iteration"
    step, how = largest_change(times)
    known = runs[["Iteration", "Candidate", what, "Runs"]].dropna().round({what: 1})
    drawing = Lines(
        "Iteration",
        what,
        list(steps),
        by="Candidate",
        n="Runs",
        form=",.0f",
        between=(0, 1.1 * known[what].max()),
        breaks=break_marks.marks_of(breaks, steps),
    )
    rows = [{str(name): cell for name, cell in row.items()} for row in known.to_dict("records")]
    title += f"; it {how} at {step}" * bool(step)
    yield Chart("cost_over_time", title, rows, drawing, note=f"{what} per run by iteration.")


def price_of_runs(usage: Usage) -> str:
    """What a run of each costs, or why nothing is known."""
    models = ", ".join(dict.fromkeys(model for run in (usage.one, usage.two) if run for model in run.models))
    if usage.prices:
        one, two = usage.prices
        by_import = usage.one and usage.one.cost and usage.two and usage.two.cost
        source = "" if by_import else f" (list price of {models}, if all tokens were input or all output)"
        return f"A run costs {dollars(one)} against {dollars(two)}{source}."
    why = (
        f"no price of {models} is known"
        if models
        else "the import names neither the cost nor the model of a run"
    )
    return f"Compared without money: {why}."


def in_all(spent: Cost) -> str:
    """What judging took in the whole project, and what the charts above it count."""
    tries = sum(model.tries for model in spent.models)
    models = counted(len({model.model for model in spent.models}), "model")
    free = "imported, no cost known" if all(model.imported for model in spent.models) else "free"
    took = "nothing has been judged yet"
    if tries:
        pairs, requests = counted(spent.decided, "pair"), counted(tries, "request")
        took = f"judging {pairs} took {requests} to {models}: {in_money(spent) or free}"
    return f"In the whole project, {took}. The charts are of the chosen candidates' pairs."


def in_money(spent: Cost) -> str:
    """What judging cost; empty where it cost nothing."""
    if not spent.usd:
        return ""
    unpriced = any(model.unpriced for model in spent.models)
    return f"{'at least ' if unpriced else ''}{spent.usd:.{2 if spent.usd >= 1 else 4}f} USD"


def _row(spending: Spent) -> dict[str, Cell]:
    return {
        "Model": spending.model,
        "Pairs": spending.pairs,
        "Requests": spending.tries,
        "Failed": spending.failed or None,
        "Tokens in": spending.input_tokens or None,
        "Tokens out": spending.output_tokens or None,
        "Seconds": round(spending.seconds, 1) or None,
        "Seconds a pair": round(spending.seconds / spending.pairs, 1) or None if spending.pairs else None,
        "Cost (USD)": None if spending.imported else float(spending.cost),
        "Requests without a known price": spending.unpriced or None,
    }
