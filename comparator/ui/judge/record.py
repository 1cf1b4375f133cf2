"""The tab Record: whether a judge can be trusted, a row for each of them, and the charts behind it."""

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from comparator.domain.rights import Act
from comparator.domain.scoring.several_judges import Vote
from comparator.reporting.facts import facts_of
from comparator.reporting.results.candidates import project_state
from comparator.reporting.scope import HOW_SHORT
from comparator.reporting.trust.judge import WithLabels, with_labels
from comparator.reporting.trust.labelled import (
    hidden_from,
    labelled_records,
)
from comparator.reporting.trust.record import (
    JudgesTogether,
    VersionRecord,
    calibrated,
    judges_together,
    records,
    versions,
)
from comparator.reporting.why.pairs import Behind, Slice, number_of_pairs
from comparator.stats.accuracy import Calibration
from comparator.stats.intervals import share
from comparator.ui.frame import estimates, safe, session, shell
from comparator.ui.frame.charts import Chart, Lines, ends, numbers
from comparator.ui.frame.charts import show as show_charts
from comparator.ui.frame.charts.chart import BEHIND, SAYS
from comparator.ui.frame.charts.labelled import labelled_charts
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.inputs import set_price
from comparator.ui.frame.lists.filters import filters
from comparator.ui.frame.notices import empty_page
from comparator.ui.frame.state import PageScript
from comparator.ui.frame.words import counted
from comparator.ui.judge.trust import (
    AGREES,
    BACKED,
    CONSISTENT,
    DOUBTED,
    GRADED,
    RIGHT,
    TRUST,
    TRUSTED,
    UNTESTED,
    Row,
    age,
    agreed_with,
    headline,
    measure,
    right_on_labels,
    rows_of,
    same_in_both,
    short,
    trust_chart,
    trust_of,
    with_n,
)
from comparator.workflow.judging.paying import money

_ROWS = "judge_rows"
JUDGED, A_PAIR, IN_ALL = "Pairs read", "Reading a pair", "All readings, without writing criteria"
UNPRICED, IMPORTED = "price unknown", "imported"
FOLDED = ("labelled", "judge_numbers")
"""Charts with many figures."""
COLUMNS = {
    "Project": st.column_config.TextColumn(width=160),
    "Judge": st.column_config.TextColumn(
        help="A new version, v2, wherever the model, its instructions or the guidance changed."
    ),
    AGREES: st.column_config.TextColumn(
        help="Final reviews that name the judge's winner. Only reviews made before its scores were shown test it; "
        "reviewers who saw them are pulled towards them."
    ),
    GRADED: st.column_config.TextColumn(
        help="Pairs in which imported graders name the judge's winner, beside what guessing gets."
    ),
    RIGHT: st.column_config.TextColumn(
        "Known winners",
        help="Pairs whose winner is known: by a label that came with an import, or by a review made before the "
        "judge's scores were shown. “Test a judge on known winners” has it read such pairs.",
    ),
    CONSISTENT: st.column_config.TextColumn(help="Each pair is read with A first and with B first."),
}


def show(project_id: str | None) -> None:
    """Show whether a judge can be trusted, a row for each, and what is behind it; where there is none, what will be."""
    names = {project.id: project.name for project in session.projects(Act.SEE_RESULTS)}
    ids = [project_id] if project_id else list(names)
    database = session.services().database
    by_project, measured = records(database, ids), labelled_records(database, ids)
    known = versions(database)
    rows = [
        row._replace(labels=_labels(row.project_id, row.version.digest)) if row.version else row
        for row in rows_of(by_project, measured, known)
    ]
    if not rows:
        empty_page(
            "No model has judged here yet",
            "Here you will see whether a judge can be trusted: how often it agrees with people and with itself, and "
            "what it costs.",
            step=("Judge pairs", PageScript.QUEUE, ":material/stacks:"),
            key="judge_batches",
        )
    elif project_id:
        newest = max(rows, key=age)
        headline(newest)
        _where_they_disagree(newest)
        show_charts([trust_chart(newest)])
        if len(rows) > 1:
            _table(rows, {}, [TRUST, AGREES, GRADED, RIGHT, CONSISTENT, JUDGED, A_PAIR, IN_ALL])
        else:
            words_of_row = _in_words(rows[0])
            figures = [
                f"{name}: {words_of_row[name]:,}" if name == JUDGED else f"{name}: {words_of_row[name]}"
                for name in (JUDGED, A_PAIR, IN_ALL)
                if words_of_row[name] not in ("", IMPORTED)
            ]
            safe.caption(" · ".join(figures))
    else:
        latest = {row.project_id: row for row in sorted(rows, key=age)}
        answers = Counter(map(trust_of, latest.values()))
        others = [f"{n:,} {answer}" for answer, n in answers.items() if answer != TRUSTED]
        trusted = f"The judge can be trusted in {answers[TRUSTED]:,} of {counted(len(latest), 'project')}"
        safe.say(f"{'; '.join((trusted, *others))}.")
        st.caption(
            "Each judge is tested separately in each project. Click a row for the reasons and what to do."
        )
        _table(rows, names, ["Project", "Judge", TRUST, AGREES, GRADED, RIGHT, A_PAIR, ""])
    safe.caption(f"Judge of new pairs: {session.usual_judge()}.")
    if any(_in_words(row)[A_PAIR] == UNPRICED for row in rows):
        set_price()
    if project_id is not None:
        measure(project_id)
        judged = [version for version in by_project[project_id] if version.judged]
        hidden = hidden_from(database, measured, session.me().id)
        charts = [*labelled_charts(measured, known, hidden=hidden)]
        if judged:
            worth = calibrated(database, project_id)
            charts += [_numbers(judged)]
            charts += [
                _calibration_chart(version, calibration)
                for version in judged
                if isinstance(calibration := worth.get(version.digest), Calibration)
            ]
        show_charts([chart for chart in charts if chart.name not in FOLDED])
        if tables := [chart for chart in charts if chart.name in FOLDED]:
            with st.expander("All figures", key="judge_tables"):
                show_charts(tables)
    _who_judges(project_id)


def _labels(project_id: str, judge: str) -> tuple[WithLabels, ...]:
    with facts_of(session.services().database, project_id) as facts:
        return with_labels(facts, judge=judge)


def _where_they_disagree(row: Row) -> None:
    """A link to the revealed pairs in which the judge and who tests it name different winners, if there are some."""
    database, (graded, agreed) = session.services().database, (row.graders, agreed_with(row.version))
    meetings = project_state(database, row.project_id).revealed_meetings
    if graded and trust_of(row) in (DOUBTED, BACKED, UNTESTED):
        part = Slice(figure="labels", where={"model": graded.model, "by": graded.by.value, "what": "other"})
        whom = graded.author
    elif agreed:
        part = Slice(figure="agreement", where={"how": agreed.how.value, "what": "other"})
        whom = f"people ({HOW_SHORT[agreed.how]})"
    else:
        return
    of = filters(meetings, row.project_id, ask=False).filter if meetings else None
    if of and number_of_pairs(database, row.project_id, of, part):
        st.page_link(
            PageScript.DASHBOARDS,
            label=safe.text(f"Read the pairs in which the judge and {whom} disagree"),
            icon=":material/chevron_right:",
            query_params={
                BEHIND: Behind(result=of, part=part).address,
                SAYS: f"The judge and {whom} do not name the same winner",
            },
        )


def _table(rows: Sequence[Row], names: Mapping[str, str], order: Sequence[str]) -> None:
    """A row for each judge; where these are of several projects, a click on one looks at its project."""

    def look_at() -> None:
        for at, _ in st.session_state[_ROWS].selection.cells:
            session.look_at(rows[at].project_id)

    st.dataframe(
        [
            {"Judge": row.judge, "Project": names.get(row.project_id), **_in_words(row), "": "Open ›"}
            for row in rows
        ],
        key=_ROWS,
        hide_index=True,
        column_config=COLUMNS,
        column_order=order if names else ["Judge", *order],
        selection_mode="single-cell",
        on_select=look_at,
    )


def _in_words(row: Row) -> dict[str, str | int]:
    """What a judge is worth in a project: its figures, each with the number that it is of."""
    version, labelled = row.version, row.labelled
    agreed = agreed_with(version)
    same, twice = same_in_both(row)
    # What was read only to measure the judge is judged too.
    pairs = (version.judged if version else 0) or (labelled.counts.covered if labelled else 0)
    return {
        TRUST: trust_of(row),
        AGREES: f"{with_n(agreed.share, agreed.same, agreed.n)} ({HOW_SHORT[agreed.how]})"
        if agreed
        else "no reviews",
        GRADED: f"{percent(graded.same / graded.n)} (guess {percent(graded.by_chance)})"
        if (graded := row.graders)
        else "no graders",
        RIGHT: right_on_labels(labelled),
        CONSISTENT: with_n(share(same, twice), same, twice) if twice else "not read twice",
        JUDGED: pairs,
        A_PAIR: _cost(version, pairs) if version else "",
        IN_ALL: _cost(version) if version else "",
    }


def _numbers(records: Sequence[VersionRecord]) -> Chart:
    return Chart(
        "judge_numbers",
        "How each version read",
        [
            {
                "Judge": short(version),
                "Readings": version.readings,
                "Pairs read again, being unsure": version.again,
                "Pairs whose scores and verdict disagreed": version.contradicted,
                "Pairs read with tools": version.tools,
                "Tries": version.tries,
                "Failed": version.failed,
                "Tries without a known price": version.unpriced,
            }
            for version in records
        ],
        help="All tries, failed ones included. Tries of a model without a known price are not in the cost. Pairs whose "
        "scores and verdict disagreed come first in the queue.",
    )


def _cost(version: VersionRecord, pairs: int | None = None) -> str:
    """What all its readings cost, or with `pairs` those of a pair."""
    if not version.cost:
        return UNPRICED if version.unpriced else IMPORTED
    return f"{version.cost / pairs:.4f} USD" if pairs else f"{version.cost:.2f} USD"


def _who_judges(project_id: str | None) -> None:
    """The named judges, and in a project what those did that it asks together."""
    more = "Name more judges, or have several read each pair"
    st.page_link(PageScript.HELP, label=more, icon=":material/help:", query_params={"page": "judge"})
    with shell.guard():
        rows = [
            {
                "Judge": name,
                "Model": one.model,
                "Server": one.server or one.provider.value,
                "Key from": one.key or "–",
                "Tools": one.tools.value if one.tools else "as the project says",
                "Repetitions": str(one.repetitions or "as the settings say"),
            }
            for name, one in session.services().named_judges().items()
        ]
        if rows:
            numbers("judges", rows)
    together = judges_together(session.services().database, project_id) if project_id else ()
    show_charts([_among_others(judges, number) for number, judges in enumerate(together)])


def _among_others(together: JudgesTogether, number: int) -> Chart:
    """What judges did that read pairs of the project together, whether these have a label or not."""
    return Chart(
        f"judges_together_{number}",
        f"Asked together: {', '.join(judge.name for judge in together.judges)}",
        [
            {
                "Judge": judge.name,
                "Model": judge.model,
                **{
                    f"Votes: {'tie' if vote is Vote.TIE else vote.value}": votes
                    for vote, votes in judge.votes.items()
                },
                "Right, of labelled pairs": f"{judge.right:,} of {together.labelled:,}",
                "Names the output shown first": estimates.interval(judge.to_first),
                "Cost": "unknown" if judge.unpriced and not judge.cost else money(judge.cost),
                "Tries without a known price": judge.unpriced,
            }
            for judge in together.judges
        ],
        note=f"{counted(together.pairs, 'pair')} that these judges were asked about together. On the "
        f"{counted(together.labelled, 'pair')} with a label or a blind review, their joint verdict is right on "
        f"{together.right:,}.",
        help="Of the first readings in each order that named a winner, half should name the output shown first.",
    )


def _calibration_chart(version: VersionRecord, calibration: Calibration) -> Chart:
    levels = [level for level in calibration.levels if level.n]
    rows = [
        ("Observed", reliability, reliability.right / reliability.n, reliability.interval)
        for reliability in levels
    ]
    rows += [("As stated", reliability, reliability.confidence / 100, None) for reliability in levels]
    rows += [("Calibrated", reliability, reliability.probability, None) for reliability in levels]
    return Chart(
        f"calibration_{version.digest[:8]}",
        f"How often people named the judge's winner, by stated confidence: {short(version)}",
        [
            {
                "Stated confidence": f"{reliability.confidence}%",
                "Share": round(share, 3),
                "Line": line,
                **ends(interval),
                "Blind reviews": reliability.n,
            }
            for line, reliability, share, interval in rows
        ],
        Lines("Stated confidence", "Share", [f"{level.confidence}%" for level in levels], by="Line"),
        note=f"{counted(calibration.n, 'blind review')}; Platt scaling.",
    )
