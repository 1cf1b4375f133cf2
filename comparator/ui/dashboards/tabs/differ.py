"""How they differ: what each candidate has more of, what goes with winning, and the project's own checks."""

from collections.abc import Callable, Iterator, Sequence
from math import isclose

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.reporting.findings import Findings
from comparator.reporting.scope import WonTiedLost
from comparator.reporting.why.differ import (
    ALIKE,
    CHECK,
    FILES,
    OF_RUNS,
    Differences,
    Differs,
    how_they_differ,
)
from comparator.stats.intervals import EVEN, Estimate, Evidence, evidence
from comparator.store.pairs.checks import Check
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import PAIRS, Cell, Chart, Dots, Dumbbells, ends, outcome, show
from comparator.ui.frame.charts.drawing import low
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import FAMILIES, counted
from comparator.workflow.projects.settings import (
    LONGEST_NAME,
    add_check,
    check_some,
    checks_of,
    outputs_left,
    remove_check,
)

NAMES = {
    "characters": "Characters",
    "words": "Words",
    "headings": "Headings",
    "list_items": "List items",
    "tables": "Tables",
    "code_blocks": "Code blocks and files",
    "links": "Links",
    "pictures": "Pictures",
    "pages": "Pages",
    "tokens": "Tokens",
    "seconds": "Seconds",
    "cost": "Cost in USD",
}


NEAR = 0.05
"""Measures whose figures differ by no more than this share say the same."""


def how_they_differ_part(top: Findings) -> None:
    """The tab."""
    look(top.filter.project_id)
    differences = how_they_differ(session.services().database, top.filter)
    show(differ_charts(top, differences))
    checks_part(top.filter.project_id)


def differ_charts(top: Findings, differences: Differences) -> Iterator[Chart]:
    """The medians of both candidates side by side, and how often the side with more of something wins."""
    one, two = top.names
    if not differences.measures:
        yield Chart("differ", f"The outputs of {one} and {two} differ in no measure")
        return
    if top.length is not None and top.length_tells:
        yield length_chart(top, top.length)
    yield medians_chart(top, differences)
    winning = winning_chart(top, differences)
    # What belongs to one candidate is said of its length already.
    if winning.rows or top.length is None or not top.length.by_ratio:
        yield winning


def length_chart(top: Findings, length: Differs) -> Chart:
    """What length means for the verdict: win rates at equal length, or by how much longer the one longer output is."""
    one, two = top.names
    longer = two if length.two_more.n > length.one_more.n else one
    sides = (f"{two} better", f"{one} better")
    ruled_out = f"{longer} is always longer, so length cannot be ruled out"
    if length.by_ratio:
        subject = "" if longer == one else f"{one} "
        least, *_, most = (percent(part.share or 0.0) for part in length.by_ratio)
        return Chart(
            "length",
            {
                True: f"{longer} is always longer, and wins more often the longer it is",
                False: f"{longer} is always longer, but {subject}wins {least} where the gap is small, {most} where "
                "it is large",
                None: ruled_out,
            }[length.grows],
            [
                {
                    "Its length": f"{part.least:.1f} to {part.most:.1f} times the other's",
                    **outcome(part),
                }
                for part in length.by_ratio
            ],
            Dots("Its length", "Win rate", sides=sides, n="Pairs"),
            {
                PAIRS: [
                    pairs_link(top.filter, "third", measure=length.measure, third=str(third))
                    for third in range(1, len(length.by_ratio) + 1)
                ]
            },
            note=f"{longer}'s output is the longer in every pair, so length cannot be told apart from the candidate; "
            "but a lead that comes from length would grow with it.",
            help=f"Thirds of the pairs, by how many times as long {longer}'s output is, in characters.",
        )
    if length.pairs in (length.one_more.n, length.two_more.n):
        return Chart("length", ruled_out)
    parts = (
        ("All pairs", top.result),
        ("About equal length", length.alike),
        (f"{one}'s is longer", length.one_more),
        (f"{two}'s is longer", length.two_more),
    )
    rows: list[dict[str, Cell]] = [
        {"Pairs in which": name, **outcome(record)} for name, record in parts if record.n
    ]
    title = "Length cannot be ruled out: few pairs are of equal length"
    if (rate := length.without) is not None:
        how = "at equal length" if isinstance(length.alike.rate, Estimate) else "with length balanced"
        title = f"{how} {one} wins {percent(rate.value)}"
        if evidence(top.result.rate) is Evidence.OPEN:
            title = f"{title[0].upper()}{title[1:]}, overall {percent(top.result.share or 0.0)}"
        elif top.confounded:
            title = f"Length may explain the lead: {title}"
        elif evidence(length.more.rate) is Evidence.OPEN or (length.more.share or 0.0) < EVEN:
            title = f"Length does not explain the lead: {title}"
        else:
            title = f"Longer outputs win more, but {how} {one} still wins {percent(rate.value)}"
        if rate == length.balanced:
            balanced = {"Win rate": round(rate.value, 4), **ends(rate), "Pairs": rate.n}
            rows.insert(1, {"Pairs in which": "Length balanced", **balanced})
    return Chart(
        "length",
        title,
        rows,
        Dots("Pairs in which", "Win rate", sides=sides, n="Pairs"),
        note=f"“Longer” means by more than {percent(ALIKE)}, in characters. Length is known of "
        f"{counted(length.pairs, 'pair')}.",
        help=f"Share of pairs that {one} wins, ties as half. What is left of a lead at about equal length, or with "
        "length balanced (the mean of the last two rates), does not come from length.",
    )


def medians_chart(top: Findings, differences: Differences) -> Chart:
    """Length and form of both, each as a share of the second candidate's; what runs took stands under Cost."""
    one, two = top.names
    # Where one side has none of it there is no ratio; the table of the other chart has it.
    of_both = [
        measure
        for measure in differences.measures
        if measure.one and measure.two and measure.measure not in OF_RUNS
    ]
    drawn, follow = _without_what_follows(of_both, lambda measure: (measure.one / measure.two,))
    drawn.sort(key=lambda measure: -abs(measure.one / measure.two - 1))
    same = ", ".join(low(_called(name)) for name in differences.same)
    first = drawn[0] if drawn else None
    return Chart(
        "medians",
        f"{one} has {_against(first.one / first.two, low(name_of(first)), two)}"
        if first
        else f"Medians of {one} and {two}",
        [
            {
                "Measure": name_of(measure),
                one: round(measure.one, 4),
                two: round(measure.two, 4),
                "Medians": f"{_number(measure.one)} against {_number(measure.two)}",
                "Median difference": round(measure.median, 4),
                "Pairs": measure.pairs,
            }
            for measure in drawn
        ],
        Dumbbells("Measure", one, two, "Medians"),
        {one: [pairs_link(top.filter, "measure", measure=measure.measure) for measure in drawn]},
        note=follow + (f"No difference in {same}." if same else ""),
        help=f"Medians over the counted pairs; that of {two} is 100%. The table has the differences within pairs.",
    )


def winning_chart(top: Findings, differences: Differences) -> Chart:
    """Of each measure that can be told apart from the candidates, the share of pairs won by the side with more."""
    one, two = top.names
    separable = [measure for measure in differences.measures if measure.more.share is not None]
    drawn, follow = _without_what_follows(
        [measure for measure in separable if not measure.belongs_to],
        lambda measure: (measure.more.share or 0.0, measure.more.n),
    )
    drawn.sort(key=lambda measure: -abs((measure.more.share or 0.5) - 0.5))
    sure = [measure for measure in drawn if evidence(measure.more.rate) is not Evidence.OPEN][:2]
    leads = " and ".join(
        f"{'more' if (measure.more.share or 0) > EVEN else 'fewer'} {low(name_of(measure))}"
        for measure in sure
    )
    few = any(evidence(measure.more.rate) is Evidence.LIKELY for measure in sure)
    return Chart(
        "differ",
        f"The side with {leads} {'probably ' if few else ''}wins more often"
        if leads
        else f"No {'other ' if top.length_tells else ''}measure predicts the winner",
        [
            {
                "Measure": name_of(measure),
                "Won by the side with more": round(measure.more.share or 0.0, 4),
                **ends(measure.more.rate),
                "Pairs that differ": measure.more.n,
                f"Where {one} has more": _share(measure.one_more),
                f"Where {two} has more": _share(measure.two_more.of_other),
                f"Won by {one} where about equal": _share(measure.alike),
            }
            for measure in drawn
        ],
        Dots(
            "Measure",
            "Won by the side with more",
            sides=("the side with less wins", "the side with more wins"),
            n="Pairs that differ",
        ),
        {PAIRS: [pairs_link(top.filter, "measure", measure=measure.measure) for measure in drawn]},
        note=f"{follow}{_goes_with(separable, 1, one)} {_goes_with(separable, 2, two)}".strip(),
        help=f"Among pairs in which {one} and {two} differ; ties count as half. What goes with winning is not always "
        "the reason. A measure of which one candidate nearly always has more says nothing beside the candidate.",
    )


def _without_what_follows(
    measures: Sequence[Differs], figures: Callable[[Differs], tuple[float, ...]]
) -> tuple[list[Differs], str]:
    """Without those of which an earlier one, words first, has nearly the same figures, and a sentence that names them.

    What the project itself looks for is never left out.
    """
    kept: list[Differs] = []
    follow = []
    for measure in sorted(measures, key=lambda measure: measure.measure != "words"):
        near = (
            all(isclose(*both, rel_tol=NEAR) for both in zip(figures(measure), figures(other), strict=True))
            for other in kept
        )
        if not measure.measure.startswith(CHECK) and any(near):
            follow.append(low(name_of(measure)))
        else:
            kept.append(measure)
    return kept, f"Nearly the same picture for {', '.join(follow)}. " if follow else ""


def _goes_with(measures: Sequence[Differs], candidate: int, name: str) -> str:
    """The measures of which this candidate nearly always has more: length among them says nothing beside it."""
    own = [low(name_of(measure)) for measure in measures if measure.belongs_to == candidate]
    if not own:
        return ""
    return (
        f"{name} nearly always has more {', '.join(own)}, so these cannot be told apart from the candidate."
    )


def _share(record: WonTiedLost) -> str:
    return "no pair" if record.share is None else f"{percent(record.share)} of {record.n:,}"


def _against(ratio: float, things: str, other: str) -> str:
    if ratio >= 1.95:
        return f"{ratio:.1f} times the {things} of {other}"
    return f"{percent(abs(ratio - 1))} {'more' if ratio > 1 else 'fewer'} {things} than {other}"


def _number(value: float) -> str:
    if value and abs(value) < 1:
        return f"{value:.3g}"
    return f"{value:,.0f}" if value == round(value) or abs(value) >= 100 else f"{value:,.1f}"


def name_of(measure: Differs) -> str:
    """What a measure is called."""
    return f"Check: {measure.name}" if measure.measure.startswith(CHECK) else _called(measure.measure)


def _called(measure: str) -> str:
    if measure.startswith(FILES):
        family = measure.removeprefix(FILES)
        return f"{next((words for kind, words in FAMILIES.items() if kind.value == family), family)} files"
    return NAMES.get(measure, measure)


def look(project_id: str) -> None:
    """Have every check look at the outputs that it has not seen, and say how far it is."""
    services = session.services()
    if not (left := outputs_left(services, project_id)):
        return
    with st.status(safe.text(f"Checking {counted(left, 'output')}")) as status:
        while check_some(services, project_id):
            left = outputs_left(services, project_id)
            status.update(label=safe.text(f"Checking: {counted(left, 'output')} left"))
        status.update(state="complete")


def checks_part(project_id: str) -> None:
    """List the checks, and add one."""
    with st.expander("Count a word in every output", key="checks", icon=":material/playlist_add_check:"):
        st.caption(
            "A check counts how often something stands in each output. It becomes a measure above, "
            "and a filter and a column of the history, for everyone in the project."
        )
        for check in checks_of(session.services(), project_id):
            _check(check)
        _add(project_id)


def _check(check: Check) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"check_{check.id}"):
        kind = "pattern" if check.is_regex else "text"
        case = ", case matters" if check.match_case else ""
        safe.write(safe.text(f"{check.name}: {kind} “{check.pattern}”{case}"))
        st.button(
            "",
            key=f"remove_check_{check.id}",
            icon=":material/delete:",
            type="tertiary",
            help=safe.text(f"Remove the check {check.name}"),
            on_click=_remove,
            args=(check.id,),
        )


def _add(project_id: str) -> None:
    with st.form("add_check", border=False, clear_on_submit=False):
        name, pattern = st.columns([4, 6], vertical_alignment="bottom")
        called = name.text_input("Name", key="check_name", max_chars=LONGEST_NAME, placeholder="Rollback")
        text = pattern.text_input(
            "Look for", key="check_pattern", max_chars=400, placeholder="kubectl rollout undo"
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            is_regex = st.checkbox("Regular expression (RE2)", key="check_regex")
            match_case = st.checkbox("Match case", key="check_case")
            added = st.form_submit_button("Add check", icon=":material/playlist_add_check:")
    if not added:
        return
    try:
        add_check(
            session.as_me(),
            project_id,
            name=called or "",
            pattern=text or "",
            is_regex=is_regex,
            match_case=match_case,
        )
    except ComparatorError as error:
        safe.problem(error)
        return
    st.rerun()


def _remove(check_id: str) -> None:
    remove_check(session.as_me(), check_id)
