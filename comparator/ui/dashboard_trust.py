"""How far the judge can be trusted, and what judging took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from comparator.reporting.spending import Spent, spending
from comparator.reporting.trust import AgreementCounts, Criterion, JudgeModel, Stated, Trust, agreement, trust
from comparator.ui import charts, dashboard_words, session
from comparator.ui.dashboard_panel import Cell, panel
from comparator.ui.theme import palette
from comparator.ui.words import counted

SAME, OTHER = "same winner", "another winner"
LABELS = ("A", "B", "tie")


def trust_part(project_id: str, *, baseline: bool) -> None:
    """Show how far the judge can be trusted, over the whole project. Raises BlindnessError while it is open."""
    found = trust(session.services().database, project_id, baseline=baseline)
    st.header("How far to trust the judge", anchor=False)
    if not found.models:
        st.info(
            "No model has judged in this project. Its agreement with reviewers, its flips, quotes and stated "
            "confidence stand here once one has.",
            icon=":material/info:",
        )
        return
    agreement_panel(found.agreement, rows=_confusion(found.agreement))
    _models(found.models)
    _criteria(found.criteria)
    _stated(found)


def agreement_before_reveal(project_id: str) -> None:
    """Show how often the judge and reviewers named the same winner, and not which: others may still have to review."""
    found = agreement(session.services().database, project_id)
    rows: list[dict[str, Cell]] = [
        {"Reviews by": dashboard_words.HOW[each.how], SAME.capitalize(): each.same, "Reviews": each.n}
        for each in found.by_how
    ]
    agreement_panel(found, rows=rows)


def agreement_panel(found: AgreementCounts, *, rows: Sequence[Mapping[str, Cell]]) -> None:
    """How often the judge and reviewers named the same winner, with these numbers behind it."""
    silent = (
        f" {counted(found.no_opinion, 'review')} in which nothing was confirmed or changed "
        f"{'is' if found.no_opinion == 1 else 'are'} no opinion and left out."
        if found.no_opinion
        else ""
    )
    if not found.by_how:
        counts = f"No final review of a pair that a model judged yet.{silent}"
    else:
        counts = " ".join(dashboard_words.agreement(each) for each in found.by_how) + silent
    panel(
        "agreement",
        title="Final reviews that named the judge's winner, and that did not",
        counts=counts,
        figure=_same_or_not(
            [dashboard_words.HOW[each.how].capitalize() for each in found.by_how],
            [(each.same, each.n) for each in found.by_how],
        )
        if found.by_how
        else None,
        rows=rows,
    )


def cost_part(project_id: str) -> None:
    """Show what judging took by model; names no candidate, so an open project may show it."""
    found = spending(session.services().database, project_id)
    st.header("Cost and time of judging", anchor=False)
    if not found:
        st.info("Nothing was judged yet. Tokens, money and time stand here by model.", icon=":material/info:")
        return
    panel(
        "cost",
        title="What judging took, by model",
        counts=" ".join(_cost(each) for each in found),
        figure=None,
        rows=[
            {
                "Model": each.model,
                "Pairs": each.pairs,
                "Tries": each.tries,
                "Failed": each.failed,
                "Tokens in": each.input_tokens,
                "Tokens out": each.output_tokens,
                "Seconds": round(each.seconds, 1),
                f"Cost ({each.currency})": float(each.cost),
                "Tries without a known price": each.unpriced,
            }
            for each in found
        ],
    )


def _confusion(found: AgreementCounts) -> list[dict[str, Cell]]:
    return [
        {
            "Reviews by": dashboard_words.HOW[each.how],
            "Judge said": judge,
            **{f"Reviewer said {LABELS[at]}": count for at, count in enumerate(row)},
        }
        for each in found.by_how
        for judge, row in zip(LABELS, each.counts, strict=True)
    ]


def _models(found: tuple[JudgeModel, ...]) -> None:
    told = " ".join(
        f"{each.model}: {each.flipped} of {counted(each.read_twice, 'pair')} flipped "
        f"({dashboard_words.interval(each.flips)}); {each.quotes_missing} of {counted(each.quotes, 'quote')} "
        "not found in the outputs."
        for each in found
    )
    shown = palette()
    panel(
        "flips",
        title="Pairs on which the judge kept its winner when the order was swapped, and on which it did not",
        counts=told,
        figure=charts.stacked(
            [each.model for each in found],
            (
                charts.Segment(
                    "kept", shown.muted, shown.page, tuple(each.read_twice - each.flipped for each in found)
                ),
                charts.Segment("flipped", shown.line, shown.ink, tuple(each.flipped for each in found)),
            ),
            palette=shown,
        ),
        rows=[
            {
                "Model": each.model,
                "Judged": each.judged,
                "Read in both orders": each.read_twice,
                "Flipped": each.flipped,
                "Quotes": each.quotes,
                "Quotes not found": each.quotes_missing,
            }
            for each in found
        ],
    )


def _criteria(found: tuple[Criterion, ...]) -> None:
    if not found:
        return
    shown = palette()
    confirmed, changed = sum(each.confirmed for each in found), sum(each.changed for each in found)
    panel(
        "criteria",
        title="The judge's scores that reviewers confirmed, and changed, by criterion",
        counts=f"{counted(confirmed + changed, 'score')} in final reviews that somebody confirmed or changed with the "
        f"judge's score in view; {changed} changed. Scores left untouched are no opinion.",
        figure=charts.stacked(
            [_criterion(each.path) for each in found],
            (
                charts.Segment("confirmed", shown.muted, shown.page, tuple(e.confirmed for e in found)),
                charts.Segment("changed", shown.line, shown.ink, tuple(e.changed for e in found)),
            ),
            palette=shown,
        ),
        rows=[
            {
                "Criterion": _criterion(each.path),
                "Confirmed": each.confirmed,
                "Changed": each.changed,
                "Changed (share)": dashboard_words.interval(each.share),
            }
            for each in found
        ],
    )


def _stated(found: Trust) -> None:
    if not found.stated:
        return
    told = [_outcome(each) for each in found.stated]
    panel(
        "stated",
        title="Reviews that named the judge's winner, by the confidence that the judge had stated",
        counts=f"{counted(sum(each.n for each in found.stated), 'final review')}. If the judge knew itself, the share "
        f"would match the confidence. {' '.join(told)}",
        figure=_same_or_not(
            [f"stated {each.confidence}%" for each in found.stated],
            [(each.same, each.n) for each in found.stated],
        ),
        rows=[
            {
                "Stated confidence (%)": each.confidence,
                "Same winner": each.same,
                "Reviews": each.n,
                "Share": dashboard_words.interval(each.share),
            }
            for each in found.stated
        ],
    )


def _same_or_not(rows: list[str], counts: list[tuple[int, int]]) -> charts.Figure:
    shown = palette()
    return charts.stacked(
        rows,
        (
            charts.Segment(SAME, shown.muted, shown.page, tuple(same for same, _ in counts)),
            charts.Segment(OTHER, shown.line, shown.ink, tuple(n - same for same, n in counts)),
        ),
        palette=shown,
    )


def _outcome(each: Stated) -> str:
    return f"At {each.confidence}%: {each.same} of {each.n} ({dashboard_words.interval(each.share)})."


def _criterion(path: str) -> str:
    dimension, _, key = path.partition(".")
    return f"{key.replace('_', ' ').capitalize()} ({dimension})"


def _cost(each: Spent) -> str:
    price = f"{each.cost:.4f} {each.currency}" if each.cost else "nothing"
    if each.unpriced:
        price = f"at least {each.cost:.4f} {each.currency}: {each.unpriced} of {each.tries} tries have no known price"
    per_pair = f", {each.seconds / each.pairs:.1f} s a pair" if each.pairs else ""
    return f"{each.model}: {counted(each.pairs, 'pair')}, {each.seconds:.1f} s{per_pair}, {price}."
