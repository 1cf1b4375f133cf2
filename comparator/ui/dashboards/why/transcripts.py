"""What a model says of the transcripts of both candidates, with its evidence; and the button that asks a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import streamlit as st

from comparator.domain.rights import Act
from comparator.interop.write.analysis import OURS, Analysis
from comparator.jobs.drafting import Write
from comparator.judges.protocol import Judge
from comparator.reporting.findings import Findings
from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.pairs import Slice
from comparator.ui.dashboards.pairs_behind import MOST, pairs_link
from comparator.ui.dashboards.why.theme_work import cost_in_words
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.charts import PAIRS, Cell, numbers
from comparator.ui.frame.model_progress import model_progress
from comparator.ui.frame.recheck_rights import require_here
from comparator.ui.frame.words import counted
from comparator.workflow.judging.registry import Membership
from comparator.workflow.themes import inquire
from comparator.workflow.themes.model_questions import model_to_ask
from comparator.workflow.themes.transcripts import TranscriptMaterial, cost_of_reading, read_transcripts

NAMES = {
    "instruction_following": "Following the instructions",
    "transcript_insights": "How the two worked",
}
BY_SIDE = {
    "instruction_following": "How {side} followed the instructions",
    "transcript_insights": "How {side} worked",
}


def evidence_columns(asked: ResultFilter, evidence: Mapping[str, Any]) -> dict[str, Cell]:
    """The columns of one entry of these counted pairs, from its evidence in the document.

    The link lists its pairs; of very many, the first.
    """
    every = evidence["pairs"]
    only = Slice(comparisons=tuple(every[:MOST]), first_of=len(every) if len(every) > MOST else 0)
    return {
        "Pairs": evidence["n"],
        "Status": evidence["status"],
        "Said by": evidence["said"],
        "Quote": "; ".join(evidence["quotes"]),
        PAIRS: pairs_link(asked, only) if only.comparisons else None,
    }


def ask_button(
    task: str, label: str, write: Write[object], *, name: str, icon: str, doing: str, caption: str
) -> None:
    """The button, what went wrong the last time, or, while the model is at it, for how long."""
    running = session.inquiring().look(task)
    if running is not None and not running.done:
        _follow(task, doing)
        return
    if running is not None:
        session.inquiring().forget(task)
        if running.problem is not None:
            st.error(safe.text(running.problem), icon=":material/error:")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(safe.text(label), key=name, icon=icon):
            session.inquiring().begin(task, write, kind=None, model=None)
            st.rerun()
        st.caption(safe.text(caption))


@st.fragment(run_every=0.5)
def _follow(task: str, doing: str) -> None:
    with shell.guard():
        require_here(Act.JUDGE)
        running = session.inquiring().look(task)
        if running is None or running.done:
            st.rerun()
        model_progress(doing, running.began)


def read_part(
    top: Findings,
    found: Analysis,
    document: dict[str, Any],
    *,
    given: TranscriptMaterial | None,
    sides: Mapping[str, str],
) -> None:
    """Both parts of the document where they are there, why one is not, and the act that reads transcripts.

    `sides` names the candidates that the analysis calls winner and loser.
    """
    evidence, ours = document[OURS]["evidence"], document[OURS]
    rows = [
        {"Side": sides[side], "Finding": text, **evidence_columns(top.asked, behind)}
        for side, text, behind in _entries(document, evidence)
    ]
    if rows:
        st.caption(safe.text("From the transcripts: following the instructions, and how the two worked"))
        numbers("from_transcripts", rows, pinned=PAIRS)
        st.caption(safe.text(" ".join(_sentences(ours["transcripts"], sides))))
    for reason in dict.fromkeys(ours["absent"].values()):
        parts = [_part(name, sides) for name, why in ours["absent"].items() if why == reason]
        st.caption(safe.text(f"Left out: {' and '.join(parts)}. {reason}"))
    if given is not None and session.may(Act.JUDGE, project_id=top.asked.project_id):
        _ask(top, found, given)


def _part(name: str, sides: Mapping[str, str]) -> str:
    """What a part is called, or one side of it, within a sentence."""
    part, _, side = name.partition(".")
    called = BY_SIDE[part] if side else NAMES[part]
    return called.lower().format(side=sides.get(side, side))


def _entries(document: dict[str, Any], evidence: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each entry: its side, its text, and what it rests on."""
    for side, each in document.get("instruction_following", {}).items():
        behind = evidence["instruction_following"][side]
        yield side, f"Follows its instructions: {each['score']} of 10", behind["score"]
        for issue, of in zip(each["issues"], behind["issues"], strict=True):
            yield side, issue, of
    for name, pattern in document.get("transcript_insights", {}).items():
        yield name.partition("_")[0], pattern, evidence["transcript_insights"][name]


def _sentences(reading: dict[str, Any], sides: Mapping[str, str]) -> Iterator[str]:
    skills = " and ".join(sides[each] for each in reading["skills"])
    yield f"Read by {reading['by']} in {counted(len(reading['pairs']), 'pair')}."
    yield f"Skill read of {skills}." if skills else "No skill was read."
    if reading["dropped_without_quote"]:
        yield f"{counted(reading['dropped_without_quote'], 'statement')} left out: no quote found."
    yield from (f"{each}." for each in reading["cut"])


def _ask(top: Findings, found: Analysis, given: TranscriptMaterial) -> None:
    services, asked, me = session.services(), top.asked, session.me().id
    model = model_to_ask(services)
    if model is None:
        return

    async def write(judge: Judge, here: Membership) -> object:
        return await read_transcripts(
            here,
            inquire.as_model(judge),
            asked.project_id,
            found,
            of=(asked.one, asked.two),
            person_id=me,
        )

    cost = cost_in_words(cost_of_reading(given, model=model), model)
    ask_button(
        f"transcripts.{asked.one}.{asked.two}",
        "Have a model read the transcripts",
        write,
        name="analysis_transcripts",
        icon=":material/article:",
        doing="The model reads the transcripts",
        caption=f"{cost} It gets the transcripts of {counted(len(given.pairs), 'pair')}.",
    )
