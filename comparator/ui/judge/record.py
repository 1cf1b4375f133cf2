"""The tab Record: whether a judge can be trusted, a row for each of them, and the charts behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.rights import Act
from comparator.domain.scoring.review import How
from comparator.domain.scoring.several_judges import Vote
from comparator.judges.protocol import judge_called
from comparator.reporting.scope import HOW_NAMES, HOW_SHORT
from comparator.reporting.trust.labelled_record import (
    LabelledRecord,
    hidden_from,
    labelled_records,
)
from comparator.reporting.trust.record import (
    JudgeAgreement,
    JudgeVersion,
    VersionRecord,
    calibrated,
    records,
    versions,
)
from comparator.reporting.trust.several_judges import JudgesTogether, judges_together
from comparator.stats.accuracy import Calibration
from comparator.stats.figures import Estimate, TooFew, share
from comparator.ui.frame import estimates, safe, session
from comparator.ui.frame.charts import Chart, Dots, Lines, ends, numbers
from comparator.ui.frame.charts import show as show_charts
from comparator.ui.frame.charts.labelled import labelled_charts, right_verdicts, who
from comparator.ui.frame.empty import empty_page
from comparator.ui.frame.state import PageScript
from comparator.ui.frame.words import counted
from comparator.ui.judge.measure import measure
from comparator.workflow.judging.paying import money

_ROWS = "judge_rows"
TRUST, AGREES, RIGHT, CONSISTENT = "Trusted", "Agrees with people", "Right on labels", "Same in both orders"
JUDGED, A_PAIR, IN_ALL = "Pairs judged", "Cost a pair", "Cost in all"
CHANCE = 1 / 3
"""The share that a guess among A, B and tie gets right."""
TRUSTED, UNSURE, REFUTED, UNTESTED = "yes", "not sure yet", "no", "not tested blind"
ENOUGH = 2 / 3
"""A judge can be trusted that is right more often than this by its whole interval."""
COLOURS: Mapping[str, Literal["green", "orange", "red"]] = {
    TRUSTED: "green",
    UNSURE: "orange",
    REFUTED: "red",
    UNTESTED: "orange",
}
ADVICE = {
    TRUSTED: "The whole interval lies above two in three. Let it judge the rest; people review what it is unsure of.",
    UNSURE: "The interval reaches below two in three. Review more pairs blind, or measure the judge on labelled ones.",
    REFUTED: "It is right in fewer than two of three pairs. Give it guidance, try another model, or let people decide.",
    UNTESTED: "A judge is tested only by people who have not seen its scores. Under Settings, let reviewers see the "
    "outputs alone; or import pairs whose winner is known, and measure a judge on them.",
}
"""What to do, by how far a judge can be trusted."""
FOLDED = ("labelled_all", "judge_numbers")
"""Charts that are tables of many figures."""
COLUMNS = {
    "Project": st.column_config.TextColumn(width=245),
    AGREES: st.column_config.TextColumn(
        help="Final reviews that name the judge's winner. Only reviews made before its scores were shown test it; "
        "reviewers who saw them are pulled towards them."
    ),
    RIGHT: st.column_config.TextColumn(
        help="Pairs whose winner is known: by a label that came with an import, or by a review made before the "
        "judge's scores were shown. “Measure a judge” has it read such pairs."
    ),
    CONSISTENT: st.column_config.TextColumn(help="Each pair is read with A first and with B first."),
}


def show(project_id: str | None) -> None:
    """Show whether a judge can be trusted, a row for each, and what is behind it; where there is none, what will be."""
    names = {each.id: each.name for each in session.projects(Act.SEE_RESULTS)}
    ids = [project_id] if project_id else list(names)
    database = session.services().database
    found, measured = records(database, ids), labelled_records(database, ids)
    known = versions(database)
    rows = list(_rows(found, measured, known))
    if not rows:
        empty_page(
            "No model has judged here yet",
            "Here you will see whether a judge can be trusted: how often it agrees with people and with itself, and "
            "what it costs.",
            step=("Judge pairs", PageScript.QUEUE, ":material/stacks:"),
            key="judge_batches",
        )
    elif project_id:
        _headline(max(rows, key=_age))
        _table(rows, {}, [TRUST, AGREES, RIGHT, CONSISTENT, JUDGED, A_PAIR, IN_ALL])
    else:
        answers = Counter(_trust(row) for row in rows)
        told = ", ".join(f"{answers[answer]:,} {answer}" for answer in COLOURS if answers[answer])
        safe.write(
            safe.text(f"Can they be trusted? Of {counted(len(rows), 'judge')} across projects: {told}.")
        )
        st.caption(
            "Each judge is tested separately in each project. Click a row for the reasons and what to do."
        )
        _table(rows, names, ["Project", TRUST, "Judge", AGREES, RIGHT, A_PAIR])
    if project_id is not None:
        measure(project_id)
        judged = [each for each in found[project_id] if each.judged]
        hidden = hidden_from(database, measured, session.me().id)
        charts = [*labelled_charts(measured, known, hidden=hidden)]
        if judged:
            agreement = _agreement(judged)
            # Of one row the table above says it all.
            charts += [agreement] if agreement.is_drawn else []
            charts += [_numbers(judged), *_confidence(project_id)]
        show_charts([chart for chart in charts if chart.name not in FOLDED])
        if tables := [chart for chart in charts if chart.name in FOLDED]:
            with st.expander("All figures in tables", key="judge_tables"):
                show_charts(tables)
    _who_judges(project_id)


def _table(rows: Sequence[_Row], names: Mapping[str, str], order: Sequence[str]) -> None:
    """A row for each judge; where these are of several projects, a click on one looks at its project."""

    def look_at() -> None:
        for at, _ in st.session_state[_ROWS].selection.cells:
            session.look_at(rows[at].project_id)

    st.dataframe(
        [{"Judge": row.judge, "Project": names.get(row.project_id), **_in_words(row)} for row in rows],
        key=_ROWS,
        hide_index=True,
        column_config=COLUMNS,
        column_order=order if names else ["Judge", *order],
        selection_mode="single-cell",
        on_select=look_at,
    )


class _Row(NamedTuple):
    """One judge in one project: its record with people, on labelled pairs, or both."""

    project_id: str
    judge: str
    version: VersionRecord | None
    labelled: LabelledRecord | None


def _rows(
    found: Mapping[str, Sequence[VersionRecord]],
    measured: Sequence[LabelledRecord],
    known: Mapping[str, JudgeVersion],
) -> Iterator[_Row]:
    """Every judge of every project, those that judged most first; the offline check is none."""
    labelled = {
        (each.project_id, each.judge.digest): each for each in measured if each.judge.kind != "offline"
    }
    records = [(project_id, each) for project_id, versions in found.items() for each in versions]
    for project_id, each in sorted(records, key=lambda record: -record[1].judged):
        yield _Row(project_id, short(each), each, labelled.pop((project_id, each.digest), None))
    for (project_id, _), only in labelled.items():
        yield _Row(project_id, who(only, known), None, only)


def _in_words(row: _Row) -> dict[str, str | int]:
    """What a judge is worth in a project: its figures, each with the number that it is of."""
    each, labelled = row.version, row.labelled
    agreed = _agreed(each)
    if each is not None and each.read_twice:
        same, twice = each.read_twice - each.flipped, each.read_twice
    else:
        same, twice = (labelled.counts.consistent, labelled.counts.covered) if labelled else (0, 0)
    # What was read only to measure the judge is judged too.
    pairs = (each.judged if each else 0) or (labelled.counts.covered if labelled else 0)
    return {
        TRUST: _trust(row),
        AGREES: f"{_with_n(agreed.share, agreed.same, agreed.n)} ({HOW_SHORT[agreed.how]})"
        if agreed
        else "no reviews",
        RIGHT: _right(labelled),
        CONSISTENT: _with_n(share(same, twice), same, twice) if twice else "not read twice",
        JUDGED: pairs,
        A_PAIR: _cost(each, pairs) if each else "",
        IN_ALL: _cost(each) if each else "",
    }


def _right(found: LabelledRecord | None) -> str:
    if found is None or not found.counts.covered:
        return "no labels"
    hits, n = right_verdicts(found.counts), found.counts.covered
    return _with_n(share(hits, n), hits, n)


def _with_n(found: Estimate | TooFew, successes: int, n: int) -> str:
    return f"{found.value:.0%} of {n:,}" if isinstance(found, Estimate) else f"{successes:,} of {n:,}"


def _agreed(each: VersionRecord | None) -> JudgeAgreement | None:
    """The agreement that says most: of reviewers who scored first, else of most reviews."""
    agreement = each.agreement if each else ()
    blind = (agreed for agreed in agreement if agreed.how is How.BLIND_FIRST)
    return next(blind, None) or max(agreement, key=lambda agreed: agreed.n, default=None)


def _tested(row: _Row) -> Estimate | None:
    """How often it is right: by reviewers who scored first, else by labels; None where too few say so."""
    agreed = _agreed(row.version)
    if agreed is not None and agreed.how is How.BLIND_FIRST and isinstance(agreed.share, Estimate):
        return agreed.share
    counts = row.labelled.counts if row.labelled else None
    right = share(right_verdicts(counts), counts.covered) if counts and counts.covered else None
    return right if isinstance(right, Estimate) else None


def _trust(row: _Row) -> str:
    """Whether the judge can be trusted in the project."""
    tested = _tested(row)
    if tested is None:
        return UNTESTED
    if tested.interval.low > ENOUGH:
        return TRUSTED
    return REFUTED if tested.interval.high < ENOUGH else UNSURE


def _headline(row: _Row) -> None:
    """Whether the judge that was used last can be trusted here, what that rests on, and what to do about it."""
    answer, agreed, tested = _trust(row), _agreed(row.version), _tested(row)
    sentence = f"Nobody has reviewed what {row.judge} judged"
    if agreed is not None:
        tested = agreed.share if isinstance(agreed.share, Estimate) else None
        of = _with_n(agreed.share, agreed.same, agreed.n)
        sentence = f"{row.judge} agrees with people on {of} reviews, by {HOW_NAMES[agreed.how]}"
    elif tested:
        sentence = f"{row.judge} names the known winner of {_right(row.labelled)} labelled pairs"
    ends = f" (95% interval {tested.interval.low:.0%} to {tested.interval.high:.0%})" if tested else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(safe.text(f"Can it be trusted? {answer.capitalize()}"), color=COLOURS[answer])
        safe.write(safe.text(f"{sentence}{ends}."))
    st.caption(ADVICE[answer])


def _age(row: _Row) -> tuple[int, str, int]:
    """For the judge that was used last: those that judged here come before those that were only measured."""
    each = row.version
    if each is None or not each.judged:
        return 0, "", 0
    return 1, each.since.isoformat() if each.since else "", each.number or 0


def short(each: VersionRecord) -> str:
    """The version for the axis of a chart."""
    version = f"v{each.number}" if each.number else each.digest[:6]
    return f"{judge_called(each.kind, each.model)} {version}"


def _agreement(found: Sequence[VersionRecord]) -> Chart:
    rows = [(each, agreed) for each in found for agreed in each.agreement]
    return Chart(
        "judge_agreement",
        "How often reviewers named the judge's winner",
        [
            {
                "Judge": f"{short(each)}: {HOW_SHORT[agreed.how]}",
                "Share": round(agreed.same / agreed.n, 3),
                **ends(agreed.share),
                "Reviews": agreed.n,
                "Same winner": agreed.same,
                "Reviews by": HOW_NAMES[agreed.how],
                "Since": f"{each.since:%d %b %Y}" if each.since else "",
            }
            for each, agreed in rows
        ],
        Dots("Judge", "Share", (0, 1), even=CHANCE, sides=("as a guess", "agree"), n="Reviews"),
        note="" if rows else "No final review of a pair that a model judged yet.",
        help="Final reviews in which a value was confirmed or changed. Reviewers who saw the judge's scores are pulled "
        "towards them; those who scored first are not. A hollow dot has too few reviews for an interval.",
    )


def _numbers(found: Sequence[VersionRecord]) -> Chart:
    return Chart(
        "judge_numbers",
        "How each version read",
        [
            {
                "Judge": short(each),
                "Readings": each.readings,
                "Pairs read again, being unsure": each.again,
                "Pairs whose scores and verdict disagreed": each.contradicted,
                "Pairs read with tools": each.tools,
                "Tries": each.tries,
                "Failed": each.failed,
                "Tries without a known price": each.unpriced,
            }
            for each in found
        ],
        help="All tries, failed ones included. Tries of a model without a known price are not in the cost. Pairs whose "
        "scores and verdict disagreed come first in the queue.",
    )


def _cost(each: VersionRecord, pairs: int = 1) -> str:
    """What it cost, by currency."""
    paid = [f"{amount / pairs:.4f} {currency}" for currency, amount in each.cost if amount and pairs]
    return ", ".join(paid) or ("unknown" if each.unpriced else "imported")


def _who_judges(project_id: str | None) -> None:
    """Who judges new pairs, the named judges, and in a project what those did that it asks together."""
    st.caption(safe.text(f"Judge of new pairs: {session.usual_judge()}."))
    more = "Name more judges, or have several read each pair"
    st.page_link(PageScript.HELP, label=more, icon=":material/help:", query_params={"page": "judge"})
    try:
        known = session.services().named_judges()
    except ComparatorError as error:
        st.warning(safe.message(error))
        return
    if known:
        rows = [
            {
                "Judge": one.name,
                "Model": one.model,
                "Server": one.server or one.provider.value,
                "Key from": one.key or "–",
                "Tools": one.tools.value if one.tools else "as the project says",
                "Repetitions": str(one.repetitions or "as the settings say"),
            }
            for one in known.values()
        ]
        numbers("judges", rows)
    together = judges_together(session.services().database, project_id) if project_id else ()
    show_charts([_among_others(each, number) for number, each in enumerate(together)])


def _among_others(found: JudgesTogether, number: int) -> Chart:
    """What judges did that read pairs of the project together, whether these have a label or not."""
    return Chart(
        f"judges_together_{number}",
        f"Asked together: {', '.join(each.name for each in found.judges)}",
        [
            {
                "Judge": each.name,
                "Model": each.model,
                **{
                    f"Votes: {'tie' if vote is Vote.TIE else vote.value}": votes
                    for vote, votes in each.votes.items()
                },
                "Right, of labelled pairs": f"{each.right:,} of {found.labelled:,}",
                "Names the output shown first": estimates.interval(each.to_first),
                "Cost": "unknown" if each.unpriced and not each.cost else money(each.cost),
                "Tries without a known price": each.unpriced,
            }
            for each in found.judges
        ],
        note=f"{counted(found.pairs, 'pair')} that these judges were asked about together. On the "
        f"{counted(found.labelled, 'pair')} with a label or a blind review, their joint verdict is right on "
        f"{found.right:,}.",
        help="Of the first readings in each order that named a winner, half should name the output shown first.",
    )


def _confidence(project_id: str) -> list[Chart]:
    """The calibration of each version that has enough blind reviews in this project."""
    return [
        _calibration_chart(each.version, each.calibration)
        for each in calibrated(session.services().database, project_id)
        if isinstance(each.calibration, Calibration)
    ]


def _calibration_chart(version: VersionRecord, found: Calibration) -> Chart:
    levels = [level for level in found.levels if level.n]
    rows = [("Observed", each, each.right / each.n, each.interval) for each in levels]
    rows += [("As stated", each, each.confidence / 100, None) for each in levels]
    rows += [("Calibrated", each, each.probability, None) for each in levels]
    return Chart(
        f"calibration_{version.digest[:8]}",
        f"How often people named the judge's winner, by stated confidence: {short(version)}",
        [
            {
                "Stated confidence": f"{each.confidence}%",
                "Share": round(share, 3),
                "Line": line,
                **ends(interval),
                "Blind reviews": each.n,
            }
            for line, each, share, interval in rows
        ],
        Lines("Stated confidence", "Share", [f"{level.confidence}%" for level in levels], by="Line"),
        note=f"{counted(found.n, 'blind review')}; Platt scaling.",
    )
