"""The pairs behind a bar or dot: the address that leads to them, and their list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode, urlsplit

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Frozen
from comparator.reporting.results.candidates import Names, names_of
from comparator.reporting.results.decision import void_pairs
from comparator.reporting.results.over_iterations import iterations_of, pooled
from comparator.reporting.scope import KIND_NAMES, ResultFilter
from comparator.reporting.theme_picture import Cited, cited
from comparator.reporting.why.pairs import WHOLE, Slice, pairs, tally_pairs
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
from comparator.ui.frame.charts.drawing import Row
from comparator.ui.frame.lists.filters import BY, parts_chosen
from comparator.ui.frame.words import counted

BEHIND = "behind"
PICKED, SAID = "dashboards_picked", "dashboards_said"
"""In the session's state: the pair of the list whose outputs are shown below it, and the reason that was clicked."""
MOST = 200
QUOTED, REASON = 30, 220
FIGURES = frozenset(
    {"judge", "agree", "stated", "score_reviewed", "score_reviewed_model", "reason", "cross", "order", "lean"}
    | {"gold", "gold_people", "labelled", "won", "panel", "guess", "minutes", "spent"}
)
"""The figures of the tally that charts show. Pairs behind any other are not listed: it may tell of unrevealed ones."""
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


class Listed(NamedTuple):
    """The pairs, and what a theme rests on: findings, each with the name of its candidate."""

    rows: list[Row]
    cited: tuple[tuple[Cited, str], ...] = ()
    first_of: int = 0
    """How many pairs there are, where only the first of them were asked for."""


def tally_link(
    of: ResultFilter | str, figure: str, *where: Mapping[str, str], without: Mapping[str, str] | None = None
) -> Link:
    """The address of the pairs that add to a figure of the tally in lines with these values, and in none without.

    They are revealed pairs of the result `of`, or pairs of a whole project, by its id.
    """
    part = Slice(figure=figure, where=where, without=without or {})
    return _link(Behind(result=None if isinstance(of, str) else of, part=part))


def pairs_link(asked: ResultFilter, only: Slice = WHOLE) -> Link:
    """The address of a part of the pairs of a result."""
    return _link(Behind(result=asked, part=only))


def _link(asked: Behind) -> Link:
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
    wanted = Behind()
    try:
        wanted = read(project_id, asked)
        found = listed(project_id, wanted)
        what = ". ".join(filter(None, (_of_what(wanted), says)))
    except (ComparatorError, KeyError, ValueError):
        # Revealed no longer, or an address that somebody typed.
        found, what = None, ""
    if found is None or not found.rows:
        st.info("No pairs are counted there now.", icon=":material/info:")
        return
    st.caption(safe.text(f"{what}: {_how_many(found)}. Click a row to see both outputs."))
    for each, candidate in found.cited[:QUOTED]:
        _quoted(each, candidate)
    if len(found.cited) > QUOTED:
        st.caption(safe.text(f"The first {QUOTED} of {counted(len(found.cited), 'finding')} are quoted."))
    numbers(BEHIND, found.rows, on_pick=_pick)
    ids = [str(row[PAIR]) for row in found.rows]
    picked = ids[0] if len(ids) == 1 else st.session_state.get(PICKED)
    if picked is not None:
        one = wanted.result.one if wanted.result else ""
        pair_result(project_id, picked, one=one, says=st.session_state.get(SAID, ""))


def read(project_id: str, asked: str) -> Behind:
    """What the address asks for, of this project whatever it says. Raises ValueError."""
    wanted = Behind.model_validate_json(asked)
    if wanted.result is None:
        return wanted
    result = wanted.result.model_copy(update={"project_id": project_id})
    if wanted.pooled:
        result = pooled(session.services().database, result)
    return wanted.model_copy(update={"result": result})


def listed(project_id: str, wanted: Behind) -> Listed | None:
    """The pairs. Raises BlindnessError; None for a figure that no chart shows."""
    if wanted.part.figure:
        return _of_tally(project_id, wanted) if wanted.part.figure in FIGURES else None
    if wanted.result is None:
        return None
    return _void(wanted.result) if wanted.part.void else _of_result(wanted.result, wanted.part)


def _of_result(asked: ResultFilter, only: Slice) -> Listed:
    database = session.services().database
    rows = pairs(database, asked, only=only, limit=MOST)
    quotes = cited(database, asked, only.theme, only.theme_points, limit=MOST) if only.theme else ()
    called = _called(asked)
    return Listed(
        [
            {
                "Task": row.title,
                f"{called.one} has": row.outcome.value,
                "Overall difference": row.difference,
                "Whose verdict": KIND_NAMES[row.kind],
                f"Reason ({called.one} is A or B)": f"{row.one_is}: {safe.beginning(row.reasoning, REASON)}",
                PAIR: row.comparison_id,
            }
            for row in rows
        ],
        tuple((each, called.one if each.of_one else called.two) for each in quotes),
        only.first_of,
    )


def _void(asked: ResultFilter) -> Listed:
    rows = void_pairs(session.services().database, asked, limit=MOST)
    return Listed(
        [
            {
                "Task": row.title,
                "Left out": ", ".join(STATES[state] for state in row.states),
                PAIR: row.comparison_id,
            }
            for row in rows
        ]
    )


def _of_tally(project_id: str, wanted: Behind) -> Listed:
    # Guesses by candidate, and what people guessed, are told of revealed pairs only; see counting.py.
    # A ranking counts pairs of all candidates in the parts that are chosen.
    within = parts_chosen() if wanted.part.figure == "won" else ()
    database = session.services().database
    rows = tally_pairs(database, project_id, wanted.part, of=wanted.result, within=within, limit=MOST)
    return Listed([{"Task": row.title, PAIR: row.comparison_id} for row in rows])


def _of_what(wanted: Behind) -> str:
    """Whose pairs are listed, and to which parts they are narrowed."""
    result = wanted.result
    if result is None:
        return "" if wanted.part.figure == "won" else "In the whole project"
    called, database = _called(result), session.services().database
    parts = [
        f"{BY[each.by].lower()} “{name_of_part(database, each, project_id=result.project_id)}”"
        for each in result.within
    ]
    left_out = "Left out of the result, " if wanted.part.void else ""
    return f"{left_out}{', '.join((f'{called.one} against {called.two}', *parts))}"


def _called(asked: ResultFilter) -> Names:
    database = session.services().database
    series = iterations_of(database, asked) if asked.also else None
    if series is None:
        return names_of(database, asked.project_id, one=asked.one, two=asked.two)
    return Names(series.one, series.two)


def _how_many(found: Listed) -> str:
    number = len(found.rows)
    if found.first_of:
        return f"the first {number} of {counted(found.first_of, 'pair')}"
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
