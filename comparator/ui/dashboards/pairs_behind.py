"""The pairs behind a bar or dot: the address that leads to them, their list, and one of them as a result."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Label, Winner
from comparator.domain.rights import Act
from comparator.interop.exported import Exported, ExportFormat, Remark
from comparator.reporting.facts import facts_of
from comparator.reporting.findings import Findings
from comparator.reporting.results.candidates import Names, names_of
from comparator.reporting.results.series import iterations_of, pooled
from comparator.reporting.scope import KIND_NAMES, ResultFilter
from comparator.reporting.theme_picture import Cited, citations
from comparator.reporting.why.pairs import (
    POINTS,
    RANKED,
    Behind,
    Pair,
    PairOutcome,
    Slice,
    number_of_pairs,
    pairs,
)
from comparator.reporting.why.slices import name_of_part
from comparator.store.pairs.runs import RunState
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.chart import (
    BEHIND,
    FOLLOWED,
    PAIR,
    SAYS,
    Link,
    numbers,
    pair_link,
    take_marks_back,
)
from comparator.ui.frame.charts.drawing import Cell, Row
from comparator.ui.frame.lists.filters import BY
from comparator.ui.frame.words import counted
from comparator.workflow.exporting.formats import ExportRequest, gather

LONGEST, HEIGHT, AROUND = 20_000, 300, 240
"""Characters of an output, pixels of its box, and characters before and after a quote."""


class Place(NamedTuple):
    """Words that were quoted from an output."""

    label: Label
    quote: str


def pair_result(project_id: str, comparison_id: str, *, one: str, says: str) -> None:
    """Show the pair; the candidate `one` (its id) stands at the left. A reason that `says` this opens its quote."""
    request = ExportRequest(format=ExportFormat.CSV, comparisons=(comparison_id,))
    pair = next(gather(session.services(), request, Counter()), None)
    if pair is None or pair.makers is None:
        st.info("This pair has no verdict, or an output was purged.", icon=":material/info:")
        return
    names = pair.makers.map(lambda maker: maker.candidate)
    left = next((label for label in Label if pair.makers[label].candidate_id == one), Label.A)
    sides = (left, left.other)
    # Both may be runs of one candidate.
    called = {label: f"{names[label]} ({label.value})" for label in sides}
    who = "Tie" if pair.winner is Winner.TIE else "No winner"
    if pair.loser:
        who = f"{called[pair.loser.other]} wins"
    scores = pair.result.rubric.map(lambda of: of.overall_score) if pair.result else None
    first = pair.loser.other if pair.loser else left
    figures = f", {scores[first]} to {scores[first.other]}" if scores else ""
    st.subheader(safe.text(f"{pair.title}: {who}{figures}"), anchor=False)
    st.caption(safe.text(f"Verdict by {pair.source.value}, {pair.decided}. A is {names.A}, B is {names.B}."))
    if pair.prose.reasoning:
        safe.write(safe.text(pair.prose.reasoning))
    placed = _place(pair, called, says)
    for column, label in zip(st.columns(2, gap="small"), sides, strict=True):
        with column:
            won = " ✓" if pair.winner is not None and pair.winner.value == label.value else ""
            safe.write(safe.text(f"{called[label]}{won}"))
            text = pair.texts[label]
            if placed and placed.label is label:
                safe.write(safe.marked(_around(text, placed.quote), placed.quote))
            st.code(text[:LONGEST] or "No text", language=None, wrap_lines=True, height=HEIGHT)
            if len(text) > LONGEST:
                st.caption(safe.text(f"The first {LONGEST:,} of {len(text):,} characters."))
    if rows := _remarks(pair, called):
        st.dataframe(rows, hide_index=True, key=f"remarks_{comparison_id}")
    if session.may(Act.REVIEW, project_id=project_id):
        pair_link(comparison_id, label="Open the review")


def _place(pair: Exported, called: Mapping[Label, str], says: str) -> Place | None:
    """Ask for one of the quotes that reasons rest on; it is shown in its output, with what stands around it."""
    quotes = [
        (remark, Place(label, quote))
        for label in called
        for remark in pair.of(label)
        for quote in remark.quotes
        if quote in pair.texts[label]
    ]
    if not quotes:
        return None
    at = st.selectbox(
        "Quoted for a reason",
        range(len(quotes)),
        index=next((at for at, (remark, _) in enumerate(quotes) if says and says in remark.rationale), None),
        format_func=lambda at: safe.visible(
            f"{quotes[at][0].name}, {called[quotes[at][1].label]}: {safe.beginning(quotes[at][1].quote, 90)}"
        ),
        placeholder="Choose a quote to see where it stands",
        key=f"place_{pair.id}_{says}",
    )
    return None if at is None else quotes[at][1]


def _around(text: str, quote: str) -> str:
    """What stands before and after a quote."""
    at = text.index(quote)
    return f"… {text[max(at - AROUND, 0) : at + len(quote) + AROUND]} …"


def _remarks(pair: Exported, called: Mapping[Label, str]) -> list[Row]:
    """A row for each criterion and expectation, with what both sides got and the reasons."""
    by_side = {label: {(line.dimension, line.key): line for line in pair.of(label)} for label in called}
    rows: list[Row] = []
    for key, first in by_side[next(iter(called))].items():
        row = {"": safe.visible(first.name)}
        for label, name in called.items():
            remark = by_side[label].get(key)
            row[name] = _value(remark)
            row[f"Why: {name}"] = safe.visible((remark.reason or remark.rationale) if remark else "")
        rows.append(row)
    return rows


def _value(remark: Remark | None) -> str:
    """A score, or whether an expectation is met, as text: one column has both."""
    if remark is None or remark.final is None:
        return ""
    if remark.is_expectation:
        return "met" if remark.final else "not met"
    return f"{remark.final:f}"


PICKED, SAID = "dashboards_picked", "dashboards_said"
"""In the session's state: the pair of the list whose outputs are shown below it, and the reason that was clicked."""
MOST = 200
QUOTED, REASON = 30, 220
STATES = {
    RunState.VOID: "unusable output",
    RunState.CUT_OFF: "cut-off output",
    RunState.SUPERSEDED: "superseded output",
}


def pairs_link(of: ResultFilter | None, figure: str = "", /, **where: str) -> Link:
    """The address of the pairs that have a line with these values in a figure (see `reporting/why/pairs.py`).

    They are pairs of the result `of`; without it, of the project that is looked at.
    """
    return part_link(of, Slice(figure=figure, where=where))


def against_graders(findings: Findings) -> Link:
    """The pairs in which the graders of most pairs name another winner than the verdict."""
    author = findings.graders[0].author
    link = pairs_link(findings.filter, "grader", author=author, same="False")
    return link.saying(f"{author} names another winner")


def part_link(of: ResultFilter | None, part: Slice) -> Link:
    """The address of a part of the pairs of a result; without one, of the project that is looked at."""
    query = session.with_project(behind=Behind(result=of, part=part).address)
    return Link(f"/dashboards?{urlencode(query)}")


def show_addressed_pairs(project_id: str) -> None:
    """The pairs behind the bar that the page's address asks for."""
    address = st.query_params.get(BEHIND)
    if address:
        says = st.query_params.get(SAYS, "")
        with st.container(border=True):
            st.subheader(safe.text(says or "The pairs behind one figure"), anchor=False)
            _show(project_id, address)


def show_clicked_pairs(project_id: str) -> None:
    """The pairs behind the mark that was clicked just now, in a dialog."""
    followed = st.session_state.pop(FOLLOWED, None)
    if followed is not None:
        st.session_state.pop(PICKED, None)
        query = dict(parse_qsl(urlsplit(followed).query))
        title = safe.text(query.get(SAYS) or "The pairs behind this mark")
        # The chart is drawn anew only when its list is closed, so that the list need not wait for it.
        st.dialog(title, width="large", on_dismiss=take_marks_back)(_show)(project_id, query[BEHIND])


def _show(project_id: str, address: str) -> None:
    database, wanted, what, number = session.services().database, Behind(), "", 0
    listed: tuple[Pair, ...] = ()
    quotes: tuple[Cited, ...] = ()
    try:
        wanted = read(project_id, address)
        only, result = wanted.part, wanted.result
        listed = pairs(database, project_id, result, only, limit=MOST)
        number = len(listed)
        if number == MOST:
            number = number_of_pairs(database, project_id, result, only)
        if result is not None and only.figure == "theme":
            speaks = only.where.get("speaks")
            points = POINTS[PairOutcome(speaks)] if speaks else None
            quotes = citations(database, result, only.where["theme_id"], points, limit=MOST)
        what = ": ".join(filter(None, (_of_what(wanted), _how_many(number, only))))
    except (ComparatorError, KeyError, ValueError):
        # Revealed no longer, or an address that somebody typed.
        listed = ()
    if not listed:
        st.info("No pairs are counted there now.", icon=":material/info:")
        return
    st.caption(safe.text(f"{what}. Click a row to see both outputs."))
    called = _called(wanted.result) if wanted.result else Names("", "")
    for quote in quotes[:QUOTED]:
        _quoted(quote, called.one if quote.of_one else called.two)
    if len(quotes) > QUOTED:
        st.caption(safe.text(f"The first {QUOTED} of {counted(len(quotes), 'finding')} are quoted."))
    numbers(
        BEHIND,
        [_row(pair, called) for pair in listed],
        on_pick=_pick,
        number=number,
        all_rows=lambda: [
            _row(pair, called) for pair in pairs(database, project_id, wanted.result, wanted.part, limit=None)
        ],
    )
    picked = listed[0].comparison_id if len(listed) == 1 else st.session_state.get(PICKED)
    if picked is not None:
        one = wanted.result.one if wanted.result else ""
        pair_result(project_id, picked, one=one, says=st.session_state.get(SAID, ""))


def _row(pair: Pair, called: Names) -> Row:
    row: dict[str, Cell] = {"Task": pair.title}
    if pair.iteration:
        row["Iteration"] = pair.iteration
    if pair.states:
        row["Left out"] = ", ".join(STATES[state] for state in pair.states)
    elif pair.outcome and pair.kind:
        row |= {
            f"{called.one} has": pair.outcome.value,
            "Overall difference": pair.difference,
            f"Graders: {called.one} to {called.two}": pair.graded and "{:.0%} to {:.0%}".format(*pair.graded),
            "Whose verdict": KIND_NAMES[pair.kind],
            f"Reason ({called.one} is A or B)": f"{pair.one_is}: {safe.beginning(pair.reasoning, REASON)}",
        }
    return {**row, PAIR: pair.comparison_id}


def read(project_id: str, address: str) -> Behind:
    """What the address asks for, of this project whatever it says. Raises ValueError."""
    wanted = Behind.model_validate_json(address)
    if wanted.result is None:
        return wanted
    result = wanted.result.copy_with(project_id=project_id)
    if wanted.pooled:
        result = pooled(session.services().database, result)
    return wanted.copy_with(result=result)


def _of_what(wanted: Behind) -> str:
    """Whose pairs are listed, and to which parts they are narrowed."""
    result = wanted.result
    if result is None:
        return "In the whole project"
    if wanted.part.figure == RANKED:
        return ""
    called = _called(result)
    with facts_of(session.services().database, result.project_id) as facts:
        parts = [f"{BY[part.by].lower()} “{name_of_part(facts, part)}”" for part in result.within]
    left_out = "Left out of the result, " if wanted.part.figure == "void" else ""
    return f"{left_out}{', '.join((f'{called.one} against {called.two}', *parts))}"


def _called(result_filter: ResultFilter) -> Names:
    database = session.services().database
    series = iterations_of(database, result_filter) if result_filter.also else None
    if series is None:
        with facts_of(database, result_filter.project_id) as facts:
            return names_of(facts, one=result_filter.one, two=result_filter.two)
    return Names(series.one, series.two)


def _how_many(number: int, part: Slice) -> str:
    if part.first_of:
        return f"the first {number} of {counted(part.first_of, 'pair')}"
    return counted(number, "pair") + (f", the first {MOST} of them here" if number > MOST else "")


def _pick(comparison_id: str | None, says: str = "") -> None:
    st.session_state[PICKED], st.session_state[SAID] = comparison_id, says


def _quoted(citation: Cited, candidate: str) -> None:
    """A finding with the words marked that assign it to the theme."""
    safe.write(safe.marked(citation.finding.words, citation.quote))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            safe.middle(citation.title, 60),
            key=f"quoted_{citation.finding.id}",
            type="tertiary",
            icon=":material/balance:",
            on_click=_pick,
            args=(citation.finding.comparison_id, citation.finding.words),
        )
        st.caption(
            safe.text(
                f"a {citation.finding.source.value} of {candidate}, stated by the {citation.finding.speaker.value}"
            )
        )
