"""The tab Record: each version of each judge against people, in both orders, how sure it was, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from comparator.domain.rights import Act
from comparator.domain.scoring.review import How
from comparator.judges.protocol import judge_called
from comparator.reporting.scope import HOW_NAMES, HOW_SHORT
from comparator.reporting.trust.labelled_record import (
    LabelledRecord,
    hidden_from,
    labelled_records,
)
from comparator.reporting.trust.record import (
    JudgeAgreement,
    VersionRecord,
    calibrated,
    records,
    versions,
)
from comparator.stats.accuracy import NEEDED, Calibration
from comparator.stats.figures import Estimate, TooFew, share
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import Bars, Cell, Chart, Dots, Lines, Tone, ends
from comparator.ui.frame.charts import show as show_charts
from comparator.ui.frame.charts.labelled import labelled_charts, right_verdicts, who
from comparator.ui.frame.empty import empty_page
from comparator.ui.frame.state import PageScript
from comparator.ui.frame.words import counted
from comparator.ui.judge.measure import measure

_ROWS = "judge_rows"
AGREES, RIGHT, CONSISTENT = "Agreement with people", "Right on labels", "Same in both orders"
CHANCE = 1 / 3
"""The share that a guess among A, B and tie gets right."""


def show(project_id: str | None) -> None:
    """Show the record with people and on labelled pairs; where there is none yet, what will stand here."""
    if project_id is None:
        _every_project()
        return
    database = session.services().database
    found = records(database, (project_id,))[project_id]
    here = labelled_records(database, (project_id,))
    judged = any(each.judged for each in found)
    if judged:
        _headline(found, here)
    measure(project_id)
    if here:
        _on_labelled_pairs(here)
    if judged:
        st.header("With people", anchor=False)
        show_charts(tuple(record_charts(found)))
        _confidence(project_id)
    elif not here:
        _nothing_yet()


def _every_project() -> None:
    """A row for each judge in each project; a click on one looks at its project, where a judge can be measured."""
    database = session.services().database
    projects = {each.id: each.name for each in session.projects(Act.SEE_RESULTS)}
    known = versions(database)
    labelled = {
        (each.project_id, each.judge.digest): each
        for each in labelled_records(database, list(projects))
        if each.judge.kind != "offline"
    }
    lines: list[tuple[str, int, dict[str, str | int]]] = []
    for project_id, found in records(database, list(projects)).items():
        for each in found:
            right = labelled.pop((project_id, each.digest), None)
            row = _record_in_words(each, right)
            lines.append(
                (project_id, each.judged, {"Judge": short(each), "Project": projects[project_id], **row})
            )
    for (project_id, _), right in labelled.items():
        row = {
            "Judge": who(right, known),
            "Project": projects[project_id],
            "Pairs judged": 0,
            RIGHT: _right(right),
        }
        lines.append((project_id, 0, row))
    if not lines:
        _nothing_yet()
        return
    lines.sort(key=lambda line: -line[1])
    st.caption(
        "One row for each judge and project. Click a row for its charts, and to measure a judge there."
    )
    st.dataframe(
        [row for _, _, row in lines],
        key=_ROWS,
        hide_index=True,
        selection_mode="single-cell",
        on_select=lambda: _look_at([project_id for project_id, _, _ in lines]),
    )


def _look_at(project_ids: Sequence[str]) -> None:
    for row, _ in st.session_state[_ROWS].selection.cells:
        session.look_at(project_ids[row])


def _record_in_words(each: VersionRecord, labelled: LabelledRecord | None) -> dict[str, str | int]:
    """What a judge is worth in a project: its figures, each with the number that it is of."""
    blind = _blind(each)
    return {
        "Pairs judged": each.judged,
        AGREES: _with_n(blind.share, blind.same, blind.n) if blind else "not tested",
        RIGHT: _right(labelled) if labelled else "–",
        CONSISTENT: _with_n(each.consistent, each.read_twice - each.flipped, each.read_twice)
        if each.read_twice
        else "–",
        "Cost a pair": _per_pair(each),
    }


def _right(found: LabelledRecord) -> str:
    hits, n = right_verdicts(found.counts), found.counts.covered
    return _with_n(share(hits, n), hits, n) if n else "–"


def _with_n(found: Estimate | TooFew, successes: int, n: int) -> str:
    return f"{found.value:.0%} of {n:,}" if isinstance(found, Estimate) else f"{successes:,} of {n:,}"


def _blind(each: VersionRecord) -> JudgeAgreement | None:
    return next((agreed for agreed in each.agreement if agreed.how is How.BLIND_FIRST), None)


def _on_labelled_pairs(found: Sequence[LabelledRecord]) -> None:
    database = session.services().database
    known = versions(database)
    show_charts(
        tuple(
            labelled_charts(
                found,
                known,
                hidden=hidden_from(database, found, session.me().id),
            )
        )
    )


def _newest(found: Sequence[VersionRecord]) -> VersionRecord:
    def age(each: VersionRecord) -> tuple[str, int]:
        return each.since.isoformat() if each.since else "", each.number or 0

    return max((each for each in found if each.judged), key=age)


def record_charts(found: Sequence[VersionRecord]) -> Iterator[Chart]:
    """The charts of these versions, in the order in which they are read."""
    judged = [each for each in found if each.judged]
    yield _agreement(judged)
    yield _consistency(judged)
    for name, title, series, number, method in (
        (
            "contradictions",
            "Pairs on which the judge's scores and its own verdict disagreed",
            ("Agreed", "Disagreed"),
            [each.contradicted for each in judged],
            "The first reading in each order, after the judge was asked once more. Such pairs come first in the queue.",
        ),
        (
            "repetitions",
            "Pairs that the judge read again because it was unsure",
            ("Read once", "Read again"),
            [each.again for each in judged],
            "More than once in each order. Agreement and consistency use the first reading in each order only.",
        ),
    ):
        yield Chart(
            f"judge_{name}",
            title,
            [
                {"Judge": short(each), series[0]: each.judged - n, series[1]: n, "Version": called(each)}
                for each, n in zip(judged, number, strict=True)
            ],
            Bars("Judge", dict(zip(series, (Tone.PLAIN, Tone.EVEN), strict=True))),
            help=method,
        )
    yield Chart(
        "judge_cost",
        "What each version cost",
        [_cost_row(each) for each in found],
        help="All attempts, failed ones included. Attempts of a model without a known price are not in the cost.",
    )


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
        "This tab will show how often each judge agrees with people and with itself, and what it costs.",
        step=("Judge pairs", PageScript.QUEUE, ":material/stacks:"),
        key="judge_batches",
    )


def _headline(found: Sequence[VersionRecord], measured: Sequence[LabelledRecord]) -> None:
    """The version used last, in a few figures."""
    newest = _newest(found)
    st.caption(safe.text(f"Last used: {called(newest)}"))
    labelled = next((each for each in measured if each.judge.digest == newest.digest), None)
    with st.container(horizontal=True, gap="medium"):
        for name, value in _record_in_words(newest, labelled).items():
            if value != "–":
                st.metric(
                    safe.text(name),
                    safe.text(f"{value:,}" if isinstance(value, int) else value),
                    width="content",
                )
    if _blind(newest) is None:
        st.caption(
            "Agreement is not tested: it counts only reviews that were made before the judge's scores were shown, "
            "and there are none yet."
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


def _consistency(found: Sequence[VersionRecord]) -> Chart:
    rows = [each for each in found if each.read_twice]
    return Chart(
        "judge_consistency",
        "How often the judge named the same winner in both orders",
        [
            {
                "Judge": short(each),
                "Share": round((each.read_twice - each.flipped) / each.read_twice, 3),
                **ends(each.consistent),
                "Pairs": each.read_twice,
                "Same winner": each.read_twice - each.flipped,
                "Version": called(each),
            }
            for each in rows
        ],
        Dots("Judge", "Share", (0, 1), even=1.0, sides=("follows the order", "consistent"), n="Pairs"),
        note="" if rows else "No pair was read in both orders yet.",
        help="Each pair is read with A first and with B first. The rest depends on the order.",
    )


def _cost_row(each: VersionRecord) -> dict[str, Cell]:
    return {
        "Judge": called(each),
        "Pairs judged": each.judged,
        "Readings": each.readings,
        "Pairs read with tools": each.tools,
        "Tries": each.tries,
        "Failed": each.failed,
        "Cost": _cost(each),
        "Cost a pair": _per_pair(each),
        "Attempts without a known price": each.unpriced,
    }


def _cost(each: VersionRecord, pairs: int = 1) -> str:
    """What it cost, by currency; a dash where nothing was asked, as of a judgment that was imported."""
    paid = [f"{amount / pairs:.4f} {currency}" for currency, amount in each.cost if amount and pairs]
    return ", ".join(paid) or ("unknown" if each.unpriced else "–")


def _per_pair(each: VersionRecord) -> str:
    return _cost(each, each.judged)


def _confidence(project_id: str) -> None:
    """Show the calibration of each version in this project, or how many blind reviews are lacking."""
    found = calibrated(session.services().database, project_id)
    st.header("Stated confidence", anchor=False)
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
    better = "better" if found.helps else "no better"
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
        note=f"{counted(found.n, 'blind review')}; Platt scaling. The calibrated forecast is {better} than "
        "the stated one.",
        help=f"Squared error of a forecast: {found.brier_before:.3f} as stated, {found.brier_after:.3f} calibrated "
        f"(each review left out in turn), {found.brier_constant:.3f} with one figure for all. Stated and observed are "
        f"{found.error_before * 100:.0f} points apart on average.",
    )
