"""Comparisons as rows of a list, with status, verdict and flags in words, and the way to a pair and back."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

import streamlit as st

from comparator.domain.counted import natural
from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.pair.notes import CUT_OFF, MAY_REVEAL, SCORES_DISAGREE, SUPERSEDED, VOID
from comparator.domain.rights import Act
from comparator.domain.scoring.rubric import NO_DIFFERENCE
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryPage, HistoryRow, history
from comparator.store.facts.fact import Status
from comparator.store.pairs.comparison_list import ComparisonRow
from comparator.ui.components.listing import Action, Column, Flag, ListRow, Tone
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.state import PageScript, Param, SessionKey

STATUS = {
    "to_judge": "to judge",
    "judging": "judging",
    "failed": "failed",
    "to_review": "to review",
    "draft": "draft",
    "finalised": "done",
    "superseded": "superseded",
    "void": "unusable output",
    "not_reviewed": "not reviewed",
}
"""What each status is called."""
TONES = {"failed": Tone.BAD, "finalised": Tone.GOOD}
SOURCES = {
    verdict_source.value: verdict_source.whose
    for verdict_source in VerdictSource
    if verdict_source is not VerdictSource.OFFLINE
}
HEADS = {
    Column.TITLE: "Task",
    Column.PROJECT: "Project",
    Column.STARTS: "How they begin",
    Column.STATUS: "Status",
    Column.WINNER: "Winner and scores",
    Column.WHY: "Why",
    Column.TIME: "Created",
    Column.ACTIONS: "",
}
SAYS_WHO = re.compile(
    r"^(?:Example judgment, written for this project\. ?)?"
    r"(?:(?:Output )?[AB] is (?:much )?better(?: \([^)]*\))?[:,.]?|Both outputs do the task equally well\.)?\s*"
)
"""The start of a reason that says no more than who won, or that the judgment is an example."""
EXPORT = Action(name="export", label="Export", hover="Save comparison.json")
FAILED_UNSEEN = "Score it without the judge; why the judge failed is shown afterwards."
JUDGE_ACTION = "judge"
JUDGED_ANEW = {
    "failed": Action(name=JUDGE_ACTION, label="Try again", hover="Finished readings are not charged again"),
    "to_judge": Action(name=JUDGE_ACTION, label="Judge", hover="Have the judge read this pair"),
}


def queue_row(row: HistoryRow, *, elsewhere: Flag | None, group: str) -> ListRow:
    """One comparison that waits for a person: no winner, scores or candidates. Of a judge whose scores the reader sees
    later it says only that it has read the pair; a failed one says why to whoever may have pairs judged."""
    row = row.copy_with(made_by=None)
    line, judges = row.line, session.may_somewhere(Act.JUDGE)
    flags = tuple(flags_of(row))
    problem = ""
    if line.status is Status.FAILED:
        problem = (line.problem or "") if judges or not row.covered else FAILED_UNSEEN
    elif line.status is Status.VOID:
        void = [
            label for label, state in zip(Label, (line.state_a, line.state_b), strict=True) if state == "void"
        ]
        problem = f"{' and '.join(void)}: no output, or only an error."
    return ListRow(
        id=line.id,
        href=f"review?{Param.COMPARISON}={line.id}",
        title=safe.visible(line.title),
        note=" · ".join(filter(None, (_pair(row), "judged" if line.judge_winner else ""))),
        about=_about(row, waits=True),
        problem=problem,
        group=group,
        flags=(elsewhere, *flags) if elsewhere else flags,
        time=line.created_at,
        actions=tuple(filter(None, [JUDGED_ANEW.get(line.status.value) if judges else None])),
    )


def history_row(row: HistoryRow, *, starts: PerOutput[str] | None = None, dated: bool = True) -> ListRow:
    """One comparison with the verdict that holds, whoever gave it; nothing of it while the pair is covered."""
    line, names = row.line, _names(row)
    base = ListRow(
        id=line.id,
        href=f"review?{Param.COMPARISON}={line.id}",
        title=safe.visible(line.title),
        note=_pair(row),
        about=_about(row),
        names=names,
        # Once they may be told, the names say which is which, and stand in one order all down the list.
        turned=names is not None and natural(names.B) < natural(names.A),
        starts=starts,
        project="" if session.project_id() else line.project_name,
        status=status_of(row),
        time=line.created_at if dated else None,
    )
    if row.covered:
        return base.copy_with(by="hidden until you score")
    a, b = line.overall_a, line.overall_b
    # Without scores the pair itself asks for four numbers; what the offline check found is no result.
    base = base.copy_with(flags=tuple(flags_of(row)), actions=() if a is None else (EXPORT,))
    if line.is_void and line.winner:
        return base.copy_with(by="not counted")
    return base.copy_with(
        winner=line.winner,
        scores=None if a is None or b is None else PerOutput[Decimal](A=a, B=b),
        by=by_whom(line),
        why=safe.visible(" ".join(SAYS_WHO.sub("", line.reasoning or "").split())),
    )


def by_whom(line: ComparisonRow) -> str:
    """Whose the winner is, and the rule where the scores do not give it; of the offline check, what it found."""
    if line.verdict_source is VerdictSource.OFFLINE:
        return f"form: {line.form}"
    if line.verdict_source is None or line.winner is None:
        return ""
    if line.is_accepted and line.verdict_source is not VerdictSource.ADJUDICATION:
        return "accepted"
    whose, rule = SOURCES[line.verdict_source.value], line.decided_by
    if rule is None or not is_not_by_scores(line):
        return whose
    return rule.short if rule is DecidedBy.REVIEWER else f"{whose}, by {rule.short}"


def is_not_by_scores(line: ComparisonRow) -> bool:
    """Whether there are scores and they do not give the winner. A lead's ruling stands for itself."""
    a, b = line.overall_a, line.overall_b
    if a is None or b is None or line.verdict_source is VerdictSource.ADJUDICATION:
        return False
    return line.winner is not (Winner.A if a > b else Winner.B if b > a else Winner.TIE)


def _names(row: HistoryRow) -> PerOutput[str] | None:
    """Both candidates once they may be told, without an iteration that they share: it stands beside the title."""
    names, tail = row.made_by, f" ({row.iteration})"
    if names is None or not all(name.endswith(tail) for _, name in names.items()):
        return names
    return names.map(lambda name: name.removesuffix(tail))


def status_of(row: HistoryRow) -> Flag:
    """Where the comparison stands; what went wrong on hover, unless the reader has yet to answer blind."""
    status = row.line.status.value
    problem = "" if row.covered else row.line.problem or ""
    return Flag(text=STATUS[status], tone=TONES.get(status, Tone.PLAIN), hover=problem)


def flags_of(row: HistoryRow) -> Iterator[Flag]:
    """What deserves a second look; of a covered row only why it is listed."""
    line, status = row.line, row.line.status.value
    if line.superseded and status != "superseded":
        yield _warning("superseded", f"{SUPERSEDED.about} It stays here because its review has started.")
    if row.covered:
        return
    # A cut-off run is judged; a void one stands in the status while it waits.
    states = (line.state_a, line.state_b)
    if line.is_void and status != "void":
        yield _warning(VOID.name.lower(), VOID.about)
    for label, state in zip(Label, states, strict=True):
        if state == "cut_off":
            called = row.made_by[label] if row.made_by else label.value
            yield _warning(CUT_OFF.name.format(called), CUT_OFF.about)
    if line.may_reveal and row.made_by:
        yield _warning(MAY_REVEAL.name.lower(), MAY_REVEAL.about)
    if line.position_consistent is False:
        yield _warning("orders differ", "The judge's two orders gave different winners.")
    if line.self_consistent is False:
        yield _warning(
            SCORES_DISAGREE,
            "In one reading, the stated winner contradicts the judge's own scores, even after it was asked again.",
        )
    traced, total = line.quotes_found, line.quotes_total
    if traced is not None and total and traced < total:
        unfound = words.counted(total - traced, "quote")
        about = f"{total - traced} of the judge's {total} quotes are not in the outputs."
        yield _warning(f"{unfound} not found", about)
    if line.problem and status != "failed":
        yield Flag(text="judging failed", tone=Tone.BAD, hover=line.problem)


def _warning(text: str, about: str) -> Flag:
    return Flag(text=text, tone=Tone.WARN, hover=about)


def _pair(row: HistoryRow) -> str:
    """Which of its task's pairs it is, where there are several."""
    return "pair {} of {}".format(*row.of_task) if row.of_task and not row.made_by else ""


def _about(row: HistoryRow, *, waits: bool = False) -> tuple[str, ...]:
    """What stands beside the title; of a pair that `waits`, nothing that only a result has."""
    parts = (
        f"iteration {row.iteration}" if not waits and _names(row) != row.made_by else "",
        *(f"#{tag}" for tag in row.line.tags),
        # Beside a winner the list names them anyway.
        " and ".join(sorted((row.made_by.A, row.made_by.B), key=natural))
        if row.made_by and (row.covered or row.line.is_void or not row.line.winner)
        else "",
        ", ".join(words.FAMILIES[family] for family in row.families),
        f"form: {row.line.form}"
        if waits and row.line.form not in (None, NO_DIFFERENCE) and not row.covered
        else "",
    )
    return tuple(part for part in parts if part)


class ListPage(NamedTuple):
    """One page of a list."""

    page: HistoryPage
    pages: int
    """How many pages there are, at least 1."""


def read_page(history_filter: HistoryFilter, *, key: str, size: int) -> ListPage:
    """The page whose number `key` holds in the session: the first of a new search, the last where fewer are left."""
    listed = f"{SessionKey.LISTED_PREFIX}_{key}"
    before = st.session_state.get(listed)
    if before is not None and before != history_filter:
        st.session_state[key] = 1
    st.session_state[listed] = history_filter
    number = st.session_state.get(key, 1)
    page = _read(history_filter, number, size)
    pages = max(-(-page.total // size), 1)
    if number > pages:
        st.session_state[key] = pages
        page = _read(history_filter, pages, size)
    return ListPage(page, pages)


def _read(history_filter: HistoryFilter, number: int, size: int) -> HistoryPage:
    offset = (number - 1) * size
    return history(session.services().database, history_filter, limit=size, offset=offset)


def open_pair(comparison_id: str) -> None:
    """Go on to the review page of a pair, and remember the address and the project that are left."""
    st.session_state[SessionKey.LEFT] = {
        name: st.query_params.get_all(name) for name in st.query_params if name != Param.PROJECT
    }
    st.session_state[SessionKey.LEFT_PROJECT] = st.session_state.get(Param.PROJECT)
    session.go(PageScript.REVIEW, c=comparison_id)
