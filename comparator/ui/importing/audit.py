"""The third step of the page Import: what is wrong or odd, what to do about it, and a decision on each telling word."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath
from typing import NamedTuple

import pandas as pd
import streamlit as st

from comparator.domain.blinding.redaction import PatternDecision
from comparator.domain.rights import Act
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.inputs.choices import DECISIONS, decisions_on
from comparator.workflow.estimate import new_pairs
from comparator.workflow.importing.audit import Audit, Count
from comparator.workflow.importing.leaks import Leak
from comparator.workflow.importing.planned import Plan

SHOWN = 15
ALL_RUNS = "import_all_runs"
"""Key of the choice to judge pairs with an unusable output too."""
CHANGES, COSTS, KNOW = "Would change results", "Would cost money", "Worth knowing"


class FindingKind(NamedTuple):
    """How a finding is shown: its rank, its name, what it means, and what to do about it."""

    rank: str
    name: str
    means: str
    advice: str


FINDINGS = {
    "contaminated": FindingKind(
        CHANGES,
        "Runs that could read the evals file",
        "The candidate could read the expectations it is measured by.",
        "Run these again without the file, or choose other iterations in step 2.",
    ),
    "different_prompts": FindingKind(
        CHANGES,
        "Pairs whose sides were asked differently",
        "A difference in the output may come from the prompt.",
        "Choose iterations that share the prompt in step 2. What you import is marked.",
    ),
    "cut_off": FindingKind(
        CHANGES,
        "Outputs that were probably cut off",
        "The output ends at a token limit, so that it may be unfinished through no fault of the candidate.",
        "Run these again with a higher limit. What you import is marked.",
    ),
    "void": FindingKind(
        CHANGES,
        "Runs without a usable output",
        "The run failed, so its output says nothing about the candidate.",
        "They are imported but left out of judging and results.",
    ),
    "duplicates": FindingKind(
        COSTS,
        "Duplicate outputs",
        "Identical outputs were found. Judging each copy costs the same again.",
        "Remove the copies, or choose fewer pairs in step 2.",
    ),
    "one_sided": FindingKind(
        KNOW,
        "Tasks with one side only",
        "The other candidate has no output, so no pair is made.",
        "Add a missing output and scan again, or import without these tasks.",
    ),
    "other_files": FindingKind(
        KNOW,
        "Files on one side only",
        "One output has a file that the other lacks.",
        "Import them as they are. If the task needs the file, say so in an expectation.",
    ),
    "set_aside": FindingKind(
        KNOW,
        "Reports about a run",
        "These files report on the run instead of doing the task, so the judge does not read them.",
        "Import them as they are; judge and reviewers see them listed. Or judge them after all: choose them below.",
    ),
    "expectations_set_aside": FindingKind(
        KNOW,
        "Expectations left out",
        "These expectations are not checked.",
        "To have them checked, take them out of “Expectations to set aside” below.",
    ),
    "evidence_not_found": FindingKind(
        KNOW,
        "Imported graders' quotes missing from the output",
        "A grader quoted words that are not in the output, so its grades are doubtful.",
        "Trust these grades less. They are kept apart from yours.",
    ),
}


class Decided(NamedTuple):
    """Words to keep and to redact, expectations to set aside and files to take back, as a request calls them."""

    keep: frozenset[str]
    redact: frozenset[str]
    set_aside: frozenset[str]
    take_back: frozenset[str]


def audit_step(plan: Plan) -> Decided:
    """Show the audit, and return what was decided."""
    report = plan.report
    known = f" ({report.already:,} already imported)" if report.already else ""
    st.caption(
        safe.text(f"{words.counted(report.new, 'new pair')}{known}, {words.counted(report.runs, 'run')}.")
    )
    _findings(plan)
    _drift(report.audit)
    if report.left_out:
        with st.expander(safe.text(f"{words.counted(len(report.left_out), 'place')} left out")):
            table = [{"file": left.file, "reason": left.reason} for left in report.left_out]
            st.dataframe(pd.DataFrame(table), key="import_plan_left_out", hide_index=True)
    keep, redact = _words(report.audit.leaks)
    return Decided(keep, redact | _also(), _expectations(plan), _taken_back(report.audit.set_aside))


def _findings(plan: Plan) -> None:
    """The findings about the chosen pairs by rank: each with its evidence, and beside it what to do."""
    audit = plan.report.audit
    found = {name: count for name in FINDINGS if (count := _count(audit, name)).count}
    if not found:
        st.caption(":material/check: Nothing is wrong with the runs of these pairs.")
        return
    for rank in (CHANGES, COSTS, KNOW):
        names = [name for name in found if FINDINGS[name].rank == rank]
        if not names:
            continue
        safe.write(safe.Markdown(f"**{rank}**"))
        for name in names:
            evidence, action = st.columns([1, 1], gap="medium")
            with evidence:
                _evidence(FINDINGS[name], found[name])
            with action:
                safe.write(safe.text(FINDINGS[name].advice))
                if name == "void":
                    _void_too(plan)


def _evidence(kind: FindingKind, count: Count) -> None:
    with st.expander(safe.text(f"{kind.name}: {count.count:,}")):
        safe.write(safe.text(kind.means))
        sides = ", ".join(f"{side}: {number:,}" for side, number in count.sides.items())
        lines = [f"by side: {sides}", *count.examples]
        if more := count.count - len(count.examples):
            lines.append(f"and {more:,} more")
        st.code("\n".join(lines), language=None, wrap_lines=True)


def _void_too(plan: Plan) -> None:
    """The choice to judge pairs with a void run too; the last step reads it."""
    void = sum(pair.is_void for pair in new_pairs(plan, all_runs=True))
    if void and session.may_somewhere(Act.JUDGE):
        label = safe.text(f"Judge {words.counted(void, 'pair')} with an unusable output too")
        st.checkbox(label, key=ALL_RUNS, persist_state="session")


def _count(audit: Audit, name: str) -> Count:
    found: Count = getattr(audit, name)
    return found


def _drift(audit: Audit) -> None:
    drift = audit.drift
    if not (drift.prompts or drift.expectations or drift.pairs_not_made):
        return
    changed = [
        f"{what} of {words.counted(number, 'task')}"
        for what, number in (("the prompts", drift.prompts), ("the expectations", drift.expectations))
        if number
    ]
    sentences = []
    if changed:
        sentences.append(
            f"Changed between iterations: {', '.join(changed)}. Both sides of a pair are judged by one version."
        )
    if drift.pairs_not_made:
        sentences.append(
            f"Not made, because the prompts differ: {words.counted(drift.pairs_not_made, 'pair')}. Choose iterations "
            "that share the prompt, or import them as a table of pairs with the prompt to judge by."
        )
    st.caption(safe.text(" ".join(sentences)))


def _words(telling: tuple[Leak, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Ask for a decision on each word; only those that differ from the suggestion are told."""
    if not telling:
        st.caption(":material/visibility_off: No words were found that would reveal who made which output.")
        return frozenset(), frozenset()
    keep: set[str] = set()
    redact: set[str] = set()
    redacted = sum(word.decision is PatternDecision.REDACT for word in telling)
    label = f"{words.counted(len(telling), 'word')} may reveal who made which output, {redacted or 'none'} neutralised"
    with st.expander(safe.text(label), key="import_words"):
        st.caption("Each decision applies to the whole batch, to both sides, and to judge and reviewers.")
        every = len(telling) <= SHOWN or st.toggle("Show all", key="import_words_all")
        for word in telling[: None if every else SHOWN]:
            chosen = _one(word)
            if chosen is not word.decision:
                (keep if chosen is PatternDecision.KEEP else redact).add(word.pattern)
    return frozenset(keep), frozenset(redact)


def _one(word: Leak) -> PatternDecision:
    left, right = st.columns([5, 2], gap="medium", vertical_alignment="center")
    left.caption(
        f"**{safe.middle(word.pattern, 60)}** ({safe.text(word.kind.value)}): "
        f"{safe.text(word.in_words)}  \n{safe.text(word.excerpt)}"
    )
    key = f"import_word_{hashlib.sha256(word.pattern.encode()).hexdigest()[:12]}"
    if key not in st.session_state:
        st.session_state[key] = word.decision
    chosen = right.segmented_control(
        "What to do",
        decisions_on(word.kind),
        format_func=lambda each: safe.inked(DECISIONS[each]),
        key=key,
        persist_state="session",
        required=True,
        label_visibility="collapsed",
    )
    return PatternDecision(chosen) if chosen else word.decision


def _expectations(plan: Plan) -> frozenset[str]:
    """Expectations that tell a side, with what is proposed for each; they can be set aside for the whole batch."""
    telling = plan.report.audit.telling_expectations
    if not telling:
        return frozenset()
    for each in telling[:SHOWN]:
        st.caption(safe.text(each.in_words))
    chosen = st.multiselect(
        "Expectations to set aside",
        [each.text for each in telling],
        key="import_set_aside",
        persist_state="session",
        placeholder=f"{words.counted(len(telling), 'expectation')} checked. Choose those to set aside",
    )
    return frozenset(chosen)


def _taken_back(reports: Count) -> frozenset[str]:
    """Reports about a run that are to be judged after all, by their names."""
    names = sorted({PurePosixPath(place.rpartition(": ")[2]).name for place in reports.examples})
    if not names:
        return frozenset()
    chosen = st.multiselect(
        "Reports about a run to judge after all",
        names,
        key="import_take_back",
        persist_state="session",
        placeholder="None of them is judged. Choose those that belong to the outputs",
    )
    return frozenset(chosen)


def _also() -> frozenset[str]:
    return frozenset(
        st.multiselect(
            "Other words to neutralise",
            [],
            key="import_redact_also",
            persist_state="session",
            accept_new_options=True,
            placeholder="Type a word that would reveal who made an output",
        )
    )
