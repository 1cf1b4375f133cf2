"""The filters of the dashboards, in the address by their words, so that what is seen can be linked."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeVar

import streamlit as st

from comparator.domain.counted import natural
from comparator.reporting.facts import facts_of
from comparator.reporting.results.candidates import Meeting, Names, stem
from comparator.reporting.results.decision import opposed
from comparator.reporting.results.series import iterations_of, pooled
from comparator.reporting.scope import LENGTHS, VERDICT_NAMES, By, ResultFilter, Runs, Verdicts, Within
from comparator.reporting.why.slices import name_of_part
from comparator.store.core.database import Database
from comparator.ui.frame import safe, session
from comparator.ui.frame.state import Param
from comparator.workflow.projects.settings import project_settings

VERDICTS: dict[str, str] = {verdicts: words.capitalize() for verdicts, words in VERDICT_NAMES.items()}
PEOPLE_ALONE = "People alone, as the judge differs"
HINT = "Blind: reviewers could not know which candidate was which."
RUNS = {Runs.VALID: "Valid runs", Runs.ALL: "All runs"}
T = TypeVar("T", bound=str)
_SINCE = "since "
PARTS = {
    "overview": "Overview",
    "why": "Why",
    "where": "Where",
    "differ": "How they differ",
    "time": "Over time",
    "trust": "Trust",
    "cost": "Cost",
    "plan": "Plan and report",
}
BY = {
    By.TAG: "Tag",
    By.TOPIC: "Topic",
    By.TASK: "Task",
    By.FILES: "File type",
    By.LENGTH: "Length",
    By.ITERATION: "Iteration",
    By.SINCE: "Since iteration",
    By.MODEL: "Model",
    By.REVIEWER: "Reviewer",
}


class ResultChoice(NamedTuple):
    """What the page shows: whose result, told from the side of the candidate that may be adopted."""

    filter: ResultFilter
    names: Names


def filters(meetings: Sequence[Meeting], project_id: str, *, ask: bool = True) -> ResultChoice:
    """Ask what to count, of candidates of which something is revealed; without `ask`, what is chosen at first.

    That is the newest two, or those of a plan, over all iterations.
    """
    database = session.services().database
    ordered = sorted(
        meetings, key=lambda met: (natural(met.iteration or ""), met.pairs, str(met.at)), reverse=True
    )
    by_ids = {".".join(sorted((met.one, met.two))): met for met in ordered}
    plans = (plan.candidates or () for plan in project_settings(session.services(), project_id).plans)
    planned = {met.plain for ids in plans if (met := by_ids.get(".".join(sorted(ids))))}
    chosen = next((ids for ids, met in by_ids.items() if met.plain in planned), next(iter(by_ids)))
    runs, whole = Runs.VALID, True
    more = None
    within: tuple[Within, ...] = ()
    places = st.columns([6, 2, 5, 2], gap="small", vertical_alignment="bottom") if ask else None
    if places:
        # The iterations of two names are chosen in a box of their own.
        same: dict[str, dict[str, str]] = {}
        for ids, meeting in by_ids.items():
            same.setdefault(_pair(meeting), {})[ids] = meeting.iteration or "This one"
        groups = {next(iter(iterations)): iterations for iterations in same.values()}
        labels = {next(iter(iterations)): label for label, iterations in same.items()}
        usual = next(first for first, iterations in groups.items() if chosen in iterations)
        with places[0]:
            chosen = one_of_many("pair", labels, "Candidates", usual=usual)
        more = places[3].popover("More", icon=":material/tune:", key="dashboards_more")
        with more:
            one_of(
                "picture",
                {"png": "PNG", "svg": "SVG"},
                "Charts are saved as",
                hint="By the camera at the top right of a chart.",
            )
            runs = one_of_many("counted", RUNS, "Runs")
        within = parts_chosen()
        if iterations_of(database, _scope(by_ids[chosen], project_id)) is not None or len(groups[chosen]) > 1:
            scopes = {"all": "All"} | groups[chosen]
            # Newest first; since the oldest would be all.
            starts = [met.iteration for ids in groups[chosen] if (met := by_ids[ids]).iteration][1:-1]
            scopes |= {f"{_SINCE}{name}": f"Since {name}" for name in starts}
            with places[1]:
                scope = one_of_many("scope", scopes, "Iterations", on_change=_since_chosen)
            whole = scope == "all"
            chosen = chosen if whole else scope
    met = by_ids[chosen]
    # In the order of their names, so that where neither leads, the page tells of the same one each time.
    called = dict(
        sorted({met.one: met.one_name, met.two: met.two_name}.items(), key=lambda item: natural(item[1]))
    )
    one, two = called
    result_filter = _scope(met, project_id).copy_with(
        one=one, two=two, runs=runs, within=within, verdicts=Verdicts.EITHER
    )
    series = iterations_of(database, result_filter)
    if series is not None and whole:
        result_filter = pooled(database, result_filter)
        called = {one: series.one, two: series.two}
    new = _newer(met) or _leading(database, result_filter)
    if places and more:
        with facts_of(database, project_id) as facts:
            alone = {Verdicts.EITHER: PEOPLE_ALONE} if opposed(facts, result_filter) else {}
        with places[2]:
            verdicts = Verdicts(one_of_many("verdicts", VERDICTS | alone, "Verdicts", hint=HINT))
        with more:
            new = one_of_many(
                "adopt",
                called,
                "New candidate",
                usual=new,
                hint="Results are told from its side. The decision plan says whether it replaces the other.",
            )
        result_filter = result_filter.copy_with(verdicts=verdicts)
    if new == two:
        result_filter = result_filter.over(*(met.turned for met in result_filter.meetings))
    return ResultChoice(result_filter, Names(called[result_filter.one], called[result_filter.two]))


def _since_chosen() -> None:
    """Narrow the page to iterations since one, as a click on the trend's newest level does."""
    scope: str = st.session_state["scope"]
    if scope.startswith(_SINCE):
        narrow(Within(by=By.SINCE, value=scope.removeprefix(_SINCE)))
        st.session_state["scope"] = "all"


def _leading(database: Database, result_filter: ResultFilter) -> str:
    with facts_of(database, result_filter.project_id) as facts:
        points = facts.counted(result_filter).points
    return result_filter.two if (points - 1).sum() < 0 else result_filter.one


def _newer(met: Meeting) -> str | None:
    """The one whose name counts on from the other's, as v32 does from v31, or is "with" what the other is "without"."""
    for id, name, other in ((met.one, met.one_name, met.two_name), (met.two, met.two_name, met.one_name)):
        if stem(name) == stem(other) and natural(name) > natural(other):
            return id
        if name != other and other.replace("without", "with") == name:
            return id
    return None


def _scope(met: Meeting, project_id: str) -> ResultFilter:
    return ResultFilter(project_id=project_id, one=met.one, two=met.two)


def _pair(met: Meeting) -> str:
    """Both names, without the iteration that they share."""
    both, tail = sorted((met.one_name, met.two_name), key=natural), f" ({met.iteration})"
    shared = met.iteration and all(name.endswith(tail) for name in both)
    return " and ".join(name.removesuffix(tail) if shared else name for name in both)


def one_of(
    name: str,
    options: Mapping[str, str],
    label: str,
    *,
    hint: str | None = None,
    label_visibility: Literal["visible", "collapsed"] = "visible",
) -> str:
    """Ask for one of these; the first is chosen at first."""
    first = next(iter(options))
    chosen = st.segmented_control(
        safe.text(label),
        list(options),
        default=first,
        format_func=lambda option: safe.text(options[option]),
        key=name,
        bind="query-params",
        required=True,
        help=safe.text(hint) if hint else None,
        label_visibility=label_visibility,
    )
    return chosen or first


def one_of_many(
    name: str,
    options: Mapping[T, str],
    label: str,
    *,
    usual: T | None = None,
    hint: str | None = None,
    width: int | Literal["stretch"] = "stretch",
    kept: Literal["session"] | None = None,
    on_change: Callable[[], None] | None = None,
) -> T:
    """Ask for one of these in a list that opens; `usual` is chosen at first, else the first. It may be `kept` while the
    list is not there."""
    choices = list(options)
    index = 0 if usual is None else choices.index(usual)
    if st.session_state.get(name, usual) not in (*choices, None):
        # Chosen in another project, or before a filter.
        st.session_state[name] = choices[index]
    return st.selectbox(
        safe.text(label),
        choices,
        index=index,
        format_func=lambda option: safe.visible(options[option]),
        key=name,
        bind="query-params",
        persist_state=kept,
        on_change=on_change,
        help=safe.text(hint) if hint else None,
        width=width,
    )


def parts_chosen() -> tuple[Within, ...]:
    """The parts to which the page is narrowed: a property, a colon and a value each, in the address."""
    pairs = (part.partition(":")[::2] for part in st.query_params.get_all(Param.WITHIN))
    return tuple(
        Within(by=By(by), value=value)
        for by, value in dict.fromkeys(pairs)
        if by in set(By) and value and (by != By.LENGTH or value in LENGTHS)
    )


def narrow(part: Within) -> None:
    """In a callback: narrow the page to this part too, in place of another one by the same property."""
    _write([*(within for within in parts_chosen() if within.by is not part.by), part])


def _write(parts: Sequence[Within]) -> None:
    st.query_params[Param.WITHIN] = st.session_state[Param.WITHIN] = [
        f"{part.by}:{part.value}" for part in parts
    ]


def chips(result_filter: ResultFilter) -> None:
    """The parts to which the page is narrowed, and whether all runs count; a click takes one away."""
    # Keep the place even when it is empty: if what is below moved up, the browser would rebuild all of it.
    place = st.empty()
    st.session_state[Param.WITHIN] = st.query_params.get_all(Param.WITHIN)
    if not result_filter.within and result_filter.runs is Runs.VALID:
        return
    with (
        place.container(horizontal=True, key="dashboards_chips"),
        facts_of(session.services().database, result_filter.project_id) as facts,
    ):
        if result_filter.runs is Runs.ALL:
            st.button(
                RUNS[Runs.ALL],
                key="chip_runs",
                on_click=st.session_state.update,
                args=({"counted": Runs.VALID},),
                icon=":material/close:",
                help="Clear this filter",
            )
        for at, part in enumerate(result_filter.within):
            st.button(
                safe.text(f"{BY[part.by]}: {name_of_part(facts, part)}"),
                key=f"chip_{at}",
                on_click=_write,
                args=([within for within in result_filter.within if within != part],),
                icon=":material/close:",
                help="Clear this filter",
            )
