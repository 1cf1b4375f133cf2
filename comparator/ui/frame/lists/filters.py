"""The filters of the dashboards; they stand in the address, so that what is seen can be linked."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import streamlit as st

from comparator.reporting.results.candidates import Meeting, Names, natural, stem
from comparator.reporting.results.result import Outcomes
from comparator.reporting.scope import PEOPLE, Meets, ResultFilter, Runs, VerdictKind, Verdicts, Within
from comparator.ui.frame import address, safe
from comparator.ui.frame.lists.kept_filters import kept
from comparator.ui.frame.lists.narrowing import BY, parts_chosen, widen
from comparator.ui.frame.words import counted

VERDICTS = {
    Verdicts.REVIEWED.value: "All reviews",
    Verdicts.BLIND.value: "Blind reviews",
    Verdicts.JUDGE.value: "Judge only (not reviewed)",
    Verdicts.EITHER.value: "Reviews, else the judge",
}
PICTURES = {"png": "PNG", "svg": "SVG"}
RUNS = {Runs.VALID.value: "Valid runs, no warm-ups", Runs.ALL.value: "All runs"}
JUDGED = {VerdictKind.JUDGE, VerdictKind.JUDGE_REVEALING}
PARTS = {
    "why": "Why",
    "where": "Where",
    "differ": "How they differ",
    "time": "Over time",
    "trust": "Trust",
    "cost": "Cost",
    "plan": "Plan and report",
}


class Reads(NamedTuple):
    """What the filters ask of the database."""

    iterations: Callable[[ResultFilter], int]
    """How many iterations the two met in."""
    pooled: Callable[[ResultFilter], ResultFilter]
    outcomes: Callable[[ResultFilter], tuple[Outcomes, ...]]
    """Pairs won, tied and lost for each kind of verdict, counted or not."""
    plain: Callable[[ResultFilter], dict[str, str]]
    """What the two are called over all iterations."""
    planned: tuple[tuple[str, str], ...]
    """The candidates of each plan."""


class ResultChoice(NamedTuple):
    """What the page shows: whose result, told from the side of the candidate that may be adopted."""

    asked: ResultFilter
    names: Names
    outcomes: tuple[Outcomes, ...]
    """Pairs won, tied and lost for each kind of verdict, counted or not."""


def filters(meetings: Sequence[Meeting], *, project_id: str, reads: Reads) -> ResultChoice:
    """Ask what to count, of candidates of which something is revealed; the newest iteration is chosen at first."""
    met_by_ids = _newest_first(meetings)
    first = _usual(met_by_ids, reads.planned)
    pair, scope, verdicts, more = st.columns([6, 3, 4, 2], gap="small", vertical_alignment="bottom")
    chosen = pair.selectbox(
        "Candidates",
        list(met_by_ids),
        format_func=lambda ids: _pair(met_by_ids[ids]),
        key=_from_address("pair", met_by_ids, usual=first),
        on_change=_keep,
        args=("pair",),
    )
    met = met_by_ids[chosen]
    called = _by_name(met)
    one, two = called
    asked = ResultFilter(project_id=project_id, one=one, two=two)
    iterations = reads.iterations(asked)
    whole = "this"
    if iterations > 1:
        with scope:
            whole = one_of("scope", {"all": f"All {iterations}", "this": "This one"}, "Iterations")
    if whole == "all":
        asked = reads.pooled(asked)
    with more, st.popover("More", icon=":material/tune:", key="dashboards_more"):
        which = one_of_many("runs", RUNS, "Runs")
        adopt_here = st.container()
        one_of("picture", PICTURES, "Charts are saved as", hint="By the camera at the top right of a chart.")
    asked = asked.model_copy(update={"runs": Runs(which), "within": parts_chosen()})
    outcomes = reads.outcomes(asked)
    with verdicts:
        chosen_verdicts = one_of_many("verdicts", VERDICTS, "Verdicts", usual=_usual_verdicts(outcomes).value)
    asked = asked.model_copy(update={"verdicts": Verdicts(chosen_verdicts)})
    usual_new = _usual_new(called, asked, outcomes)
    # Whoever chose none is told of the leader, also when other verdicts have another one.
    leader = st.session_state.get("dashboards_leader")
    if leader is not None and st.session_state.get("dashboards_adopt") == leader != kept().get("adopt"):
        st.session_state["dashboards_adopt"] = usual_new
    st.session_state["dashboards_leader"] = usual_new
    adopted = adopt_here.selectbox(
        "New candidate",
        list(called),
        format_func=lambda id: called.get(id, ""),
        key=_from_address("adopt", called, usual=usual_new),
        on_change=_keep,
        args=("adopt",),
        help="Results are shown from this candidate's side. The decision plan says whether it replaces the other.",
    )
    _to_address("pair", chosen, usual=first)
    _to_address("adopt", adopted, usual=usual_new)
    outcomes = _from_side(outcomes, adopted, asked.one)
    asked = _seen_from(asked, adopted)
    named = reads.plain(asked) if whole == "all" else called
    return ResultChoice(asked, Names(named[asked.one], named[asked.two]), outcomes)


def first_asked(meetings: Sequence[Meeting], *, project_id: str, reads: Reads) -> ResultChoice:
    """What the dashboards show of a project before anything is chosen on them: all iterations of the newest two."""
    met_by_ids = _newest_first(meetings)
    met = met_by_ids[_usual(met_by_ids, reads.planned)]
    called = _by_name(met)
    one, two = called
    asked = reads.pooled(ResultFilter(project_id=project_id, one=one, two=two))
    outcomes = reads.outcomes(asked)
    asked = asked.model_copy(update={"verdicts": _usual_verdicts(outcomes)})
    adopted = _usual_new(called, asked, outcomes)
    outcomes = _from_side(outcomes, adopted, asked.one)
    asked = _seen_from(asked, adopted)
    named = reads.plain(asked) if asked.also else called
    return ResultChoice(asked, Names(named[asked.one], named[asked.two]), outcomes)


def _newest_first(meetings: Sequence[Meeting]) -> dict[str, Meeting]:
    ordered = sorted(meetings, key=_newest, reverse=True)
    return {pair_id(met.one, met.two): met for met in ordered}


def pair_id(one: str, two: str) -> str:
    """The id of two candidates in the address, whichever is named first."""
    return ".".join(sorted((one, two)))


def _by_name(met: Meeting) -> dict[str, str]:
    """The two in the order of their names, so that where neither leads, the page tells of the same one each time."""
    return dict(
        sorted({met.one: met.one_name, met.two: met.two_name}.items(), key=lambda each: natural(each[1]))
    )


def _usual_verdicts(outcomes: Sequence[Outcomes]) -> Verdicts:
    kinds = {each.kind for each in outcomes}
    return Verdicts.REVIEWED if kinds & set(PEOPLE) or not kinds & JUDGED else Verdicts.EITHER


def _usual_new(called: Mapping[str, str], asked: ResultFilter, outcomes: Sequence[Outcomes]) -> str:
    """The newer candidate, else the one whose name says "with", else the one that won more."""
    counted = [each for each in outcomes if each.kind in asked.kinds]
    behind = sum(each.lost for each in counted) > sum(each.won for each in counted)
    return _newer(called) or _with(called) or (asked.two if behind else asked.one)


def _seen_from(asked: ResultFilter, adopted: str) -> ResultFilter:
    """The same question from the side of this one."""
    if adopted == asked.one:
        return asked
    also = tuple(Meets(each.two, each.one) for each in asked.also)
    return asked.model_copy(update={"one": adopted, "two": asked.one, "also": also})


def _from_side(outcomes: tuple[Outcomes, ...], adopted: str, one: str) -> tuple[Outcomes, ...]:
    """The outcomes, read from the side of `one`, from the side of `adopted`."""
    return outcomes if adopted == one else tuple(each.turned() for each in outcomes)


def _usual(met_by_ids: Mapping[str, Meeting], planned: Iterable[tuple[str, str]]) -> str:
    """The newest of the candidates that a plan is about, else the newest."""
    plans = (met_by_ids.get(pair_id(*each)) for each in planned)
    plain = {plan.plain for plan in plans if plan is not None}
    return next((ids for ids, met in met_by_ids.items() if met.plain in plain), next(iter(met_by_ids)))


def _newest(met: Meeting) -> tuple[Any, ...]:
    return (natural(met.iteration or ""), met.pairs, str(met.made))


def one_of(
    name: str,
    options: Mapping[str, str],
    label: str,
    *,
    at_first: Callable[[], str] | None = None,
    hint: str | None = None,
    label_visibility: Literal["visible", "collapsed"] = "visible",
) -> str:
    """Ask for one of these; the first is chosen at first, or what `at_first` says where nothing was chosen before."""
    usual = next(iter(options))
    chosen = st.segmented_control(
        safe.text(label),
        list(options),
        format_func=lambda each: safe.text(options[each]),
        key=_from_address(name, options, usual=usual, at_first=at_first),
        on_change=_keep,
        args=(name,),
        required=True,
        help=safe.text(hint) if hint else None,
        label_visibility=label_visibility,
    )
    # What is chosen at first may be another one tomorrow; a link says what it meant.
    _to_address(name, chosen or usual, usual=usual if at_first is None else "")
    return chosen or usual


def one_of_many(
    name: str,
    options: Mapping[str, str],
    label: str,
    *,
    usual: str = "",
    width: int | Literal["stretch"] = "stretch",
) -> str:
    """Ask for one of these in a list that opens; `usual` is chosen at first, else the first."""
    usual = usual or next(iter(options))
    chosen = st.selectbox(
        safe.text(label),
        list(options),
        format_func=lambda each: safe.visible(options[each]),
        key=_from_address(name, options, usual=usual),
        on_change=_keep,
        args=(name,),
        width=width,
    )
    _to_address(name, chosen, usual=usual)
    return chosen


def chips(chosen: ResultChoice, called: Callable[[Within], str]) -> None:
    """The parts to which the page is narrowed, and what was chosen under "More"; a click takes one away."""
    asked, parts = chosen.asked, chosen.asked.within
    leader = str(st.session_state.get("dashboards_leader"))
    more = [
        (name, usual, words)
        for name, usual, words, is_chosen in (
            ("runs", Runs.VALID.value, RUNS[Runs.ALL.value], asked.runs is Runs.ALL),
            ("adopt", leader, f"New candidate: {chosen.names.one}", asked.one != leader),
        )
        if is_chosen
    ]
    # Keep the place even when it is empty: if what is below moved up, the browser would rebuild all of it.
    place = st.empty()
    if not parts and not more:
        return
    with place.container(horizontal=True, key="dashboards_chips"):
        for name, usual, words in more:
            st.button(
                safe.text(words),
                key=f"chip_{name}",
                icon=":material/close:",
                on_click=choose,
                args=(name, usual),
                help="Clear this filter",
            )
        for at, part in enumerate(parts):
            st.button(
                safe.text(f"{BY[part.by]}: {called(part)}"),
                key=f"chip_{at}",
                icon=":material/close:",
                on_click=widen,
                args=(part,),
                help="Clear this filter",
            )


def choose(name: str, value: str) -> None:
    """Set a filter as if it had been chosen; in a callback, before its widget is drawn."""
    st.session_state[f"dashboards_{name}"] = value


def _newer(called: Mapping[str, str]) -> str | None:
    """The one whose name counts on from the other's, as v32 does from v31; None where names do not tell."""
    (one, first), (two, second) = called.items()
    if stem(first) != stem(second) or natural(first) == natural(second):
        return None
    return one if natural(first) > natural(second) else two


def _with(called: Mapping[str, str]) -> str | None:
    """The one that is named "with" what the other is named "without", as with a skill; None where none is."""
    (one, first), (two, second) = called.items()
    if first.replace("without", "with") == second:
        return two
    return one if second.replace("without", "with") == first else None


def part_filter(parts: Container[str]) -> str:
    """Ask which part of the dashboards to show."""
    return one_of(
        "part",
        {name: words for name, words in PARTS.items() if name in parts},
        "Part",
        label_visibility="collapsed",
    )


def _pair(met: Meeting) -> str:
    """The iteration that both share comes first: it tells sets apart, also where a narrow box cuts the rest."""
    both, tail = tuple(_by_name(met).values()), f" ({met.iteration})"
    pairs = counted(met.revealed, "pair")
    if met.iteration and all(name.endswith(tail) for name in both):
        one, two = (name.removesuffix(tail) for name in both)
        return f"{met.iteration}: {one} and {two} ({pairs})"
    return f"{' and '.join(both)} ({pairs})"


def _from_address(
    name: str, options: Iterable[str], *, usual: str, at_first: Callable[[], str] | None = None
) -> str:
    """The widget's key, with the address's value in it when the page opens or the browser went back, or what was chosen
    before. Streamlit's own binding would write the options' wording, names of candidates among it, into the address."""
    key = f"dashboards_{name}"
    known = tuple(options)
    if address.moved(name):
        kept().pop(name, None)
        st.session_state.pop(key, None)
    if st.session_state.get(key) not in known:
        asked = st.query_params.get(name, kept().get(name))
        if asked in known:
            kept()[name] = asked
        st.session_state[key] = asked if asked in known else at_first() if at_first else usual
    return key


def _keep(name: str) -> None:
    """In a callback: what was just chosen stays in the address, also where it is the usual one today."""
    kept()[name] = st.session_state[f"dashboards_{name}"]


def _to_address(name: str, value: str, *, usual: str) -> None:
    # Streamlit forgets a widget when another page is shown.
    if value != usual:
        kept()[name] = value
    elif kept().get(name) != value:
        kept().pop(name, None)
    address.put(name, value, usual="" if name in kept() else usual, key=f"dashboards_{name}")
