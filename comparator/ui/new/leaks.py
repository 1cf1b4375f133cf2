"""What would tell who made which output, the decision on each word, and from there to a stored comparison."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import streamlit as st

from comparator.domain.blinding.redaction import PatternDecision, Redaction, redactions_for_words
from comparator.domain.blinding.scan import PatternFinding, suggestion
from comparator.domain.errors import Conflict
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.project import ReviewMode
from comparator.outputs.snapshot import Snapshot
from comparator.outputs.view.build import aside_of, texts_to_scan
from comparator.outputs.view.reading import Readings
from comparator.ui.frame import session, shell
from comparator.ui.frame.inputs import decide_words, ticked_rows
from comparator.ui.frame.state import PageScript
from comparator.ui.new.draft import Draft, Scan, Slot, discard, widget
from comparator.workflow.importing.audit import Leak
from comparator.workflow.judging.asking import judge_of_project
from comparator.workflow.judging.rubrics import redact_rubric, store_drafted, store_own
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import (
    Source,
    Submission,
    Submitted,
    candidate_names,
    decide,
    find_leaks,
    open_reader,
    redactions_for,
    task_texts_to_scan,
    with_nouns,
)
from comparator.workflow.submit.set_up import submit

KEPT = 64 * 1024 * 1024
"""So many bytes of what a draft's files hold are kept from the leak scan until the pair is set up."""


def find_telling(draft: Draft, task: TaskText) -> None:
    """Ask about files that are set aside, then look through the rest once for words that tell; needs both outputs."""
    outputs = draft.outputs
    assert outputs is not None
    with open_reader(session.services(), readings_of(draft)) as reader:
        aside = aside_of(outputs, reader, prompt=task.prompt, taken_back=frozenset())
    reasons = {path: reason for label in Label for path, reason in aside[label].items()}
    draft.taken_back = tuple(
        ticked_rows(
            list(reasons),
            [{"File": path, "Not judged, because": reason} for path, reason in reasons.items()],
            tick="Judge after all",
            key=widget("taken_back"),
        )
    )
    identity = repr(
        (
            task.digest,
            draft.taken_back,
            draft.redact_also,
            _digests(draft, *Slot),
            names_of(draft).model_dump(),
            [str(source) for _, source in sources_of(draft).items()],
        )
    )
    if draft.scan is None or draft.scan.of != identity:
        with st.spinner("Looking for words that would reveal who made which output", show_time=True):
            draft.scan = _scan(session.services(), draft, outputs, task, identity)


def ask_about_words(draft: Draft, *, redacts: bool) -> None:
    """Ask for a decision on each word found. Full names are neutralised by default where `redacts`."""
    findings = draft.scan.findings if draft.scan else ()
    draft.decisions = decide_words(
        [
            _word(pattern, tuple(pattern_findings), redacts=redacts)
            for pattern, pattern_findings in groupby(findings, key=lambda one: one.pattern)
        ],
        key=widget("words"),
    )


def _word(pattern: str, pattern_findings: tuple[PatternFinding, ...], *, redacts: bool) -> Leak:
    suggested = suggestion(pattern_findings)
    keep = suggested is PatternDecision.REDACT and not redacts
    counts = {
        "first": sum(one.counts.A for one in pattern_findings),
        "second": sum(one.counts.B for one in pattern_findings),
    }
    return Leak(
        pattern=pattern,
        kind=pattern_findings[0].kind,
        decision=PatternDecision.KEEP if keep else suggested,
        sides=counts if any(counts.values()) else {},
        elsewhere=sum(one.elsewhere for one in pattern_findings),
        places=tuple(dict.fromkeys(one.where for one in pattern_findings)),
        excerpt=pattern_findings[0].excerpt,
    )


def redactions_of(draft: Draft) -> tuple[Redaction, ...]:
    """One decision for each word found or typed."""
    decided = {
        pattern: Redaction(pattern=pattern, decision=decision)
        for pattern, decision in draft.decisions.items()
    }
    redactions = {redaction.pattern: redaction for redaction in redactions_for_words(draft.redact_also)}
    nouns = draft.scan.nouns if draft.scan else {}
    return tuple(
        redaction.copy_with(replacement=nouns.get(redaction.pattern, ""))
        for redaction in (decided | redactions).values()
    )


def sources_of(draft: Draft) -> PerOutput[Source]:
    """Where both outputs came from; uploads have no place."""

    def source(slot: Slot) -> Source:
        reading = draft.reading(slot)
        return Path(reading.path) if reading and reading.path else ()

    return PerOutput[Source](A=source(Slot.FIRST), B=source(Slot.SECOND))


def readings_of(draft: Draft) -> Readings:
    """What was read of the draft's files, for whoever reads them next."""
    return _readings(_digests(draft, Slot.FIRST, Slot.SECOND))


def forget_readings(draft: Draft) -> None:
    """Drop them, once nobody will read the files again."""
    _readings.clear(_digests(draft, Slot.FIRST, Slot.SECOND))


@st.cache_resource(max_entries=4, show_spinner=False)
def _readings(digests: tuple[str, ...]) -> Readings:
    del digests
    return Readings(most=KEPT)


def names_of(draft: Draft) -> PerOutput[str]:
    """The candidates' names in the order given: typed, else from the paths, else from the uploads' own names."""
    typed = PerOutput[str | None](A=draft.first_name or None, B=draft.second_name or None)
    uploaded = not any(isinstance(source, Path) for _, source in sources_of(draft).items())
    if draft.outputs is not None and uploaded:
        stems = draft.outputs.map(lambda snapshot: Path(snapshot.name).stem)
        if stems.A != stems.B:
            typed = PerOutput[str | None](A=typed.A or stems.A, B=typed.B or stems.B)
    return candidate_names(sources_of(draft), typed)


def _scan(
    services: Services, draft: Draft, outputs: PerOutput[Snapshot], task: TaskText, identity: str
) -> Scan:
    taken_back = frozenset(draft.taken_back)
    inputs, reference = draft.snapshot(Slot.INPUTS), draft.snapshot(Slot.REFERENCE)
    with open_reader(services, readings_of(draft)) as reader:
        texts = texts_to_scan(outputs, reader, taken_back=taken_back, prompt=task.prompt)
        task_files = task_texts_to_scan(reader, inputs=inputs, reference=reference)
    lengths = {label: sum(len(text.text) for text in texts if text.label is label) for label in Label}
    redactions = redactions_for_words(draft.redact_also)
    findings = find_leaks(
        outputs,
        texts,
        task=task,
        candidates=names_of(draft),
        sources=tuple(source for _, source in sources_of(draft).items()),
        task_files=task_files,
        redactions=redactions,
    )
    wanted = [
        redaction.copy_with(decision=PatternDecision.REDACT) for redaction in (*decide(findings), *redactions)
    ]
    return Scan(
        of=identity,
        findings=findings,
        nouns={r.pattern: r.replacement for r in with_nouns(wanted, task=task, texts=(*texts, *task_files))},
        characters=PerOutput[int](A=lengths[Label.A], B=lengths[Label.B]),
    )


def _digests(draft: Draft, *slots: Slot) -> tuple[str, ...]:
    snapshots = (draft.snapshot(slot) for slot in slots)
    return tuple(snapshot.digest if snapshot else "" for snapshot in snapshots)


def judge_and_review(draft: Draft, task: TaskText) -> None:
    """Store the comparison with its rubric, have it judged in the background, and go on to the review.

    Raises InputError and other errors of ours; the draft stays then.
    """
    redactions = redactions_of(draft)
    with st.spinner("Preparing both outputs for the review", show_time=True):
        submitted = submit(
            session.as_me(),
            _submission(draft, task, redactions),
            readings=readings_of(draft),
        )
    if submitted.known:
        shell.tell_next("These two outputs were compared before; this is that comparison.")
    else:
        _store_rubric(draft, submitted, redactions)
        session.judge(submitted.comparison_id, kind=draft.judge, model=draft.model)
    forget_readings(draft)
    discard()
    session.go(PageScript.REVIEW, c=submitted.comparison_id)


def _submission(draft: Draft, task: TaskText, redactions: Sequence[Redaction]) -> Submission:
    assert draft.outputs is not None
    assert draft.scan is not None
    return Submission(
        task=task,
        outputs=draft.outputs,
        candidates=names_of(draft),
        inputs=draft.snapshot(Slot.INPUTS),
        reference=draft.snapshot(Slot.REFERENCE),
        redactions=tuple(redactions),
        findings=draft.scan.findings,
        taken_back=frozenset(draft.taken_back),
        project=draft.project,
        mode=ReviewMode.of(blind=draft.blind, prefers=False),
        title=draft.title,
        tags=draft.tags,
    )


def _store_rubric(draft: Draft, submitted: Submitted, redactions: Sequence[Redaction]) -> None:
    given, services, me = draft.rubric, session.as_me(), session.me()
    if given is None:
        return
    rubric = given.edited
    locked = "The rubric of this task is already locked; the judge uses that one."
    if given.reply:
        judge = judge_of_project(services, draft.project, draft.judge, draft.model)
        stored = store_drafted(services, judge, submitted.comparison_id, given.reply)
        if stored.locked and stored.rubric != given.reply.value:
            shell.tell_next(locked)
            return
    if rubric == given.original and not given.lock and not given.share:
        return
    neutral = redactions_for(rubric, candidates=names_of(draft), redactions=redactions)
    try:
        store_own(
            services,
            submitted.comparison_id,
            redact_rubric(rubric, neutral),
            author=me.name,
            locked=given.lock,
            shared=given.share,
        )
    except Conflict:
        shell.tell_next(locked)
