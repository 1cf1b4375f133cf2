"""The pairs behind a bar or dot: the address that leads to them, their list, and one of them as a result."""

from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from comparator.domain.errors import ComparatorError
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
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.chart import (
    BEHIND,
    FOLLOWED,
    PAIR,
    SAYS,
    Link,
    numbers,
    take_marks_back,
)
from comparator.ui.frame.charts.drawing import Cell, Row
from comparator.ui.frame.lists.filters import BY
from comparator.ui.frame.pair_result import pair_result, pair_steps
from comparator.ui.frame.words import counted

PICKED, SAID = "dashboards_picked", "dashboards_said"
"""In the session's state: the pair of the list whose outputs are shown below it, and the reason that was clicked."""
MOST = 200
ALONE, ABOVE = 15, 6
"""Rows of the list that are seen at once, before a pair is picked and above its result."""
QUOTED, REASON = 30, 220


def pairs_link(of: ResultFilter | None, figure: str = "", /, **where: str) -> Link:
    """The address of the pairs that have a line with these values in a figure (see `reporting/why/pairs.py`).

    They are pairs of the result `of`; without it, of the project that is looked at.
    """
    return part_link(of, Slice(figure=figure, where=where))


def against_graders(findings: Findings) -> Link:
    """The pairs in which the graders of most pairs name another winner than the verdict."""
    author = findings.graders[0].author
    link = pairs_link(findings.filter, "grader", author=author, against="True")
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
    ids = [pair.comparison_id for pair in listed]
    picked = ids[0] if len(ids) == 1 else st.session_state.get(PICKED)
    if picked in ids:
        # The row that is marked follows the buttons below.
        st.session_state[f"rows_{BEHIND}"] = {"selection": {"rows": [ids.index(picked)]}}
    numbers(
        BEHIND,
        [_row(pair, called) for pair in listed],
        on_pick=_pick,
        in_view=ALONE if picked is None else ABOVE,
        number=number,
        all_rows=lambda: [
            _row(pair, called) for pair in pairs(database, project_id, wanted.result, wanted.part, limit=None)
        ],
    )
    if picked is not None:
        if picked in ids and len(ids) > 1:
            pair_steps(ids, PICKED)
        one = wanted.result.one if wanted.result else ""
        pair_result(project_id, picked, one=one, says=st.session_state.get(SAID, ""))


def _row(pair: Pair, called: Names) -> Row:
    row: dict[str, Cell] = {"Task": pair.title}
    if pair.iteration:
        row["Iteration"] = pair.iteration
    if pair.not_valid:
        whose = {"both": "Both", pair.one_is: called.one}.get(pair.not_valid_in, called.two)
        row["Left out"] = f"{whose}: {pair.not_valid}"
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
