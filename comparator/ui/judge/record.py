"""The tab Record: whether a judge can be trusted, a row for each of them, and the charts behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

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
from comparator.stats.accuracy import NEEDED, Calibration
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
AGREES, RIGHT, CONSISTENT = "Agrees with people", "Right on labels", "Same in both orders"
COSTS = ("Pairs judged", "Cost a pair", "Cost in all")
CHANCE = 1 / 3
"""The share that a guess among A, B and tie gets right."""
COLUMNS = {
    "Project": st.column_config.TextColumn(width=160),
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
    rows = list(_rows(found, measured, versions(database)))
    judged = [each for each in found[project_id] if each.judged] if project_id else []
    if judged:
        _headline(_newest(judged))
    elif rows:
        tested = sum(_blind(row.version) is not None for row in rows if row.version)
        safe.write(
            safe.text(
                f"Tested by reviews made before the judge's scores were shown: {tested:,} of {len(rows):,}. A "
                "judge is tested separately in each project. Click a row to see its charts or to measure a judge."
            )
        )
    if rows:
        st.dataframe(
            [
                {"Judge": row.judge, "Project": names[row.project_id], **_in_words(row.version, row.labelled)}
                for row in rows
            ],
            key=_ROWS,
            hide_index=True,
            column_config=COLUMNS,
            column_order=None if project_id is None else ["Judge", AGREES, RIGHT, CONSISTENT, *COSTS],
            selection_mode="single-cell",
            on_select=lambda: _look_at(rows),
        )
    else:
        _nothing_yet()
    if project_id is not None:
        measure(project_id)
        if measured:
            _on_labelled_pairs(measured)
        if judged:
            charts = (_agreement(judged), _numbers(judged))
            # Of one row the table above says it all.
            show_charts([chart for chart in charts if chart.is_drawn or chart.drawing is None])
            _confidence(project_id)
    _who_judges(project_id)


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


def _look_at(rows: Sequence[_Row]) -> None:
    for at, _ in st.session_state[_ROWS].selection.cells:
        session.look_at(rows[at].project_id)


def _in_words(each: VersionRecord | None, labelled: LabelledRecord | None) -> dict[str, str | int]:
    """What a judge is worth in a project: its figures, each with the number that it is of."""
    right = _right(labelled) if labelled else "no labels"
    if each is None:
        return {RIGHT: right}
    agreed, twice = _agreed(each), each.read_twice
    return {
        AGREES: f"{_with_n(agreed.share, agreed.same, agreed.n)} ({HOW_SHORT[agreed.how]})"
        if agreed
        else "no reviews",
        RIGHT: right,
        CONSISTENT: _with_n(each.consistent, twice - each.flipped, twice) if twice else "not read twice",
        **dict(zip(COSTS, (each.judged, _cost(each, each.judged), _cost(each)), strict=True)),
    }


def _right(found: LabelledRecord) -> str:
    hits, n = right_verdicts(found.counts), found.counts.covered
    return _with_n(share(hits, n), hits, n) if n else "no labels"


def _with_n(found: Estimate | TooFew, successes: int, n: int) -> str:
    return f"{found.value:.0%} of {n:,}" if isinstance(found, Estimate) else f"{successes:,} of {n:,}"


def _blind(each: VersionRecord) -> JudgeAgreement | None:
    return next((agreed for agreed in each.agreement if agreed.how is How.BLIND_FIRST), None)


def _agreed(each: VersionRecord) -> JudgeAgreement | None:
    """The agreement that says most: of reviewers who scored first, else of most reviews."""
    return _blind(each) or max(each.agreement, key=lambda agreed: agreed.n, default=None)


def _headline(newest: VersionRecord) -> None:
    """Whether the judge that was used last can be trusted here, what that rests on, and what to do about it."""
    judge, agreed = judge_name(newest), _agreed(newest)
    tested = agreed is not None and agreed.how is How.BLIND_FIRST and isinstance(agreed.share, Estimate)
    if agreed is None:
        sentence = f"Nobody has reviewed what {judge} judged."
    else:
        interval = (
            f" (95% interval {agreed.share.interval.low:.0%} to {agreed.share.interval.high:.0%})"
            if isinstance(agreed.share, Estimate)
            else ""
        )
        sentence = (
            f"{judge} agrees with people on {_with_n(agreed.share, agreed.same, agreed.n)} reviews{interval}, by "
            f"{HOW_NAMES[agreed.how]}."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge("Tested" if tested else "Not tested", color="green" if tested else "orange")
        safe.write(safe.text(sentence))
    if not tested:
        st.caption(
            "Only people who have not seen its scores test a judge. Under Settings, let reviewers see the outputs "
            "alone; or import pairs whose winner is known, and measure a judge on them."
        )


def _on_labelled_pairs(found: Sequence[LabelledRecord]) -> None:
    database = session.services().database
    hidden = hidden_from(database, found, session.me().id)
    show_charts(tuple(labelled_charts(found, versions(database), hidden=hidden)))


def _newest(found: Sequence[VersionRecord]) -> VersionRecord:
    return max(found, key=lambda each: (each.since.isoformat() if each.since else "", each.number or 0))


def called(each: VersionRecord) -> str:
    """The version in words, with the day on which it was first used."""
    since = f", since {each.since:%d %b %Y}" if each.since else ""
    return f"{judge_name(each)}, version {each.number or each.digest[:6]}{since}"


def short(each: VersionRecord) -> str:
    """The version for the axis of a chart."""
    return f"{judge_name(each)} {f'v{each.number}' if each.number else each.digest[:6]}"


def judge_name(each: VersionRecord) -> str:
    """The model's name; the offline check's own."""
    return judge_called(each.kind, each.model)


def _nothing_yet() -> None:
    empty_page(
        "No model has judged here yet",
        "A row for each judge will stand here: how often it agrees with people and with itself, and what it costs.",
        step=("Judge pairs", PageScript.QUEUE, ":material/stacks:"),
        key="judge_batches",
    )


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
                "Version": called(each),
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
                "Judge": called(each),
                "Pairs judged": each.judged,
                "Readings": each.readings,
                "Pairs read again, being unsure": each.again,
                "Pairs whose scores and verdict disagreed": each.contradicted,
                "Pairs read with tools": each.tools,
                "Tries": each.tries,
                "Failed": each.failed,
                "Cost": _cost(each),
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


def _confidence(project_id: str) -> None:
    """Show the calibration of each version in this project, or how many blind reviews are lacking."""
    found = calibrated(session.services().database, project_id)
    show_charts(
        tuple(
            _calibration_chart(each.version, each.calibration)
            for each in found
            if isinstance(each.calibration, Calibration)
        )
    )
    for each in found:
        if not isinstance(each.calibration, Calibration):
            st.caption(
                safe.text(
                    f"{called(each.version)}: its stated confidence is not a probability yet. Calibration needs "
                    f"{NEEDED} blind reviews of pairs that it read; there are {each.calibration.n:,}."
                )
            )


def _calibration_chart(version: VersionRecord, found: Calibration) -> Chart:
    levels = [level for level in found.levels if level.n]
    rows = [("Observed", each, each.right / each.n, each.interval) for each in levels]
    rows += [("As stated", each, each.confidence / 100, None) for each in levels]
    rows += [("Calibrated", each, each.probability, None) for each in levels]
    return Chart(
        f"calibration_{version.digest[:8]}",
        f"How often people named the judge's winner, by stated confidence: {called(version)}",
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
