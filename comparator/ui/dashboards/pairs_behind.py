"""The pairs behind a bar or dot: the address that leads to them, and their list."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of
from comparator.reporting.results.candidates import Names, names_of
from comparator.reporting.results.over_iterations import iterations_of, pooled
from comparator.reporting.scope import KIND_NAMES, ResultFilter
from comparator.reporting.theme_picture import Cited, cited
from comparator.reporting.why.pairs import POINTS, RANKED, WHOLE, Pair, PairOutcome, Slice, pairs
from comparator.reporting.why.slices import name_of_part
from comparator.store.pairs.runs import RunState
from comparator.ui.dashboards.pair_result import pair_result
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.chart import (
    FOLLOWED,
    PAIR,
    SAYS,
    Link,
    numbers,
    take_marks_back,
)
from comparator.ui.frame.charts.drawing import Cell, Row
from comparator.ui.frame.lists.filters import BY
from comparator.ui.frame.words import counted

BEHIND = "behind"
PICKED, SAID = "dashboards_picked", "dashboards_said"
"""In the session's state: the pair of the list whose outputs are shown below it, and the reason that was clicked."""
MOST = 200
QUOTED, REASON = 30, 220
STATES = {
    RunState.VOID: "unusable output",
    RunState.CUT_OFF: "cut-off output",
    RunState.SUPERSEDED: "superseded output",
}


class Behind(Frozen):
    """What an address asks for: a part of the pairs of a result, or of the whole project."""

    result: ResultFilter | None = None
    """None is the whole project."""
    pooled: bool = False
    """Whether all iterations of the two count."""
    part: Slice = WHOLE


def pairs_link(of: ResultFilter | None, figure: str = "", /, **where: str) -> Link:
    """The address of the pairs that have a line with these values in a figure (see `reporting/why/pairs.py`).

    They are pairs of the result `of`; without it, of the project that is looked at.
    """
    return part_link(of, Slice(figure=figure, where=where))


def part_link(of: ResultFilter | None, part: Slice) -> Link:
    """The address of a part of the pairs of a result; without one, of the project that is looked at."""
    asked = Behind(result=of, part=part)
    if asked.result is not None and asked.result.also:
        # So many iterations would make an address too long; they are found again when it is followed.
        result = asked.result.model_copy(update={"also": ()})
        asked = asked.model_copy(update={"result": result, "pooled": True})
    query = session.with_project(behind=asked.model_dump_json(exclude_defaults=True))
    return Link(f"/dashboards?{urlencode(query)}")


def behind_asked(project_id: str) -> None:
    """The pairs behind the bar that the page's address asks for."""
    asked = st.query_params.get(BEHIND)
    if asked:
        with st.container(border=True):
            st.subheader("The pairs behind one figure", anchor=False)
            _show(project_id, asked, st.query_params.get(SAYS, ""))


def behind_clicked(project_id: str) -> None:
    """The pairs behind the mark that was clicked just now, in a dialog."""
    followed = st.session_state.pop(FOLLOWED, None)
    if followed is not None:
        st.session_state.pop(PICKED, None)
        _dialog(project_id, parse_qs(urlsplit(followed).query))


# The chart is drawn anew only when its list is closed, so that the list need not wait for it.
@st.dialog("The pairs behind this mark", width="large", on_dismiss=take_marks_back)
def _dialog(project_id: str, asked: dict[str, list[str]]) -> None:
    _show(project_id, asked[BEHIND][0], asked.get(SAYS, [""])[0])


def _show(project_id: str, asked: str, says: str) -> None:
    database, wanted, what = session.services().database, Behind(), ""
    found: tuple[Pair, ...] = ()
    quotes: tuple[Cited, ...] = ()
    try:
        wanted = read(project_id, asked)
        only, result = wanted.part, wanted.result
        found = pairs(database, project_id, result, only, limit=MOST)
        if result is not None and only.figure == "theme":
            speaks = only.where.get("speaks")
            points = POINTS[PairOutcome(speaks)] if speaks else None
            quotes = cited(database, result, only.where["theme_id"], points, limit=MOST)
        what = ". ".join(filter(None, (_of_what(wanted), says)))
    except (ComparatorError, KeyError, ValueError):
        # Revealed no longer, or an address that somebody typed.
        found = ()
    if not found:
        st.info("No pairs are counted there now.", icon=":material/info:")
        return
    st.caption(safe.text(f"{what}: {_how_many(len(found), wanted.part)}. Click a row to see both outputs."))
    called = _called(wanted.result) if wanted.result else Names("", "")
    for each in quotes[:QUOTED]:
        _quoted(each, called.one if each.of_one else called.two)
    if len(quotes) > QUOTED:
        st.caption(safe.text(f"The first {QUOTED} of {counted(len(quotes), 'finding')} are quoted."))
    numbers(BEHIND, [_row(each, called) for each in found], on_pick=_pick)
    picked = found[0].comparison_id if len(found) == 1 else st.session_state.get(PICKED)
    if picked is not None:
        one = wanted.result.one if wanted.result else ""
        pair_result(project_id, picked, one=one, says=st.session_state.get(SAID, ""))


def _row(each: Pair, called: Names) -> Row:
    row: dict[str, Cell] = {"Task": each.title}
    if each.states:
        row["Left out"] = ", ".join(STATES[state] for state in each.states)
    elif each.outcome and each.kind:
        row |= {
            f"{called.one} has": each.outcome.value,
            "Overall difference": each.difference,
            "Whose verdict": KIND_NAMES[each.kind],
            f"Reason ({called.one} is A or B)": f"{each.one_is}: {safe.beginning(each.reasoning, REASON)}",
        }
    return {**row, PAIR: each.comparison_id}


def read(project_id: str, asked: str) -> Behind:
    """What the address asks for, of this project whatever it says. Raises ValueError."""
    wanted = Behind.model_validate_json(asked)
    if wanted.result is None:
        return wanted
    result = wanted.result.model_copy(update={"project_id": project_id})
    if wanted.pooled:
        result = pooled(session.services().database, result)
    return wanted.model_copy(update={"result": result})


def _of_what(wanted: Behind) -> str:
    """Whose pairs are listed, and to which parts they are narrowed."""
    result = wanted.result
    if result is None:
        return "In the whole project"
    if wanted.part.figure == RANKED:
        return ""
    called, database = _called(result), session.services().database
    parts = [
        f"{BY[each.by].lower()} “{name_of_part(database, each, project_id=result.project_id)}”"
        for each in result.within
    ]
    left_out = "Left out of the result, " if wanted.part.figure == "void" else ""
    return f"{left_out}{', '.join((f'{called.one} against {called.two}', *parts))}"


def _called(asked: ResultFilter) -> Names:
    database = session.services().database
    series = iterations_of(database, asked) if asked.also else None
    if series is None:
        with facts_of(database, asked.project_id) as facts:
            return names_of(facts, one=asked.one, two=asked.two)
    return Names(series.one, series.two)


def _how_many(number: int, part: Slice) -> str:
    if part.first_of:
        return f"the first {number} of {counted(part.first_of, 'pair')}"
    return f"the first {MOST} pairs" if number == MOST else counted(number, "pair")


def _pick(comparison_id: str | None, says: str = "") -> None:
    st.session_state[PICKED], st.session_state[SAID] = comparison_id, says


def _quoted(each: Cited, candidate: str) -> None:
    """A finding with the words marked that assign it to the theme."""
    safe.write(safe.marked(each.finding.words, each.quote))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            safe.middle(each.title, 60),
            key=f"quoted_{each.finding.id}",
            type="tertiary",
            icon=":material/balance:",
            on_click=_pick,
            args=(each.finding.comparison_id, each.finding.words),
        )
        st.caption(
            safe.text(
                f"a {each.finding.source.value} of {candidate}, stated by the {each.finding.speaker.value}"
            )
        )
