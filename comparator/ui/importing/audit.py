"""The third step of the page Import: what is wrong or odd, what to do about it, and a decision on each telling word."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

import streamlit as st

from comparator.domain.blinding.redaction import PatternDecision
from comparator.domain.rights import Act
from comparator.interop.imported import LeftOut
from comparator.jobs.estimate_batches import new_pairs
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.inputs import decide_words, further_words, ticked_rows
from comparator.workflow.importing.audit import COUNTED, Audit
from comparator.workflow.importing.planned import Plan
from comparator.workflow.submit.uploads import origin_of

_AT_ONCE = 5
ALL_RUNS = "import_all_runs"
"""Key of the choice to judge pairs with an unusable output too."""
CHANGES, COSTS, KNOW = "Would change results", "Would cost money", "Worth knowing"
COLOURS: dict[str, Literal["red", "orange", "gray"]] = {CHANGES: "red", COSTS: "orange", KNOW: "gray"}


class FindingKind(NamedTuple):
    """How a finding is shown: its rank, what it means, and what to do about it."""

    rank: str
    means: str
    advice: str


FINDINGS = {
    "contaminated": FindingKind(
        CHANGES,
        "The candidate could read the expectations it is measured by.",
        "Run these again without the file, or choose other iterations in step 2.",
    ),
    "different_prompts": FindingKind(
        CHANGES,
        "A difference in the output may come from the prompt.",
        "Choose iterations that share the prompt in step 2. What you import is marked.",
    ),
    "cut_off": FindingKind(
        CHANGES,
        "The output ends at a token limit, so that it may be unfinished through no fault of the candidate.",
        "Run these again with a higher limit. What you import is marked.",
    ),
    "void": FindingKind(
        CHANGES,
        "The run failed, so its output says nothing about the candidate.",
        "They are imported but left out of judging and results.",
    ),
    "duplicates": FindingKind(
        COSTS,
        "Identical outputs were found. Judging each copy costs the same again.",
        "Remove the copies, or choose fewer pairs in step 2.",
    ),
    "one_sided": FindingKind(
        KNOW,
        "The other candidate has no output, so no pair is made.",
        "Add a missing output and scan again, or import without these tasks.",
    ),
    "other_files": FindingKind(
        KNOW,
        "One output has a file that the other lacks.",
        "Import them as they are. If the task needs the file, say so in an expectation.",
    ),
    "set_aside": FindingKind(
        KNOW,
        "These files report on the run instead of doing the task, so the judge does not read them.",
        "Import them as they are; judge and reviewers see them listed. Or tick them below to have them judged.",
    ),
    "expectations_set_aside": FindingKind(
        KNOW,
        "These expectations are not checked.",
        "To have them checked, leave them unticked below.",
    ),
    "evidence_not_found": FindingKind(
        KNOW,
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
    report, audit = plan.report, plan.report.audit
    _findings(plan)
    for sentence in _drift(audit):
        safe.caption(sentence)
    left_out(report.left_out, key="import_plan_left_out")
    telling = audit.leaks
    decided = decide_words(telling, key="import_words")
    changed = {word.pattern for word in telling if decided[word.pattern] is not word.decision}
    keep = frozenset(pattern for pattern in changed if decided[pattern] is PatternDecision.KEEP)
    return Decided(
        keep,
        (frozenset(changed) - keep) | frozenset(further_words(key="import_redact_also")),
        _expectations(audit),
        _taken_back(audit),
    )


def left_out(places: Sequence[LeftOut], *, key: str) -> None:
    """What is not imported, or not as it stands there, each with its reason: a few at once, many behind a click."""
    rows = [{"file": as_known(left.file), "reason": left.reason} for left in places]
    if len(rows) > _AT_ONCE:
        with st.expander(safe.text(f"{words.counted(len(rows), 'place')} left out or changed")):
            st.dataframe(rows, key=key, hide_index=True)
        return
    for row in rows:
        st.caption(f":material/info: {safe.text(': '.join(row.values()))}")


def as_known(text: str) -> str:
    """The text with uploaded files by their names, since the place where they lie tells nobody anything."""
    services = session.services()
    return " ".join(origin_of(services, word).removeprefix("uploaded ") for word in text.split(" "))


def _findings(plan: Plan) -> None:
    """The findings about the chosen pairs by rank: each with what to do, and its places to open."""
    counts = {name: count for name in FINDINGS if (count := getattr(plan.report.audit, name)).count}
    if not counts:
        st.caption(":material/check: Nothing is wrong with the runs of these pairs.")
    for name, count in counts.items():
        kind = FINDINGS[name]
        with st.container(border=True, gap="small"):
            with shell.row():
                st.badge(safe.text(kind.rank), color=COLOURS[kind.rank])
                safe.say(f"{COUNTED[name]}: {count.count:,}")
                with st.popover("Where", type="tertiary"):
                    if count.sides:
                        sides = (f"{side}: {number:,}" for side, number in count.sides.items())
                        safe.caption(", ".join(sides))
                    for place in count.examples:
                        safe.caption(place)
                    if more := count.count - len(count.examples):
                        st.caption(f"and {more:,d} more")
            safe.caption(f"{kind.means} {kind.advice}")
    void = sum(pair.is_void for pair in new_pairs(plan, all_runs=True))
    if void and session.may_somewhere(Act.JUDGE):
        label = safe.text(f"Judge {words.counted(void, 'pair')} with an unusable output too")
        st.checkbox(label, key=ALL_RUNS, persist_state="session")


def _drift(audit: Audit) -> Iterator[str]:
    drift = audit.drift
    changed = [
        f"{what} of {words.counted(number, 'task')}"
        for what, number in (("the prompts", drift.prompts), ("the expectations", drift.expectations))
        if number
    ]
    if changed:
        yield f"Changed between iterations: {', '.join(changed)}. Both sides of a pair are judged by one version."
    if drift.pairs_not_made:
        yield (
            f"Not made, because the prompts differ: {words.counted(drift.pairs_not_made, 'pair')}. Choose iterations "
            "that share the prompt, or import them as a table of pairs with the prompt to judge by."
        )


def _expectations(audit: Audit) -> frozenset[str]:
    """Expectations that tell a side, with what is proposed for each; they can be set aside for the whole batch."""
    texts = [expectation.text for expectation in audit.telling_expectations]
    rows = [
        {"Expectation that may reveal a side": expectation.in_words}
        for expectation in audit.telling_expectations
    ]
    return frozenset(ticked_rows(texts, rows, tick="Set aside", key="import_set_aside"))


def _taken_back(audit: Audit) -> frozenset[str]:
    """Reports about a run that are to be judged after all, by their names."""
    names = sorted({PurePosixPath(place.rpartition(": ")[2]).name for place in audit.set_aside.examples})
    rows = [{"Report about a run": name} for name in names]
    return frozenset(ticked_rows(names, rows, tick="Judge after all", key="import_take_back"))
