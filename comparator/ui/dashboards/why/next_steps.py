"""What to do next: the analysis of the two candidates, what a model says of transcripts, files, and others' work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import streamlit as st

from comparator.api.analysing import analysis, analysis_text, completed, fix_list_text, notes_text
from comparator.domain.rights import Act
from comparator.interop.write.analysis import OURS, Analysis
from comparator.jobs.drafting import Write
from comparator.judges.protocol import Judge
from comparator.reporting.findings import Findings
from comparator.reporting.results.candidates import project_state
from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.pairs import PairOutcome, Slice
from comparator.stats.figures import ENOUGH
from comparator.ui.dashboards.pairs_behind import MOST, pairs_link
from comparator.ui.dashboards.why.theme_work import cost_in_words
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.charts import PAIRS, Cell, numbers
from comparator.ui.frame.charts.chart import pair_link
from comparator.ui.frame.inputs.file_to_save import file_to_save
from comparator.ui.frame.inputs.uploads import given
from comparator.ui.frame.lists.filters import one_of
from comparator.ui.frame.model_progress import model_progress
from comparator.ui.frame.recheck_rights import require_here
from comparator.ui.frame.words import counted
from comparator.workflow.importing.analyses import Foreign, foreign, import_analysis
from comparator.workflow.judging.registry import Membership
from comparator.workflow.themes import inquire
from comparator.workflow.themes.model_questions import model_to_ask
from comparator.workflow.themes.suggest import cost_of_suggestions, suggest, suggested_for_others
from comparator.workflow.themes.transcripts import (
    TranscriptMaterial,
    cost_of_reading,
    material,
    read_transcripts,
)

LARGEST_MB = 2
KEPT = "analysis_kept"
"""In the session's state: of which pairs, the analysis that is shown, and the transcripts that a model could read."""
NO_FLOOR = (
    " No suggestion can have high priority until the noise floor is known. That takes "
    f"{ENOUGH} pairs of two runs of the same candidate."
)


def next_steps(top: Findings) -> None:
    """The analysis once it is asked for, and the files."""
    services, asked = session.services(), top.asked
    with st.container(border=True, key="next_steps"):
        st.subheader("What to do next", anchor=False)
        lost = PairOutcome(one_of("fix", _named(top), "What to change in"))
        to_change = _named(top)[lost.value]
        st.caption(
            safe.text(
                f"What would flip the most pairs that {to_change} lost comes first, with the pairs behind each entry. "
                "It uses criteria, expectations, themes and reviewers' reasons of the counted pairs. analysis.json "
                "is about the candidate that lost more, as its format requires."
            )
        )
        with st.container(horizontal=True):
            show = st.button(
                "Show the analysis", key="analysis_show", type="primary", icon=":material/insights:"
            )
            file_to_save(
                "analysis.json",
                lambda: analysis_text(services, asked),
                name="analysis.json",
                key="analysis_json",
                icon=":material/data_object:",
            )
            file_to_save(
                "Fix list for an issue (Markdown)",
                lambda: fix_list_text(services, asked, candidate=to_change),
                name="fix-list.md",
                key="analysis_fix_list",
                icon=":material/checklist:",
            )
            file_to_save(
                "Benchmark notes (JSON)",
                lambda: notes_text(services, asked, top.names),
                name="notes.json",
                key="analysis_notes",
                icon=":material/notes:",
            )
        if show:
            # Reading all pairs takes a while: what was read stays until other pairs are asked for.
            with st.status("Reading the pairs") as status:
                found = analysis(
                    services,
                    asked,
                    fix=lost,
                    on_step=lambda done, of: status.update(label=f"Reading the pairs: {done:d} of {of:d}"),
                )
                given = material(services, found) if model_to_ask(services) is not None else None
                st.session_state[KEPT] = ((asked, lost), found, given)
                status.update(state="complete")
        kept = st.session_state.get(KEPT)
        if kept is not None and kept[0] == (asked, lost):
            _shown(top, kept[1], kept[2], lost)
        _foreign(top)


def _named(top: Findings) -> dict[str, str]:
    """Each candidate's name under the outcome of the pairs that it lost; the one under test first."""
    return {PairOutcome.LOST.value: top.names.one, PairOutcome.WON.value: top.names.two}


def _shown(top: Findings, analysis: Analysis, given: TranscriptMaterial | None, lost: PairOutcome) -> None:
    to_change = _named(top)[lost.value]
    other = top.names.two if to_change == top.names.one else top.names.one
    if not (top.result.lost if lost is PairOutcome.LOST else top.result.won):
        st.caption(safe.text(f"{to_change} lost none of these pairs, so this shows what {other} lacks."))
        to_change, other = other, to_change
    found: dict[str, Any] = completed(session.services(), top.asked, analysis).document()
    evidence = found[OURS]["evidence"]
    st.caption(
        safe.text(
            f"{found['comparison_summary']['comparator_reasoning']}{_read(analysis, to_change)}{_unsaid(analysis)}"
        )
    )
    for key, title in (
        ("winner_strengths", f"What {other} does better"),
        ("loser_weaknesses", f"What {to_change} lacks"),
    ):
        st.caption(safe.text(title))
        numbers(
            key,
            [
                {"Finding": text, **evidence_columns(top.asked, each)}
                for text, each in zip(found[key], evidence[key], strict=True)
            ],
            pinned=PAIRS,
        )
    st.caption(safe.text(f"What to fix in {to_change}, starting with what would flip the most lost pairs"))
    numbers(
        "improvement_suggestions",
        [
            {
                "Priority": each["priority"],
                "Suggestion": each["suggestion"],
                "Would flip": len(behind["flips"]),
                **evidence_columns(top.asked, behind),
                "Expected": each["expected_impact"],
            }
            for each, behind in zip(
                found["improvement_suggestions"], evidence["improvement_suggestions"], strict=True
            )
        ],
        pinned=PAIRS,
    )
    st.caption(
        safe.text(
            f"Suggestions by {found[OURS]['suggestions_by']}. Priority: {found[OURS]['priority_rule']}."
            f"{NO_FLOOR if analysis.floor is None else ''}"
        )
    )
    if session.may(Act.JUDGE, project_id=top.asked.project_id):
        _suggest(top, analysis)
    read_part(top, analysis, found, given=given, sides={"winner": other, "loser": to_change})


def _read(found: Analysis, to_change: str) -> str:
    """How many of the pairs were read, where not all were."""
    read = found.pairs_read
    if read.all:
        return ""
    return (
        f" {read.pairs:,} of these {read.of:,} pairs were read: {read.lost:,} of the {read.of_lost:,} that {to_change} "
        "lost, and then others. The sample of each kind does not depend on the scores."
    )


def _unsaid(found: Analysis) -> str:
    if not found.unsaid:
        return ""
    return f" {counted(found.unsaid, 'difference')} left out because nobody gave a reason."


def _suggest(top: Findings, found: Analysis) -> None:
    """Have a model suggest, with its cost shown first."""
    services, asked, me = session.services(), top.asked, session.me().id
    model = model_to_ask(services)
    if model is None:
        return
    cost = cost_of_suggestions(found, model=model)

    async def write(judge: Judge, here: Membership) -> object:
        return await suggest(
            here,
            inquire.as_model(judge),
            asked.project_id,
            found,
            of=(asked.one, asked.two),
            person_id=me,
        )

    others = suggested_for_others(services, asked.project_id, found, of=(asked.one, asked.two))
    again = (
        "The stored suggestions are for other pairs or the other candidate. Ask the model again for these. "
        if others
        else ""
    )
    ask_button(
        f"suggest.{asked.one}.{asked.two}",
        "Have a model suggest",
        write,
        name="analysis_suggest",
        icon=":material/lightbulb:",
        doing="The model suggests",
        caption=f"{again}{cost_in_words(cost, model)} Each suggestion must cite the evidence above.",
    )


def _foreign(top: Findings) -> None:
    """Analyses of others beside ours, and the way to bring one in."""
    project_id = top.asked.project_id
    others = foreign(session.services(), project_id)
    if others and project_state(session.services().database, project_id).unrevealed:
        st.caption("Analyses by others name the candidates, so they are shown once every pair is revealed.")
    elif others:
        names = [f"{number}. {safe.visible(each.name)}" for number, each in enumerate(others, start=1)]
        chosen = st.selectbox("Analyses by others", names, key="analysis_foreign", width=480)
        _foreign_analysis(others[names.index(chosen)])
    if not session.may(Act.SUBMIT, project_id=project_id):
        return
    with st.popover("Import an analysis.json", icon=":material/upload_file:", key="analysis_import"):
        file = st.file_uploader(
            "File",
            type=["json"],
            key="analysis_file",
            max_upload_size=LARGEST_MB,
            label_visibility="collapsed",
        )
        if file is not None and st.button("Import", key="analysis_import_now", type="primary"):
            services = session.services()
            text = given(file).read(services.limits).decode("utf-8", "replace")
            import_analysis(services, project_id, text, name=file.name, person_id=session.me().id)
            st.rerun()


def _foreign_analysis(each: Foreign) -> None:
    analysis = each.analysis
    st.caption(safe.text(f"{each.verdict} {each.place}"))
    if each.comparison_id is not None:
        pair_link(each.comparison_id, label=each.title)
    st.caption(safe.text(analysis.comparison_summary.comparator_reasoning or "It gives no summary."))
    numbers(
        "foreign_analysis",
        [
            *({"Part": "strength of the winner", "Text": line} for line in analysis.winner_strengths),
            *({"Part": "weakness of the loser", "Text": line} for line in analysis.loser_weaknesses),
            *(
                {"Part": f"suggestion ({line.priority})", "Text": f"{line.suggestion} {line.expected_impact}"}
                for line in analysis.improvement_suggestions
            ),
            *(
                {
                    "Part": f"instruction following of the {side}",
                    "Text": f"{of.score}: {'; '.join(of.issues)}",
                }
                for side, of in analysis.instruction_following.items()
            ),
            *(
                {"Part": name.replace("_", " "), "Text": text}
                for name, text in analysis.transcript_insights.items()
            ),
        ],
    )


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


NAMES = {
    "instruction_following": "Following the instructions",
    "transcript_insights": "How the two worked",
}
BY_SIDE = {
    "instruction_following": "How {side} followed the instructions",
    "transcript_insights": "How {side} worked",
}


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
